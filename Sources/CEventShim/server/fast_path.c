/* Serves plain GET, HEAD and OPTIONS requests at once where possible, from the guard's bytes: evhttp's parsing would
 * cost several times as much as the response. */
#include "internal.h"

#include <strings.h>
#include <sys/uio.h>

/* A request with more fields is left to evhttp. */
enum { most_fields = 100 };

/* Heads are written from the stack; a longer one goes through the output buffer. */
enum { longest_head = 2048 };

/* Nanoseconds for one client in a pass of the loop, from its second response on: a dozen plain ones. */
enum { longest_turn = 100000 };

typedef struct larder_field {
    const char *name, *value;
    uint32_t name_size, value_size;
} larder_field;

/* A request in the input buffer, while it is offered to its owner. */
struct larder_fast_head {
    const char *target;
    size_t size; /* of target and fields as larder_request_copy writes them */
    const larder_guard *guard;
    bool is_read; /* its fields are in `field` */
    bool closes; /* the client wants no further response */
    larder_field field[most_fields];
};

/* A head that can be served here is untouched by evhttp, of a plain safe request, and has not been offered before. */
static bool is_plain(const larder_connection *connection, larder_method method) {
    const larder_guard *guard = &connection->guard;
    const larder_request *request = &connection->request;
    bool is_safe = method == LARDER_GET || method == LARDER_HEAD || method == LARDER_OPTIONS;
    return is_safe && !guard->is_http10 && !guard->lengths && guard->fields <= most_fields && !request->evreq &&
           !request->is_offered && !connection->writing && !connection->server->draining;
}

static bool is_named(const larder_field *field, const char *name, size_t size) {
    return field->name_size == size && strncasecmp(field->name, name, size) == 0;
}

static bool has_value(const larder_field *field, const char *value, size_t size) {
    return field->value_size == size && strncasecmp(field->value, value, size) == 0;
}

/* Whether the fast path can ignore a field, apart from `Connection: close`. The guard has checked all other fields. */
static bool is_indifferent(larder_fast_head *head, const larder_field *field) {
    switch (field->name[0] | 0x20) {
        case 'c':
            if (!is_named(field, "connection", 10) || has_value(field, "keep-alive", 10)) {
                return true;
            }
            head->closes = has_value(field, "close", 5);
            return head->closes;
        case 'e': return !is_named(field, "expect", 6);
        default: return true;
    }
}

/* The guard has checked that each line has a name, a colon and a valid end. */
static const char *read_field(const char *line, const char *end, larder_field *field) {
    const char *colon = memchr(line, ':', (size_t)(end - line));
    const char *last = memchr(colon, '\r', (size_t)(end - colon));
    const char *value = colon + 1;
    const char *next = last + 2;
    larder_trim(&value, &last);
    *field = (larder_field){
        .name = line, .name_size = (uint32_t)(colon - line), .value = value, .value_size = (uint32_t)(last - value)};
    return next;
}

/* Whether a head that the guard has accepted can be served here. */
static bool read_head(larder_fast_head *head) {
    static const char line_end[] = " HTTP/1.1\r\n";
    const larder_guard *guard = head->guard;
    const char *end = head->target - guard->method_size - 1 + guard->head_size;
    const char *line = head->target + guard->target_size + sizeof line_end - 1;
    head->is_read = true;
    head->size = guard->target_size;
    for (uint32_t i = 0; i < guard->fields; i++) {
        larder_field *field = &head->field[i];
        line = read_field(line, end, field);
        if (!is_indifferent(head, field)) {
            return false;
        }
        head->size += field->name_size + field->value_size + 2 * sizeof(uint32_t);
    }
    return *head->target == '/' || (guard->target_size == 1 && *head->target == '*');
}

static bool offer(larder_connection *connection, larder_method method, larder_fast_head *fast, void **kept) {
    larder_request *request = &connection->request;
    larder_server *server = connection->server;
    request->sequence = ++server->sequences;
    larder_head head = larder_head_of(request, method, fast->guard->target_size, fast->guard->fields, fast->size);
    request->is_head = head.method == LARDER_HEAD;
    request->fast_head = fast;
    request->kept = kept;
    bool is_answered = server->callbacks.try_immediate(server->context, request, &head) != 0;
    request->fast_head = NULL;
    request->is_offered = !is_answered;
    return is_answered;
}

static bool may_offer(const larder_connection *connection) {
    return connection->server->callbacks.try_immediate && is_plain(connection, larder_method_of(&connection->guard));
}

static bool serve(larder_connection *connection, const char *head, bool is_repeated) {
    const larder_guard *guard = &connection->guard;
    larder_method method = larder_method_of(guard);
    larder_fast_head fast;
    fast.target = head + guard->method_size + 1;
    fast.guard = guard;
    fast.is_read = fast.closes = false;
    void **kept = NULL;
    if (is_repeated) {
        kept = larder_repeat_recall(connection, &fast.size);
    } else if (!read_head(&fast)) {
        return false;
    } else if (!fast.closes) {
        kept = larder_repeat_keep(connection, head, fast.size);
    }
    if (!offer(connection, method, &fast, kept)) {
        return false;
    }
    connection->guard = (larder_guard){.step = fast.closes ? LARDER_GUARD_REFUSED : 0};
    connection->tls_messages = 0;
    return true;
}

bool larder_fast_path_take(larder_connection *connection, size_t end) {
    if (end != connection->guard.head_size || !may_offer(connection)) {
        return false;
    }
    struct evbuffer *input = bufferevent_get_input(connection->bev);
    const char *head = (const char *)evbuffer_pullup(input, (ev_ssize_t)end);
    if (!head || !serve(connection, head, false)) {
        return false;
    }
    evbuffer_drain(input, end);
    return true;
}

bool larder_fast_path_repeat(larder_connection *connection, const char *head) {
    return may_offer(connection) && serve(connection, head, true);
}

void larder_fast_path_copy(larder_fast_head *head, const char *address, void *buffer) {
    if (!head->is_read) {
        read_head(head);
    }
    char *to = larder_put(buffer, head->target, head->guard->target_size);
    for (const larder_field *field = head->field; field < head->field + head->guard->fields; field++) {
        to = larder_put(to, &field->name_size, sizeof field->name_size);
        to = larder_put(to, &field->value_size, sizeof field->value_size);
        to = larder_put(to, field->name, field->name_size);
        to = larder_put(to, field->value, field->value_size);
    }
    larder_put(to, address, strlen(address));
}

/* Whether a client that pipelines has used its share of this pass; it gets this response in the next one. Requests
 * differ in cost, so the share is a time. A client that waits for each response costs no reading of the clock. */
static bool is_burst(larder_connection *connection) {
    if (connection->answered == 0) {
        connection->answered = 1;
        return false;
    }
    uint64_t now = larder_monotonic_ns();
    if (connection->answered == 1) {
        connection->answered = 2;
        connection->turn_since = now;
    }
    if (now - connection->turn_since < longest_turn) {
        return false;
    }
    connection->answered = 0;
    return true;
}

static const char *connection_line(const larder_connection *connection) {
    return connection->request.fast_head->closes ? "Connection: close\r\n" : "";
}

/* Writes what the socket accepts of head and body, usually all, and without a copy on a plain connection. Of the rest so
 * many bytes have to stay in one piece. */
static size_t write_now(larder_connection *connection, const larder_reply *reply, size_t *size, size_t *unfinished) {
    char head[longest_head];
    const char *end = larder_reply_put_head(connection->server, reply, connection_line(connection), head);
    bool has_body = larder_reply_has_body(reply, connection->request.is_head);
    struct iovec parts[2] = {
        {head, (size_t)(end - head)},
        {(void *)reply->body, has_body ? reply->body_size : 0},
    };
    *size = parts[0].iov_len + parts[1].iov_len;
    if (connection->ssl) {
        return larder_tls_send(connection, head, parts[0].iov_len, reply->body, parts[1].iov_len, unfinished);
    }
    ssize_t written = writev(connection->fd, parts, has_body ? 2 : 1);
    return written > 0 ? (size_t)written : 0;
}

static void forget_written(struct evbuffer *output, size_t size) {
    evbuffer_unfreeze(output, 1);
    evbuffer_drain(output, size);
}

void larder_fast_path_reply(larder_connection *connection, const larder_reply *reply) {
    size_t size = 1, written = 0, unfinished = 0;
    if (!is_burst(connection) && larder_reply_head_limit(reply) <= longest_head) {
        written = write_now(connection, reply, &size, &unfinished);
    }
    if (written == size) {
        larder_reply_release_body(reply);
        larder_phase_enter(connection, LARDER_PHASE_IDLE);
        if (connection->request.fast_head->closes) {
            larder_connection_close_soon(connection);
        }
        return;
    }
    struct evbuffer *output = bufferevent_get_output(connection->bev);
    bool is_kept =
        larder_reply_write(connection->server, reply, connection_line(connection), connection->request.is_head, output);
    if (is_kept && written) {
        forget_written(output, written);
    }
    if (is_kept && unfinished) {
        is_kept = evbuffer_pullup(output, (ev_ssize_t)unfinished) != NULL;
    }
    connection->writing = true;
    larder_write_begin(connection, reply);
    if (!is_kept) {
        larder_connection_close_soon(connection);
    }
}
