#ifndef LARDER_LOOP_H
#define LARDER_LOOP_H

#include <stddef.h>
#include <stdint.h>

/* One thread that turns one libevent base. Every other object of this shim belongs to a loop and may be touched on its
 * thread only; the three functions marked "any thread" are the whole hand-off. */
typedef struct larder_loop larder_loop;

/* Called on the loop's thread after larder_loop_wake or larder_loop_activate, once for any number of them. */
typedef void (*larder_drain_fn)(void *context);

/* A base without locks and with epoll's changelist, its eventfd registered; the thread is not started yet. Ignores
 * SIGPIPE for the process, because libevent writes with writev. NULL when the system has no more descriptors. */
larder_loop *larder_loop_new(larder_drain_fn drain, void *context);

/* Starts the thread under a name (15 bytes are kept). 0, or an errno. */
int larder_loop_start(larder_loop *loop, const char *name);

/* Any thread: makes the loop call its drain function soon. */
void larder_loop_wake(larder_loop *loop);

/* Loop thread: the same without a system call, within the current pass. */
void larder_loop_activate(larder_loop *loop);

/* Any thread: whether the caller runs on this loop's thread. */
int larder_loop_is_current(const larder_loop *loop);

/* Loop thread: leaves the loop after the callbacks that are active now. Work still queued is not run. */
void larder_loop_stop(larder_loop *loop);

/* Any thread but the loop's: waits for the thread to end, then frees base and descriptors. */
void larder_loop_join(larder_loop *loop);

/* Any thread: how many cores the scheduler may put this process on; 0 when it does not say. A macro and a set type that
 * Swift does not see stand behind it. */
int larder_usable_cores(void);

#endif
