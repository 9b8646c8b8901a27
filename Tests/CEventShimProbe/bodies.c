#include "scenarios.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Six unfinished heads of this size fit in the budget. */
enum { head_part = 8000, budget = 6 * head_part + 4000, crowd = 20 };

static int post(const char *start, int length) {
    char head[256];
    snprintf(head, sizeof head, "%s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n", start, length);
    int fd = client(0);
    client_send(fd, head);
    return fd;
}

/* Before any of the body was sent. */
static void refused_from_the_head(void) {
    static const char *const starts[] = {"POST /other", "POST /hook?x", "POST /hooks", "POST http://a/other", "POST *"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        int fd = post(starts[i], 1);
        require(client_expect(fd, strchr(starts[i], '*') ? "HTTP/1.1 400 " : "HTTP/1.1 413 "), starts[i]);
        require(client_read_to_end(fd) > 0, "and closed");
        close(fd);
    }
    int fd = post("POST /hook", hook_body + 1);
    require(client_expect(fd, "HTTP/1.1 413 "), "one byte more than the path may have");
    close(fd);
    wait_until(nothing_is_connected, "all gone");
}

static void taken(void) {
    static const char *const starts[] = {"POST /hook", "\r\nPOST /hook", "POST http://a.example/hook"};
    char body[hook_body + 1];
    memset(body, 'b', hook_body);
    body[hook_body] = '\0';
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        int fd = post(starts[i], hook_body);
        usleep(2000);
        client_send(fd, body + 10);
        usleep(2000);
        body[10] = '\0';
        client_send(fd, body);
        body[10] = 'b';
        client_send(fd, REQUEST("/next"));
        require(client_expect(fd, "\r\n\r\n/hook") && client_expect(fd, "/next"), "a body in pieces");
        close(fd);
    }
    wait_until(nothing_is_connected, "all gone");
}

static void cut_anywhere(void) {
    static const char text[] = "\r\nPOST /hook HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
    int fd = client(0);
    for (size_t i = 0; i < sizeof text - 1; i++) {
        char byte[2] = {text[i], '\0'};
        client_send(fd, byte);
        usleep(300);
    }
    require(client_expect(fd, "/hook"), "a body byte by byte");
    close(fd);
    wait_until(nothing_is_connected, "gone");
}

static size_t connections;

static bool few_are_left(void) {
    connections = larder_server_connections(server);
    return connections <= budget / head_part;
}

/* Each begins a head of 8 KB, in lines, or a request behind an answer that it does not take. All of that comes at
 * once, and a byte more where there is an answer to read. */
static void hoard(int fds[crowd], const char *before, const char *answer) {
    static const char field[] = "name: a value of a length of which no more than eighty such fields fit in the eight kilobytes of a head\r\n";
    char part[head_part + 1];
    size_t size = strlen(before);
    memcpy(part, before, size);
    for (size_t i = 0; size + i < head_part; i++) {
        part[size + i] = field[i % (sizeof field - 1)];
    }
    part[head_part] = '\0';
    for (int i = 0; i < crowd; i++) {
        fds[i] = client(0);
        client_send(fds[i], REQUEST("/a"));
        require(client_expect(fds[i], "\r\n\r\n/a"), "an answer before");
        client_send(fds[i], part);
        usleep(3000);
        if (answer) {
            require(client_expect(fds[i], answer), "the answer before the head");
            client_send(fds[i], "x");
        }
    }
}

static void one_budget(const char *before, const char *answer) {
    int fds[crowd];
    hoard(fds, before, answer);
    wait_until(few_are_left, "the oldest made room");
    require(connections >= budget / head_part - 1, "and no more than had to");
    int honest = client(0);
    client_send(honest, REQUEST("/honest"));
    require(client_expect(honest, "/honest"), "a whole request is served meanwhile");
    close(honest);
    for (int i = 0; i < crowd; i++) {
        close(fds[i]);
    }
    wait_until(nothing_is_connected, "all gone");
    wait_until(every_body_is_released, "nothing is left");
}

void bodies(larder_server_options options, bool is_prompt) {
    larder_limits *limits = larder_limits_new(0, 0);
    options.limits = limits;
    options.max_body_bytes = 2 * hook_body;
    options.max_received_bytes = budget;
    options.head_deadline = 20000;
    options.write_timeout = 20000;
    harness_start(&options, is_prompt);
    refused_from_the_head();
    taken();
    cut_anywhere();
    one_budget("GET /a HTTP/1.1\r\nHost: a\r\n", NULL);
    one_budget("POST /hook HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n", "/hook");
    if (is_prompt) {
        /* libevent reads no more than half of it. */
        one_budget(REQUEST("/big") "GET /a HTTP/1.1\r\nHost: a\r\n", NULL);
    }
    harness_drain();
    harness_stop();
    larder_limits_release(limits);
}
