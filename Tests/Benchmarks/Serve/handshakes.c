// Connects again and again, asks once over each TLS connection, and prints what came of it as report.lua does.
//
// handshakes PORT SECONDS new|resumed TARGET     resumed: each by the ticket of one before
#define _GNU_SOURCE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most = 1 << 20 };

static SSL_SESSION *ticket;
static uint32_t latencies[most];
static size_t requests, received, failures;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int keep(SSL *ssl, SSL_SESSION *session) {
    (void)ssl;
    SSL_SESSION_free(ticket);
    ticket = session;
    return 1;
}

static int dial(uint16_t port) {
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in place = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return connect(fd, (struct sockaddr *)&place, sizeof place) == 0 ? fd : -1;
}

// Reads to the end; false unless the answer is good.
static int read_answer(SSL *ssl) {
    static char bytes[1 << 16];
    int count, is_good = 0;
    for (size_t size = 0; (count = SSL_read(ssl, bytes, sizeof bytes)) > 0; size += (size_t)count) {
        if (size == 0) is_good = count > 12 && memcmp(bytes, "HTTP/1.1 200", 12) == 0;
        received += (size_t)count;
    }
    return is_good;
}

static int ask(SSL_CTX *context, uint16_t port, int is_resumed, const char *request) {
    int fd = dial(port), is_good = 0;
    SSL *ssl = SSL_new(context);
    SSL_set_fd(ssl, fd);
    if (is_resumed && ticket) SSL_set_session(ssl, ticket);
    if (fd >= 0 && SSL_connect(ssl) == 1 && SSL_write(ssl, request, (int)strlen(request)) > 0) {
        is_good = read_answer(ssl) && (!is_resumed || requests == 0 || SSL_session_reused(ssl));
    }
    SSL_shutdown(ssl);
    SSL_free(ssl);
    close(fd);
    return is_good;
}

static int by_size(const void *one, const void *other) {
    uint32_t left = *(const uint32_t *)one, right = *(const uint32_t *)other;
    return (left > right) - (left < right);
}

int main(int words, char **word) {
    if (words != 5) return 1;
    char request[1024];
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", word[4]);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, keep);
    double start = now(), end = start + atof(word[2]) * 1e6;
    while (now() < end && requests < most) {
        double from = now();
        failures += !ask(context, (uint16_t)atoi(word[1]), strcmp(word[3], "resumed") == 0, request);
        latencies[requests++] = (uint32_t)(now() - from);
    }
    double microseconds = now() - start;
    qsort(latencies, requests, sizeof *latencies, by_size);
    printf("{\"requests\": %zu, \"microseconds\": %.0f, \"bytes\": %zu, \"p50\": %u, \"p99\": %u, \"status\": %zu, "
           "\"connect\": 0, \"read\": 0, \"write\": 0, \"timeout\": 0}\n",
        requests, microseconds, received, latencies[requests / 2], latencies[requests * 99 / 100], failures);
    return 0;
}
