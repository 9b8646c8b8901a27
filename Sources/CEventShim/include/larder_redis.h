#ifndef LARDER_REDIS_H
#define LARDER_REDIS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "larder_loop.h"
#include "larder_tls.h"

/* One connection to a Redis server on a loop's base: hiredis formats commands and reads replies (RESP2), libevent moves
 * the bytes, OpenSSL encrypts them. Everything here belongs to the loop's thread. */
typedef struct larder_redis larder_redis;

typedef enum larder_redis_kind {
    LARDER_REDIS_STATUS,
    LARDER_REDIS_ERROR,
    LARDER_REDIS_INTEGER,
    LARDER_REDIS_BYTES,
    LARDER_REDIS_ARRAY, /* its number of items, which follow and may be arrays */
    LARDER_REDIS_NULL,
} larder_redis_kind;

/* A part of a reply; its bytes are valid during the call only. */
typedef struct {
    larder_redis_kind kind;
    int64_t number; /* of an integer, or an array's count */
    const char *bytes;
    size_t size;
} larder_redis_value;

/* Called from the loop, never from within larder_redis_open or larder_redis_send, and never after larder_redis_free.
 * They may call larder_redis_send and larder_redis_free. */
typedef struct {
    void (*connected)(void *context); /* TLS handshake included */
    void (*value)(void *context, const larder_redis_value *value);
    /* Once, as the last call: the connection was lost or could not be made, or the server broke the protocol. */
    void (*closed)(void *context, const char *reason);
} larder_redis_callbacks;

typedef struct {
    const struct sockaddr *address;
    size_t address_size;
    const larder_trust *tls; /* NULL for plain TCP */
    const char *host;            /* the name or address that the server's certificate has to hold */
    size_t max_reply;            /* bytes on the wire; a connection with a longer reply is dropped */
    size_t max_output;           /* bytes that may wait to be sent */
} larder_redis_options;

/* Begins to connect. NULL when there is no memory or no descriptor. */
larder_redis *larder_redis_open(larder_loop *loop, const larder_redis_options *options,
                                const larder_redis_callbacks *callbacks, void *context);

/* Commands to be sent together. Made on any thread, so that long ones do not occupy the loop. */
typedef struct evbuffer larder_redis_batch;

/* NULL when there is no memory. */
larder_redis_batch *larder_redis_batch_new(void);

/* Adds a command. 0, or -1 when there is no memory. */
int larder_redis_batch_add(larder_redis_batch *batch, int count, const char **arguments, const size_t *sizes);

void larder_redis_batch_free(larder_redis_batch *batch);

/* Queues the commands of a batch and empties it. 0, or -1 if they would exceed `max_output` or the connection is
 * closed: then nothing is queued. */
int larder_redis_send(larder_redis *redis, larder_redis_batch *batch);

/* Closes the connection if it is open. To be called once. */
void larder_redis_free(larder_redis *redis);

#endif
