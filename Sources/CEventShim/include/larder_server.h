#ifndef LARDER_SERVER_H
#define LARDER_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "larder_listen.h"
#include "larder_loop.h"
#include "larder_refusal.h"
#include "larder_tls.h"

/* One evhttp with its own listener on one loop. Unless a function says otherwise it belongs to the loop's thread.
 *
 * A request that carries a body, other than a POST within max_body_bytes, or that two parsers could understand
 * differently, is answered here and its connection closed; neither evhttp nor the owner ever sees it. */
typedef struct larder_server larder_server;

/* One request that the owner has been told of and has not given back yet. Later requests of the same connection have
 * the same address; the sequence number tells them apart. */
typedef struct larder_request larder_request;

/* A response that goes on, from its head until the stream ends or its client is gone. */
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
    LARDER_OTHER, /* libevent does not keep the name of a method it does not know */
} larder_method;

/* The sizes of a request, for the owner to make room for its copy. */
typedef struct larder_head {
    larder_method method;
    uint32_t target_size;
    uint32_t peer_size;
    uint32_t fields;      /* header fields, each a name and a value */
    size_t body_size;
    size_t size;          /* all that larder_request_copy writes */
    uint64_t sequence;    /* to be passed back with the answer */
    int32_t is_excess;    /* not 0: more requests or bodies are outstanding than may be, and it is best refused unless
                           * its answer is at hand */
} larder_head;

/* A request that the shim answers in the owner's place. The texts are not terminated, and empty where the request has
 * no such field or was not received so far; what is in them was not checked. */
typedef struct larder_refused {
    uint64_t sequence;
    const char *origin; /* of the field Origin */
    size_t origin_size;
    const char *id;     /* of the field X-Request-Id */
    size_t id_size;
} larder_refused;

typedef struct larder_server_callbacks {
    /* Asks for an immediate response on the fast path. The owner answers before it returns and gives 1; or it gives 0,
     * and `request` follows with the same sequence number, or the connection ends. It does not give this request back,
     * and neither drops it nor ends the connection with its answer. May be NULL. */
    int (*try_immediate)(void *context, larder_request *request, const larder_head *head);
    /* Says how long the body of a POST for this target may be, before the rest of its head is read; 0 for none. The target
     * is in origin form and not terminated. NULL: max_body_bytes for each. */
    size_t (*body_limit)(void *context, const char *target, size_t size);
    /* A request arrived. The owner copies it out before it returns, and gives it back once, whenever it likes, with
     * larder_request_return. */
    void (*request)(void *context, larder_request *request, const larder_head *head);
    /* After larder_server_stop_accepting: the listener and the last connection are gone. Called once. */
    void (*drained)(void *context);
    /* Adds header fields to the response to a refused request: the owner writes complete lines "Name: value\r\n" into
     * `to`, at most `room` bytes, and gives their size. May be NULL. */
    size_t (*refused)(void *context, const larder_refused *request, char *to, size_t room);
} larder_server_callbacks;

/* Durations in milliseconds, 0 for none. Each ends a second late at most, or a quarter of the shortest. */
typedef struct larder_server_options {
    larder_limits *limits;      /* of the connections of all servers that share them; retained */
    larder_limits *streams;     /* of the streams of all servers that share them; retained; NULL for no limit */
    larder_tls *tls;            /* encrypts the connections; retained; NULL to leave them plain */
    size_t max_target_bytes;
    size_t max_head_bytes;      /* request line and header fields as received */
    uint32_t max_fields;
    size_t max_body_bytes;      /* of any POST, received whole before the owner is told of it; 0: no request has a body */
    size_t max_received_bytes;  /* of all requests that are not whole, of bodies that wait for their answer, and behind
                                 * answers; beyond it the oldest are closed, or refused; 0 for no limit */
    uint32_t methods;           /* 1 << larder_method for each that resources have: a body with another one is refused
                                 * by 405; 0: nothing is known of methods */
    uint32_t max_outstanding;   /* requests not given back, beyond which head.is_excess is set; 0 for no limit */
    uint32_t head_deadline;     /* from the first byte of a head to its last, or to that of its body, and for a TLS
                                 * handshake; without it the idle timeout, to both ends */
    uint32_t idle_timeout;      /* without a byte of a head, while no request is outstanding */
    uint32_t write_timeout;     /* in each such time the client must acknowledge a byte of its answer, or of its stream
                                 * all that was sent before, */
    uint32_t min_write_rate;    /* and this many a second */
    uint32_t request_deadline;  /* then the client gets a 504 and a later answer is ignored */
    int32_t backlog;            /* connections the kernel keeps until they are accepted */
} larder_server_options;

/* Called once, on the loop's thread, when the body's memory is not needed any more. */
typedef void (*larder_release_fn)(const void *body, size_t size, void *arg);

/* An answer. `reason` and `headers` are used during the call only; `headers` are complete lines "Name: value\r\n"
 * without Date, Content-Length, Transfer-Encoding and Connection, which are the shim's. `body` is sent from where it
 * is. */
typedef struct larder_reply {
    int32_t status;
    int32_t close; /* not 0: the connection ends with this answer */
    const char *reason;
    const void *headers;
    size_t headers_size;
    const void *body;
    size_t body_size;
    size_t announced_size; /* as Content-Length when it is not 0: more than is sent, to practise with broken answers */
    int32_t is_unshared; /* not 0: the memory of the body counts against a limit until it is released */
    larder_release_fn release; /* may be NULL */
    void *release_arg;
} larder_reply;

/* NULL when there is no memory or no descriptor left. `callbacks` is copied. */
larder_server *larder_server_new(
    larder_loop *loop, const larder_server_options *options, const larder_server_callbacks *callbacks, void *context);

/* Starts to accept; once a server. On failure `error` holds the system's words, cut to `size`. */
larder_listen_result larder_server_listen(
    larder_server *server, const larder_address *address, char *error, size_t size);

/* The port listened on, 0 before and after. */
uint16_t larder_server_port(const larder_server *server);

/* Connections accepted and not closed yet, and requests not answered yet. */
size_t larder_server_connections(const larder_server *server);
size_t larder_server_outstanding(const larder_server *server);

/* Connections with a request that is being received or answered, or with a TLS handshake that has begun. */
size_t larder_server_unfinished(const larder_server *server);

/* Counts of requests that were not served and connections that ended early, for each reason, since the start. */
void larder_server_refusals(const larder_server *server, uint64_t counts[LARDER_REFUSALS]);

/* Ends each connection with its next answer and "Connection: close". */
void larder_server_set_draining(larder_server *server);

/* Drops requests for new connections from now on, and closes the listener 200 ms later: by then handshakes that had
 * begun are over. What waits in the kernel's queue is accepted first, because closing would reset it. */
void larder_server_stop_accepting(larder_server *server);

/* Closes every connection that has sent nothing since its last answer, soon, and from now on each that gets there; one
 * that has not asked yet when it has been silent for two seconds. Ends every stream, soon, and from now on each that
 * begins. */
void larder_server_close_idle(larder_server *server);

/* Resets the clients that take unshared bodies most slowly, on average since their answers began, until so many bytes
 * are released; none whose answer began less than a second ago. Gives how many bytes that were; 0 when there is no such
 * client. */
size_t larder_server_reset_slowest(larder_server *server, size_t wanted);

/* Closes every connection soon, whatever it is doing, and the listener if it was to be stopped. */
void larder_server_abort_all(larder_server *server);

/* Only after `drained`, or before larder_server_listen. Requests not returned yet stay safe to answer and to return. */
void larder_server_free(larder_server *server);

/* Within the callbacks try_immediate and request: copies the target in origin form ("/path?query") or "*", then each
 * field as two uint32_t with the sizes of name and value followed by both, then the peer's address, then the body.
 * Nothing is terminated or aligned. */
void larder_request_copy(const larder_request *request, void *buffer);

/* Answers. 1 when the answer is on its way; 0 when it came too late, because the client is gone or an answer was given
 * before, and was ignored. The body is released in either case. */
int larder_request_reply(larder_request *request, uint64_t sequence, const larder_reply *reply);

/* Answers an excess request with a 503 and counts it. As larder_request_reply otherwise. */
int larder_request_refuse_excess(larder_request *request, uint64_t sequence);

/* Closes the connection instead of answering, with a reset when `reset` is not 0, after the running callback. 1, or 0
 * when the client is gone or an answer was given before. */
int larder_request_drop(larder_request *request, uint64_t sequence, int reset);

/* Called once, on the loop's thread and never within a call of the owner's, when a stream's connection is gone: the
 * stream must not be used afterwards. */
typedef void (*larder_stream_closed_fn)(void *context);

/* Answers with a head and keeps the connection open for larder_stream_send: with chunks, or to the end of the
 * connection for HTTP/1.0. The connection ends with its stream; what the client sends meanwhile is ignored, and its end
 * is that of the stream. `head` has neither body nor size. NULL when there is no stream, because the answer came too
 * late or a limit is reached, which is answered with a 503. The answer to HEAD is a stream that ends at once. */
larder_stream *larder_request_stream(
    larder_request *request, uint64_t sequence, const larder_reply *head, larder_stream_closed_fn closed,
    void *context);

/* Sends the body of `event`, of which nothing else counts, from where it is, or copied if it is short. A client that
 * has left over 64 KiB unsent by then is reset and counted as a slow reader. After larder_stream_end nothing is sent.
 * The body is released in any case. */
void larder_stream_send(larder_stream *stream, const larder_reply *event);

/* Ends the stream in order, and the connection when the client has been sent all. */
void larder_stream_end(larder_stream *stream);

/* Gives the request back, once for each call of the request callback; `request` must not be used afterwards. */
void larder_request_return(larder_request *request);

#endif
