#ifndef LARDER_LISTEN_H
#define LARDER_LISTEN_H

#include <stddef.h>
#include <stdint.h>

/* Why an address cannot be listened on. */
typedef enum larder_listen_result {
    LARDER_LISTEN_OK,
    LARDER_LISTEN_IN_USE,
    LARDER_LISTEN_DENIED,
    LARDER_LISTEN_UNRESOLVED,
    LARDER_LISTEN_UNAVAILABLE,
    LARDER_LISTEN_FAILED,
} larder_listen_result;

/* A resolved address and port, by value, so that every loop binds the same one. */
typedef struct larder_address {
    uint64_t storage[16];
    uint32_t size;
} larder_address;

/* Any thread; asks the resolver when `host` is a name, so it may take long. Resolves an IPv4 or IPv6 literal or a name
 * (the first address that can be bound) and binds it once, alone, to find out whether the port is free: the servers'
 * own sockets share their port (SO_REUSEPORT) and would silently share it with another process of this program as well.
 * Port 0 stays 0 in `address`. On failure `error` holds the system's words, cut to `size`. */
larder_listen_result larder_listen_probe(
    const char *host, uint16_t port, larder_address *address, char *error, size_t size);

/* Any thread: sets the port, to give further servers the port that the first one got for 0. */
void larder_address_set_port(larder_address *address, uint16_t port);

/* Limits the connections of the servers of several loops, in total and by address. Any thread. */
typedef struct larder_limits larder_limits;

/* Allows so many connections in total, and so many of one IPv4 address or IPv6 /64; 0 for no limit. NULL when there is
 * no memory. */
larder_limits *larder_limits_new(size_t connections, size_t per_address);
void larder_limits_retain(larder_limits *limits);
void larder_limits_release(larder_limits *limits);

#endif
