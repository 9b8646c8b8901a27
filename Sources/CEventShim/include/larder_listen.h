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
    int32_t fd;        /* of a listening socket that all servers share; -1 if each has its own */
    int32_t is_kept;   /* not 0: the socket belongs to the process that handed it over, and stays open there */
} larder_address;

/* Any thread; queries the resolver if `host` is a name, so it may block. Resolves an IPv4 or IPv6 literal or a name
 * (its first address that can be bound) and binds it once without SO_REUSEPORT to check that the port is free: the
 * servers' sockets share their port, and would also share it with another process of this program. Port 0 stays 0 in
 * `address`. On failure `error` contains the system's message, cut to `size`. */
larder_listen_result larder_listen_probe(
    const char *host, uint16_t port, larder_address *address, char *error, size_t size);

/* Any thread: binds a Unix socket with these permissions, and owner and group unless they are -1, and listens on it. A
 * socket at the path on which nothing listens any more is replaced. */
larder_listen_result larder_listen_unix(
    const char *path, uint32_t mode, int64_t owner, int64_t group, int backlog, larder_address *address, char *error,
    size_t size);

/* Any thread: uses a listening socket of another process, such as a service manager. The descriptor stays open. */
larder_listen_result larder_listen_inherited(int fd, larder_address *address, char *error, size_t size);

/* Any thread: closes the socket that servers shared, and removes the path that larder_listen_unix has made. */
void larder_address_close(larder_address *address);

/* Any thread: sets the port, so that further servers get the port that the first one was given for 0. */
void larder_address_set_port(larder_address *address, uint16_t port);

/* Limits the connections of the servers of several loops, in total and by address. Any thread. */
typedef struct larder_limits larder_limits;

/* Allows so many connections in total, and so many per IPv4 address or IPv6 /64; 0 for no limit. NULL when there is no
 * memory. */
larder_limits *larder_limits_new(size_t connections, size_t per_address);
/* Any thread: the number that identifies a client in counts: its IPv4 address, or its IPv6 /64, since a client can
 * use every address of its /64. 0 for other families. */
uint64_t larder_network_of(const struct sockaddr *address);

void larder_limits_retain(larder_limits *limits);
void larder_limits_release(larder_limits *limits);

#endif
