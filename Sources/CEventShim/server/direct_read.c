/* Reads a connection in place of its bufferevent, as long as every request gets an immediate response. Before each read
 * libevent asks the system for the number of bytes, which costs as much as the read. */
#include "internal.h"

#include <errno.h>
#include <sys/socket.h>

/* Bytes: a request and a few more behind it; the most that a TLS record holds. */
enum { most_at_once = 16 << 10 };

static void on_arrival(evutil_socket_t fd, short what, void *arg);

static bool await(larder_connection *connection, short what) {
    struct event *arrival = connection->arrival;
    if (event_pending(arrival, what, NULL)) {
        return true;
    }
    event_del(arrival);
    event_assign(arrival, connection->server->base, connection->fd, what | EV_PERSIST, on_arrival, connection);
    return event_add(arrival, NULL) == 0;
}

static void leave(larder_connection *connection) {
    event_del(connection->arrival);
    connection->reads_directly = false;
    if (connection->ssl) {
        larder_tls_read_ahead(connection, false);
    }
}

/* The bufferevent reads on, and detects the end of the connection itself. */
static void hand_back(larder_connection *connection) {
    leave(connection);
    bufferevent_enable(connection->bev, EV_READ);
}

/* The bufferevent of a plain connection unfreezes the buffer for itself, and freezes it again; an encrypted one cannot
 * read into a frozen one. */
static bool add(larder_connection *connection, const char *bytes, ssize_t count) {
    struct evbuffer *input = bufferevent_get_input(connection->bev);
    if (connection->server->hooks->repeated(connection, bytes, (size_t)count)) {
        return true;
    }
    evbuffer_unfreeze(input, 0);
    if (evbuffer_add(input, bytes, (size_t)count) == 0) {
        return true;
    }
    larder_connection_reset(connection);
    return false;
}

/* Whether the connection goes on. */
static bool receive(larder_connection *connection) {
    char bytes[most_at_once];
    ssize_t count = recv(connection->fd, bytes, sizeof bytes, 0);
    return count > 0 ? add(connection, bytes, count) : count < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Reads the records that OpenSSL has read ahead with the first one, at most 16 KB and the rest of a record: the
 * socket does not become readable again for them. */
static bool receive_records(larder_connection *connection) {
    char bytes[most_at_once];
    short awaited = EV_READ;
    bool is_first = true;
    ssize_t count;
    do {
        count = larder_tls_receive(connection, is_first, bytes, sizeof bytes, &awaited);
        is_first = false;
    } while (count > 0 && add(connection, bytes, count) && larder_tls_has_unread(connection));
    return awaited && await(connection, awaited);
}

/* Closes an encrypted connection here: OpenSSL may have read its end, and then the socket does not report it to the
 * bufferevent. */
static void end(larder_connection *connection) {
    if (connection->ssl) {
        leave(connection);
        larder_connection_close(connection);
    } else {
        hand_back(connection);
    }
}

static void on_arrival(evutil_socket_t fd, short what, void *arg) {
    (void)fd;
    (void)what;
    larder_connection *connection = arg;
    connection->answered = 0;
    bool goes_on = connection->ssl ? receive_records(connection) : receive(connection);
    if (connection->writing || connection->guard.step == LARDER_GUARD_REFUSED) {
        leave(connection);
    } else if (evbuffer_get_length(bufferevent_get_input(connection->bev)) > 0) {
        hand_back(connection);
        bufferevent_trigger(connection->bev, EV_READ, 0);
    } else if (!goes_on) {
        end(connection);
    }
}

void larder_direct_read_enter(larder_connection *connection) {
    if (connection->reads_directly || connection->writing) {
        return;
    }
    if (!connection->arrival) {
        connection->arrival =
            event_new(connection->server->base, connection->fd, EV_READ | EV_PERSIST, on_arrival, connection);
    }
    if (connection->arrival && await(connection, EV_READ)) {
        bufferevent_disable(connection->bev, EV_READ);
        connection->reads_directly = true;
    }
    if (connection->ssl && !connection->reads_directly) {
        larder_connection_close_soon(connection);
    } else if (connection->ssl) {
        larder_tls_read_ahead(connection, true);
        if (larder_tls_has_unread(connection)) {
            event_active(connection->arrival, EV_READ, 0);
        }
    }
}

void larder_direct_read_end(larder_connection *connection) {
    if (connection->arrival) {
        event_free(connection->arrival);
        connection->arrival = NULL;
    }
}
