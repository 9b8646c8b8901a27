#include "internal.h"

#include <sys/socket.h>

void larder_refuse(larder_request *request, larder_refusal why) {
    larder_server *server = request->connection->server;
    larder_refused refused = larder_refused_request(request->connection);
    char fields[LARDER_REFUSAL_FIELDS_SIZE];
    larder_reply reply = larder_refusal_reply(server, why, &refused, fields);
    server->refusals[why]++;
    /* A proxy's connection also serves other clients. */
    reply.close = reply.close && !(why == LARDER_REFUSAL_ADDRESS_LIMIT && request->connection->is_proxied);
    larder_reply_send(request, &reply);
}

/* Closing at once, with input unread or on its way, would reset the connection and discard the part of the response
 * that the client has not read. */
static void linger(larder_connection *connection) {
    connection->writing = false;
    larder_tls_close_notify(connection);
    shutdown(connection->fd, SHUT_WR);
    bufferevent_disable(connection->bev, EV_WRITE);
    bufferevent_enable(connection->bev, EV_READ);
    larder_phase_enter(connection, LARDER_PHASE_LINGERING);
}

static void on_written(struct bufferevent *bev, void *arg) {
    larder_connection *connection = arg;
    if (evbuffer_get_length(bufferevent_get_output(bev)) > 0) {
        return;
    }
    linger(connection);
}

static bool write_refusal(larder_connection *connection, larder_refusal why) {
    larder_server *server = connection->server;
    larder_refused refused = larder_refused_request(connection);
    char fields[LARDER_REFUSAL_FIELDS_SIZE];
    larder_reply reply = larder_refusal_reply(server, why, &refused, fields);
    server->refusals[why]++;
    connection->writing = true;
    struct evbuffer *output = bufferevent_get_output(connection->bev);
    bool is_head = larder_guard_has_method(&connection->guard, "HEAD");
    connection->guard.step = LARDER_GUARD_REFUSED;
    return larder_reply_write(server, &reply, "Connection: close\r\n", is_head, output);
}

/* Replaces BODY and CHUNKED by NOT_ALLOWED if no resource has the method. */
static larder_refusal of_body(const larder_connection *connection, larder_refusal why) {
    uint32_t served = connection->server->options.methods;
    larder_method method = larder_method_of(&connection->guard);
    bool is_of_body = why == LARDER_REFUSAL_BODY || why == LARDER_REFUSAL_CHUNKED;
    bool is_unserved = served && method != LARDER_OTHER && !(served & 1u << method);
    return is_of_body && is_unserved ? LARDER_REFUSAL_NOT_ALLOWED : why;
}

void larder_refuse_head(larder_connection *connection, larder_refusal why) {
    struct bufferevent *bev = connection->bev;
    struct evbuffer *input = bufferevent_get_input(bev);
    larder_evhttp_take_callbacks(connection, on_written);
    bufferevent_disable(bev, EV_READ);
    bool is_written = write_refusal(connection, of_body(connection, why));
    evbuffer_drain(input, evbuffer_get_length(input));
    larder_received_record(connection, 0);
    if (!is_written) {
        larder_connection_close_soon(connection);
    } else if (larder_reply_flush(connection)) {
        linger(connection);
    } else {
        larder_write_begin(connection, NULL);
    }
}

void larder_refuse_next(larder_connection *connection) {
    larder_server *server = connection->server;
    connection->is_closing = true;
    LIST_INSERT_HEAD(&server->closing, connection, next_closing);
    larder_run_soon(server, LARDER_TASK_REFUSE);
}

void larder_refuse_closing(larder_server *server) {
    larder_connection *connection;
    while ((connection = LIST_FIRST(&server->closing))) {
        LIST_REMOVE(connection, next_closing);
        connection->is_closing = false;
        larder_refuse_head(connection, connection->guard.refusal);
    }
}

void larder_refuse_entry(larder_connection *connection, larder_refusal why) {
    if (connection->ssl) {
        connection->server->refusals[why]++;
    } else if (write_refusal(connection, why)) {
        larder_reply_flush(connection);
    }
    larder_connection_discard_unread(connection);
    larder_connection_close(connection);
}

void larder_refuse_socket(larder_server *server, int fd) {
    char bytes[4096], fields[LARDER_REFUSAL_FIELDS_SIZE];
    larder_refused unread = {.sequence = ++server->sequences};
    larder_reply reply = larder_refusal_reply(server, LARDER_REFUSAL_CONNECTIONS, &unread, fields);
    if (!server->options.tls && larder_reply_head_limit(&reply) + reply.body_size <= sizeof bytes) {
        char *end = larder_reply_put_head(server, &reply, "Connection: close\r\n", bytes);
        end = larder_put(end, reply.body, reply.body_size);
        send(fd, bytes, (size_t)(end - bytes), MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    /* Unread bytes would turn the close into a reset. */
    recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
}
