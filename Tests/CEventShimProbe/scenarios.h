#ifndef SCENARIOS_H
#define SCENARIOS_H

#include "harness.h"

/* The scenarios of the probe. `is_prompt`: the server's owner answers at once what it can, on the fast path. */

enum { max_connections = 8, max_per_address = 6, max_outstanding = 3 };

/* Hostile clients, and more of them than may be. */
void edge(bool is_prompt);

/* Proxies whose header of the PROXY protocol comes whole, in part or not. */
void proxied(larder_server_options options, bool is_prompt);

/* Bounds on what one client, or many at once, may take of a pass of the loop, and on time. */
void bounds(larder_server_options options, bool is_prompt);

/* Clients that hold what is scarce: connections, memory and, if they may run out, descriptors. Heads, handshakes and
 * answers must have seconds until their deadlines. */
void pressure(bool may_run_out);
void pressure_encrypted(void);

/* Bodies, which few paths may have, and what may wait of all clients together. */
void bodies(larder_server_options options, bool is_prompt);

/* Streams, and what becomes of them. */
void streams(larder_server_options options, bool is_prompt);

/* Serves clients that have connected when a server stops. */
void stopping(larder_server_options options, bool is_prompt);

/* A loop that ends unasked ends the process. Before the first thread. */
void loop_without_its_queue(void);

/* The lives of encrypted connections. The server is to be encrypted by `tls`, with the first certificate. */
void tls(larder_tls *tls);

/* Chains and keys that cannot be served with. */
void tls_bad_certificates(void);

/* At the start of the program: lets memory be refused to OpenSSL. */
void tls_edge_prepare(void);

/* Clients that end a connection with their request, and sessions for which there is no memory. */
void tls_edge(larder_server_options options, bool is_prompt);

/* Encrypted connections that are asked again, in all pieces in which records come and go. */
void tls_kept(void);

/* Clients that repeat what costs the server more than it costs them. An encrypted server has to survive each attack,
 * serve others meanwhile, and drop the attacker. */
void key_updates(void);

/* Attacks whatever listens on `port` of this host, for so many seconds, and prints how often. */
void key_update_attack(int seconds);

#endif
