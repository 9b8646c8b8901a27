#ifndef LARDER_GUARD_INTERNAL_H
#define LARDER_GUARD_INTERNAL_H

#include "guard.h"

enum {
    LARDER_BYTE_TOKEN = 1,  /* of methods and field names */
    LARDER_BYTE_TARGET = 2, /* visible and no "#", which is never sent; browsers send the other forbidden ones */
    LARDER_BYTE_VALUE = 4,
    LARDER_BYTE_HOST = 8,   /* of names and IPv4 addresses, without an escape */
};

extern const unsigned char larder_bytes[256];

static inline bool larder_byte_is(unsigned char byte, int kind) {
    return larder_bytes[byte] & kind;
}

static inline const unsigned char *larder_guard_refuse(
    larder_guard *guard, larder_refusal why, const unsigned char *at) {
    guard->step = LARDER_GUARD_REFUSED;
    guard->refusal = (uint8_t)why;
    return at;
}

/* guard_target.c */
const unsigned char *larder_guard_target(
    larder_guard *guard, const larder_guard_limits *limits, const unsigned char *at, const unsigned char *end);
bool larder_guard_is_target_whole(const larder_guard *guard);
/* The value of Host is an authority as in an absolute target, or empty. */
void larder_guard_begin_host(larder_guard *guard);
bool larder_guard_may_follow_in_host(larder_guard *guard, unsigned char byte);
const unsigned char *larder_guard_skip_host_name(
    const larder_guard *guard, const unsigned char *at, const unsigned char *end);
bool larder_guard_is_host_whole(const larder_guard *guard);

/* guard_field.c */
void larder_guard_note_name(larder_guard *guard, const unsigned char *at, const unsigned char *end);
void larder_guard_end_name(larder_guard *guard);
void larder_guard_note_value(larder_guard *guard, const unsigned char *at, const unsigned char *end);
larder_refusal larder_guard_end_value(larder_guard *guard);
larder_refusal larder_guard_judge(const larder_guard *guard);

#endif
