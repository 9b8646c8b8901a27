/* Settings and resources of the whole process: log, signals, allocator, cores and descriptors. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <event2/event.h>

static pthread_mutex_t sink_lock = PTHREAD_MUTEX_INITIALIZER;
static larder_log_fn sink;
static void *sink_context;

static void emit(larder_severity severity, const char *message) {
    pthread_mutex_lock(&sink_lock);
    larder_log_fn log = sink;
    void *context = sink_context;
    pthread_mutex_unlock(&sink_lock);
    if (log) {
        log(severity, message, context);
    } else if (severity >= LARDER_WARNING) {
        fprintf(stderr, "libevent: %s\n", message);
    }
}

static larder_severity severity_of(int severity) {
    switch (severity) {
        case EVENT_LOG_DEBUG: return LARDER_DEBUG;
        case EVENT_LOG_MSG: return LARDER_NOTICE;
        case EVENT_LOG_WARN: return LARDER_WARNING;
        default: return LARDER_FATAL;
    }
}

static void on_libevent_message(int severity, const char *message) {
    emit(severity_of(severity), message);
}

/* libevent's state is broken when it calls this, and it must not return: a core dump is better than a quiet exit(1). */
static void on_libevent_fatal(int error) {
    larder_log(LARDER_FATAL, "libevent gave up (error %d)", error);
    abort();
}

static void attach(void) {
    event_set_log_callback(on_libevent_message);
    event_set_fatal_callback(on_libevent_fatal);
}

void larder_log_attach(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, attach);
}

void larder_log(larder_severity severity, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    emit(severity, message);
}

void larder_set_log(larder_log_fn log, void *context) {
    larder_log_attach();
    pthread_mutex_lock(&sink_lock);
    sink = log;
    sink_context = context;
    pthread_mutex_unlock(&sink_lock);
}

const char *larder_libevent_version(void) {
    return event_get_version();
}

uint32_t larder_libevent_number(void) {
    return event_get_version_number();
}

enum { SIGNALS = 3 };
static const int numbers[SIGNALS] = {SIGHUP, SIGINT, SIGTERM};
static struct sigaction before[SIGNALS];
/* Both ends stay open until the process ends: a handler may run in another thread at any time. */
static int ends[2] = {-1, -1};
static int is_holding;

static void on_signal(int number) {
    int error = errno;
    unsigned char byte = (unsigned char)number;
    /* A full pipe has more signals than will ever be read. */
    ssize_t written = write(ends[1], &byte, 1);
    (void)written;
    errno = error;
}

int larder_signals_hold(void) {
    if (is_holding) {
        return 0;
    }
    if (ends[0] < 0 && pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return errno;
    }
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    /* Keeps pending signals in order. */
    for (size_t index = 0; index < SIGNALS; index++) {
        sigaddset(&action.sa_mask, numbers[index]);
    }
    for (size_t index = 0; index < SIGNALS; index++) {
        sigaction(numbers[index], &action, &before[index]);
    }
    is_holding = 1;
    return 0;
}

static int taken(void) {
    unsigned char byte;
    return read(ends[0], &byte, 1) == 1 ? byte : 0;
}

void larder_signals_release(void) {
    if (!is_holding) {
        return;
    }
    is_holding = 0;
    for (size_t index = 0; index < SIGNALS; index++) {
        sigaction(numbers[index], &before[index], NULL);
    }
    for (int number = taken(); number; number = taken()) {
        raise(number);
    }
}

int larder_signals_next(int64_t milliseconds) {
    struct pollfd readable = {.fd = ends[0], .events = POLLIN};
    int timeout = milliseconds < 0 ? -1 : milliseconds > INT_MAX ? INT_MAX : (int)milliseconds;
    int ready;
    do {
        ready = poll(&readable, 1, timeout);
        /* Usually interrupted by a signal that was queued; the next round reads it. */
    } while (ready < 0 && errno == EINTR);
    return ready > 0 ? taken() : 0;
}

int larder_notify(const char *name, const char *text) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t size = strlen(name);
    if (size < 2 || size >= sizeof address.sun_path) {
        return EINVAL;
    }
    memcpy(address.sun_path, name, size);
    if (*name == '@') {
        address.sun_path[0] = '\0';
    }
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return errno;
    }
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
    ssize_t sent = sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&address, length);
    int error = sent < 0 ? errno : 0;
    close(fd);
    return error;
}

/* Allocations of this size and more get pages of their own. By default, glibc raises the threshold to the largest body
 * freed, up to 32 MB, and places later ones among small objects, which keep their pages in use. */
enum { own_pages = 1 << 20 };

/* Free bytes that an arena keeps at its end: more than serving allocates and frees in turn. */
enum { kept_free = 4 << 20 };

void larder_memory_prepare(void) {
    mallopt(M_MMAP_THRESHOLD, own_pages);
    mallopt(M_TRIM_THRESHOLD, kept_free);
}

void larder_memory_give_back(void) {
    malloc_trim(0);
}

int larder_usable_cores(void) {
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
}

uint16_t larder_local_port(int fd) {
    struct sockaddr_storage name;
    socklen_t size = sizeof name;
    if (getsockname(fd, (struct sockaddr *)&name, &size) != 0) {
        return 0;
    }
    switch (name.ss_family) {
        case AF_INET: return ntohs(((struct sockaddr_in *)&name)->sin_port);
        case AF_INET6: return ntohs(((struct sockaddr_in6 *)&name)->sin6_port);
        default: return 0;
    }
}
