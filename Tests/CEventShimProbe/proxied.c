#include "scenarios.h"

#include <sys/socket.h>
#include <unistd.h>

#define HEADER "PROXY TCP4 192.0.2.1 192.0.2.2 56324 80\r\n"

static void whole(void) {
    int fd = client(0);
    client_send(fd, HEADER REQUEST("/one"));
    require(client_expect(fd, "/one"), "an answer behind a header");
    close(fd);
    fd = client(0);
    client_send(fd, HEADER REQUEST("/last"));
    shutdown(fd, SHUT_WR);
    require(client_expect(fd, "/last"), "an answer for a client that ends sending with its request");
    close(fd);
    wait_until(nothing_is_connected, "the clients are gone");
}

/* Deadlines are far away here. */
static void in_part(void) {
    static const char *const parts[] = {"", "P", "PROXY TCP4 192.0.2.1", "\r\n\r\n", HEADER};
    int fds[sizeof parts / sizeof *parts];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        fds[i] = client(0);
        client_send(fds[i], parts[i]);
        if (i % 2 == 1) {
            usleep(20000); /* so that the end comes by itself */
        }
        shutdown(fds[i], SHUT_WR);
        require(client_read_to_end(fds[i]) == 0, "a connection that ends within its header is closed");
    }
    wait_until(nothing_is_connected, "and keeps no place");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        close(fds[i]);
    }
}

void proxied(larder_server_options options, bool is_prompt) {
    options.proxy_protocol = 1;
    options.head_deadline = 60000;
    harness_start(&options, is_prompt);
    whole();
    in_part();
    harness_drain();
    harness_stop();
}
