/* A server's life and its tasks. */
#include "internal.h"

#include <stdlib.h>

#include "../loop/internal.h"

static const larder_hooks hooks = {
    .input = larder_input_on_bytes,
    .repeated = larder_input_on_repeat,
    .lost = larder_request_on_loss,
    .prefaced = larder_admission_on_preface,
    .secured = larder_direct_read_enter,
    .arrived = larder_request_on_arrival,
    .answered = larder_request_on_answered,
};

static void adopt_fresh(larder_server *server) {
    while (!TAILQ_EMPTY(&server->fresh)) {
        larder_connection *connection = larder_connection_adopt(server);
        if (connection) {
            larder_admission_check(connection);
        }
    }
    larder_acceptor_proceed(server);
    if (server->aborts) {
        larder_run_soon(server, LARDER_TASK_CHORES);
    }
}

static void do_chores(larder_server *server) {
    larder_timeouts_close_idle(server);
    if (server->stopping && !server->listening && server->connections == 0 && !server->has_drained) {
        server->has_drained = true;
        server->callbacks.drained(server->context);
    }
}

static void stop(larder_server *server) {
    larder_acceptor_finish(server);
    larder_run_soon(server, LARDER_TASK_CHORES);
}

static void sweep(larder_server *server) {
    larder_timeouts_sweep(server);
    larder_received_give_back(server);
}

static void (*const runs[LARDER_TASKS])(larder_server *) = {
    [LARDER_TASK_ADOPT] = adopt_fresh,
    [LARDER_TASK_CHORES] = do_chores,
    [LARDER_TASK_REFUSE] = larder_refuse_closing,
    [LARDER_TASK_TURN] = larder_received_next_turn,
    [LARDER_TASK_SWEEP] = sweep,
    [LARDER_TASK_REOPEN] = larder_acceptor_reopen,
    [LARDER_TASK_RECOVER] = larder_admission_recover,
    [LARDER_TASK_STOP] = stop,
};

static void run(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_task *task = arg;
    task->run(task->server);
}

static bool make_tasks(larder_server *server) {
    for (int kind = 0; kind < LARDER_TASKS; kind++) {
        larder_task *task = &server->tasks[kind];
        *task = (larder_task){.server = server, .run = runs[kind]};
        task->event = event_new(server->base, -1, kind == LARDER_TASK_SWEEP ? EV_PERSIST : 0, run, task);
        if (!task->event) {
            return false;
        }
    }
    larder_run_later(server, LARDER_TASK_SWEEP, larder_timeouts_interval(&server->options));
    return true;
}

larder_server *larder_server_new(
    larder_loop *loop, const larder_server_options *options, const larder_server_callbacks *callbacks, void *context) {
    larder_log_attach();
    larder_server *server = calloc(1, sizeof *server);
    if (!server) {
        return NULL;
    }
    server->base = larder_loop_base(loop);
    server->hooks = &hooks;
    server->options = *options;
    larder_limits_retain(options->limits);
    if (options->streams) {
        larder_limits_retain(options->streams);
    }
    if (options->tls) {
        larder_tls_retain(options->tls);
    }
    server->guard_limits = (larder_guard_limits){
        .target_bytes = options->max_target_bytes, .head_bytes = options->max_head_bytes,
        .fields = options->max_fields, .body_bytes = options->max_body_bytes};
    server->references = 1;
    server->callbacks = *callbacks;
    server->context = context;
    server->date_second = -1;
    TAILQ_INIT(&server->fresh);
    LIST_INIT(&server->open);
    LIST_INIT(&server->closing);
    TAILQ_INIT(&server->receiving);
    TAILQ_INIT(&server->turns);
    for (int phase = 0; phase < LARDER_PHASES; phase++) {
        TAILQ_INIT(&server->phases[phase]);
    }
    larder_admission_enlist(server);
    if (!larder_evhttp_open(server, larder_acceptor_accepted) || !make_tasks(server)) {
        larder_server_free(server);
        return NULL;
    }
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
    larder_run_soon(server, LARDER_TASK_CHORES);
}

void larder_server_abort_all(larder_server *server) {
    server->aborts = true;
    larder_run_soon(server, server->stopping ? LARDER_TASK_STOP : LARDER_TASK_CHORES);
}

void larder_server_free(larder_server *server) {
    larder_admission_strike(server);
    server->stopping = false;
    larder_evhttp_free(server);
    for (int kind = 0; kind < LARDER_TASKS; kind++) {
        if (server->tasks[kind].event) {
            event_free(server->tasks[kind].event);
        }
    }
    larder_limits_release(server->options.limits);
    if (server->options.streams) {
        larder_limits_release(server->options.streams);
    }
    if (server->options.tls) {
        larder_tls_release(server->options.tls);
    }
    free(server->by_fd);
    larder_server_release(server);
}
