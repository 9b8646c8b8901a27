#ifndef TLS_EDGE_H
#define TLS_EDGE_H

#include <stdbool.h>

#include "CEventShim.h"

/* At the start of the program: lets memory be refused to OpenSSL. */
void tls_edge_prepare(void);

/* Clients that end a connection with their request, and sessions for which there is no memory. */
void tls_edge(larder_server_options options, bool is_prompt);

#endif
