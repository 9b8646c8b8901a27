#include "internal.h"

#include <linux/sockios.h>
#include <stdlib.h>
#include <sys/ioctl.h>

/* Milliseconds before the client of a response can count as slow: its kernel accepts much at first, so the rate looks
 * high until then. */
enum { writing_grace = 1000 };

/* The part of the write timeout before the reader of a replaced body can count as slow. */
enum { grace_share = 16 };

/* Bytes a second from which on a response keeps its place, unless its client has more connections than a new one. */
enum { useful_rate = 64 << 10 };

/* Responses examined for one new connection, and those whose rate is measured, which is a system call. */
enum { most_seen = 1024, most_rated = 16 };

/* A client that reads its response, while the slowest is searched for. */
typedef struct larder_writer {
    uint64_t rate;
    larder_connection *connection;
} larder_writer;

size_t larder_write_queued(const larder_connection *connection) {
    int queued = 0;
    return ioctl(connection->fd, SIOCOUTQ, &queued) == 0 && queued > 0 ? (size_t)queued : 0;
}

/* Bytes that the client has not acknowledged, in our buffers and the kernel's. The kernel's part alone says little
 * about a slow client: the kernel accepts much at once, when little of it is unsent (TCP_NOTSENT_LOWAT) or, without
 * that option, when a third of a buffer of megabytes is free again.
 *
 * OpenSSL accepts a response as a whole and does not report how much of it is left, so for an encrypted connection the
 * bytes written are subtracted instead: then only the difference of two such numbers is meaningful. */
static size_t unacknowledged(const larder_connection *connection) {
    size_t kernels = larder_write_queued(connection);
    if (connection->ssl) {
        return kernels - (size_t)larder_tls_written(connection);
    }
    return kernels + evbuffer_get_length(bufferevent_get_output(connection->bev));
}

void larder_write_begin(larder_connection *connection, const larder_reply *reply) {
    connection->unshared = reply && reply->is_unshared ? reply->body_size : 0;
    connection->body = reply ? reply->body : NULL;
    connection->answer_since = larder_monotonic_ms();
    larder_write_go_on(connection);
    connection->answer_unsent = connection->window_unsent = connection->unsent;
    connection->window_since = connection->answer_since;
}

void larder_write_go_on(larder_connection *connection) {
    connection->unsent = unacknowledged(connection);
    larder_phase_enter(connection, LARDER_PHASE_WRITING);
}

bool larder_write_is_fast_enough(larder_connection *connection) {
    const larder_server_options *options = &connection->server->options;
    int64_t taken = (int64_t)(connection->unsent - unacknowledged(connection));
    int64_t least = (int64_t)options->write_timeout * options->min_write_rate / 1000;
    return taken >= (least ? least : 1);
}

/* Releases the rest of the response now, instead of when libevent frees it. */
void larder_write_cut(larder_connection *connection) {
    struct bufferevent *bev = connection->bev;
    struct evbuffer *output = bufferevent_get_output(bev);
    connection->server->refusals[LARDER_REFUSAL_SLOW_READER]++;
    bufferevent_incref(bev);
    larder_connection_reset(connection);
    larder_connection_close(connection);
    evbuffer_unfreeze(output, 1);
    evbuffer_drain(output, evbuffer_get_length(output));
    bufferevent_decref(bev);
}

/* Bytes a second that the client has acknowledged, in so many milliseconds, of those left then. */
static uint64_t rate(size_t before, size_t left, uint64_t time) {
    int64_t taken = (int64_t)(before - left);
    return taken > 0 ? (uint64_t)taken * 1000 / time : 0;
}

static size_t places(const larder_connection *writer) {
    return larder_peer_connections(writer->peer);
}

/* Whether one response is cut before another: first a slow one, then one of the address with more connections, even
 * if the new connection is of that address, then the slower one. */
static bool goes_before(larder_writer one, larder_writer other) {
    bool is_slow = one.rate < useful_rate, is_other_slow = other.rate < useful_rate;
    size_t own = places(one.connection), others = places(other.connection);
    if (is_slow != is_other_slow) {
        return is_slow;
    }
    return own != others ? own > others : one.rate < other.rate;
}

/* Starts a new measurement for clients that keep their place, so that neither their kernel's first reads nor a past
 * rate counts in their favour. */
static larder_writer measure(larder_connection *writer, uint64_t now) {
    size_t left = unacknowledged(writer);
    larder_writer measured = {rate(writer->window_unsent, left, now - writer->window_since), writer};
    if (measured.rate >= useful_rate) {
        writer->window_unsent = left;
        writer->window_since = now;
    }
    return measured;
}

/* Lists responses whose grace is over: first the addresses with most connections, then the longest running. */
static int list_aged(larder_server *server, size_t share, uint64_t now, larder_connection *aged[most_rated]) {
    int seen = 0, count = 0;
    larder_connection *writer = TAILQ_FIRST(&server->phases[LARDER_PHASE_WRITING]);
    for (; writer && seen < most_seen; seen++, writer = TAILQ_NEXT(writer, timed)) {
        bool is_aged = now - writer->window_since >= larder_grace(writer->peer, share);
        if (!is_aged || (count == most_rated && places(writer) <= places(aged[count - 1]))) {
            continue;
        }
        int place = count < most_rated ? count++ : most_rated - 1;
        for (; place > 0 && places(aged[place - 1]) < places(writer); place--) {
            aged[place] = aged[place - 1];
        }
        aged[place] = writer;
    }
    return count;
}

bool larder_write_evict(larder_server *server, size_t share) {
    uint64_t now = larder_monotonic_ms();
    larder_writer least = {0};
    larder_connection *aged[most_rated];
    int count = list_aged(server, share, now, aged);
    for (int i = 0; i < count; i++) {
        larder_writer measured = measure(aged[i], now);
        bool may_go = measured.rate < useful_rate || places(aged[i]) > share;
        if (may_go && (!least.connection || goes_before(measured, least))) {
            least = measured;
        }
    }
    if (least.connection) {
        larder_write_cut(least.connection);
    }
    return least.connection != NULL;
}

/* Whether a client needs longer than the write timeout for the rest of a response of `size` bytes. */
static bool is_late(const larder_connection *writer, size_t size, uint64_t now) {
    uint64_t timeout = writer->server->options.write_timeout, time = now - writer->answer_since;
    if (!timeout || time < writing_grace || time < timeout / grace_share) {
        return false;
    }
    int64_t change = (int64_t)(writer->answer_unsent - unacknowledged(writer));
    uint64_t taken = change > 0 ? (uint64_t)change : 0;
    return taken < size && (size - taken) * time > taken * timeout;
}

size_t larder_server_reset_readers(larder_server *server, const void *body, size_t size) {
    uint64_t now = larder_monotonic_ms();
    size_t count = 0;
    larder_connection *writer = TAILQ_FIRST(&server->phases[LARDER_PHASE_WRITING]);
    while (writer) {
        larder_connection *next = TAILQ_NEXT(writer, timed);
        if ((uintptr_t)writer->body - (uintptr_t)body < size && is_late(writer, size, now)) {
            larder_write_cut(writer);
            count++;
        }
        writer = next;
    }
    return count;
}

static int by_rate(const void *left, const void *right) {
    uint64_t one = ((const larder_writer *)left)->rate, other = ((const larder_writer *)right)->rate;
    return (one > other) - (one < other);
}

static const void *body_of(const void *writer) {
    return ((const larder_writer *)writer)->connection->body;
}

static int by_body(const void *left, const void *right) {
    uintptr_t one = (uintptr_t)body_of(left), other = (uintptr_t)body_of(right);
    return (one > other) - (one < other);
}

/* Leaves out clients that share a body: resetting one of them releases nothing. */
static size_t drop_sharers(larder_writer *writers, size_t count) {
    size_t kept = 0;
    qsort(writers, count, sizeof *writers, by_body);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && body_of(&writers[next]) == body_of(&writers[i]); next++) {
        }
        if (next == i + 1) {
            writers[kept++] = writers[i];
        }
    }
    return kept;
}

/* Lists the clients with unshared memory whose grace is over, the slowest first. */
static size_t list_writers(larder_server *server, larder_writer *writers, size_t capacity) {
    uint64_t now = larder_monotonic_ms();
    size_t count = 0;
    larder_connection *writer;
    TAILQ_FOREACH(writer, &server->phases[LARDER_PHASE_WRITING], timed) {
        uint64_t time = now - writer->answer_since;
        if (writer->unshared && time >= writing_grace && count < capacity) {
            uint64_t average = rate(writer->answer_unsent, unacknowledged(writer), time);
            writers[count++] = (larder_writer){.rate = average, .connection = writer};
        }
    }
    count = drop_sharers(writers, count);
    qsort(writers, count, sizeof *writers, by_rate);
    return count;
}

size_t larder_server_reset_slowest(larder_server *server, size_t wanted) {
    larder_writer *writers = malloc((server->connections + 1) * sizeof *writers);
    if (!writers) {
        return 0;
    }
    size_t count = list_writers(server, writers, server->connections), freed = 0;
    for (size_t i = 0; i < count && freed < wanted; i++) {
        freed += writers[i].connection->unshared;
        larder_write_cut(writers[i].connection);
    }
    free(writers);
    return freed;
}
