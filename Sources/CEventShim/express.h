#ifndef LARDER_EXPRESS_H
#define LARDER_EXPRESS_H

#include "server_internal.h"

/* Reads a plain connection in place of its bufferevent, as long as all that comes is answered at once: libevent asks
 * the system how much there is before each read, which costs as much as the read. */

/* For a connection of which evhttp waits for the next request and nothing is left to be read. */
void larder_express_enter(larder_connection *connection);

/* The socket is about to be closed. */
void larder_express_end(larder_connection *connection);

#endif
