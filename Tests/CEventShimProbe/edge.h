#ifndef EDGE_H
#define EDGE_H

#include <stdbool.h>

enum { max_connections = 8, max_per_address = 6, max_outstanding = 3 };

/* Hostile clients, and more of them than may be. */
void edge(bool is_prompt);

#endif
