#include "refusal_text.h"

#define FIELDS "Content-Type: application/problem+json\r\nCache-Control: no-store\r\n"
#define FIELDS_RETRY FIELDS "Retry-After: 1\r\n"

/* Made by the preprocessor, so that refusing costs no formatting. */
#define PROBLEM(status, title, detail)                                                                                \
    "{\"type\":\"about:blank\",\"title\":\"" title "\",\"status\":" #status ",\"detail\":\"" detail "\"}\n"
#define ANSWER(fields, status, title, detail)                                                                         \
    {                                                                                                                 \
        status, title, fields, sizeof fields - 1, PROBLEM(status, title, detail),                                     \
            sizeof PROBLEM(status, title, detail) - 1                                                                 \
    }
#define REFUSAL(status, title, detail) ANSWER(FIELDS, status, title, detail)
#define REFUSAL_FOR_NOW(status, title, detail) ANSWER(FIELDS_RETRY, status, title, detail)

const larder_refusal_text larder_refusal_texts[LARDER_REFUSAL_ANSWERS] = {
    [LARDER_REFUSAL_MALFORMED] = REFUSAL(400, "Bad Request", "The request is not well-formed HTTP."),
    [LARDER_REFUSAL_TARGET] = REFUSAL(400, "Bad Request", "The request target is not a valid path."),
    [LARDER_REFUSAL_HOST] = REFUSAL(400, "Bad Request", "Exactly one Host field with a valid name is needed."),
    [LARDER_REFUSAL_CONNECT] = REFUSAL(400, "Bad Request", "This is not a proxy."),
    [LARDER_REFUSAL_LENGTH] = REFUSAL(400, "Bad Request", "Content-Length must be one number and the only framing."),
    [LARDER_REFUSAL_HEAD_BODY] = REFUSAL(400, "Bad Request", "A HEAD request has no body."),
    [LARDER_REFUSAL_OLD_CODING] = REFUSAL(400, "Bad Request", "HTTP/1.0 knows no Transfer-Encoding."),
    [LARDER_REFUSAL_NOT_ALLOWED] = REFUSAL(405, "Method Not Allowed", "No resource has this method."),
    [LARDER_REFUSAL_HEAD_TIMEOUT] =
        REFUSAL(408, "Request Timeout", "The request line and the header fields took too long."),
    [LARDER_REFUSAL_CHUNKED] = REFUSAL(411, "Length Required", "Requests with a body are not served here."),
    [LARDER_REFUSAL_BODY] = REFUSAL(413, "Content Too Large", "Requests with a body are not served here."),
    [LARDER_REFUSAL_TARGET_SIZE] = REFUSAL(414, "URI Too Long", "The request line is longer than is served here."),
    [LARDER_REFUSAL_EXPECTATION] = REFUSAL(417, "Expectation Failed", "Only 100-continue can be expected here."),
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
    [LARDER_REFUSAL_DEADLINE] = REFUSAL(504, "Gateway Timeout", "The answer took too long."),
    [LARDER_REFUSAL_VERSION] = REFUSAL(505, "HTTP Version Not Supported", "HTTP/1.1 and HTTP/1.0 are spoken here."),
};

larder_refusal_answer larder_refusal_answer_of(larder_refusal why) {
    if (why >= LARDER_REFUSAL_ANSWERS) {
        return (larder_refusal_answer){0};
    }
    const larder_refusal_text *text = &larder_refusal_texts[why];
    return (larder_refusal_answer){.status = text->status, .fields = text->headers, .body = text->body};
}
