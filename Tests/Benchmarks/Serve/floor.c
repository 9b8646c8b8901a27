// The floor below every server: one thread with epoll receives what comes, and writes one answer for it. It parses
// nothing but `Connection: close`, so a client has to wait for each answer.
//
// floor PORT ANSWER [CHAIN KEY]     ANSWER is a file with head and body; with a certificate the port is encrypted
#define _GNU_SOURCE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct connection {
    int fd;
    SSL *ssl;
    int is_open, is_last;
    size_t written;
};

static char *answer;
static size_t length;
static SSL_CTX *context;
static int events;

static void load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) exit(1);
    length = (size_t)ftell(file);
    rewind(file);
    answer = malloc(length);
    if (!answer || fread(answer, 1, length, file) != length) exit(1);
    fclose(file);
}

static void use_certificate(char **files) {
    context = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_chain_file(context, files[0]) != 1 ||
        SSL_CTX_use_PrivateKey_file(context, files[1], SSL_FILETYPE_PEM) != 1) exit(1);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1);
}

static void watch(struct connection *one, int operation, uint32_t what) {
    struct epoll_event event = { .events = what, .data.ptr = one };
    epoll_ctl(events, operation, one->fd, &event);
}

static void drop(struct connection *one) {
    if (one->is_last && one->ssl) SSL_shutdown(one->ssl);
    SSL_free(one->ssl);
    close(one->fd);
    free(one);
}

static void take(int listener) {
    int on = 1, fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    struct connection *one = fd < 0 ? NULL : calloc(1, sizeof *one);
    if (!one) return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    *one = (struct connection){ .fd = fd, .ssl = context ? SSL_new(context) : NULL, .is_open = !context };
    if (one->ssl) SSL_set_fd(one->ssl, fd);
    watch(one, EPOLL_CTL_ADD, EPOLLIN);
}

// Returns what read returns: -1 if there is nothing yet.
static ssize_t receive(struct connection *one, char *bytes, int size) {
    if (!one->ssl) return recv(one->fd, bytes, (size_t)size, 0);
    if (!one->is_open) {
        int done = SSL_accept(one->ssl);
        if (done != 1) return SSL_get_error(one->ssl, done) == SSL_ERROR_WANT_READ ? -1 : 0;
        one->is_open = 1;
    }
    int count = SSL_read(one->ssl, bytes, size);
    return count > 0 ? count : SSL_get_error(one->ssl, count) == SSL_ERROR_WANT_READ ? -1 : 0;
}

static void send_on(struct connection *one) {
    int waited = one->written > 0;
    while (one->written < length) {
        const char *from = answer + one->written;
        size_t rest = length - one->written;
        ssize_t count = one->ssl ? SSL_write(one->ssl, from, (int)rest) : write(one->fd, from, rest);
        if (count <= 0) {
            watch(one, EPOLL_CTL_MOD, EPOLLOUT);
            return;
        }
        one->written += (size_t)count;
    }
    if (one->is_last) {
        drop(one);
    } else if (waited) {
        watch(one, EPOLL_CTL_MOD, EPOLLIN);
    }
}

static void serve(struct connection *one, uint32_t what) {
    char bytes[16384];
    if (what & EPOLLOUT) {
        send_on(one);
        return;
    }
    ssize_t count = receive(one, bytes, sizeof bytes);
    if (count == 0) {
        drop(one);
    } else if (count > 0) {
        one->written = 0;
        one->is_last = memmem(bytes, (size_t)count, "Connection: close", 17) != NULL;
        send_on(one);
    }
}

int main(int words, char **word) {
    signal(SIGPIPE, SIG_IGN);
    if (words != 3 && words != 5) return 1;
    load(word[2]);
    if (words == 5) use_certificate(word + 3);
    int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in place = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(word[1])),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&place, sizeof place) != 0 || listen(listener, 512) != 0) return 1;
    events = epoll_create1(0);
    struct connection door = { .fd = listener };
    watch(&door, EPOLL_CTL_ADD, EPOLLIN);
    for (;;) {
        struct epoll_event ready[64];
        int count = epoll_wait(events, ready, 64, -1);
        for (int i = 0; i < count; i++) {
            struct connection *one = ready[i].data.ptr;
            if (one == &door) take(listener); else serve(one, ready[i].events);
        }
    }
}
