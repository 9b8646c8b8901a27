/* Admission of connections: the limits, and how the process copes without a free descriptor. It closes another
 * connection, refuses the new one, or pauses the listener. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/listener.h>

#include "../loop/internal.h"

/* Connections that are considered for closing. More than one, since a request may be on its way to the first. */
enum { evicted_of = 8 };

/* The share of a new connection whose client a proxy has not named yet. */
enum { unknown_share = 2 };

/* The number of connections of the new one's address. If a descriptor is needed and there is no new connection yet, no
 * address exceeds its share. */
static size_t share_of(const larder_connection *newcomer) {
    if (!newcomer) {
        return SIZE_MAX;
    }
    return newcomer->peer ? larder_peer_connections(newcomer->peer) : unknown_share;
}

typedef bool (*may_go_fn)(const larder_connection *connection, size_t share);

/* Closes one of the oldest connections in the phase: the one whose address has most connections. */
static bool evict_longest(
    larder_server *server, larder_phase phase, may_go_fn may_go, const larder_connection *newcomer) {
    size_t share = share_of(newcomer);
    larder_connection *found = NULL, *longest = TAILQ_FIRST(&server->phases[phase]);
    for (int i = 0; longest && i < evicted_of; i++, longest = TAILQ_NEXT(longest, timed)) {
        bool is_larger = !found || larder_peer_connections(longest->peer) > larder_peer_connections(found->peer);
        if (longest != newcomer && is_larger && may_go(longest, share)) {
            found = longest;
        }
    }
    if (found) {
        server->refusals[LARDER_REFUSAL_EVICTED]++;
        larder_connection_close(found);
    }
    return found != NULL;
}

static bool is_overdue(const larder_connection *connection, size_t share) {
    return connection->since + larder_grace(connection->peer, share) <= larder_monotonic_ms();
}

/* Whether a client that has sent nothing yet gets more time. It does if its address has fewer connections than the
 * new connection's address, and no descriptor is needed. */
static bool is_spared(const larder_connection *connection, size_t share) {
    return connection->request.sequence == 0 && larder_peer_connections(connection->peer) < share &&
           share != SIZE_MAX && !is_overdue(connection, share);
}

static bool is_idle(const larder_connection *connection, size_t share) {
    return larder_connection_is_idle(connection) && !is_spared(connection, share);
}

static bool is_silent(const larder_connection *connection, size_t share) {
    return larder_connection_is_silent(connection) && !is_spared(connection, share);
}

static bool is_unfinished_head(const larder_connection *connection, size_t share) {
    return !connection->request.evreq && !connection->writing && larder_guard_is_reading(&connection->guard) &&
           is_overdue(connection, share);
}

/* Closes lingering refused connections first, then one that has been idle for long, as in nginx, then an old unfinished
 * head or handshake, since a single byte begins one, and then the response or stream of least worth. */
static bool evict(larder_server *server, const larder_connection *newcomer) {
    larder_connection *lingering = TAILQ_FIRST(&server->phases[LARDER_PHASE_LINGERING]);
    if (lingering) {
        larder_connection_close(lingering);
        return true;
    }
    return evict_longest(server, LARDER_PHASE_IDLE, is_idle, newcomer) ||
           evict_longest(server, LARDER_PHASE_PREFACE, is_silent, newcomer) ||
           evict_longest(server, LARDER_PHASE_PREFACE, is_overdue, newcomer) ||
           evict_longest(server, LARDER_PHASE_HANDSHAKE, is_silent, newcomer) ||
           evict_longest(server, LARDER_PHASE_HANDSHAKE, is_overdue, newcomer) ||
           evict_longest(server, LARDER_PHASE_HEAD, is_unfinished_head, newcomer) ||
           larder_write_evict(server, share_of(newcomer)) || (newcomer && larder_stream_evict(newcomer));
}

void larder_admission_check(larder_connection *connection) {
    larder_server *server = connection->server;
    bool has_client = !connection->is_proxied && !connection->preface;
    if (has_client && !larder_connection_count(connection, connection->network)) {
        larder_refuse_entry(connection, LARDER_REFUSAL_ADDRESS_LIMIT);
    } else if (connection->is_excess && !evict(server, connection)) {
        larder_refuse_entry(connection, LARDER_REFUSAL_CONNECTIONS);
    }
}

void larder_admission_on_preface(larder_connection *connection, const struct sockaddr_storage *client) {
    if (!client) {
        connection->server->refusals[LARDER_REFUSAL_PREFACE]++;
        larder_log(LARDER_DEBUG, "%s sent no valid header of the PROXY protocol", connection->address);
        larder_connection_close(connection);
        return;
    }
    larder_connection_begin_for(connection, client);
    if (!larder_connection_count(connection, connection->network)) {
        larder_refuse_entry(connection, LARDER_REFUSAL_ADDRESS_LIMIT);
    }
}

/* The servers of this thread. libevent passes evhttp as the argument of an accept error, not a server, and a thread has
 * only one or two to search. */
static _Thread_local larder_server *servers;

void larder_admission_reserve(larder_server *server) {
    if (server->reserve < 0) {
        server->reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
}

static void give_reserve(larder_server *server) {
    if (server->reserve >= 0) {
        close(server->reserve);
        server->reserve = -1;
    }
}

void larder_admission_enlist(larder_server *server) {
    server->reserve = -1;
    server->next_on_thread = servers;
    servers = server;
}

void larder_admission_strike(larder_server *server) {
    give_reserve(server);
    for (larder_server **link = &servers; *link; link = &(*link)->next_on_thread) {
        if (*link == server) {
            *link = server->next_on_thread;
            return;
        }
    }
}

/* Logs the first failure, and the next one only after some seconds without any. */
void larder_admission_report_failure(larder_server *server, int error, const char *means) {
    larder_run_later(server, LARDER_TASK_RECOVER, 5000);
    if (server->failed_accepts++ == 0) {
        larder_log(LARDER_ERROR, "no connection can be accepted %s: %s", means, strerror(error));
    }
}

/* Closes a connection of this thread's server with the most connections, so that a busy port does not starve the other.
 * */
static bool evict_crowded(void) {
    larder_server *crowded = servers;
    for (larder_server *server = servers; server; server = server->next_on_thread) {
        crowded = server->connections > crowded->connections ? server : crowded;
    }
    return evict(crowded, NULL);
}

/* Accepts one connection with the reserved descriptor to respond with 503, because none could be closed for it. */
static bool refuse_one(larder_server *server, struct evconnlistener *listener) {
    if (server->reserve < 0) {
        return false;
    }
    give_reserve(server);
    int fd = accept4(evconnlistener_get_fd(listener), NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
        larder_refuse_socket(server, fd);
        close(fd);
    }
    larder_admission_reserve(server);
    return fd >= 0;
}

/* Pauses the listener. The connection stays in the queue and the listener readable, so it would be tried in every pass.
 * */
static void rest(larder_server *server, struct evconnlistener *listener) {
    evconnlistener_disable(listener);
    larder_run_later(server, LARDER_TASK_REOPEN, 100);
}

static void make_room(larder_server *server, struct evconnlistener *listener, int error) {
    bool has_no_descriptor = error == EMFILE || error == ENFILE;
    larder_admission_report_failure(server, error, has_no_descriptor ? "without closing another" : "for a while");
    if (has_no_descriptor && evict_crowded()) {
        return;
    }
    server->refusals[LARDER_REFUSAL_DESCRIPTORS]++;
    if (!has_no_descriptor || !refuse_one(server, listener)) {
        rest(server, listener);
    }
}

void larder_admission_on_failure(struct evconnlistener *listener, void *arg) {
    int error = errno;
    for (larder_server *server = servers; server; server = server->next_on_thread) {
        if ((void *)server->http == arg) {
            make_room(server, listener, error);
        }
    }
}

void larder_admission_recover(larder_server *server) {
    larder_log(
        LARDER_NOTICE,
        "connections are accepted again, after %llu attempts for which another had to be closed or that failed",
        (unsigned long long)server->failed_accepts);
    server->failed_accepts = 0;
}
