#include "scenarios.h"
#include "tls_client.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* More answers of this size than the kernel keeps for a client that reads none. */
enum { many = 700, target_size = 8000 };

/* More requests than a pass answers. */
enum { burst = 140, most_at_once = 2 * 16 };

/* A connection that has been answered once: a prompt server reads it directly from then on. */
static SSL *kept_client(int receive_buffer, int version) {
    SSL *ssl = tls_client(receive_buffer, NULL, version);
    tls_send(ssl, REQUEST("/first"));
    require(tls_expect(ssl, "\r\n\r\n/first"), "a first answer");
    return ssl;
}

static void finish(SSL *ssl) {
    tls_close(ssl);
    wait_until(nothing_is_connected, "gone");
}

static const char *long_target(int number) {
    static char target[target_size + 1];
    memset(target, 'a' + number % 26, target_size);
    int size = snprintf(target, sizeof target, "/%d-", number);
    target[size] = 'x';
    return target;
}

static void expect_bytes(SSL *ssl, const char *bytes, size_t size) {
    static char seen[target_size];
    for (size_t count = 0; count < size;) {
        int got = SSL_read(ssl, seen + count, (int)(size - count));
        require(got > 0, "the rest of an answer");
        count += (size_t)got;
    }
    require(memcmp(seen, bytes, size) == 0, "the bytes of an answer, in order");
}

/* What the client writes is encrypted, and not sent yet. */
static BIO *hold_back(SSL *ssl) {
    BIO *outbox = BIO_new(BIO_s_mem()), *socket = SSL_get_wbio(ssl);
    BIO_up_ref(socket);
    BIO_up_ref(outbox);
    SSL_set0_wbio(ssl, outbox);
    SSL_set_app_data(ssl, socket);
    return outbox;
}

static void send_on(SSL *ssl, BIO *outbox) {
    SSL_set0_wbio(ssl, SSL_get_app_data(ssl));
    BIO_free(outbox);
}

/* Sends the first bytes, and gives the number that the socket took. */
static size_t push(SSL *ssl, BIO *outbox, size_t most) {
    char gone[1 << 12], *bytes;
    size_t size = (size_t)BIO_get_mem_data(outbox, &bytes);
    ssize_t sent = send(SSL_get_fd(ssl), bytes, size < most ? size : most, MSG_DONTWAIT | MSG_NOSIGNAL);
    for (ssize_t left = sent; left > 0;) {
        left -= BIO_read(outbox, gone, left < (ssize_t)sizeof gone ? (int)left : (int)sizeof gone);
    }
    return sent > 0 ? (size_t)sent : 0;
}

static void push_all(SSL *ssl, BIO *outbox) {
    size_t size = BIO_ctrl_pending(outbox);
    require(push(ssl, outbox, size) == size, "all in one piece");
    send_on(ssl, outbox);
}

/* The socket accepts some of the records as a part only. */
static void unread_answers(int version) {
    static char request[target_size + 64];
    SSL *ssl = kept_client(1 << 18, version);
    BIO *outbox = hold_back(ssl);
    for (int i = 0; i < many; i++) {
        snprintf(request, sizeof request, REQUEST("%s"), long_target(i));
        tls_send(ssl, request);
    }
    for (int pause = 0; pause < 50; pause++) {
        pause = push(ssl, outbox, 1 << 16) ? 0 : pause;
        usleep(1000);
    }
    for (int i = 0; i < many; i++) {
        push(ssl, outbox, 1 << 20);
        require(tls_expect(ssl, "\r\n\r\n"), "a head");
        expect_bytes(ssl, long_target(i), target_size);
    }
    send_on(ssl, outbox);
    finish(ssl);
}

static void big_answers(int version) {
    static char bytes[1 << 16];
    SSL *ssl = kept_client(1 << 18, version);
    tls_send(ssl, REQUEST("/big") REQUEST("/big") REQUEST("/last"));
    usleep(50000);
    for (int i = 0; i < 2; i++) {
        require(tls_expect(ssl, "\r\n\r\n"), "a head");
        for (int left = big_size; left > 0;) {
            int got = SSL_read(ssl, bytes, left < (int)sizeof bytes ? left : (int)sizeof bytes);
            require(got > 0, "a part of a body");
            left -= got;
        }
    }
    require(tls_expect(ssl, "\r\n\r\n/last"), "what follows it");
    finish(ssl);
    wait_until(every_body_is_released, "the bodies are released");
}

/* Two requests in two records, which come in two pieces, wherever they are cut. */
static void cut_anywhere(int version) {
    SSL *ssl = kept_client(0, version);
    for (size_t cut = 1, size = 2; cut < size; cut += 7) {
        BIO *outbox = hold_back(ssl);
        tls_send(ssl, REQUEST("/second"));
        tls_send(ssl, REQUEST("/third"));
        size = BIO_ctrl_pending(outbox);
        require(push(ssl, outbox, cut) == cut, "a piece");
        usleep(2000);
        push_all(ssl, outbox);
        require(tls_expect(ssl, "\r\n\r\n/second") && tls_expect(ssl, "\r\n\r\n/third"), "both are answered");
    }
    finish(ssl);
}

/* Behind key updates and in one piece with them; and with the end of what the client sends. */
static void company(void) {
    SSL *ssl = kept_client(0, TLS1_3_VERSION);
    for (int updates = 1; updates <= 5; updates++) {
        BIO *outbox = hold_back(ssl);
        for (int i = 0; i < updates; i++) {
            require(SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1 && SSL_do_handshake(ssl) == 1, "a key update");
        }
        tls_send(ssl, REQUEST("/updated"));
        push_all(ssl, outbox);
        require(tls_expect(ssl, "\r\n\r\n/updated"), "an answer behind key updates");
    }
    BIO *outbox = hold_back(ssl);
    tls_send(ssl, REQUEST("/hold"));
    SSL_shutdown(ssl);
    push_all(ssl, outbox);
    wait_until(something_is_held, "it is held");
    on_loop(answer_held);
    on_loop(return_held);
    require(tls_expect(ssl, "\r\n\r\nheld"), "and answered");
    finish(ssl);
}

/* An end that the client announces and does not make, and rubbish in place of a record. */
static void ends(int version) {
    bool is_clean;
    SSL *ssl = kept_client(0, version);
    SSL_shutdown(ssl);
    require(tls_read_to_end(ssl, &is_clean) == 0 && is_clean, "an announced end is answered with the end");
    wait_until(nothing_is_connected, "without a FIN of the client");
    tls_close(ssl);
    ssl = kept_client(0, version);
    require(send(SSL_get_fd(ssl), REQUEST("/plain"), sizeof REQUEST("/plain") - 1, 0) > 0, "no record");
    require(tls_read_to_end(ssl, &is_clean) == 0 && !is_clean, "an alert");
    wait_until(nothing_is_connected, "and the end");
    tls_close(ssl);
    ssl = kept_client(0, version);
    tls_reset(ssl);
    wait_until(nothing_is_connected, "a reset is the end, too");
}

/* A byte of a record keeps no place, and no time. */
static void parts_of_records(void) {
    SSL *held[max_connections];
    for (int i = 0; i < max_connections; i++) {
        held[i] = tls_client_over(client_from(i < max_per_address ? 2 : 3, 0));
        tls_send(held[i], REQUEST("/first"));
        require(tls_expect(held[i], "\r\n\r\n/first"), "a first answer");
        require(send(SSL_get_fd(held[i]), "\x17", 1, 0) == 1, "a byte of a record");
    }
    usleep(20000);
    SSL *more = tls_client(0, NULL, TLS1_3_VERSION);
    tls_send(more, REQUEST("/in"));
    require(tls_expect(more, "/in"), "one more, in the place of a part of a record");
    tls_close(more);
    for (int i = 0; i < max_connections; i++) {
        tls_reset(held[i]);
    }
    wait_until(nothing_is_connected, "all gone");
}

static long most, before;

static void look(void) {
    most = replies - before > most ? replies - before : most;
    before = replies;
}

/* Each in a record of its own, and all in one piece. */
static void records_in_a_row(void) {
    SSL *ssl = kept_client(0, TLS1_3_VERSION);
    BIO *outbox = hold_back(ssl);
    for (int i = 0; i < burst; i++) {
        tls_send(ssl, REQUEST("/dear"));
    }
    most = 0;
    before = replies;
    each_pass(look);
    push_all(ssl, outbox);
    for (int i = 0; i < burst; i++) {
        require(tls_expect(ssl, "\r\n\r\n/dear"), "an answer for each of many");
    }
    each_pass(NULL);
    require(most <= most_at_once, "records in a row are answered in several passes");
    finish(ssl);
}

void tls_kept(void) {
    for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++) {
        unread_answers(version);
        big_answers(version);
        cut_anywhere(version);
        ends(version);
    }
    company();
    parts_of_records();
    records_in_a_row();
}
