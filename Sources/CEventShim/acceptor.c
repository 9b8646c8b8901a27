#include "accept_failure.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <event2/listener.h>

#include "listen_internal.h"

/* How many connections are accepted in a pass of the loop, so that a flood of them delays nobody else for long. */
enum { most_accepted = 32 };

/* Milliseconds from the order to stop to the end of the listener, whatever is queued. */
enum { longest_stop = 1000 };

void larder_acceptor_reopen(larder_server *server) {
    if (server->bound) {
        larder_accept_reserve(server);
        evconnlistener_enable(evhttp_bound_socket_get_listener(server->bound));
    }
}

/* The loop of accepts ends when its listener is disabled. */
void larder_acceptor_count(larder_server *server) {
    if (++server->accepted == most_accepted) {
        evconnlistener_disable(evhttp_bound_socket_get_listener(server->bound));
    }
}

/* Gives evhttp something to set up where a connection cannot be made: without it, evhttp would serve the client by
 * itself, plainly and without limits. It is closed in this pass, and no other is accepted before. */
struct bufferevent *larder_acceptor_turn_away(larder_server *server) {
    struct bufferevent *bev = bufferevent_socket_new(server->base, -1, 0);
    if (bev) {
        bufferevent_incref(bev);
        server->unserved = bev;
        server->accepted = most_accepted - 1;
        larder_acceptor_count(server);
        event_active(server->adopt, 0, 0);
    }
    larder_accept_note_failure(server, ENOMEM, "for a while");
    server->refusals[LARDER_REFUSAL_DESCRIPTORS]++;
    return bev;
}

static void close_unserved(larder_server *server) {
    struct bufferevent *bev = server->unserved;
    void *evcon = NULL;
    if (!bev) {
        return;
    }
    server->unserved = NULL;
    bufferevent_getcb(bev, NULL, NULL, NULL, &evcon);
    if (evcon) {
        evhttp_connection_free(evcon);
    }
    bufferevent_decref(bev);
}

/* Goes on in the next pass. */
void larder_acceptor_proceed(larder_server *server) {
    close_unserved(server);
    if (server->accepted == most_accepted) {
        larder_acceptor_reopen(server);
    }
    server->accepted = 0;
}

/* Closing a listener resets what waits in its queue. So attempts to connect are turned away first, handshakes that have
 * begun get some time to end, which is that of a packet's way there and back, and then the queue is emptied. */
void larder_acceptor_stop(larder_server *server) {
    static const struct timeval handshakes = {.tv_sec = 0, .tv_usec = 200000}, at_once = {0, 0};
    bool is_quiet = server->bound && larder_listen_turn_away(evhttp_bound_socket_get_fd(server->bound));
    server->stops_by = larder_monotonic_ms() + longest_stop;
    event_add(server->stop, is_quiet ? &handshakes : &at_once);
}

/* Cancels the log line of a recovery: the listener is closed on purpose. */
static void close_listener(larder_server *server) {
    event_del(server->recover);
    if (server->bound) {
        evhttp_del_accept_socket(server->http, server->bound);
        server->bound = NULL;
    }
}

/* Without descriptors, or where attempts to connect cannot be turned away, the queue may never be empty. */
void larder_acceptor_finish(larder_server *server) {
    static const struct timeval soon = {.tv_sec = 0, .tv_usec = 1000};
    bool is_behind = server->bound && !server->aborts && larder_monotonic_ms() < server->stops_by &&
                     larder_listen_has_queue(evhttp_bound_socket_get_fd(server->bound));
    if (is_behind) {
        event_add(server->stop, &soon);
    } else {
        close_listener(server);
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
    evconnlistener_set_error_cb(listener, larder_accept_on_failure);
    larder_accept_reserve(server);
    return LARDER_LISTEN_OK;
}

uint16_t larder_server_port(const larder_server *server) {
    return server->bound ? larder_listen_port(evhttp_bound_socket_get_fd(server->bound)) : 0;
}
