#include "guard.h"

/* evhttp rejects a line under 14 bytes as a request line. No method is shorter or longer than these. */
enum { shortest_method = 3, longest_method = 32, longest_version = 16 };

static const char version_prefix[] = "HTTP/";

static const unsigned char *malformed(larder_guard *guard, const unsigned char *at) {
    return larder_guard_refuse(guard, LARDER_REFUSAL_MALFORMED, at);
}

/* Continues after the line feed of a valid line. */
static const unsigned char *end_line(
    larder_guard *guard, larder_refusal why, larder_guard_step next, const unsigned char *at) {
    if (why != LARDER_REFUSAL_NONE) {
        return larder_guard_refuse(guard, why, at);
    }
    guard->step = next;
    return at + 1;
}

static const unsigned char *read_method(larder_guard *guard, const unsigned char *at, const unsigned char *end) {
    while (at < end && larder_byte_is(*at, LARDER_BYTE_TOKEN)) {
        if (guard->method_size < sizeof guard->method) {
            guard->method[guard->method_size] = (char)*at;
        } else if (guard->method_size == longest_method) {
            return larder_guard_refuse(guard, LARDER_REFUSAL_METHOD, at);
        }
        guard->method_size++;
        at++;
    }
    if (at == end) {
        return at;
    }
    if (*at != ' ' || guard->method_size == 0) {
        return malformed(guard, at);
    }
    if (guard->method_size < shortest_method) {
        return larder_guard_refuse(guard, LARDER_REFUSAL_METHOD, at);
    }
    guard->step = LARDER_GUARD_TARGET;
    return at + 1;
}

static const unsigned char *read_version(larder_guard *guard, const unsigned char *at, const unsigned char *end) {
    for (; at < end && *at != '\r'; at++) {
        unsigned place = guard->version_size++;
        if (place < 5 ? *at != version_prefix[place] : *at <= ' ' || *at >= 0x7f) {
            return malformed(guard, at);
        }
        if (place == longest_version) {
            return larder_guard_refuse(guard, LARDER_REFUSAL_VERSION, at);
        }
        if (place >= 5) {
            /* A higher minor version is served as the highest that is known (RFC 9110, 2.5). */
            bool is_expected = place == 7 ? *at >= '0' && *at <= '9' : place < 7 && *at == "1."[place - 5];
            guard->is_version_known = is_expected && (place == 5 || guard->is_version_known);
            guard->is_http10 = place == 7 && *at == '0';
        }
    }
    if (at == end) {
        return at;
    }
    if (guard->version_size < 6) {
        return malformed(guard, at);
    }
    guard->step = LARDER_GUARD_LINE_LF;
    return at + 1;
}

static larder_refusal judge_request_line(const larder_guard *guard) {
    if (!guard->is_version_known || guard->version_size != 8) {
        return LARDER_REFUSAL_VERSION;
    }
    if (larder_guard_has_method(guard, "CONNECT")) {
        return LARDER_REFUSAL_CONNECT;
    }
    return larder_guard_is_target_whole(guard) ? LARDER_REFUSAL_NONE : LARDER_REFUSAL_TARGET;
}

static const unsigned char *begin_field(
    larder_guard *guard, const larder_guard_limits *limits, const unsigned char *at) {
    if (*at == '\r') {
        guard->step = LARDER_GUARD_END_LF;
        return at + 1;
    }
    /* White space here would continue the previous line; evhttp joins the two, other parsers do not. */
    if (!larder_byte_is(*at, LARDER_BYTE_TOKEN)) {
        return malformed(guard, at);
    }
    if (guard->fields == limits->fields) {
        return larder_guard_refuse(guard, LARDER_REFUSAL_FIELDS, at);
    }
    guard->fields++;
    guard->field = 0;
    guard->name_size = 0;
    guard->step = LARDER_GUARD_NAME;
    return at;
}

static const unsigned char *read_name(larder_guard *guard, const unsigned char *at, const unsigned char *end) {
    const unsigned char *from = at;
    at = larder_skip_bytes(at, end, LARDER_BYTE_TOKEN);
    larder_guard_read_name(guard, from, at);
    if (at == end) {
        return at;
    }
    if (*at != ':') {
        return malformed(guard, at);
    }
    larder_guard_end_name(guard);
    guard->step = LARDER_GUARD_VALUE;
    return at + 1;
}

/* Values are most of a head, so eight bytes are checked at once as long as none is a control character. */
static const unsigned char *skip_value(const unsigned char *at, const unsigned char *end) {
    const uint64_t ones = 0x0101010101010101u;
    for (; end - at >= 8; at += 8) {
        uint64_t eight;
        memcpy(&eight, at, sizeof eight);
        uint64_t deletes = eight ^ ones * 0x7f;
        uint64_t found = ((eight - ones * 0x20) & ~eight) | ((deletes - ones) & ~deletes);
        if (found & ones * 0x80) {
            break;
        }
    }
    return larder_skip_bytes(at, end, LARDER_BYTE_VALUE);
}

static const unsigned char *read_value(larder_guard *guard, const unsigned char *at, const unsigned char *end) {
    const unsigned char *from = at;
    at = skip_value(at, end);
    larder_guard_read_value(guard, from, at);
    if (at == end) {
        return at;
    }
    if (*at != '\r') {
        return malformed(guard, at);
    }
    guard->step = LARDER_GUARD_VALUE_LF;
    return at + 1;
}

/* Skips one empty line, for clients that add a line end to a body. */
static const unsigned char *start(larder_guard *guard, const unsigned char *at) {
    if (*at != '\r') {
        guard->step = LARDER_GUARD_METHOD;
        return at;
    }
    if (guard->skips_empty_line) {
        return malformed(guard, at);
    }
    guard->step = LARDER_GUARD_START_LF;
    return at + 1;
}

/* Every line ends with CR LF; the byte after the CR decides about the line. */
static const unsigned char *end_any_line(
    larder_guard *guard, const larder_guard_limits *limits, const unsigned char *at) {
    if (*at != '\n') {
        return malformed(guard, at);
    }
    switch (guard->step) {
        case LARDER_GUARD_START_LF:
            guard->skips_empty_line = true;
            return end_line(guard, LARDER_REFUSAL_NONE, LARDER_GUARD_START, at);
        case LARDER_GUARD_LINE_LF: {
            bool may_have_body = limits->body_bytes && larder_guard_has_method(guard, "POST");
            larder_guard_step next = may_have_body ? LARDER_GUARD_LINE : LARDER_GUARD_FIELD;
            return end_line(guard, judge_request_line(guard), next, at);
        }
        case LARDER_GUARD_VALUE_LF: return end_line(guard, larder_guard_end_value(guard), LARDER_GUARD_FIELD, at);
        default: {
            larder_guard_step next = guard->body_left ? LARDER_GUARD_BODY : LARDER_GUARD_ACCEPTED;
            return end_line(guard, larder_guard_judge(guard, limits), next, at);
        }
    }
}

static const unsigned char *advance(
    larder_guard *guard, const larder_guard_limits *limits, const unsigned char *at, const unsigned char *end) {
    switch ((larder_guard_step)guard->step) {
        case LARDER_GUARD_START: return start(guard, at);
        case LARDER_GUARD_METHOD: return read_method(guard, at, end);
        case LARDER_GUARD_TARGET: return larder_guard_target(guard, limits, at, end);
        case LARDER_GUARD_VERSION: return read_version(guard, at, end);
        case LARDER_GUARD_FIELD: return begin_field(guard, limits, at);
        case LARDER_GUARD_NAME: return read_name(guard, at, end);
        case LARDER_GUARD_VALUE: return read_value(guard, at, end);
        case LARDER_GUARD_START_LF:
        case LARDER_GUARD_LINE_LF:
        case LARDER_GUARD_VALUE_LF:
        case LARDER_GUARD_END_LF: return end_any_line(guard, limits, at);
        case LARDER_GUARD_LINE:
        case LARDER_GUARD_BODY:
        case LARDER_GUARD_ACCEPTED:
        case LARDER_GUARD_REFUSED: break;
    }
    return end;
}

static bool is_reading_head(const larder_guard *guard) {
    return guard->step < LARDER_GUARD_LINE;
}

static const unsigned char *skip_body(larder_guard *guard, const unsigned char *at, const unsigned char *end) {
    size_t size = (size_t)(end - at);
    if (size < guard->body_left) {
        guard->body_left -= size;
        return end;
    }
    at += guard->body_left;
    guard->body_left = 0;
    guard->step = LARDER_GUARD_ACCEPTED;
    return at;
}

size_t larder_guard_feed(
    larder_guard *guard, const larder_guard_limits *limits, const unsigned char *bytes, size_t size) {
    size_t room = limits->head_bytes - guard->head_size;
    const unsigned char *at = bytes, *end = bytes + (size < room ? size : room);
    while (at < end && is_reading_head(guard)) {
        at = advance(guard, limits, at, end);
    }
    guard->head_size += (size_t)(at - bytes);
    if (size > room && at == end && is_reading_head(guard)) {
        bool is_line = guard->step <= LARDER_GUARD_LINE_LF;
        larder_guard_refuse(guard, is_line ? LARDER_REFUSAL_TARGET_SIZE : LARDER_REFUSAL_HEAD_SIZE, at);
    }
    if (guard->step == LARDER_GUARD_BODY) {
        at = skip_body(guard, at, bytes + size);
    }
    return (size_t)(at - bytes);
}

void larder_guard_allow(larder_guard *guard, size_t most) {
    guard->body_most = most;
    guard->step = LARDER_GUARD_FIELD;
}
