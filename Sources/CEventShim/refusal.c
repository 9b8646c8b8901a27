#include "refusal.h"

typedef struct refusal_text {
    int status;
    const char *reason;
    const char *body;
    size_t size;
} refusal_text;

/* Made by the preprocessor, so that refusing costs no formatting. */
#define PROBLEM(status, title, detail)                                                                                \
    "{\"type\":\"about:blank\",\"title\":\"" title "\",\"status\":" #status ",\"detail\":\"" detail "\"}\n"
#define REFUSAL(status, title, detail)                                                                                \
    { status, title, PROBLEM(status, title, detail), sizeof PROBLEM(status, title, detail) - 1 }

static const refusal_text texts[] = {
    [LARDER_REFUSAL_TARGET] = REFUSAL(400, "Bad Request", "The request target is not a valid path."),
    [LARDER_REFUSAL_HOST] = REFUSAL(400, "Bad Request", "Exactly one Host field is needed."),
    [LARDER_REFUSAL_CONNECT] = REFUSAL(400, "Bad Request", "This is not a proxy."),
    [LARDER_REFUSAL_LENGTH] = REFUSAL(400, "Bad Request", "Content-Length must be one number."),
    [LARDER_REFUSAL_HEAD_BODY] = REFUSAL(400, "Bad Request", "A HEAD request has no body."),
    [LARDER_REFUSAL_OLD_CHUNKED] = REFUSAL(400, "Bad Request", "HTTP/1.0 knows no Transfer-Encoding."),
    [LARDER_REFUSAL_CHUNKED] = REFUSAL(411, "Length Required", "Requests with a body are not served here."),
    [LARDER_REFUSAL_BODY] = REFUSAL(413, "Content Too Large", "Requests with a body are not served here."),
    [LARDER_REFUSAL_CODING] = REFUSAL(501, "Not Implemented", "This transfer coding is not known here."),
    [LARDER_REFUSAL_VERSION] = REFUSAL(505, "HTTP Version Not Supported", "HTTP/1.1 and HTTP/1.0 are spoken here."),
    [LARDER_REFUSAL_DEADLINE] = REFUSAL(504, "Gateway Timeout", "The answer took too long."),
};

static const char headers[] = "Content-Type: application/problem+json\r\nCache-Control: no-store\r\n";

void larder_refuse(larder_request *request, larder_refusal refusal) {
    const refusal_text *text = &texts[refusal];
    larder_reply reply = {
        .status = text->status,
        .close = 1,
        .reason = text->reason,
        .headers = headers,
        .headers_size = sizeof headers - 1,
        .body = text->body,
        .body_size = text->size,
    };
    larder_reply_send(request, &reply);
}
