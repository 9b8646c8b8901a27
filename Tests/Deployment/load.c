// Asks for one target at a constant rate, whatever becomes of the answers, and counts what is not a whole 200.
//
// load PORT RATE SECONDS TARGET      Stops early on SIGTERM. One line of JSON on standard output.
//
// A request is due at a time of the schedule and not when the one before is answered, and is timed from then, so that a
// pause of the server is felt by all requests that fall into it.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 256, PATIENCE = 5, SHOWN = 10 };
#define SECOND 1000000000ULL

typedef enum { CLOSED, CONNECTING, IDLE, BUSY } stage;

typedef struct {
    int fd;
    stage stage;
    bool closes;        // the server has said that this answer is the connection's last
    uint64_t due;       // of the request that it carries
    size_t have;        // bytes of the head
    long left;          // bytes of the body; -1 while the head is not complete
    int status;
    char head[8192];
} connection;

static connection all[CONNECTIONS];
static int poller;
static struct sockaddr_in server;
static char request[2048];
static volatile sig_atomic_t stopped;
static uint64_t start, answered, failed, statuses[600];
static uint32_t *times;     // of answers, in microseconds
static size_t room;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

static void on_signal(int number) {
    (void)number;
    stopped = 1;
}

static void drop(connection *one) {
    if (one->stage != CLOSED) close(one->fd);
    one->stage = CLOSED;
}

static void fail(connection *one, const char *why) {
    if (failed++ < SHOWN) {
        double at = (double)(now() - start) / SECOND;
        fprintf(stderr, "load: after %.3f s: %s\n", at, why);
    }
    drop(one);
}

static void succeed(connection *one) {
    if (answered == room) {
        room = room ? room * 2 : 65536;
        times = realloc(times, room * sizeof *times);
        if (!times) exit(1);
    }
    times[answered++] = (uint32_t)((now() - one->due) / 1000);
    one->stage = IDLE;
    if (one->closes) drop(one);
}

static void transmit(connection *one) {
    size_t length = strlen(request);
    one->stage = BUSY;
    one->have = 0;
    one->left = -1;
    one->closes = false;
    if (send(one->fd, request, length, MSG_NOSIGNAL) != (ssize_t)length) fail(one, strerror(errno));
}

static void dial(connection *one) {
    int on = 1;
    one->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    one->stage = CONNECTING;
    setsockopt(one->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = { .events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = one };
    if (one->fd < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, one->fd, &event) != 0) exit(1);
    if (connect(one->fd, (struct sockaddr *)&server, sizeof server) != 0 && errno != EINPROGRESS)
        fail(one, strerror(errno));
}

static void on_connected(connection *one) {
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(one->fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error) fail(one, strerror(error));
    else transmit(one);
}

static const char *field(const char *head, const char *name) {
    for (const char *line = strstr(head, "\r\n"); line && line[2] != '\r'; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, strlen(name)) == 0) return line + 2 + strlen(name);
    return NULL;
}

// Takes the head; gives how many bytes of the body came with it, or -1 while it is not complete.
static long take_head(connection *one) {
    one->head[one->have] = 0;
    char *end = strstr(one->head, "\r\n\r\n");
    if (!end) return -1;
    end[2] = 0;
    const char *length = field(one->head, "content-length:"), *coming = field(one->head, "connection:");
    if (sscanf(one->head, "HTTP/1.%*d %d", &one->status) != 1 || !length) return -1;
    one->left = atol(length);
    one->closes = coming && strncasecmp(coming + strspn(coming, " "), "close", 5) == 0;
    return (long)(one->have - (size_t)(end + 4 - one->head));
}

static void take(connection *one, const char *bytes, size_t count) {
    if (one->left < 0) {
        if (one->have + count >= sizeof one->head) count = sizeof one->head - 1 - one->have;
        memcpy(one->head + one->have, bytes, count);
        one->have += count;
        long body = take_head(one);
        if (body < 0) return;
        count = (size_t)body;
    }
    one->left -= (long)count;
    if (one->left > 0) return;
    if (one->status > 0 && one->status < 600) statuses[one->status]++;
    if (one->status == 200 && one->left == 0) return succeed(one);
    char why[64];
    snprintf(why, sizeof why, "status %d%s", one->status, one->left ? ", and more than was announced" : "");
    fail(one, why);
}

static void on_readable(connection *one) {
    static char bytes[sizeof one->head - 1];
    while (one->stage == BUSY || one->stage == IDLE) {
        size_t size = one->left < 0 && one->stage == BUSY ? sizeof bytes - one->have : sizeof bytes;
        ssize_t count = recv(one->fd, bytes, size, 0);
        if (count > 0 && one->stage == BUSY) {
            take(one, bytes, (size_t)count);
        } else if (count < 0 && errno == EAGAIN) {
            return;
        } else if (one->stage == IDLE) {
            return drop(one);
        } else {
            return fail(one, count == 0 ? "closed before the answer was whole" : strerror(errno));
        }
    }
}

static connection *find(stage wanted) {
    for (int i = 0; i < CONNECTIONS; i++)
        if (all[i].stage == wanted) return &all[i];
    return NULL;
}

// False when all connections wait; then the request waits as well.
static bool ask(uint64_t due) {
    connection *one = find(IDLE);
    bool is_open = one != NULL;
    if (!one) one = find(CLOSED);
    if (!one) return false;
    one->due = due;
    if (is_open) transmit(one);
    else dial(one);
    return true;
}

static uint64_t due(uint64_t number, uint64_t rate) {
    return start + number * SECOND / rate;
}

static void give_up(uint64_t time) {
    for (int i = 0; i < CONNECTIONS; i++)
        if ((all[i].stage == BUSY || all[i].stage == CONNECTING) && time - all[i].due > PATIENCE * SECOND)
            fail(&all[i], "no answer in time");
}

static void wait_until(uint64_t time) {
    struct epoll_event events[64];
    uint64_t current = now(), rest = time > current ? time - current : 0;
    struct timespec timeout = { .tv_sec = (time_t)(rest / SECOND), .tv_nsec = (long)(rest % SECOND) };
    int count = epoll_pwait2(poller, events, 64, &timeout, NULL);
    for (int i = 0; i < count; i++) {
        connection *one = events[i].data.ptr;
        if (one->stage == CONNECTING && events[i].events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) on_connected(one);
        if (one->stage == BUSY || one->stage == IDLE) on_readable(one);
    }
}

static int compare(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

static double milliseconds(double share) {
    return answered ? times[(size_t)(share * (double)(answered - 1))] / 1000.0 : 0;
}

static void report(uint64_t asked) {
    qsort(times, answered, sizeof *times, compare);
    printf("{\"asked\": %lu, \"answered\": %lu, \"failed\": %lu, \"p50\": %.3f, \"p99\": %.3f, \"max\": %.3f, "
           "\"statuses\": {", asked, answered, failed, milliseconds(0.5), milliseconds(0.99), milliseconds(1));
    const char *comma = "";
    for (int status = 0; status < 600; status++) {
        if (!statuses[status]) continue;
        printf("%s\"%d\": %lu", comma, status, statuses[status]);
        comma = ", ";
    }
    puts("}}");
}

int main(int count, char **words) {
    if (count != 5) return fputs("load PORT RATE SECONDS TARGET\n", stderr), 64;
    server = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[1])) };
    inet_pton(AF_INET, "127.0.0.1", &server.sin_addr);
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%s\r\n\r\n", words[4], words[1]);
    uint64_t rate = strtoull(words[2], NULL, 10), total = rate * strtoull(words[3], NULL, 10), asked = 0;
    struct sigaction action = { .sa_handler = on_signal };
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    poller = epoll_create1(EPOLL_CLOEXEC);
    start = now();
    while (!stopped && asked < total) {
        uint64_t time = now();
        while (asked < total && due(asked, rate) <= time && ask(due(asked, rate))) asked++;
        give_up(time);
        uint64_t next = due(asked, rate);
        wait_until(next > time ? next : time + SECOND / 1000);
    }
    while (answered + failed < asked) {
        give_up(now());
        wait_until(now() + SECOND / 10);
    }
    report(asked);
    return 0;
}
