#ifndef LARDER_REDIS_INTERNAL_H
#define LARDER_REDIS_INTERNAL_H

#include <stdbool.h>

#include "larder_redis.h"

struct bufferevent;
struct event_base;

/* A bufferevent that begins a TLS session once it is connected, and verifies the server's certificate. */
struct bufferevent *larder_redis_tls_bufferevent(
    struct event_base *base, const larder_redis_tls *tls, const char *host, int flags);

/* Why the TLS session ended; NULL for a plain connection, and where OpenSSL has no reason. */
const char *larder_redis_tls_problem(struct bufferevent *bev);

#endif
