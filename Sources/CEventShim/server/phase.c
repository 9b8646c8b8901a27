/* The clock, the timeout phase of a connection, and its end. */
#include "internal.h"

#include <sys/socket.h>

/* Rounds of discarding unread bytes before a connection is closed. */
enum { most_discards = 16 };

uint64_t larder_monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t larder_monotonic_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void larder_phase_leave(larder_connection *connection) {
    if (connection->phase != LARDER_PHASES) {
        TAILQ_REMOVE(&connection->server->phases[connection->phase], connection, timed);
    }
}

/* The list of a phase stays ordered by `since`, longest first. */
void larder_phase_enter(larder_connection *connection, larder_phase phase) {
    larder_phase_leave(connection);
    connection->phase = (uint8_t)phase;
    connection->since = larder_monotonic_ms();
    TAILQ_INSERT_TAIL(&connection->server->phases[phase], connection, timed);
}

void larder_connection_set_error_handler(larder_connection *connection, bufferevent_event_cb handler) {
    bufferevent_data_cb read, write;
    void *evcon;
    bufferevent_getcb(connection->bev, &read, &write, NULL, &evcon);
    bufferevent_setcb(connection->bev, read, write, handler, evcon);
}

void larder_connection_end_handshake(larder_connection *connection) {
    if (connection->phase == LARDER_PHASE_HANDSHAKE) {
        larder_connection_set_error_handler(connection, connection->fail);
    }
}

void larder_connection_close(larder_connection *connection) {
    larder_connection_end_handshake(connection);
    bufferevent_trigger_event(connection->bev, BEV_EVENT_READING | BEV_EVENT_EOF, 0);
}

void larder_connection_close_soon(larder_connection *connection) {
    bufferevent_trigger_event(connection->bev, BEV_EVENT_READING | BEV_EVENT_EOF, BEV_OPT_DEFER_CALLBACKS);
}

/* Dissolving the connection resets it. SO_LINGER does not: evhttp sends a FIN before it closes. */
void larder_connection_reset(larder_connection *connection) {
    struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    connect(connection->fd, &nobody, sizeof nobody);
}

/* Linux copies nothing with MSG_TRUNC. A client that goes on sending gets a reset. */
void larder_connection_discard_unread(larder_connection *connection) {
    char uncopied[64 << 10];
    for (int i = 0; i < most_discards; i++) {
        if (recv(connection->fd, uncopied, sizeof uncopied, MSG_DONTWAIT | MSG_TRUNC) <= 0) {
            return;
        }
    }
}
