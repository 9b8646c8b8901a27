#include "refusal.h"
#include "shortcut.h"
#include "survey.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "log_internal.h"

uint64_t larder_monotonic_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Points at the origin form within an absolute form; anything else is left as it came. */
static void find_target(larder_request *request, const char *uri) {
    request->target = uri;
    request->rootless = false;
    const char *authority = isalpha((unsigned char)uri[0]) ? strstr(uri, "://") : NULL;
    if (authority) {
        request->target = authority + 3 + strcspn(authority + 3, "/?#");
        request->rootless = *request->target != '/';
    }
}

static larder_method method_of(enum evhttp_cmd_type type) {
    switch (type) {
        case EVHTTP_REQ_GET: return LARDER_GET;
        case EVHTTP_REQ_HEAD: return LARDER_HEAD;
        case EVHTTP_REQ_OPTIONS: return LARDER_OPTIONS;
        case EVHTTP_REQ_POST: return LARDER_POST;
        case EVHTTP_REQ_PUT: return LARDER_PUT;
        case EVHTTP_REQ_DELETE: return LARDER_DELETE;
        case EVHTTP_REQ_PATCH: return LARDER_PATCH;
        case EVHTTP_REQ_TRACE: return LARDER_TRACE;
        default: return LARDER_OTHER;
    }
}

static void on_complete(struct evhttp_request *evreq, void *arg) {
    (void)evreq;
    larder_connection *connection = arg;
    connection->writing = false;
    if (connection->guard.step == LARDER_GUARD_REFUSED) {
        larder_connection_condemn(connection);
    } else {
        larder_input_await(connection);
    }
    if (connection->server->closes_idle) {
        event_active(connection->server->chores, 0, 0);
    }
}

static void begin(larder_request *request, struct evhttp_request *evreq, const larder_survey *seen) {
    larder_server *server = request->connection->server;
    request->evreq = evreq;
    request->connection->tls_messages = 0;
    if (!request->is_offered) {
        request->sequence = ++server->sequences;
    }
    request->is_offered = false;
    request->is_head = evreq->type == EVHTTP_REQ_HEAD;
    request->is_http10 = evreq->minor == 0;
    request->keep_alive = !seen->wants_close;
    if (request->is_http10) {
        bool asks = seen->connection && strncasecmp(seen->connection, "keep-alive", strlen("keep-alive")) == 0;
        request->keep_alive = request->keep_alive && asks;
    }
    find_target(request, evreq->uri);
    server->outstanding++;
    evhttp_request_set_on_complete_cb(evreq, on_complete, request->connection);
}

bool larder_request_is_excess(const larder_connection *connection) {
    uint32_t limit = connection->server->options.max_outstanding;
    return limit && connection->ledger->handed >= limit;
}

static void hand_over(larder_request *request, const larder_survey *seen, larder_method method) {
    larder_connection *connection = request->connection;
    size_t target = strlen(request->target) + request->rootless;
    size_t peer = strlen(connection->peer);
    larder_head head = {
        .method = method,
        .target_size = (uint32_t)target,
        .peer_size = (uint32_t)peer,
        .fields = seen->fields,
        .size = target + seen->size + peer,
        .sequence = request->sequence,
        .is_excess = larder_request_is_excess(connection),
    };
    connection->holders++;
    connection->ledger->handed++;
    connection->server->callbacks.request(connection->server->context, request, &head);
    if (request->evreq) {
        larder_phase_enter(connection, LARDER_PHASE_WAITING);
    }
}

/* Whether evhttp took just what the guard has let through; then the guard goes on with what came after it. */
static bool is_agreed(larder_connection *connection) {
    size_t left = evbuffer_get_length(bufferevent_get_input(connection->bev));
    if (connection->guard.step != LARDER_GUARD_ACCEPTED || connection->beyond != left) {
        return false;
    }
    connection->guard = (larder_guard){0};
    connection->beyond = 0;
    if (left) {
        larder_input_inspect(connection, 0);
    }
    return true;
}

static void disown(larder_request *request) {
    request->connection->server->refusals[LARDER_REFUSAL_DISAGREEMENT]++;
    larder_log(LARDER_ERROR, "libevent and the guard disagree about the end of a request; the connection is reset");
    larder_request_drop(request, request->sequence, 1);
}

void larder_request_on_arrival(struct evhttp_request *evreq, void *arg) {
    larder_server *server = arg;
    struct bufferevent *bev = evhttp_connection_get_bufferevent(evhttp_request_get_connection(evreq));
    larder_connection *connection = larder_connection_find(server, bufferevent_getfd(bev));
    if (!connection) {
        /* There was no memory to keep track of this connection. */
        evhttp_add_header(evhttp_request_get_output_headers(evreq), "Connection", "close");
        evhttp_send_error(evreq, HTTP_SERVUNAVAIL, NULL);
        return;
    }
    larder_connection_withhold_input(connection);
    larder_survey seen = larder_survey_fields(evhttp_request_get_input_headers(evreq));
    larder_request *request = &connection->request;
    begin(request, evreq, &seen);
    /* evhttp would end every connection after an absolute form. */
    evreq->flags &= ~EVHTTP_PROXY_REQUEST;
    if (is_agreed(connection)) {
        hand_over(request, &seen, method_of(evreq->type));
    } else {
        disown(request);
    }
}

void larder_request_forget(larder_request *request) {
    larder_server *server = request->connection->server;
    server->outstanding--;
    request->evreq = NULL;
    request->target = NULL;
}

/* A connection that fails while its request waits gives up the request: evhttp has unlinked it and left it to us. */
void larder_request_lost(larder_request *request) {
    struct evhttp_request *evreq = request->evreq;
    if (!evreq) {
        return;
    }
    larder_request_forget(request);
    if (!evhttp_request_get_connection(evreq)) {
        evhttp_request_free(evreq);
    }
}

void larder_request_copy(const larder_request *request, void *buffer) {
    if (request->shortcut) {
        larder_shortcut_copy(request->shortcut, request->connection->peer, buffer);
        return;
    }
    char *to = buffer;
    if (request->rootless) {
        *to++ = '/';
    }
    to = larder_put(to, request->target, strlen(request->target));
    const struct evkeyval *field;
    TAILQ_FOREACH(field, evhttp_request_get_input_headers(request->evreq), next) {
        const char *value = larder_survey_value(field);
        uint32_t sizes[2] = {(uint32_t)strlen(field->key), (uint32_t)strlen(value)};
        to = larder_put(to, sizes, sizeof sizes);
        to = larder_put(to, field->key, sizes[0]);
        to = larder_put(to, value, sizes[1]);
    }
    larder_put(to, request->connection->peer, strlen(request->connection->peer));
}

void larder_request_return(larder_request *request) {
    request->connection->ledger->handed--;
    larder_connection_release(request->connection);
}
