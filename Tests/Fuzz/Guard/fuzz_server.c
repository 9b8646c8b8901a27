#define _GNU_SOURCE
#include "fuzz_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

#include "loop/internal.h"

larder_guard_limits limits = {.target_bytes = 64, .head_bytes = 512, .fields = 8, .body_bytes = 32};

static larder_loop *loop;
static bool is_encrypted;
larder_server *server;
int served;
fuzz_prompt prompt;
size_t bodies;
int events;
static larder_stream *stream;
static const char *answers;
static size_t answered;

void require_at(bool fact, const char *name, const char *file, int line) {
    if (!fact) {
        fprintf(stderr, "FAILED: %s:%d: %s; answers so far:\n%.*s\n", file, line, name, (int)answered, answers);
        abort();
    }
}

void show(const char *bytes, size_t size) {
    answers = bytes;
    answered = size;
}

/* The request as it was offered on the fast path, from the guard's bytes, before evhttp read them. */
static struct {
    uint64_t sequence;
    size_t size;
    char bytes[16 << 10];
} offered;

static void keep_offer(larder_request *request, const larder_head *head) {
    require(head->size <= sizeof offered.bytes, "an offer is no longer than a head");
    offered.sequence = head->sequence;
    offered.size = head->size;
    larder_request_copy(request, offered.bytes);
    void **kept = larder_request_kept(request);
    if (kept && *kept) {
        require(memcmp(*kept, offered.bytes, head->size) == 0, "a repeated head has the copy of the last one");
    } else if (kept) {
        *kept = memcpy(malloc(head->size + 1), offered.bytes, head->size);
    }
}

/* Longer targets have longer bodies where all is encrypted; some of them fill the send buffer. */
static size_t body_size(const larder_head *head) {
    return is_encrypted && head->target_size > 32 ? (size_t)(head->target_size - 32) << 13 : 6;
}

static const char *body_of(const larder_head *head) {
    static char body[(64 - 32) << 13];
    return body_size(head) == 6 ? "served" : body;
}

static void serve(larder_request *request, const larder_head *head) {
    char *copy = malloc(head->size);
    larder_request_copy(request, copy);
    if (offered.sequence == head->sequence) {
        bool is_same = offered.size == head->size && memcmp(offered.bytes, copy, head->size) == 0;
        require(is_same, "a request is the same on both ways");
    }
    free(copy);
    served++;
    bodies += head->body_size;
    larder_reply reply = {.status = 200, .reason = "OK", .body = body_of(head), .body_size = body_size(head)};
    larder_request_reply(request, head->sequence, &reply);
}

static void on_stream_closed(void *context) {
    (void)context;
    stream = NULL;
}

static bool is_for_stream(larder_request *request, const larder_head *head) {
    char *copy = malloc(head->size);
    larder_request_copy(request, copy);
    bool is_stream = second_reader_is_stream(copy, head->target_size);
    free(copy);
    return is_stream;
}

static void begin_stream(larder_request *request, const larder_head *head) {
    larder_reply start = {.status = 200, .reason = "OK"};
    require(stream == NULL, "a connection has one stream at most");
    stream = larder_request_stream(request, head->sequence, &start, on_stream_closed, NULL);
    served += stream != NULL;
    bodies += stream ? head->body_size : 0;
}

/* Short ones are copied, and long ones are not. */
static void send_event(void) {
    static const char bytes[600] = "data: event";
    if (stream && events > 0) {
        larder_reply event = {.body = bytes, .body_size = events % 2 ? 12 : sizeof bytes};
        larder_stream_send(stream, &event);
        if (--events == 0) {
            larder_stream_end(stream);
        }
    }
}

static size_t on_body(void *context, const char *path, size_t size) {
    (void)context;
    return second_reader_body_limit(path, size);
}

static void on_request(void *context, larder_request *request, const larder_head *head) {
    (void)context;
    if (is_for_stream(request, head)) {
        begin_stream(request, head);
    } else {
        serve(request, head);
    }
    larder_request_return(request);
}

static int on_offer(void *context, larder_request *request, const larder_head *head) {
    (void)context;
    bool is_wanted = prompt == always || (prompt == sometimes && served % 2);
    bool is_at_hand = is_wanted && !is_for_stream(request, head);
    keep_offer(request, head);
    if (is_at_hand) {
        serve(request, head);
    }
    return is_at_hand;
}

static void on_drained(void *context) {
    (void)context;
}

/* Reads all it is told of. */
static size_t on_refused(void *context, const larder_refused *request, char *to, size_t room) {
    (void)context;
    static const char field[] = "X-Refused: yes\r\n";
    volatile unsigned sum = 0;
    for (size_t i = 0; i < request->origin_size; i++) {
        sum += (unsigned char)request->origin[i];
    }
    for (size_t i = 0; i < request->id_size; i++) {
        sum += (unsigned char)request->id[i];
    }
    require(room >= sizeof field, "room for a field");
    memcpy(to, field, sizeof field - 1);
    return sizeof field - 1;
}

static void on_wake(void *context) {
    (void)context;
}

/* libFuzzer's timer would interrupt a call of the client that waits. */
static void restart_interrupted_calls(void) {
    struct sigaction action;
    if (sigaction(SIGALRM, NULL, &action) == 0) {
        action.sa_flags |= SA_RESTART;
        sigaction(SIGALRM, &action, NULL);
    }
}

void fuzz_server_start(larder_tls *tls) {
    restart_interrupted_calls();
    is_encrypted = tls != NULL;
    limits.head_bytes = is_encrypted ? 12 << 10 : limits.head_bytes;
    const larder_server_options options = {
        .limits = larder_limits_new(0, 0), .tls = tls, .max_target_bytes = limits.target_bytes,
        .max_head_bytes = limits.head_bytes, .max_fields = limits.fields, .max_body_bytes = limits.body_bytes,
        .max_received_bytes = 1 << 20, .methods = 1 << LARDER_GET | 1 << LARDER_POST, .backlog = 64};
    const larder_server_callbacks callbacks = {
        .try_immediate = on_offer, .forget = free, .body_limit = on_body, .request = on_request, .drained = on_drained,
        .refused = on_refused};
    char error[128];
    larder_address address;
    loop = larder_loop_new(on_wake, NULL);
    server = larder_server_new(loop, &options, &callbacks, NULL);
    require(larder_listen_probe("127.0.0.1", 0, &address, error, sizeof error) == LARDER_LISTEN_OK, "an address");
    require(larder_server_listen(server, &address, error, sizeof error) == LARDER_LISTEN_OK, "a listener");
}

void turn(void) {
    send_event();
    for (int i = 0; i < 3; i++) {
        event_base_loop(larder_loop_base(loop), EVLOOP_NONBLOCK);
    }
}

/* From many addresses in turn: one has only so many ports, and a machine that does other things may have used them. */
static void bind_client(int client) {
    static unsigned turns;
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001u + (turns++ & 0xffff))};
    int on = 1;
    setsockopt(client, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    require(bind(client, (struct sockaddr *)&from, sizeof from) == 0, "bound");
}

int fuzz_client(int receive_buffer) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons(larder_server_port(server, 0));
    int client = socket(AF_INET, SOCK_STREAM, 0), segment = 536;
    if (receive_buffer) {
        setsockopt(client, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        setsockopt(client, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
    }
    bind_client(client);
    int result;
    do {
        result = connect(client, (struct sockaddr *)&to, sizeof to);
    } while (result != 0 && (errno == EINTR || errno == EALREADY));
    require(result == 0 || errno == EISCONN, "connected");
    served = 0;
    bodies = 0;
    turn();
    return client;
}

void fuzz_close(int client) {
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(client);
    for (int i = 0; i < 100 && larder_server_connections(server); i++) {
        turn();
    }
    require(larder_server_connections(server) == 0 && larder_server_outstanding(server) == 0, "nothing is left");
}

int expected(const unsigned char *bytes, size_t size, size_t *all_bodies) {
    int requests = 0;
    second_request next;
    *all_bodies = 0;
    while (size && requests < most_answers && (next = second_reader_accepts(bytes, size, &limits)).size) {
        requests++;
        *all_bodies += next.body_size;
        bytes += next.size;
        size -= next.size;
        if (next.is_stream) {
            break;
        }
    }
    return requests;
}

uint64_t own_counts(larder_refusal why) {
    uint64_t counts[LARDER_REFUSALS];
    larder_server_refusals(server, counts);
    return counts[why];
}
