#define _GNU_SOURCE
#include "refusal_fields.h"

#include <string.h>
#include <strings.h>

#include "refusal_text.h"

static const char origin_name[] = "Origin";
static const char id_name[] = "X-Request-Id";

/* In the order of `Allow`. */
static const char *const methods[] = {
    [LARDER_GET] = "GET",   [LARDER_HEAD] = "HEAD",     [LARDER_OPTIONS] = "OPTIONS", [LARDER_POST] = "POST",
    [LARDER_PUT] = "PUT",   [LARDER_DELETE] = "DELETE", [LARDER_PATCH] = "PATCH",     [LARDER_TRACE] = "TRACE",
};

enum { method_count = sizeof methods / sizeof *methods };

typedef struct text {
    const char *at;
    size_t size;
} text;

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t';
}

static text trimmed(const char *from, const char *to) {
    while (from < to && is_blank(*from)) {
        from++;
    }
    while (to > from && is_blank(to[-1])) {
        to--;
    }
    return (text){from, (size_t)(to - from)};
}

static text of_string(const char *string) {
    return string ? trimmed(string, string + strlen(string)) : (text){0};
}

static larder_refused refused_of(uint64_t sequence, text origin, text id) {
    return (larder_refused){
        .sequence = sequence, .origin = origin.at, .origin_size = origin.size, .id = id.at, .id_size = id.size};
}

larder_refused larder_refused_delivered(const larder_request *request) {
    const struct evkeyvalq *headers = evhttp_request_get_input_headers(request->evreq);
    return refused_of(
        request->sequence, of_string(evhttp_find_header(headers, origin_name)),
        of_string(evhttp_find_header(headers, id_name)));
}

/* The value of the first line of this name, up to the empty line. The guard may have refused these lines or not looked at
 * them, so nothing is taken for granted; evhttp has taken whole lines off the front, or none. */
static text find_field(text head, const char *name) {
    size_t size = strlen(name);
    const char *line = head.at, *end = head.at + head.size, *next;
    for (; line && (next = memmem(line, (size_t)(end - line), "\r\n", 2)) && next > line; line = next + 2) {
        if ((size_t)(next - line) > size && line[size] == ':' && strncasecmp(line, name, size) == 0) {
            return trimmed(line + size + 1, next);
        }
    }
    return (text){0};
}

larder_refused larder_refused_unread(larder_connection *connection) {
    struct evbuffer *input = bufferevent_get_input(connection->bev);
    size_t size = evbuffer_get_length(input), most = connection->server->limits.head_bytes;
    text head = {.size = size < most ? size : most};
    head.at = (const char *)evbuffer_pullup(input, (ev_ssize_t)head.size);
    if (!head.at) {
        head.size = 0;
    }
    return refused_of(++connection->server->sequences, find_field(head, origin_name), find_field(head, id_name));
}

static char *put_allow(char *to, uint32_t served) {
    const char *between = "Allow: ";
    for (int method = 0; method < method_count; method++) {
        if (served & 1u << method) {
            to = stpcpy(stpcpy(to, between), methods[method]);
            between = ", ";
        }
    }
    return stpcpy(to, "\r\n");
}

larder_reply larder_refusal_reply(
    const larder_server *server, larder_refusal why, const larder_refused *refused,
    char fields[LARDER_REFUSAL_FIELDS_ROOM]) {
    const larder_refusal_text *text = &larder_refusal_texts[why];
    char *to = larder_put(fields, text->headers, text->headers_size);
    if (why == LARDER_REFUSAL_NOT_ALLOWED) {
        to = put_allow(to, server->options.methods);
    }
    if (server->callbacks.refused) {
        size_t room = LARDER_REFUSAL_FIELDS_ROOM - (size_t)(to - fields);
        to += server->callbacks.refused(server->context, refused, to, room);
    }
    return (larder_reply){
        .status = text->status,
        .close = why != LARDER_REFUSAL_OVERLOADED,
        .reason = text->reason,
        .headers = fields,
        .headers_size = (size_t)(to - fields),
        .body = text->body,
        .body_size = text->body_size,
    };
}

larder_refusal larder_refusal_of_body(const larder_connection *connection, larder_refusal why) {
    const larder_guard *guard = &connection->guard;
    uint32_t served = connection->server->options.methods;
    if (!served || (why != LARDER_REFUSAL_BODY && why != LARDER_REFUSAL_CHUNKED)) {
        return why;
    }
    for (int method = 0; method < method_count; method++) {
        bool is_it = guard->method_size == strlen(methods[method]) &&
                     memcmp(guard->method, methods[method], guard->method_size) == 0;
        if (is_it) {
            return served & 1u << method ? why : LARDER_REFUSAL_NOT_ALLOWED;
        }
    }
    return why;
}
