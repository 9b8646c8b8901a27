#ifndef LARDER_SERVER_INTERNAL_H
#define LARDER_SERVER_INTERNAL_H

#include <stdbool.h>
#include <sys/queue.h>
#include <time.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>

#include "larder_server.h"

typedef struct larder_connection larder_connection;

/* evhttp serves one request at a time on a connection, so a connection has room for one and none is allocated. */
struct larder_request {
    larder_connection *connection;
    struct evhttp_request *evreq;  /* NULL unless it waits for its answer */
    uint64_t sequence;             /* of the last request this room was used for */
    uint64_t started;              /* milliseconds, monotonic */
    TAILQ_ENTRY(larder_request) next;
    const char *target;            /* points into evreq */
    bool rootless;                 /* the target's leading slash is missing and has to be added */
    bool is_head;
    bool is_http10;
    bool keep_alive;
};

struct larder_connection {
    larder_server *server;         /* NULL when the socket is gone */
    struct bufferevent *bev;
    struct evbuffer_cb_entry *input_watch;
    const char *peer;              /* evhttp's text, valid while the socket is there */
    size_t unanswered_bytes;       /* received and not part of a request that the owner was told of */
    uint32_t holders;              /* the socket, and each request not returned yet */
    int fd;
    bool writing;                  /* an answer is being sent */
    LIST_ENTRY(larder_connection) next;
    larder_request request;
};

LIST_HEAD(larder_connections, larder_connection);
TAILQ_HEAD(larder_requests, larder_request);

struct larder_server {
    struct event_base *base;
    struct evhttp *http;
    struct evhttp_bound_socket *bound;
    larder_server_options options;
    larder_server_callbacks callbacks;
    void *context;
    struct larder_connections fresh; /* accepted in this pass; evhttp has not finished setting them up */
    struct larder_connections open;
    struct larder_requests waiting;  /* for their answers, oldest first */
    larder_connection **by_fd;       /* evhttp hands out no pointer of ours with a request; the descriptor finds it */
    size_t by_fd_size;
    size_t connections;
    size_t outstanding;
    struct event *adopt;             /* looks at `fresh` before any of them can be read */
    struct event *chores;            /* closes what has to be closed, from no callback of evhttp's */
    struct event *sweep;             /* finds requests beyond their deadline */
    struct event *reopen;            /* accepts again after running out of descriptors */
    struct event *stop;              /* closes the listener */
    const struct timeval *idle_timeout;
    const struct timeval *write_timeout;
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
void larder_connection_release(larder_connection *connection);

/* request.c */
void larder_request_on_arrival(struct evhttp_request *evreq, void *server);
void larder_request_lost(larder_request *request);
void larder_request_forget(larder_request *request);

/* reply.c */
void larder_reply_send(larder_request *request, const larder_reply *reply);

/* acceptor.c */
void larder_acceptor_reopen(larder_server *server);
void larder_acceptor_close(larder_server *server);
void larder_acceptor_enlist(larder_server *server);
void larder_acceptor_strike(larder_server *server);

/* http_date.c: writes "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 37 bytes and a NUL. */
void larder_http_date(time_t second, char line[40]);

/* Milliseconds of a clock that never jumps, good to a few. */
uint64_t larder_monotonic_ms(void);

#endif
