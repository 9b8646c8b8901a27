#ifndef LARDER_LOG_INTERNAL_H
#define LARDER_LOG_INTERNAL_H

#include "larder_log.h"

/* Routes libevent's own messages to this shim's log; the first call does it, the others are free. */
void larder_log_attach(void);

void larder_log(larder_severity severity, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
