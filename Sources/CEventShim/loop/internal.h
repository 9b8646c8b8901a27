#ifndef LARDER_LOOP_INTERNAL_H
#define LARDER_LOOP_INTERNAL_H

#include "larder_loop.h"

struct event_base;

/* Loop thread, or before larder_loop_start: the base that servers and clients of this loop share. */
struct event_base *larder_loop_base(larder_loop *loop);

/* Routes libevent's own messages to this shim's log; calls after the first do nothing. */
void larder_log_attach(void);

void larder_log(larder_severity severity, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The port a socket is bound to, in host order; 0 if unknown. */
uint16_t larder_local_port(int fd);

#endif
