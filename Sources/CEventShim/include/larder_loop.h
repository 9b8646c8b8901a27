#ifndef LARDER_LOOP_H
#define LARDER_LOOP_H

#include <stddef.h>
#include <stdint.h>

/* A thread that runs a libevent base. All other objects of this shim belong to a loop and may be used on its thread
 * only. Other threads use the three functions marked "any thread" to reach it. */
typedef struct larder_loop larder_loop;

/* Called on the loop's thread after larder_loop_wake or larder_loop_activate, once for any number of calls. */
typedef void (*larder_drain_fn)(void *context);

/* Makes a base without locks and with epoll's changelist, and registers its eventfd; the thread is not started yet.
 * Ignores SIGPIPE for the process, because libevent writes with writev. NULL when the system has no descriptor left. */
larder_loop *larder_loop_new(larder_drain_fn drain, void *context);

/* Starts the thread under a name of at most 15 bytes. Returns 0 or an errno. */
int larder_loop_start(larder_loop *loop, const char *name);

/* Any thread: makes the loop call its drain function soon. */
void larder_loop_wake(larder_loop *loop);

/* Loop thread: makes the loop call its drain function within the current pass, without a system call. */
void larder_loop_activate(larder_loop *loop);

/* Any thread: whether the caller runs on this loop's thread. */
int larder_loop_is_current(const larder_loop *loop);

/* Loop thread: leaves the loop after the active callbacks. Queued work does not run. */
void larder_loop_stop(larder_loop *loop);

/* Any other thread: waits for the thread to end, then frees base and descriptors. */
void larder_loop_join(larder_loop *loop);

/* Severity of a message of libevent or of this shim. */
typedef enum larder_severity {
    LARDER_DEBUG,
    LARDER_NOTICE,
    LARDER_WARNING,
    LARDER_ERROR,
    LARDER_FATAL, /* the process ends as soon as it has been reported */
} larder_severity;

/* Called on any thread; the message lives for the call only. */
typedef void (*larder_log_fn)(larder_severity severity, const char *message, void *context);

/* Any thread, best before the first loop: sets the receiver of messages of libevent and of this shim. By default
 * warnings go to standard error. A fatal error of libevent is reported here and then ends the process. */
void larder_set_log(larder_log_fn log, void *context);

/* Any thread: the version of libevent in use, such as "2.1.12-stable" and 0x02010c00, without distributions' patches.
 * */
const char *larder_libevent_version(void);
uint32_t larder_libevent_number(void);

/* Collects SIGHUP, SIGINT and SIGTERM in a pipe for larder_signals_next; they no longer end the process. Further calls
 * do nothing. Returns 0 or an errno.
 *
 * Uses handlers instead of a blocked mask: the kernel withholds signals without a handler from process 1, libdispatch
 * parks the main thread with an empty mask, and a library's thread may have any mask. */
int larder_signals_hold(void);

/* Restores the previous handlers, and raises the signals that came in the meantime. */
void larder_signals_release(void);

/* Any thread, but one at a time: waits for the next signal, at most so many milliseconds, for ever if negative. Returns
 * its number; 0 when none came. */
int larder_signals_next(int64_t milliseconds);

/* Any thread: sends a datagram to a Unix socket, whose name begins with / or, for an abstract one, with @. Waits for
 * nothing. Returns 0 or an errno. */
int larder_notify(const char *socket, const char *text);

/* Configures the allocator to return freed memory to the system. To be called before there are other threads. */
void larder_memory_prepare(void);

/* Returns free pages of all arenas to the system. Threads that allocate meanwhile wait. */
void larder_memory_give_back(void);

/* Any thread: the number of cores this process may run on; 0 if unknown. */
int larder_usable_cores(void);

#endif
