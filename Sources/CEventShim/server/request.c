#include "internal.h"

#include <strings.h>

#include "../loop/internal.h"

static void find_target(larder_request *request, const char *uri) {
    request->target = larder_guard_path(uri, strlen(uri));
    request->rootless = request->target != uri && *request->target != '/';
}

void larder_request_on_answered(larder_connection *connection) {
    connection->writing = false;
    larder_connection_forget_client(connection);
    if (connection->guard.step == LARDER_GUARD_REFUSED) {
        larder_refuse_next(connection);
    } else {
        larder_input_await(connection);
    }
    if (connection->server->closes_idle) {
        larder_run_soon(connection->server, LARDER_TASK_CHORES);
    }
}

static bool keeps_alive(const larder_request *request, const larder_arrival *arrival) {
    static const char keep_alive[] = "keep-alive";
    bool asks = arrival->connection && strncasecmp(arrival->connection, keep_alive, sizeof keep_alive - 1) == 0;
    return !arrival->wants_close && (!request->is_http10 || asks);
}

static void begin(larder_request *request, const larder_arrival *arrival, larder_method method) {
    larder_connection *connection = request->connection;
    request->evreq = arrival->evreq;
    connection->tls_messages = 0;
    if (!request->is_offered) {
        request->sequence = ++connection->server->sequences;
    }
    request->is_offered = false;
    request->is_head = method == LARDER_HEAD;
    request->is_http10 = connection->guard.is_http10;
    request->keep_alive = keeps_alive(request, arrival);
    find_target(request, arrival->uri);
    connection->server->outstanding++;
}

/* A body whose response is pending counts like one that is incomplete. */
static bool may_keep_body(const larder_server *server, size_t size) {
    size_t most = server->options.max_received_bytes;
    return !size || !most || server->handed_bytes + size <= most;
}

static void count_handed(larder_connection *connection, size_t body_size) {
    connection->references++;
    connection->handed++;
    connection->handed_bytes += body_size;
    connection->server->handed++;
    connection->server->handed_bytes += body_size;
}

static void hand_over(larder_request *request, const larder_arrival *arrival, larder_method method) {
    larder_connection *connection = request->connection;
    larder_server *server = connection->server;
    size_t target = strlen(request->target) + request->rootless;
    larder_head head = larder_head_of(request, method, target, arrival->fields, target + arrival->size);
    head.body_size = arrival->body_size;
    head.size += arrival->body_size;
    head.is_excess = head.is_excess || !may_keep_body(server, arrival->body_size);
    count_handed(connection, arrival->body_size);
    server->callbacks.request(server->context, request, &head);
    if (request->evreq) {
        larder_evhttp_drop_body(request->evreq);
        larder_phase_enter(connection, LARDER_PHASE_WAITING);
    }
}

/* Whether evhttp parsed exactly what the guard accepted; then the guard goes on with the input behind it. */
static bool is_agreed(larder_connection *connection) {
    size_t left = evbuffer_get_length(bufferevent_get_input(connection->bev));
    if (connection->guard.step != LARDER_GUARD_ACCEPTED || connection->beyond != left) {
        return false;
    }
    connection->guard = (larder_guard){0};
    connection->beyond = 0;
    larder_received_record(connection, left);
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

void larder_request_on_arrival(larder_connection *connection, const larder_arrival *arrival) {
    larder_request *request = &connection->request;
    larder_method method = larder_method_of(&connection->guard);
    begin(request, arrival, method);
    if (is_agreed(connection)) {
        hand_over(request, arrival, method);
    } else {
        disown(request);
    }
}

void larder_request_on_loss(larder_request *request) {
    struct evhttp_request *evreq = request->evreq;
    if (evreq) {
        larder_request_forget(request);
        larder_evhttp_free_lost(evreq);
    }
    larder_stream_on_loss(request->connection);
}

void larder_request_copy(const larder_request *request, void *buffer) {
    const char *address = request->connection->address;
    if (request->fast_head) {
        larder_fast_path_copy(request->fast_head, address, buffer);
        return;
    }
    char *to = buffer;
    if (request->rootless) {
        *to++ = '/';
    }
    to = larder_put(to, request->target, strlen(request->target));
    to = larder_evhttp_copy_fields(request->evreq, to);
    to = larder_put(to, address, strlen(address));
    larder_evhttp_copy_body(request->evreq, to);
}

void **larder_request_kept(const larder_request *request) {
    return request->fast_head ? request->kept : NULL;
}

static bool is_outstanding(const larder_request *request, uint64_t sequence) {
    return request->evreq && request->sequence == sequence;
}

int larder_request_reply(larder_request *request, uint64_t sequence, const larder_reply *reply) {
    if (request->fast_head) {
        larder_fast_path_reply(request->connection, reply);
        return 1;
    }
    if (!is_outstanding(request, sequence)) {
        larder_reply_release_body(reply);
        return 0;
    }
    larder_reply_send(request, reply);
    return 1;
}

larder_stream *larder_request_stream(
    larder_request *request, uint64_t sequence, const larder_reply *head, larder_stream_closed_fn closed,
    void *context) {
    return is_outstanding(request, sequence) ? larder_stream_begin(request, head, closed, context) : NULL;
}

int larder_request_refuse_excess(larder_request *request, uint64_t sequence) {
    if (!is_outstanding(request, sequence)) {
        return 0;
    }
    larder_refuse(request, LARDER_REFUSAL_OVERLOADED);
    return 1;
}

int larder_request_count_for(larder_request *request, uint64_t sequence, uint64_t network) {
    if (!is_outstanding(request, sequence)) {
        return 1;
    }
    larder_connection_forget_client(request->connection);
    if (larder_connection_count(request->connection, network)) {
        return 1;
    }
    larder_refuse(request, LARDER_REFUSAL_ADDRESS_LIMIT);
    return 0;
}

/* Closing at once would free memory that the callers still use, so it is deferred to the end of this pass. The request
 * is dropped with its connection, as when the client disconnects. */
int larder_request_drop(larder_request *request, uint64_t sequence, int reset) {
    if (!is_outstanding(request, sequence)) {
        return 0;
    }
    if (reset) {
        larder_connection_reset(request->connection);
    }
    larder_connection_close_soon(request->connection);
    return 1;
}

void larder_request_return(larder_request *request) {
    larder_connection *connection = request->connection;
    connection->server->handed--;
    if (--connection->handed == 0) {
        connection->server->handed_bytes -= connection->handed_bytes;
        connection->handed_bytes = 0;
    }
    larder_connection_release(connection);
}
