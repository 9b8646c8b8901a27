#include "shortcut.h"

#include <sys/uio.h>

/* Written from the stack; a longer one, of which there is none among our own, takes the way of all others. */
enum { longest_head = 2048 };

/* Gives the connection back to evhttp, which has not noticed anything and still waits for the next request. */
static void on_written(struct bufferevent *bev, void *arg) {
    larder_connection *connection = arg;
    if (evbuffer_get_length(bufferevent_get_output(bev)) > 0) {
        return;
    }
    bufferevent_setcb(bev, connection->read, connection->written, connection->fail, connection->evcon);
    bufferevent_disable(bev, EV_WRITE);
    bufferevent_enable(bev, EV_READ);
    connection->writing = false;
    connection->defers_input = false;
    larder_input_await(connection);
    if (connection->server->closes_idle) {
        event_active(connection->server->chores, 0, 0);
    }
    if (evbuffer_get_length(bufferevent_get_input(bev)) > 0) {
        larder_input_inspect(connection, 0);
        bufferevent_trigger(bev, EV_READ, 0);
    }
}

/* Nothing is read meanwhile, or a client that pipelines could fill the memory. Only the rest of a TLS record, which is
 * here already, still comes. */
static void wait_until_written(larder_connection *connection, const larder_reply *reply) {
    struct bufferevent *bev = connection->bev;
    larder_connection_take_callbacks(connection, on_written);
    bufferevent_disable(bev, EV_READ);
    bufferevent_enable(bev, EV_WRITE);
    connection->writing = true;
    connection->defers_input = true;
    larder_progress_begin(connection, reply);
}

/* Writes what the socket takes at once of head and body, from where they are. Mostly that is all of them. */
static size_t write_now(larder_connection *connection, const larder_reply *reply, size_t *size) {
    char head[longest_head];
    const char *end = larder_reply_put_head(connection->server, reply, "", head);
    bool has_body = larder_reply_has_body(reply, connection->request.is_head);
    struct iovec parts[2] = {
        {head, (size_t)(end - head)},
        {(void *)reply->body, has_body ? reply->body_size : 0},
    };
    *size = parts[0].iov_len + parts[1].iov_len;
    ssize_t written = writev(connection->fd, parts, has_body ? 2 : 1);
    return written > 0 ? (size_t)written : 0;
}

static void forget_written(struct evbuffer *output, size_t size) {
    evbuffer_unfreeze(output, 1);
    evbuffer_drain(output, size);
    evbuffer_freeze(output, 1);
}

void larder_shortcut_reply(larder_connection *connection, const larder_reply *reply) {
    size_t size = 1, written = 0;
    if (!connection->ssl && !larder_input_is_burst(connection) && larder_reply_head_limit(reply) <= longest_head) {
        written = write_now(connection, reply, &size);
    }
    if (written == size) {
        larder_reply_release_body(reply);
        larder_phase_enter(connection, LARDER_PHASE_IDLE);
        return;
    }
    struct evbuffer *output = bufferevent_get_output(connection->bev);
    bool is_kept = larder_reply_write(connection->server, reply, "", connection->request.is_head, output);
    if (is_kept && written) {
        forget_written(output, written);
    }
    wait_until_written(connection, reply);
    if (!is_kept) {
        bufferevent_trigger_event(connection->bev, BEV_EVENT_READING | BEV_EVENT_EOF, BEV_OPT_DEFER_CALLBACKS);
    }
}
