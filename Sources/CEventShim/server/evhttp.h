#ifndef LARDER_EVHTTP_H
#define LARDER_EVHTTP_H

/* evhttp.c: the only file with access to evhttp's internals; a part of steps.h. */
/* A request parsed by evhttp, its header fields scanned once. */
struct larder_arrival {
    struct evhttp_request *evreq;
    const char *uri;
    const char *connection; /* value of the first Connection field: evhttp looks at no other */
    bool wants_close;
    uint32_t fields;
    size_t size;            /* of all fields as larder_request_copy writes them */
    size_t body_size;
};

typedef void (*larder_closed_fn)(struct evhttp_connection *evcon, void *connection);
typedef struct bufferevent *(*larder_accepted_fn)(struct event_base *base, void *server);

bool larder_evhttp_open(larder_server *server, larder_accepted_fn accepted);
void larder_evhttp_free(larder_server *server);
/* Passes a listener to evhttp, which accepts with it; taking all away frees them. */
bool larder_evhttp_listen(larder_server *server, struct evconnlistener *listener, bool is_kept);
void larder_evhttp_unlisten(larder_server *server);

/* evhttp's connection on a bufferevent that it has set up; NULL if it has dropped it. */
struct evhttp_connection *larder_evhttp_connection(struct bufferevent *bev);
void larder_evhttp_discard(struct evhttp_connection *evcon);
/* The IPv4 address in the text of an IPv6 one, as an IPv6 listener gets it, or the address itself. */
const char *larder_unmapped(const char *address);
/* Calls `closed` when the connection is gone, whatever the reason, and returns the text of its address. */
const char *larder_evhttp_watch(
    struct evhttp_connection *evcon, larder_connection *connection, larder_closed_fn closed);
/* Whether evhttp writes an error page of its own. */
bool larder_evhttp_writes_page(const larder_connection *connection);
/* Replaces evhttp's callbacks, and restores them. */
void larder_evhttp_take_callbacks(larder_connection *connection, bufferevent_data_cb written);
void larder_evhttp_give_callbacks_back(larder_connection *connection);

/* Copies like larder_request_copy, and returns the end. */
char *larder_evhttp_copy_fields(struct evhttp_request *evreq, char *to);
void larder_evhttp_copy_body(struct evhttp_request *evreq, char *to);
/* Frees the body after it was copied. */
void larder_evhttp_drop_body(struct evhttp_request *evreq);
/* NULL when there is no such field. */
const char *larder_evhttp_field(struct evhttp_request *evreq, const char *name);
/* Frees a request whose connection failed while it waited. */
void larder_evhttp_free_lost(struct evhttp_request *evreq);
/* Has evhttp end the connection with this response. False when there is no memory. */
bool larder_evhttp_mark_last(struct evhttp_request *evreq);
/* Signals evhttp that the response is in the output buffer. */
void larder_evhttp_end_reply(struct evhttp_request *evreq);
/* Leaves an outstanding request to evhttp, to be freed with its connection and not before. */
void larder_evhttp_let_go(struct evhttp_request *evreq);

#endif
