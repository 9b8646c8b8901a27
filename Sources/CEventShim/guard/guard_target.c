#include "guard.h"

#include <arpa/inet.h>

/* The part of the target that the last byte belongs to. After the start of the path any target byte may follow. */
enum {
    form_unknown,
    form_asterisk,
    form_slash,
    form_scheme,
    form_authority_start,
    form_host,
    form_literal, /* an IPv6 address in brackets */
    form_literal_end,
    form_port,
    form_path,
};

static const char scheme[] = "http://";

/* Takes the byte of "http://" or "https://" at index target_size. */
static int after_scheme_byte(larder_guard *guard, unsigned char byte) {
    size_t place = guard->target_size;
    /* "https" is one byte longer; the port, not in use yet, records that. */
    if (place == 4 && (byte | 0x20) == 's') {
        guard->port = 1;
        return form_scheme;
    }
    place -= guard->port;
    if (larder_lower(byte) != (unsigned char)scheme[place]) {
        return form_unknown;
    }
    if (place + 2 < sizeof scheme) {
        return form_scheme;
    }
    guard->port = 0;
    return form_authority_start;
}

static int after_port_byte(larder_guard *guard, unsigned char byte) {
    if (byte == '/' || byte == '?') {
        return form_path;
    }
    guard->port = guard->port * 10 + byte - '0';
    return byte >= '0' && byte <= '9' && guard->port <= 65535 ? form_port : form_unknown;
}

static int after_host_byte(unsigned char byte) {
    switch (byte) {
        case '/':
        case '?': return form_path;
        case ':': return form_port;
        default: return larder_byte_is(byte, LARDER_BYTE_HOST) ? form_host : form_unknown;
    }
}

/* evhttp responds itself if the address is invalid. It is more lenient than inet_pton, never stricter. */
static int after_literal_byte(larder_guard *guard, unsigned char byte) {
    if (byte == ']') {
        struct in6_addr address;
        return inet_pton(AF_INET6, guard->literal, &address) == 1 ? form_literal_end : form_unknown;
    }
    if (guard->literal_size == sizeof guard->literal - 1) {
        return form_unknown;
    }
    guard->literal[guard->literal_size++] = (char)byte;
    return form_literal;
}

static int after_first_byte(unsigned char byte) {
    switch (byte) {
        case '/': return form_slash;
        case '*': return form_asterisk;
        case 'h':
        case 'H': return form_scheme;
        default: return form_unknown;
    }
}

/* The state after one more byte; form_unknown if the byte is invalid. */
static int after_byte(larder_guard *guard, unsigned char byte) {
    switch (guard->form) {
        case form_unknown: return after_first_byte(byte);
        /* evhttp parses what follows two slashes as an authority, and responds itself if it is invalid. */
        case form_slash: return byte == '/' ? form_unknown : form_path;
        case form_scheme: return after_scheme_byte(guard, byte);
        case form_authority_start:
            return byte == '[' ? form_literal : larder_byte_is(byte, LARDER_BYTE_HOST) ? form_host : form_unknown;
        case form_host: return after_host_byte(byte);
        case form_literal: return after_literal_byte(guard, byte);
        case form_literal_end: return after_host_byte(byte) == form_host ? form_unknown : after_host_byte(byte);
        case form_port: return after_port_byte(guard, byte);
        default: return form_unknown;
    }
}

/* After the start of the path any target byte may follow. Returns the end of the target, or the position of its limit.
 * */
static const unsigned char *skip_path(
    larder_guard *guard, const larder_guard_limits *limits, const unsigned char *at, const unsigned char *end) {
    size_t room = limits->target_bytes - guard->target_size;
    const unsigned char *stop = larder_skip_bytes(
        at, (size_t)(end - at) < room ? end : at + room, LARDER_BYTE_TARGET);
    guard->target_size += (size_t)(stop - at);
    return stop;
}

const unsigned char *larder_guard_target(
    larder_guard *guard, const larder_guard_limits *limits, const unsigned char *at, const unsigned char *end) {
    for (; at < end && larder_byte_is(*at, LARDER_BYTE_TARGET); at++) {
        if (guard->target_size == limits->target_bytes) {
            return larder_guard_refuse(guard, LARDER_REFUSAL_TARGET_SIZE, at);
        }
        if (guard->form == form_path) {
            at = skip_path(guard, limits, at, end) - 1;
            continue;
        }
        int form = after_byte(guard, *at);
        /* CONNECT is refused at the end of its line, whatever its target. */
        if (form == form_unknown && !larder_guard_has_method(guard, "CONNECT")) {
            return larder_guard_refuse(guard, LARDER_REFUSAL_TARGET, at);
        }
        guard->form = form == form_unknown ? form_path : (uint8_t)form;
        guard->target_size++;
    }
    if (at == end) {
        return at;
    }
    if (*at != ' ' || guard->target_size == 0) {
        return larder_guard_refuse(guard, LARDER_REFUSAL_MALFORMED, at);
    }
    guard->step = LARDER_GUARD_VERSION;
    return at + 1;
}

bool larder_guard_is_target_whole(const larder_guard *guard) {
    switch (guard->form) {
        case form_asterisk:
            return guard->target_size == 1 && larder_guard_has_method(guard, "OPTIONS");
        case form_slash:
        case form_host:
        case form_literal_end:
        case form_port:
        case form_path: return true;
        default: return false;
    }
}

/* Host follows the target, so it reuses the target's fields. */
void larder_guard_begin_host(larder_guard *guard) {
    guard->form = form_authority_start;
    guard->port = 0;
    if (guard->literal_size) {
        memset(guard->literal, 0, sizeof guard->literal);
        guard->literal_size = 0;
    }
}

/* Skips bytes that may occur in a name or an IPv4 address, in any order: most bytes of a Host are among these. */
const unsigned char *larder_guard_skip_host_name(
    const larder_guard *guard, const unsigned char *at, const unsigned char *end) {
    return guard->form == form_host ? larder_skip_bytes(at, end, LARDER_BYTE_HOST) : at;
}

/* Not to be called again after it returned false. */
bool larder_guard_may_follow_in_host(larder_guard *guard, unsigned char byte) {
    int form = after_byte(guard, byte);
    if (form == form_unknown || form == form_path) {
        return false;
    }
    guard->form = (uint8_t)form;
    return true;
}

bool larder_guard_is_host_whole(const larder_guard *guard) {
    return guard->form != form_literal;
}
