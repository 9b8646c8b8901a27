#ifndef LARDER_LOOP_INTERNAL_H
#define LARDER_LOOP_INTERNAL_H

#include "larder_loop.h"

struct event_base;

/* Loop thread, or before larder_loop_start: the base that servers and clients of this loop share. */
struct event_base *larder_loop_base(larder_loop *loop);

#endif
