/* Whatever bytes a client sends, the whole server, evhttp included, must serve just the requests that the second reader
 * finds in them, in order, refuse at most once after those, and never let evhttp answer by itself. The connection is
 * real and the loop is turned by hand, so that the input can be cut anywhere. `make fuzz` runs it. */
#define _GNU_SOURCE
#include "fuzz_server.h"

#include <string.h>
#include <sys/socket.h>

static char answers[1 << 16];
static size_t answered;

/* Whether the connection has ended. */
static bool read_answers(int client) {
    ssize_t got;
    while ((got = recv(client, answers + answered, sizeof answers - answered, MSG_DONTWAIT)) > 0) {
        answered += (size_t)got;
    }
    show(answers, answered);
    return got == 0;
}

static int count(const char *needle) {
    int found = 0;
    for (const char *at = answers; (at = memmem(at, answered - (size_t)(at - answers), needle, strlen(needle))); at++) {
        found++;
    }
    return found;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    if (!server) {
        fuzz_server_start(NULL);
    }
    if (size == 0) {
        return 0;
    }
    /* The last byte also selects where the input is cut, and which responses are immediate. It is sent too, so that
     * the whole requests of the corpus stay whole. */
    unsigned char manner = bytes[size - 1];
    prompt = manner % 3;
    events = manner / 3 % 8 - 1;
    size_t cut = manner * size / 256;
    uint64_t unparsed = own_counts(LARDER_REFUSAL_UNPARSED);
    int client = fuzz_client(0);
    answered = 0;
    send(client, bytes, cut, MSG_NOSIGNAL);
    turn();
    send(client, bytes + cut, size - cut, MSG_NOSIGNAL);
    bool has_ended = false;
    for (int i = 0; i < most_answers && !has_ended; i++) {
        int before = served;
        turn();
        has_ended = read_answers(client);
        if (served == before && i > 2) {
            break;
        }
    }
    size_t bodies_sent;
    int requests = expected(bytes, size, &bodies_sent);
    int refused = count("application/problem+json");
    bool may_end = count("Connection: close") > 0;
    require(own_counts(LARDER_REFUSAL_DISAGREEMENT) == 0, "evhttp ends each head where the guard does");
    bool is_unparsed = own_counts(LARDER_REFUSAL_UNPARSED) > unparsed || count("text/html") > 0;
    require(!is_unparsed, "evhttp never answers by itself");
    require(refused <= 1 && (refused == 0 || may_end), "at most one refusal, which is the last answer");
    require(count("HTTP/1.1 200 ") == served && served <= requests, "nothing is served that was not asked for");
    require(bodies <= bodies_sent && (served < requests || bodies == bodies_sent), "no body is cut or made up");
    require(served == requests || may_end || requests == most_answers, "all is served that was asked for");
    fuzz_close(client);
    return 0;
}
