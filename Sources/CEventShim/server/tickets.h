#ifndef LARDER_TICKETS_H
#define LARDER_TICKETS_H

#include <stdbool.h>

#include <openssl/types.h>

/* tickets.c */
/* Encrypts the session tickets of a certificate's connections by keys that are replaced. False when there is no memory. */
bool larder_tickets_use(SSL_CTX *context);

#endif
