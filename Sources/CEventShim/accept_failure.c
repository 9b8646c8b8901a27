#define _GNU_SOURCE
#include "accept_failure.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "log_internal.h"
#include "refusal.h"

/* The servers of this thread. libevent tells an accept error to evhttp's argument, not to one of ours, and a thread has
 * only a server or two, so the one is looked for. */
static _Thread_local larder_server *servers;

void larder_accept_reserve(larder_server *server) {
    if (server->reserve < 0) {
        server->reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
}

static void give_reserve(larder_server *server) {
    if (server->reserve >= 0) {
        close(server->reserve);
        server->reserve = -1;
    }
}

void larder_accept_enlist(larder_server *server) {
    server->reserve = -1;
    server->next_on_thread = servers;
    servers = server;
}

void larder_accept_strike(larder_server *server) {
    give_reserve(server);
    for (larder_server **link = &servers; *link; link = &(*link)->next_on_thread) {
        if (*link == server) {
            *link = server->next_on_thread;
            return;
        }
    }
}

/* Logs the first failure, and the next one only when there was none for some seconds. */
void larder_accept_note_failure(larder_server *server, int error, const char *means) {
    static const struct timeval calm = {.tv_sec = 5, .tv_usec = 0};
    event_add(server->recover, &calm);
    if (server->failed_accepts++ == 0) {
        larder_log(LARDER_ERROR, "no connection can be accepted %s: %s", means, strerror(error));
    }
}

/* Closes a connection of this thread's server with the most connections, so that a busy port does not starve the other
 * one. */
static bool evict(void) {
    larder_server *crowded = servers;
    for (larder_server *server = servers; server; server = server->next_on_thread) {
        crowded = server->connections > crowded->connections ? server : crowded;
    }
    return larder_admission_evict(crowded, NULL);
}

/* Accepts one connection with the reserved descriptor to answer 503, because none could be closed for it. */
static bool refuse_one(larder_server *server, struct evconnlistener *listener) {
    if (server->reserve < 0) {
        return false;
    }
    give_reserve(server);
    int fd = accept4(evconnlistener_get_fd(listener), NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
        larder_refuse_socket(server, fd);
        close(fd);
    }
    larder_accept_reserve(server);
    return fd >= 0;
}

/* The connection stays in the queue and the listener readable, so it would be tried again in every pass: it rests a
 * little instead. */
static void rest(larder_server *server, struct evconnlistener *listener) {
    static const struct timeval pause = {.tv_sec = 0, .tv_usec = 100000};
    evconnlistener_disable(listener);
    event_add(server->reopen, &pause);
}

static void make_room(larder_server *server, struct evconnlistener *listener, int error) {
    bool has_no_descriptor = error == EMFILE || error == ENFILE;
    larder_accept_note_failure(server, error, has_no_descriptor ? "without closing another" : "for a while");
    if (has_no_descriptor && evict()) {
        return;
    }
    server->refusals[LARDER_REFUSAL_DESCRIPTORS]++;
    if (!has_no_descriptor || !refuse_one(server, listener)) {
        rest(server, listener);
    }
}

void larder_accept_on_failure(struct evconnlistener *listener, void *arg) {
    int error = errno;
    for (larder_server *server = servers; server; server = server->next_on_thread) {
        if ((void *)server->http == arg) {
            make_room(server, listener, error);
        }
    }
}

void larder_accept_recover(larder_server *server) {
    larder_log(
        LARDER_NOTICE, "connections are accepted again, after %llu attempts for which another had to be closed or that failed",
        (unsigned long long)server->failed_accepts);
    server->failed_accepts = 0;
}
