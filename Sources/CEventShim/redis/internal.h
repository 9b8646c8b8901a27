#ifndef LARDER_REDIS_INTERNAL_H
#define LARDER_REDIS_INTERNAL_H

#include <stdbool.h>

#include <hiredis/hiredis.h>

#include "larder_redis.h"

struct bufferevent;
struct event_base;

struct larder_redis {
    struct bufferevent *bev;
    redisReader *reader;
    larder_redis_callbacks callbacks;
    void *context;
    size_t max_reply, max_output;
    size_t unfinished; /* bytes since the last whole reply */
    size_t parts;      /* of the reply that is read */
    bool is_connected, is_closed;
    bool is_busy;  /* within a callback of libevent's */
    bool is_freed; /* to be freed as soon as it is not busy */
    bool is_huge;  /* a reply of too many parts was refused */
    bool is_foreign; /* a part of another protocol's was */
    char reason[256];
};

/* Functions that the reader calls for each part of a reply. */
extern redisReplyObjectFunctions larder_redis_parts;

/* Passes the replies in the input buffer to the owner. Closes the connection if they break the protocol or a limit. */
void larder_redis_read(larder_redis *redis);

/* Calls the owner for the last time, unless that was done or the connection is being freed. */
void larder_redis_close(larder_redis *redis, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A bufferevent that begins a TLS session when connected, and verifies the server's certificate. */
struct bufferevent *larder_redis_tls_bufferevent(
    struct event_base *base, const larder_trust *tls, const char *host, int flags);

/* The reason why the TLS session ended; NULL for a plain connection, or if OpenSSL has none. */
const char *larder_redis_tls_problem(struct bufferevent *bev);

#endif
