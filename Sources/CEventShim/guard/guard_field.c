#include "guard.h"

/* Sixteen bytes a line; each the sum of its kinds. */
const unsigned char larder_bytes[256] = {
     0,  0,  0,  0,  0,  0,  0,  0,  0,  4,  0,  0,  0,  0,  0,  0,
     0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
     4, 15,  6,  5, 15,  7, 15, 15, 14, 14, 15, 15, 14, 15, 15,  6,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15,  6, 14,  6, 14,  6,  6,
     6, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,  6,  6,  6,  7, 15,
     7, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,  6,  7,  6, 15,  0,
     4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,
     4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,
     4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,
     4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,
     4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,
     4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,
     4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,
     4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,
};

/* The fields that affect framing or routing; any other is 0. */
enum { field_other, field_host, field_length, field_coding, field_expect };

static const char *const names[] = {
    [field_host] = "host",
    [field_length] = "content-length",
    [field_coding] = "transfer-encoding",
    [field_expect] = "expect",
};

static uint8_t candidate(unsigned char first) {
    switch (larder_lower(first)) {
        case 'h': return field_host;
        case 'c': return field_length;
        case 't': return field_coding;
        case 'e': return field_expect;
        default: return field_other;
    }
}

void larder_guard_read_name(larder_guard *guard, const unsigned char *at, const unsigned char *end) {
    if (at < end && guard->name_size == 0) {
        guard->field = candidate(*at);
        guard->name_size = 1;
        at++;
    }
    for (; at < end && guard->field != field_other; at++) {
        if (larder_lower(*at) == (unsigned char)names[guard->field][guard->name_size]) {
            guard->name_size++;
        } else {
            guard->field = field_other;
        }
    }
}

void larder_guard_end_name(larder_guard *guard) {
    if (guard->field != field_other && names[guard->field][guard->name_size]) {
        guard->field = field_other;
    }
    guard->value_size = 0;
    guard->is_value_bad = false;
    guard->is_value_over = false;
    if (guard->field == field_host) {
        larder_guard_begin_host(guard);
    }
}

/* Whether the byte is the next one of the word, in any case. */
static bool is_next_of(const char *word, const larder_guard *guard, unsigned char byte) {
    return guard->value_size < strlen(word) && larder_lower(byte) == (unsigned char)word[guard->value_size];
}

/* Whether a byte may follow in the value of the current field. */
static bool is_expected(larder_guard *guard, unsigned char byte) {
    switch (guard->field) {
        case field_host: return larder_guard_may_follow_in_host(guard, byte);
        case field_length:
            /* A number this large is refused in any case. */
            if (guard->body_left < SIZE_MAX / 16) {
                guard->body_left = guard->body_left * 10 + (size_t)(byte & 0x0f);
            }
            return byte >= '0' && byte <= '9';
        case field_coding: return is_next_of("chunked", guard, byte);
        default: return is_next_of("100-continue", guard, byte);
    }
}

void larder_guard_read_value(larder_guard *guard, const unsigned char *at, const unsigned char *end) {
    if (guard->field == field_other) {
        return;
    }
    while (at < end) {
        unsigned char byte = *at++;
        if (byte == ' ' || byte == '\t') {
            guard->is_value_over = guard->value_size > 0;
            continue;
        }
        guard->is_value_bad = guard->is_value_bad || guard->is_value_over || !is_expected(guard, byte);
        guard->value_size += guard->value_size < 255;
        if (guard->field == field_host && !guard->is_value_bad) {
            at = larder_guard_skip_host_name(guard, at, end);
        }
    }
}

larder_refusal larder_guard_end_value(larder_guard *guard) {
    switch (guard->field) {
        case field_host:
            guard->hosts++;
            return guard->is_value_bad || !larder_guard_is_host_whole(guard) || guard->hosts > 1 ? LARDER_REFUSAL_HOST
                                                                                                 : LARDER_REFUSAL_NONE;
        case field_length:
            guard->lengths++;
            return guard->is_value_bad || guard->value_size == 0 || guard->lengths > 1 ? LARDER_REFUSAL_LENGTH
                                                                                      : LARDER_REFUSAL_NONE;
        case field_coding:
            guard->codings++;
            guard->is_chunked = guard->codings == 1 && !guard->is_value_bad && guard->value_size == 7;
            return LARDER_REFUSAL_NONE;
        case field_expect:
            guard->expects_continue = true;
            guard->expects_more = guard->expects_more || guard->is_value_bad || guard->value_size != 12;
            return LARDER_REFUSAL_NONE;
        default: return LARDER_REFUSAL_NONE;
    }
}

static larder_refusal judge_coding(const larder_guard *guard) {
    if (guard->lengths) {
        return LARDER_REFUSAL_LENGTH;
    }
    if (guard->is_http10) {
        return LARDER_REFUSAL_OLD_CODING;
    }
    return guard->is_chunked ? LARDER_REFUSAL_CHUNKED : LARDER_REFUSAL_CODING;
}

/* Sends no 100 Continue: clients repeat a request that was refused with 417 without Expect. */
static larder_refusal judge_body(const larder_guard *guard, const larder_guard_limits *limits) {
    size_t most = guard->body_most < limits->body_bytes ? guard->body_most : limits->body_bytes;
    if (guard->body_left > most || !larder_guard_has_method(guard, "POST")) {
        return LARDER_REFUSAL_BODY;
    }
    return guard->expects_continue ? LARDER_REFUSAL_EXPECTATION : LARDER_REFUSAL_NONE;
}

larder_refusal larder_guard_judge(const larder_guard *guard, const larder_guard_limits *limits) {
    if (guard->hosts == 0 && !guard->is_http10) {
        return LARDER_REFUSAL_HOST;
    }
    if ((guard->codings || guard->body_left) && larder_guard_has_method(guard, "HEAD")) {
        return LARDER_REFUSAL_HEAD_BODY;
    }
    if (guard->codings) {
        return judge_coding(guard);
    }
    if (guard->body_left) {
        return judge_body(guard, limits);
    }
    return guard->expects_more ? LARDER_REFUSAL_EXPECTATION : LARDER_REFUSAL_NONE;
}
