/* Whatever a TLS client does between the bytes of its requests (key updates, new handshakes, records cut anywhere,
 * reads that stop, half-closes), the server goes on, serves nothing that was not asked for, and leaves nothing behind.
 * The input is a script: each byte for an action is followed by its operand. `make fuzz` runs it at the top of the
 * package. */
#define _GNU_SOURCE
#include "fuzz_server.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "CEventShimProbe/tls_client.h"

enum { most_asked = 64 << 10, most_actions = 128 };

/* Steps of the client; `amount` is 0 to 255. */
typedef enum action {
    ask,           /* for what the next bytes of the input say */
    ask_at_length, /* with a header field that goes on */
    update_keys,   /* and have the server update its own */
    update_own_keys,
    take,          /* reads answers */
    pause,         /* the server turns, and nothing comes */
    deliver,       /* a part of what was encrypted, cut anywhere */
    shake_again,   /* a new handshake, or the end of what is sent */
    actions,
} action;

static SSL_CTX *clients;
static SSL *ssl;
static BIO *outbox; /* encrypted, on its way */
static int client;
static unsigned char asked[most_asked];
static size_t asked_size;

static void start(void) {
    larder_certificate *certificate = tls_certificate("first");
    fuzz_server_start(larder_tls_new(certificate));
    clients = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_security_level(clients, 0);
    SSL_CTX_set_verify(clients, SSL_VERIFY_NONE, NULL);
}

/* Hands over at most so many encrypted bytes. */
static void hand_over(size_t most) {
    char *bytes;
    size_t size = (size_t)BIO_get_mem_data(outbox, &bytes);
    ssize_t sent = send(client, bytes, size < most ? size : most, MSG_NOSIGNAL | MSG_DONTWAIT);
    char gone[1 << 10];
    for (size_t left = sent > 0 ? (size_t)sent : 0; left > 0;) {
        int drained = BIO_read(outbox, gone, (int)(left < sizeof gone ? left : sizeof gone));
        left -= drained > 0 ? (size_t)drained : left;
    }
}

static bool connect_client(int version) {
    client = fuzz_client(4096);
    fcntl(client, F_SETFL, O_NONBLOCK);
    ssl = SSL_new(clients);
    SSL_set_min_proto_version(ssl, version);
    SSL_set_max_proto_version(ssl, version);
    outbox = BIO_new(BIO_s_mem());
    SSL_set_bio(ssl, BIO_new_socket(client, BIO_NOCLOSE), outbox);
    SSL_set_connect_state(ssl);
    for (int i = 0; i < 50; i++) {
        bool is_done = SSL_do_handshake(ssl) == 1;
        hand_over(1 << 20);
        turn();
        if (is_done) {
            return true;
        }
    }
    return false;
}

static void write_request(const unsigned char *bytes, size_t size) {
    if (size > 0 && asked_size + size <= sizeof asked && SSL_write(ssl, bytes, (int)size) == (int)size) {
        memcpy(asked + asked_size, bytes, size);
        asked_size += size;
    }
}

static void write_padding(size_t size) {
    static unsigned char padding[255 * 32];
    memset(padding, 'a', sizeof padding);
    write_request(padding, size * 32);
}

static void update(int count, int kind) {
    for (int i = 0; i < count && SSL_key_update(ssl, kind) == 1 && SSL_do_handshake(ssl) == 1; i++) {
    }
}

static void read_some(size_t most) {
    char bytes[4096];
    for (size_t taken = 0; taken <= most * 1024;) {
        int got = SSL_read(ssl, bytes, sizeof bytes);
        if (got <= 0) {
            return;
        }
        taken += (size_t)got;
    }
}

static void shake(unsigned char amount) {
    if (amount % 2 && SSL_version(ssl) == TLS1_2_VERSION) {
        for (int i = 0; i < amount && SSL_renegotiate(ssl) == 1; i++) {
            SSL_do_handshake(ssl);
        }
    } else {
        SSL_shutdown(ssl);
    }
}

/* Gives what is left of the input. */
static size_t act(action what, unsigned char amount, const unsigned char *rest, size_t size) {
    size_t used = what == ask ? (amount < size ? amount : size) : 0;
    switch (what) {
        case ask: write_request(rest, used); break;
        case ask_at_length: write_padding(amount); break;
        case update_keys: update(amount, SSL_KEY_UPDATE_REQUESTED); break;
        case update_own_keys: update(amount, SSL_KEY_UPDATE_NOT_REQUESTED); break;
        case take: read_some(amount); break;
        case pause: turn(); break;
        case deliver: hand_over((size_t)amount * amount); break;
        default: shake(amount); break;
    }
    ERR_clear_error();
    return used;
}

static void play(const unsigned char *bytes, size_t size) {
    for (int i = 0; size >= 2 && i < most_actions; i++) {
        action what = bytes[0] % actions;
        unsigned char amount = bytes[1];
        bytes += 2;
        size -= 2;
        size_t used = act(what, amount, bytes, size);
        bytes += used;
        size -= used;
        if (what != deliver && amount % 2) {
            hand_over(1 << 20);
            turn();
        }
    }
    hand_over(1 << 20);
    for (int i = 0; i < 20; i++) {
        turn();
        read_some(255);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    if (!server) {
        start();
    }
    if (size < 3) {
        return 0;
    }
    prompt = bytes[0] % 3;
    events = bytes[0] / 8 % 8 - 1;
    asked_size = 0;
    uint64_t unparsed = own_counts(LARDER_REFUSAL_UNPARSED);
    require(connect_client(bytes[0] & 4 ? TLS1_2_VERSION : TLS1_3_VERSION), "a handshake");
    play(bytes + 1, size - 1);
    require(own_counts(LARDER_REFUSAL_DISAGREEMENT) == 0, "evhttp ends each head where the guard does");
    require(own_counts(LARDER_REFUSAL_UNPARSED) == unparsed, "evhttp never answers by itself");
    size_t bodies_sent;
    require(served <= expected(asked, asked_size, &bodies_sent), "nothing is served that was not asked for");
    require(bodies <= bodies_sent, "no body is made up");
    SSL_free(ssl);
    fuzz_close(client);
    return 0;
}
