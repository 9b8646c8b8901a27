#include <sys/socket.h>

#include "server_internal.h"

/* Closing at once would free what the caller's own callers still use, so it waits for the end of this pass. The request
 * is given up with its connection, as when the client itself goes away. */
int larder_request_drop(larder_request *request, uint64_t sequence, int reset) {
    if (!request->evreq || request->sequence != sequence) {
        return 0;
    }
    if (reset) {
        /* Dissolving the connection resets it. SO_LINGER would not do: evhttp sends a FIN before it closes. */
        struct sockaddr nobody = {.sa_family = AF_UNSPEC};
        connect(request->connection->fd, &nobody, sizeof nobody);
    }
    bufferevent_trigger_event(request->connection->bev, BEV_EVENT_READING | BEV_EVENT_EOF, BEV_OPT_DEFER_CALLBACKS);
    return 1;
}
