#include "refusal.h"

/* How far to look for a connection that is idle in truth: a request may be on its way to the first few. */
enum { evicted_of = 8 };

static bool evict_longest(
    larder_server *server, larder_phase phase, bool (*is_idle)(const larder_connection *),
    const larder_connection *newcomer) {
    larder_connection *idle = TAILQ_FIRST(&server->phases[phase]);
    for (int i = 0; idle && i < evicted_of; i++, idle = TAILQ_NEXT(idle, timed)) {
        if (idle != newcomer && is_idle(idle)) {
            server->refusals[LARDER_REFUSAL_EVICTED]++;
            larder_connection_close(idle);
            return true;
        }
    }
    return false;
}

/* Who has been idle for longest makes room, as in nginx; who was refused and lingers, before that. */
static bool evict(larder_server *server, const larder_connection *newcomer) {
    larder_connection *lingering = TAILQ_FIRST(&server->phases[LARDER_PHASE_LINGERING]);
    if (lingering) {
        larder_connection_close(lingering);
        return true;
    }
    return evict_longest(server, LARDER_PHASE_IDLE, larder_connection_is_idle, newcomer) ||
           evict_longest(server, LARDER_PHASE_HANDSHAKE, larder_connection_is_silent, newcomer);
}

/* Whether a new connection may stay; if not, it is closed and gone. */
bool larder_admission_check(larder_connection *connection) {
    larder_server *server = connection->server;
    larder_refusal why = LARDER_REFUSAL_NONE;
    if (!larder_census_settle(server->options.census, connection->fd, &connection->resident)) {
        why = LARDER_REFUSAL_ADDRESS_LIMIT;
    } else if (connection->is_excess && !evict(server, connection)) {
        why = LARDER_REFUSAL_CONNECTIONS;
    }
    if (why != LARDER_REFUSAL_NONE) {
        larder_refuse_entry(connection, why);
    }
    return why == LARDER_REFUSAL_NONE;
}
