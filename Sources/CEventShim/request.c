#include "survey.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

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

static bool is_valid_target(const larder_request *request, enum evhttp_cmd_type type) {
    const unsigned char *at = (const unsigned char *)request->target;
    if (at[0] != '/' && !request->rootless && !(type == EVHTTP_REQ_OPTIONS && strcmp(request->target, "*") == 0)) {
        return false;
    }
    while (*at > ' ' && *at < 0x7f) {
        at++;
    }
    return !*at;
}

static larder_refusal check(
    const larder_request *request, const struct evhttp_request *evreq, const larder_survey *seen) {
    if (evreq->major != 1 || evreq->minor < 0 || evreq->minor > 1) {
        return LARDER_REFUSAL_VERSION;
    }
    if (evreq->type == EVHTTP_REQ_CONNECT) {
        return LARDER_REFUSAL_CONNECT;
    }
    if (seen->hosts > 1 || (seen->hosts == 0 && evreq->minor == 1)) {
        return LARDER_REFUSAL_HOST;
    }
    if (!is_valid_target(request, evreq->type)) {
        return LARDER_REFUSAL_TARGET;
    }
    return larder_survey_body(seen, evreq);
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
    if (connection->server->closes_idle) {
        event_active(connection->server->chores, 0, 0);
    }
}

static void begin(larder_request *request, struct evhttp_request *evreq, const larder_survey *seen) {
    larder_server *server = request->connection->server;
    request->evreq = evreq;
    request->sequence++;
    request->started = larder_monotonic_ms();
    request->is_head = evreq->type == EVHTTP_REQ_HEAD;
    request->is_http10 = evreq->minor == 0;
    request->keep_alive = !seen->wants_close;
    if (request->is_http10) {
        bool asks = seen->connection && strncasecmp(seen->connection, "keep-alive", strlen("keep-alive")) == 0;
        request->keep_alive = request->keep_alive && asks;
    }
    find_target(request, evreq->uri);
    TAILQ_INSERT_TAIL(&server->waiting, request, next);
    server->outstanding++;
    evhttp_request_set_on_complete_cb(evreq, on_complete, request->connection);
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
    };
    connection->holders++;
    connection->server->callbacks.request(connection->server->context, request, &head);
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
    connection->unanswered_bytes = evbuffer_get_length(bufferevent_get_input(bev));
    larder_survey seen = larder_survey_fields(evhttp_request_get_input_headers(evreq));
    larder_request *request = &connection->request;
    begin(request, evreq, &seen);
    larder_refusal refusal = check(request, evreq, &seen);
    larder_method method = method_of(evreq->type);
    /* evhttp ends no connection after CONNECT, and every one after an absolute form, unless told otherwise. */
    evreq->type = evreq->type == EVHTTP_REQ_CONNECT ? EVHTTP_REQ_GET : evreq->type;
    evreq->flags &= ~EVHTTP_PROXY_REQUEST;
    if (refusal) {
        larder_refuse(request, refusal);
    } else {
        hand_over(request, &seen, method);
    }
}

void larder_request_forget(larder_request *request) {
    larder_server *server = request->connection->server;
    TAILQ_REMOVE(&server->waiting, request, next);
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

static char *put(char *to, const char *text, size_t size) {
    return (char *)memcpy(to, text, size) + size;
}

void larder_request_copy(const larder_request *request, void *buffer) {
    char *to = buffer;
    if (request->rootless) {
        *to++ = '/';
    }
    to = put(to, request->target, strlen(request->target));
    const struct evkeyval *field;
    TAILQ_FOREACH(field, evhttp_request_get_input_headers(request->evreq), next) {
        uint32_t sizes[2] = {(uint32_t)strlen(field->key), (uint32_t)strlen(field->value)};
        to = put(to, (const char *)sizes, sizeof sizes);
        to = put(to, field->key, sizes[0]);
        to = put(to, field->value, sizes[1]);
    }
    put(to, request->connection->peer, strlen(request->connection->peer));
}

void larder_request_return(larder_request *request) {
    larder_connection_release(request->connection);
}
