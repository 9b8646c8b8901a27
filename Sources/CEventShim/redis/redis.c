#include "internal.h"

#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "../loop/internal.h"

static void destroy(larder_redis *redis) {
    if (redis->bev) {
        bufferevent_free(redis->bev);
    }
    if (redis->reader) {
        redisReaderFree(redis->reader);
    }
    free(redis);
}

static void leave(larder_redis *redis) {
    redis->is_busy = false;
    if (redis->is_freed) {
        destroy(redis);
    }
}

void larder_redis_close(larder_redis *redis, const char *format, ...) {
    if (redis->is_closed || redis->is_freed) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(redis->reason, sizeof redis->reason, format, arguments);
    va_end(arguments);
    redis->is_closed = true;
    bufferevent_disable(redis->bev, EV_READ | EV_WRITE);
    redis->callbacks.closed(redis->context, redis->reason);
}

static void on_input(struct bufferevent *bev, void *arg) {
    (void)bev;
    larder_redis *redis = arg;
    redis->is_busy = true;
    larder_redis_read(redis);
    leave(redis);
}

/* Sends small commands without delay, and detects a peer that vanished. */
static void tune(struct bufferevent *bev) {
    int fd = bufferevent_getfd(bev), on = 1, idle = 15, interval = 5, count = 3;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

static void describe_end(larder_redis *redis, short what, int error) {
    const char *problem = larder_redis_tls_problem(redis->bev);
    if (problem) {
        larder_redis_close(redis, "TLS: %s", problem);
    } else if (what & BEV_EVENT_EOF || error == 0) {
        larder_redis_close(redis, redis->is_connected
                                      ? "the server closed the connection"
                                      : "the server refused the connection, or closed it during the TLS handshake");
    } else {
        larder_redis_close(redis, "%s", strerror(error));
    }
}

static void on_event(struct bufferevent *bev, short what, void *arg) {
    larder_redis *redis = arg;
    int error = EVUTIL_SOCKET_ERROR();
    redis->is_busy = true;
    if (what & BEV_EVENT_CONNECTED) {
        redis->is_connected = true;
        tune(bev);
        redis->callbacks.connected(redis->context);
    } else {
        /* A server that refuses the connection may have sent a reason. */
        larder_redis_read(redis);
        if (!redis->is_freed) {
            describe_end(redis, what, error);
        }
    }
    leave(redis);
}

/* Callbacks are deferred. So none runs within a call of the owner's, and the end of the connection is reported after
 * the bytes read with it. */
static bool begin(larder_redis *redis, struct event_base *base, const larder_redis_options *options) {
    int flags = BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS;
    redis->reader = redisReaderCreateWithFunctions(&larder_redis_parts);
    redis->bev = options->tls ? larder_redis_tls_bufferevent(base, options->tls, options->host, flags)
                              : bufferevent_socket_new(base, -1, flags);
    if (!redis->reader || !redis->bev) {
        errno = ENOMEM;
        return false;
    }
    redis->reader->privdata = redis;
    bufferevent_setcb(redis->bev, on_input, NULL, on_event, redis);
    bufferevent_enable(redis->bev, EV_READ | EV_WRITE);
    return bufferevent_socket_connect(redis->bev, options->address, (int)options->address_size) == 0;
}

larder_redis *larder_redis_open(larder_loop *loop, const larder_redis_options *options,
                                const larder_redis_callbacks *callbacks, void *context) {
    larder_redis *redis = calloc(1, sizeof *redis);
    if (!redis) {
        return NULL;
    }
    redis->callbacks = *callbacks;
    redis->context = context;
    /* The reader counts in int. */
    redis->max_reply = options->max_reply < INT_MAX / 2 ? options->max_reply : INT_MAX / 2;
    redis->max_output = options->max_output;
    if (!begin(redis, larder_loop_base(loop), options)) {
        int error = errno;
        destroy(redis);
        errno = error;
        return NULL;
    }
    return redis;
}

void larder_redis_free(larder_redis *redis) {
    redis->is_freed = true;
    if (!redis->is_busy) {
        destroy(redis);
    }
}

int larder_redis_send(larder_redis *redis, larder_redis_batch *batch) {
    size_t waiting = evbuffer_get_length(bufferevent_get_output(redis->bev));
    if (redis->is_closed || redis->is_freed || waiting + evbuffer_get_length(batch) > redis->max_output) {
        return -1;
    }
    return bufferevent_write_buffer(redis->bev, batch);
}
