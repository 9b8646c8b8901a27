#ifndef LARDER_TLS_INTERNAL_H
#define LARDER_TLS_INTERNAL_H

#include "larder_tls.h"
#include "server_internal.h"

/* A bufferevent whose connection is encrypted by the certificate of this moment. NULL when there is no memory. */
struct bufferevent *larder_tls_bufferevent(larder_tls *tls, struct event_base *base);

/* All that follows is about encrypted connections, and does nothing to others. */

/* Begins the time that the handshake may take, and looks out for its end. */
void larder_tls_await_handshake(larder_connection *connection);

/* Gives evhttp its error handler back, if the handshake still has it. */
void larder_tls_ignore_handshake(larder_connection *connection);

/* Whether the client has sent anything by the time its handshake goes on. */
bool larder_tls_has_client_spoken(const larder_connection *connection);

/* Tells the client that nothing was cut off and nothing more will come, unless something is left to be sent. Nothing where
 * nothing is encrypted. */
void larder_tls_close_notify(larder_connection *connection);

/* Removes the message callback: the session is freed after the connection. */
void larder_tls_ignore_messages(larder_connection *connection);

/* The input buffer got what was decrypted. */
void larder_tls_note_input(larder_connection *connection);

/* Bytes handed to the kernel so far, encrypted. */
uint64_t larder_tls_written(const larder_connection *connection);

#endif
