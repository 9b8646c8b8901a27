#ifndef LARDER_GUARD_H
#define LARDER_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "larder_refusal.h"

/* Checks a request's head against RFC 9112, byte by byte, decides whether evhttp may parse it, and skips its body. The
 * verdict and its position depend on the bytes alone, however they are split. */

typedef struct larder_guard_limits {
    size_t target_bytes;
    size_t head_bytes; /* request line and fields as received, line ends included */
    uint32_t fields;
    size_t body_bytes; /* of any POST, by its Content-Length; no other request may have a body */
} larder_guard_limits;

typedef enum larder_guard_step {
    LARDER_GUARD_START, /* nothing of this head was received, but perhaps an empty line before it */
    LARDER_GUARD_START_LF,
    LARDER_GUARD_METHOD,
    LARDER_GUARD_TARGET,
    LARDER_GUARD_VERSION,
    LARDER_GUARD_LINE_LF,
    LARDER_GUARD_FIELD,
    LARDER_GUARD_NAME,
    LARDER_GUARD_VALUE,
    LARDER_GUARD_VALUE_LF,
    LARDER_GUARD_END_LF,
    LARDER_GUARD_LINE,     /* the line of a POST is valid, and larder_guard_allow has to set the limit of its body */
    LARDER_GUARD_BODY,     /* the head is valid, and its body is not complete */
    LARDER_GUARD_ACCEPTED, /* the request is complete and valid; no byte after it was read */
    LARDER_GUARD_REFUSED,
} larder_guard_step;

/* A zeroed guard is at the start of a head. */
typedef struct larder_guard {
    uint8_t step;          /* larder_guard_step */
    uint8_t refusal;       /* larder_refusal, once refused */
    uint8_t form;          /* of the target, and then of Host */
    uint8_t field;         /* the field being read, if it has a rule */
    uint8_t name_size;     /* of its name as far as it matches */
    uint8_t value_size;    /* of its value, up to 255 */
    uint8_t version_size;
    char method[8];        /* its first bytes */
    uint16_t method_size;
    uint16_t hosts;
    uint16_t lengths;
    uint16_t codings;
    bool skips_empty_line; /* an empty line came before the request */
    bool is_version_known;
    bool is_http10;
    bool is_value_bad;
    bool is_value_over;    /* white space came after it */
    bool is_chunked;       /* "chunked" is the only transfer coding */
    bool expects_more;     /* there is an Expect other than 100-continue */
    bool expects_continue;
    uint8_t literal_size;
    char literal[46];      /* the IPv6 address of an absolute target or of Host; the rest is zero */
    uint32_t port;         /* of an absolute target or of Host */
    uint32_t fields;
    size_t target_size;
    size_t head_size;
    size_t body_left;      /* of Content-Length, or far more than any limit */
    size_t body_most;      /* as allowed */
} larder_guard;

/* Consumes bytes until the request is accepted or refused, or the limit of its body is needed. Returns the number
 * consumed. */
size_t larder_guard_feed(
    larder_guard *guard, const larder_guard_limits *limits, const unsigned char *bytes, size_t size);

/* Continues after the line of a POST, whose body may have so many bytes. */
void larder_guard_allow(larder_guard *guard, size_t most);

/* The size of the request line with its line end, once it is complete. */
static inline size_t larder_guard_line_size(const larder_guard *guard) {
    return guard->method_size + guard->target_size + sizeof "  HTTP/1.1\r\n" - 1;
}

static inline bool larder_guard_is_reading(const larder_guard *guard) {
    return guard->step < LARDER_GUARD_ACCEPTED;
}

/* Whether no byte of a request has been received. */
static inline bool larder_guard_is_fresh(const larder_guard *guard) {
    return guard->step == LARDER_GUARD_START;
}

/* `method` has at most eight bytes. */
static inline bool larder_guard_has_method(const larder_guard *guard, const char *method) {
    size_t size = strlen(method);
    return guard->method_size == size && memcmp(guard->method, method, size) == 0;
}

/* The path of a target in absolute form, or its end; any other target unchanged. The guard must have accepted the
 * target. */
static inline const char *larder_guard_path(const char *target, size_t size) {
    const char *end = target + size;
    bool is_absolute = (*target | 0x20) == 'h';
    for (int slashes = 0; is_absolute && target < end && slashes < 2; target++) {
        slashes += *target == '/';
    }
    while (is_absolute && target < end && *target != '/' && *target != '?') {
        target++;
    }
    return target;
}

/* The rest is internal to this folder. */

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

/* Skips bytes of one kind, eight or four at a time. */
static inline const unsigned char *larder_skip_bytes(
    const unsigned char *at, const unsigned char *end, unsigned char kind) {
    const unsigned char *kinds = larder_bytes;
    while (end - at >= 8 && (kinds[at[0]] & kinds[at[1]] & kinds[at[2]] & kinds[at[3]] & kinds[at[4]] & kinds[at[5]] &
                             kinds[at[6]] & kinds[at[7]] & kind)) {
        at += 8;
    }
    if (end - at >= 4 && (kinds[at[0]] & kinds[at[1]] & kinds[at[2]] & kinds[at[3]] & kind)) {
        at += 4;
    }
    while (at < end && larder_byte_is(*at, kind)) {
        at++;
    }
    return at;
}

static inline unsigned char larder_lower(unsigned char byte) {
    return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
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
/* The value of Host is empty, or an authority as in an absolute target. */
void larder_guard_begin_host(larder_guard *guard);
bool larder_guard_may_follow_in_host(larder_guard *guard, unsigned char byte);
const unsigned char *larder_guard_skip_host_name(
    const larder_guard *guard, const unsigned char *at, const unsigned char *end);
bool larder_guard_is_host_whole(const larder_guard *guard);

/* guard_field.c */
void larder_guard_read_name(larder_guard *guard, const unsigned char *at, const unsigned char *end);
void larder_guard_end_name(larder_guard *guard);
void larder_guard_read_value(larder_guard *guard, const unsigned char *at, const unsigned char *end);
larder_refusal larder_guard_end_value(larder_guard *guard);
larder_refusal larder_guard_judge(const larder_guard *guard, const larder_guard_limits *limits);

/* Moves both ends past blanks. */
static inline void larder_trim(const char **from, const char **to) {
    while (*from < *to && (**from == ' ' || **from == '\t')) {
        (*from)++;
    }
    while (*to > *from && ((*to)[-1] == ' ' || (*to)[-1] == '\t')) {
        (*to)--;
    }
}

#endif
