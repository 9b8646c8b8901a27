/* Whatever bytes a client sends, the whole server, evhttp included, must serve just the requests that the second reader
 * finds in them, in order, refuse at most once after those, and never let evhttp answer by itself. The connection is
 * real and the loop is turned by hand, so that the input can be cut anywhere. `make fuzz` runs it. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loop_internal.h"
#include "second_reader.h"
#include "server_internal.h"

/* More than there are requests in an input of 4 KB, which is as long as libFuzzer makes them. */
enum { most_answers = 256 };

static const larder_guard_limits limits = {.target_bytes = 64, .head_bytes = 512, .fields = 8};

static larder_loop *loop;
static larder_server *server;
static int served;
static enum { never, sometimes, always } prompt;
static int client = -1;
static char answers[1 << 16];
static size_t answered;

static void require(bool fact, const char *name) {
    if (!fact) {
        fprintf(stderr, "FAILED: %s; answers so far:\n%.*s\n", name, (int)answered, answers);
        abort();
    }
}

static void serve(larder_request *request, const larder_head *head) {
    char *copy = malloc(head->size);
    larder_request_copy(request, copy);
    free(copy);
    served++;
    larder_reply reply = {.status = 200, .reason = "OK", .body = "served", .body_size = 6};
    larder_request_reply(request, head->sequence, &reply);
}

static void on_request(void *context, larder_request *request, const larder_head *head) {
    (void)context;
    serve(request, head);
    larder_request_return(request);
}

static int on_glance(void *context, larder_request *request, const larder_head *head) {
    (void)context;
    bool is_at_hand = prompt == always || (prompt == sometimes && served % 2);
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

static void start(void) {
    const larder_server_options options = {
        .census = larder_census_new(0, 0), .max_target_bytes = limits.target_bytes,
        .max_head_bytes = limits.head_bytes, .max_fields = limits.fields, .methods = 1 << LARDER_GET,
        .backlog = 64};
    const larder_server_callbacks callbacks = {
        .glance = on_glance, .request = on_request, .drained = on_drained, .refused = on_refused};
    char error[128];
    larder_address address;
    loop = larder_loop_new(on_wake, NULL);
    server = larder_server_new(loop, &options, &callbacks, NULL);
    require(larder_listen_probe("127.0.0.1", 0, &address, error, sizeof error) == LARDER_LISTEN_OK, "an address");
    require(larder_server_listen(server, &address, error, sizeof error) == LARDER_LISTEN_OK, "a listener");
}

static void turn(void) {
    for (int i = 0; i < 3; i++) {
        event_base_loop(larder_loop_base(loop), EVLOOP_NONBLOCK);
    }
}

/* Whether the connection has ended. */
static bool read_answers(void) {
    ssize_t got;
    while ((got = recv(client, answers + answered, sizeof answers - answered, MSG_DONTWAIT)) > 0) {
        answered += (size_t)got;
    }
    return got == 0;
}

/* From many addresses in turn: one has only so many ports, and a machine that does other things may have used them. */
static void bind_client(void) {
    static unsigned turns;
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001u + (turns++ & 0xffff))};
    int on = 1;
    setsockopt(client, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    require(bind(client, (struct sockaddr *)&from, sizeof from) == 0, "bound");
}

static void open_client(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons(larder_server_port(server));
    client = socket(AF_INET, SOCK_STREAM, 0);
    bind_client();
    require(connect(client, (struct sockaddr *)&to, sizeof to) == 0, "connected");
    served = 0;
    answered = 0;
    turn();
}

static void close_client(void) {
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(client);
    for (int i = 0; i < 100 && larder_server_connections(server); i++) {
        turn();
    }
    require(larder_server_connections(server) == 0 && larder_server_outstanding(server) == 0, "nothing is left");
}

static int count(const char *needle) {
    int found = 0;
    for (const char *at = answers; (at = memmem(at, answered - (size_t)(at - answers), needle, strlen(needle))); at++) {
        found++;
    }
    return found;
}

/* How many requests there are. */
static int expected(const unsigned char *bytes, size_t size) {
    int requests = 0;
    size_t head;
    while (size && requests < most_answers && (head = second_reader_accepts(bytes, size, &limits))) {
        requests++;
        bytes += head;
        size -= head;
    }
    return requests;
}

static uint64_t own_counts(larder_refusal why) {
    uint64_t counts[LARDER_REFUSALS];
    larder_server_refusals(server, counts);
    return counts[why];
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    if (!server) {
        start();
    }
    if (size == 0) {
        return 0;
    }
    /* The last byte also says where the input is cut, and which answers are at hand. It is sent too, so that the whole
     * requests of the corpus stay whole. */
    unsigned char manner = bytes[size - 1];
    prompt = manner % 3;
    size_t cut = manner * size / 256;
    uint64_t unparsed = own_counts(LARDER_REFUSAL_UNPARSED);
    open_client();
    send(client, bytes, cut, MSG_NOSIGNAL);
    turn();
    send(client, bytes + cut, size - cut, MSG_NOSIGNAL);
    bool has_ended = false;
    for (int i = 0; i < most_answers && !has_ended; i++) {
        int before = served;
        turn();
        has_ended = read_answers();
        if (served == before && i > 2) {
            break;
        }
    }
    int requests = expected(bytes, size);
    int refused = count("application/problem+json");
    bool may_end = count("Connection: close") > 0;
    require(own_counts(LARDER_REFUSAL_DISAGREEMENT) == 0, "evhttp ends each head where the guard does");
    bool is_unparsed = own_counts(LARDER_REFUSAL_UNPARSED) > unparsed || count("text/html") > 0;
    require(!is_unparsed, "evhttp never answers by itself");
    require(refused <= 1 && (refused == 0 || may_end), "at most one refusal, which is the last answer");
    require(count("HTTP/1.1 200 ") == served && served <= requests, "nothing is served that was not asked for");
    require(served == requests || may_end || requests == most_answers, "all is served that was asked for");
    close_client();
    return 0;
}
