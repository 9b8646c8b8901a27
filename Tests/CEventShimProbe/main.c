/* Walks through the lives a connection can have, to be run under valgrind:
 *
 *   cc -std=gnu11 -g -O1 -ISources/CEventShim/include $(find Sources/CEventShim -name '*.c') \
 *      Tests/CEventShimProbe/[a-z]*.c -o /tmp/shim-probe -levent_openssl -levent -lssl -lcrypto -lcurl -lpthread
 *   valgrind --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=definite,indirect,possible \
 *      --track-fds=yes --error-exitcode=1 /tmp/shim-probe --keep-limits
 *
 * valgrind loses a descriptor that is accepted beyond the limit, hence the last argument; run it once without both. Run
 * it at the top of the repository, where the tests' certificates are found.
 */
#include "scenarios.h"
#include "tls_client.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static _Atomic int accept_errors;

static void on_log(larder_severity severity, const char *message, void *context) {
    (void)context;
    accept_errors += severity == LARDER_ERROR && strstr(message, "accepted") != NULL;
}

static void connect_only(void) {
    close(client(0));
    client_reset(client(0));
    wait_until(nothing_is_connected, "silent clients are forgotten");
}

static void request(void) {
    int fd = client(0);
    client_send(fd, REQUEST("/one") REQUEST("/two"));
    require(client_expect(fd, "/one") && client_expect(fd, "/two"), "two answers");
    client_send(fd, "HEAD /three HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    require(client_expect(fd, "Content-Length: 6\r\n") && client_expect(fd, "\r\n\r\n"), "head of HEAD");
    require(client_read_to_end(fd) == 0, "no body for HEAD");
    close(fd);
}

static void pipelining(void) {
    int fd = client(0);
    client_send(fd, REQUEST("/hold") REQUEST("/next"));
    wait_until(something_is_held, "a request is held");
    on_loop(answer_held);
    require(client_expect(fd, "held") && client_expect(fd, "/next"), "answers in order");
    on_loop(answer_held); /* too late: the room holds no request, or another one */
    on_loop(return_held);
    close(fd);
    wait_until(nothing_is_connected, "the pipeline is gone");
}

static void refusal(void) {
    int fd = client(0);
    client_send(fd, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab" REQUEST("/smuggled"));
    require(client_expect(fd, "HTTP/1.1 413 ") && client_read_to_end(fd) > 0, "a body is refused");
    close(fd);
    fd = client(0);
    client_send(fd, "nonsense\r\n\r\n");
    require(client_expect(fd, " 400 ") && client_read_to_end(fd) > 0, "nonsense is refused");
    close(fd);
}

static void abort_while_held(void) {
    int gone = client(0);
    client_send(gone, REQUEST("/hold"));
    wait_until(something_is_held, "a request is held");
    client_reset(gone);
    on_loop(answer_held);
    wait_until(nothing_is_connected, "the reset client is gone");
    on_loop(answer_held);
    on_loop(return_held);
}

static void drop_held(void) {
    larder_request_drop(held[0].request, held[0].sequence, 1);
}

static void dropped_by_us(void) {
    int fd = client(0);
    client_send(fd, REQUEST("/hold"));
    wait_until(something_is_held, "a request is held");
    on_loop(drop_held);
    require(client_read_to_end(fd) == 0, "dropped without an answer");
    wait_until(nothing_is_connected, "the dropped client is gone");
    on_loop(answer_held);
    on_loop(return_held);
    close(fd);
}

static void half_close(void) {
    int fd = client(4096);
    client_send(fd, REQUEST("/big"));
    shutdown(fd, SHUT_WR);
    require(client_read_to_end(fd) > big_size, "the whole body after a half-close");
    close(fd);
}

static void leave_in_the_middle(void) {
    int fd = client(4096);
    client_send(fd, REQUEST("/big"));
    require(client_expect(fd, "\r\n\r\n"), "the head");
    client_reset(fd);
    wait_until(nothing_is_connected, "the impatient client is gone");
    wait_until(every_body_is_released, "its body too");
}

static void forgotten(void) {
    int fd = client(0);
    client_send(fd, REQUEST("/hold"));
    require(client_expect(fd, "HTTP/1.1 504 ") && client_read_to_end(fd) > 0, "504 at the deadline");
    on_loop(answer_held);
    on_loop(return_held);
    close(fd);
}

static uint64_t failed_accepts;

static void count_failed_accepts(void) {
    uint64_t counts[LARDER_REFUSALS];
    larder_server_refusals(server, counts);
    failed_accepts = counts[LARDER_REFUSAL_DESCRIPTORS];
}

/* With no descriptor left the listener has to rest, and to accept again afterwards. */
static void out_of_descriptors(void) {
    int fd = client(0);
    client_send(fd, REQUEST("/"));
    require(client_expect(fd, "\r\n\r\n"), "an answer before");
    int starved = socket(AF_INET, SOCK_STREAM, 0);
    int next = dup(starved);
    close(next);
    struct rlimit before, none;
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    none.rlim_cur = (rlim_t)next;
    close(starved);
    setrlimit(RLIMIT_NOFILE, &none);
    starved = client(0);
    usleep(350000);
    on_loop(count_failed_accepts);
    require(failed_accepts >= 1 && failed_accepts <= 6, "one attempt for each rest, not for each pass");
    require(accept_errors == 1, "one error however many attempts fail");
    setrlimit(RLIMIT_NOFILE, &before);
    client_send(starved, REQUEST("/late"));
    require(client_expect(starved, "/late"), "accepted after all");
    close(starved);
    close(fd);
    wait_until(nothing_is_connected, "all gone");
}

static void stop_accepting(void) {
    larder_server_set_draining(server);
    larder_server_stop_accepting(server);
    larder_server_close_idle(server);
}

static void abort_all(void) {
    larder_server_abort_all(server);
}

/* One idle, one half-received, one held, one that reads too slowly. */
static void drain(void) {
    int idle = client(0);
    client_send(idle, REQUEST("/last"));
    require(client_expect(idle, "/last"), "idle: answered");
    int half = client(0), waiting = client(0), slow = client(4096);
    client_send(half, "GET /half HTTP/1.1\r\n");
    client_send(waiting, REQUEST("/hold"));
    client_send(slow, REQUEST("/big"));
    wait_until(something_is_held, "a request is held");
    on_loop(stop_accepting);
    require(client_read_to_end(idle) == 0, "idle: closed at once");
    client_send(half, "Host: a\r\n\r\n");
    require(client_expect(half, "Connection: close") && client_expect(half, "/half"), "half-received: served");
    on_loop(abort_all);
    require(client_read_to_end(waiting) == 0, "held: aborted");
    wait_until(has_drained, "drained");
    on_loop(answer_held);
    close(idle);
    close(half);
    close(waiting);
    close(slow);
}

static void plain(const larder_server_options *options, bool is_prompt, bool may_run_out) {
    accept_errors = 0;
    harness_start(options, is_prompt);
    connect_only();
    request();
    pipelining();
    refusal();
    edge(is_prompt);
    abort_while_held();
    dropped_by_us();
    half_close();
    leave_in_the_middle();
    forgotten();
    if (may_run_out) {
        out_of_descriptors();
    }
    drain();
    harness_stop();
}

static void encrypted(larder_server_options options, bool is_prompt) {
    larder_certificate *first = tls_certificate("first");
    options.tls = larder_tls_new(first);
    options.head_deadline = 1500; /* a handshake takes its time under valgrind */
    larder_certificate_release(first);
    harness_start(&options, is_prompt);
    tls(options.tls);
    harness_stop();
    larder_tls_release(options.tls);
}

static void pressed(larder_server_options options, bool is_prompt, bool may_run_out) {
    options.head_deadline = options.write_timeout = options.request_deadline = 20000;
    harness_start(&options, is_prompt);
    pressure(may_run_out);
    harness_stop();
    larder_certificate *first = tls_certificate("first");
    options.tls = larder_tls_new(first);
    larder_certificate_release(first);
    harness_start(&options, is_prompt);
    pressure_encrypted();
    harness_stop();
    larder_tls_release(options.tls);
}

/* --attack PORT SECONDS: nothing but attacks, on a server that runs already. */
static int attack(char **arguments) {
    signal(SIGPIPE, SIG_IGN);
    port = (uint16_t)atoi(arguments[0]);
    key_update_attack(atoi(arguments[1]));
    return 0;
}

int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "--attack") == 0) {
        return attack(arguments + 2);
    }
    tls_edge_prepare();
    bool may_run_out = !(count > 1 && strcmp(arguments[1], "--keep-limits") == 0);
    loop_without_its_queue();
    larder_set_log(on_log, NULL);
    larder_limits *limits = larder_limits_new(max_connections, max_per_address);
    const larder_server_options options = {
        .limits = limits, .max_target_bytes = 8192, .max_head_bytes = 16384, .max_fields = 100,
        .max_outstanding = max_outstanding, .head_deadline = 300, .idle_timeout = 60000, .write_timeout = 1000,
        .min_write_rate = 512, .request_deadline = 2000, .backlog = 1024};
    for (int is_prompt = 0; is_prompt < 2; is_prompt++) {
        plain(&options, is_prompt, may_run_out);
        encrypted(options, is_prompt);
        proxied(options, is_prompt);
        bounds(options, is_prompt);
        bodies(options, is_prompt);
        stopping(options, is_prompt);
        streams(options, is_prompt);
        tls_edge(options, is_prompt);
        pressed(options, is_prompt, may_run_out);
    }
    larder_limits_release(limits);
    printf("shim probe: good, libevent %s\n", larder_libevent_version());
    return 0;
}
