// Clients of a server that stops, as many as THREADS, each in a loop until nobody listens any more.
//
// drain_clients PORT new|kept plain|tls THREADS TARGET      One line of JSON on standard output.
//
// "new" takes a connection for each request, "kept" one for as many as the server allows. Every other client pauses for
// 20 ms before each request, on a new connection too. A request has failed when its connection ends before the answer
// does. Not to get a connection is no failure, nor is the end of a kept one before a request is sent on it.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 10, PAUSE = 20, MOST_THREADS = 256, SHOWN = 5 };

typedef struct {
    int fd;
    SSL *ssl;
} connection;

static struct sockaddr_in server;
static SSL_CTX *tls;
static bool keeps;
static char request[1024];
static atomic_long answered, failed, ended_idle, told;

static void fail(const char *stage) {
    if (atomic_fetch_add(&failed, 1) < SHOWN) fprintf(stderr, "drain_clients: %s: %s\n", stage, strerror(errno));
}

static void end(connection *one) {
    SSL_free(one->ssl);
    ERR_clear_error();
    close(one->fd);
}

static void pause_before(bool pauses) {
    if (pauses) usleep(PAUSE * 1000);
}

// False when there is no connection to be had.
static bool dial(connection *one) {
    struct timeval patience = { .tv_sec = PATIENCE };
    int on = 1;
    one->ssl = NULL;
    one->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(one->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(one->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(one->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(one->fd, (struct sockaddr *)&server, sizeof server) == 0) return true;
    close(one->fd);
    return false;
}

static bool encrypt(connection *one) {
    if (!tls) return true;
    one->ssl = SSL_new(tls);
    SSL_set_fd(one->ssl, one->fd);
    return SSL_connect(one->ssl) == 1;
}

static bool transmit(connection *one) {
    int size = (int)strlen(request);
    return (one->ssl ? SSL_write(one->ssl, request, size) : send(one->fd, request, (size_t)size, MSG_NOSIGNAL)) == size;
}

static long receive(connection *one, char *to, size_t size) {
    return one->ssl ? SSL_read(one->ssl, to, (int)size) : recv(one->fd, to, size, 0);
}

// False when it ends too early; else `closes` says whether the server is to end the connection.
static bool take_answer(connection *one, bool *closes) {
    char bytes[65536];
    size_t have = 0;
    char *body = NULL;
    long length = -1;
    while (!body || length > (bytes + have) - body) {
        long count = receive(one, bytes + have, sizeof bytes - 1 - have);
        if (count <= 0) return false;
        have += (size_t)count;
        bytes[have] = 0;
        if (body || !(body = strstr(bytes, "\r\n\r\n"))) continue;
        body[2] = 0;
        char *field = strcasestr(bytes, "\r\ncontent-length:");
        length = field ? atol(field + 17) : 0;
        *closes = strcasestr(bytes, "\r\nconnection: close") != NULL;
        body += 4;
    }
    return strncmp(bytes, "HTTP/1.1 200 ", 13) == 0;
}

// Whether the connection has ended. No other byte can arrive without a request: TLS records of the handshake came
// before the last response.
static bool has_ended(const connection *one) {
    char byte;
    return recv(one->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno != EAGAIN;
}

// False when the connection is of no more use.
static bool ask(connection *one) {
    bool closes = false;
    errno = 0;
    if (!transmit(one)) {
        fail("the request is not taken");
        return false;
    }
    if (!take_answer(one, &closes)) {
        fail("no whole answer with status 200");
        return false;
    }
    answered++;
    told += closes;
    return keeps && !closes;
}

static void *run(void *argument) {
    bool pauses = argument != NULL;
    connection one;
    while (dial(&one)) {
        pause_before(pauses);
        if (!encrypt(&one)) {
            fail("no handshake");
        } else {
            while (ask(&one)) {
                pause_before(pauses);
                if (!has_ended(&one)) continue;
                ended_idle++;
                break;
            }
        }
        end(&one);
    }
    return NULL;
}

int main(int count, char **words) {
    if (count != 6) return fputs("drain_clients PORT new|kept plain|tls THREADS TARGET\n", stderr), 64;
    server = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[1])) };
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    keeps = strcmp(words[2], "kept") == 0;
    tls = strcmp(words[3], "tls") == 0 ? SSL_CTX_new(TLS_client_method()) : NULL;
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", words[5]);
    signal(SIGPIPE, SIG_IGN);
    int threads = atoi(words[4]) < MOST_THREADS ? atoi(words[4]) : MOST_THREADS;
    pthread_t all[MOST_THREADS];
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&all[i], NULL, run, i % 2 ? &all[i] : NULL)) return 1;
    }
    for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
    printf("{\"answered\": %ld, \"failed\": %ld, \"told\": %ld, \"ended_idle\": %ld}\n", answered, failed, told,
           ended_idle);
    return 0;
}
