#include "internal.h"

#include <stdlib.h>
#include <sys/ioctl.h>

/* The limit of one writev; libevent's own of 16 KB makes 512 calls for 8 MB. */
enum { max_single_write = 1 << 20 };

void larder_server_release(larder_server *server) {
    if (--server->references == 0) {
        free(server);
    }
}

void larder_connection_release(larder_connection *connection) {
    if (--connection->references == 0) {
        larder_server_release(connection->server);
        free(connection);
    }
}

/* Called by evhttp for a connection it is about to set up; descriptor and peer are not known here. */
struct bufferevent *larder_connection_new(larder_server *server) {
    larder_tls *tls = server->options.tls;
    larder_connection *connection = calloc(1, sizeof *connection);
    if (!connection) {
        return NULL;
    }
    connection->bev =
        tls ? larder_tls_bufferevent(tls, server->base) : bufferevent_socket_new(server->base, -1, 0);
    if (!connection->bev) {
        free(connection);
        return NULL;
    }
    bufferevent_set_max_single_write(connection->bev, max_single_write);
    bufferevent_incref(connection->bev);
    connection->ssl = tls ? larder_tls_session(connection->bev) : NULL;
    connection->server = server;
    server->references++;
    connection->references = 1;
    connection->phase = LARDER_PHASES;
    connection->is_excess = !larder_limits_enter(server->options.limits);
    connection->request.connection = connection;
    TAILQ_INSERT_TAIL(&server->fresh, connection, timed);
    server->connections++;
    larder_run_soon(server, LARDER_TASK_ADOPT);
    return connection->bev;
}

static void unlink_connection(larder_connection *connection) {
    larder_server *server = connection->server;
    LIST_REMOVE(connection, next);
    larder_received_record(connection, 0);
    larder_received_leave_turns(connection);
    larder_phase_leave(connection);
    if (connection->is_closing) {
        LIST_REMOVE(connection, next_closing);
    }
    larder_limits_leave_peer(server->options.limits, connection->peer);
    larder_limits_leave(server->options.limits);
    server->connections--;
    connection->bev = NULL;
    connection->ssl = NULL;
    connection->address = NULL;
    if (server->stopping && server->connections == 0) {
        larder_run_soon(server, LARDER_TASK_CHORES);
    }
}

static void on_closed(struct evhttp_connection *evcon, void *arg) {
    (void)evcon;
    larder_connection *connection = arg;
    larder_server *server = connection->server;
    larder_tls_close_notify(connection);
    larder_tls_ignore_messages(connection);
    larder_connection_discard_unread(connection);
    larder_direct_read_end(connection);
    evbuffer_remove_cb_entry(bufferevent_get_input(connection->bev), connection->input_watch);
    server->by_fd[connection->fd] = NULL;
    server->refusals[LARDER_REFUSAL_UNPARSED] += larder_evhttp_writes_page(connection);
    server->hooks->lost(&connection->request);
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

static bool equip(larder_server *server, larder_connection *connection, struct evhttp_connection *evcon) {
    struct bufferevent *bev = connection->bev;
    connection->fd = bufferevent_getfd(bev);
    connection->input_watch = evbuffer_add_cb(bufferevent_get_input(bev), server->hooks->input, connection);
    if (!connection->input_watch || connection->fd < 0 || !register_fd(server, connection)) {
        return false;
    }
    connection->address = larder_evhttp_watch(evcon, connection, on_closed);
    /* evhttp need not read if no input is left for it. */
    bufferevent_setwatermark(bev, EV_READ, 1, 0);
    if (connection->ssl) {
        larder_tls_await_handshake(connection);
    } else {
        larder_phase_enter(connection, LARDER_PHASE_IDLE);
    }
    return true;
}

larder_connection *larder_connection_adopt(larder_server *server) {
    larder_connection *connection = TAILQ_FIRST(&server->fresh);
    struct bufferevent *bev = connection->bev;
    struct evhttp_connection *evcon = larder_evhttp_connection(bev);
    TAILQ_REMOVE(&server->fresh, connection, timed);
    LIST_INSERT_HEAD(&server->open, connection, next);
    if (!evcon || !equip(server, connection, evcon)) {
        if (connection->input_watch) {
            evbuffer_remove_cb_entry(bufferevent_get_input(bev), connection->input_watch);
        }
        unlink_connection(connection);
        larder_connection_release(connection);
        connection = NULL;
        if (evcon) {
            larder_evhttp_discard(evcon);
        }
    }
    bufferevent_decref(bev);
    return connection;
}

/* Whether there is input that has not been examined. */
static bool has_unread(const larder_connection *connection) {
    int unread = 0;
    return ioctl(connection->fd, FIONREAD, &unread) == 0 && unread > 0;
}

bool larder_connection_is_idle(const larder_connection *connection) {
    return !connection->request.evreq && !connection->writing && larder_guard_is_fresh(&connection->guard) &&
           connection->phase != LARDER_PHASE_HANDSHAKE && !has_unread(connection);
}

bool larder_connection_is_silent(const larder_connection *connection) {
    return connection->phase == LARDER_PHASE_HANDSHAKE && !larder_tls_has_client_spoken(connection) &&
           !has_unread(connection);
}
