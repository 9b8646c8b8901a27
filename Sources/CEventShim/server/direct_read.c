/* Reads a plain connection in place of its bufferevent, as long as every request gets an immediate response. Before
 * each read libevent asks the system for the number of bytes, which costs as much as the read. */
#include "internal.h"

#include <errno.h>
#include <sys/socket.h>

/* Bytes: a request and a few more behind it. */
enum { most_at_once = 16 << 10 };

static void leave(larder_connection *connection) {
    event_del(connection->arrival);
    connection->reads_directly = false;
}

/* The bufferevent reads on, and detects the end of the connection itself. */
static void hand_back(larder_connection *connection) {
    leave(connection);
    bufferevent_enable(connection->bev, EV_READ);
}

/* Reads like the bufferevent, but without first asking for the number of bytes. */
static bool receive(larder_connection *connection) {
    char bytes[most_at_once];
    ssize_t count = recv(connection->fd, bytes, sizeof bytes, 0);
    if (count <= 0) {
        return count < 0 && (errno == EAGAIN || errno == EINTR);
    }
    struct evbuffer *input = bufferevent_get_input(connection->bev);
    evbuffer_unfreeze(input, 0);
    int failure = evbuffer_add(input, bytes, (size_t)count);
    evbuffer_freeze(input, 0);
    if (failure) {
        larder_connection_reset(connection);
    }
    return !failure;
}

static void on_arrival(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_connection *connection = arg;
    if (!receive(connection)) {
        hand_back(connection);
    } else if (connection->writing || connection->guard.step == LARDER_GUARD_REFUSED) {
        leave(connection);
    } else if (evbuffer_get_length(bufferevent_get_input(connection->bev)) > 0) {
        hand_back(connection);
        bufferevent_trigger(connection->bev, EV_READ, 0);
    }
}

void larder_direct_read_enter(larder_connection *connection) {
    if (connection->reads_directly || connection->writing || connection->ssl) {
        return;
    }
    if (!connection->arrival) {
        connection->arrival =
            event_new(connection->server->base, connection->fd, EV_READ | EV_PERSIST, on_arrival, connection);
    }
    if (connection->arrival && event_add(connection->arrival, NULL) == 0) {
        bufferevent_disable(connection->bev, EV_READ);
        connection->reads_directly = true;
    }
}

void larder_direct_read_end(larder_connection *connection) {
    if (connection->arrival) {
        event_free(connection->arrival);
        connection->arrival = NULL;
    }
}
