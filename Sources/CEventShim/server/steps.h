#ifndef LARDER_STEPS_H
#define LARDER_STEPS_H

/* The functions of this folder, file by file from the ground up: a file calls only files above it in this list. */

/* phase.c */
/* Nanoseconds of a monotonic clock, and its milliseconds, accurate to a few. */
uint64_t larder_monotonic_ns(void);
uint64_t larder_monotonic_ms(void);
void larder_phase_enter(larder_connection *connection, larder_phase phase);
void larder_phase_leave(larder_connection *connection);

/* Replaces evhttp's error handler, and restores it for evhttp if a handshake still has it. */
void larder_connection_set_error_handler(larder_connection *connection, bufferevent_event_cb handler);
void larder_connection_end_handshake(larder_connection *connection);
/* evhttp's error handler closes the connection: now, but not within a callback of evhttp; or after the running one. */
void larder_connection_close(larder_connection *connection);
void larder_connection_close_soon(larder_connection *connection);
/* Resets the connection, which still has to be closed. */
void larder_connection_reset(larder_connection *connection);
/* Unread input would turn the close into a reset, which discards what the client has not read yet. */
void larder_connection_discard_unread(larder_connection *connection);

/* received.c */
/* Records the number of bytes in the input buffer. Closes other connections if the total exceeds its limit. */
void larder_received_record(larder_connection *connection, size_t size);
/* A connection with a large body reads no further before its turn. */
void larder_received_take_turns(larder_connection *connection);
void larder_received_leave_turns(larder_connection *connection);
/* Lets the next connections in turn read on. */
void larder_received_next_turn(larder_server *server);
/* Has the allocator return memory to the system, if much of it has become free. */
void larder_received_give_back(larder_server *server);

/* tls.c: except for the first function, all do nothing for plain connections. */
/* A bufferevent that encrypts its connection with the current certificate. NULL when there is no memory. */
struct bufferevent *larder_tls_bufferevent(larder_tls *tls, struct event_base *base);
struct ssl_st *larder_tls_session(struct bufferevent *bev);
/* Starts the time limit of the handshake, and watches for its end. */
void larder_tls_await_handshake(larder_connection *connection);
/* Whether the client has sent anything when its handshake continues. */
bool larder_tls_has_client_spoken(const larder_connection *connection);
/* Signals the client a complete end of the stream, unless output is left. */
void larder_tls_close_notify(larder_connection *connection);
/* Removes the message callback: the session is freed after the connection. */
void larder_tls_ignore_messages(larder_connection *connection);
/* Called when decrypted bytes are in the input buffer. */
void larder_tls_on_input(larder_connection *connection);
/* Bytes passed to the kernel so far, encrypted. */
uint64_t larder_tls_written(const larder_connection *connection);
/* Whether a read of the socket brings all that has come, and not each record in two reads. The bufferevent must read
 * nothing but the handshake meanwhile. */
void larder_tls_read_ahead(larder_connection *connection, bool is_ahead);

/* tls_records.c: only for encrypted connections whose handshake is over. */
/* Whether bytes have been received that are not in the input buffer; of a record's beginning, too. */
bool larder_tls_has_unread(const larder_connection *connection);
/* The content of one record, which is read with what has come behind it if that `is_ahead`. -1 if the socket has to be
 * `awaited` first, EV_READ or EV_WRITE; 0 at the end of the stream, or after an error. */
ssize_t larder_tls_receive(
    larder_connection *connection, bool is_ahead, void *bytes, size_t size, short *awaited);
/* Writes what the socket accepts, usually all, and returns the bytes that are done with. */
size_t larder_tls_send(
    larder_connection *connection, const char *head, size_t head_size, const char *body, size_t body_size,
    size_t *unfinished);

#include "evhttp.h"
#include "repeat.h"

/* limits.c */
/* Counts a connection and returns whether it is within the limit; it is counted in either case. */
bool larder_limits_enter(larder_limits *limits);
void larder_limits_leave(larder_limits *limits);
/* Counts a connection for its peer's address. Returns false if the address has reached its limit; otherwise `peer` is
 * the handle to leave by, NULL if there was no memory. */
bool larder_limits_enter_peer(larder_limits *limits, uint64_t network, larder_peer **peer);
void larder_limits_leave_peer(larder_limits *limits, larder_peer *peer);
/* Connections and streams of an address; 0 for NULL. */
size_t larder_peer_connections(const larder_peer *peer);
size_t larder_peer_streams(const larder_peer *peer);
/* Milliseconds for which a connection of this address is not closed for a new one of an address with `share`
 * connections. */
uint64_t larder_grace(const larder_peer *peer, size_t share);
void larder_peer_count_stream(larder_peer *peer, int change);

/* listen.c */
/* A socket bound to the address with SO_REUSEPORT and listening, or -1 and errno. */
int larder_listen_open(const larder_address *address, int backlog);
/* Writes the system's message for errno, cut to `size`. */
larder_listen_result larder_listen_failure(int error, char *words, size_t size);

/* write_progress.c */
/* Starts the time that a client has to read its response. `reply` is NULL if no memory is released at its end. */
void larder_write_begin(larder_connection *connection, const larder_reply *reply);
/* Starts the next write timeout of the same response. */
void larder_write_go_on(larder_connection *connection);
bool larder_write_is_fast_enough(larder_connection *connection);
/* Resets the connection of a client that is too slow. Not to be called within a callback of evhttp. */
void larder_write_cut(larder_connection *connection);
/* Bytes that the kernel keeps until the client acknowledges them. */
size_t larder_write_queued(const larder_connection *connection);
/* Cuts the response of least worth, if any: a slow one, or of an address with more than `share` connections. */
bool larder_write_evict(larder_server *server, size_t share);

/* direct_read.c */
/* For a connection on which evhttp waits for the next request and no input is left. The hook `secured`. */
void larder_direct_read_enter(larder_connection *connection);
/* Called before the socket is closed. */
void larder_direct_read_end(larder_connection *connection);

/* proxy_protocol.c */
/* The size of the header at the start of these bytes; 0 if more are needed, -1 if there is none. An address in it goes
 * to `client`, whose family is AF_UNSPEC otherwise. */
int larder_proxy_header(const void *bytes, size_t size, struct sockaddr_storage *client);
/* Reads the header before libevent reads anything, and then calls the hook `prefaced`. */
void larder_preface_await(larder_connection *connection);
void larder_preface_end(larder_connection *connection);

/* connection.c */
/* NULL when there is no memory. */
struct bufferevent *larder_connection_new(larder_server *server);
/* Takes the first fresh connection from `fresh`. NULL if it could not be set up and is gone. */
larder_connection *larder_connection_adopt(larder_server *server);
/* Reads on behind the header of a PROXY protocol, in the name of the client if the header has its address. */
void larder_connection_begin_for(larder_connection *connection, const struct sockaddr_storage *client);
/* Counts the connection for its address, unless that has reached its limit. */
bool larder_connection_count(larder_connection *connection, uint64_t network);
/* Ends the count for the client of a request that came by a trusted proxy. */
void larder_connection_forget_client(larder_connection *connection);
bool larder_connection_is_idle(const larder_connection *connection);
/* Whether it has not begun the TLS handshake, or the header before it. */
bool larder_connection_is_silent(const larder_connection *connection);
void larder_connection_release(larder_connection *connection);
void larder_server_release(larder_server *server);

/* reply.c */
void larder_reply_send(larder_request *request, const larder_reply *reply);
bool larder_reply_write(
    larder_server *server, const larder_reply *reply, const char *connection_line, bool is_head,
    struct evbuffer *output);
/* Writes a head before a body of unknown size. The connection ends with the body. */
bool larder_reply_write_open_head(
    larder_server *server, const larder_reply *reply, bool is_chunked, struct evbuffer *output);
bool larder_reply_flush(larder_connection *connection);
size_t larder_reply_head_limit(const larder_reply *reply);
char *larder_reply_put_head(
    larder_server *server, const larder_reply *reply, const char *connection_line, char *to);
bool larder_reply_has_body(const larder_reply *reply, bool is_head);
void larder_reply_release_body(const larder_reply *reply);
void larder_request_forget(larder_request *request);

/* refusal_reply.c */
/* The size of a text's fields, Allow, and the owner's fields; those that do not fit are left out. */
enum { LARDER_REFUSAL_FIELDS_SIZE = 2048 };
/* Describes a request that evhttp has delivered or, by pointers into them, the bytes in the input buffer. */
larder_refused larder_refused_request(larder_connection *connection);
/* The response, without its end of the connection. `fields` must live as long as the response. */
larder_reply larder_refusal_reply(
    const larder_server *server, larder_refusal why, const larder_refused *refused,
    char fields[LARDER_REFUSAL_FIELDS_SIZE]);
larder_method larder_method_of(const larder_guard *guard);
/* Describes a request whose target and fields have `size` bytes, as larder_request_copy writes them. */
larder_head larder_head_of(
    const larder_request *request, larder_method method, size_t target_size, uint32_t fields, size_t size);

/* refusal.c */
/* Responds to a request that evhttp has delivered. */
void larder_refuse(larder_request *request, larder_refusal why);
/* Responds in place of evhttp, which is cut off from this connection, and ends the connection after the client has got
 * the response. No request may be outstanding and no response in progress. */
void larder_refuse_head(larder_connection *connection, larder_refusal why);
/* Refuses the head behind a response that evhttp has just sent, before evhttp reads it. */
void larder_refuse_next(larder_connection *connection);
void larder_refuse_closing(larder_server *server);
/* Closes a connection without a request so far, with a response unless it is encrypted. Not within evhttp's calls. */
void larder_refuse_entry(larder_connection *connection, larder_refusal why);
/* Responds on a socket that no descriptor is left for a connection, unless the port is encrypted. */
void larder_refuse_socket(larder_server *server, int fd);

/* stream.c */
/* Responds to a request that evhttp has delivered. */
larder_stream *larder_stream_begin(
    larder_request *request, const larder_reply *head, larder_stream_closed_fn closed, void *context);
/* Drops a client that has not read what was sent before its phase began; other clients begin their next phase. */
void larder_stream_check(larder_connection *connection);
/* Ends a stream of the address with the most of them, if it has at least two more than that of the new one. */
bool larder_stream_evict(const larder_connection *newcomer);
/* Called when the connection ends, whether it has a stream or not. */
void larder_stream_on_loss(larder_connection *connection);

/* fast_path.c */
/* Serves the accepted request up to `end` if its response is immediate. If not, evhttp has to read it unchanged. */
bool larder_fast_path_take(larder_connection *connection, size_t end);
/* Likewise for the kept head, whose bytes are not in the input buffer. */
bool larder_fast_path_repeat(larder_connection *connection, const char *head);
void larder_fast_path_copy(larder_fast_head *head, const char *address, void *buffer);
/* Responds to the offered request. If `writing` is set then, the rest of the response is in the output buffer. */
void larder_fast_path_reply(larder_connection *connection, const larder_reply *reply);

/* input.c */
void larder_input_on_bytes(struct evbuffer *input, const struct evbuffer_cb_info *info, void *connection);
bool larder_input_on_repeat(larder_connection *connection, const char *bytes, size_t size);
void larder_input_inspect(larder_connection *connection, size_t from);
/* Starts the time limit of a head, unless a response is to be sent first: nothing is read until then. */
void larder_input_await(larder_connection *connection);

/* request.c */
void larder_request_on_arrival(larder_connection *connection, const larder_arrival *arrival);
void larder_request_on_answered(larder_connection *connection);
void larder_request_on_loss(larder_request *request);

/* admission.c */
/* Adds the server to those of this thread, and removes it. */
void larder_admission_enlist(larder_server *server);
void larder_admission_strike(larder_server *server);
/* Refuses a new connection beyond a limit, unless another can be closed for it. A PROXY client is known later. */
void larder_admission_check(larder_connection *connection);
void larder_admission_on_preface(larder_connection *connection, const struct sockaddr_storage *client);
/* Opens the reserve descriptor, if it is not open. */
void larder_admission_reserve(larder_server *server);
void larder_admission_report_failure(larder_server *server, int error, const char *means);
/* The listener's error callback, with the reason in `errno`. `arg` is evhttp. */
void larder_admission_on_failure(struct evconnlistener *listener, void *arg);
void larder_admission_recover(larder_server *server);

/* acceptor.c */
struct bufferevent *larder_acceptor_accepted(struct event_base *base, void *server);
void larder_acceptor_reopen(larder_server *server);
void larder_acceptor_proceed(larder_server *server);
void larder_acceptor_stop(larder_server *server);
void larder_acceptor_finish(larder_server *server);

/* timeouts.c */
void larder_timeouts_sweep(larder_server *server);
/* Milliseconds between two sweeps. */
uint32_t larder_timeouts_interval(const larder_server_options *options);
/* Closes idle connections if the server is to do so, or all of them. */
void larder_timeouts_close_idle(larder_server *server);

#endif
