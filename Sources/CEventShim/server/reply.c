#define _GNU_SOURCE
#include "internal.h"

#include <stdio.h>

/* The size of status line, Content-Length, Connection and empty line, and more; without reason and header block. */
enum { fixed_head = 192 };

/* Writes "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n". Not with strftime, whose names depend on the locale. */
static void put_date(time_t second, char line[40]) {
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct tm at;
    gmtime_r(&second, &at);
    snprintf(line, 40, "Date: %s, %02u %s %04u %02u:%02u:%02u GMT\r\n", days[at.tm_wday], (unsigned)at.tm_mday % 100,
        months[at.tm_mon], (unsigned)(at.tm_year + 1900) % 10000, (unsigned)at.tm_hour % 100,
        (unsigned)at.tm_min % 100, (unsigned)at.tm_sec % 100);
}

static const char *date_line(larder_server *server) {
    time_t now = time(NULL);
    if (now != server->date_second) {
        put_date(now, server->date);
        server->date_second = now;
    }
    return server->date;
}

void larder_reply_release_body(const larder_reply *reply) {
    if (reply->release) {
        reply->release(reply->body, reply->body_size, reply->release_arg);
    }
}

static char *put_number(char *to, size_t number) {
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    while (count) {
        *to++ = digits[--count];
    }
    return to;
}

static const char *connection_line(const larder_request *request, bool closes) {
    if (closes) {
        return "Connection: close\r\n";
    }
    return request->is_http10 ? "Connection: keep-alive\r\n" : "";
}

static size_t announced_size(const larder_reply *reply) {
    return reply->announced_size ? reply->announced_size : reply->body_size;
}

size_t larder_reply_head_limit(const larder_reply *reply) {
    return fixed_head + strlen(reply->reason) + reply->headers_size;
}

__attribute__((always_inline)) static inline char *put_start(
    larder_server *server, const larder_reply *reply, char *to) {
    to = put_number(stpcpy(to, "HTTP/1.1 "), (size_t)reply->status);
    to = stpcpy(stpcpy(stpcpy(to, " "), reply->reason), "\r\n");
    to = stpcpy(to, date_line(server));
    if (reply->headers_size) {
        to = mempcpy(to, reply->headers, reply->headers_size);
    }
    return to;
}

/* Returns the end of the head. */
char *larder_reply_put_head(
    larder_server *server, const larder_reply *reply, const char *connection_line, char *to) {
    to = put_start(server, reply, to);
    if (reply->status != 204 && reply->status != 304) {
        to = stpcpy(put_number(stpcpy(to, "Content-Length: "), announced_size(reply)), "\r\n");
    }
    to = stpcpy(to, connection_line);
    return stpcpy(to, "\r\n");
}

/* Writes the head into the output buffer's own memory: evhttp would make a node and a printf of every field. */
static bool add_head(
    larder_server *server, const larder_reply *reply, const char *connection_line, struct evbuffer *output) {
    struct evbuffer_iovec space;
    if (evbuffer_reserve_space(output, (ev_ssize_t)larder_reply_head_limit(reply), &space, 1) != 1) {
        return false;
    }
    char *start = space.iov_base;
    space.iov_len = (size_t)(larder_reply_put_head(server, reply, connection_line, start) - start);
    return evbuffer_commit_space(output, &space, 1) == 0;
}

bool larder_reply_write_open_head(
    larder_server *server, const larder_reply *reply, bool is_chunked, struct evbuffer *output) {
    struct evbuffer_iovec space;
    if (evbuffer_reserve_space(output, (ev_ssize_t)larder_reply_head_limit(reply), &space, 1) != 1) {
        return false;
    }
    char *end = put_start(server, reply, space.iov_base);
    end = stpcpy(stpcpy(end, is_chunked ? "Transfer-Encoding: chunked\r\n" : ""), "Connection: close\r\n\r\n");
    space.iov_len = (size_t)(end - (char *)space.iov_base);
    return evbuffer_commit_space(output, &space, 1) == 0;
}

bool larder_reply_has_body(const larder_reply *reply, bool is_head) {
    return reply->body_size && !is_head && reply->status != 204 && reply->status != 304;
}

static bool add_body(const larder_reply *reply, bool is_head, struct evbuffer *output) {
    if (!larder_reply_has_body(reply, is_head)) {
        larder_reply_release_body(reply);
        return true;
    }
    if (evbuffer_add_reference(output, reply->body, reply->body_size, reply->release, reply->release_arg) != 0) {
        larder_reply_release_body(reply);
        return false;
    }
    return true;
}

/* Releases the body also on failure. */
bool larder_reply_write(
    larder_server *server, const larder_reply *reply, const char *connection_line, bool is_head,
    struct evbuffer *output) {
    if (!add_head(server, reply, connection_line, output)) {
        larder_reply_release_body(reply);
        return false;
    }
    return add_body(reply, is_head, output);
}

/* Writes at once: evhttp would wait for the socket to be writable, which it nearly always is, at the cost of two system
 * calls. Returns whether all was written; the rest follows by itself, as do all bytes of an encrypted connection. */
bool larder_reply_flush(larder_connection *connection) {
    struct bufferevent *bev = connection->bev;
    struct evbuffer *output = bufferevent_get_output(bev);
    if (connection->ssl) {
        bufferevent_enable(bev, EV_WRITE);
        return false;
    }
    evbuffer_unfreeze(output, 1);
    evbuffer_write(output, bufferevent_getfd(bev));
    evbuffer_freeze(output, 1);
    if (evbuffer_get_length(output)) {
        bufferevent_enable(bev, EV_WRITE);
        return false;
    }
    if (bufferevent_get_enabled(bev) & EV_WRITE) {
        bufferevent_disable(bev, EV_WRITE);
    }
    return true;
}

/* The write callback, by which evhttp goes on, runs later in this pass and never within this call, since the caller may
 * be inside evhttp's read callback. */
static void flush(larder_connection *connection, const larder_reply *reply) {
    if (larder_reply_flush(connection)) {
        int options = (int)BEV_TRIG_IGNORE_WATERMARKS | (int)BEV_OPT_DEFER_CALLBACKS;
        bufferevent_trigger(connection->bev, EV_WRITE, options);
    } else {
        larder_write_begin(connection, reply);
    }
}

void larder_request_forget(larder_request *request) {
    request->connection->server->outstanding--;
    request->evreq = NULL;
    request->target = NULL;
}

/* Ends the connection without a response, for lack of memory. */
static void abandon(larder_connection *connection, struct evhttp_request *evreq) {
    larder_evhttp_let_go(evreq);
    larder_connection_close_soon(connection);
}

/* EV_READ stays off until all is written, as evhttp left it when the request arrived. */
void larder_reply_send(larder_request *request, const larder_reply *reply) {
    larder_connection *connection = request->connection;
    struct evhttp_request *evreq = request->evreq;
    bool closes = reply->close || connection->server->draining || !request->keep_alive;
    larder_request_forget(request);
    connection->writing = true;
    if (closes && !larder_evhttp_mark_last(evreq)) {
        larder_reply_release_body(reply);
        abandon(connection, evreq);
        return;
    }
    const char *line = connection_line(request, closes);
    struct evbuffer *output = bufferevent_get_output(connection->bev);
    if (!larder_reply_write(connection->server, reply, line, request->is_head, output)) {
        abandon(connection, evreq);
        return;
    }
    larder_evhttp_end_reply(evreq);
    flush(connection, reply);
}
