/* The listener: how many connections it accepts at once, and how it starts and stops. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <linux/filter.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/listener.h>

#include "../loop/internal.h"

/* Connections accepted in a pass of the loop, so that a flood of them delays other work only briefly. */
enum { most_accepted = 32 };

/* Milliseconds from the order to stop to the end of the listener, whatever its queue. */
enum { longest_stop = 1000 };

/* Milliseconds for TCP handshakes to end once new attempts are turned away. */
enum { handshake_time = 200 };

/* Silently drops requests for new connections from now on: clients repeat them, and find another listener or none.
 * Handshakes in progress go on. False if the kernel does not support it. */
static bool drop_new(int fd) {
    /* The filter sees a segment from its TCP header on. Accepted sockets inherit it, and never get such a segment. */
    enum { flags = 13 };
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, flags),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, TH_SYN | TH_ACK),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TH_SYN, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0;
}

static bool has_queue_at(int fd) {
    struct pollfd listener = {.fd = fd, .events = POLLIN};
    return poll(&listener, 1, 0) > 0;
}

void larder_acceptor_reopen(larder_server *server) {
    if (server->listening) {
        larder_admission_reserve(server);
    }
    for (size_t i = 0; i < server->listening; i++) {
        evconnlistener_enable(server->listeners[i].socket);
    }
}

/* Stops accepting after so many, by disabling the listeners. */
static void count_accepted(larder_server *server) {
    if (++server->accepted == most_accepted) {
        for (size_t i = 0; i < server->listening; i++) {
            evconnlistener_disable(server->listeners[i].socket);
        }
    }
}

/* Returns a bufferevent for evhttp if a connection cannot be made: without one, evhttp would serve the client itself,
 * unencrypted and without limits. It is closed in this pass, and no other is accepted before. */
static struct bufferevent *turn_away(larder_server *server) {
    struct bufferevent *bev = bufferevent_socket_new(server->base, -1, 0);
    if (bev) {
        bufferevent_incref(bev);
        server->unserved = bev;
        server->accepted = most_accepted - 1;
        count_accepted(server);
        larder_run_soon(server, LARDER_TASK_ADOPT);
    }
    larder_admission_report_failure(server, ENOMEM, "for a while");
    server->refusals[LARDER_REFUSAL_DESCRIPTORS]++;
    return bev;
}

struct bufferevent *larder_acceptor_accepted(struct event_base *base, void *arg) {
    (void)base;
    larder_server *server = arg;
    struct bufferevent *bev = larder_connection_new(server);
    if (!bev) {
        return turn_away(server);
    }
    count_accepted(server);
    return bev;
}

static void close_unserved(larder_server *server) {
    struct bufferevent *bev = server->unserved;
    if (!bev) {
        return;
    }
    server->unserved = NULL;
    struct evhttp_connection *evcon = larder_evhttp_connection(bev);
    if (evcon) {
        larder_evhttp_discard(evcon);
    }
    bufferevent_decref(bev);
}

/* Continues in the next pass. */
void larder_acceptor_proceed(larder_server *server) {
    close_unserved(server);
    if (server->accepted == most_accepted) {
        larder_acceptor_reopen(server);
    }
    server->accepted = 0;
}

/* Closing a listener resets the connections in its queue. So new attempts are turned away first, handshakes in progress
 * get about a round trip to end, and then the queue is emptied. One that another process keeps goes on there. */
void larder_acceptor_stop(larder_server *server) {
    bool is_quiet = false;
    for (size_t i = 0; i < server->listening; i++) {
        larder_listener *each = &server->listeners[i];
        if (each->is_kept) {
            evconnlistener_disable(each->socket);
        } else {
            is_quiet = drop_new(evconnlistener_get_fd(each->socket)) || is_quiet;
        }
    }
    server->stops_by = larder_monotonic_ms() + longest_stop;
    larder_run_later(server, LARDER_TASK_STOP, is_quiet ? handshake_time : 0);
}

static bool has_queue(const larder_server *server) {
    bool has_queue = false;
    for (size_t i = 0; i < server->listening; i++) {
        const larder_listener *each = &server->listeners[i];
        has_queue = has_queue || (!each->is_kept && has_queue_at(evconnlistener_get_fd(each->socket)));
    }
    return has_queue;
}

/* Without descriptors, or if attempts cannot be turned away, the queue may never be empty. */
void larder_acceptor_finish(larder_server *server) {
    bool is_behind = !server->aborts && larder_monotonic_ms() < server->stops_by && has_queue(server);
    if (is_behind) {
        larder_run_later(server, LARDER_TASK_STOP, 1);
        return;
    }
    /* The listener is closed on purpose, so no recovery is logged. */
    event_del(server->tasks[LARDER_TASK_RECOVER].event);
    larder_evhttp_unlisten(server);
}

larder_listen_result larder_server_listen(
    larder_server *server, const larder_address *address, char *error, size_t size) {
    if (server->listening == LARDER_LISTENERS) {
        return larder_listen_failure(ENOSPC, error, size);
    }
    int fd = larder_listen_open(address, server->options.backlog);
    if (fd < 0) {
        return larder_listen_failure(errno, error, size);
    }
    unsigned flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC;
    struct evconnlistener *listener = evconnlistener_new(server->base, NULL, NULL, flags, 0, fd);
    if (!listener) {
        close(fd);
        return larder_listen_failure(ENOMEM, error, size);
    }
    if (!larder_evhttp_listen(server, listener, address->is_kept)) {
        evconnlistener_free(listener);
        return larder_listen_failure(ENOMEM, error, size);
    }
    evconnlistener_set_error_cb(listener, larder_admission_on_failure);
    larder_admission_reserve(server);
    return LARDER_LISTEN_OK;
}

uint16_t larder_server_port(const larder_server *server, size_t index) {
    return index < server->listening ? larder_local_port(evconnlistener_get_fd(server->listeners[index].socket)) : 0;
}
