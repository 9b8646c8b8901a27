#ifndef LARDER_LISTEN_H
#define LARDER_LISTEN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* The reason why listening on an address failed. */
typedef enum larder_listen_result {
    LARDER_LISTEN_OK,
    LARDER_LISTEN_IN_USE,
    LARDER_LISTEN_DENIED,
    LARDER_LISTEN_UNRESOLVED,
    LARDER_LISTEN_UNAVAILABLE,
    LARDER_LISTEN_FAILED,
} larder_listen_result;

/* A resolved address and port, by value, so that every loop binds the same. */
typedef struct larder_address {
    uint64_t storage[16];
    uint32_t size;
} larder_address;

/* Any thread; queries the resolver if `host` is a name, so it may block. Resolves an IPv4 or IPv6 literal or a name
 * (its first address that can be bound) and binds it once without SO_REUSEPORT to check that the port is free: the
 * servers' sockets share their port, and would also share it with another process of this program. Port 0 stays 0 in
 * `address`. On failure `error` contains the system's message, cut to `size`. */
larder_listen_result larder_listen_probe(
    const char *host, uint16_t port, larder_address *address, char *error, size_t size);

/* Any thread: sets the port, so that further servers get the port that the first one was given for 0. */
void larder_address_set_port(larder_address *address, uint16_t port);

/* Limits the connections of the servers of several loops, in total and by address. Any thread. */
typedef struct larder_limits larder_limits;

/* Allows so many connections in total, and so many per IPv4 address or IPv6 /64; 0 for no limit. NULL when there is no
 * memory. */
larder_limits *larder_limits_new(size_t connections, size_t per_address);
/* Any thread: the number by which a client is counted: an IPv4 address, or an IPv6 /64, of which a client can use every
 * address. 0 for other families. */
uint64_t larder_network_of(const struct sockaddr *address);

void larder_limits_retain(larder_limits *limits);
void larder_limits_release(larder_limits *limits);

#endif
