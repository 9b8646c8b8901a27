#ifndef LARDER_SHORTCUT_H
#define LARDER_SHORTCUT_H

#include "server_internal.h"

/* The way of a request whose answer is at hand: it is read from the guard's bytes and answered before evhttp sees it,
 * whose parsing costs several times what such an answer does. */

/* Who sends more fields goes the long way. */
enum { LARDER_SHORTCUT_FIELDS = 32 };

typedef struct larder_field {
    const char *name, *value;
    uint32_t name_size, value_size;
} larder_field;

/* A request in the input buffer, while its owner looks at it. */
struct larder_shortcut {
    const char *target;
    size_t target_size;
    size_t size; /* of target and fields as larder_request_copy writes them */
    uint32_t fields;
    larder_field field[LARDER_SHORTCUT_FIELDS];
};

/* Answers the request that the guard has accepted up to `end` if that can be done at once. If not, nothing has happened
 * and evhttp has to read it. */
bool larder_shortcut_take(larder_connection *connection, size_t end);

void larder_shortcut_copy(const larder_shortcut *shortcut, const char *peer, void *buffer);
void larder_shortcut_reply(larder_connection *connection, const larder_reply *reply);

#endif
