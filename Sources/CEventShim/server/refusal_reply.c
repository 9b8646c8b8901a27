#define _GNU_SOURCE
/* The responses to refused requests: a text for each reason, and the fields that depend on request and owner. */
#include "internal.h"

#include <strings.h>

/* A complete response without the fields that every response has. */
typedef struct refusal_text {
    int status;
    const char *reason;
    const char *headers;
    size_t headers_size;
    const char *body;
    size_t body_size;
} refusal_text;

#define FIELDS "Content-Type: application/problem+json\r\nCache-Control: no-store\r\n"
#define FIELDS_RETRY FIELDS "Retry-After: 1\r\n"

/* Made by the preprocessor, so that refusing needs no formatting. */
#define PROBLEM(status, title, detail)                                                                                \
    "{\"type\":\"about:blank\",\"title\":\"" title "\",\"status\":" #status ",\"detail\":\"" detail "\"}\n"
#define ANSWER(fields, status, title, detail)                                                                         \
    {                                                                                                                 \
        status, title, fields, sizeof fields - 1, PROBLEM(status, title, detail),                                     \
            sizeof PROBLEM(status, title, detail) - 1                                                                 \
    }
#define REFUSAL(status, title, detail) ANSWER(FIELDS, status, title, detail)
#define REFUSAL_FOR_NOW(status, title, detail) ANSWER(FIELDS_RETRY, status, title, detail)

static const refusal_text texts[LARDER_REFUSAL_RESPONSES] = {
    [LARDER_REFUSAL_MALFORMED] = REFUSAL(400, "Bad Request", "The request is not well-formed HTTP."),
    [LARDER_REFUSAL_TARGET] = REFUSAL(400, "Bad Request", "The request target is not a valid path."),
    [LARDER_REFUSAL_HOST] = REFUSAL(400, "Bad Request", "Exactly one Host field with a valid name is needed."),
    [LARDER_REFUSAL_CONNECT] = REFUSAL(400, "Bad Request", "This is not a proxy."),
    [LARDER_REFUSAL_LENGTH] = REFUSAL(400, "Bad Request", "Content-Length must be one number and the only framing."),
    [LARDER_REFUSAL_HEAD_BODY] = REFUSAL(400, "Bad Request", "A HEAD request has no body."),
    [LARDER_REFUSAL_OLD_CODING] = REFUSAL(400, "Bad Request", "HTTP/1.0 knows no Transfer-Encoding."),
    [LARDER_REFUSAL_NOT_ALLOWED] = REFUSAL(405, "Method Not Allowed", "No resource has this method."),
    [LARDER_REFUSAL_HEAD_TIMEOUT] =
        REFUSAL(408, "Request Timeout", "The request took too long to arrive."),
    [LARDER_REFUSAL_CHUNKED] = REFUSAL(411, "Length Required", "A body without a Content-Length is not taken here."),
    [LARDER_REFUSAL_BODY] = REFUSAL(413, "Content Too Large", "A body of this length is not taken here."),
    [LARDER_REFUSAL_TARGET_SIZE] = REFUSAL(414, "URI Too Long", "The request line is longer than is served here."),
    [LARDER_REFUSAL_EXPECTATION] = REFUSAL(417, "Expectation Failed", "Nothing can be expected here; send the request without Expect."),
    [LARDER_REFUSAL_ADDRESS_LIMIT] =
        REFUSAL_FOR_NOW(429, "Too Many Requests", "Too many connections of this address are open."),
    [LARDER_REFUSAL_HEAD_SIZE] =
        REFUSAL(431, "Request Header Fields Too Large", "The header fields are longer than is served here."),
    [LARDER_REFUSAL_FIELDS] =
        REFUSAL(431, "Request Header Fields Too Large", "There are more header fields than are served here."),
    [LARDER_REFUSAL_METHOD] = REFUSAL(501, "Not Implemented", "This method is not known here."),
    [LARDER_REFUSAL_CODING] = REFUSAL(501, "Not Implemented", "This transfer coding is not known here."),
    [LARDER_REFUSAL_CONNECTIONS] = REFUSAL_FOR_NOW(503, "Service Unavailable", "Too many connections are open."),
    [LARDER_REFUSAL_OVERLOADED] =
        REFUSAL_FOR_NOW(503, "Service Unavailable", "Too many requests wait for their answers."),
    [LARDER_REFUSAL_STREAMS] = REFUSAL_FOR_NOW(503, "Service Unavailable", "Too many event streams are open."),
    [LARDER_REFUSAL_DEADLINE] = REFUSAL(504, "Gateway Timeout", "The answer took too long."),
    [LARDER_REFUSAL_VERSION] = REFUSAL(505, "HTTP Version Not Supported", "HTTP/1.1 and HTTP/1.0 are spoken here."),
};

larder_refusal_response larder_refusal_response_of(larder_refusal why) {
    if (why >= LARDER_REFUSAL_RESPONSES) {
        return (larder_refusal_response){0};
    }
    const refusal_text *text = &texts[why];
    return (larder_refusal_response){.status = text->status, .fields = text->headers, .body = text->body};
}

static const char origin_name[] = "Origin";
static const char id_name[] = "X-Request-Id";

/* In the order of `Allow`. */
static const char *const methods[] = {
    [LARDER_GET] = "GET",   [LARDER_HEAD] = "HEAD",     [LARDER_OPTIONS] = "OPTIONS", [LARDER_POST] = "POST",
    [LARDER_PUT] = "PUT",   [LARDER_DELETE] = "DELETE", [LARDER_PATCH] = "PATCH",     [LARDER_TRACE] = "TRACE",
};

enum { method_count = sizeof methods / sizeof *methods };

_Static_assert(method_count == (int)LARDER_OTHER, "each method that is known has a name");

typedef struct text {
    const char *at;
    size_t size;
} text;

static text trimmed(const char *from, const char *to) {
    larder_trim(&from, &to);
    return (text){from, (size_t)(to - from)};
}

static text of_string(const char *string) {
    return string ? trimmed(string, string + strlen(string)) : (text){0};
}

static larder_refused refused_of(uint64_t sequence, text origin, text id) {
    return (larder_refused){
        .sequence = sequence, .origin = origin.at, .origin_size = origin.size, .id = id.at, .id_size = id.size};
}

/* The value of the first line of this name, up to the empty line. The guard may have refused these lines or not read
 * them, so they are not trusted; evhttp may have removed whole lines from the front. */
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

larder_refused larder_refused_request(larder_connection *connection) {
    struct evhttp_request *evreq = connection->request.evreq;
    if (evreq) {
        return refused_of(
            connection->request.sequence, of_string(larder_evhttp_field(evreq, origin_name)),
            of_string(larder_evhttp_field(evreq, id_name)));
    }
    struct evbuffer *input = bufferevent_get_input(connection->bev);
    size_t size = evbuffer_get_length(input), most = connection->server->guard_limits.head_bytes;
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
    char fields[LARDER_REFUSAL_FIELDS_SIZE]) {
    const refusal_text *text = &texts[why];
    char *to = larder_put(fields, text->headers, text->headers_size);
    if (why == LARDER_REFUSAL_NOT_ALLOWED) {
        to = put_allow(to, server->options.methods);
    }
    if (server->callbacks.refused) {
        size_t left = LARDER_REFUSAL_FIELDS_SIZE - (size_t)(to - fields);
        to += server->callbacks.refused(server->context, refused, to, left);
    }
    return (larder_reply){
        .status = text->status,
        .close = why != LARDER_REFUSAL_OVERLOADED && why != LARDER_REFUSAL_STREAMS,
        .reason = text->reason,
        .headers = fields,
        .headers_size = (size_t)(to - fields),
        .body = text->body,
        .body_size = text->body_size,
    };
}

larder_method larder_method_of(const larder_guard *guard) {
    int method = 0;
    while (method < method_count && !larder_guard_has_method(guard, methods[method])) {
        method++;
    }
    return (larder_method)method;
}

larder_head larder_head_of(
    const larder_request *request, larder_method method, size_t target_size, uint32_t fields, size_t size) {
    const larder_server *server = request->connection->server;
    size_t peer_size = strlen(request->connection->address);
    uint32_t limit = server->options.max_outstanding;
    return (larder_head){
        .method = method,
        .target_size = (uint32_t)target_size,
        .peer_size = (uint32_t)peer_size,
        .fields = fields,
        .size = size + peer_size,
        .sequence = request->sequence,
        .network = request->connection->network,
        .is_proxied = request->connection->is_proxied,
        .is_excess = limit && server->handed >= limit,
    };
}
