/* Whatever the bytes and however they are cut, the guard must come to the same verdict at the same byte, and what it
 * lets through must look to a second, slower reader as it does to the first. `make fuzz` runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/guard.h"
#include "second_reader.h"

/* Small enough for inputs to reach them. */
static const larder_guard_limits limits = {.target_bytes = 64, .head_bytes = 512, .fields = 8, .body_bytes = 32};

static void require(bool fact, const char *name) {
    if (!fact) {
        fprintf(stderr, "FAILED: %s\n", name);
        abort();
    }
}

/* As the server does at the end of the line of a POST. */
static void allow(larder_guard *guard, const unsigned char *end) {
    const char *target = (const char *)end - larder_guard_line_size(guard) + guard->method_size + 1;
    const char *path = larder_guard_path(target, guard->target_size);
    larder_guard_allow(guard, second_reader_body_limit(path, guard->target_size - (size_t)(path - target)));
}

/* Feeds in pieces, whose sizes follow from a seed; none of a size is the whole. */
static size_t feed(larder_guard *guard, const unsigned char *bytes, size_t size, unsigned seed) {
    size_t taken = 0;
    while (taken < size && larder_guard_is_reading(guard)) {
        size_t piece = size - taken;
        if (seed) {
            seed = seed * 1103515245 + 12345;
            size_t wanted = seed >> 16 & 7 ? seed >> 20 & 3 : seed >> 20 & 63;
            piece = wanted < piece ? wanted + 1 < piece ? wanted + 1 : piece : piece;
        }
        size_t got = larder_guard_feed(guard, &limits, bytes + taken, piece);
        require(got <= piece, "takes no more than there is");
        bool is_line = guard->step == LARDER_GUARD_LINE;
        require(got == piece || is_line || !larder_guard_is_reading(guard), "takes all until it has a verdict");
        taken += got;
        if (is_line) {
            allow(guard, bytes + taken);
        }
    }
    return taken;
}

static void check_pieces(const unsigned char *bytes, size_t size, const larder_guard *whole, size_t taken) {
    for (unsigned seed = 1; seed <= 3; seed++) {
        larder_guard guard = {0};
        size_t own = feed(&guard, bytes, size, seed * 2654435761u);
        require(own == taken, "the same place however it is cut");
        require(guard.step == whole->step && guard.refusal == whole->refusal, "the same verdict however it is cut");
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    /* Heads behind one another, as in a pipeline. */
    for (int heads = 0; heads < 8 && size > 0; heads++) {
        larder_guard guard = {0};
        size_t taken = feed(&guard, bytes, size, 0);
        check_pieces(bytes, size, &guard, taken);
        bool is_accepted = guard.step == LARDER_GUARD_ACCEPTED;
        require(second_reader_accepts(bytes, size, &limits).size == (is_accepted ? taken : 0), "the second reader agrees");
        require(taken <= limits.head_bytes + limits.body_bytes, "no request is longer than it may be");
        if (!is_accepted) {
            break;
        }
        bytes += taken;
        size -= taken;
    }
    return 0;
}
