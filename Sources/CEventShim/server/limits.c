#define _GNU_SOURCE
#include "internal.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

enum { bucket_count = 4096 };

struct larder_peer {
    larder_peer *next;
    uint64_t address;
    atomic_size_t connections; /* changed under the lock, read without it */
    atomic_size_t streams;
};

struct larder_limits {
    size_t limit;
    size_t address_limit;
    uint64_t seed; /* so that clients cannot choose addresses that share a bucket */
    atomic_size_t connections;
    atomic_size_t references;
    pthread_mutex_t lock; /* of the buckets; taken when a connection comes or goes */
    larder_peer **buckets;
};

larder_limits *larder_limits_new(size_t connections, size_t per_address) {
    larder_limits *limits = calloc(1, sizeof *limits);
    if (!limits) {
        return NULL;
    }
    limits->limit = connections;
    limits->address_limit = per_address;
    limits->buckets = calloc(bucket_count, sizeof *limits->buckets);
    if (!limits->buckets || getrandom(&limits->seed, sizeof limits->seed, 0) < 0) {
        free(limits->buckets);
        free(limits);
        return NULL;
    }
    atomic_init(&limits->connections, 0);
    atomic_init(&limits->references, 1);
    pthread_mutex_init(&limits->lock, NULL);
    return limits;
}

void larder_limits_retain(larder_limits *limits) {
    atomic_fetch_add_explicit(&limits->references, 1, memory_order_relaxed);
}

void larder_limits_release(larder_limits *limits) {
    if (atomic_fetch_sub_explicit(&limits->references, 1, memory_order_acq_rel) == 1) {
        pthread_mutex_destroy(&limits->lock);
        free(limits->buckets);
        free(limits);
    }
}

bool larder_limits_enter(larder_limits *limits) {
    size_t before = atomic_fetch_add_explicit(&limits->connections, 1, memory_order_relaxed);
    return !limits->limit || before < limits->limit;
}

void larder_limits_leave(larder_limits *limits) {
    atomic_fetch_sub_explicit(&limits->connections, 1, memory_order_relaxed);
}

/* No assigned IPv6 network begins like this. */
static uint64_t of_ipv4(uint32_t address) {
    return 0xffffffff00000000u | address;
}

uint64_t larder_network_of(const struct sockaddr *name) {
    if (name->sa_family == AF_INET) {
        return of_ipv4(((const struct sockaddr_in *)name)->sin_addr.s_addr);
    }
    uint64_t network = 0;
    if (name->sa_family == AF_INET6) {
        const struct in6_addr *address = &((const struct sockaddr_in6 *)name)->sin6_addr;
        if (IN6_IS_ADDR_V4MAPPED(address)) {
            uint32_t mapped;
            memcpy(&mapped, address->s6_addr + 12, sizeof mapped);
            return of_ipv4(mapped);
        }
        memcpy(&network, address->s6_addr, sizeof network);
    }
    return network;
}

static larder_peer **find(larder_limits *limits, uint64_t address) {
    uint64_t mixed = (address ^ limits->seed) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 32)) * (limits->seed | 1);
    larder_peer **link = &limits->buckets[(mixed >> 48) % bucket_count];
    while (*link && (*link)->address != address) {
        link = &(*link)->next;
    }
    return link;
}

static larder_peer *count_in(larder_limits *limits, uint64_t address) {
    larder_peer **link = find(limits, address);
    if (!*link) {
        *link = calloc(1, sizeof **link);
        if (!*link) {
            return NULL;
        }
        (*link)->address = address;
    }
    if (limits->address_limit && larder_peer_connections(*link) == limits->address_limit) {
        return NULL;
    }
    atomic_fetch_add_explicit(&(*link)->connections, 1, memory_order_relaxed);
    return *link;
}

bool larder_limits_enter_peer(larder_limits *limits, uint64_t network, larder_peer **peer) {
    pthread_mutex_lock(&limits->lock);
    *peer = count_in(limits, network);
    pthread_mutex_unlock(&limits->lock);
    return *peer != NULL || !limits->address_limit;
}

size_t larder_peer_connections(const larder_peer *peer) {
    return peer ? atomic_load_explicit(&peer->connections, memory_order_relaxed) : 0;
}

/* The least time of a head, a handshake and a response in milliseconds, under any load: a few round trips. With
 * less, a flood of connections would close other connections before their first request. An address with more
 * connections than the new connection's address gets one round trip; otherwise its own new connections would keep
 * out other clients. */
enum { grace = 1000, grace_beyond_share = 100 };

uint64_t larder_grace(const larder_peer *peer, size_t share) {
    return larder_peer_connections(peer) > share ? grace_beyond_share : grace;
}

size_t larder_peer_streams(const larder_peer *peer) {
    return peer ? atomic_load_explicit(&peer->streams, memory_order_relaxed) : 0;
}

void larder_peer_count_stream(larder_peer *peer, int change) {
    if (peer) {
        atomic_fetch_add_explicit(&peer->streams, (size_t)change, memory_order_relaxed);
    }
}

void larder_limits_leave_peer(larder_limits *limits, larder_peer *peer) {
    if (!peer) {
        return;
    }
    pthread_mutex_lock(&limits->lock);
    if (atomic_fetch_sub_explicit(&peer->connections, 1, memory_order_relaxed) == 1) {
        larder_peer **link = find(limits, peer->address);
        *link = peer->next;
        free(peer);
    }
    pthread_mutex_unlock(&limits->lock);
}
