#include "scenarios.h"
#include "tls_client.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static uint64_t refused(larder_refusal why) {
    uint64_t counts[LARDER_REFUSALS];
    larder_server_refusals(server, counts);
    return counts[why];
}

static bool everyone_is_connected(void) {
    return larder_server_connections(server) == max_connections;
}

static bool a_place_is_free(void) {
    return larder_server_connections(server) < max_connections;
}

/* Longer than an unfinished head, a handshake and an answer are spared. */
static void wait_for_the_grace(void) {
    usleep(1200000);
}

/* Returns a host that no later client uses. */
static unsigned char host_of(int index) {
    return index < max_per_address ? 2 : 3;
}

static void crowd(int fds[max_connections], const char *text) {
    for (int i = 0; i < max_connections; i++) {
        fds[i] = client_from(host_of(i), 0);
        client_send(fds[i], text);
    }
    wait_until(everyone_is_connected, "as many as may be");
}

static void disperse(int fds[max_connections]) {
    for (int i = 0; i < max_connections; i++) {
        close(fds[i]);
    }
    wait_until(nothing_is_connected, "all gone");
}

/* One byte each, which makes none of them idle. */
static void unfinished_heads(void) {
    int fds[max_connections];
    crowd(fds, "G");
    int more = client(0);
    require(client_expect(more, "HTTP/1.1 503 "), "a head is spared for a second");
    close(more);
    wait_for_the_grace();
    for (int i = 0; i < max_connections; i++) {
        more = client(0);
        client_send(more, REQUEST("/in"));
        require(client_expect(more, "/in"), "one more, in the place of an unfinished head");
        require(client_read_to_end(fds[i]) == 0, "the oldest of them");
        close(more);
        wait_until(a_place_is_free, "it is gone");
        fds[i] = client_from(host_of(i), 0);
        client_send(fds[i], "G");
        wait_until(everyone_is_connected, "the place is taken again");
    }
    disperse(fds);
}

static void unfinished_handshakes(void) {
    int fds[max_connections];
    crowd(fds, "\x16");
    wait_for_the_grace();
    SSL *ssl = tls_client(0, NULL, TLS1_3_VERSION);
    tls_send(ssl, REQUEST("/in"));
    require(tls_expect(ssl, "/in"), "one more, in the place of an unfinished handshake");
    require(client_read_to_end(fds[0]) == 0, "the oldest of them");
    tls_close(ssl);
    disperse(fds);
}

static size_t freed;

static void free_one_byte(void) {
    freed = larder_server_reset_slowest(server, 1);
}

static void take(int fd, size_t count) {
    static char bytes[1 << 16];
    while (count) {
        ssize_t got = recv(fd, bytes, count < sizeof bytes ? count : sizeof bytes, 0);
        require(got > 0, "a part of the answer");
        count -= (size_t)got;
    }
}

static bool one_is_left(void) {
    return larder_server_connections(server) == 1;
}

/* One client has taken a part of its answer when memory is wanted, the other one nothing. */
static void slow_readers(void) {
    int quick = client(4096), slow = client(4096);
    client_send(quick, REQUEST("/big"));
    client_send(slow, REQUEST("/big"));
    require(client_expect(quick, "\r\n\r\n") && client_expect(slow, "\r\n\r\n"), "the heads");
    on_loop(free_one_byte);
    require(freed == 0, "an answer is spared for a second");
    take(quick, big_size / 2);
    wait_for_the_grace();
    on_loop(free_one_byte);
    require(freed == big_size, "the memory of one answer");
    wait_until(one_is_left, "the slower one is cut");
    require(refused(LARDER_REFUSAL_SLOW_READER) == 1, "and counted");
    take(quick, big_size - big_size / 2);
    close(slow);
    close(quick);
    wait_until(nothing_is_connected, "both gone");
    wait_until(every_body_is_released, "the bodies are released");
}

static int reader_from(unsigned char host) {
    int fd = client_from(host, 4096);
    client_send(fd, REQUEST("/big"));
    require(client_expect(fd, "\r\n\r\n"), "the head of a large answer");
    return fd;
}

static void ask_for_much(int fds[max_connections], unsigned char host) {
    for (int i = 0; i < max_connections; i++) {
        fds[i] = reader_from(i < max_per_address ? host : host + 1);
    }
    wait_until(everyone_is_connected, "as many as may be");
}

static bool is_cut(int fd) {
    static char bytes[1 << 16];
    ssize_t got;
    while ((got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
    }
    return got == 0 || errno != EAGAIN;
}

/* They take several times what was a crawl, and one is quick. */
static void readers_that_crawl(void) {
    int fds[max_connections + 3];
    ask_for_much(fds, 2);
    for (int second = 0; second < 2; second++) {
        for (int i = 1; i < max_connections; i++) {
            take(fds[i], 20000);
        }
        take(fds[0], big_size / 4);
        wait_for_the_grace();
    }
    take(fds[0], big_size / 4);
    for (int i = 0; i < 3; i++) {
        int more = client(0);
        client_send(more, REQUEST("/in"));
        require(client_expect(more, "/in"), "one more, in the place of an answer that crawls");
        fds[max_connections + i] = more;
    }
    require(!is_cut(fds[0]), "the quick one goes on");
    for (int i = 0; i < 3; i++) {
        close(fds[max_connections + i]);
    }
    disperse(fds);
    wait_until(every_body_is_released, "the bodies are released");
}

/* All are quick, and most are of one address. */
static void shares(void) {
    int fds[max_connections];
    ask_for_much(fds, 5);
    wait_for_the_grace();
    for (int i = 0; i < max_connections; i++) {
        take(fds[i], big_size / 4);
    }
    int more = client_from(4, 0), cut = 0;
    client_send(more, REQUEST("/in"));
    require(client_expect(more, "/in"), "one more, in the place of an address that has many");
    for (int i = 0; i < max_per_address; i++) {
        cut += is_cut(fds[i]);
    }
    require(cut == 1, "which loses one");
    for (int i = max_per_address; i < max_connections; i++) {
        require(!is_cut(fds[i]), "and an address with few none");
    }
    close(more);
    disperse(fds);
    wait_until(every_body_is_released, "the bodies are released");
}

/* All are slow, and one that is alone with its address is the slowest. */
static void one_beside_a_crowd(void) {
    int fds[max_connections], own = max_per_address - 1;
    for (int i = 0; i < max_connections; i++) {
        fds[i] = reader_from(i < own ? 7 : i < max_connections - 1 ? 8 : 9);
    }
    for (int second = 0; second < 2; second++) {
        for (int i = 0; i < max_connections; i++) {
            take(fds[i], i < max_connections - 1 ? 20000 : 5000);
        }
        wait_for_the_grace();
    }
    int more = client_from(7, 0);
    client_send(more, REQUEST("/in"));
    require(client_expect(more, "/in"), "one more of the address that has most");
    require(!is_cut(fds[max_connections - 1]), "which takes no place of another");
    close(more);
    disperse(fds);
    wait_until(every_body_is_released, "the bodies are released");
}

/* It connects before it has something to ask. */
static void one_that_is_about_to_ask(void) {
    int fds[max_connections];
    for (int i = 0; i < max_connections - 1; i++) {
        fds[i] = reader_from(i < max_connections - 2 ? 7 : 8);
    }
    wait_for_the_grace();
    int honest = fds[max_connections - 1] = client_from(9, 0);
    wait_until(everyone_is_connected, "as many as may be");
    int more = client_from(8, 0);
    client_send(more, REQUEST("/in"));
    require(client_expect(more, "/in"), "one more, in the place of a slow answer");
    client_send(honest, REQUEST("/honest"));
    require(client_expect(honest, "/honest"), "and not of a client that has just come");
    close(more);
    disperse(fds);
    wait_until(every_body_is_released, "the bodies are released");
}

/* Lowers the limit so that `starved` gets the last descriptor there may be. Gives the limit before. */
static struct rlimit take_descriptors(int *starved) {
    struct rlimit before, none;
    int last = socket(AF_INET, SOCK_STREAM, 0), next = dup(last);
    close(next);
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    none.rlim_cur = (rlim_t)next;
    close(last);
    setrlimit(RLIMIT_NOFILE, &none);
    *starved = client(0);
    return before;
}

static void descriptors_of_the_idle(void) {
    int idle = client(0), starved;
    client_send(idle, REQUEST("/idle"));
    require(client_expect(idle, "/idle"), "an answer before");
    uint64_t evicted = refused(LARDER_REFUSAL_EVICTED);
    struct rlimit before = take_descriptors(&starved);
    client_send(starved, REQUEST("/in"));
    require(client_expect(starved, "/in"), "accepted with the descriptor of an idle one");
    require(client_read_to_end(idle) == 0 && refused(LARDER_REFUSAL_EVICTED) == evicted + 1, "which is closed");
    setrlimit(RLIMIT_NOFILE, &before);
    close(starved);
    close(idle);
    wait_until(nothing_is_connected, "all gone");
}

static void descriptors_of_the_busy(void) {
    int busy = client(0), starved;
    client_send(busy, REQUEST("/hold"));
    wait_until(something_is_held, "a request is held");
    struct rlimit before = take_descriptors(&starved);
    for (int i = 0; i < 3; i++) {
        require(client_expect(starved, "HTTP/1.1 503 ") && client_expect(starved, "Retry-After"), "told to come again");
        require(client_read_to_end(starved) > 0, "and closed");
        close(starved);
        starved = client(0);
    }
    setrlimit(RLIMIT_NOFILE, &before);
    require(refused(LARDER_REFUSAL_DESCRIPTORS) >= 3, "each of them is counted");
    on_loop(answer_held);
    on_loop(return_held);
    require(client_expect(busy, "held"), "the busy one is served");
    close(starved);
    close(busy);
    wait_until(nothing_is_connected, "all gone");
}

void pressure(bool may_run_out) {
    unfinished_heads();
    slow_readers();
    readers_that_crawl();
    shares();
    one_beside_a_crowd();
    one_that_is_about_to_ask();
    if (may_run_out) {
        descriptors_of_the_idle();
        descriptors_of_the_busy();
    }
}

void pressure_encrypted(void) {
    unfinished_handshakes();
    tls_clients_free();
}
