/* The only file that uses evhttp. Its rules, for libevent 2.1:
 *
 * - evhttp has no locks: all of this runs on the server's loop.
 * - Its read callback must not run while a request is outstanding or being answered: it ends the process then. EV_READ
 *   off does not prevent that, because on an encrypted connection libevent also reads to finish a read that was blocked
 *   by a full send buffer. So the callback is replaced on arrival; evhttp installs it again for the next request.
 * - A connection is freed by its error handler or by evhttp_connection_free, and never within a callback of evhttp,
 *   which goes on using it. Closing from there waits for the end of this pass.
 * - The close callback is the only sure sign that a connection is gone: timeouts, resets and evhttp's own errors are
 *   reported nowhere else. It runs before the descriptor is closed.
 * - A request whose connection fails while it waits is unlinked and left to its owner; one that was answered, or whose
 *   `userdone` is set, is freed with its connection.
 * - The completion callback runs when an answer was sent as a whole, and never otherwise. */
#include "internal.h"

#include <strings.h>

#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>

/* Bytes of a head that evhttp accepts beyond the guard's limit: evhttp's own response to a larger one is HTML. */
enum { beyond_guard = 64 << 10 };

/* Whether a comma-separated list holds a token, whatever its case. evhttp compares the whole value only. */
static bool has_token(const char *list, const char *token) {
    size_t length = strlen(token);
    while (*list) {
        list += strspn(list, " \t,");
        size_t end = strcspn(list, " \t,");
        if (end == length && strncasecmp(list, token, length) == 0) {
            return true;
        }
        list += end;
    }
    return false;
}

/* A field's value without leading white space. evhttp keeps a leading tab. */
static const char *value_of(const struct evkeyval *field) {
    return field->value + strspn(field->value, " \t");
}

/* Collects, in one pass over the fields, what they imply for the connection, and their size. */
static larder_arrival scan(struct evhttp_request *evreq) {
    larder_arrival seen = {
        .evreq = evreq, .uri = evhttp_request_get_uri(evreq),
        .body_size = evbuffer_get_length(evhttp_request_get_input_buffer(evreq))};
    const struct evkeyval *field;
    TAILQ_FOREACH(field, evhttp_request_get_input_headers(evreq), next) {
        const char *value = value_of(field);
        if ((field->key[0] | 0x20) == 'c' && strcasecmp(field->key, "Connection") == 0) {
            seen.connection = seen.connection ? seen.connection : value;
            seen.wants_close = seen.wants_close || has_token(value, "close");
        }
        seen.size += strlen(field->key) + strlen(value) + 2 * sizeof(uint32_t);
        seen.fields++;
    }
    return seen;
}

static void on_complete(struct evhttp_request *evreq, void *arg) {
    (void)evreq;
    larder_connection *connection = arg;
    connection->server->hooks->answered(connection);
}

/* Replaces evhttp's read callback; evhttp reads the input when it waits for the next request. */
static void on_early_input(struct bufferevent *bev, void *evcon) {
    (void)bev;
    (void)evcon;
}

static void withhold_input(struct bufferevent *bev) {
    bufferevent_data_cb written;
    bufferevent_event_cb fail;
    void *evcon;
    bufferevent_getcb(bev, NULL, &written, &fail, &evcon);
    bufferevent_setcb(bev, on_early_input, written, fail, evcon);
}

static void on_arrival(struct evhttp_request *evreq, void *arg) {
    larder_server *server = arg;
    struct bufferevent *bev = evhttp_connection_get_bufferevent(evhttp_request_get_connection(evreq));
    int fd = bufferevent_getfd(bev);
    larder_connection *connection = fd >= 0 && (size_t)fd < server->by_fd_size ? server->by_fd[fd] : NULL;
    if (!connection) {
        /* There was no memory to track this connection. */
        larder_evhttp_mark_last(evreq);
        evhttp_send_error(evreq, HTTP_SERVUNAVAIL, NULL);
        return;
    }
    withhold_input(bev);
    evhttp_request_set_on_complete_cb(evreq, on_complete, connection);
    /* evhttp would end every connection after an absolute target. */
    evreq->flags &= ~EVHTTP_PROXY_REQUEST;
    larder_arrival arrival = scan(evreq);
    server->hooks->arrived(connection, &arrival);
}

bool larder_evhttp_open(larder_server *server, larder_accepted_fn accepted) {
    struct evhttp *http = server->http = evhttp_new(server->base);
    if (!http) {
        return false;
    }
    /* The guard applies the configured limits first. */
    evhttp_set_max_headers_size(http, (ev_ssize_t)server->options.max_head_bytes + beyond_guard);
    evhttp_set_max_body_size(http, (ev_ssize_t)server->options.max_body_bytes);
    evhttp_set_default_content_type(http, NULL);
    /* The owner handles unknown methods, too: evhttp's own response to them is HTML. */
    evhttp_set_allowed_methods(http, 0xffff);
    evhttp_set_bevcb(http, accepted, server);
    evhttp_set_gencb(http, on_arrival, server);
    return true;
}

void larder_evhttp_free(larder_server *server) {
    server->listening = 0;
    if (server->http) {
        evhttp_free(server->http);
    }
}

bool larder_evhttp_listen(larder_server *server, struct evconnlistener *listener, bool is_kept) {
    larder_listener *next = &server->listeners[server->listening];
    *next = (larder_listener){.socket = listener, .bound = evhttp_bind_listener(server->http, listener), .is_kept = is_kept};
    server->listening += next->bound != NULL;
    return next->bound;
}

void larder_evhttp_unlisten(larder_server *server) {
    while (server->listening > 0) {
        evhttp_del_accept_socket(server->http, server->listeners[--server->listening].bound);
    }
}

/* evhttp passes its connection as the argument of the callbacks. */
struct evhttp_connection *larder_evhttp_connection(struct bufferevent *bev) {
    void *evcon = NULL;
    bufferevent_getcb(bev, NULL, NULL, NULL, &evcon);
    return evcon;
}

void larder_evhttp_discard(struct evhttp_connection *evcon) {
    evhttp_connection_free(evcon);
}

const char *larder_unmapped(const char *address) {
    static const char mapped[] = "::ffff:";
    bool is_mapped = strncmp(address, mapped, sizeof mapped - 1) == 0 && strchr(address, '.');
    return is_mapped ? address + sizeof mapped - 1 : address;
}

const char *larder_evhttp_watch(
    struct evhttp_connection *evcon, larder_connection *connection, larder_closed_fn closed) {
    char *address = NULL;
    uint16_t port;
    evhttp_connection_set_closecb(evcon, closed, connection);
    evhttp_connection_get_peer(evcon, &address, &port);
    return address ? larder_unmapped(address) : "";
}

/* evhttp then has no read callback, behind an accepted head. */
bool larder_evhttp_writes_page(const larder_connection *connection) {
    bufferevent_data_cb read;
    bufferevent_getcb(connection->bev, &read, NULL, NULL, NULL);
    return connection->guard.step == LARDER_GUARD_ACCEPTED && !connection->request.evreq && !read;
}

/* The argument of the callbacks was evhttp's connection; evhttp's error handler needs it to close this one. */
static void on_event(struct bufferevent *bev, short what, void *arg) {
    larder_connection *connection = arg;
    connection->fail(bev, what, connection->evcon);
}

void larder_evhttp_take_callbacks(larder_connection *connection, bufferevent_data_cb written) {
    struct bufferevent *bev = connection->bev;
    bufferevent_getcb(bev, &connection->read, &connection->written, &connection->fail, &connection->evcon);
    bufferevent_setcb(bev, NULL, written, on_event, connection);
}

void larder_evhttp_give_callbacks_back(larder_connection *connection) {
    bufferevent_setcb(
        connection->bev, connection->read, connection->written, connection->fail, connection->evcon);
}

char *larder_evhttp_copy_fields(struct evhttp_request *evreq, char *to) {
    const struct evkeyval *field;
    TAILQ_FOREACH(field, evhttp_request_get_input_headers(evreq), next) {
        const char *value = value_of(field);
        uint32_t sizes[2] = {(uint32_t)strlen(field->key), (uint32_t)strlen(value)};
        to = larder_put(to, sizes, sizeof sizes);
        to = larder_put(to, field->key, sizes[0]);
        to = larder_put(to, value, sizes[1]);
    }
    return to;
}

void larder_evhttp_copy_body(struct evhttp_request *evreq, char *to) {
    struct evbuffer *body = evhttp_request_get_input_buffer(evreq);
    evbuffer_copyout(body, to, evbuffer_get_length(body));
}

void larder_evhttp_drop_body(struct evhttp_request *evreq) {
    struct evbuffer *body = evhttp_request_get_input_buffer(evreq);
    evbuffer_drain(body, evbuffer_get_length(body));
}

const char *larder_evhttp_field(struct evhttp_request *evreq, const char *name) {
    return evhttp_find_header(evhttp_request_get_input_headers(evreq), name);
}

void larder_evhttp_free_lost(struct evhttp_request *evreq) {
    if (!evhttp_request_get_connection(evreq)) {
        evhttp_request_free(evreq);
    }
}

bool larder_evhttp_mark_last(struct evhttp_request *evreq) {
    return evhttp_add_header(evhttp_request_get_output_headers(evreq), "Connection", "close") == 0;
}

/* evhttp treats its reply as started and ended here, so it frees the request and reads the next one once the output is
 * empty. `chunked` still describes the request; evhttp would end the response with a chunk. */
void larder_evhttp_end_reply(struct evhttp_request *evreq) {
    evreq->chunked = 0;
    evhttp_send_reply_end(evreq);
}

/* evhttp frees a request that counts as answered with its connection. The fields are not needed until then, which may
 * be days. */
void larder_evhttp_let_go(struct evhttp_request *evreq) {
    evreq->userdone = 1;
    evhttp_clear_headers(evhttp_request_get_input_headers(evreq));
}
