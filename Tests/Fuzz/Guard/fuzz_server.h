#ifndef FUZZ_SERVER_H
#define FUZZ_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "larder_server.h"
#include "second_reader.h"

/* A real server whose loop is run step by step, so that the input decides what happens between two steps. */

/* More than there are requests in an input of 4 KB, which is as long as libFuzzer makes them. */
enum { most_answers = 256 };

typedef enum fuzz_prompt { never, sometimes, always } fuzz_prompt;

extern larder_guard_limits limits;
extern larder_server *server;
extern int served;
extern fuzz_prompt prompt; /* whether an answer is at hand */
extern size_t bodies;      /* bytes of the bodies that were served */
extern int events;         /* left to be sent by a stream, one a turn; it ends with the last */

void fuzz_server_start(larder_tls *tls);
void turn(void);
/* A client that is connected and accepted. */
int fuzz_client(int receive_buffer);
/* Resets it, and makes sure that nothing of it is left. */
void fuzz_close(int client);

/* The number of requests that the second reader finds, up to a stream, and the bytes of their bodies. */
int expected(const unsigned char *bytes, size_t size, size_t *bodies);
uint64_t own_counts(larder_refusal why);

/* Ends the program with the answers so far, which `show` keeps. */
#define require(fact, name) require_at(fact, name, __FILE__, __LINE__)
void require_at(bool fact, const char *name, const char *file, int line);
void show(const char *answers, size_t size);

#endif
