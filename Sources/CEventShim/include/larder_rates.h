#ifndef LARDER_RATES_H
#define LARDER_RATES_H

#include <stdint.h>

/* Token buckets of any number of clients, in memory of a fixed size. Any thread.
 *
 * A full bucket needs no memory. Where there are more others than fit, the fullest is forgotten, so that its client may
 * exceed the rate by one burst. */
typedef struct larder_rates larder_rates;

/* Buckets that hold `burst` tokens and get one each `interval` nanoseconds. NULL when there is no memory. */
larder_rates *larder_rates_new(uint64_t interval, uint32_t burst);
void larder_rates_free(larder_rates *rates);

/* Takes a token of this client at this monotonic time, in nanoseconds. Returns 0, or the nanoseconds until there is one
 * if there is none. */
uint64_t larder_rates_take_at(larder_rates *rates, uint64_t client, uint64_t now);

/* Takes one now, by a clock that is accurate to a few milliseconds. */
uint64_t larder_rates_take(larder_rates *rates, uint64_t client);

#endif
