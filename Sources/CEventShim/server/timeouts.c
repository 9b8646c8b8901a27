/* Ends the timeout phases that are over, and closes idle connections and streams of a server that stops. */
#include "internal.h"

/* Milliseconds that a refused client may go on sending before its connection is closed, and that a client has to read
 * the end of its stream when the server stops. */
enum { linger_time = 2000 };

/* Milliseconds in which a new connection should send its first request. */
enum { first_request_time = 2000 };

static uint32_t limit(const larder_server_options *options, larder_phase phase) {
    switch (phase) {
        case LARDER_PHASE_IDLE: return options->idle_timeout;
        case LARDER_PHASE_HEAD:
        case LARDER_PHASE_PREFACE:
        case LARDER_PHASE_HANDSHAKE: return options->head_deadline ? options->head_deadline : options->idle_timeout;
        case LARDER_PHASE_WAITING: return options->request_deadline;
        case LARDER_PHASE_WRITING:
        case LARDER_PHASE_STREAMING: return options->write_timeout;
        default: return linger_time;
    }
}

/* A quarter of the shortest timeout, within bounds, so that none ends later than that. */
uint32_t larder_timeouts_interval(const larder_server_options *options) {
    uint32_t shortest = linger_time;
    for (int phase = 0; phase < LARDER_PHASES; phase++) {
        uint32_t own = limit(options, (larder_phase)phase);
        shortest = own && own < shortest ? own : shortest;
    }
    return shortest < 40 ? 10 : shortest > 4000 ? 1000 : shortest / 4;
}

/* Whether the first request may be on its way. */
static bool is_new(const larder_connection *connection) {
    return connection->request.sequence == 0 && larder_monotonic_ms() - connection->since < first_request_time;
}

/* Counts a connection without a byte of its TLS handshake or its PROXY header as idle. */
static bool is_unused(const larder_connection *connection) {
    return larder_connection_is_idle(connection) || larder_connection_is_silent(connection);
}

static bool wants_idle_closed(const larder_server *server, const larder_connection *connection) {
    return server->closes_idle && !is_new(connection) && is_unused(connection);
}

void larder_timeouts_close_idle(larder_server *server) {
    larder_connection *connection = LIST_FIRST(&server->open);
    while (connection) {
        larder_connection *next = LIST_NEXT(connection, next);
        if (server->aborts || wants_idle_closed(server, connection)) {
            larder_connection_close(connection);
        } else if (server->closes_idle && connection->stream) {
            larder_stream_end(connection->stream);
        }
        connection = next;
    }
}

static void end_idle(larder_connection *connection) {
    if (!larder_connection_is_idle(connection) && !larder_evhttp_writes_page(connection)) {
        larder_phase_enter(connection, LARDER_PHASE_IDLE);
        return;
    }
    connection->server->refusals[LARDER_REFUSAL_IDLE]++;
    larder_connection_close(connection);
}

static void end_head(larder_connection *connection) {
    if (connection->request.evreq || connection->writing || !larder_guard_is_reading(&connection->guard)) {
        larder_phase_enter(connection, LARDER_PHASE_IDLE);
        return;
    }
    larder_refuse_head(connection, LARDER_REFUSAL_HEAD_TIMEOUT);
}

static void end_waiting(larder_connection *connection) {
    if (connection->request.evreq) {
        larder_refuse(&connection->request, LARDER_REFUSAL_DEADLINE);
    }
    if (connection->phase == LARDER_PHASE_WAITING) {
        larder_phase_enter(connection, LARDER_PHASE_IDLE);
    }
}

static void end_writing(larder_connection *connection) {
    if (larder_write_is_fast_enough(connection)) {
        larder_write_go_on(connection);
        return;
    }
    larder_write_cut(connection);
}

static void end_handshake(larder_connection *connection) {
    bool is_idle = !larder_tls_has_client_spoken(connection);
    connection->server->refusals[is_idle ? LARDER_REFUSAL_IDLE : LARDER_REFUSAL_HANDSHAKE]++;
    larder_connection_close(connection);
}

static void end_preface(larder_connection *connection) {
    bool is_idle = larder_connection_is_silent(connection);
    connection->server->refusals[is_idle ? LARDER_REFUSAL_IDLE : LARDER_REFUSAL_PREFACE]++;
    larder_connection_close(connection);
}

static void end_phase(larder_connection *connection) {
    switch ((larder_phase)connection->phase) {
        case LARDER_PHASE_IDLE: end_idle(connection); break;
        case LARDER_PHASE_HEAD: end_head(connection); break;
        case LARDER_PHASE_WAITING: end_waiting(connection); break;
        case LARDER_PHASE_WRITING: end_writing(connection); break;
        case LARDER_PHASE_STREAMING: larder_stream_check(connection); break;
        case LARDER_PHASE_HANDSHAKE: end_handshake(connection); break;
        case LARDER_PHASE_PREFACE: end_preface(connection); break;
        default: larder_connection_close(connection); break;
    }
}

/* The list is ordered, so only connections whose time is over are examined; each leaves the phase or moves to its end.
 * */
void larder_timeouts_sweep(larder_server *server) {
    uint64_t now = larder_monotonic_ms();
    for (int phase = 0; phase < LARDER_PHASES; phase++) {
        uint32_t allowed = limit(&server->options, (larder_phase)phase);
        larder_connection *first;
        while (allowed && (first = TAILQ_FIRST(&server->phases[phase])) && first->since + allowed <= now) {
            end_phase(first);
        }
    }
    if (server->closes_idle) {
        larder_timeouts_close_idle(server);
    }
}

size_t larder_server_unfinished(const larder_server *server) {
    size_t count = 0;
    const larder_connection *connection;
    LIST_FOREACH(connection, &server->open, next) {
        count += !is_unused(connection);
    }
    return count;
}
