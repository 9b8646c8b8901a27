#include "scenarios.h"

#include <string.h>
#include <unistd.h>

/* Looks once a pass, before or after it, which shows how much a pass takes: on the fast path no more answers than a few
 * that each take a third of a turn; and what libevent puts off within a pass. */
enum { crowd = 200, most_accepted = 2 * 32, burst = 140, most_at_once = 2 * 6, most_put_off = 2 * 16, head_deadline = 400 };

static int fds[crowd];
static size_t before, most;

static void look(size_t now) {
    most = now - before > most ? now - before : most;
    before = now;
}

static void look_at_connections(void) {
    look(larder_server_connections(server));
}

static void look_at_replies(void) {
    look((size_t)replies);
}

static void start_looking(void (*look_at)(void), size_t now) {
    before = now;
    most = 0;
    each_pass(look_at);
}

/* All of them wait in the queue when the loop comes to it. */
static void connect_all(void) {
    for (int i = 0; i < crowd; i++) {
        fds[i] = client(0);
    }
}

static bool all_are_accepted(void) {
    return larder_server_connections(server) == crowd;
}

static void connections(void) {
    start_looking(look_at_connections, 0);
    on_loop(connect_all);
    wait_until(all_are_accepted, "everybody is accepted");
    each_pass(NULL);
    require(most <= most_accepted, "a flood of connections is accepted in several passes");
    for (int i = 0; i < crowd; i++) {
        close(fds[i]);
    }
    wait_until(nothing_is_connected, "all gone");
}

static void requests(bool is_prompt) {
    static const char request[] = REQUEST("/dear");
    static char requests[burst * (sizeof request - 1) + 1];
    for (int i = 0; i < burst; i++) {
        memcpy(requests + i * (sizeof request - 1), request, sizeof request - 1);
    }
    int fd = client(0);
    start_looking(look_at_replies, (size_t)replies);
    client_send(fd, requests);
    for (int i = 0; i < burst; i++) {
        require(client_expect(fd, "\r\n\r\n/dear"), "an answer for each of many");
    }
    each_pass(NULL);
    require(most <= (is_prompt ? most_at_once : most_put_off), "requests in a row are answered in several passes");
    close(fd);
    wait_until(nothing_is_connected, "gone");
}

/* Each head is in time, and all of them together take longer than one may. */
static void slow_heads(void) {
    int fd = client(0);
    client_send(fd, "GET /a HTTP/1.1\r\nHost: a\r\n");
    for (int i = 0; i < 5; i++) {
        usleep(head_deadline * 1000 / 3);
        client_send(fd, "\r\nGET /a HTTP/1.1\r\nHost: a\r\n");
        require(client_expect(fd, "\r\n\r\n/a"), "each head has a time of its own");
    }
    close(fd);
    wait_until(nothing_is_connected, "gone");
}

/* An empty line is no part of a head, however it comes. */
static void empty_line(void) {
    int fd = client(0);
    client_send(fd, REQUEST("/a") "\r");
    require(client_expect(fd, "/a"), "an answer");
    usleep(10000);
    client_send(fd, "\n");
    usleep(2 * head_deadline * 1000);
    client_send(fd, REQUEST("/b"));
    require(client_expect(fd, "HTTP/1.1 200 "), "no head was begun");
    close(fd);
    wait_until(nothing_is_connected, "gone");
}

void bounds(larder_server_options options, bool is_prompt) {
    larder_limits *limits = larder_limits_new(0, 0);
    options.limits = limits;
    options.head_deadline = head_deadline;
    harness_start(&options, is_prompt);
    connections();
    requests(is_prompt);
    slow_heads();
    empty_line();
    harness_drain();
    harness_stop();
    larder_limits_release(limits);
}
