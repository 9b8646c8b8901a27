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

/* How many connections are accepted in a pass of the loop, so that a flood of them delays nobody else for long. */
enum { most_accepted = 32 };

/* Milliseconds from the order to stop to the end of the listener, whatever is queued. */
enum { longest_stop = 1000 };

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
    note_failure(server, ENOMEM, "for a while");
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

/* Who takes no more connections on purpose does not say that it takes them again. */
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
    evconnlistener_set_error_cb(listener, on_accept_error);
    take_reserve(server);
    return LARDER_LISTEN_OK;
}

uint16_t larder_server_port(const larder_server *server) {
    return server->bound ? larder_listen_port(evhttp_bound_socket_get_fd(server->bound)) : 0;
}
