#include "server_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <event2/listener.h>

#include "listen_internal.h"
#include "log_internal.h"

/* The servers of this thread. libevent tells an accept error to evhttp's argument, not to one of ours, and a thread has
 * only a server or two, so the one is looked for. */
static _Thread_local larder_server *servers;

void larder_acceptor_enlist(larder_server *server) {
    server->next_on_thread = servers;
    servers = server;
}

void larder_acceptor_strike(larder_server *server) {
    for (larder_server **link = &servers; *link; link = &(*link)->next_on_thread) {
        if (*link == server) {
            *link = server->next_on_thread;
            return;
        }
    }
}

/* It is told of once, and again when it has been over for some seconds, however often it happens between. */
static void note_failure(larder_server *server, int error) {
    static const struct timeval calm = {.tv_sec = 5, .tv_usec = 0};
    event_add(server->recover, &calm);
    server->refusals[LARDER_REFUSAL_DESCRIPTORS]++;
    if (server->failed_accepts++ == 0) {
        larder_log(LARDER_ERROR, "no connection can be accepted for a while: %s", strerror(error));
    }
}

/* Out of descriptors, mostly. The connection stays in the queue and the listener readable, so it would be tried again
 * in every pass: it rests a little instead. */
static void on_accept_error(struct evconnlistener *listener, void *arg) {
    static const struct timeval rest = {.tv_sec = 0, .tv_usec = 100000};
    int error = errno;
    for (larder_server *server = servers; server; server = server->next_on_thread) {
        if ((void *)server->http == arg) {
            evconnlistener_disable(listener);
            event_add(server->reopen, &rest);
            note_failure(server, error);
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
    return LARDER_LISTEN_OK;
}

uint16_t larder_server_port(const larder_server *server) {
    return server->bound ? larder_listen_port(evhttp_bound_socket_get_fd(server->bound)) : 0;
}
