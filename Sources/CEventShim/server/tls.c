#include "internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "../loop/internal.h"

struct larder_tls {
    pthread_mutex_t lock; /* of the certificate; taken when a connection comes */
    SSL_CTX *certificate;
    atomic_size_t references;
};

larder_tls *larder_tls_new(larder_certificate *certificate) {
    larder_tls *tls = calloc(1, sizeof *tls);
    if (!tls) {
        return NULL;
    }
    SSL_CTX_up_ref(certificate);
    tls->certificate = certificate;
    pthread_mutex_init(&tls->lock, NULL);
    atomic_init(&tls->references, 1);
    return tls;
}

void larder_tls_retain(larder_tls *tls) {
    atomic_fetch_add_explicit(&tls->references, 1, memory_order_relaxed);
}

void larder_tls_release(larder_tls *tls) {
    if (atomic_fetch_sub_explicit(&tls->references, 1, memory_order_acq_rel) == 1) {
        SSL_CTX_free(tls->certificate);
        pthread_mutex_destroy(&tls->lock);
        free(tls);
    }
}

void larder_tls_renew(larder_tls *tls, larder_certificate *certificate) {
    SSL_CTX_up_ref(certificate);
    pthread_mutex_lock(&tls->lock);
    SSL_CTX *before = tls->certificate;
    tls->certificate = certificate;
    pthread_mutex_unlock(&tls->lock);
    SSL_CTX_free(before);
}

struct bufferevent *larder_tls_bufferevent(larder_tls *tls, struct event_base *base) {
    pthread_mutex_lock(&tls->lock);
    SSL *ssl = SSL_new(tls->certificate);
    pthread_mutex_unlock(&tls->lock);
    if (!ssl) {
        return NULL;
    }
    /* Frees the session on failure. */
    struct bufferevent *bev =
        bufferevent_openssl_socket_new(base, -1, ssl, BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);
    if (bev) {
        bufferevent_openssl_set_allow_dirty_shutdown(bev, 1);
    }
    return bev;
}

struct ssl_st *larder_tls_session(struct bufferevent *bev) {
    return bufferevent_openssl_get_ssl(bev);
}

bool larder_tls_has_client_spoken(const larder_connection *connection) {
    return BIO_number_read(SSL_get_rbio(connection->ssl)) > 0;
}

/* Ignores clients that disconnect without sending anything: they may be load balancers that probe the port. */
static void count_failure(larder_connection *connection) {
    if (!larder_tls_has_client_spoken(connection)) {
        return;
    }
    const char *words = ERR_reason_error_string(bufferevent_get_openssl_error(connection->bev));
    connection->server->refusals[LARDER_REFUSAL_HANDSHAKE]++;
    larder_log(
        LARDER_DEBUG, "the TLS handshake with %s failed: %s", connection->address,
        words ? words : "the client went away");
}

static void on_handshake(struct bufferevent *bev, short what, void *evcon) {
    larder_connection *connection = SSL_get_app_data(bufferevent_openssl_get_ssl(bev));
    larder_connection_end_handshake(connection);
    if (what & BEV_EVENT_CONNECTED) {
        larder_phase_enter(connection, LARDER_PHASE_IDLE);
        connection->server->hooks->secured(connection);
        return;
    }
    count_failure(connection);
    connection->fail(bev, what, evcon);
}

/* A key update, or a refused renegotiation, costs a client one record and the server a response; a client needs only a
 * few per connection. */
enum { most_tls_messages = 8 };

/* Receives the header of each record, and for TLS 1.3 the type of the message inside. A received close_notify ends a
 * read of OpenSSL's at once, and the connection with it. */
static void on_message(
    int is_sent, int version, int kind, const void *bytes, size_t size, SSL *ssl, void *arg) {
    larder_connection *connection = arg;
    (void)version;
    bool names_type = kind == SSL3_RT_HEADER || kind == SSL3_RT_INNER_CONTENT_TYPE;
    if (is_sent || !names_type || size == 0 || *(const unsigned char *)bytes == SSL3_RT_APPLICATION_DATA ||
        connection->phase == LARDER_PHASE_HANDSHAKE) {
        return;
    }
    if (connection->tls_messages < most_tls_messages) {
        connection->tls_messages++;
    } else if (!(SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN)) {
        connection->server->refusals[LARDER_REFUSAL_TLS_FLOOD]++;
        SSL_set_shutdown(ssl, SSL_get_shutdown(ssl) | SSL_RECEIVED_SHUTDOWN);
    }
}

/* libevent may read into two pieces of memory, and meet the end of the connection while filling the second. It reports
 * that at once, before the bytes in the first, and evhttp drops the request that ends there. So OpenSSL gets no further
 * record until the input buffer has all of this one. The flag for that is kept in the BIO, which may outlive the
 * connection. */
static long on_bio(
    BIO *bio, int operation, const char *bytes, size_t size, int number, long other, int result, size_t *count) {
    (void)bytes;
    (void)size;
    (void)number;
    (void)other;
    (void)count;
    const SSL *ssl = (const SSL *)BIO_get_callback_arg(bio);
    bool is_read = operation == BIO_CB_READ || operation == (BIO_CB_READ | BIO_CB_RETURN);
    if (!is_read || SSL_in_init(ssl)) {
        return result;
    }
    bool is_header = strcmp(SSL_rstate_string(ssl), "RH") == 0;
    if (operation & BIO_CB_RETURN && result > 0 && !is_header) {
        BIO_set_app_data(bio, bio);
    } else if (operation == BIO_CB_READ && is_header && BIO_get_app_data(bio)) {
        BIO_set_app_data(bio, NULL);
        BIO_set_retry_read(bio);
        return -1;
    }
    return result;
}

void larder_tls_on_input(larder_connection *connection) {
    if (connection->ssl && SSL_pending(connection->ssl) == 0) {
        BIO_set_app_data(SSL_get_rbio(connection->ssl), NULL);
    }
}

void larder_tls_read_ahead(larder_connection *connection, bool is_ahead) {
    BIO *bio = SSL_get_rbio(connection->ssl);
    BIO_set_app_data(bio, NULL);
    BIO_set_callback_arg(bio, (char *)connection->ssl);
    BIO_set_callback_ex(bio, is_ahead ? NULL : on_bio);
    SSL_set_read_ahead(connection->ssl, is_ahead);
}

/* evhttp is notified only of a failed handshake, and accepts a successful one. */
void larder_tls_await_handshake(larder_connection *connection) {
    SSL_set_app_data(connection->ssl, connection);
    SSL_set_msg_callback(connection->ssl, on_message);
    SSL_set_msg_callback_arg(connection->ssl, connection);
    larder_tls_read_ahead(connection, true);
    bufferevent_getcb(connection->bev, NULL, NULL, &connection->fail, NULL);
    larder_connection_set_error_handler(connection, on_handshake);
    larder_phase_enter(connection, LARDER_PHASE_HANDSHAKE);
}

void larder_tls_ignore_messages(larder_connection *connection) {
    if (connection->ssl) {
        SSL_set_msg_callback(connection->ssl, NULL);
    }
}

void larder_tls_close_notify(larder_connection *connection) {
    SSL *ssl = connection->ssl;
    if (!ssl || !SSL_is_init_finished(ssl) || SSL_get_shutdown(ssl) & SSL_SENT_SHUTDOWN ||
        evbuffer_get_length(bufferevent_get_output(connection->bev)) > 0) {
        return;
    }
    SSL_shutdown(ssl);
    ERR_clear_error();
}

uint64_t larder_tls_written(const larder_connection *connection) {
    return BIO_number_written(SSL_get_wbio(connection->ssl));
}
