#ifndef SECOND_READER_H
#define SECOND_READER_H

#include "guard/guard.h"

/* A request that is whole and may be served. */
typedef struct second_request {
    size_t size; /* of all of it, with an empty line before it; 0 if there is none */
    size_t body_size;
    bool is_stream; /* the fuzzed server answers it with one, which ends the connection */
} second_request;

/* The request that the bytes start with. Written for the eye, from RFC 9112 and not from the guard: it looks at whole
 * lines. */
second_request second_reader_accepts(const unsigned char *bytes, size_t size, const larder_guard_limits *limits);

/* The longest body of a POST for a path in the fuzzed servers, whose hooks begin with /h. */
size_t second_reader_body_limit(const char *path, size_t size);
/* Whether a path in the fuzzed servers is a stream's. */
bool second_reader_is_stream(const char *path, size_t size);

#endif
