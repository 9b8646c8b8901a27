#include "server_internal.h"

/* Milliseconds in which a client that has connected is expected to ask. */
enum { first_request_time = 2000 };

/* Whether the first request may be on its way. */
static bool is_new(const larder_connection *connection) {
    return connection->request.sequence == 0 && larder_monotonic_ms() - connection->since < first_request_time;
}

/* Counts a connection whose TLS handshake has not begun as idle. */
static bool is_unused(const larder_connection *connection) {
    return larder_connection_is_idle(connection) || larder_connection_is_silent(connection);
}

static bool wants_idle_closed(const larder_server *server, const larder_connection *connection) {
    return server->closes_idle && !is_new(connection) && is_unused(connection);
}

void larder_idle_close(larder_server *server) {
    larder_connection *connection = LIST_FIRST(&server->open);
    while (connection) {
        larder_connection *next = LIST_NEXT(connection, next);
        if (server->aborts || wants_idle_closed(server, connection)) {
            larder_connection_close(connection);
        }
        connection = next;
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
