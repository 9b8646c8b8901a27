#ifndef TLS_CLIENT_H
#define TLS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include <openssl/ssl.h>

#include "larder_tls.h"

/* A certificate of Tests/TestSupport/Certificates, relative to the working directory. */
larder_certificate *tls_certificate(const char *name);

/* A blocking client whose handshake is done. `protocols` is ALPN's list, or NULL. */
SSL *tls_client(int receive_buffer, const char *protocols, int version);
/* Whether a client of this version is recognised by the ticket of the last one, which it got before a pause. */
bool tls_is_resumed(int version, void (*pause)(void));
/* Does the handshake over a connection that there is. */
SSL *tls_client_over(int fd);
bool tls_is_refused(const char *protocols, int version);
void tls_send(SSL *ssl, const char *text);
/* Reads until `needle` or the end came; false for the end. */
bool tls_expect(SSL *ssl, const char *needle);
/* Bytes until the end; `is_clean` says whether the server announced it. */
size_t tls_read_to_end(SSL *ssl, bool *is_clean);
long tls_serial(SSL *ssl);
void tls_close(SSL *ssl);
/* Resets the connection without an alert. */
void tls_reset(SSL *ssl);

/* At the end of the program. */
void tls_clients_free(void);

#endif
