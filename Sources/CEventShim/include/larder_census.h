#ifndef LARDER_CENSUS_H
#define LARDER_CENSUS_H

#include <stddef.h>
#include <stdint.h>

/* Counts connections over the servers of several loops, in total and by address. Any thread. */
typedef struct larder_census larder_census;

/* The connections of one address. */
typedef struct larder_resident larder_resident;

/* At most so many connections, and so many of one IPv4 address or IPv6 /64; 0 for no limit. NULL when there is no
 * memory. */
larder_census *larder_census_new(size_t connections, size_t per_address);
void larder_census_retain(larder_census *census);
void larder_census_release(larder_census *census);

#endif
