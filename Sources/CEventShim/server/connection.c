#include "internal.h"

#include <netdb.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

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
    larder_repeat_end(connection);
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
    larder_preface_end(connection);
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

bool larder_connection_count(larder_connection *connection, uint64_t network) {
    return larder_limits_enter_peer(connection->server->options.limits, network, &connection->peer);
}

void larder_connection_forget_client(larder_connection *connection) {
    if (connection->is_proxied) {
        larder_limits_leave_peer(connection->server->options.limits, connection->peer);
        connection->peer = NULL;
    }
}

static void begin(larder_connection *connection) {
    if (connection->ssl) {
        larder_tls_await_handshake(connection);
    } else {
        larder_phase_enter(connection, LARDER_PHASE_IDLE);
    }
}

/* Setting the descriptor starts the handshake, which has not read a byte yet. */
void larder_connection_begin_for(larder_connection *connection, const struct sockaddr_storage *client) {
    const struct sockaddr *address = (const struct sockaddr *)client;
    char *text = connection->client;
    if (client->ss_family != AF_UNSPEC &&
        getnameinfo(address, sizeof *client, text, sizeof connection->client, NULL, 0, NI_NUMERICHOST) == 0) {
        connection->address = larder_unmapped(connection->client);
        connection->network = larder_network_of(address);
    }
    if (connection->ssl) {
        bufferevent_setfd(connection->bev, connection->fd);
    }
    bufferevent_enable(connection->bev, EV_READ | EV_WRITE);
    begin(connection);
}

static uint64_t network_of_peer(const larder_connection *connection) {
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    bool is_known = getpeername(connection->fd, (struct sockaddr *)&peer, &size) == 0;
    return is_known ? larder_network_of((struct sockaddr *)&peer) : 0;
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
    connection->network = network_of_peer(connection);
    bool is_trusted =
        server->callbacks.is_trusted && server->callbacks.is_trusted(server->context, connection->address) != 0;
    if (is_trusted && server->options.proxy_protocol) {
        larder_preface_await(connection);
    } else {
        connection->is_proxied = is_trusted;
        begin(connection);
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
           connection->phase < LARDER_PHASE_HANDSHAKE && !has_unread(connection);
}

bool larder_connection_is_silent(const larder_connection *connection) {
    bool is_begun = connection->phase == LARDER_PHASE_HANDSHAKE ? larder_tls_has_client_spoken(connection)
                                                               : connection->phase != LARDER_PHASE_PREFACE;
    return !is_begun && !has_unread(connection);
}
