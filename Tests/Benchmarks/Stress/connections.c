// Holds many connections to one server, asks on half of them, and counts whatever is not a whole 200.
//
// connections PORT TARGET COUNT SECONDS PAUSE
//
// Half of the connections ask every PAUSE milliseconds, or again at once when it is 0. The other half are idle: every
// second one of those was used before. At the end each of them asks once more, so that one that was cut is noticed. A
// line of JSON says what came of it.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { head_limit = 4096, buckets = 1 << 20, opening_at_once = 200 };

// A connection reads the head of an answer into a buffer of its own, and only counts the body.
struct connection {
    int fd;
    bool waits, is_asking;
    uint64_t asked;
    size_t head_size, body_left;
    char head[head_limit];
};

static struct connection *all;
static size_t count;
static int poller;
static char request[1024];
static size_t request_size;
static bool asks_again;
static uint64_t answers, asked_late, waiting, longest;
static uint64_t cut, refused, malformed, unsent;
static uint32_t latencies[buckets];

static uint64_t microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void end(struct connection *one, uint64_t *error) {
    (*error)++;
    if (one->waits) waiting--;
    close(one->fd);
    one->fd = -1;
    one->waits = false;
}

static void ask(struct connection *one) {
    if (one->fd < 0) return;
    one->asked = microseconds();
    one->waits = true;
    one->head_size = 0;
    waiting++;
    if (send(one->fd, request, request_size, MSG_NOSIGNAL) != (ssize_t)request_size) end(one, &unsent);
}

static void note_answer(struct connection *one) {
    uint64_t latency = microseconds() - one->asked;
    latencies[latency < buckets ? latency : buckets - 1]++;
    if (latency > longest) longest = latency;
    answers++;
    waiting--;
    one->waits = false;
    if (asks_again && one->is_asking) ask(one);
}

// What of the bytes belongs to the head; the rest is the body's.
static size_t take_head(struct connection *one, const char *bytes, size_t size) {
    size_t before = one->head_size, room = head_limit - 1 - before, taken = size < room ? size : room;
    memcpy(one->head + before, bytes, taken);
    one->head[before + taken] = 0;
    one->head_size += taken;
    char *blank = strstr(one->head, "\r\n\r\n");
    if (!blank) return taken;
    one->head_size = (size_t)(blank - one->head) + 4;
    return one->head_size - before;
}

static bool is_whole_head(const struct connection *one) {
    return one->head_size >= 4 && memcmp(one->head + one->head_size - 4, "\r\n\r\n", 4) == 0;
}

static void take(struct connection *one, const char *bytes, size_t size) {
    if (!one->waits) {
        end(one, &malformed);
        return;
    }
    if (!is_whole_head(one)) {
        size_t taken = take_head(one, bytes, size);
        bytes += taken;
        size -= taken;
        if (!is_whole_head(one)) {
            if (one->head_size == head_limit - 1) end(one, &malformed);
            return;
        }
        const char *length = strcasestr(one->head, "\r\nContent-Length:");
        one->body_left = length ? strtoull(length + 17, NULL, 10) : 0;
        if (strncmp(one->head, "HTTP/1.1 200 ", 13) != 0 || !length) {
            end(one, &refused);
            return;
        }
    }
    if (size > one->body_left) {
        end(one, &malformed);
        return;
    }
    one->body_left -= size;
    if (one->body_left == 0) note_answer(one);
}

static void receive(struct connection *one) {
    static char bytes[1 << 16];
    while (one->fd >= 0) {
        ssize_t got = recv(one->fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got > 0) {
            take(one, bytes, (size_t)got);
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            end(one, &cut);
        } else if (errno == EAGAIN) {
            return;
        }
    }
}

static void turn(int patience) {
    struct epoll_event ready[512];
    int found = epoll_wait(poller, ready, 512, patience);
    for (int i = 0; i < found; i++) receive(ready[i].data.ptr);
}

static void settle(void) {
    uint64_t deadline = microseconds() + 20000000;
    while (waiting > 0 && microseconds() < deadline) turn(100);
}

static void open_one(struct connection *one, const struct sockaddr_in *to) {
    one->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (one->fd < 0 || connect(one->fd, (const struct sockaddr *)to, sizeof *to) != 0) fail("connections: connect");
    int on = 1;
    setsockopt(one->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(one->fd, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.ptr = one};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, one->fd, &event) != 0) fail("connections: epoll_ctl");
}

static void open_all(int port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (size_t i = 0; i < count; i++) {
        all[i].is_asking = i % 2 == 0;
        open_one(&all[i], &to);
        if (i % 4 != 3) ask(&all[i]);
        if (i % opening_at_once == 0) settle();
    }
    settle();
}

// Each asks when its turn comes, so that the load is even; one that still waits then is late and skips a turn.
static void keep_asking(uint64_t seconds, uint64_t pause) {
    uint64_t start = microseconds(), asking = count / 2, next = 0, now;
    while ((now = microseconds()) < start + seconds * 1000000) {
        for (; pause && start + next * pause / asking <= now; next++) {
            struct connection *one = &all[next % asking * 2];
            if (one->waits) asked_late++;
            else ask(one);
        }
        turn(1);
    }
}

static uint64_t percentile(double part) {
    uint64_t wanted = (uint64_t)(part * (double)answers), seen = 0, at = 0;
    while (at < buckets - 1 && (seen += latencies[at]) <= wanted) at++;
    return at;
}

static void start_afresh(void) {
    memset(latencies, 0, sizeof latencies);
    answers = asked_late = longest = 0;
}

static void report(uint64_t seconds) {
    printf("{\"open\":%zu,\"seconds\":%llu,\"answers\":%llu,\"late\":%llu,\"p50\":%llu,\"p99\":%llu,\"max\":%llu,",
           count, (unsigned long long)seconds, (unsigned long long)answers, (unsigned long long)asked_late,
           (unsigned long long)percentile(0.5), (unsigned long long)percentile(0.99), (unsigned long long)longest);
}

static void report_errors(void) {
    printf("\"errors\":{\"cut\":%llu,\"refused\":%llu,\"malformed\":%llu,\"unsent\":%llu,\"unanswered\":%llu}}\n",
           (unsigned long long)cut, (unsigned long long)refused, (unsigned long long)malformed,
           (unsigned long long)unsent, (unsigned long long)waiting);
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: connections PORT TARGET COUNT SECONDS PAUSE\n");
        return 64;
    }
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    count = strtoul(argv[3], NULL, 10);
    uint64_t seconds = strtoull(argv[4], NULL, 10), pause = strtoull(argv[5], NULL, 10) * 1000;
    request_size = (size_t)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", argv[2]);
    all = calloc(count, sizeof *all);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (count < 2 || request_size >= sizeof request || !all || poller < 0) fail("connections");
    open_all(atoi(argv[1]));
    start_afresh();
    asks_again = pause == 0;
    for (size_t i = 0; asks_again && i < count; i += 2) ask(&all[i]);
    keep_asking(seconds, pause);
    asks_again = false;
    settle();
    report(seconds);
    for (size_t i = 1; i < count; i += 2) ask(&all[i]);
    settle();
    report_errors();
    return 0;
}
