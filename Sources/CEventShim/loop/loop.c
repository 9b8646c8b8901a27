#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <event2/event.h>

struct larder_loop {
    struct event_base *base;
    struct event *woken;  /* reads the eventfd */
    struct event *drain;  /* activated from the loop's own thread */
    larder_drain_fn drain_fn;
    void *context;
    pthread_t thread;
    int started;
    int is_stopped;       /* touched on the loop's thread */
    int wake_fd;
};

/* The loop that the calling thread runs. Threads read their own only, so it is not atomic. */
static _Thread_local const larder_loop *current_loop;

static void on_drain(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_loop *loop = arg;
    loop->drain_fn(loop->context);
}

static void on_woken(evutil_socket_t fd, short what, void *arg) {
    (void)what;
    uint64_t count;
    /* The counter is reset before the queue is read, so that no wake-up is lost in between. */
    ssize_t got = read(fd, &count, sizeof count);
    (void)got;
    on_drain(fd, 0, arg);
}

static struct event_base *base_new(void) {
    struct event_config *config = event_config_new();
    if (!config) {
        return NULL;
    }
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK | EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
    struct event_base *base = event_base_new_with_config(config);
    event_config_free(config);
    return base;
}

static void loop_free(larder_loop *loop) {
    if (loop->woken) {
        event_free(loop->woken);
    }
    if (loop->drain) {
        event_free(loop->drain);
    }
    if (loop->base) {
        event_base_free(loop->base);
    }
    if (loop->wake_fd >= 0) {
        close(loop->wake_fd);
    }
    free(loop);
}

larder_loop *larder_loop_new(larder_drain_fn drain, void *context) {
    signal(SIGPIPE, SIG_IGN);
    larder_loop *loop = calloc(1, sizeof *loop);
    if (!loop) {
        return NULL;
    }
    loop->drain_fn = drain;
    loop->context = context;
    loop->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    loop->base = base_new();
    if (loop->wake_fd >= 0 && loop->base) {
        loop->woken = event_new(loop->base, loop->wake_fd, EV_READ | EV_PERSIST, on_woken, loop);
        loop->drain = event_new(loop->base, -1, 0, on_drain, loop);
    }
    if (!loop->woken || !loop->drain || event_add(loop->woken, NULL) != 0) {
        loop_free(loop);
        return NULL;
    }
    return loop;
}

/* Asks the scheduler for a short time slice, which begins sooner (Linux 6.12): a loop works for microseconds at a time, beside
 * threads that compute for milliseconds. Threads that it starts have the usual one. Earlier kernels ignore the request, and a
 * sandbox may refuse it. */
static void request_short_slice(void) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period; /* ns */
    } attributes = { .size = sizeof attributes };
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) == 0 && attributes.policy == SCHED_OTHER) {
        attributes.runtime = 100 * 1000;
        attributes.flags |= 1; /* SCHED_FLAG_RESET_ON_FORK */
        syscall(SYS_sched_setattr, 0, &attributes, 0);
    }
}

/* Ends the process with the loop: otherwise it would go on and never serve part of its clients. */
static void *turn(void *arg) {
    larder_loop *loop = arg;
    current_loop = loop;
    request_short_slice();
    int result = event_base_loop(loop->base, EVLOOP_NO_EXIT_ON_EMPTY);
    if (!loop->is_stopped) {
        larder_log(LARDER_FATAL, "an event loop ended by itself (%d)", result);
        abort();
    }
    return NULL;
}

int larder_loop_start(larder_loop *loop, const char *name) {
    /* Signals belong to the main thread's handlers and must not interrupt a loop. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&loop->thread, NULL, turn, loop);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure) {
        return failure;
    }
    loop->started = 1;
    char kept[16];
    strncpy(kept, name, sizeof kept - 1);
    kept[sizeof kept - 1] = '\0';
    pthread_setname_np(loop->thread, kept);
    return 0;
}

void larder_loop_wake(larder_loop *loop) {
    uint64_t one = 1;
    ssize_t written;
    do {
        written = write(loop->wake_fd, &one, sizeof one);
    } while (written < 0 && errno == EINTR);
}

void larder_loop_activate(larder_loop *loop) {
    event_active(loop->drain, 0, 0);
}

int larder_loop_is_current(const larder_loop *loop) {
    return current_loop == loop;
}

void larder_loop_stop(larder_loop *loop) {
    loop->is_stopped = 1;
    event_base_loopexit(loop->base, NULL);
}

void larder_loop_join(larder_loop *loop) {
    if (loop->started) {
        pthread_join(loop->thread, NULL);
    }
    loop_free(loop);
}

struct event_base *larder_loop_base(larder_loop *loop) {
    return loop->base;
}
