#ifndef LARDER_SERVER_H
#define LARDER_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "larder_listen.h"
#include "larder_loop.h"
#include "larder_refusal.h"
#include "larder_tls.h"

/* An evhttp with its own listener on one loop. Unless a function says otherwise it belongs to the loop's thread.
 *
 * A request with a body, other than a POST within max_body_bytes, or one that two parsers could understand differently,
 * is refused here and its connection closed; it reaches neither evhttp nor the owner. */
typedef struct larder_server larder_server;

/* A request that was passed to the owner and has not been returned. Later requests of the same connection have the same
 * address; the sequence number distinguishes them. */
typedef struct larder_request larder_request;

/* A streamed response, from its head until the stream or the connection ends. */
typedef struct larder_stream larder_stream;

typedef enum larder_method {
    LARDER_GET,
    LARDER_HEAD,
    LARDER_OPTIONS,
    LARDER_POST,
    LARDER_PUT,
    LARDER_DELETE,
    LARDER_PATCH,
    LARDER_TRACE,
    LARDER_OTHER, /* unknown to libevent, which does not keep its name */
} larder_method;

/* The sizes of a request, by which the owner allocates its copy. */
typedef struct larder_head {
    larder_method method;
    uint32_t target_size;
    uint32_t peer_size;
    uint32_t fields;      /* header fields, each a name and a value */
    size_t body_size;
    size_t size;          /* of all that larder_request_copy writes */
    uint64_t sequence;    /* to be passed back with the response */
    uint64_t network;     /* of the peer, as larder_network_of */
    int32_t is_proxied;   /* not 0: the peer is a trusted proxy, and not the client */
    int32_t is_excess;    /* not 0: a limit of outstanding requests or bodies is exceeded, so refuse it unless its
                           * response is immediate */
} larder_head;

/* A request that the shim refuses. The texts are not terminated and not validated. They are empty if the request has no
 * such field or it was not received. */
typedef struct larder_refused {
    uint64_t sequence;
    const char *origin; /* of the field Origin */
    size_t origin_size;
    const char *id;     /* of the field X-Request-Id */
    size_t id_size;
} larder_refused;

typedef struct larder_server_callbacks {
    /* Returns whether the peer at this address, in text without a port, is a trusted proxy. Called once for each
     * connection. NULL: none is. */
    int (*is_trusted)(void *context, const char *address);
    /* Offers a request for an immediate response on the fast path. The owner responds before it returns 1. If it
     * returns 0, `request` follows with the same sequence number, or the connection ends. The owner does not return
     * this request, and neither drops it nor ends the connection with its response. May be NULL. */
    int (*try_immediate)(void *context, larder_request *request, const larder_head *head);
    /* Releases what the owner has kept by larder_request_kept. NULL: it keeps nothing. */
    void (*forget)(void *kept);
    /* Returns the longest body of a POST for this target, 0 for none, before the rest of its head is read. The target
     * is in origin form and not terminated. NULL: max_body_bytes for every target. */
    size_t (*body_limit)(void *context, const char *target, size_t size);
    /* A request arrived. The owner copies it before it returns, and gives it back once, at any later time, with
     * larder_request_return. */
    void (*request)(void *context, larder_request *request, const larder_head *head);
    /* After larder_server_stop_accepting: the listener and the last connection are closed. Called once. */
    void (*drained)(void *context);
    /* Adds header fields to the response to a refused request: the owner writes complete lines "Name: value\r\n" to
     * `to`, at most `size` bytes, and returns their size. May be NULL. */
    size_t (*refused)(void *context, const larder_refused *request, char *to, size_t size);
} larder_server_callbacks;

/* Durations in milliseconds, 0 for no limit. Each fires at most a second late, or a quarter of the shortest. */
typedef struct larder_server_options {
    larder_limits *limits;      /* of the connections of all servers that share them; retained */
    larder_limits *streams;     /* of the streams of all servers that share them; retained; NULL for no limit */
    larder_tls *tls;            /* encrypts the connections; retained; NULL to leave them plain */
    size_t max_target_bytes;
    size_t max_head_bytes;      /* request line and header fields as received */
    uint32_t max_fields;
    size_t max_body_bytes;      /* of any POST, received whole before the request callback; 0: no request has a body */
    size_t max_received_bytes;  /* of incomplete requests, of bodies whose response is pending, and behind responses;
                                 * beyond it the oldest are closed, or refused; 0 for no limit */
    uint32_t methods;           /* 1 << larder_method for each that resources support: a body with any other is refused
                                 * with 405; 0: unknown */
    uint32_t max_outstanding;   /* requests not given back, beyond which head.is_excess is set; 0 for no limit */
    uint32_t head_deadline;     /* of a TLS handshake, and from the first byte of a head to the last of head or body;
                                 * if 0, the idle timeout applies to both */
    uint32_t idle_timeout;      /* without a byte of a head, while no request is outstanding */
    uint32_t write_timeout;     /* in each such time the client must acknowledge a byte of its response, or all that its
                                 * stream sent before, */
    uint32_t min_write_rate;    /* and this many a second */
    uint32_t request_deadline;  /* then the client gets a 504 and a later response is ignored */
    int32_t backlog;            /* connections the kernel keeps until they are accepted */
    int32_t proxy_protocol;     /* not 0: connections of trusted proxies begin with a header of the PROXY protocol, 1 or
                                 * 2, which has to come whole within the head deadline */
} larder_server_options;

/* Called once, on the loop's thread, when the body's memory is no longer needed. */
typedef void (*larder_release_fn)(const void *body, size_t size, void *arg);

/* A response. `reason` and `headers` are used during the call only; `headers` are complete lines "Name: value\r\n"
 * without Date, Content-Length, Transfer-Encoding and Connection, which the shim adds. `body` is sent without a copy.
 * */
typedef struct larder_reply {
    int32_t status;
    int32_t close; /* not 0: the connection ends with this response */
    const char *reason;
    const void *headers;
    size_t headers_size;
    const void *body;
    size_t body_size;
    size_t announced_size; /* if not 0, the Content-Length: more than is sent, for practice upstreams */
    int32_t is_unshared; /* not 0: the memory of the body counts against a limit until it is released */
    larder_release_fn release; /* may be NULL */
    void *release_arg;
} larder_reply;

/* NULL when there is no memory or no descriptor left. `callbacks` is copied. */
larder_server *larder_server_new(
    larder_loop *loop, const larder_server_options *options, const larder_server_callbacks *callbacks, void *context);

/* The most addresses of a server. */
enum { LARDER_LISTENERS = 16 };

/* Starts to accept on an address, which may be one of several. On failure `error` contains the system's message, cut to
 * `size`. */
larder_listen_result larder_server_listen(
    larder_server *server, const larder_address *address, char *error, size_t size);

/* The port of an address, by its place; 0 for a Unix socket, and if the server does not listen there. */
uint16_t larder_server_port(const larder_server *server, size_t index);

/* Connections accepted and not closed yet, and requests without a response so far. */
size_t larder_server_connections(const larder_server *server);
size_t larder_server_outstanding(const larder_server *server);

/* Connections with a request that is being received or served, or with an unfinished TLS handshake. */
size_t larder_server_unfinished(const larder_server *server);

/* Counts of requests that were not served and of connections that ended early, by reason, since the start. */
void larder_server_refusals(const larder_server *server, uint64_t counts[LARDER_REFUSALS]);

/* Ends each connection with its next response and "Connection: close". */
void larder_server_set_draining(larder_server *server);

/* Drops requests for new connections from now on, and closes the listener 200 ms later, when handshakes in progress
 * have ended. First accepts the connections in the kernel's queue, because closing would reset them. */
void larder_server_stop_accepting(larder_server *server);

/* Closes every connection that is idle, soon, and every other when it becomes idle; one without a first request after
 * two seconds of silence. Ends every stream, soon, and every later one when it begins. */
void larder_server_close_idle(larder_server *server);

/* Resets the slowest readers of unshared bodies, by their average since the start of the response, until so many bytes
 * are released; none whose response began less than a second ago. Returns the number of bytes released; 0 when there is
 * no such client. */
size_t larder_server_reset_slowest(larder_server *server, size_t wanted);

/* Resets the clients of a body, or of parts of it, that need longer than the write timeout for the rest by their rate so
 * far; none whose response began less than a sixteenth of that time or a second ago. The body may be released already.
 * Returns the number of clients. */
size_t larder_server_reset_readers(larder_server *server, const void *body, size_t size);

/* Closes every connection soon, whatever its state, and the listener if it was stopping. */
void larder_server_abort_all(larder_server *server);

/* Only after `drained`, or before larder_server_listen. Requests that are still out may be answered and returned
 * safely. */
void larder_server_free(larder_server *server);

/* Within the callbacks try_immediate and request: copies the target in origin form ("/path?query") or "*", then each
 * field as two uint32_t with the sizes of name and value followed by both, then the peer's address, then the body.
 * Nothing is terminated or aligned. */
void larder_request_copy(const larder_request *request, void *buffer);

/* Within the callback try_immediate: the place of what the owner keeps of the request for later ones of its connection
 * with the same head; it is NULL until then. Returns NULL if nothing can be kept. */
void **larder_request_kept(const larder_request *request);

/* Responds. Returns 1 if the response is being sent; 0 if it came too late, because the client is gone or has had a
 * response, and was ignored. The body is released in either case. */
int larder_request_reply(larder_request *request, uint64_t sequence, const larder_reply *reply);

/* Responds to an excess request with a 503 and counts it. Otherwise like larder_request_reply. */
int larder_request_refuse_excess(larder_request *request, uint64_t sequence);

/* Counts the connection of a trusted proxy for the client of this request, in place of an earlier one, until its
 * response is sent. Returns 0 if the address has reached its limit, after which the owner returns the request: it has
 * been refused with a 429. */
int larder_request_count_for(larder_request *request, uint64_t sequence, uint64_t network);

/* Closes the connection instead of responding, with a reset if `reset` is not 0, after the running callback. Returns 1,
 * or 0 if the client is gone or has had a response. */
int larder_request_drop(larder_request *request, uint64_t sequence, int reset);

/* Called once, on the loop's thread and never within a call of the owner's, when a stream's connection is closed: the
 * stream must not be used afterwards. */
typedef void (*larder_stream_closed_fn)(void *context);

/* Responds with a head and keeps the connection open for larder_stream_send: with chunks, or until the end of the
 * connection for HTTP/1.0. The connection ends with its stream; input from the client is ignored, and its end ends the
 * stream. `head` has neither body nor size. NULL if there is no stream, because the response came too late or a limit
 * is reached, which gets a 503. The response to HEAD is a stream that ends at once. */
larder_stream *larder_request_stream(
    larder_request *request, uint64_t sequence, const larder_reply *head, larder_stream_closed_fn closed,
    void *context);

/* Sends the body of `event`, whose other members are ignored, without a copy unless it is short. A client with over 64
 * KiB unsent is reset and counted as a slow reader. Nothing is sent after larder_stream_end. The body is released in
 * any case. */
void larder_stream_send(larder_stream *stream, const larder_reply *event);

/* Ends the stream in order, and the connection when everything has been sent. */
void larder_stream_end(larder_stream *stream);

/* Returns the request, once for each call of the request callback; `request` must not be used afterwards. */
void larder_request_return(larder_request *request);

#endif
