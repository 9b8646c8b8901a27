#ifndef BOUNDS_H
#define BOUNDS_H

#include <stdbool.h>

#include "CEventShim.h"

/* How much one client, or many at once, may take of a pass of the loop, and how much time. */
void bounds(larder_server_options options, bool is_prompt);

#endif
