#ifndef LARDER_MEMORY_H
#define LARDER_MEMORY_H

/* What the allocator does with free memory. Nothing where the C library is not glibc. */

/* To be called before there are other threads. */
void larder_memory_prepare(void);

/* Gives free pages of all arenas back to the system. Others wait who use an arena at that moment. */
void larder_memory_give_back(void);

#endif
