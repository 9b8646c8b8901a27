#ifndef LARDER_LISTEN_INTERNAL_H
#define LARDER_LISTEN_INTERNAL_H

#include <stdbool.h>

#include "larder_listen.h"

/* A socket bound to the address with SO_REUSEPORT and listening, or -1 and errno. */
int larder_listen_open(const larder_address *address, int backlog);

/* Drops requests for new connections from now on, without an answer: clients repeat them, and find another listener or
 * none. Handshakes that have begun go on. False where the kernel cannot. */
bool larder_listen_turn_away(int fd);

/* Whether connections wait to be accepted. */
bool larder_listen_has_queue(int fd);

/* The port a socket is bound to, in host order; 0 when it cannot be told. */
uint16_t larder_listen_port(int fd);

larder_listen_result larder_listen_classify(int error);

#endif
