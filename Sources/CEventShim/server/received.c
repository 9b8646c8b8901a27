/* Counts the bytes in input buffers: of incomplete heads and bodies, and of requests behind a response. All connections
 * share a budget; beyond it, those that have kept bytes for longest are closed. Connections with large bodies read in
 * turn. */
#include "internal.h"

/* Bytes of a body, or behind a refused head, from which on a connection reads in turn: as many as one read returns. */
enum { large = 16 << 10 };

/* Large bodies that are read in one pass of the loop. However many there are, new connections and small requests wait
 * for no more than these. */
enum { most_in_turn = 16 };

/* Memory of a connection besides its input, to estimate what can be returned. */
enum { connection_size = 8 << 10 };

/* Freed bytes that justify asking the allocator to return them, which takes a while: it keeps free memory between
 * pieces in use. */
enum { worth_giving_back = 8 << 20 };

static void record(larder_connection *connection, size_t size) {
    larder_server *server = connection->server;
    if (connection->received == 0) {
        TAILQ_INSERT_TAIL(&server->receiving, connection, receiving);
    } else if (size == 0) {
        TAILQ_REMOVE(&server->receiving, connection, receiving);
    }
    server->received += size - connection->received;
    connection->received = size;
}

static size_t memory_of(const larder_server *server) {
    return server->received + server->connections * connection_size;
}

static void make_room(larder_server *server, const larder_connection *progressing) {
    while (server->received > server->options.max_received_bytes) {
        larder_connection *oldest = TAILQ_FIRST(&server->receiving);
        oldest = oldest == progressing ? TAILQ_NEXT(oldest, receiving) : oldest;
        if (!oldest) {
            return;
        }
        server->refusals[LARDER_REFUSAL_EVICTED]++;
        record(oldest, 0);
        if (oldest->writing) {
            larder_connection_reset(oldest);
        }
        larder_connection_close(oldest);
    }
}

void larder_received_record(larder_connection *connection, size_t size) {
    larder_server *server = connection->server;
    if (size == connection->received) {
        return;
    }
    record(connection, size);
    if (server->options.max_received_bytes) {
        make_room(server, connection);
    }
    size_t memory = memory_of(server);
    server->most_memory = memory > server->most_memory ? memory : server->most_memory;
}

void larder_received_give_back(larder_server *server) {
    size_t memory = memory_of(server);
    if (memory >= server->most_memory) {
        server->most_memory = memory;
    } else if (server->most_memory - memory >= worth_giving_back) {
        server->most_memory = memory;
        larder_memory_give_back();
    }
}

void larder_received_take_turns(larder_connection *connection) {
    if (connection->received < large && connection->discarded < large) {
        return;
    }
    larder_server *server = connection->server;
    bufferevent_disable(connection->bev, EV_READ);
    if (!connection->awaits_turn) {
        connection->awaits_turn = true;
        TAILQ_INSERT_TAIL(&server->turns, connection, turn);
        larder_run_later(server, LARDER_TASK_TURN, 0);
    }
}

void larder_received_leave_turns(larder_connection *connection) {
    if (connection->awaits_turn) {
        connection->awaits_turn = false;
        TAILQ_REMOVE(&connection->server->turns, connection, turn);
    }
}

void larder_received_next_turn(larder_server *server) {
    larder_connection *connection;
    for (int i = 0; i < most_in_turn && (connection = TAILQ_FIRST(&server->turns)); i++) {
        larder_received_leave_turns(connection);
        bool reads = connection->stream || (!connection->request.evreq && !connection->writing);
        if (reads) {
            bufferevent_enable(connection->bev, EV_READ);
        }
    }
    if (!TAILQ_EMPTY(&server->turns)) {
        larder_run_later(server, LARDER_TASK_TURN, 0);
    }
}
