#include "refusal.h"

/* How far to look for a connection that can be closed: a request may be on its way to the first few. */
enum { evicted_of = 8 };

/* Milliseconds that a head and a handshake are given however crowded it is: a few round trips. Without them a flood of
 * connections would drive out honest ones before they can ask. */
enum { unfinished_grace = 1000 };

static bool evict_longest(
    larder_server *server, larder_phase phase, bool (*may_go)(const larder_connection *),
    const larder_connection *newcomer) {
    larder_connection *longest = TAILQ_FIRST(&server->phases[phase]);
    for (int i = 0; longest && i < evicted_of; i++, longest = TAILQ_NEXT(longest, timed)) {
        if (longest != newcomer && may_go(longest)) {
            server->refusals[LARDER_REFUSAL_EVICTED]++;
            larder_connection_close(longest);
            return true;
        }
    }
    return false;
}

static bool is_overdue(const larder_connection *connection) {
    return connection->since + unfinished_grace <= larder_monotonic_ms();
}

static bool is_unfinished_head(const larder_connection *connection) {
    return !connection->request.evreq && !connection->writing && larder_guard_is_reading(&connection->guard) &&
           is_overdue(connection);
}

/* Refused connections that linger make room first, then the one that has been idle for longest, as in nginx, and then
 * the oldest head or handshake that is unfinished, since a single byte begins one. */
bool larder_admission_evict(larder_server *server, const larder_connection *newcomer) {
    larder_connection *lingering = TAILQ_FIRST(&server->phases[LARDER_PHASE_LINGERING]);
    if (lingering) {
        larder_connection_close(lingering);
        return true;
    }
    return evict_longest(server, LARDER_PHASE_IDLE, larder_connection_is_idle, newcomer) ||
           evict_longest(server, LARDER_PHASE_HANDSHAKE, larder_connection_is_silent, newcomer) ||
           evict_longest(server, LARDER_PHASE_HANDSHAKE, is_overdue, newcomer) ||
           evict_longest(server, LARDER_PHASE_HEAD, is_unfinished_head, newcomer) ||
           larder_progress_evict(server);
}

/* Whether a new connection may stay; if not, it is closed and gone. */
bool larder_admission_check(larder_connection *connection) {
    larder_server *server = connection->server;
    larder_refusal why = LARDER_REFUSAL_NONE;
    if (!larder_census_settle(server->options.census, connection->fd, &connection->resident)) {
        why = LARDER_REFUSAL_ADDRESS_LIMIT;
    } else if (connection->is_excess && !larder_admission_evict(server, connection)) {
        why = LARDER_REFUSAL_CONNECTIONS;
    }
    if (why != LARDER_REFUSAL_NONE) {
        larder_refuse_entry(connection, why);
    }
    return why == LARDER_REFUSAL_NONE;
}
