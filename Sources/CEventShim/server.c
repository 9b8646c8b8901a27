#include "server_internal.h"

#include <stdlib.h>

#include "log_internal.h"
#include "loop_internal.h"
#include "refusal.h"

static void on_adopt(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_connection_adopt_fresh(arg);
}

static void close_wanted(larder_server *server) {
    larder_connection *connection = LIST_FIRST(&server->open);
    while (connection) {
        larder_connection *next = LIST_NEXT(connection, next);
        if (server->aborts || (server->closes_idle && larder_connection_is_idle(connection))) {
            larder_connection_close(connection);
        }
        connection = next;
    }
}

static void on_chores(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_server *server = arg;
    close_wanted(server);
    if (server->stopping && !server->bound && server->connections == 0 && !server->has_drained) {
        server->has_drained = true;
        server->callbacks.drained(server->context);
    }
}

static void on_stop(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_server *server = arg;
    larder_acceptor_close(server);
    event_active(server->chores, 0, 0);
}

static void on_reopen(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_acceptor_reopen(arg);
}

static void on_sweep(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_server *server = arg;
    uint64_t now = larder_monotonic_ms();
    larder_request *oldest;
    while ((oldest = TAILQ_FIRST(&server->waiting)) && oldest->started + server->options.request_deadline <= now) {
        larder_refuse(oldest, LARDER_REFUSAL_DEADLINE);
    }
}

static struct timeval timeval_of(uint32_t milliseconds) {
    return (struct timeval){.tv_sec = milliseconds / 1000, .tv_usec = (milliseconds % 1000) * 1000};
}

/* Every connection has the same two timeouts, so a queue each does and the heap is left to what differs. */
static const struct timeval *shared_timeout(struct event_base *base, uint32_t milliseconds) {
    struct timeval timeout = timeval_of(milliseconds);
    return milliseconds ? event_base_init_common_timeout(base, &timeout) : NULL;
}

static bool make_events(larder_server *server) {
    struct event_base *base = server->base;
    server->adopt = event_new(base, -1, 0, on_adopt, server);
    server->chores = event_new(base, -1, 0, on_chores, server);
    server->stop = event_new(base, -1, 0, on_stop, server);
    server->reopen = event_new(base, -1, 0, on_reopen, server);
    server->sweep = event_new(base, -1, EV_PERSIST, on_sweep, server);
    return server->adopt && server->chores && server->stop && server->reopen && server->sweep;
}

/* A quarter of the deadline late at most, and a second. */
static bool start_sweep(larder_server *server) {
    uint32_t deadline = server->options.request_deadline;
    if (!deadline) {
        return true;
    }
    uint32_t pause = deadline / 4 < 10 ? 10 : deadline / 4;
    struct timeval interval = timeval_of(pause > 1000 ? 1000 : pause);
    return event_add(server->sweep, &interval) == 0;
}

static void configure(larder_server *server) {
    struct evhttp *http = server->http;
    evhttp_set_max_headers_size(http, (ev_ssize_t)server->options.max_head_bytes);
    evhttp_set_max_body_size(http, (ev_ssize_t)server->options.max_body_bytes);
    evhttp_set_default_content_type(http, NULL);
    /* Also those libevent does not know: who answers them is the owner's business, and evhttp's answer is HTML. */
    evhttp_set_allowed_methods(http, 0xffff);
    evhttp_set_bevcb(http, larder_connection_new, server);
    evhttp_set_gencb(http, larder_request_on_arrival, server);
    server->idle_timeout = shared_timeout(server->base, server->options.idle_timeout);
    server->write_timeout = shared_timeout(server->base, server->options.write_timeout);
}

larder_server *larder_server_new(
    larder_loop *loop, const larder_server_options *options, const larder_server_callbacks *callbacks, void *context) {
    larder_log_attach();
    larder_server *server = calloc(1, sizeof *server);
    if (!server) {
        return NULL;
    }
    server->base = larder_loop_base(loop);
    server->options = *options;
    server->callbacks = *callbacks;
    server->context = context;
    server->date_second = -1;
    LIST_INIT(&server->fresh);
    LIST_INIT(&server->open);
    TAILQ_INIT(&server->waiting);
    server->http = evhttp_new(server->base);
    larder_acceptor_enlist(server);
    if (!server->http || !make_events(server) || !start_sweep(server)) {
        larder_server_free(server);
        return NULL;
    }
    configure(server);
    return server;
}

size_t larder_server_connections(const larder_server *server) {
    return server->connections;
}

size_t larder_server_outstanding(const larder_server *server) {
    return server->outstanding;
}

void larder_server_set_draining(larder_server *server) {
    server->draining = true;
}

void larder_server_stop_accepting(larder_server *server) {
    /* Sockets come before timers within a pass, so the kernel's queue is emptied before this timer is seen. */
    static const struct timeval at_once = {0, 0};
    server->stopping = true;
    event_add(server->stop, &at_once);
}

void larder_server_close_idle(larder_server *server) {
    server->closes_idle = true;
    event_active(server->chores, 0, 0);
}

void larder_server_abort_all(larder_server *server) {
    server->aborts = true;
    event_active(server->chores, 0, 0);
}

static void free_event(struct event *event) {
    if (event) {
        event_free(event);
    }
}

void larder_server_free(larder_server *server) {
    larder_acceptor_strike(server);
    server->stopping = false;
    if (server->http) {
        server->bound = NULL;
        evhttp_free(server->http);
    }
    free_event(server->adopt);
    free_event(server->chores);
    free_event(server->stop);
    free_event(server->reopen);
    free_event(server->sweep);
    free(server->by_fd);
    free(server);
}
