#define _GNU_SOURCE
#include "second_reader.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct text {
    const char *at;
    size_t size;
} text;

typedef struct seen {
    unsigned fields, hosts, lengths;
    size_t body_size;
    bool expects;
    bool is_good;
} seen;

typedef struct request_line {
    text method, target;
    bool is_http10;
} request_line;

static const char token_marks[] = "!#$%&'*+-.^_`|~";
static const char host_marks[] = "-._~!$&'()*+,;=";

static bool is_one_of(unsigned char byte, const char *marks) {
    return byte && byte < 0x80 && (isalnum(byte) || strchr(marks, byte));
}

static bool all_one_of(text part, const char *marks) {
    for (size_t i = 0; i < part.size; i++) {
        if (!is_one_of((unsigned char)part.at[i], marks)) {
            return false;
        }
    }
    return true;
}

static bool is_text(text part, const char *expected) {
    return part.size == strlen(expected) && strncasecmp(part.at, expected, part.size) == 0;
}

/* Cuts the part before a byte off the front; all of it when the byte is not there. */
static text cut(text *rest, char byte) {
    const char *found = memchr(rest->at, byte, rest->size);
    text first = {rest->at, found ? (size_t)(found - rest->at) : rest->size};
    size_t gone = first.size + (found != NULL);
    *rest = (text){rest->at + gone, rest->size - gone};
    return first;
}

static text trimmed(text part) {
    while (part.size && (*part.at == ' ' || *part.at == '\t')) {
        part.at++;
        part.size--;
    }
    while (part.size && (part.at[part.size - 1] == ' ' || part.at[part.size - 1] == '\t')) {
        part.size--;
    }
    return part;
}

static bool is_port(text port) {
    unsigned long number = 0;
    for (size_t i = 0; i < port.size; i++) {
        number = number * 10 + (unsigned long)(port.at[i] - '0');
        if (!isdigit((unsigned char)port.at[i]) || number > 65535) {
            return false;
        }
    }
    return true;
}

static bool is_ipv6(text part) {
    char copy[INET6_ADDRSTRLEN] = "";
    struct in6_addr address;
    if (part.size >= sizeof copy) {
        return false;
    }
    memcpy(copy, part.at, part.size);
    return inet_pton(AF_INET6, copy, &address) == 1;
}

static bool is_authority(text part) {
    if (part.size && *part.at == '[') {
        const char *end = memchr(part.at, ']', part.size);
        if (!end || !is_ipv6((text){part.at + 1, (size_t)(end - part.at) - 1})) {
            return false;
        }
        text port = {end + 1, part.size - (size_t)(end + 1 - part.at)};
        return port.size == 0 || (*port.at == ':' && is_port((text){port.at + 1, port.size - 1}));
    }
    text host = cut(&part, ':');
    return host.size && all_one_of(host, host_marks) && is_port(part);
}

static bool is_target(text target, bool is_options) {
    for (size_t i = 0; i < target.size; i++) {
        unsigned char byte = (unsigned char)target.at[i];
        if (byte <= ' ' || byte >= 0x7f || byte == '#') {
            return false;
        }
    }
    if (is_text(target, "*")) {
        return is_options;
    }
    if (target.size && *target.at == '/') {
        return target.size < 2 || target.at[1] != '/';
    }
    size_t scheme = target.size > 7 && strncasecmp(target.at, "http://", 7) == 0    ? 7
                    : target.size > 8 && strncasecmp(target.at, "https://", 8) == 0 ? 8
                                                                                    : 0;
    size_t end = scheme;
    while (end < target.size && target.at[end] != '/' && target.at[end] != '?') {
        end++;
    }
    return scheme && is_authority((text){target.at + scheme, end - scheme});
}

static bool is_request_line(text line, const larder_guard_limits *limits, request_line *parts) {
    text method = cut(&line, ' '), target = cut(&line, ' ');
    *parts = (request_line){.method = method, .target = target};
    parts->is_http10 = line.size == 8 && memcmp(line.at, "HTTP/1.0", 8) == 0;
    bool is_version = line.size == 8 && memcmp(line.at, "HTTP/1.", 7) == 0 && isdigit((unsigned char)line.at[7]);
    bool is_options = method.size == 7 && memcmp(method.at, "OPTIONS", 7) == 0;
    bool is_connect = method.size == 7 && memcmp(method.at, "CONNECT", 7) == 0;
    return is_version && method.size >= 3 && method.size <= 32 && all_one_of(method, token_marks) && !is_connect &&
           target.size <= limits->target_bytes && is_target(target, is_options);
}

/* Any number over a million is one. */
static bool is_number(text value, size_t *number) {
    *number = 0;
    for (size_t i = 0; i < value.size; i++) {
        if (!isdigit((unsigned char)value.at[i])) {
            return false;
        }
        *number = *number * 10 + (size_t)(value.at[i] - '0');
        *number = *number > 1000000 ? 1000000 : *number;
    }
    return value.size > 0;
}

/* What follows the authority of an absolute target. */
static text path_of(text target) {
    if (target.size && *target.at != '/') {
        cut(&target, '/');
        cut(&target, '/');
        while (target.size && *target.at != '/' && *target.at != '?') {
            target = (text){target.at + 1, target.size - 1};
        }
    }
    return target;
}

static bool begins(const char *path, size_t size, char letter) {
    return size >= 2 && path[0] == '/' && path[1] == letter;
}

size_t second_reader_body_limit(const char *path, size_t size) {
    return begins(path, size, 'h') ? size : 0;
}

bool second_reader_is_stream(const char *path, size_t size) {
    return begins(path, size, 's');
}

static void read_field(text line, seen *all) {
    for (size_t i = 0; i < line.size; i++) {
        unsigned char byte = (unsigned char)line.at[i];
        all->is_good = all->is_good && (byte == '\t' || (byte >= ' ' && byte != 0x7f));
    }
    bool has_colon = memchr(line.at, ':', line.size) != NULL;
    text name = cut(&line, ':'), value = trimmed(line);
    all->fields++;
    all->is_good = all->is_good && has_colon && name.size && all_one_of(name, token_marks);
    if (is_text(name, "Host")) {
        all->hosts++;
        all->is_good = all->is_good && (value.size == 0 || is_authority(value));
    } else if (is_text(name, "Content-Length")) {
        all->lengths++;
        all->is_good = all->is_good && is_number(value, &all->body_size);
    } else if (is_text(name, "Transfer-Encoding")) {
        all->is_good = false;
    } else if (is_text(name, "Expect")) {
        all->expects = true;
        all->is_good = all->is_good && is_text(value, "100-continue");
    }
}

/* A line without its CRLF, from an offset that is moved behind it; no line has a CR or LF of its own. */
static bool next_line(const unsigned char *bytes, size_t size, size_t *from, text *line) {
    const char *start = (const char *)bytes + *from;
    const char *end = memmem(start, size - *from, "\r\n", 2);
    if (!end) {
        return false;
    }
    *line = (text){start, (size_t)(end - start)};
    *from += line->size + 2;
    return !memchr(start, '\r', line->size) && !memchr(start, '\n', line->size);
}

static bool may_have_body(const seen *all, const request_line *line, const larder_guard_limits *limits) {
    text path = path_of(line->target);
    bool is_post = line->method.size == 4 && memcmp(line->method.at, "POST", 4) == 0;
    size_t own = second_reader_body_limit(path.at, path.size);
    return all->body_size == 0 ||
           (is_post && !all->expects && all->body_size <= limits->body_bytes && all->body_size <= own);
}

static bool may_be_served(const seen *all, const request_line *line, const larder_guard_limits *limits) {
    bool is_hosted = all->hosts == 1 || (line->is_http10 && all->hosts == 0);
    return all->is_good && is_hosted && all->lengths <= 1 && all->fields <= limits->fields &&
           may_have_body(all, line, limits);
}

second_request second_reader_accepts(const unsigned char *bytes, size_t size, const larder_guard_limits *limits) {
    size_t from = size >= 2 && memcmp(bytes, "\r\n", 2) == 0 ? 2 : 0;
    const second_request none = {0};
    text line;
    request_line first;
    if (!next_line(bytes, size, &from, &line) || !is_request_line(line, limits, &first)) {
        return none;
    }
    seen all = {.is_good = true};
    while (next_line(bytes, size, &from, &line) && line.size > 0) {
        read_field(line, &all);
    }
    bool is_whole = from >= 4 && memcmp(bytes + from - 4, "\r\n\r\n", 4) == 0 && line.size == 0;
    if (!is_whole || from > limits->head_bytes || !may_be_served(&all, &first, limits) ||
        size - from < all.body_size) {
        return none;
    }
    text path = path_of(first.target);
    return (second_request){from + all.body_size, all.body_size, second_reader_is_stream(path.at, path.size)};
}
