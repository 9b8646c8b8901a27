#include "scenarios.h"
#include "tls_client.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Set and read on the loop; clients have no sessions meanwhile. */
static bool is_starved;

static void *allocate(size_t size, const char *file, int line) {
    (void)file;
    (void)line;
    return is_starved ? NULL : malloc(size);
}

static void *reallocate(void *memory, size_t size, const char *file, int line) {
    (void)file;
    (void)line;
    return is_starved ? NULL : realloc(memory, size);
}

static void release(void *memory, const char *file, int line) {
    (void)file;
    (void)line;
    free(memory);
}

void tls_edge_prepare(void) {
    require(CRYPTO_set_mem_functions(allocate, reallocate, release) == 1, "memory of OpenSSL");
}

/* A head of at least this size, in two records, that ends with the connection, after a whole request or none. */
static void ask_and_end(size_t size, int version, bool is_announced, const char *first) {
    static char text[1 << 15];
    int length = snprintf(text, sizeof text, "%sGET /long HTTP/1.1\r\nHost: a\r\nX: ", first);
    memset(text + length, 'x', size);
    text[length + size] = '\0';
    SSL *ssl = tls_client(0, NULL, version);
    int fd = SSL_get_fd(ssl), on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_CORK, &on, sizeof on);
    tls_send(ssl, text);
    tls_send(ssl, "yz\r\n\r\n");
    if (is_announced) {
        SSL_shutdown(ssl);
    }
    shutdown(fd, SHUT_WR);
    require(!*first || tls_expect(ssl, "/first"), "an answer before");
    require(tls_expect(ssl, "\r\n\r\n/long"), "a long head that ends the connection is answered");
    tls_close(ssl);
    wait_until(nothing_is_connected, "gone");
}

static void half_closes(void) {
    static const size_t sizes[] = {100, 4000, 4050, 4096, 5000, 8150, 8192, 12000, 15000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int is_announced = 0; is_announced < 2; is_announced++) {
            ask_and_end(sizes[i], TLS1_2_VERSION, is_announced, "");
            ask_and_end(sizes[i], TLS1_3_VERSION, is_announced, "");
            ask_and_end(sizes[i], TLS1_3_VERSION, is_announced, REQUEST("/first"));
        }
    }
}

static uint64_t not_accepted(void) {
    uint64_t counts[LARDER_REFUSALS];
    larder_server_refusals(server, counts);
    return counts[LARDER_REFUSAL_DESCRIPTORS];
}

static bool somebody_was_not_accepted(void) {
    return not_accepted() > 0;
}

static void starve(void) {
    is_starved = true;
}

static void feed(void) {
    is_starved = false;
}

static void starvation(void) {
    on_loop(starve);
    int fds[3];
    for (int i = 0; i < 3; i++) {
        fds[i] = client(0);
        send(fds[i], REQUEST("/plain"), strlen(REQUEST("/plain")), MSG_NOSIGNAL);
    }
    for (int i = 0; i < 3; i++) {
        require(!client_expect(fds[i], "HTTP"), "nothing is answered where nothing can be encrypted");
        close(fds[i]);
    }
    wait_until(somebody_was_not_accepted, "and it is counted");
    require(not_accepted() == 3, "each of them");
    on_loop(feed);
    SSL *ssl = tls_client(0, NULL, TLS1_3_VERSION);
    tls_send(ssl, REQUEST("/again"));
    require(tls_expect(ssl, "/again"), "the next one is served");
    tls_close(ssl);
    wait_until(nothing_is_connected, "gone");
}

void tls_edge(larder_server_options options, bool is_prompt) {
    larder_certificate *certificate = tls_certificate("first");
    options.tls = larder_tls_new(certificate);
    options.head_deadline = 1500;
    larder_certificate_release(certificate);
    harness_start(&options, is_prompt);
    half_closes();
    starvation();
    harness_drain();
    harness_stop();
    tls_clients_free();
    larder_tls_release(options.tls);
}
