#define _GNU_SOURCE
#include "larder_trial.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/http.h>

static const char two_framings[] =
    "GET / HTTP/1.1\r\nHost: larder\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
static const char refusal[] = "HTTP/1.1 400 ";

typedef struct {
    struct event_base *base;
    char answer[sizeof refusal - 1];
    size_t size;
} trial;

static void on_request(struct evhttp_request *request, void *context) {
    (void)context;
    evhttp_send_reply(request, HTTP_OK, "OK", NULL);
}

/* The answer so far, the end of the connection, or the end of patience. */
static void on_answer(evutil_socket_t fd, short what, void *context) {
    trial *trial = context;
    ssize_t got = 0;
    if (what & EV_READ) {
        got = recv(fd, trial->answer + trial->size, sizeof trial->answer - trial->size, 0);
    }
    if (got > 0) {
        trial->size += (size_t)got;
    }
    if (got <= 0 || trial->size == sizeof trial->answer) {
        event_base_loopbreak(trial->base);
    }
}

/* The connection is there, or has failed, which the attempt to send tells. */
static void on_connected(evutil_socket_t fd, short what, void *context) {
    trial *trial = context;
    ssize_t length = sizeof two_framings - 1;
    if ((what & EV_WRITE) == 0 || send(fd, two_framings, (size_t)length, MSG_NOSIGNAL) != length) {
        event_base_loopbreak(trial->base);
    }
}

/* It may be still under way: packets that a firewall drops must not keep the service from starting. */
static int connection_to(struct evhttp_bound_socket *bound) {
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    if (getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr *)&address, &size) != 0) {
        return -1;
    }
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return -1;
    }
    if (connect(fd, (struct sockaddr *)&address, size) != 0 && errno != EINPROGRESS) {
        close(fd);
        return -1;
    }
    return fd;
}

static int outcome(struct event_base *base, struct evhttp *http) {
    static const struct timeval patience = {.tv_sec = 0, .tv_usec = 250000};
    trial trial = {.base = base};
    evhttp_set_gencb(http, on_request, NULL);
    struct evhttp_bound_socket *bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
    int fd = bound ? connection_to(bound) : -1;
    if (fd < 0) {
        return -1;
    }
    struct event *answer = event_new(base, fd, EV_READ | EV_PERSIST, on_answer, &trial);
    int connects = event_base_once(base, fd, EV_WRITE, on_connected, &trial, &patience);
    if (answer && connects == 0 && event_add(answer, &patience) == 0) {
        event_base_dispatch(base);
    }
    if (answer) {
        event_free(answer);
    }
    close(fd);
    if (trial.size < sizeof trial.answer) {
        return -1;
    }
    return memcmp(trial.answer, refusal, sizeof trial.answer) == 0;
}

int larder_libevent_trial(void) {
    struct event_base *base = event_base_new();
    if (!base) {
        return -1;
    }
    struct evhttp *http = evhttp_new(base);
    int result = -1;
    if (http) {
        result = outcome(base, http);
        evhttp_free(http);
    }
    event_base_free(base);
    return result;
}

unsigned larder_libevent_number(void) {
    return event_get_version_number();
}
