#define _GNU_SOURCE
#include "census_internal.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

enum { bucket_count = 4096 };

struct larder_resident {
    larder_resident *next;
    uint64_t address;
    size_t connections;
};

struct larder_census {
    size_t limit;
    size_t address_limit;
    uint64_t seed; /* so that nobody can choose addresses that share a bucket */
    atomic_size_t connections;
    atomic_size_t holders;
    pthread_mutex_t lock; /* of the buckets; taken when a connection comes or goes */
    larder_resident **buckets;
};

larder_census *larder_census_new(size_t connections, size_t per_address) {
    larder_census *census = calloc(1, sizeof *census);
    if (!census) {
        return NULL;
    }
    census->limit = connections;
    census->address_limit = per_address;
    census->buckets = per_address ? calloc(bucket_count, sizeof *census->buckets) : NULL;
    if ((per_address && !census->buckets) || getrandom(&census->seed, sizeof census->seed, 0) < 0) {
        free(census->buckets);
        free(census);
        return NULL;
    }
    atomic_init(&census->connections, 0);
    atomic_init(&census->holders, 1);
    pthread_mutex_init(&census->lock, NULL);
    return census;
}

void larder_census_retain(larder_census *census) {
    atomic_fetch_add_explicit(&census->holders, 1, memory_order_relaxed);
}

void larder_census_release(larder_census *census) {
    if (atomic_fetch_sub_explicit(&census->holders, 1, memory_order_acq_rel) == 1) {
        pthread_mutex_destroy(&census->lock);
        free(census->buckets);
        free(census);
    }
}

bool larder_census_enter(larder_census *census) {
    size_t before = atomic_fetch_add_explicit(&census->connections, 1, memory_order_relaxed);
    return !census->limit || before < census->limit;
}

void larder_census_leave(larder_census *census) {
    atomic_fetch_sub_explicit(&census->connections, 1, memory_order_relaxed);
}

/* No IPv6 network that is given to anybody begins like this. */
static uint64_t of_ipv4(uint32_t address) {
    return 0xffffffff00000000u | address;
}

/* An IPv4 address, or the network half of an IPv6 one: who has one address of a network has them all. */
static uint64_t address_of(int fd) {
    struct sockaddr_storage name;
    socklen_t size = sizeof name;
    if (getpeername(fd, (struct sockaddr *)&name, &size) != 0) {
        return 0;
    }
    if (name.ss_family == AF_INET) {
        return of_ipv4(((struct sockaddr_in *)&name)->sin_addr.s_addr);
    }
    uint64_t network = 0;
    if (name.ss_family == AF_INET6) {
        const struct in6_addr *address = &((struct sockaddr_in6 *)&name)->sin6_addr;
        if (IN6_IS_ADDR_V4MAPPED(address)) {
            uint32_t mapped;
            memcpy(&mapped, address->s6_addr + 12, sizeof mapped);
            return of_ipv4(mapped);
        }
        memcpy(&network, address->s6_addr, sizeof network);
    }
    return network;
}

static larder_resident **find(larder_census *census, uint64_t address) {
    uint64_t mixed = (address ^ census->seed) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 32)) * (census->seed | 1);
    larder_resident **link = &census->buckets[(mixed >> 48) % bucket_count];
    while (*link && (*link)->address != address) {
        link = &(*link)->next;
    }
    return link;
}

static larder_resident *count_in(larder_census *census, uint64_t address) {
    larder_resident **link = find(census, address);
    if (!*link) {
        *link = calloc(1, sizeof **link);
        if (!*link) {
            return NULL;
        }
        (*link)->address = address;
    }
    if ((*link)->connections == census->address_limit) {
        return NULL;
    }
    (*link)->connections++;
    return *link;
}

bool larder_census_settle(larder_census *census, int fd, larder_resident **resident) {
    *resident = NULL;
    if (!census->address_limit) {
        return true;
    }
    uint64_t address = address_of(fd);
    pthread_mutex_lock(&census->lock);
    *resident = count_in(census, address);
    pthread_mutex_unlock(&census->lock);
    return *resident != NULL;
}

void larder_census_unsettle(larder_census *census, larder_resident *resident) {
    if (!resident) {
        return;
    }
    pthread_mutex_lock(&census->lock);
    if (--resident->connections == 0) {
        larder_resident **link = find(census, resident->address);
        *link = resident->next;
        free(resident);
    }
    pthread_mutex_unlock(&census->lock);
}
