#ifndef LARDER_SIGNALS_H
#define LARDER_SIGNALS_H

#include <stdint.h>

/* SIGHUP, SIGINT and SIGTERM of the process, kept in a pipe until somebody asks for them.
 *
 * Handlers and not a blocked mask, for three reasons: the kernel withholds from process 1 what has no handler,
 * libdispatch parks the main thread with an empty mask, and a thread of some library may have any mask at all. */

/* From now on the three signals end nothing and are kept. Calls after the first do nothing. 0, or an errno. */
int larder_signals_hold(void);

/* Gives the signals back to whoever had them before, those included that came in the meantime. */
void larder_signals_release(void);

/* Any thread, but one at a time: the number of the next signal, waited for so many milliseconds, or for as long as it
 * takes if that is negative. 0 when none came. */
int larder_signals_next(int64_t milliseconds);

#endif
