#include "tls_client.h"
#include "harness.h"

#include <string.h>
#include <unistd.h>

#include <openssl/err.h>

static SSL_CTX *clients;
static SSL_SESSION *resumed; /* by the next client, if it is not NULL */

static SSL *try(int fd, const char *protocols, int version) {
    clients = clients ? clients : SSL_CTX_new(TLS_client_method());
    SSL *ssl = SSL_new(clients);
    SSL_set_fd(ssl, fd);
    SSL_set_security_level(ssl, 0);
    SSL_set_min_proto_version(ssl, version);
    SSL_set_max_proto_version(ssl, version);
    if (resumed) {
        SSL_set_session(ssl, resumed);
    }
    if (protocols) {
        SSL_set_alpn_protos(ssl, (const unsigned char *)protocols, (unsigned)strlen(protocols));
    }
    if (SSL_connect(ssl) != 1) {
        tls_close(ssl);
        return NULL;
    }
    return ssl;
}

SSL *tls_client(int receive_buffer, const char *protocols, int version) {
    SSL *ssl = try(client(receive_buffer), protocols, version);
    require(ssl != NULL, "handshake");
    return ssl;
}

SSL *tls_client_over(int fd) {
    SSL *ssl = try(fd, NULL, TLS1_3_VERSION);
    require(ssl != NULL, "handshake");
    return ssl;
}

static SSL_SESSION *ticket(SSL *ssl) {
    tls_send(ssl, REQUEST("/ticket"));
    require(tls_expect(ssl, "/ticket"), "an answer, and with it a ticket");
    return SSL_get1_session(ssl);
}

static bool is_same(const SSL_SESSION *one, const SSL_SESSION *other) {
    const unsigned char *first = NULL, *second = NULL;
    size_t size = 0, other_size = 0;
    SSL_SESSION_get0_ticket(one, &first, &size);
    SSL_SESSION_get0_ticket(other, &second, &other_size);
    return size == other_size && memcmp(first, second, size) == 0;
}

bool tls_is_resumed(int version, void (*pause)(void)) {
    SSL *first = tls_client(0, NULL, version);
    SSL_SESSION *session = ticket(first);
    tls_close(first);
    pause();
    resumed = session;
    SSL *second = tls_client(0, NULL, version);
    resumed = NULL;
    bool is_resumed = SSL_session_reused(second);
    if (version >= TLS1_3_VERSION) {
        SSL_SESSION *next = ticket(second);
        require(!is_same(session, next), "clients use a ticket of TLS 1.3 once: a resumed connection gives another one");
        SSL_SESSION_free(next);
    }
    SSL_SESSION_free(session);
    tls_close(second);
    return is_resumed;
}

bool tls_is_refused(const char *protocols, int version) {
    SSL *ssl = try(client(0), protocols, version);
    if (ssl) {
        tls_close(ssl);
    }
    return !ssl;
}

void tls_send(SSL *ssl, const char *text) {
    require(SSL_write(ssl, text, (int)strlen(text)) == (int)strlen(text), "send");
}

bool tls_expect(SSL *ssl, const char *needle) {
    char seen[4096];
    size_t count = 0;
    while (count < sizeof seen - 1 && SSL_read(ssl, seen + count, 1) == 1) {
        seen[++count] = '\0';
        if (strstr(seen, needle)) {
            return true;
        }
    }
    return false;
}

size_t tls_read_to_end(SSL *ssl, bool *is_clean) {
    static char bytes[1 << 16];
    size_t total = 0;
    int got;
    while ((got = SSL_read(ssl, bytes, sizeof bytes)) > 0) {
        total += (size_t)got;
    }
    *is_clean = SSL_get_error(ssl, got) == SSL_ERROR_ZERO_RETURN;
    return total;
}

long tls_serial(SSL *ssl) {
    return ASN1_INTEGER_get(X509_get0_serialNumber(SSL_get0_peer_certificate(ssl)));
}

void tls_close(SSL *ssl) {
    int fd = SSL_get_fd(ssl);
    if (SSL_is_init_finished(ssl)) {
        SSL_shutdown(ssl);
    }
    SSL_free(ssl);
    ERR_clear_error();
    close(fd);
}

void tls_reset(SSL *ssl) {
    int fd = SSL_get_fd(ssl);
    SSL_free(ssl);
    client_reset(fd);
}

void tls_clients_free(void) {
    SSL_CTX_free(clients);
    clients = NULL;
}
