/* Feeds the reply path what a hostile server might send, in pieces: the parts of replies are the same however the bytes
 * are cut, none comes after the end, and the owner may free the connection from within any of them. */
#include "redis/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

enum { never = 255 };

typedef struct {
    larder_redis *redis;
    uint64_t hash;
    size_t given, payload;
    int free_at;
    bool is_over, is_closed;
} conversation;

static void require(bool fact, const char *name) {
    if (!fact) {
        fprintf(stderr, "FAILED: %s\n", name);
        abort();
    }
}

static void mix(conversation *talk, const void *bytes, size_t size) {
    for (size_t index = 0; index < size; index++) {
        talk->hash = (talk->hash ^ ((const unsigned char *)bytes)[index]) * 1099511628211u;
    }
}

static void leave_if_due(conversation *talk) {
    if (talk->free_at != never && (size_t)talk->free_at <= talk->given) {
        talk->is_over = true;
        larder_redis_free(talk->redis);
    }
}

static void on_value(void *context, const larder_redis_value *value) {
    conversation *talk = context;
    require(!talk->is_over, "no part comes after the end");
    talk->given += 1;
    talk->payload += value->size;
    mix(talk, &value->kind, sizeof value->kind);
    mix(talk, &value->number, sizeof value->number);
    mix(talk, value->bytes, value->size);
    if (value->kind == LARDER_REDIS_ARRAY) {
        require(value->number >= 0, "an array has a count");
    }
    leave_if_due(talk);
}

static void on_closed(void *context, const char *reason) {
    conversation *talk = context;
    require(!talk->is_over, "the end comes once");
    require(strlen(reason) > 0, "the end has a reason");
    talk->is_closed = true;
    talk->is_over = true;
    larder_redis_free(talk->redis);
}

static conversation converse(
    struct event_base *base, const uint8_t *bytes, size_t size, size_t piece, size_t max_reply, int free_at) {
    conversation talk = {.hash = 14695981039346656037u, .free_at = free_at};
    larder_redis *redis = calloc(1, sizeof *redis);
    redis->callbacks = (larder_redis_callbacks){.value = on_value, .closed = on_closed};
    redis->context = &talk;
    redis->max_reply = max_reply;
    redis->reader = redisReaderCreateWithFunctions(&larder_redis_parts);
    redis->reader->privdata = redis;
    redis->bev = bufferevent_socket_new(base, -1, 0);
    talk.redis = redis;
    struct evbuffer *input = bufferevent_get_input(redis->bev);
    evbuffer_unfreeze(input, 0);
    redis->is_busy = true;
    for (size_t start = 0; start < size && !talk.is_over; start += piece) {
        evbuffer_add(input, bytes + start, size - start < piece ? size - start : piece);
        larder_redis_read(redis);
        require(redis->unfinished <= max_reply || talk.is_over, "what waits is no longer than a reply may be");
    }
    require(talk.payload <= size, "no more is given than has come");
    redis->is_busy = false;
    larder_redis_free(redis);
    event_base_loop(base, EVLOOP_NONBLOCK); /* libevent frees what is freed here */
    return talk;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static struct event_base *base;
    base = base ? base : event_base_new();
    if (size < 2) {
        return 0;
    }
    size_t piece = 1 + bytes[0] % 64;
    int free_at = bytes[1];
    bytes += 2;
    size -= 2;
    conversation whole = converse(base, bytes, size, size + 1, 1 << 20, never);
    conversation cut = converse(base, bytes, size, piece, 1 << 20, never);
    bool is_foreign = size > 0 && memchr("%,#~>=(|", bytes[0], 8);
    require(!is_foreign || whole.given == 0, "no part of RESP3 is given, whatever the reader knows");
    require(whole.hash == cut.hash && whole.is_closed == cut.is_closed, "pieces make the same replies");
    converse(base, bytes, size, piece, 64, never);
    converse(base, bytes, size, piece, 1 << 20, free_at);
    return 0;
}
