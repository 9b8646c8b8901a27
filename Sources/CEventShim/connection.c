#include "express.h"
#include "tls_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <event2/bufferevent_ssl.h>

/* One writev may take this much; libevent's own 16 KB makes 512 of them for 8 MB. */
enum { max_single_write = 1 << 20 };

larder_connection *larder_connection_find(const larder_server *server, int fd) {
    return fd >= 0 && (size_t)fd < server->by_fd_size ? server->by_fd[fd] : NULL;
}

void larder_connection_release(larder_connection *connection) {
    if (--connection->holders == 0) {
        larder_ledger_release(connection->ledger);
        free(connection);
    }
}

/* evhttp asks for the bufferevent of a connection it is about to set up; descriptor and peer are not known here. */
struct bufferevent *larder_connection_new(struct event_base *base, void *arg) {
    larder_server *server = arg;
    larder_tls *tls = server->options.tls;
    struct bufferevent *bev = tls ? larder_tls_bufferevent(tls, base) : bufferevent_socket_new(base, -1, 0);
    larder_connection *connection = calloc(1, sizeof *connection);
    if (!bev || !connection) {
        if (bev) {
            bufferevent_free(bev);
        }
        free(connection);
        return larder_acceptor_turn_away(server);
    }
    larder_acceptor_count(server);
    bufferevent_set_max_single_write(bev, max_single_write);
    bufferevent_incref(bev);
    connection->bev = bev;
    connection->ssl = bufferevent_openssl_get_ssl(bev);
    connection->server = server;
    connection->ledger = server->ledger;
    larder_ledger_retain(server->ledger);
    connection->holders = 1;
    connection->phase = LARDER_PHASES;
    connection->is_excess = !larder_census_enter(server->options.census);
    connection->request.connection = connection;
    TAILQ_INSERT_TAIL(&server->fresh, connection, timed);
    server->connections++;
    event_active(server->adopt, 0, 0);
    return bev;
}

static void unlink_connection(larder_connection *connection) {
    larder_server *server = connection->server;
    LIST_REMOVE(connection, next);
    larder_phase_leave(connection);
    if (connection->is_condemned) {
        LIST_REMOVE(connection, next_condemned);
    }
    larder_census_unsettle(server->options.census, connection->resident);
    larder_census_leave(server->options.census);
    server->connections--;
    connection->server = NULL;
    connection->bev = NULL;
    connection->ssl = NULL;
    connection->peer = NULL;
    if (server->stopping && server->connections == 0) {
        event_active(server->chores, 0, 0);
    }
}

/* Whether evhttp writes an error page of its own: it has no read callback then, behind a head that was accepted. */
bool larder_connection_is_unparsed(const larder_connection *connection) {
    bufferevent_data_cb read;
    bufferevent_getcb(connection->bev, &read, NULL, NULL, NULL);
    return connection->guard.step == LARDER_GUARD_ACCEPTED && !connection->request.evreq && !read;
}

/* The only sure sign that a connection is gone: evhttp tells nobody else of timeouts, resets and its own errors. */
static void on_close(struct evhttp_connection *evcon, void *arg) {
    (void)evcon;
    larder_connection *connection = arg;
    larder_tls_close_notify(connection);
    larder_tls_ignore_messages(connection);
    larder_connection_discard_unread(connection);
    larder_express_end(connection);
    evbuffer_remove_cb_entry(bufferevent_get_input(connection->bev), connection->input_watch);
    connection->server->by_fd[connection->fd] = NULL;
    connection->server->refusals[LARDER_REFUSAL_UNPARSED] += larder_connection_is_unparsed(connection);
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
    connection->input_watch = larder_input_watch(connection);
    if (!connection->input_watch || connection->fd < 0 || !register_fd(server, connection)) {
        return false;
    }
    evhttp_connection_set_closecb(evcon, on_close, connection);
    /* evhttp need not look where nothing is left for it. */
    bufferevent_setwatermark(bev, EV_READ, 1, 0);
    if (connection->ssl) {
        larder_tls_await_handshake(connection);
    } else {
        larder_phase_enter(connection, LARDER_PHASE_IDLE);
    }
    return true;
}

/* evhttp is the callback argument of the bufferevents that it has set up, and of none that it has given up. */
static void adopt(larder_server *server, larder_connection *connection) {
    struct bufferevent *bev = connection->bev;
    void *evcon = NULL;
    bufferevent_getcb(bev, NULL, NULL, NULL, &evcon);
    TAILQ_REMOVE(&server->fresh, connection, timed);
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
    } else {
        larder_admission_check(connection);
    }
    bufferevent_decref(bev);
}

void larder_connection_adopt_fresh(larder_server *server) {
    larder_connection *connection;
    while ((connection = TAILQ_FIRST(&server->fresh))) {
        adopt(server, connection);
    }
    larder_acceptor_proceed(server);
    if (server->aborts) {
        event_active(server->chores, 0, 0);
    }
}

/* Whether something has come that nobody has looked at. */
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

/* The callbacks' argument was evhttp's connection, which its error handler needs to close this one. */
static void on_event(struct bufferevent *bev, short what, void *arg) {
    larder_connection *connection = arg;
    connection->fail(bev, what, connection->evcon);
}

void larder_connection_take_callbacks(larder_connection *connection, bufferevent_data_cb written) {
    struct bufferevent *bev = connection->bev;
    bufferevent_getcb(bev, &connection->read, &connection->written, &connection->fail, &connection->evcon);
    bufferevent_setcb(bev, NULL, written, on_event, connection);
}

/* evhttp looks at what came when it waits for the next request. */
static void on_early_input(struct bufferevent *bev, void *evcon) {
    (void)bev;
    (void)evcon;
}

/* evhttp ends the process when its read callback runs while a request is outstanding or being answered. EV_READ off
 * does not prevent that: on an encrypted connection libevent also reads to finish a read that was blocked by a full
 * send buffer, and then does not look at that flag. */
void larder_connection_withhold_input(larder_connection *connection) {
    bufferevent_data_cb written;
    bufferevent_event_cb fail;
    void *evcon;
    bufferevent_getcb(connection->bev, NULL, &written, &fail, &evcon);
    bufferevent_setcb(connection->bev, on_early_input, written, fail, evcon);
}

/* evhttp's own error handler closes it, and on_close hears of it, now. Not to be called within a callback of evhttp. */
void larder_connection_close(larder_connection *connection) {
    larder_tls_ignore_handshake(connection);
    bufferevent_trigger_event(connection->bev, BEV_EVENT_READING | BEV_EVENT_EOF, 0);
}

/* evhttp is about to wait for the next request; it must not see it, so this comes before what it has put off. */
void larder_connection_condemn(larder_connection *connection) {
    larder_server *server = connection->server;
    connection->is_condemned = true;
    LIST_INSERT_HEAD(&server->condemned, connection, next_condemned);
    event_active(server->condemn, 0, 0);
}
