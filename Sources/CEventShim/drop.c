#include <sys/socket.h>

#include "server_internal.h"

/* Of pieces. */
enum { most_discarded = 16 };

/* Dissolving the connection resets it. SO_LINGER would not do: evhttp sends a FIN before it closes. */
void larder_connection_reset(larder_connection *connection) {
    struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    connect(connection->fd, &nobody, sizeof nobody);
}

/* Closing a socket with bytes unread resets it, and the client loses what it has not got yet of its answer. A client
 * that goes on sending brings that on itself. */
void larder_connection_discard_unread(larder_connection *connection) {
    char unread[4096];
    for (int i = 0; i < most_discarded && recv(connection->fd, unread, sizeof unread, MSG_DONTWAIT) > 0; i++) {
    }
}

/* Closing at once would free what the caller's own callers still use, so it waits for the end of this pass. The request
 * is given up with its connection, as when the client itself goes away. */
int larder_request_drop(larder_request *request, uint64_t sequence, int reset) {
    if (!request->evreq || request->sequence != sequence) {
        return 0;
    }
    if (reset) {
        larder_connection_reset(request->connection);
    }
    bufferevent_trigger_event(request->connection->bev, BEV_EVENT_READING | BEV_EVENT_EOF, BEV_OPT_DEFER_CALLBACKS);
    return 1;
}
