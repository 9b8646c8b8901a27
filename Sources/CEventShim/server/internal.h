#ifndef LARDER_SERVER_INTERNAL_H
#define LARDER_SERVER_INTERNAL_H

/* The life of a connection, and the state of servers and connections. steps.h lists the functions.
 *
 *                            bytes from the socket
 *               |                                     |
 *       direct_read.c                           bufferevent                  who reads: direct_read.c while every
 *   recv() or SSL_read() into the      reads plain and TLS bytes into the     request is answered at once, else libevent
 *           input buffer                            input buffer
 *               +---------> input.c <----------------+
 *                       feeds guard/, byte by byte                           who parses: the guard reads every head;
 *              refused /            | accepted                               evhttp parses only what is not answered
 *                     /             v                                        at once
 *          refusal.c        fast_path.c: plain GET, HEAD, OPTIONS
 *        writes 4xx, 5xx    asks the owner (try_immediate) --- answered ---> writev() or SSL_write()
 *          and lingers              | not answered
 *                                   v
 *                       evhttp.c: evhttp parses the head
 *                       request.c: hands it to the owner                     who writes: fast_path.c and refusal.c past
 *                                   | larder_request_reply                  evhttp, reply.c through it; the bufferevent
 *                                   v                                       writes what the socket left over
 *                       reply.c: writes head and body
 *
 * A head that comes alone and is the last one again takes neither the buffer nor the guard (repeat.c).
 *
 * A connection is in one timeout phase at a time (phase.c enters them, timeouts.c ends them):
 *
 *   accepted --> PREFACE (PROXY) --> HANDSHAKE (TLS) --> IDLE --first byte--> HEAD --whole request--> IDLE or WAITING
 *   WAITING  --reply--> WRITING --all written--> IDLE or HEAD, or the end of the connection
 *   HEAD, IDLE or WRITING --refused--> WRITING --> LINGERING --> closed
 *   WAITING  --stream--> STREAMING --end--> WRITING, or LINGERING of a server that stops --> closed
 *
 * A response that the socket accepts as a whole skips WRITING. While one request is outstanding or being answered
 *   - no read callback of evhttp is installed, because evhttp ends the process when it reads then;
 *   - EV_READ is off, because a client that pipelines could fill the memory.
 * stream.c detaches a connection from evhttp for good: EV_READ is on again, to detect that the client is gone, and
 * input is discarded.
 * evhttp.c keeps the rest of evhttp's rules. */

#include <stdbool.h>
#include <string.h>
#include <sys/queue.h>
#include <time.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "../guard/guard.h"
#include "larder_server.h"

typedef struct larder_connection larder_connection;
typedef struct larder_fast_head larder_fast_head;
typedef struct larder_peer larder_peer;
typedef struct larder_repeat larder_repeat;
typedef struct larder_arrival larder_arrival;
struct evconnlistener;
struct evhttp_connection;
struct sockaddr_storage;

/* Part of its connection: evhttp serves one request at a time on a connection, so none is allocated. */
struct larder_request {
    larder_connection *connection;
    struct evhttp_request *evreq;  /* NULL unless its response is pending */
    uint64_t sequence;             /* of the last request; unique on the server */
    const char *target;            /* points into evreq */
    bool rootless;                 /* the target's leading slash is missing and has to be added */
    bool is_head, is_http10, keep_alive;
    bool is_offered;               /* was numbered on the fast path, before evhttp delivers it */
    larder_fast_head *fast_head;   /* NULL unless it is offered on the fast path right now; */
    void **kept;                   /* then the place of what the owner keeps of it, or NULL */
};

/* The timeout phase: what the time of a connection is running for. A connection stays in the last one while an
 * immediate response is being sent. */
typedef enum larder_phase {
    LARDER_PHASE_IDLE,      /* for the first byte of a head */
    LARDER_PHASE_HEAD,      /* for the rest of it */
    LARDER_PHASE_WAITING,   /* for the owner's response */
    LARDER_PHASE_WRITING,   /* for the client to read it */
    LARDER_PHASE_STREAMING, /* for the client to read what its stream has sent */
    LARDER_PHASE_LINGERING, /* for the client to read its refusal, or the end of its stream */
    LARDER_PHASE_HANDSHAKE, /* for the end of the TLS handshake; the first phase of an encrypted connection */
    LARDER_PHASE_PREFACE,   /* for the header of the PROXY protocol, before all else */
    LARDER_PHASES,
} larder_phase;

struct larder_connection {
    larder_server *server;
    struct bufferevent *bev;       /* NULL when the socket is gone */
    struct ssl_st *ssl;            /* NULL on a plain connection */
    struct evbuffer_cb_entry *input_watch;
    const char *address;           /* evhttp's text of it, valid while the socket is open, or `client` */
    char client[46];               /* the address in a PROXY header */
    uint64_t network;              /* of `address` */
    larder_peer *peer;             /* where connections are counted by address */
    larder_guard guard;            /* of the head that is being received */
    size_t beyond;                 /* bytes received after a head that evhttp has not delivered yet */
    size_t received;               /* bytes that wait in the input buffer */
    size_t unsent;                 /* bytes not acknowledged when the phase began */
    size_t answer_unsent;          /* and when the response began, */
    uint64_t answer_since;         /* which was then */
    uint64_t window_since;         /* when its client was last found to read enough, */
    size_t window_unsent;          /* and the bytes not acknowledged then */
    size_t unshared;               /* bytes of memory that are released after this response, */
    const void *body;              /* whose address identifies them; it may be released already */
    size_t discarded;              /* bytes received since it was refused */
    uint64_t since;                /* when the phase began, in milliseconds, monotonic */
    uint64_t turn_since;           /* when the second request of this pass was answered, in nanoseconds */
    size_t handed_bytes;           /* bodies of requests that were handed over, until all are returned */
    uint32_t handed;               /* requests that were handed over and not returned */
    uint32_t references;           /* the socket, and each request not returned yet */
    int fd;
    uint8_t phase;                 /* larder_phase */
    uint8_t tls_messages;          /* received since the last request, other than data */
    uint8_t answered;              /* responses in this pass of the loop, up to two */
    bool writing;                  /* a response or a stream is being sent */
    bool is_closing;               /* in `closing` */
    bool is_excess;                /* beyond the limit of connections */
    bool defers_input;             /* input waits until the response is written */
    bool hides_input;              /* from evhttp, until a head is whole */
    bool reads_directly;           /* by `arrival`, and not by the bufferevent */
    bool awaits_turn;              /* in `turns` */
    bool is_proxied;               /* the peer is a trusted proxy, whose requests name their clients */
    uint8_t differing;             /* heads in a row, each other than the one before */
    larder_repeat *repeat;         /* the last head; NULL unless one is kept */
    larder_stream *stream;         /* NULL unless the response is one */
    struct event *arrival;         /* NULL until it is needed */
    struct event *preface;         /* NULL unless the header of a PROXY protocol is awaited */
    bufferevent_data_cb read;      /* evhttp's callbacks, while this shim has others in their place */
    bufferevent_data_cb written;
    bufferevent_event_cb fail;
    void *evcon;                   /* evhttp's argument for them */
    LIST_ENTRY(larder_connection) next;
    LIST_ENTRY(larder_connection) next_closing;
    TAILQ_ENTRY(larder_connection) timed; /* in a phase, or fresh */
    TAILQ_ENTRY(larder_connection) receiving; /* while bytes wait */
    TAILQ_ENTRY(larder_connection) turn;      /* to read on */
    larder_request request;
};

typedef struct larder_listener {
    struct evconnlistener *socket;
    struct evhttp_bound_socket *bound;
    bool is_kept; /* by another process, which accepts the rest of its queue */
} larder_listener;
LIST_HEAD(larder_connections, larder_connection);
TAILQ_HEAD(larder_timed, larder_connection);

/* Work that a server does later, outside the callbacks of evhttp. */
typedef enum larder_task_kind {
    LARDER_TASK_ADOPT,   /* sets up `fresh` before any of them can be read */
    LARDER_TASK_CHORES,  /* closes connections, and detects that the server has drained */
    LARDER_TASK_REFUSE,  /* refuses the connections in `closing`, before evhttp reads on */
    LARDER_TASK_TURN,    /* reads on the next large bodies */
    LARDER_TASK_SWEEP,   /* ends the phases that are over */
    LARDER_TASK_REOPEN,  /* accepts again after a rest */
    LARDER_TASK_RECOVER, /* logs that no accept has failed for a while */
    LARDER_TASK_STOP,    /* closes the listener when its queue is empty */
    LARDER_TASKS,
} larder_task_kind;

typedef struct larder_task {
    struct event *event;
    larder_server *server;
    void (*run)(larder_server *server);
} larder_task;

/* Calls from connection.c and evhttp.c to the files above them. */
typedef struct larder_hooks {
    evbuffer_cb_func input;                                  /* bytes have come; the argument is the connection */
    bool (*repeated)(larder_connection *connection, const char *bytes, size_t size); /* serves these, or returns false */
    void (*lost)(larder_request *request);                   /* the connection ends */
    void (*secured)(larder_connection *connection);          /* its TLS handshake is over */
    void (*prefaced)(larder_connection *connection, const struct sockaddr_storage *client); /* NULL: malformed */
    void (*arrived)(larder_connection *connection, const larder_arrival *arrival); /* evhttp has parsed one */
    void (*answered)(larder_connection *connection);         /* evhttp has sent the response and awaits the next */
} larder_hooks;

/* Outlives larder_server_free while a request that was handed over has not been returned. */
struct larder_server {
    struct event_base *base;
    struct evhttp *http;
    larder_listener listeners[LARDER_LISTENERS];
    size_t listening;                /* how many of them there are; 0 before and after */
    const larder_hooks *hooks;
    larder_server_options options;
    larder_server_callbacks callbacks;
    void *context;
    struct larder_timed fresh;       /* accepted in this pass; evhttp has not finished setting them up */
    struct larder_connections open;
    struct larder_connections closing; /* to be refused behind a response that has just been sent */
    struct larder_timed phases[LARDER_PHASES]; /* longest in it first */
    struct larder_timed receiving;   /* with input, the longest waiting first */
    struct larder_timed turns;       /* with large bodies, which are read in turn */
    size_t received;                 /* bytes that wait, */
    size_t most_memory;              /* and the most that all of it took since memory was given back */
    larder_task tasks[LARDER_TASKS];
    larder_guard_limits guard_limits;
    size_t references;               /* the owner, and each connection */
    size_t handed;                   /* requests handed over and not returned, */
    size_t handed_bytes;             /* and their bodies */
    uint64_t refusals[LARDER_REFUSALS];
    uint64_t sequences;              /* of requests, so that each response finds its own */
    larder_connection **by_fd;       /* finds the connection of a request, for which evhttp has no pointer of ours */
    size_t by_fd_size;
    size_t connections;
    size_t outstanding;
    int reserve;                     /* a spare descriptor, to accept a connection and refuse it; -1 if there is none */
    uint64_t failed_accepts;         /* since the first that was logged; 0 if accepting works */
    uint32_t accepted;               /* connections in this pass */
    struct bufferevent *unserved;    /* accepted in this pass, but cannot be served */
    uint64_t stops_by;               /* when it is closed in any case, in milliseconds, monotonic */
    larder_server *next_on_thread;
    time_t date_second;
    char date[40];                   /* "Date: …\r\n" of that second */
    bool draining, stopping, closes_idle, aborts, has_drained;
};

/* Copies, and returns the end of the copy. */
static inline char *larder_put(char *to, const void *bytes, size_t size) {
    return (char *)memcpy(to, bytes, size) + size;
}

/* Runs a task within this pass of the loop. */
static inline void larder_run_soon(larder_server *server, larder_task_kind task) {
    event_active(server->tasks[task].event, 0, 0);
}

static inline void larder_run_later(larder_server *server, larder_task_kind task, uint32_t milliseconds) {
    struct timeval pause = {.tv_sec = milliseconds / 1000, .tv_usec = (milliseconds % 1000) * 1000};
    event_add(server->tasks[task].event, &pause);
}

#include "steps.h"

#endif
