#ifndef LARDER_CLIENT_INTERNAL_H
#define LARDER_CLIENT_INTERNAL_H

#include <sys/queue.h>

#include <curl/curl.h>

#include "larder_client.h"

struct larder_client {
    CURLM *multi;
    struct event_base *base;
    struct event *timer;
    LIST_HEAD(, larder_transfer) transfers; /* all under way, newest first */
    int *sockets;               /* open, of transfers and kept connections */
    size_t socket_count, socket_capacity;
};

/* Holds the texts of a larder_client_certificate. */
typedef struct {
    larder_client_certificate known;
    char subject[256], issuer[256], names[256];
} larder_seen_certificate;

struct larder_transfer {
    larder_client *client;
    LIST_ENTRY(larder_transfer) next;
    CURL *easy;
    struct curl_slist *header_lines, *connect_to;
    const void *tls;              /* identifies the handshake: its SSL_CTX, which may be gone */
    larder_seen_certificate seen; /* the one that was refused, or else the server's */
    larder_client_done_fn done;
    larder_client_body_fn take_body;
    void *context;

    char *headers;
    size_t headers_length, headers_capacity;
    unsigned char *body;
    size_t body_length, body_capacity, max_body;

    larder_client_error failure; /* set by our callbacks; overrides libcurl's code */
    unsigned discard_body : 1, connect_only : 1;
    unsigned connected : 1;          /* the request had a connection */
    unsigned refused_connection : 1; /* a pooled one with unsolicited bytes */
    unsigned head_complete : 1;      /* the blank line after the last response's headers was seen */
    unsigned had_enough : 1;         /* ended early by us, as a success */
    unsigned by_proxy : 1, at_socket : 1;
    unsigned has_seen : 1; /* a certificate */
    char message[CURL_ERROR_SIZE];
};

/* A transfer ready to be added to the multi handle; NULL when there is no memory. */
larder_transfer *larder_transfer_new(larder_client *client, const larder_client_request *request,
                                     larder_client_done_fn done, void *context);

/* Reports the outcome to the done function and frees the transfer, which must have left the multi handle. */
void larder_transfer_finish(larder_transfer *transfer, CURLcode code, int cancelled);

/* Prevents the reuse of a pooled connection with unread or unsolicited bytes, and closes such a connection after its
 * transfer. */
void larder_transfer_guard_reuse(larder_transfer *transfer);

/* Applies how the connection is made. 0 when there is no memory. */
int larder_transfer_set_options(larder_transfer *transfer, const larder_client_options *options);

/* Records the certificates of the transfer's handshake in `seen`. Loop thread. */
void larder_transfer_watch_certificates(larder_transfer *transfer);

/* Restarts a transfer that refused its connection, on a new one. 0 when there is no memory. */
int larder_transfer_restart(larder_transfer *transfer);

void larder_transfer_free(larder_transfer *transfer);

/* The words for a failed transfer. */
const char *larder_transfer_words(const larder_transfer *transfer, CURLcode code);

/* The class of a failed or finished transfer. */
larder_client_error larder_transfer_classify(const larder_transfer *transfer, CURLcode code);

#endif
