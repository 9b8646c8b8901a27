/* The keys of session tickets. Clients keep their sessions, encrypted by the server, so the keys are replaced each hour:
 * a stolen one opens the sessions of three hours at most. A certificate has keys of its own. */
#include "tickets.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>

enum { key_count = 3, key_seconds = 3600 };

typedef struct larder_ticket_key {
    unsigned char name[16], secret[32], seal[32];
} larder_ticket_key;

typedef struct larder_tickets {
    pthread_mutex_t lock; /* taken for each ticket, by all loops */
    EVP_CIPHER *cipher;
    time_t since;         /* of the first key, monotonic */
    int count;
    larder_ticket_key keys[key_count]; /* the newest first */
} larder_tickets;

static int index_of_tickets = -1;

static bool add_key(larder_tickets *tickets, time_t now) {
    larder_ticket_key made;
    if (RAND_bytes(made.name, sizeof made.name) != 1 || RAND_priv_bytes(made.secret, sizeof made.secret) != 1 ||
        RAND_priv_bytes(made.seal, sizeof made.seal) != 1) {
        return false;
    }
    memmove(tickets->keys + 1, tickets->keys, sizeof tickets->keys - sizeof *tickets->keys);
    tickets->keys[0] = made;
    tickets->count += tickets->count < key_count;
    tickets->since = now;
    return true;
}

/* Replaces the key if its hour is over; hours without a ticket end the older keys, too. */
static bool renew(larder_tickets *tickets) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    time_t age = time.tv_sec - tickets->since;
    if (tickets->count > 0 && age < key_seconds) {
        return true;
    }
    if (age >= (key_count - 1) * key_seconds) {
        tickets->count = 0;
    }
    return add_key(tickets, time.tv_sec);
}

static int find(const larder_tickets *tickets, const unsigned char name[16]) {
    for (int i = 0; i < tickets->count; i++) {
        if (memcmp(tickets->keys[i].name, name, sizeof tickets->keys[i].name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Selects the key for a new ticket, or the key of a received one. -1 on failure, 0 if no key opens the ticket. */
static int choose(larder_tickets *tickets, unsigned char name[16], int encrypts, larder_ticket_key *key) {
    int result = -1;
    pthread_mutex_lock(&tickets->lock);
    if (renew(tickets)) {
        int found = encrypts ? 0 : find(tickets, name);
        result = found < 0 ? 0 : found == 0 ? 1 : 2; /* 2 has the client get a new ticket */
        *key = tickets->keys[found < 0 ? 0 : found];
    }
    pthread_mutex_unlock(&tickets->lock);
    return result;
}

static bool seal(EVP_MAC_CTX *mac, larder_ticket_key *key) {
    OSSL_PARAM how[] = {
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, key->seal, sizeof key->seal),
        OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_END,
    };
    return EVP_MAC_CTX_set_params(mac, how) == 1;
}

static int on_ticket(
    SSL *ssl, unsigned char name[16], unsigned char *start, EVP_CIPHER_CTX *context, EVP_MAC_CTX *mac, int encrypts) {
    larder_tickets *tickets = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), index_of_tickets);
    larder_ticket_key key;
    int result = choose(tickets, name, encrypts, &key);
    if (result <= 0) {
        return result;
    }
    if (encrypts) {
        memcpy(name, key.name, sizeof key.name);
    }
    /* Clients use a ticket of TLS 1.3 once, so each resumed connection gives them the next. */
    if (!encrypts && SSL_version(ssl) >= TLS1_3_VERSION) {
        result = 2;
    }
    bool is_ready = (!encrypts || RAND_bytes(start, EVP_CIPHER_get_iv_length(tickets->cipher)) == 1) &&
                    EVP_CipherInit_ex(context, tickets->cipher, NULL, key.secret, start, encrypts) == 1 && seal(mac, &key);
    OPENSSL_cleanse(&key, sizeof key);
    return is_ready ? result : -1;
}

static void release(void *context, void *kept, CRYPTO_EX_DATA *data, int index, long number, void *other) {
    (void)context;
    (void)data;
    (void)index;
    (void)number;
    (void)other;
    larder_tickets *tickets = kept;
    if (tickets) {
        EVP_CIPHER_free(tickets->cipher);
        pthread_mutex_destroy(&tickets->lock);
        OPENSSL_cleanse(tickets, sizeof *tickets);
        free(tickets);
    }
}

static void register_index(void) {
    index_of_tickets = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release);
}

bool larder_tickets_use(SSL_CTX *context) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_index);
    larder_tickets *tickets = calloc(1, sizeof *tickets);
    if (!tickets) {
        return false;
    }
    pthread_mutex_init(&tickets->lock, NULL);
    tickets->cipher = EVP_CIPHER_fetch(NULL, "AES-256-CBC", NULL);
    if (!tickets->cipher || SSL_CTX_set_ex_data(context, index_of_tickets, tickets) != 1) {
        release(NULL, tickets, NULL, 0, 0, NULL);
        return false;
    }
    return SSL_CTX_set_tlsext_ticket_key_evp_cb(context, on_ticket) == 1;
}
