#ifndef LARDER_REFUSAL_H
#define LARDER_REFUSAL_H

/* The reason why a request was not served. All but the last nine have a response. It ends the connection, except for
 * OVERLOADED and STREAMS. The values index the counters of larder_server_refusals. */
typedef enum larder_refusal {
    LARDER_REFUSAL_MALFORMED,       /* 400: not what RFC 9112 allows in a request line or a field line */
    LARDER_REFUSAL_TARGET,          /* 400: neither "/path" nor "http://host/path", nor "*" of OPTIONS */
    LARDER_REFUSAL_HOST,            /* 400: none, several or one that is no authority */
    LARDER_REFUSAL_CONNECT,         /* 400 */
    LARDER_REFUSAL_LENGTH,          /* 400: a Content-Length that is not one number, or is there with another framing */
    LARDER_REFUSAL_HEAD_BODY,       /* 400 */
    LARDER_REFUSAL_OLD_CODING,      /* 400: Transfer-Encoding of HTTP/1.0 */
    LARDER_REFUSAL_NOT_ALLOWED,     /* 405: a body with a method that no resource supports */
    LARDER_REFUSAL_HEAD_TIMEOUT,    /* 408 */
    LARDER_REFUSAL_CHUNKED,         /* 411 */
    LARDER_REFUSAL_BODY,            /* 413 */
    LARDER_REFUSAL_TARGET_SIZE,     /* 414 */
    LARDER_REFUSAL_EXPECTATION,     /* 417 */
    LARDER_REFUSAL_ADDRESS_LIMIT,   /* 429: too many connections of one address */
    LARDER_REFUSAL_HEAD_SIZE,       /* 431 */
    LARDER_REFUSAL_FIELDS,          /* 431: too many of them */
    LARDER_REFUSAL_METHOD,          /* 501: shorter or longer than any known method */
    LARDER_REFUSAL_CODING,          /* 501 */
    LARDER_REFUSAL_CONNECTIONS,     /* 503: too many, and none could be closed */
    LARDER_REFUSAL_OVERLOADED,      /* 503: too many requests outstanding */
    LARDER_REFUSAL_STREAMS,         /* 503: too many event streams are open */
    LARDER_REFUSAL_DEADLINE,        /* 504 */
    LARDER_REFUSAL_VERSION,         /* 505 */
    LARDER_REFUSAL_RESPONSES,       /* how many have a response */
    LARDER_REFUSAL_SLOW_READER = LARDER_REFUSAL_RESPONSES, /* reset: read its response too slowly */
    LARDER_REFUSAL_IDLE,            /* closed: sent nothing for the idle timeout */
    LARDER_REFUSAL_EVICTED,         /* closed for another: idle, an old unfinished head or handshake, or one of several
                                     * streams of its address */
    LARDER_REFUSAL_HANDSHAKE,       /* closed: the TLS handshake failed, or not in time */
    LARDER_REFUSAL_PREFACE,         /* closed: no valid header of the PROXY protocol, or not in time */
    LARDER_REFUSAL_TLS_FLOOD,       /* closed: many TLS messages other than data between two requests */
    LARDER_REFUSAL_UNPARSED,        /* libevent refused a request that this shim had accepted */
    LARDER_REFUSAL_DISAGREEMENT,    /* reset: libevent and this shim disagree about the end of the head */
    LARDER_REFUSAL_DESCRIPTORS,     /* not accepted, or 503: no descriptor or memory is left; counted per attempt */
    LARDER_REFUSALS,
    LARDER_REFUSAL_NONE = LARDER_REFUSALS,
} larder_refusal;

/* The response to such a request, the same for all of them, so that it can be described to clients. */
typedef struct larder_refusal_response {
    int status;         /* 0: there is none */
    const char *fields; /* complete lines */
    const char *body;   /* application/problem+json */
} larder_refusal_response;

larder_refusal_response larder_refusal_response_of(larder_refusal why);

#endif
