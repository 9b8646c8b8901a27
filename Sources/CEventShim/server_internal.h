#ifndef LARDER_SERVER_INTERNAL_H
#define LARDER_SERVER_INTERNAL_H

#include <stdbool.h>
#include <string.h>
#include <sys/queue.h>
#include <time.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>

#include "census_internal.h"
#include "guard.h"
#include "larder_server.h"

typedef struct larder_connection larder_connection;
typedef struct larder_shortcut larder_shortcut;

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
    bool is_offered;               /* has its number, from the owner's glance, before evhttp delivers it */
    const larder_shortcut *shortcut; /* NULL unless the owner glances at it */
};

/* What the time is running for. A connection is in one of these at a time, except that it stays in the last one while
 * an answer that was given at once is on its way. */
typedef enum larder_phase {
    LARDER_PHASE_IDLE,      /* for the first byte of a head */
    LARDER_PHASE_HEAD,      /* for the rest of it */
    LARDER_PHASE_WAITING,   /* for the owner's answer */
    LARDER_PHASE_WRITING,   /* for the client to take it */
    LARDER_PHASE_LINGERING, /* for the client to hear that it was refused */
    LARDER_PHASE_HANDSHAKE, /* for the end of the TLS handshake; the first phase of an encrypted connection */
    LARDER_PHASES,
} larder_phase;

/* Requests handed over and not returned. It outlives the server while one of them does. */
typedef struct larder_ledger {
    size_t handed;
    size_t holders;
} larder_ledger;

struct larder_connection {
    larder_server *server;         /* NULL when the socket is gone */
    larder_ledger *ledger;
    struct bufferevent *bev;
    struct ssl_st *ssl;            /* NULL on a plain connection */
    struct evbuffer_cb_entry *input_watch;
    const char *peer;              /* evhttp's text, valid while the socket is there */
    larder_resident *resident;     /* its address, where connections are counted by that */
    larder_guard guard;            /* of the head that is being received */
    size_t beyond;                 /* bytes received after a head that evhttp has not delivered yet */
    size_t unsent;                 /* what was to be acknowledged when the phase began */
    size_t answer_unsent;          /* and when the answer began, */
    uint64_t answer_since;         /* which was then */
    size_t unshared;               /* bytes of memory that end with this answer, */
    const void *body;              /* whose address tells them from others; it may be released already */
    size_t discarded;              /* bytes received since it was refused */
    uint64_t since;                /* when the phase began, in milliseconds, monotonic */
    uint32_t holders;              /* the socket, and each request not returned yet */
    int fd;
    uint8_t phase;                 /* larder_phase */
    uint8_t tls_messages;          /* received since the last request, other than data */
    uint8_t answered;              /* requests in this pass of the loop */
    bool writing;                  /* an answer is being sent */
    bool is_condemned;             /* in `condemned` */
    bool is_excess;                /* beyond the limit of the census */
    bool defers_input;             /* what comes is looked at when the answer is written */
    bool hides_input;              /* from evhttp, until a head is whole */
    bool is_express;               /* read by `arrival`, and not by the bufferevent */
    struct event *arrival;         /* NULL until it is needed */
    bufferevent_data_cb read;      /* evhttp's callbacks, while this shim has others in their place */
    bufferevent_data_cb written;
    bufferevent_event_cb fail;
    void *evcon;                   /* evhttp's argument for them */
    LIST_ENTRY(larder_connection) next;
    LIST_ENTRY(larder_connection) next_condemned;
    TAILQ_ENTRY(larder_connection) timed; /* in a phase, or fresh */
    larder_request request;
};

LIST_HEAD(larder_connections, larder_connection);
TAILQ_HEAD(larder_timed, larder_connection);

struct larder_server {
    struct event_base *base;
    struct evhttp *http;
    struct evhttp_bound_socket *bound;
    larder_server_options options;
    larder_server_callbacks callbacks;
    void *context;
    struct larder_timed fresh;       /* accepted in this pass; evhttp has not finished setting them up */
    struct larder_connections open;
    struct larder_connections condemned; /* refused behind an answer that has been sent now */
    struct larder_timed phases[LARDER_PHASES]; /* longest in it first */
    larder_guard_limits limits;
    larder_ledger *ledger;
    uint64_t refusals[LARDER_REFUSALS];
    uint64_t sequences;              /* of requests, so that no answer can be taken for another's */
    larder_connection **by_fd;       /* evhttp hands out no pointer of ours with a request; the descriptor finds it */
    size_t by_fd_size;
    size_t connections;
    size_t outstanding;
    struct event *adopt;             /* looks at `fresh` before any of them can be read */
    struct event *chores;            /* closes what has to be closed, from no callback of evhttp's */
    struct event *condemn;           /* refuses what is condemned, before evhttp reads on */
    struct event *sweep;             /* finds connections whose time is over */
    struct event *reopen;            /* accepts again after a rest */
    int reserve;                     /* a descriptor to accept one more with, to refuse it; -1 while there is none */
    struct event *recover;           /* says so when that has not happened again for a while */
    uint64_t failed_accepts;         /* since the first one that was told of; 0 while all is well */
    uint32_t accepted;               /* connections in this pass */
    struct bufferevent *unserved;    /* accepted in this pass, without what it takes to serve it */
    struct event *stop;              /* closes the listener when its queue is empty */
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

/* connection.c */
struct bufferevent *larder_connection_new(struct event_base *base, void *server);
void larder_connection_adopt_fresh(larder_server *server);
larder_connection *larder_connection_find(const larder_server *server, int fd);
void larder_connection_close(larder_connection *connection);
bool larder_connection_is_idle(const larder_connection *connection);
/* Has not begun the TLS handshake. */
bool larder_connection_is_silent(const larder_connection *connection);
void larder_connection_release(larder_connection *connection);
void larder_connection_reset(larder_connection *connection);
/* What has come and was not read would turn the end of the connection into a reset, which takes back what the client
 * has not read yet. */
void larder_connection_discard_unread(larder_connection *connection);
void larder_connection_take_callbacks(larder_connection *connection, bufferevent_data_cb written);
/* Keeps evhttp's read callback away until evhttp waits for the next request and installs it again. */
void larder_connection_withhold_input(larder_connection *connection);
void larder_connection_condemn(larder_connection *connection);
bool larder_connection_is_unparsed(const larder_connection *connection);

/* admission.c */
bool larder_admission_check(larder_connection *connection);
/* Closes a connection so that another one can be accepted, if there is one that may be closed for that. */
bool larder_admission_evict(larder_server *server, const larder_connection *newcomer);

/* input.c */
struct evbuffer_cb_entry *larder_input_watch(larder_connection *connection);
void larder_input_inspect(larder_connection *connection, size_t from);
void larder_input_await(larder_connection *connection);
bool larder_input_is_burst(larder_connection *connection);

/* phase.c */
void larder_phase_enter(larder_connection *connection, larder_phase phase);
void larder_phase_leave(larder_connection *connection);
void larder_phase_sweep(larder_server *server);
uint32_t larder_phase_shortest(const larder_server_options *options);

/* progress.c */
/* Begins the time that a client has for its answer, whose end gives back so many bytes of memory. */
/* `reply` is NULL where no memory waits for the end of the answer. */
void larder_progress_begin(larder_connection *connection, const larder_reply *reply);
/* Begins the next write timeout of the same answer. */
void larder_progress_go_on(larder_connection *connection);
bool larder_progress_is_enough(larder_connection *connection);
/* Resets the connection of a client that is too slow. Not to be called within a callback of evhttp. */
void larder_progress_cut(larder_connection *connection);
/* Cuts an answer that crawls along, if there is one. */
bool larder_progress_evict(larder_server *server);

/* idle.c: closes what is idle, if the server is to do so, or all of it. */
void larder_idle_close(larder_server *server);

/* ledger.c */
larder_ledger *larder_ledger_new(void);
void larder_ledger_retain(larder_ledger *ledger);
void larder_ledger_release(larder_ledger *ledger);

/* Copies, and gives where the next bytes go. */
static inline char *larder_put(char *to, const void *bytes, size_t size) {
    return (char *)memcpy(to, bytes, size) + size;
}

/* request.c */
void larder_request_on_arrival(struct evhttp_request *evreq, void *server);
bool larder_request_is_excess(const larder_connection *connection);
void larder_request_lost(larder_request *request);
void larder_request_forget(larder_request *request);

/* reply.c */
void larder_reply_send(larder_request *request, const larder_reply *reply);
bool larder_reply_write(
    larder_server *server, const larder_reply *reply, const char *connection_line, bool is_head,
    struct evbuffer *output);
bool larder_reply_flush(larder_connection *connection);
size_t larder_reply_head_limit(const larder_reply *reply);
char *larder_reply_put_head(
    larder_server *server, const larder_reply *reply, const char *connection_line, char *to);
bool larder_reply_has_body(const larder_reply *reply, bool is_head);
void larder_reply_release_body(const larder_reply *reply);

/* acceptor.c */
void larder_acceptor_reopen(larder_server *server);
void larder_acceptor_count(larder_server *server);
struct bufferevent *larder_acceptor_turn_away(larder_server *server);
void larder_acceptor_proceed(larder_server *server);
void larder_acceptor_stop(larder_server *server);
void larder_acceptor_finish(larder_server *server);

/* http_date.c: writes "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 37 bytes and a NUL. */
void larder_http_date(time_t second, char line[40]);

/* Milliseconds of a clock that never jumps, good to a few. */
uint64_t larder_monotonic_ms(void);

#endif
