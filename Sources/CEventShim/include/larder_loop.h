#ifndef LARDER_LOOP_H
#define LARDER_LOOP_H

#include <stddef.h>
#include <stdint.h>

/* One thread that turns one libevent base. Every other object of this shim belongs to a loop and may be touched on its
 * thread only; the three functions marked "any thread" are the whole hand-off. */
typedef struct larder_loop larder_loop;

/* Called on the loop's thread after larder_loop_wake or larder_loop_activate, once for any number of them. */
typedef void (*larder_drain_fn)(void *context);

/* Makes a base without locks and with epoll's changelist, its eventfd registered; the thread is not started yet.
 * Ignores SIGPIPE for the process, because libevent writes with writev. NULL when the system has no descriptor left. */
larder_loop *larder_loop_new(larder_drain_fn drain, void *context);

/* Starts the thread under a name (15 bytes are kept). 0, or an errno. */
int larder_loop_start(larder_loop *loop, const char *name);

/* Any thread: makes the loop call its drain function soon. */
void larder_loop_wake(larder_loop *loop);

/* Loop thread: makes the loop call its drain function within the current pass, without a system call. */
void larder_loop_activate(larder_loop *loop);

/* Any thread: whether the caller runs on this loop's thread. */
int larder_loop_is_current(const larder_loop *loop);

/* Loop thread: leaves the loop after the callbacks that are active now. Work still queued is not run. */
void larder_loop_stop(larder_loop *loop);

/* Any thread but the loop's: waits for the thread to end, then frees base and descriptors. */
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

/* Any thread, best before the first loop: sets where messages of libevent and of this shim go. Without it warnings are
 * lines on standard error. An error that libevent cannot survive is reported here and then ends the process. */
void larder_set_log(larder_log_fn log, void *context);

/* Any thread: the version of the libevent that runs, such as "2.1.12-stable" and 0x02010c00, without distributions'
 * patches. */
const char *larder_libevent_version(void);
uint32_t larder_libevent_number(void);

/* Keeps SIGHUP, SIGINT and SIGTERM in a pipe until larder_signals_next asks for them; they end nothing any more. Calls
 * after the first do nothing. 0, or an errno.
 *
 * Uses handlers instead of a blocked mask: the kernel withholds from process 1 what has no handler, libdispatch parks
 * the main thread with an empty mask, and a thread of some library may have any mask at all. */
int larder_signals_hold(void);

/* Restores the handlers from before, and raises the signals that came in the meantime. */
void larder_signals_release(void);

/* Any thread, but one at a time: waits so many milliseconds for the next signal, without end if negative, and gives its
 * number; 0 when none came. */
int larder_signals_next(int64_t milliseconds);

/* Has the allocator return freed memory to the system. To be called before there are other threads. */
void larder_memory_prepare(void);

/* Gives free pages of all arenas back to the system. Threads that use an arena at that moment wait. */
void larder_memory_give_back(void);

/* Any thread: how many cores the scheduler may put this process on; 0 when it does not say. */
int larder_usable_cores(void);

#endif
