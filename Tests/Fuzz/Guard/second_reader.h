#ifndef SECOND_READER_H
#define SECOND_READER_H

#include "guard/guard.h"

/* The size of the head that the bytes start with, an empty line before it included, if it is whole and is one that may
 * be served; else 0. Written for the eye, from RFC 9112 and not from the guard: it looks at whole lines. */
size_t second_reader_accepts(const unsigned char *bytes, size_t size, const larder_guard_limits *limits);

#endif
