#define _GNU_SOURCE
#include "refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/listener.h>

#include "listen_internal.h"
#include "log_internal.h"

/* The servers of this thread. libevent tells an accept error to evhttp's argument, not to one of ours, and a thread has
 * only a server or two, so the one is looked for. */
static _Thread_local larder_server *servers;

static void take_reserve(larder_server *server) {
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

void larder_acceptor_enlist(larder_server *server) {
    server->reserve = -1;
    server->next_on_thread = servers;
    servers = server;
}

void larder_acceptor_strike(larder_server *server) {
    give_reserve(server);
    for (larder_server **link = &servers; *link; link = &(*link)->next_on_thread) {
        if (*link == server) {
            *link = server->next_on_thread;
            return;
        }
    }
}

/* It is told of once, and again when it has been over for some seconds, however often it happens between. */
static void note_failure(larder_server *server, int error, const char *means) {
    static const struct timeval calm = {.tv_sec = 5, .tv_usec = 0};
    event_add(server->recover, &calm);
    if (server->failed_accepts++ == 0) {
        larder_log(LARDER_ERROR, "no connection can be accepted %s: %s", means, strerror(error));
    }
}

/* Closes a connection of the server of this thread that has most, so that a crowd at one port does not cost the other
 * its few. */
static bool evict(void) {
    larder_server *crowded = servers;
    for (larder_server *server = servers; server; server = server->next_on_thread) {
        crowded = server->connections > crowded->connections ? server : crowded;
    }
    return larder_admission_evict(crowded, NULL);
}

/* Where no connection can be closed for it, a newcomer is told to come again, since its wait could have no end. */
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
    take_reserve(server);
    return fd >= 0;
}

/* The connection stays in the queue and the listener readable, so it would be tried again in every pass: it rests a
 * little instead. */
static void rest(larder_server *server, struct evconnlistener *listener) {
    static const struct timeval pause = {.tv_sec = 0, .tv_usec = 100000};
    evconnlistener_disable(listener);
    event_add(server->reopen, &pause);
}

static void make_do(larder_server *server, struct evconnlistener *listener, int error) {
    bool has_no_descriptor = error == EMFILE || error == ENFILE;
    note_failure(server, error, has_no_descriptor ? "but in the place of another" : "for a while");
    if (has_no_descriptor && evict()) {
        return;
    }
    server->refusals[LARDER_REFUSAL_DESCRIPTORS]++;
    if (!has_no_descriptor || !refuse_one(server, listener)) {
        rest(server, listener);
    }
}

static void on_accept_error(struct evconnlistener *listener, void *arg) {
    int error = errno;
    for (larder_server *server = servers; server; server = server->next_on_thread) {
        if ((void *)server->http == arg) {
            make_do(server, listener, error);
        }
    }
}

void larder_acceptor_recover(larder_server *server) {
    larder_log(
        LARDER_NOTICE, "connections are accepted again, after %llu attempts that failed",
        (unsigned long long)server->failed_accepts);
    server->failed_accepts = 0;
}

void larder_acceptor_reopen(larder_server *server) {
    if (server->bound) {
        take_reserve(server);
        evconnlistener_enable(evhttp_bound_socket_get_listener(server->bound));
    }
}

/* Who takes no more connections on purpose does not say that it takes them again. */
void larder_acceptor_close(larder_server *server) {
    event_del(server->recover);
    if (server->bound) {
        evhttp_del_accept_socket(server->http, server->bound);
        server->bound = NULL;
    }
}

static larder_listen_result fail(char *error, size_t size) {
    char words[128];
    int reason = errno;
    strerror_r(reason, words, sizeof words);
    snprintf(error, size, "%s", words);
    return larder_listen_classify(reason);
}

larder_listen_result larder_server_listen(
    larder_server *server, const larder_address *address, char *error, size_t size) {
    int fd = larder_listen_open(address, server->options.backlog);
    if (fd < 0) {
        return fail(error, size);
    }
    unsigned flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC;
    struct evconnlistener *listener = evconnlistener_new(server->base, NULL, NULL, flags, 0, fd);
    if (!listener) {
        errno = ENOMEM;
        close(fd);
        return fail(error, size);
    }
    server->bound = evhttp_bind_listener(server->http, listener);
    if (!server->bound) {
        errno = ENOMEM;
        evconnlistener_free(listener);
        return fail(error, size);
    }
    evconnlistener_set_error_cb(listener, on_accept_error);
    take_reserve(server);
    return LARDER_LISTEN_OK;
}

uint16_t larder_server_port(const larder_server *server) {
    return server->bound ? larder_listen_port(evhttp_bound_socket_get_fd(server->bound)) : 0;
}
