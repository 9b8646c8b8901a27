#ifndef LARDER_CLIENT_H
#define LARDER_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include "larder_loop.h"

/* libcurl's multi interface on a loop's base. A loop has one connection pool and one DNS cache. The only threads are
 * the short-lived ones in which libcurl resolves names. Everything here belongs to the loop's thread. */
typedef struct larder_client larder_client;

/* One request under way. Valid from larder_client_start until its done function has been called. */
typedef struct larder_transfer larder_transfer;

/* Outcome of a transfer, as far as callers distinguish it. */
typedef enum {
    LARDER_CLIENT_OK = 0,
    LARDER_CLIENT_RESOLVE,            /* the name has no address, or no resolver responded */
    LARDER_CLIENT_REFUSED,            /* no listener */
    LARDER_CLIENT_UNREACHABLE,        /* no route, network down, or another failure to connect */
    LARDER_CLIENT_CONNECT_TIMEOUT,    /* no connection in time, name and TLS included */
    LARDER_CLIENT_TIMEOUT,            /* connected, but no complete response in time */
    LARDER_CLIENT_RESET,              /* the connection broke, or ended before any response */
    LARDER_CLIENT_TRUNCATED,          /* the response ended before its announced end */
    LARDER_CLIENT_BODY_TOO_LARGE,     /* announced or received: more than max_body */
    LARDER_CLIENT_TLS,                /* handshake or certificate */
    LARDER_CLIENT_PROXY,              /* the proxy cannot be reached, or makes no connection to the upstream */
    LARDER_CLIENT_PROTOCOL,           /* the response is not HTTP, or breaks its rules */
    LARDER_CLIENT_CANCELLED,          /* by larder_client_cancel or larder_client_free */
    LARDER_CLIENT_OTHER
} larder_client_error;

/* Bytes of PEM files; of size 0 for none. */
typedef struct {
    const void *bytes;
    size_t size;
} larder_client_pem;

/* The options of a connection. NULL and zeros are the defaults. All requests of a client must have the same options,
 * except those about TLS: libcurl reuses connections and TLS sessions even if the credentials of the proxy differ. */
typedef struct {
    const char *connect_to;  /* "NAME:PORT:HOST:PORT": connects to HOST in place of NAME, which is the URL's */
    const char *unix_socket; /* the path of the socket, whatever the URL's host is */
    const char *proxy;       /* "http://HOST:PORT"; https goes by CONNECT. The environment is never read */
    const char *proxy_user;
    const char *proxy_password;
    larder_client_pem roots; /* trusted in place of the system's */
    larder_client_pem chain; /* the client's own certificate, and its key */
    larder_client_pem key;
    int skips_verification;  /* of the server's certificate and its names */
    int ip_version;          /* 4 or 6; 0 for any */
} larder_client_options;

/* Gets the next bytes of a body. `announced` is the length of all, if the server states one and it is allowed. */
typedef void (*larder_client_body_fn)(void *context, const unsigned char *bytes, size_t count, size_t announced);

/* Copied by larder_client_start. Strings must not contain line breaks. */
typedef struct {
    const char *method;
    const char *url;
    const char *user_agent;
    const char *header_lines; /* "Name: value", or "Name;" for an empty value; NUL after each, an empty one ends them */
    const unsigned char *body; /* sent with any method but GET and HEAD */
    size_t body_length;       /* 0 for no body */
    long connect_timeout_ms;  /* at least 1; covers resolving, connecting and TLS */
    long total_timeout_ms;    /* at least 1; covers everything */
    size_t max_body;          /* bytes, as they are sent: nothing is unpacked */
    int discard_body;         /* keep no body, and end well at max_body instead of failing: for probes */
    larder_client_body_fn take_body; /* gets the body, with the context of the done function; NULL for the result to have it */
    int connect_only;         /* end well once the TCP connection is established, and close it */
    larder_client_options options;
} larder_client_request;

/* Why a certificate is not accepted. */
typedef enum {
    LARDER_CERTIFICATE_NAMES_WRONG, /* it is valid, but for others */
    LARDER_CERTIFICATE_EXPIRED,
    LARDER_CERTIFICATE_NOT_YET_VALID,
    LARDER_CERTIFICATE_UNKNOWN_ISSUER, /* no root issued it, or the server does not send the certificates between */
    LARDER_CERTIFICATE_BAD,            /* as `words` say */
} larder_client_certificate_fault;

/* The certificate that made a handshake fail. Long texts are cut. */
typedef struct {
    const char *subject;   /* "CN=shop.example" */
    const char *issuer;
    const char *names;     /* "shop.example, www.shop.example", with addresses */
    int64_t from, until;   /* its validity, in seconds since 1970 */
    larder_client_certificate_fault fault;
    const char *words; /* OpenSSL's */
} larder_client_certificate;

/* Valid during the done function. */
typedef struct {
    larder_client_error error;
    const char *message; /* libcurl's message; may name hosts, never credentials */
    long status;         /* 0 when there was no response; a redirect is one */
    long proxy_status;   /* of the proxy's response to CONNECT; 0 without one */
    const larder_client_certificate *certificate; /* NULL unless the verification failed */
    const char *headers; /* "Name: value\r\n" lines, without status line and trailers */
    size_t headers_length;
    const unsigned char *body;
    size_t body_length;
} larder_client_result;

typedef void (*larder_client_done_fn)(void *context, const larder_client_result *result);

/* Makes a client on a loop. Loop thread. NULL when there is no memory. Initialises libcurl once for the process. */
larder_client *larder_client_new(larder_loop *loop);

/* Cancels every transfer (each done function is called), closes the pooled connections. Not from a done function. */
void larder_client_free(larder_client *client);

/* Starts a transfer. The done function is called exactly once, later, from the loop; it may start and cancel other
 * transfers. NULL when there is no memory; the done function is not called then. */
larder_transfer *larder_client_start(larder_client *client, const larder_client_request *request,
                                     larder_client_done_fn done, void *context);

/* Ends a transfer: its connection is closed and its done function called with LARDER_CLIENT_CANCELLED, both before
 * this returns. */
void larder_client_cancel(larder_transfer *transfer);

#endif
