#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>

/* The longest line, which is everything but the bytes of strings; and the longest head of a string. The reader searches
 * for the end of a line anew with each read. */
enum { max_line = 64 * 1024, max_head = 32 };
/* The parts of a reply: each may cost the owner far more memory than its three bytes on the wire. */
enum { max_parts = 64 * 1024 };
/* Commands from this size on are sent without a copy. */
enum { lent_size = 64 * 1024 };

/* The reader of hiredis 1 counts parts in another type, keeps its tasks elsewhere, and knows the types of RESP3, whose
 * numbers follow those of RESP2. */
#if HIREDIS_MAJOR > 0
typedef size_t part_count;
#define TASK(reader) (*(reader)->task[(reader)->ridx])
#else
typedef int part_count;
#define TASK(reader) ((reader)->rstack[(reader)->ridx])
#endif

/* The reader builds no objects: each part of a reply goes to the owner, and the connection serves as the object of
 * each. NULL stops the reader. */
static void *give(const redisReadTask *task, larder_redis_value value) {
    larder_redis *redis = task->privdata;
    redis->is_foreign = task->type > REDIS_REPLY_ERROR;
    if (redis->is_freed || redis->is_foreign) {
        return NULL;
    }
    bool is_countable = value.kind != LARDER_REDIS_ARRAY || (value.number >= 0 && value.number <= max_parts);
    redis->is_huge = !is_countable || ++redis->parts > max_parts;
    if (redis->is_huge) {
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

static void *give_array(const redisReadTask *task, part_count count) {
    return give(task, (larder_redis_value){.kind = LARDER_REDIS_ARRAY, .number = (long long)count});
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

#if HIREDIS_MAJOR > 0
/* Given like any other part, which refuses them by their types. */
static void *give_double(const redisReadTask *task, double number, char *bytes, size_t size) {
    (void)number;
    return give_string(task, bytes, size);
}

static void *give_bool(const redisReadTask *task, int number) {
    return give_integer(task, number);
}
#endif

redisReplyObjectFunctions larder_redis_parts = {
    .createString = give_string,
    .createArray = give_array,
    .createInteger = give_integer,
    .createNil = give_null,
    .freeObject = keep_nothing,
#if HIREDIS_MAJOR > 0
    .createDouble = give_double,
    .createBool = give_bool,
#endif
};

/* Whether the incomplete input cannot become part of an acceptable reply. */
static bool is_too_long(const larder_redis *redis) {
    const redisReader *reader = redis->reader;
    size_t size = reader->len - reader->pos;
    if (reader->ridx < 0 || size == 0 || TASK(reader).type != REDIS_REPLY_STRING) {
        return size > max_line;
    }
    const char *head = reader->buf + reader->pos;
    const char *end = memchr(head, '\r', size < max_head ? size : max_head);
    if (!end) {
        return size >= max_head;
    }
    if (end + 1 < head + size && end[1] != '\n') {
        return true; /* the reader goes on to look for the head's end */
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
                larder_redis_close(redis, "a reply has more than %d parts", max_parts);
            }
            const char *problem = redis->is_foreign ? "a type of RESP3" : reader->errstr;
            return larder_redis_close(redis, "the server breaks the protocol: %s", problem);
        }
        if (reply) {
            redis->unfinished = reader->len - reader->pos;
            redis->parts = 0;
        }
    } while (reply && !redis->is_freed);
    if (redis->unfinished > redis->max_reply || is_too_long(redis)) {
        larder_redis_close(redis, "a reply exceeds %zu bytes", redis->max_reply);
    }
}

void larder_redis_read(larder_redis *redis) {
    struct evbuffer *input = bufferevent_get_input(redis->bev);
    struct evbuffer_iovec piece;
    /* A read at the end of the stream leaves an empty piece behind. */
    while (!redis->is_freed && !redis->is_closed && evbuffer_get_length(input) > 0) {
        evbuffer_peek(input, -1, NULL, &piece, 1);
        if (redisReaderFeed(redis->reader, piece.iov_base, piece.iov_len) != REDIS_OK) {
            return larder_redis_close(redis, "no memory for a reply");
        }
        redis->unfinished += piece.iov_len;
        evbuffer_drain(input, piece.iov_len);
        read_replies(redis);
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
    long long size = redisFormatSdsCommandArgv(&command, count, arguments, sizes);
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
