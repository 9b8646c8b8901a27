#define _GNU_SOURCE
#include "larder_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

enum { SIGNALS = 3 };
static const int numbers[SIGNALS] = {SIGHUP, SIGINT, SIGTERM};
static struct sigaction before[SIGNALS];
/* Both ends stay open to the end of the process: a handler may be at work in another thread at any time. */
static int ends[2] = {-1, -1};
static int is_holding;

static void on_signal(int number) {
    int error = errno;
    unsigned char byte = (unsigned char)number;
    /* A full pipe has more signals than anybody will ask for. */
    ssize_t written = write(ends[1], &byte, 1);
    (void)written;
    errno = error;
}

int larder_signals_hold(void) {
    if (is_holding) {
        return 0;
    }
    if (ends[0] < 0 && pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return errno;
    }
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    /* So that two of them come out in the order in which they came. */
    for (size_t index = 0; index < SIGNALS; index++) {
        sigaddset(&action.sa_mask, numbers[index]);
    }
    for (size_t index = 0; index < SIGNALS; index++) {
        sigaction(numbers[index], &action, &before[index]);
    }
    is_holding = 1;
    return 0;
}

static int taken(void) {
    unsigned char byte;
    return read(ends[0], &byte, 1) == 1 ? byte : 0;
}

void larder_signals_release(void) {
    if (!is_holding) {
        return;
    }
    is_holding = 0;
    for (size_t index = 0; index < SIGNALS; index++) {
        sigaction(numbers[index], &before[index], NULL);
    }
    for (int number = taken(); number; number = taken()) {
        raise(number);
    }
}

int larder_signals_next(int64_t milliseconds) {
    struct pollfd readable = {.fd = ends[0], .events = POLLIN};
    int timeout = milliseconds < 0 ? -1 : milliseconds > INT_MAX ? INT_MAX : (int)milliseconds;
    int ready;
    do {
        ready = poll(&readable, 1, timeout);
        /* Interrupted by a signal that is kept, mostly, which the next round finds. */
    } while (ready < 0 && errno == EINTR);
    return ready > 0 ? taken() : 0;
}
