#include "server_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

/* One writev may take this much; libevent's own 16 KB makes 512 of them for 8 MB. */
enum { max_single_write = 1 << 20 };

larder_connection *larder_connection_find(const larder_server *server, int fd) {
    return fd >= 0 && (size_t)fd < server->by_fd_size ? server->by_fd[fd] : NULL;
}

void larder_connection_release(larder_connection *connection) {
    if (--connection->holders == 0) {
        free(connection);
    }
}

/* evhttp asks for the bufferevent of a connection it is about to set up; descriptor and peer are not known here. */
struct bufferevent *larder_connection_new(struct event_base *base, void *arg) {
    larder_server *server = arg;
    struct bufferevent *bev = bufferevent_socket_new(base, -1, 0);
    larder_connection *connection = calloc(1, sizeof *connection);
    if (!bev || !connection) {
        if (bev) {
            bufferevent_free(bev);
        }
        free(connection);
        return NULL;
    }
    bufferevent_set_max_single_write(bev, max_single_write);
    bufferevent_incref(bev);
    connection->bev = bev;
    connection->server = server;
    connection->holders = 1;
    connection->request.connection = connection;
    LIST_INSERT_HEAD(&server->fresh, connection, next);
    server->connections++;
    event_active(server->adopt, 0, 0);
    return bev;
}

/* Runs before evhttp parses what came. Where evhttp writes an error page of its own it reads on without looking, so
 * anything beyond the largest request that it could be waiting for stops the reading. */
static void on_input(struct evbuffer *input, const struct evbuffer_cb_info *info, void *arg) {
    if (info->n_added == 0) {
        return;
    }
    larder_connection *connection = arg;
    const larder_server_options *options = &connection->server->options;
    connection->unanswered_bytes += info->n_added;
    if (evbuffer_get_length(input) > 2 * options->max_head_bytes + options->max_body_bytes + (64 << 10)) {
        bufferevent_disable(connection->bev, EV_READ);
    }
}

static void unlink_connection(larder_connection *connection) {
    larder_server *server = connection->server;
    LIST_REMOVE(connection, next);
    server->connections--;
    connection->server = NULL;
    connection->bev = NULL;
    connection->peer = NULL;
    if (server->stopping && server->connections == 0) {
        event_active(server->chores, 0, 0);
    }
}

/* The only sure sign that a connection is gone: evhttp tells nobody else of timeouts, resets and its own errors. */
static void on_close(struct evhttp_connection *evcon, void *arg) {
    (void)evcon;
    larder_connection *connection = arg;
    evbuffer_remove_cb_entry(bufferevent_get_input(connection->bev), connection->input_watch);
    connection->server->by_fd[connection->fd] = NULL;
    larder_request_lost(&connection->request);
    unlink_connection(connection);
    larder_connection_release(connection);
}

static bool register_fd(larder_server *server, larder_connection *connection) {
    size_t needed = (size_t)connection->fd + 1;
    if (needed > server->by_fd_size) {
        size_t size = needed < 64 ? 64 : needed * 2;
        larder_connection **table = realloc(server->by_fd, size * sizeof *table);
        if (!table) {
            return false;
        }
        memset(table + server->by_fd_size, 0, (size - server->by_fd_size) * sizeof *table);
        server->by_fd = table;
        server->by_fd_size = size;
    }
    server->by_fd[connection->fd] = connection;
    return true;
}

/* An IPv4 client of an IPv6 listener is shown as what it is. */
static const char *peer_text(struct evhttp_connection *evcon) {
    static const char mapped[] = "::ffff:";
    char *address = NULL;
    uint16_t port;
    evhttp_connection_get_peer(evcon, &address, &port);
    if (!address) {
        return "";
    }
    bool is_mapped = strncmp(address, mapped, sizeof mapped - 1) == 0 && strchr(address, '.');
    return is_mapped ? address + sizeof mapped - 1 : address;
}

static bool equip(larder_server *server, larder_connection *connection, struct evhttp_connection *evcon) {
    struct bufferevent *bev = connection->bev;
    connection->fd = bufferevent_getfd(bev);
    connection->peer = peer_text(evcon);
    connection->input_watch = evbuffer_add_cb(bufferevent_get_input(bev), on_input, connection);
    if (!connection->input_watch || connection->fd < 0 || !register_fd(server, connection)) {
        return false;
    }
    evhttp_connection_set_closecb(evcon, on_close, connection);
    bufferevent_set_timeouts(bev, server->idle_timeout, server->write_timeout);
    return true;
}

/* evhttp is the callback argument of the bufferevents that it has set up, and of none that it has given up. */
static void adopt(larder_server *server, larder_connection *connection) {
    struct bufferevent *bev = connection->bev;
    void *evcon = NULL;
    bufferevent_getcb(bev, NULL, NULL, NULL, &evcon);
    LIST_REMOVE(connection, next);
    LIST_INSERT_HEAD(&server->open, connection, next);
    if (!evcon || !equip(server, connection, evcon)) {
        if (connection->input_watch) {
            evbuffer_remove_cb_entry(bufferevent_get_input(bev), connection->input_watch);
        }
        unlink_connection(connection);
        larder_connection_release(connection);
        if (evcon) {
            evhttp_connection_free(evcon);
        }
    }
    bufferevent_decref(bev);
}

void larder_connection_adopt_fresh(larder_server *server) {
    larder_connection *connection;
    while ((connection = LIST_FIRST(&server->fresh))) {
        adopt(server, connection);
    }
    if (server->closes_idle || server->aborts) {
        event_active(server->chores, 0, 0);
    }
}

bool larder_connection_is_idle(const larder_connection *connection) {
    int unread = 0;
    return !connection->request.evreq && !connection->writing && connection->unanswered_bytes == 0 &&
           (ioctl(connection->fd, FIONREAD, &unread) != 0 || unread == 0);
}

/* evhttp's own error handler closes it, and on_close hears of it, now. Not to be called within a callback of evhttp. */
void larder_connection_close(larder_connection *connection) {
    bufferevent_trigger_event(connection->bev, BEV_EVENT_READING | BEV_EVENT_EOF, 0);
}
