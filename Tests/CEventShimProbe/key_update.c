#include "scenarios.h"
#include "tls_client.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <openssl/err.h>

/* More than a send buffer holds the answers of. */
enum { many = 6000 };

#define FIRST_HEAD(target) "GET " target " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nX-Long: "
#define SECOND_HALF "GET /second HTTP/1.1\r\n"

/* False when the server has ended the connection. */
static bool update_keys(SSL *ssl, int count) {
    for (int i = 0; i < count; i++) {
        if (SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) != 1 || SSL_do_handshake(ssl) != 1) {
            return false;
        }
    }
    return true;
}

/* A peer that sends and does not read would wait for ever for one that has stopped reading. */
static void hurry(SSL *ssl) {
    struct timeval soon = {.tv_sec = 1, .tv_usec = 0};
    setsockopt(SSL_get_fd(ssl), SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof soon);
    setsockopt(SSL_get_fd(ssl), SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon);
}

/* The end of a head, key updates and the beginning of another head, in one piece, so that one read takes them. */
static void send_in_one_piece(SSL *ssl) {
    BIO *kept = BIO_new(BIO_s_mem()), *socket = SSL_get_wbio(ssl);
    BIO_up_ref(socket);
    SSL_set0_wbio(ssl, kept);
    BIO_up_ref(kept);
    require(SSL_write(ssl, "\r\n\r\n", 4) == 4 && update_keys(ssl, many), "key updates");
    require(SSL_write(ssl, SECOND_HALF, sizeof SECOND_HALF - 1) > 0, "another head");
    char *bytes;
    long size = BIO_get_mem_data(kept, &bytes);
    ssize_t sent = send(SSL_get_fd(ssl), bytes, (size_t)size, MSG_NOSIGNAL);
    (void)sent; /* The server may have had enough before the end. */
    SSL_set0_wbio(ssl, socket);
    BIO_free(kept);
}

/* The server's answers to key updates fill its send buffer in the middle of a read, which goes on when the client takes
 * them: by then the first request waits or is being answered, and the second one has begun. */
static void read_in_a_write(SSL *ssl, const char *head) {
    static char padding[5001]; /* libevent then reads into two pieces of memory, and so twice at a time */
    memset(padding, 'a', sizeof padding - 1);
    hurry(ssl);
    tls_send(ssl, head);
    tls_send(ssl, padding);
    usleep(20000);
    send_in_one_piece(ssl);
    usleep(200000);
    int room = 1 << 20;
    setsockopt(SSL_get_fd(ssl), SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    char bytes[4096];
    while (SSL_read(ssl, bytes, sizeof bytes) > 0) {
    }
    ERR_clear_error();
    tls_reset(ssl);
}

/* Nothing but key updates, as fast as they are taken; how many the server took. */
static int flood(SSL *ssl, int most) {
    int taken = 0;
    hurry(ssl);
    while (taken < most && update_keys(ssl, 1)) {
        taken++;
    }
    ERR_clear_error();
    tls_reset(ssl);
    return taken;
}

/* A client of TLS 1.2 asks for a new handshake again and again; each costs the server an alert. */
static int renegotiate(SSL *ssl, int most) {
    int asked = 0;
    hurry(ssl);
    while (asked < most && SSL_renegotiate(ssl) == 1 && SSL_do_handshake(ssl) == 1) {
        asked++;
    }
    ERR_clear_error();
    tls_reset(ssl);
    return asked;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void expect_service(const char *name) {
    SSL *other = tls_client(0, NULL, TLS1_3_VERSION);
    tls_send(other, REQUEST("/other"));
    require(tls_expect(other, "/other"), name);
    tls_close(other);
}

void key_updates(void) {
    read_in_a_write(tls_client(4096, NULL, TLS1_3_VERSION), FIRST_HEAD("/first"));
    expect_service("a read that goes on in a write ends no loop");
    read_in_a_write(tls_client(4096, NULL, TLS1_3_VERSION), FIRST_HEAD("/hold"));
    on_loop(answer_held);
    on_loop(return_held);
    expect_service("nor while a request waits");
    require(flood(tls_client(0, NULL, TLS1_3_VERSION), 100000) < 50000, "a flood of key updates is dropped");
    expect_service("and keeps nobody waiting");
    renegotiate(tls_client(0, NULL, TLS1_2_VERSION), 1000);
    wait_until(nothing_is_connected, "the attackers are gone");
}

void key_update_attack(int seconds) {
    double end = now() + seconds;
    long reads = 0, floods = 0, updates = 0;
    while (now() < end) {
        read_in_a_write(tls_client(4096, NULL, TLS1_3_VERSION), FIRST_HEAD("/products"));
        reads++;
        updates += flood(tls_client(0, NULL, TLS1_3_VERSION), 500000);
        renegotiate(tls_client(0, NULL, TLS1_2_VERSION), 1000);
        floods++;
    }
    printf("%ld reads within writes, %ld floods of %ld key updates: survived\n", reads, floods, updates);
}
