/* Streams: responses that go on after their head, as events happen. evhttp does not take part: it keeps a request that
 * waits for its response, and frees it with the connection. */
#include "internal.h"

#include <stdlib.h>

enum {
    most_unsent = 64 << 10, /* bytes that may be left unsent when there is more to send, not counting the kernel's */
    most_copied = 512,      /* bytes that are copied, because a reference to them would take more memory than they do */
    most_seen = 1024,       /* streams examined for one new connection */
};

struct larder_stream {
    larder_connection *connection;
    larder_stream_closed_fn closed;
    void *context;
    uint64_t added;         /* bytes put into the output buffer so far, */
    uint64_t added_before;  /* and by the start of the phase; */
    uint64_t handed_before; /* passed to the kernel by then */
    bool is_chunked;
    bool is_ending;         /* or has failed: nothing more is sent */
};

static struct evbuffer *output_of(const larder_stream *stream) {
    return bufferevent_get_output(stream->connection->bev);
}

/* Bytes passed to the kernel so far, as encrypted if they are. */
static uint64_t handed(const larder_stream *stream) {
    const larder_connection *connection = stream->connection;
    return connection->ssl ? larder_tls_written(connection) : stream->added - evbuffer_get_length(output_of(stream));
}

static void begin_phase(larder_stream *stream) {
    stream->added_before = stream->added;
    stream->handed_before = handed(stream);
    larder_phase_enter(stream->connection, LARDER_PHASE_STREAMING);
}

/* Closes the connection after the running callback, which may be evhttp's. */
static void fail(larder_stream *stream) {
    stream->is_ending = true;
    larder_connection_close_soon(stream->connection);
}

static void drop_slow_reader(larder_stream *stream) {
    larder_connection *connection = stream->connection;
    connection->server->refusals[LARDER_REFUSAL_SLOW_READER]++;
    larder_connection_reset(connection);
    fail(stream);
}

/* Whether everything sent before the phase began has been acknowledged. This detects a client that vanished while
 * nothing else was sent. */
static bool keeps_up(const larder_stream *stream) {
    return evbuffer_get_length(output_of(stream)) <= stream->added - stream->added_before &&
           larder_write_queued(stream->connection) <= handed(stream) - stream->handed_before;
}

void larder_stream_check(larder_connection *connection) {
    larder_stream *stream = connection->stream;
    bool is_dropped = !stream->is_ending && !keeps_up(stream);
    begin_phase(stream);
    if (is_dropped) {
        drop_slow_reader(stream);
    }
}

static void close_when_written(larder_stream *stream) {
    if (stream->is_ending && evbuffer_get_length(output_of(stream)) == 0) {
        larder_connection_close_soon(stream->connection);
    }
}

static void on_written(struct bufferevent *bev, void *arg) {
    (void)bev;
    close_when_written(((larder_connection *)arg)->stream);
}

static void flush(larder_stream *stream) {
    larder_reply_flush(stream->connection);
    close_when_written(stream);
}

/* The guard treats input as the rest of a refused request, and discards it. */
static void take_over(larder_connection *connection) {
    struct evbuffer *input = bufferevent_get_input(connection->bev);
    larder_evhttp_let_go(connection->request.evreq);
    larder_request_forget(&connection->request);
    larder_repeat_end(connection);
    larder_evhttp_take_callbacks(connection, on_written);
    connection->guard.step = LARDER_GUARD_REFUSED;
    evbuffer_drain(input, evbuffer_get_length(input));
    larder_received_record(connection, 0);
    connection->writing = true;
    bufferevent_enable(connection->bev, EV_READ);
}

static larder_stream *make(larder_request *request, larder_stream_closed_fn closed, void *context) {
    larder_stream *stream = calloc(1, sizeof *stream);
    if (stream) {
        *stream = (larder_stream){
            .connection = request->connection, .closed = closed, .context = context,
            .is_chunked = !request->is_head && !request->is_http10};
        request->connection->stream = stream;
    }
    return stream;
}

/* Ends in order if the client has read everything so far, and at once in any case. */
bool larder_stream_evict(const larder_connection *newcomer) {
    larder_connection *found = NULL, *other = TAILQ_FIRST(&newcomer->server->phases[LARDER_PHASE_STREAMING]);
    size_t most = larder_peer_streams(newcomer->peer) + 1;
    for (int i = 0; other && i < most_seen; i++, other = TAILQ_NEXT(other, timed)) {
        size_t streams = larder_peer_streams(other->peer);
        if (streams > most && !other->stream->is_ending) {
            most = streams;
            found = other;
        }
    }
    if (!found) {
        return false;
    }
    newcomer->server->refusals[LARDER_REFUSAL_EVICTED]++;
    larder_stream_end(found->stream);
    larder_connection_close_soon(found);
    return true;
}

static bool enter(const larder_connection *connection) {
    larder_limits *limits = connection->server->options.streams;
    if (limits && !larder_limits_enter(limits) && !larder_stream_evict(connection)) {
        larder_limits_leave(limits);
        return false;
    }
    larder_peer_count_stream(connection->peer, 1);
    return true;
}

static void leave(const larder_connection *connection) {
    larder_limits *limits = connection->server->options.streams;
    larder_peer_count_stream(connection->peer, -1);
    if (limits) {
        larder_limits_leave(limits);
    }
}

larder_stream *larder_stream_begin(
    larder_request *request, const larder_reply *head, larder_stream_closed_fn closed, void *context) {
    larder_connection *connection = request->connection;
    larder_server *server = connection->server;
    if (!enter(connection)) {
        larder_refuse(request, LARDER_REFUSAL_STREAMS);
        return NULL;
    }
    larder_stream *stream = make(request, closed, context);
    if (!stream) {
        leave(connection);
        larder_connection_close_soon(connection);
        return NULL;
    }
    take_over(connection);
    if (!larder_reply_write_open_head(server, head, !request->is_http10, output_of(stream))) {
        fail(stream);
        return stream;
    }
    stream->added = evbuffer_get_length(output_of(stream));
    begin_phase(stream);
    request->is_head ? larder_stream_end(stream) : flush(stream);
    return stream;
}

/* After a reference libevent allocates as much again, however little is added, so the next one is a reference, too. */
static bool add_reference(struct evbuffer *output, const larder_reply *event) {
    if (evbuffer_add_reference(output, event->body, event->body_size, event->release, event->release_arg) == 0) {
        return true;
    }
    larder_reply_release_body(event);
    return false;
}

static bool add_copy(struct evbuffer *output, const larder_reply *event) {
    bool is_added = evbuffer_add(output, event->body, event->body_size) == 0;
    larder_reply_release_body(event);
    return is_added && evbuffer_add(output, "\r\n", 2) == 0;
}

/* Releases the body also on failure. */
static bool add(const larder_stream *stream, const larder_reply *event) {
    static const larder_reply line_end = {.body = "\r\n", .body_size = 2};
    struct evbuffer *output = output_of(stream);
    if (!stream->is_chunked) {
        return add_reference(output, event);
    }
    evbuffer_add_printf(output, "%zx\r\n", event->body_size);
    if (event->body_size <= most_copied) {
        return add_copy(output, event);
    }
    return add_reference(output, event) && add_reference(output, &line_end);
}

void larder_stream_send(larder_stream *stream, const larder_reply *event) {
    size_t unsent = evbuffer_get_length(output_of(stream));
    if (!stream->is_ending && unsent > most_unsent) {
        drop_slow_reader(stream);
    }
    if (stream->is_ending || event->body_size == 0) {
        larder_reply_release_body(event);
        return;
    }
    bool is_added = add(stream, event);
    stream->added += evbuffer_get_length(output_of(stream)) - unsent;
    is_added ? flush(stream) : fail(stream);
}

/* A server that stops does not wait for a client that reads nothing. */
void larder_stream_end(larder_stream *stream) {
    larder_connection *connection = stream->connection;
    if (stream->is_ending) {
        return;
    }
    stream->is_ending = true;
    if (stream->is_chunked) {
        evbuffer_add(output_of(stream), "0\r\n\r\n", 5);
    }
    connection->server->closes_idle ? larder_phase_enter(connection, LARDER_PHASE_LINGERING)
                                    : larder_write_begin(connection, NULL);
    flush(stream);
}

void larder_stream_on_loss(larder_connection *connection) {
    larder_stream *stream = connection->stream;
    if (!stream) {
        return;
    }
    connection->stream = NULL;
    leave(connection);
    stream->closed(stream->context);
    free(stream);
}
