#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CEventShim.h"

/* One loop with one server, and blocking clients on the calling thread. A request for /hold is kept until
 * harness_answer_held; /big gets 8 MB; /stream a stream; /dear takes 33 microseconds on the fast path; anything else its
 * own target. /hook may have a body. */

enum { big_size = 8 << 20, held_limit = 16, hook_body = 500 };

typedef struct held_request {
    larder_request *request;
    uint64_t sequence;
} held_request;

extern larder_server *server;
extern uint16_t port;
extern held_request held[held_limit];
extern long replies;

/* A prompt owner answers at once all that is not to be held, on the fast path. */
void harness_start(const larder_server_options *options, bool is_prompt);
void harness_stop(void);
/* Ends the server's connections and listener, which harness_stop needs. */
void harness_drain(void);

/* Runs a function on the loop and waits for it. */
void on_loop(void (*body)(void));

/* Runs a function on the loop in each of its passes, until that is NULL. */
void each_pass(void (*look)(void));

/* Answers with a stream. Defined with the scenarios of streams. */
void begin_stream(larder_request *request, uint64_t sequence);

/* Memory for `larder_stream_send` that has to be released. */
void *lend(size_t size);
void take_back(const void *body, size_t size, void *arg);

void answer_held(void);
void return_held(void);

/* Waits, with the loop turning, until it is true; ends the program after ten seconds. */
#define wait_until(fact, name) wait_until_at(fact, name, __FILE__, __LINE__)
void wait_until_at(bool (*fact)(void), const char *name, const char *file, int line);

bool nothing_is_connected(void);
bool something_is_held(void);
bool every_body_is_released(void);
bool has_drained(void);

#define REQUEST(target) "GET " target " HTTP/1.1\r\nHost: a\r\n\r\n"

int client(int receive_buffer);
/* Connects from 127.0.0.`host`. */
int client_from(unsigned char host, int receive_buffer);
void client_send(int fd, const char *text);
/* Reads until `needle` or the end of the connection came; false for the end. */
bool client_expect(int fd, const char *needle);
/* Bytes until the end of the connection. */
size_t client_read_to_end(int fd);
void client_reset(int fd);

#define require(fact, name) require_at(fact, name, __FILE__, __LINE__)
void require_at(bool fact, const char *name, const char *file, int line);

#endif
