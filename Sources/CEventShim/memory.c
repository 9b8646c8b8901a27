#include "larder_memory.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

/* What is as large as this has pages of its own. Left alone, glibc raises the threshold to the size of the largest body
 * that was freed, up to 32 MB, and puts all later ones among small objects, which keep their pages from going back. */
enum { OWN_PAGES = 1 << 20 };

/* An arena keeps so much at its end, which is more than serving takes and gives in turn. */
enum { KEPT_AT_THE_END = 4 << 20 };

void larder_memory_prepare(void) {
    mallopt(M_MMAP_THRESHOLD, OWN_PAGES);
    mallopt(M_TRIM_THRESHOLD, KEPT_AT_THE_END);
}

void larder_memory_give_back(void) { malloc_trim(0); }
#else
void larder_memory_prepare(void) {}

void larder_memory_give_back(void) {}
#endif
