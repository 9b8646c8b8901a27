#include "refusal.h"
#include "tls_internal.h"

/* How long a refused client may go on talking until its connection is closed under it. */
enum { linger_time = 2000 };

void larder_phase_leave(larder_connection *connection) {
    if (connection->phase != LARDER_PHASES) {
        TAILQ_REMOVE(&connection->server->phases[connection->phase], connection, timed);
    }
}

static void join(larder_connection *connection, larder_phase phase) {
    connection->phase = (uint8_t)phase;
    connection->since = larder_monotonic_ms();
    TAILQ_INSERT_TAIL(&connection->server->phases[phase], connection, timed);
}

void larder_phase_enter(larder_connection *connection, larder_phase phase) {
    larder_phase_leave(connection);
    join(connection, phase);
}

static uint32_t limit(const larder_server_options *options, larder_phase phase) {
    switch (phase) {
        case LARDER_PHASE_IDLE: return options->idle_timeout;
        case LARDER_PHASE_HEAD:
        case LARDER_PHASE_HANDSHAKE: return options->head_deadline ? options->head_deadline : options->idle_timeout;
        case LARDER_PHASE_WAITING: return options->request_deadline;
        case LARDER_PHASE_WRITING: return options->write_timeout;
        default: return linger_time;
    }
}

uint32_t larder_phase_shortest(const larder_server_options *options) {
    uint32_t shortest = linger_time;
    for (int phase = 0; phase < LARDER_PHASES; phase++) {
        uint32_t own = limit(options, (larder_phase)phase);
        shortest = own && own < shortest ? own : shortest;
    }
    return shortest;
}

static void end_idle(larder_connection *connection) {
    if (!larder_connection_is_idle(connection) && !larder_connection_is_unparsed(connection)) {
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
    if (larder_progress_is_enough(connection)) {
        larder_progress_go_on(connection);
        return;
    }
    larder_progress_cut(connection);
}

static void end_handshake(larder_connection *connection) {
    bool is_idle = !larder_tls_has_client_spoken(connection);
    connection->server->refusals[is_idle ? LARDER_REFUSAL_IDLE : LARDER_REFUSAL_HANDSHAKE]++;
    larder_connection_close(connection);
}

static void end_phase(larder_connection *connection) {
    switch ((larder_phase)connection->phase) {
        case LARDER_PHASE_IDLE: end_idle(connection); break;
        case LARDER_PHASE_HEAD: end_head(connection); break;
        case LARDER_PHASE_WAITING: end_waiting(connection); break;
        case LARDER_PHASE_WRITING: end_writing(connection); break;
        case LARDER_PHASE_HANDSHAKE: end_handshake(connection); break;
        default: larder_connection_close(connection); break;
    }
}

/* Whoever is first in a phase has been there longest, so only those whose time is over are looked at; each leaves the
 * phase or goes to its end. */
void larder_phase_sweep(larder_server *server) {
    uint64_t now = larder_monotonic_ms();
    for (int phase = 0; phase < LARDER_PHASES; phase++) {
        uint32_t allowed = limit(&server->options, (larder_phase)phase);
        larder_connection *first;
        while (allowed && (first = TAILQ_FIRST(&server->phases[phase])) && first->since + allowed <= now) {
            end_phase(first);
        }
    }
}
