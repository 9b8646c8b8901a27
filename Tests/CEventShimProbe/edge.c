#include "scenarios.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool all_are_held(void) {
    return larder_server_outstanding(server) == max_outstanding;
}

static bool everything_is_sent_or_cut(void) {
    uint64_t counts[LARDER_REFUSALS];
    larder_server_refusals(server, counts);
    return counts[LARDER_REFUSAL_SLOW_READER] > 0 && nothing_is_connected();
}

static void refusal_in_pieces(void) {
    static const char text[] = "\r\nGET /first HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n";
    int fd = client(0);
    for (size_t i = 0; i < sizeof text - 1; i++) {
        char byte[2] = {text[i], '\0'};
        if (send(fd, byte, 1, MSG_NOSIGNAL) != 1) {
            break;
        }
        usleep(500);
    }
    require(client_expect(fd, "/first") && client_expect(fd, "HTTP/1.1 400 "), "one answer and one refusal");
    close(fd);
    wait_until(nothing_is_connected, "the refused client is gone");
}

/* Heads that are the last one again, heads of its size that are not, and more of these than are kept. */
static void repeated_heads(void) {
    int fd = client(0);
    for (int i = 0; i < 60; i++) {
        bool is_other = i < 40 ? i % 5 > 2 : i % 2;
        client_send(fd, is_other ? REQUEST("/other") : REQUEST("/again"));
        require(client_expect(fd, is_other ? "/other" : "/again"), "each head has its own answer");
    }
    close(fd);
    wait_until(nothing_is_connected, "the client is gone");
}

static void refusal_behind_an_answer(void) {
    int fd = client(0);
    client_send(fd, REQUEST("/hold") "GET /smuggled\r\n\r\n");
    wait_until(something_is_held, "a request is held");
    on_loop(answer_held);
    require(client_expect(fd, "held") && client_expect(fd, "HTTP/1.1 400 "), "the answer comes first");
    require(client_read_to_end(fd) > 0, "then the end");
    on_loop(return_held);
    close(fd);
    wait_until(nothing_is_connected, "the refused client is gone");
    fd = client(0);
    client_send(fd, REQUEST("/hold") "GET /smuggled\r\n\r\n");
    wait_until(something_is_held, "a request is held");
    client_reset(fd);
    on_loop(answer_held);
    on_loop(return_held);
    wait_until(nothing_is_connected, "the refusal is forgotten with its connection");
}

/* Talks on after its refusal, with a line that never ends. */
static void refusal_of_a_flood(void) {
    static char flood[1 << 16];
    memset(flood, 'x', sizeof flood);
    int fd = client(0);
    for (int i = 0; i < 64; i++) {
        if (send(fd, flood, sizeof flood, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
            usleep(1000);
        }
    }
    require(client_expect(fd, "HTTP/1.1 501 "), "an endless method is refused");
    wait_until(nothing_is_connected, "the flooding client is cut in the end");
    close(fd);
}

static void late_head(void) {
    int fd = client(0), behind = client(0);
    client_send(fd, "GET / HTTP/1.1\r\nHost:");
    client_send(behind, REQUEST("/before") "GET ");
    require(client_expect(fd, "HTTP/1.1 408 ") && client_read_to_end(fd) > 0, "408 at the deadline of a head");
    require(client_expect(behind, "/before") && client_expect(behind, "HTTP/1.1 408 "), "behind an answer too");
    close(fd);
    close(behind);
    wait_until(nothing_is_connected, "the slow clients are gone");
}

static bool everyone_is_connected(void) {
    return larder_server_connections(server) == max_connections;
}

/* Another connection of the same address is refused. Another connection beyond the total limit replaces the one that
 * has been idle longest, or is refused if all are busy. */
static void too_many_connections(void) {
    int fds[max_connections];
    for (int i = 0; i < max_connections; i++) {
        fds[i] = client_from(i < max_per_address ? 1 : 2, 0);
        client_send(fds[i], i < 2 ? REQUEST("/hold") : i == 2 ? "GET " : "");
    }
    wait_until(everyone_is_connected, "as many as may be");
    int more = client(0);
    require(client_expect(more, "HTTP/1.1 429 ") && client_read_to_end(more) > 0, "one more of the address");
    close(more);
    more = client_from(2, 0);
    client_send(more, REQUEST("/more"));
    require(client_expect(more, "/more"), "one more at all");
    require(client_read_to_end(fds[3]) == 0, "in the place of an idle one");
    close(more);
    on_loop(answer_held);
    on_loop(return_held);
    for (int i = 0; i < max_connections; i++) {
        close(fds[i]);
    }
    wait_until(nothing_is_connected, "all gone");
}

static void all_are_busy(void) {
    int fds[max_connections];
    for (int i = 0; i < max_connections; i++) {
        fds[i] = client_from(i < max_per_address ? 1 : 2, 0);
        client_send(fds[i], "GET ");
    }
    wait_until(everyone_is_connected, "as many as may be");
    int more = client_from(3, 0);
    require(client_expect(more, "HTTP/1.1 503 ") && client_read_to_end(more) > 0, "no place for one more");
    close(more);
    for (int i = 0; i < max_connections; i++) {
        close(fds[i]);
    }
    wait_until(nothing_is_connected, "all gone");
}

static void too_many_requests(bool is_prompt) {
    int fds[max_outstanding];
    for (int i = 0; i < max_outstanding; i++) {
        fds[i] = client(0);
        client_send(fds[i], REQUEST("/hold"));
    }
    wait_until(all_are_held, "as many as may be");
    int more = client(0);
    if (is_prompt) {
        client_send(more, REQUEST("/at-hand"));
        require(client_expect(more, "/at-hand"), "what is at hand is answered");
    }
    client_send(more, REQUEST("/hold"));
    require(client_expect(more, "HTTP/1.1 503 ") && client_expect(more, "Retry-After"), "one request more");
    on_loop(answer_held);
    on_loop(return_held);
    require(client_expect(more, "wait for their answers"), "the body of it");
    client_send(more, REQUEST("/again"));
    require(client_expect(more, "/again"), "the connection is good");
    for (int i = 0; i < max_outstanding; i++) {
        close(fds[i]);
    }
    close(more);
    wait_until(nothing_is_connected, "all gone");
}

static void slow_reader(void) {
    int fd = client(4096);
    client_send(fd, REQUEST("/big"));
    wait_until(everything_is_sent_or_cut, "a client that takes nothing is cut");
    close(fd);
    wait_until(every_body_is_released, "and its body released");
}

void edge(bool is_prompt) {
    repeated_heads();
    refusal_in_pieces();
    refusal_behind_an_answer();
    refusal_of_a_flood();
    late_head();
    too_many_connections();
    all_are_busy();
    too_many_requests(is_prompt);
    slow_reader();
}
