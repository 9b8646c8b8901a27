#ifndef LARDER_SERVER_INTERNAL_H
#define LARDER_SERVER_INTERNAL_H

/* The life of a connection, and the state of servers and connections. steps.h lists the functions.
 *
 *                            bytes from the socket
 *               |                                     |
 *       direct_read.c                           bufferevent                  who reads: direct_read.c while every
 *   recv() into the input buffer       reads plain and TLS bytes into it     request is answered at once, else libevent
 *               |                                     |
 *               +---------> input.c <----------------+
 *                       feeds guard/, byte by byte                           who parses: the guard reads every head;
 *              refused /            | accepted                               evhttp parses only what is not answered
 *                     /             v                                        at once
 *          refusal.c        fast_path.c: plain GET, HEAD, OPTIONS
 *        writes 4xx, 5xx    asks the owner (try_immediate) --- answered ---> writev() to the socket
 *          and lingers              | not answered
 *                                   v
 *                       evhttp.c: evhttp parses the head
 *                       request.c: hands it to the owner                     who writes: fast_path.c and refusal.c past
 *                                   | larder_request_reply                  evhttp, reply.c through it; the bufferevent
 *                                   v                                       writes what the socket left over
 *                       reply.c: writes head and body
 *
 * A connection is in one timeout phase at a time (phase.c enters them, timeouts.c ends them):
 *
 *   accepted --> HANDSHAKE (TLS only) --> IDLE --first byte--> HEAD --whole request--> IDLE or WAITING
 *   WAITING  --reply--> WRITING --all written--> IDLE or HEAD, or the end of the connection
 *   HEAD, IDLE or WRITING --refused--> WRITING --> LINGERING --> closed
 *   WAITING  --stream--> STREAMING --end--> WRITING, or LINGERING of a server that stops --> closed
 *
 * An answer that the socket takes as a whole skips WRITING. While one request is outstanding or being answered
 *   - no read callback of evhttp is installed, because evhttp ends the process when it reads then;
 *   - EV_READ is off, because a client that pipelines could fill the memory.
 * stream.c takes a connection from evhttp for good: EV_READ is on again, by which it notices that the client is gone,
 * and what comes is thrown away.
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
typedef struct larder_arrival larder_arrival;
struct evconnlistener;
struct evhttp_connection;

/* evhttp serves one request at a time on a connection, so a connection has room for one and none is allocated. */
struct larder_request {
    larder_connection *connection;
    struct evhttp_request *evreq;  /* NULL unless it waits for its answer */
    uint64_t sequence;             /* of the last request this room was used for; the server gives none twice */
    const char *target;            /* points into evreq */
    bool rootless;                 /* the target's leading slash is missing and has to be added */
    bool is_head;
    bool is_http10;
    bool keep_alive;
    bool is_offered;               /* got its number on the fast path, before evhttp delivers it */
    const larder_fast_head *fast_head; /* NULL unless it is offered on the fast path right now */
};

/* The timeout phase: what the time of a connection is running for. A connection stays in the last one while an answer
 * that was given at once is on its way. */
typedef enum larder_phase {
    LARDER_PHASE_IDLE,      /* for the first byte of a head */
    LARDER_PHASE_HEAD,      /* for the rest of it */
    LARDER_PHASE_WAITING,   /* for the owner's answer */
    LARDER_PHASE_WRITING,   /* for the client to take it */
    LARDER_PHASE_STREAMING, /* for the client to take what a stream was sent before */
    LARDER_PHASE_LINGERING, /* for the client to hear that it was refused, or that its stream has ended */
    LARDER_PHASE_HANDSHAKE, /* for the end of the TLS handshake; the first phase of an encrypted connection */
    LARDER_PHASES,
} larder_phase;

struct larder_connection {
    larder_server *server;
    struct bufferevent *bev;       /* NULL when the socket is gone */
    struct ssl_st *ssl;            /* NULL on a plain connection */
    struct evbuffer_cb_entry *input_watch;
    const char *address;           /* evhttp's text of it, valid while the socket is there */
    larder_peer *peer;             /* where connections are counted by address */
    larder_guard guard;            /* of the head that is being received */
    size_t beyond;                 /* bytes received after a head that evhttp has not delivered yet */
    size_t received;               /* bytes that wait in the input buffer */
    size_t unsent;                 /* what was to be acknowledged when the phase began */
    size_t answer_unsent;          /* and when the answer began, */
    uint64_t answer_since;         /* which was then */
    uint64_t window_since;         /* when its client was last found to take enough, */
    size_t window_unsent;          /* and what was to be acknowledged then */
    size_t unshared;               /* bytes of memory that end with this answer, */
    const void *body;              /* whose address tells them from others; it may be released already */
    size_t discarded;              /* bytes received since it was refused */
    uint64_t since;                /* when the phase began, in milliseconds, monotonic */
    uint64_t turn_since;           /* when the second request of this pass was answered, in nanoseconds */
    size_t handed_bytes;           /* bodies of requests that were handed over, until all are returned */
    uint32_t handed;               /* requests that were handed over and not returned */
    uint32_t references;           /* the socket, and each request not returned yet */
    int fd;
    uint8_t phase;                 /* larder_phase */
    uint8_t tls_messages;          /* received since the last request, other than data */
    uint8_t answered;              /* requests in this pass of the loop, up to two */
    bool writing;                  /* an answer is being sent, or a stream */
    bool is_closing;               /* in `closing` */
    bool is_excess;                /* beyond the limit of connections */
    bool defers_input;             /* what comes is looked at when the answer is written */
    bool hides_input;              /* from evhttp, until a head is whole */
    bool reads_directly;           /* by `arrival`, and not by the bufferevent */
    bool awaits_turn;              /* in `turns` */
    larder_stream *stream;         /* NULL unless the answer is one */
    struct event *arrival;         /* NULL until it is needed */
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

LIST_HEAD(larder_connections, larder_connection);
TAILQ_HEAD(larder_timed, larder_connection);

/* Work that a server does later, outside the callbacks of evhttp. */
typedef enum larder_task_kind {
    LARDER_TASK_ADOPT,   /* looks at `fresh` before any of them can be read */
    LARDER_TASK_CHORES,  /* closes what has to be closed, and notices that the server has drained */
    LARDER_TASK_REFUSE,  /* refuses what is in `closing`, before evhttp reads on */
    LARDER_TASK_TURN,    /* has the next large bodies read on */
    LARDER_TASK_SWEEP,   /* ends the phases whose time is over */
    LARDER_TASK_REOPEN,  /* accepts again after a rest */
    LARDER_TASK_RECOVER, /* logs that no connection has failed to be accepted for a while */
    LARDER_TASK_STOP,    /* closes the listener when its queue is empty */
    LARDER_TASKS,
} larder_task_kind;

typedef struct larder_task {
    struct event *event;
    larder_server *server;
    void (*run)(larder_server *server);
} larder_task;

/* Steps that connection.c and evhttp.c take without knowing the files above them. */
typedef struct larder_hooks {
    evbuffer_cb_func input;                                  /* bytes have come; the argument is the connection */
    void (*lost)(larder_request *request);                   /* the connection ends */
    void (*arrived)(larder_connection *connection, const larder_arrival *arrival); /* evhttp has parsed one */
    void (*answered)(larder_connection *connection);         /* evhttp has sent the answer and waits for the next one */
} larder_hooks;

/* Outlives larder_server_free while a request that was handed over has not been returned. */
struct larder_server {
    struct event_base *base;
    struct evhttp *http;
    struct evhttp_bound_socket *bound;
    struct evconnlistener *listener; /* NULL before and after */
    const larder_hooks *hooks;
    larder_server_options options;
    larder_server_callbacks callbacks;
    void *context;
    struct larder_timed fresh;       /* accepted in this pass; evhttp has not finished setting them up */
    struct larder_connections open;
    struct larder_connections closing; /* to be refused behind an answer that has been sent now */
    struct larder_timed phases[LARDER_PHASES]; /* longest in it first */
    struct larder_timed receiving;   /* with bytes that wait, for longest first */
    struct larder_timed turns;       /* with large bodies, which are read in turn */
    size_t received;                 /* bytes that wait, */
    size_t most_memory;              /* and the most that all of it took since memory was given back */
    larder_task tasks[LARDER_TASKS];
    larder_guard_limits guard_limits;
    size_t references;               /* the owner, and each connection */
    size_t handed;                   /* requests handed over and not returned, */
    size_t handed_bytes;             /* and their bodies */
    uint64_t refusals[LARDER_REFUSALS];
    uint64_t sequences;              /* of requests, so that no answer can be taken for another's */
    larder_connection **by_fd;       /* evhttp hands out no pointer of ours with a request; the descriptor finds it */
    size_t by_fd_size;
    size_t connections;
    size_t outstanding;
    int reserve;                     /* a descriptor to accept one more with, to refuse it; -1 while there is none */
    uint64_t failed_accepts;         /* since the first one that was logged; 0 while all is well */
    uint32_t accepted;               /* connections in this pass */
    struct bufferevent *unserved;    /* accepted in this pass, without what it takes to serve it */
    uint64_t stops_by;               /* when it is closed in any case, in milliseconds, monotonic */
    larder_server *next_on_thread;
    time_t date_second;
    char date[40];                   /* "Date: …\r\n" of that second */
    bool draining;
    bool stopping;
    bool closes_idle;
    bool aborts;
    bool has_drained;
};

/* Copies, and gives where the next bytes go. */
static inline char *larder_put(char *to, const void *bytes, size_t size) {
    return (char *)memcpy(to, bytes, size) + size;
}

/* Moves both ends past blanks. */
static inline void larder_trim(const char **from, const char **to) {
    while (*from < *to && (**from == ' ' || **from == '\t')) {
        (*from)++;
    }
    while (*to > *from && ((*to)[-1] == ' ' || (*to)[-1] == '\t')) {
        (*to)--;
    }
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
