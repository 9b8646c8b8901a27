#ifndef STOPPING_H
#define STOPPING_H

#include <stdbool.h>

#include "CEventShim.h"

/* Who has connected when a server stops is served. */
void stopping(larder_server_options options, bool is_prompt);

/* A loop that ends unasked ends the process. Before the first thread. */
void loop_without_its_queue(void);

#endif
