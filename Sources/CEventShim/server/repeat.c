/* Recognises the head that a connection has sent before. A client that waits for each response mostly sends one head
 * again and again, and the guard's verdict depends on the bytes alone. */
#include "internal.h"

#include <stdlib.h>

/* Bytes of a head that is kept, and different heads in a row after which a connection keeps none. */
enum { longest_kept = 1024, most_differing = 8 };

struct larder_repeat {
    larder_guard guard;  /* its verdict */
    size_t copy_size;    /* of target and fields, as larder_request_copy writes them */
    void *owned;         /* made of it by the owner; NULL for nothing */
    size_t capacity;
    char head[];
};

/* Takes the same time wherever they differ: a proxy's connection carries the keys of several clients. */
static bool are_same(const char *one, const char *other, size_t size) {
    unsigned char difference = 0;
    for (size_t i = 0; i < size; i++) {
        difference |= (unsigned char)(one[i] ^ other[i]);
    }
    return difference == 0;
}

bool larder_repeat_find(larder_connection *connection, const char *bytes, size_t size) {
    const larder_repeat *repeat = connection->repeat;
    const larder_guard *guard = &connection->guard;
    if (!repeat || size != repeat->guard.head_size || !larder_guard_is_fresh(guard) || guard->skips_empty_line ||
        !are_same(bytes, repeat->head, size)) {
        return false;
    }
    connection->guard = repeat->guard;
    connection->differing = 0;
    return true;
}

void **larder_repeat_recall(larder_connection *connection, size_t *copy_size) {
    *copy_size = connection->repeat->copy_size;
    return &connection->repeat->owned;
}

static void disown(larder_connection *connection) {
    larder_repeat *repeat = connection->repeat;
    if (repeat && repeat->owned) {
        connection->server->callbacks.forget(repeat->owned);
        repeat->owned = NULL;
    }
}

void larder_repeat_end(larder_connection *connection) {
    disown(connection);
    free(connection->repeat);
    connection->repeat = NULL;
}

void **larder_repeat_keep(larder_connection *connection, const char *head, size_t copy_size) {
    larder_repeat *repeat = connection->repeat;
    size_t size = connection->guard.head_size;
    /* The first one may be the only one. */
    bool may_repeat = connection->reads_directly && connection->differing < most_differing;
    if (!may_repeat || !connection->server->callbacks.forget) {
        return NULL;
    }
    /* An equal head arrived behind another one, or in several pieces. */
    if (repeat && size == repeat->guard.head_size && copy_size == repeat->copy_size && are_same(head, repeat->head, size)) {
        return &repeat->owned;
    }
    connection->differing++;
    if (size > longest_kept || connection->differing == most_differing) {
        larder_repeat_end(connection);
        return NULL;
    }
    disown(connection);
    if (!repeat || repeat->capacity < size) {
        free(repeat);
        repeat = connection->repeat = malloc(sizeof *repeat + size);
        if (!repeat) {
            return NULL;
        }
        repeat->capacity = size;
        repeat->owned = NULL;
    }
    repeat->guard = connection->guard;
    repeat->copy_size = copy_size;
    memcpy(repeat->head, head, size);
    return &repeat->owned;
}
