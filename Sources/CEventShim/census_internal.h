#ifndef LARDER_CENSUS_INTERNAL_H
#define LARDER_CENSUS_INTERNAL_H

#include <stdbool.h>

#include "larder_census.h"

/* Counts a connection in and says whether it is within the limit; it is counted in either case. */
bool larder_census_enter(larder_census *census);
void larder_census_leave(larder_census *census);

/* Counts a connection to its peer's address. Gives false when the address has as many as it may; else `resident` is
 * what to leave by, NULL where addresses are not counted. */
bool larder_census_settle(larder_census *census, int fd, larder_resident **resident);
void larder_census_unsettle(larder_census *census, larder_resident *resident);

#endif
