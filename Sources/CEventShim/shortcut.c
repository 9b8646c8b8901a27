#include "shortcut.h"

#include <string.h>
#include <strings.h>

/* A head that may be answered here lies in one piece where evhttp has not begun to read, and leaves the connection as
 * it was: whatever ends a connection, or is no plain read, is evhttp's business. */
static bool is_plain(const larder_connection *connection, size_t end) {
    const larder_guard *guard = &connection->guard;
    bool is_get = guard->method_size == 3 && memcmp(guard->method, "GET", 3) == 0;
    return (is_get || larder_guard_is_head(guard)) && !guard->is_http10 && !guard->lengths &&
           guard->fields <= LARDER_SHORTCUT_FIELDS && end == guard->head_size && !connection->request.evreq &&
           !connection->writing && !connection->server->draining;
}

static bool is_named(const larder_field *field, const char *name, size_t size) {
    return field->name_size == size && strncasecmp(field->name, name, size) == 0;
}

/* Whether the field says nothing about what becomes of the connection. The guard has looked at every other one. */
static bool is_indifferent(const larder_field *field) {
    switch (field->name[0] | 0x20) {
        case 'c':
            return !is_named(field, "connection", 10) ||
                   (field->value_size == 10 && strncasecmp(field->value, "keep-alive", 10) == 0);
        case 'e': return !is_named(field, "expect", 6);
        default: return true;
    }
}

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t';
}

/* The guard has seen that each line has a colon behind a name, and ends as it should. */
static const char *read_field(const char *line, const char *end, larder_field *field) {
    const char *colon = memchr(line, ':', (size_t)(end - line));
    const char *last = memchr(colon, '\r', (size_t)(end - colon));
    const char *value = colon + 1;
    const char *next = last + 2;
    while (value < last && is_blank(*value)) {
        value++;
    }
    while (last > value && is_blank(last[-1])) {
        last--;
    }
    *field = (larder_field){
        .name = line, .name_size = (uint32_t)(colon - line), .value = value, .value_size = (uint32_t)(last - value)};
    return next;
}

static bool read_head(larder_shortcut *shortcut, const larder_guard *guard, const char *head, size_t size) {
    static const char line_end[] = " HTTP/1.1\r\n";
    const char *end = head + size;
    shortcut->target = head + guard->method_size + 1;
    shortcut->target_size = guard->target_size;
    shortcut->fields = guard->fields;
    shortcut->size = guard->target_size;
    const char *line = shortcut->target + guard->target_size + sizeof line_end - 1;
    for (uint32_t i = 0; i < guard->fields; i++) {
        larder_field *field = &shortcut->field[i];
        line = read_field(line, end, field);
        if (!is_indifferent(field)) {
            return false;
        }
        shortcut->size += field->name_size + field->value_size + 2 * sizeof(uint32_t);
    }
    return *shortcut->target == '/';
}

static bool offer(larder_connection *connection, larder_shortcut *shortcut) {
    larder_request *request = &connection->request;
    larder_server *server = connection->server;
    size_t peer = strlen(connection->peer);
    request->sequence = ++server->sequences;
    larder_head head = {
        .method = larder_guard_is_head(&connection->guard) ? LARDER_HEAD : LARDER_GET,
        .target_size = (uint32_t)shortcut->target_size,
        .peer_size = (uint32_t)peer,
        .fields = shortcut->fields,
        .size = shortcut->size + peer,
        .sequence = request->sequence,
        .is_excess = larder_request_is_excess(connection),
    };
    request->is_head = head.method == LARDER_HEAD;
    request->shortcut = shortcut;
    bool is_answered = server->callbacks.glance(server->context, request, &head) != 0;
    request->shortcut = NULL;
    request->is_offered = !is_answered;
    return is_answered;
}

bool larder_shortcut_take(larder_connection *connection, size_t end) {
    larder_server *server = connection->server;
    if (!server->callbacks.glance || !is_plain(connection, end)) {
        return false;
    }
    struct evbuffer *input = bufferevent_get_input(connection->bev);
    const char *head = (const char *)evbuffer_pullup(input, (ev_ssize_t)end);
    larder_shortcut shortcut;
    if (!head || !read_head(&shortcut, &connection->guard, head, end) || !offer(connection, &shortcut)) {
        return false;
    }
    connection->guard = (larder_guard){0};
    connection->tls_messages = 0;
    evbuffer_drain(input, end);
    return true;
}

void larder_shortcut_copy(const larder_shortcut *shortcut, const char *peer, void *buffer) {
    char *to = larder_put(buffer, shortcut->target, shortcut->target_size);
    for (const larder_field *field = shortcut->field; field < shortcut->field + shortcut->fields; field++) {
        to = larder_put(to, &field->name_size, sizeof field->name_size);
        to = larder_put(to, &field->value_size, sizeof field->value_size);
        to = larder_put(to, field->name, field->name_size);
        to = larder_put(to, field->value, field->value_size);
    }
    larder_put(to, peer, strlen(peer));
}
