/* The token buckets of clients, each as the time at which it will be full again (GCRA). */
#include "larder_rates.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

/* 2 MB: buckets of 114,688 clients. */
enum { row_count = 1 << 14, row_size = 7 };

typedef struct bucket {
    uint64_t client;
    uint64_t full_at;
} bucket;

/* Two cache lines. */
typedef struct row {
    bucket buckets[row_size];
    atomic_flag lock;
    char unused[15];
} row;

struct larder_rates {
    uint64_t interval;
    uint64_t most_ahead; /* the longest time until a bucket with a token is full */
    uint64_t seed;       /* so that clients cannot choose addresses that share a row */
    row *rows;
};

larder_rates *larder_rates_new(uint64_t interval, uint32_t burst) {
    larder_rates *rates = calloc(1, sizeof *rates);
    if (!rates) {
        return NULL;
    }
    rates->interval = interval;
    rates->most_ahead = interval * (burst - 1);
    rates->rows = aligned_alloc(128, row_count * sizeof(row));
    if (!rates->rows || getrandom(&rates->seed, sizeof rates->seed, 0) < 0) {
        larder_rates_free(rates);
        return NULL;
    }
    for (int i = 0; i < row_count; i++) {
        rates->rows[i] = (row){.lock = ATOMIC_FLAG_INIT};
    }
    return rates;
}

void larder_rates_free(larder_rates *rates) {
    free(rates->rows);
    free(rates);
}

static row *row_of(const larder_rates *rates, uint64_t client) {
    uint64_t mixed = (client ^ rates->seed) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 32)) * (rates->seed | 1);
    return &rates->rows[(mixed >> 48) % row_count];
}

/* Returns the client's bucket, or else resets the bucket that is full, or will be full first. */
static bucket *find(row *row, uint64_t client) {
    bucket *fullest = row->buckets;
    for (bucket *each = row->buckets; each < row->buckets + row_size; each++) {
        if (each->client == client && each->full_at) {
            return each;
        }
        fullest = each->full_at < fullest->full_at ? each : fullest;
    }
    *fullest = (bucket){.client = client};
    return fullest;
}

uint64_t larder_rates_take_at(larder_rates *rates, uint64_t client, uint64_t now) {
    row *row = row_of(rates, client);
    while (atomic_flag_test_and_set_explicit(&row->lock, memory_order_acquire)) {
    }
    bucket *bucket = find(row, client);
    uint64_t full_at = bucket->full_at > now ? bucket->full_at : now;
    uint64_t ahead = full_at - now;
    bool is_taken = ahead <= rates->most_ahead;
    bucket->full_at = is_taken ? full_at + rates->interval : full_at;
    atomic_flag_clear_explicit(&row->lock, memory_order_release);
    return is_taken ? 0 : ahead - rates->most_ahead;
}

uint64_t larder_rates_take(larder_rates *rates, uint64_t client) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return larder_rates_take_at(rates, client, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
}
