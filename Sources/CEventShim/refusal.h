#ifndef LARDER_SHIM_REFUSAL_H
#define LARDER_SHIM_REFUSAL_H

#include "server_internal.h"

/* Answers a request that evhttp has delivered. */
void larder_refuse(larder_request *request, larder_refusal why);

/* Answers in place of evhttp, which sees nothing of this connection any more, and ends the connection when the client
 * has heard of it. No request may be outstanding and no answer on its way. */
void larder_refuse_head(larder_connection *connection, larder_refusal why);

/* Closes a connection that has asked nothing yet, with an answer unless that would have to be encrypted. Not to be
 * called within a callback of evhttp. */
void larder_refuse_entry(larder_connection *connection, larder_refusal why);

/* Says on a socket that no descriptor is left for a connection, unless that would have to be encrypted. */
void larder_refuse_socket(larder_server *server, int fd);

#endif
