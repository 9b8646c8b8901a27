#ifndef KEY_UPDATE_H
#define KEY_UPDATE_H

/* Clients that repeat what costs the server more than it costs them. */

/* A server that is encrypted has to survive each attack, serve others meanwhile, and drop the attacker. */
void key_updates(void);

/* Attacks whatever listens on `port` of this host, for so many seconds, and prints how often. */
void key_update_attack(int seconds);

#endif
