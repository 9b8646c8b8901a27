#define _GNU_SOURCE
#include "scenarios.h"
#include "tls_client.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t handshakes_failed;

static bool another_handshake_failed(void) {
    uint64_t counts[LARDER_REFUSALS];
    larder_server_refusals(server, counts);
    return counts[LARDER_REFUSAL_HANDSHAKE] == handshakes_failed + 1 && nothing_is_connected();
}

static void wait_for_failed_handshake(const char *name) {
    wait_until(another_handshake_failed, name);
    handshakes_failed++;
}

static void requests(int version) {
    bool is_clean;
    SSL *ssl = tls_client(0, "\x02h2\x08http/1.1", version);
    tls_send(ssl, REQUEST("/one") REQUEST("/two"));
    require(tls_expect(ssl, "/one") && tls_expect(ssl, "/two"), "two answers");
    tls_send(ssl, "HEAD /three HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    require(tls_expect(ssl, "Content-Length: 6\r\n") && tls_expect(ssl, "\r\n\r\n"), "head of HEAD");
    require(tls_read_to_end(ssl, &is_clean) == 0 && is_clean, "no body for HEAD, and a clean end");
    tls_close(ssl);
    wait_until(nothing_is_connected, "gone");
}

/* One record, longer than what the bufferevent takes at once. */
static void long_pipeline(void) {
    enum { count = 300 };
    static const char request[] = REQUEST("/many");
    static char requests[count * (sizeof request - 1) + 1];
    for (int i = 0; i < count; i++) {
        memcpy(requests + i * (sizeof request - 1), request, sizeof request - 1);
    }
    SSL *ssl = tls_client(0, NULL, TLS1_3_VERSION);
    tls_send(ssl, requests);
    for (int i = 0; i < count; i++) {
        require(tls_expect(ssl, "/many"), "an answer for each of many");
    }
    tls_close(ssl);
    wait_until(nothing_is_connected, "gone");
}

static void big_answer(void) {
    bool is_clean;
    SSL *ssl = tls_client(4096, NULL, TLS1_3_VERSION);
    tls_send(ssl, "GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    SSL_shutdown(ssl);
    require(tls_read_to_end(ssl, &is_clean) > big_size && is_clean, "the whole body after a half-close");
    tls_close(ssl);
    wait_until(every_body_is_released, "its body is released");
}

static void refusals(void) {
    bool is_clean;
    SSL *ssl = tls_client(0, NULL, TLS1_3_VERSION);
    tls_send(ssl, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab" REQUEST("/smuggled"));
    require(tls_expect(ssl, "HTTP/1.1 413 ") && tls_read_to_end(ssl, &is_clean) > 0 && is_clean, "a body is refused");
    tls_close(ssl);
    ssl = tls_client(0, NULL, TLS1_2_VERSION);
    tls_send(ssl, REQUEST("/hold") "GET /smuggled\r\n\r\n");
    wait_until(something_is_held, "a request is held");
    on_loop(answer_held);
    on_loop(return_held);
    require(tls_expect(ssl, "held") && tls_expect(ssl, "HTTP/1.1 400 "), "the answer comes first");
    require(tls_read_to_end(ssl, &is_clean) > 0 && is_clean, "then the end");
    tls_close(ssl);
    ssl = tls_client(0, NULL, TLS1_3_VERSION);
    tls_send(ssl, "GET / HTTP/1.1\r\nHost:");
    require(tls_expect(ssl, "HTTP/1.1 408 ") && tls_read_to_end(ssl, &is_clean) > 0, "408 at the deadline of a head");
    tls_close(ssl);
    wait_until(nothing_is_connected, "all gone");
}

static void failed_handshakes(void) {
    require(tls_is_refused("\x02h2", TLS1_3_VERSION), "who speaks HTTP/2 only is sent away");
    wait_for_failed_handshake("and counted");
    require(tls_is_refused(NULL, TLS1_1_VERSION), "TLS 1.1 is too old");
    wait_for_failed_handshake("and counted too");
    close(client(0));
    client_reset(client(0));
    wait_until(nothing_is_connected, "silent clients are forgotten");
    int fd = client(0);
    client_send(fd, REQUEST("/plain"));
    require(!client_expect(fd, "HTTP/1.1"), "no plain answer");
    close(fd);
    wait_for_failed_handshake("who speaks plainly is counted");
    fd = client(0);
    client_send(fd, "\x16\x03\x01");
    wait_for_failed_handshake("a handshake that stalls is cut");
    require(client_read_to_end(fd) == 0, "without an answer");
    close(fd);
    fd = client(0);
    require(client_read_to_end(fd) == 0, "one that never begins is cut as well");
    close(fd);
    fd = client(0);
    client_send(fd, "\x16\x03\x01");
    client_reset(fd);
    wait_for_failed_handshake("a reset in the middle");
}

static void departures(void) {
    SSL *ssl = tls_client(0, NULL, TLS1_3_VERSION);
    tls_send(ssl, REQUEST("/hold"));
    wait_until(something_is_held, "a request is held");
    tls_reset(ssl);
    on_loop(answer_held);
    wait_until(nothing_is_connected, "the reset client is gone");
    on_loop(return_held);
    ssl = tls_client(4096, NULL, TLS1_3_VERSION);
    tls_send(ssl, REQUEST("/big"));
    require(tls_expect(ssl, "\r\n\r\n"), "the head");
    tls_reset(ssl);
    wait_until(nothing_is_connected, "the impatient client is gone");
    wait_until(every_body_is_released, "its body too");
    ssl = tls_client(4096, NULL, TLS1_2_VERSION);
    tls_send(ssl, REQUEST("/big"));
    wait_until(nothing_is_connected, "a client that takes nothing is cut");
    wait_until(every_body_is_released, "and its body released");
    tls_reset(ssl);
}

static bool everyone_is_connected(void) {
    return larder_server_connections(server) == max_connections;
}

/* Silent ones make room; a client that finds none is sent away without a word, for nothing is encrypted yet. */
static void too_many_connections(void) {
    int silent[max_per_address];
    for (int i = 0; i < max_per_address; i++) {
        silent[i] = client_from(2, 0);
    }
    SSL *first = tls_client(0, NULL, TLS1_3_VERSION), *second = tls_client(0, NULL, TLS1_3_VERSION);
    tls_send(first, REQUEST("/hold"));
    tls_send(second, REQUEST("/hold"));
    wait_until(everyone_is_connected, "as many as may be");
    SSL *third = tls_client(0, NULL, TLS1_3_VERSION);
    require(client_read_to_end(silent[0]) == 0, "one more, in the place of a silent one");
    int more = client_from(2, 0);
    require(client_read_to_end(silent[1]) == 0, "and another");
    tls_close(third);
    on_loop(answer_held);
    on_loop(return_held);
    require(tls_expect(first, "held") && tls_expect(second, "held"), "the busy ones are served");
    tls_close(first);
    tls_close(second);
    close(more);
    for (int i = 0; i < max_per_address; i++) {
        close(silent[i]);
    }
    wait_until(nothing_is_connected, "all gone");
}

static void renewal(larder_tls *tls) {
    SSL *before = tls_client(0, NULL, TLS1_3_VERSION);
    larder_certificate *second = tls_certificate("second");
    larder_tls_renew(tls, second);
    larder_certificate_release(second);
    SSL *after = tls_client(0, NULL, TLS1_3_VERSION);
    require(tls_serial(before) == 1 && tls_serial(after) == 2, "a new certificate for new connections");
    tls_send(before, REQUEST("/before"));
    tls_send(after, REQUEST("/after"));
    require(tls_expect(before, "/before") && tls_expect(after, "/after"), "both are served");
    tls_close(before);
    tls_close(after);
    wait_until(nothing_is_connected, "both gone");
}

static _Atomic time_t passed;

/* In place of the C library's. Only the keys of tickets go by this clock. */
int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    time->tv_sec += clock == CLOCK_BOOTTIME ? passed : 0;
    return result;
}

static void no_time(void) {
}

static void an_hour(void) {
    passed += 3600;
}

static void three_hours(void) {
    passed += 3 * 3600;
}

static void tickets(void) {
    for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++) {
        require(tls_is_resumed(version, no_time), "tickets need no session cache");
        require(tls_is_resumed(version, an_hour), "a ticket outlives its key's hour");
        require(tls_is_resumed(version, no_time), "and the next one is by another key");
        require(!tls_is_resumed(version, three_hours), "a ticket does not outlive the keys before");
    }
}

static void stop_accepting(void) {
    larder_server_set_draining(server);
    larder_server_stop_accepting(server);
    larder_server_close_idle(server);
}

static void drain(void) {
    bool is_clean;
    SSL *idle = tls_client(0, NULL, TLS1_3_VERSION), *waiting = tls_client(0, NULL, TLS1_3_VERSION);
    tls_send(waiting, REQUEST("/hold"));
    tls_send(idle, REQUEST("/last"));
    require(tls_expect(idle, "/last"), "idle: answered");
    wait_until(something_is_held, "a request is held");
    on_loop(stop_accepting);
    require(tls_read_to_end(idle, &is_clean) == 0 && is_clean, "idle: closed at once");
    on_loop(answer_held);
    require(tls_expect(waiting, "Connection: close") && tls_expect(waiting, "held"), "in flight: served");
    require(tls_read_to_end(waiting, &is_clean) == 0 && is_clean, "and closed");
    wait_until(has_drained, "drained");
    tls_close(idle);
    tls_close(waiting);
}

void tls(larder_tls *tls) {
    handshakes_failed = 0;
    tls_bad_certificates();
    requests(TLS1_2_VERSION);
    requests(TLS1_3_VERSION);
    tickets();
    long_pipeline();
    big_answer();
    refusals();
    failed_handshakes();
    departures();
    tls_kept();
    key_updates();
    too_many_connections();
    renewal(tls);
    drain();
    tls_clients_free();
}
