/* Counts the bytes that have come and wait in input buffers: of heads and bodies that are not whole, and of requests
 * behind an answer. All connections share a budget, and those that have kept bytes for longest make room. */
#include "internal.h"

/* Bytes that a connection takes beside what has come, for the guess of what there is to give back. */
enum { connection_size = 8 << 10 };

/* Bytes freed from which on the allocator is asked to give them back, which takes a while: it keeps what is free between
 * pieces that are in use. */
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

void larder_received_note(larder_connection *connection, size_t size) {
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
