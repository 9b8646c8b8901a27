#include "accept_failure.h"

#include <stdlib.h>
#include <string.h>

#include "log_internal.h"
#include "loop_internal.h"
#include "refusal.h"

static void on_adopt(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_connection_adopt_fresh(arg);
}

static void on_chores(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_server *server = arg;
    larder_idle_close(server);
    if (server->stopping && !server->bound && server->connections == 0 && !server->has_drained) {
        server->has_drained = true;
        server->callbacks.drained(server->context);
    }
}

static void on_stop(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_server *server = arg;
    larder_acceptor_finish(server);
    event_active(server->chores, 0, 0);
}

static void on_reopen(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_acceptor_reopen(arg);
}

static void on_recover(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_accept_recover(arg);
}

static void on_condemn(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_server *server = arg;
    larder_connection *connection;
    while ((connection = LIST_FIRST(&server->condemned))) {
        LIST_REMOVE(connection, next_condemned);
        connection->is_condemned = false;
        larder_refuse_head(connection, connection->guard.refusal);
    }
}

static void on_sweep(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_server *server = arg;
    larder_phase_sweep(server);
    if (server->closes_idle) {
        larder_idle_close(server);
    }
}

static struct timeval timeval_of(uint32_t milliseconds) {
    return (struct timeval){.tv_sec = milliseconds / 1000, .tv_usec = (milliseconds % 1000) * 1000};
}

static bool make_events(larder_server *server) {
    struct event_base *base = server->base;
    server->adopt = event_new(base, -1, 0, on_adopt, server);
    server->chores = event_new(base, -1, 0, on_chores, server);
    server->stop = event_new(base, -1, 0, on_stop, server);
    server->reopen = event_new(base, -1, 0, on_reopen, server);
    server->recover = event_new(base, -1, 0, on_recover, server);
    server->condemn = event_new(base, -1, 0, on_condemn, server);
    server->sweep = event_new(base, -1, EV_PERSIST, on_sweep, server);
    return server->adopt && server->chores && server->stop && server->reopen && server->recover && server->condemn &&
           server->sweep;
}

/* A quarter of the shortest time late at most, and a second. */
static bool start_sweep(larder_server *server) {
    uint32_t pause = larder_phase_shortest(&server->options) / 4;
    struct timeval interval = timeval_of(pause < 10 ? 10 : pause > 1000 ? 1000 : pause);
    return event_add(server->sweep, &interval) == 0;
}

/* How much more than the guard evhttp takes for a head: its own answer to a larger one is HTML. */
enum { beyond_guard = 64 << 10 };

static void configure(larder_server *server) {
    struct evhttp *http = server->http;
    /* The guard comes first with limits of its own. */
    evhttp_set_max_headers_size(http, (ev_ssize_t)server->options.max_head_bytes + beyond_guard);
    evhttp_set_max_body_size(http, 0);
    evhttp_set_default_content_type(http, NULL);
    /* Also those libevent does not know: who answers them is the owner's business, and evhttp's answer is HTML. */
    evhttp_set_allowed_methods(http, 0xffff);
    evhttp_set_bevcb(http, larder_connection_new, server);
    evhttp_set_gencb(http, larder_request_on_arrival, server);
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
    larder_census_retain(options->census);
    if (options->tls) {
        larder_tls_retain(options->tls);
    }
    server->limits = (larder_guard_limits){
        .target_bytes = options->max_target_bytes, .head_bytes = options->max_head_bytes,
        .fields = options->max_fields};
    server->ledger = larder_ledger_new();
    server->callbacks = *callbacks;
    server->context = context;
    server->date_second = -1;
    TAILQ_INIT(&server->fresh);
    LIST_INIT(&server->open);
    LIST_INIT(&server->condemned);
    for (int phase = 0; phase < LARDER_PHASES; phase++) {
        TAILQ_INIT(&server->phases[phase]);
    }
    server->http = evhttp_new(server->base);
    larder_accept_enlist(server);
    if (!server->http || !server->ledger || !make_events(server) || !start_sweep(server)) {
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

void larder_server_refusals(const larder_server *server, uint64_t counts[LARDER_REFUSALS]) {
    memcpy(counts, server->refusals, sizeof server->refusals);
}

void larder_server_set_draining(larder_server *server) {
    server->draining = true;
}

void larder_server_stop_accepting(larder_server *server) {
    server->stopping = true;
    larder_acceptor_stop(server);
}

void larder_server_close_idle(larder_server *server) {
    server->closes_idle = true;
    event_active(server->chores, 0, 0);
}

void larder_server_abort_all(larder_server *server) {
    server->aborts = true;
    event_active(server->stopping ? server->stop : server->chores, 0, 0);
}

static void free_event(struct event *event) {
    if (event) {
        event_free(event);
    }
}

void larder_server_free(larder_server *server) {
    larder_accept_strike(server);
    server->stopping = false;
    if (server->http) {
        server->bound = NULL;
        evhttp_free(server->http);
    }
    free_event(server->adopt);
    free_event(server->chores);
    free_event(server->stop);
    free_event(server->reopen);
    free_event(server->recover);
    free_event(server->condemn);
    free_event(server->sweep);
    larder_census_release(server->options.census);
    if (server->options.tls) {
        larder_tls_release(server->options.tls);
    }
    larder_ledger_release(server->ledger);
    free(server->by_fd);
    free(server);
}
