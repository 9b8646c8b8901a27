#include "scenarios.h"
#include "tls_client.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { max_streams = 3, write_timeout = 600, large_size = 60000 };

/* Streams that are open, and how many there were. */
static larder_stream *open_streams[held_limit];
static int began, ended;

static void on_stream_closed(void *context) {
    larder_stream **place = context;
    require(*place != NULL, "the end of a stream is told once");
    *place = NULL;
    ended++;
}

void begin_stream(larder_request *request, uint64_t sequence) {
    static const char fields[] = "Content-Type: text/event-stream\r\n";
    const larder_reply head = {.status = 200, .reason = "OK", .headers = fields, .headers_size = sizeof fields - 1};
    larder_stream **place = open_streams;
    while (*place) {
        require(++place < open_streams + held_limit, "room for a stream");
    }
    *place = larder_request_stream(request, sequence, &head, on_stream_closed, place);
    began += *place != NULL;
}

static void send_all(const char *text, size_t size) {
    for (int i = 0; i < held_limit; i++) {
        if (open_streams[i]) {
            const larder_reply event = {.body = lend(size), .body_size = size, .release = take_back};
            memcpy((void *)event.body, text, strlen(text));
            larder_stream_send(open_streams[i], &event);
        }
    }
}

static void send_small(void) {
    send_all("data: small\n\n", 13);
}

static void send_large(void) {
    send_all("data: large\n", large_size);
}

static void send_huge(void) {
    send_all("data: huge\n", big_size);
}

static void end_all(void) {
    for (int i = 0; i < held_limit; i++) {
        if (open_streams[i]) {
            larder_stream_end(open_streams[i]);
            larder_stream_end(open_streams[i]);
        }
    }
    send_small();
}

static bool all_have_ended(void) {
    return began == ended;
}

static bool one_is_open(void) {
    return began == ended + 1;
}

/* A client in the clear, or encrypted. */
typedef struct peer {
    int fd;
    SSL *ssl;
} peer;

static bool is_encrypted;

static peer peer_connect(int receive_buffer) {
    SSL *ssl = is_encrypted ? tls_client(receive_buffer, NULL, TLS1_3_VERSION) : NULL;
    return (peer){ssl ? SSL_get_fd(ssl) : client(receive_buffer), ssl};
}

static void peer_send(peer peer, const char *text) {
    if (peer.ssl) {
        tls_send(peer.ssl, text);
    } else {
        client_send(peer.fd, text);
    }
}

static bool peer_expect(peer peer, const char *needle) {
    return peer.ssl ? tls_expect(peer.ssl, needle) : client_expect(peer.fd, needle);
}

static void peer_take(peer peer, size_t size) {
    static char bytes[1 << 16];
    while (size) {
        size_t most = size < sizeof bytes ? size : sizeof bytes;
        ssize_t got = peer.ssl ? SSL_read(peer.ssl, bytes, (int)most) : recv(peer.fd, bytes, most, 0);
        require(got > 0, "all of an event");
        size -= (size_t)got;
    }
}

static bool peer_ends(peer peer) {
    bool is_clean = true;
    return (peer.ssl ? tls_read_to_end(peer.ssl, &is_clean) : client_read_to_end(peer.fd)) == 0 && is_clean;
}

static void peer_close(peer peer) {
    if (peer.ssl) {
        tls_close(peer.ssl);
    } else {
        close(peer.fd);
    }
}

static void peer_reset(peer peer) {
    if (peer.ssl) {
        tls_reset(peer.ssl);
    } else {
        client_reset(peer.fd);
    }
}

static peer peer_stream(int receive_buffer) {
    peer peer = peer_connect(receive_buffer);
    peer_send(peer, REQUEST("/stream"));
    require(peer_expect(peer, "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"), "the head comes at once");
    return peer;
}

static void close_and_forget(peer peer) {
    peer_close(peer);
    wait_until(nothing_is_connected, "all gone");
    wait_until(all_have_ended, "each stream ends");
    wait_until(every_body_is_released, "its events are released");
}

static uint64_t refused(larder_refusal why) {
    uint64_t counts[LARDER_REFUSALS];
    larder_server_refusals(server, counts);
    return counts[why];
}

/* Also to a client that asks for more meanwhile, which it does not get. */
static void events(void) {
    peer first = peer_stream(0), second = peer_connect(0);
    peer_send(second, REQUEST("/stream") REQUEST("/ignored") "nonsense\r\n\r\n");
    require(peer_expect(second, "\r\n\r\n"), "a second one");
    for (int i = 0; i < 3; i++) {
        on_loop(send_small);
        on_loop(send_large);
        peer_send(second, REQUEST("/ignored"));
        for (int j = 0; j < 2; j++) {
            peer peer = j ? second : first;
            require(peer_expect(peer, "d\r\ndata: small\n\n\r\nea60\r\ndata: large\n"), "two events");
            peer_take(peer, large_size - 12);
            require(peer_expect(peer, "\r\n"), "the end of the second one");
        }
    }
    on_loop(end_all);
    require(peer_expect(first, "0\r\n\r\n") && peer_ends(first), "the last chunk, and the end");
    require(peer_expect(second, "0\r\n\r\n") && peer_ends(second), "the second client's");
    peer_close(second);
    close_and_forget(first);
}

static void without_chunks(void) {
    peer old = peer_connect(0), head = peer_connect(0);
    peer_send(old, "GET /stream HTTP/1.0\r\n\r\n");
    require(peer_expect(old, "text/event-stream\r\nConnection: close\r\n\r\n"), "the head without a coding");
    on_loop(send_small);
    on_loop(end_all);
    require(peer_expect(old, "data: small\n\n") && peer_ends(old), "HTTP/1.0: no chunks");
    peer_send(head, "HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n");
    require(peer_expect(head, "Connection: close\r\n\r\n") && peer_ends(head), "HEAD: nothing but the head");
    peer_close(old);
    close_and_forget(head);
}

/* Each request that is refused leaves its connection as it was. */
static void too_many(void) {
    peer peers[max_streams + 1];
    for (int i = 0; i < max_streams; i++) {
        peers[i] = peer_stream(0);
    }
    peer last = peer_connect(0);
    peer_send(last, REQUEST("/stream") REQUEST("/other"));
    require(peer_expect(last, "HTTP/1.1 503 ") && peer_expect(last, "event streams"), "one more is refused");
    require(peer_expect(last, "/other") && refused(LARDER_REFUSAL_STREAMS) == 1, "and counted");
    peer_close(peers[0]);
    for (int i = 1; i < max_streams; i++) {
        peer_reset(peers[i]);
    }
    wait_until(all_have_ended, "clients that have gone make room");
    peer_send(last, REQUEST("/stream"));
    require(peer_expect(last, "chunked"), "a place is free");
    close_and_forget(last);
}

/* An address that has them all makes room for another one, and not for itself. */
static void shares(void) {
    int fds[max_streams];
    for (int i = 0; i < max_streams; i++) {
        fds[i] = client_from(2, 0);
        client_send(fds[i], REQUEST("/stream"));
        require(client_expect(fds[i], "\r\n\r\n"), "a stream");
    }
    uint64_t evicted = refused(LARDER_REFUSAL_EVICTED);
    int more = client_from(2, 0), other = client_from(3, 0), others_second = client_from(3, 0);
    client_send(more, REQUEST("/stream"));
    require(client_expect(more, "HTTP/1.1 503 "), "one more of the same address is refused");
    client_send(other, REQUEST("/stream"));
    require(client_expect(other, "chunked\r\nConnection: close\r\n\r\n"), "one of another address is not");
    require(client_expect(fds[0], "0\r\n\r\n") && client_read_to_end(fds[0]) == 0, "a stream of the first ends in order");
    require(refused(LARDER_REFUSAL_EVICTED) == evicted + 1, "and is counted");
    client_send(others_second, REQUEST("/stream"));
    require(client_expect(others_second, "HTTP/1.1 503 "), "two and one are as equal as three can be");
    on_loop(send_small);
    require(client_expect(fds[1], "small") && client_expect(other, "small"), "the others go on");
    close(more);
    close(others_second);
    close(fds[0]);
    close(fds[1]);
    close(fds[2]);
    close_and_forget((peer){other, NULL});
}

static void slow_by_bytes(void) {
    peer slow = peer_stream(4096);
    uint64_t before = refused(LARDER_REFUSAL_SLOW_READER);
    on_loop(send_huge);
    require(one_is_open() && refused(LARDER_REFUSAL_SLOW_READER) == before, "one event may be of any size");
    on_loop(send_small);
    require(refused(LARDER_REFUSAL_SLOW_READER) == before + 1, "the slow one is dropped with the next event");
    wait_until(all_have_ended, "and its stream ends");
    wait_until(every_body_is_released, "its event is released");
    close_and_forget(slow);
}

static void slow_by_time(void) {
    peer slow = peer_stream(4096), quick = peer_stream(0);
    uint64_t before = refused(LARDER_REFUSAL_SLOW_READER);
    on_loop(send_small);
    require(peer_expect(quick, "small"), "an event");
    peer_send(slow, "x");
    for (int i = 0; i < 5; i++) {
        usleep(write_timeout * 1000 / 2);
        on_loop(send_small);
        require(peer_expect(quick, "small"), "an event of a healthy stream");
    }
    require(peer_expect(slow, "small") && began == ended + 2, "silence is no fault, nor is a kernel that reads");
    peer_close(quick);
    wait_until(one_is_open, "the quick one goes");
    on_loop(send_huge);
    wait_until(all_have_ended, "an event grows too old");
    require(refused(LARDER_REFUSAL_SLOW_READER) == before + 1, "and is counted");
    close_and_forget(slow);
}

/* What a client sends on its stream takes no memory, and the stream goes on until the client does not. */
static void flood(void) {
    char noise[1 << 14] = "";
    for (char *to = noise; to < noise + sizeof noise - 100; to += strlen(to)) {
        strcpy(to, REQUEST("/ignored"));
    }
    peer loud = peer_stream(0);
    for (int i = 0; i < 50; i++) {
        peer_send(loud, noise);
    }
    on_loop(send_small);
    require(peer_expect(loud, "small"), "an event behind a flood");
    close_and_forget(loud);
}

static void stop(void) {
    larder_server_set_draining(server);
    larder_server_stop_accepting(server);
    larder_server_close_idle(server);
}

/* A client that has asked by then gets a stream that has ended. */
static void stopping_ends(void) {
    peer slow = peer_stream(4096);
    on_loop(send_huge);
    peer healthy = peer_stream(0);
    peer late = peer_connect(0);
    peer_send(late, "GET /stream HTTP/1.1\r\n");
    on_loop(stop);
    require(peer_expect(healthy, "0\r\n\r\n") && peer_ends(healthy), "the last chunk, and the end");
    peer_send(late, "Host: a\r\n\r\n");
    require(peer_expect(late, "Connection: close\r\n\r\n0\r\n\r\n") && peer_ends(late), "too late: ended at once");
    wait_until(has_drained, "drained without the slow one");
    peer_close(slow);
    peer_close(late);
    peer_close(healthy);
    wait_until(all_have_ended, "each stream ends");
}

static void run(const larder_server_options *options, bool is_prompt) {
    harness_start(options, is_prompt);
    peer plain = peer_connect(0);
    peer_send(plain, REQUEST("/before"));
    require(peer_expect(plain, "/before"), "an answer before");
    peer_close(plain);
    events();
    without_chunks();
    too_many();
    if (!is_encrypted) {
        shares();
    }
    slow_by_bytes();
    slow_by_time();
    flood();
    stopping_ends();
    harness_stop();
    harness_start(options, is_prompt);
    plain = peer_connect(0);
    peer_send(plain, REQUEST("/before"));
    require(peer_expect(plain, "/before"), "an answer before");
    peer aborted = peer_stream(0);
    harness_drain();
    require(peer_expect(aborted, "nothing") == false && all_have_ended(), "aborted with the server");
    peer_close(aborted);
    peer_close(plain);
    harness_stop();
}

void streams(larder_server_options options, bool is_prompt) {
    larder_limits *limits = larder_limits_new(0, 0), *few = larder_limits_new(max_streams, 0);
    options.limits = limits;
    options.streams = few;
    options.write_timeout = write_timeout;
    options.head_deadline = 1500;
    run(&options, is_prompt);
    larder_certificate *certificate = tls_certificate("first");
    options.tls = larder_tls_new(certificate);
    larder_certificate_release(certificate);
    is_encrypted = true;
    run(&options, is_prompt);
    is_encrypted = false;
    tls_clients_free();
    larder_tls_release(options.tls);
    larder_limits_release(few);
    larder_limits_release(limits);
}
