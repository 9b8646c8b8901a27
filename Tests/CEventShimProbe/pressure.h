#ifndef PRESSURE_H
#define PRESSURE_H

#include <stdbool.h>

/* Clients that hold what is scarce: connections, memory and, if they may run out, descriptors. Heads, handshakes and
 * answers must have seconds until their deadlines. */
void pressure(bool may_run_out);
void pressure_encrypted(void);

#endif
