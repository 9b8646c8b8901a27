#ifndef LARDER_ACCEPT_FAILURE_H
#define LARDER_ACCEPT_FAILURE_H

#include <event2/listener.h>

#include "server_internal.h"

/* What a server does when a connection cannot be accepted, mostly for want of a descriptor: it closes another one, or
 * refuses the newcomer by a descriptor that it keeps in reserve, or rests. */

/* Adds the server to those of this thread, and removes it. */
void larder_accept_enlist(larder_server *server);
void larder_accept_strike(larder_server *server);

/* Takes the descriptor that is kept in reserve, unless it is there. */
void larder_accept_reserve(larder_server *server);

/* The listener's error callback; `errno` says why. `arg` is evhttp. */
void larder_accept_on_failure(struct evconnlistener *listener, void *arg);

void larder_accept_note_failure(larder_server *server, int error, const char *means);

/* Logs that connections are accepted again. */
void larder_accept_recover(larder_server *server);

#endif
