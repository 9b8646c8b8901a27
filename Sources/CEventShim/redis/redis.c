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
#include <hiredis/hiredis.h>

#include "../loop/internal.h"

/* The longest line, which is all but the bytes of strings; and the longest head of a string. The reader looks for a
 * line's end anew with each read. */
enum { max_line = 64 * 1024, max_head = 32 };
/* Arguments from this size are sent from where hiredis has written them. */
enum { lent_size = 64 * 1024 };

struct larder_redis {
    struct bufferevent *bev;
    redisReader *reader;
    larder_redis_callbacks callbacks;
    void *context;
    size_t max_reply, max_output;
    size_t unfinished; /* bytes since the last whole reply */
    bool is_connected, is_closed;
    bool is_busy;  /* within a callback of libevent's */
    bool is_freed; /* to be freed as soon as it is not busy */
    bool is_huge;  /* an array was refused */
    char reason[256];
};

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

__attribute__((format(printf, 2, 3)))
static void close_with(larder_redis *redis, const char *format, ...) {
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

/* The reader builds no objects: each part of a reply goes to the owner, and the connection stands for all of them. NULL
 * has the reader stop. */
static void *give(const redisReadTask *task, larder_redis_value value) {
    larder_redis *redis = task->privdata;
    if (redis->is_freed) {
        return NULL;
    }
    redis->callbacks.value(redis->context, &value);
    return redis->is_freed ? NULL : redis;
}

static void *give_string(const redisReadTask *task, char *bytes, size_t size) {
    larder_redis_kind kind = task->type == REDIS_REPLY_ERROR    ? LARDER_REDIS_ERROR
                             : task->type == REDIS_REPLY_STATUS ? LARDER_REDIS_STATUS
                                                                : LARDER_REDIS_BYTES;
    return give(task, (larder_redis_value){.kind = kind, .bytes = bytes, .size = size});
}

/* Each item takes at least three bytes, so that a longer array would be refused in any case. */
static void *give_array(const redisReadTask *task, int count) {
    larder_redis *redis = task->privdata;
    redis->is_huge = count < 0 || (size_t)count > redis->max_reply / 3;
    return redis->is_huge ? NULL : give(task, (larder_redis_value){.kind = LARDER_REDIS_ARRAY, .number = count});
}

static void *give_integer(const redisReadTask *task, long long number) {
    return give(task, (larder_redis_value){.kind = LARDER_REDIS_INTEGER, .number = number});
}

static void *give_null(const redisReadTask *task) {
    return give(task, (larder_redis_value){.kind = LARDER_REDIS_NULL});
}

static void keep_nothing(void *object) {
    (void)object;
}

static redisReplyObjectFunctions giving = {give_string, give_array, give_integer, give_null, keep_nothing};

/* Whether what the reader waits for cannot become a part of a reply that is accepted. */
static bool is_too_long(const larder_redis *redis) {
    const redisReader *reader = redis->reader;
    size_t size = reader->len - reader->pos;
    if (reader->ridx < 0 || size == 0 || reader->rstack[reader->ridx].type != REDIS_REPLY_STRING) {
        return size > max_line;
    }
    const char *head = reader->buf + reader->pos;
    if (!memchr(head, '\r', size < max_head ? size : max_head)) {
        return size >= max_head;
    }
    long long announced = strtoll(head, NULL, 10);
    return announced > 0 && (unsigned long long)announced > redis->max_reply;
}

/* Reads the whole replies among what has come so far. */
static void read_replies(larder_redis *redis) {
    redisReader *reader = redis->reader;
    void *reply;
    do {
        reply = NULL;
        if (redisReaderGetReply(reader, &reply) != REDIS_OK) {
            if (redis->is_huge) {
                close_with(redis, "a reply exceeds %zu bytes", redis->max_reply);
            }
            return close_with(redis, "the server breaks the protocol: %s", reader->errstr);
        }
        redis->unfinished = reply ? reader->len - reader->pos : redis->unfinished;
    } while (reply && !redis->is_freed);
    if (redis->unfinished > redis->max_reply || is_too_long(redis)) {
        close_with(redis, "a reply exceeds %zu bytes", redis->max_reply);
    }
}

static void read_input(larder_redis *redis) {
    struct evbuffer *input = bufferevent_get_input(redis->bev);
    struct evbuffer_iovec piece;
    while (!redis->is_freed && !redis->is_closed && evbuffer_peek(input, -1, NULL, &piece, 1) > 0) {
        if (redisReaderFeed(redis->reader, piece.iov_base, piece.iov_len) != REDIS_OK) {
            return close_with(redis, "no memory for a reply");
        }
        redis->unfinished += piece.iov_len;
        evbuffer_drain(input, piece.iov_len);
        read_replies(redis);
    }
}

static void on_input(struct bufferevent *bev, void *arg) {
    (void)bev;
    larder_redis *redis = arg;
    redis->is_busy = true;
    read_input(redis);
    leave(redis);
}

/* Small commands wait for nothing, and a peer that is gone without a word is noticed. */
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
        close_with(redis, "TLS: %s", problem);
    } else if (what & BEV_EVENT_EOF || error == 0) {
        close_with(redis, redis->is_connected ? "the server closed the connection"
                                              : "the server closed the connection before it was made");
    } else {
        close_with(redis, "%s", strerror(error));
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
        /* The last words of a server that refuses the connection. */
        read_input(redis);
        if (!redis->is_freed) {
            describe_end(redis, what, error);
        }
    }
    leave(redis);
}

/* Callbacks are deferred, so that none comes from within a call of the owner's, and none of the connection's end before
 * the bytes read with it are in the input buffer. */
static bool begin(larder_redis *redis, struct event_base *base, const larder_redis_options *options) {
    int flags = BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS;
    redis->reader = redisReaderCreateWithFunctions(&giving);
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

larder_redis_batch *larder_redis_batch_new(void) {
    return evbuffer_new();
}

static void free_command(const void *bytes, size_t size, void *command) {
    (void)bytes;
    (void)size;
    redisFreeSdsCommand(command);
}

int larder_redis_batch_add(larder_redis_batch *batch, int count, const char **arguments, const size_t *sizes) {
    sds command;
    int size = redisFormatSdsCommandArgv(&command, count, arguments, sizes);
    if (size < 0) {
        return -1;
    }
    if (size >= lent_size) {
        int result = evbuffer_add_reference(batch, command, (size_t)size, free_command, command);
        if (result != 0) {
            redisFreeSdsCommand(command);
        }
        return result;
    }
    int result = evbuffer_add(batch, command, (size_t)size);
    redisFreeSdsCommand(command);
    return result;
}

void larder_redis_batch_free(larder_redis_batch *batch) {
    evbuffer_free(batch);
}

int larder_redis_send(larder_redis *redis, larder_redis_batch *batch) {
    size_t waiting = evbuffer_get_length(bufferevent_get_output(redis->bev));
    if (redis->is_closed || redis->is_freed || waiting + evbuffer_get_length(batch) > redis->max_output) {
        return -1;
    }
    return bufferevent_write_buffer(redis->bev, batch);
}
