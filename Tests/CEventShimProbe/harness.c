#define _GNU_SOURCE
#include "harness.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

larder_server *server;
uint16_t port;
held_request held[held_limit];
long replies;

static larder_loop *loop;
static const larder_server_options *server_options;
static int held_count;
static long lent_bodies;
static bool drained;
static bool is_prompt_owner;
static int prompt_replies;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static void (*posted)(void), (*looking)(void);

void require_at(bool fact, const char *name, const char *file, int line) {
    if (!fact) {
        fprintf(stderr, "FAILED: %s:%d: %s\n", file, line, name);
        abort();
    }
}

static void on_drain(void *context) {
    (void)context;
    pthread_mutex_lock(&lock);
    if (posted) {
        posted();
        posted = NULL;
        pthread_cond_signal(&done);
    }
    if (looking) {
        looking();
        larder_loop_wake(loop);
    }
    pthread_mutex_unlock(&lock);
}

void each_pass(void (*look)(void)) {
    pthread_mutex_lock(&lock);
    looking = look;
    pthread_mutex_unlock(&lock);
    larder_loop_wake(loop);
}

void on_loop(void (*body)(void)) {
    pthread_mutex_lock(&lock);
    posted = body;
    larder_loop_wake(loop);
    while (posted) {
        pthread_cond_wait(&done, &lock);
    }
    pthread_mutex_unlock(&lock);
}

void *lend(size_t size) {
    lent_bodies++;
    return calloc(1, size);
}

void take_back(const void *body, size_t size, void *arg) {
    (void)size;
    (void)arg;
    lent_bodies--;
    free((void *)body);
}

static void reply(larder_request *request, uint64_t sequence, const char *text, size_t size) {
    char *body = lend(size);
    memcpy(body, text, strlen(text) < size ? strlen(text) : size);
    replies++;
    larder_reply answer = {
        .status = 200, .reason = "OK", .body = body, .body_size = size, .is_unshared = 1, .release = take_back};
    larder_request_reply(request, sequence, &answer);
}

static void spend(long nanoseconds) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < nanoseconds);
}

static size_t on_body(void *context, const char *target, size_t size) {
    (void)context;
    return size == 5 && memcmp(target, "/hook", 5) == 0 ? hook_body : 0;
}

/* Keeps the copy of a request for later ones with its head, whose copies must equal it. */
static void keep(const larder_request *request, const larder_head *head, const char *copy) {
    void **kept = larder_request_kept(request);
    if (kept && *kept) {
        require(memcmp(*kept, copy, head->size) == 0, "a kept head is that of its request");
    } else if (kept) {
        *kept = lend(head->size);
        memcpy(*kept, copy, head->size);
    }
}

static void on_forget(void *kept) {
    take_back(kept, 0, NULL);
}

/* Responds immediately to every request that is not held. */
static int on_offer(void *context, larder_request *request, const larder_head *head) {
    (void)context;
    char *copy = malloc(head->size + 1);
    larder_request_copy(request, copy);
    keep(request, head, copy);
    copy[head->target_size] = '\0';
    bool is_at_hand = strcmp(copy, "/hold") != 0 && strcmp(copy, "/stream") != 0;
    if (strcmp(copy, "/dear") == 0) {
        spend(33000);
    }
    if (is_at_hand) {
        reply(request, head->sequence, copy, strcmp(copy, "/big") == 0 ? big_size : strlen(copy));
        prompt_replies++;
    }
    free(copy);
    return is_at_hand;
}

static void on_request(void *context, larder_request *request, const larder_head *head) {
    (void)context;
    char *copy = malloc(head->size + 1);
    larder_request_copy(request, copy);
    copy[head->target_size] = '\0';
    if (head->is_excess) {
        larder_request_refuse_excess(request, head->sequence);
        larder_request_return(request);
    } else if (strcmp(copy, "/hold") == 0) {
        require(held_count < held_limit, "room for held requests");
        held[held_count++] = (held_request){request, head->sequence};
    } else if (strcmp(copy, "/stream") == 0) {
        begin_stream(request, head->sequence);
        larder_request_return(request);
    } else {
        reply(request, head->sequence, copy, strcmp(copy, "/big") == 0 ? big_size : strlen(copy));
        larder_request_return(request);
    }
    free(copy);
}

/* Every peer is a proxy where its header is wanted. */
static int on_peer(void *context, const char *address) {
    (void)context;
    (void)address;
    return 1;
}

static void on_drained(void *context) {
    (void)context;
    drained = true;
}

void answer_held(void) {
    for (int i = 0; i < held_count; i++) {
        reply(held[i].request, held[i].sequence, "held", 4);
        reply(held[i].request, held[i].sequence, "again", 5);
    }
}

void return_held(void) {
    for (int i = 0; i < held_count; i++) {
        larder_request_return(held[i].request);
    }
    held_count = 0;
}

static void listen_on_loop(void) {
    const larder_server_callbacks callbacks = {
        .try_immediate = is_prompt_owner ? on_offer : NULL, .forget = on_forget, .body_limit = on_body,
        .request = on_request, .drained = on_drained, .is_trusted = server_options->proxy_protocol ? on_peer : NULL};
    char error[128];
    larder_address address;
    require(larder_listen_probe("127.0.0.1", 0, &address, error, sizeof error) == LARDER_LISTEN_OK, "probe");
    server = larder_server_new(loop, server_options, &callbacks, NULL);
    require(server != NULL, "server");
    require(larder_server_listen(server, &address, error, sizeof error) == LARDER_LISTEN_OK, "listen");
    port = larder_server_port(server, 0);
    drained = false;
}

static void free_on_loop(void) {
    larder_server_free(server);
}

static void stop_on_loop(void) {
    larder_loop_stop(loop);
}

void harness_start(const larder_server_options *options, bool is_prompt) {
    server_options = options;
    is_prompt_owner = is_prompt;
    prompt_replies = 0;
    loop = larder_loop_new(on_drain, NULL);
    require(loop && larder_loop_start(loop, "probe") == 0, "loop");
    on_loop(listen_on_loop);
}

void harness_stop(void) {
    on_loop(free_on_loop);
    on_loop(return_held);
    on_loop(stop_on_loop);
    larder_loop_join(loop);
    require(lent_bodies == 0, "every body was released once");
    require(is_prompt_owner == (prompt_replies > 0), "a prompt owner answers on the fast path");
}

static bool fact_holds;
static bool (*fact_asked)(void);

static void ask(void) {
    fact_holds = fact_asked();
}

void wait_until_at(bool (*fact)(void), const char *name, const char *file, int line) {
    fact_asked = fact;
    for (int i = 0; i < 10000; i++) {
        on_loop(ask);
        if (fact_holds) {
            return;
        }
        usleep(1000);
    }
    require_at(false, name, file, line);
}

bool nothing_is_connected(void) {
    return larder_server_connections(server) == 0 && larder_server_outstanding(server) == 0;
}

bool something_is_held(void) {
    return held_count > 0;
}

bool every_body_is_released(void) {
    return lent_bodies == 0;
}

bool has_drained(void) {
    return drained;
}

static void abort_on_loop(void) {
    larder_server_stop_accepting(server);
    larder_server_abort_all(server);
}

void harness_drain(void) {
    on_loop(abort_on_loop);
    wait_until(has_drained, "drained");
}

int client_from(unsigned char host, int receive_buffer) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct timeval patience = {.tv_sec = 20, .tv_usec = 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (receive_buffer) {
        int segment = 536; /* by which the server's kernel measures its send buffer */
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
    }
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000000u + host)};
    require(fd >= 0 && bind(fd, (struct sockaddr *)&from, sizeof from) == 0, "bind");
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    require(fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0, "connect");
    return fd;
}

int client(int receive_buffer) {
    return client_from(1, receive_buffer);
}

void client_send(int fd, const char *text) {
    require(send(fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text), "send");
}

bool client_expect(int fd, const char *needle) {
    char seen[4096];
    size_t count = 0;
    ssize_t got;
    while (count < sizeof seen - 1 && (got = recv(fd, seen + count, 1, 0)) > 0) {
        seen[++count] = '\0';
        if (strstr(seen, needle)) {
            return true;
        }
    }
    return false;
}

size_t client_read_to_end(int fd) {
    static char bytes[1 << 16];
    size_t total = 0;
    ssize_t got;
    while ((got = recv(fd, bytes, sizeof bytes, 0)) > 0) {
        total += (size_t)got;
    }
    return total;
}

void client_reset(int fd) {
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
}
