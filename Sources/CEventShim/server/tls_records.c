/* Reads and writes records on the socket itself, while the bufferevent of an encrypted connection does not read. libevent
 * asks the system for the number of bytes before each read, and encrypts head and body apart. */
#include "internal.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

/* Bytes of a response in its first record: head and body together, if they are no more. */
enum { most_joined = SSL3_RT_MAX_PLAIN_LENGTH };

/* OpenSSL's own answer, SSL_get_error, needs the thread's queue of errors emptied before each call. */
static bool waits_to_read(const SSL *ssl) {
    return SSL_want_read(ssl) && BIO_should_read(SSL_get_rbio(ssl));
}

static bool waits_to_write(const SSL *ssl) {
    return SSL_want_write(ssl) && BIO_should_write(SSL_get_wbio(ssl));
}

bool larder_tls_has_unread(const larder_connection *connection) {
    return connection->ssl && SSL_has_pending(connection->ssl);
}

ssize_t larder_tls_receive(
    larder_connection *connection, bool is_ahead, void *bytes, size_t size, short *awaited) {
    SSL_set_read_ahead(connection->ssl, is_ahead);
    int count = SSL_read(connection->ssl, bytes, (int)size);
    if (count > 0) {
        return count;
    }
    *awaited = waits_to_read(connection->ssl) ? EV_READ : waits_to_write(connection->ssl) ? EV_WRITE : 0;
    if (!*awaited) {
        ERR_clear_error();
    }
    return *awaited ? -1 : 0;
}

/* OpenSSL keeps a record that the socket has not accepted as a whole, and has to be offered its bytes again in one
 * piece: `unfinished` is their number. */
size_t larder_tls_send(
    larder_connection *connection, const char *head, size_t head_size, const char *body, size_t body_size,
    size_t *unfinished) {
    char joined[most_joined];
    size_t first = body_size < most_joined - head_size ? body_size : most_joined - head_size;
    larder_put(larder_put(joined, head, head_size), body, first);
    *unfinished = 0;
    if (SSL_write(connection->ssl, joined, (int)(head_size + first)) <= 0) {
        *unfinished = head_size + first;
        ERR_clear_error();
        return 0;
    }
    if (first == body_size) {
        return head_size + first;
    }
    size_t rest = body_size - first;
    bool is_sent = rest <= INT_MAX && SSL_write(connection->ssl, body + first, (int)rest) > 0;
    if (!is_sent) {
        ERR_clear_error();
    }
    return head_size + first + (is_sent ? rest : 0);
}
