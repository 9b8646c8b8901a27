#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/ssl.h>

#include "../loop/internal.h"

/* libcurl 7.88 reuses a pooled connection on which bytes have arrived, and takes them for the response to the next
 * request. This file finds such a connection before anything is sent on it, and has a new one opened.
 *
 * libcurl does not name the descriptor of the connection it is about to use, only its local port, so the descriptors
 * are recorded as they are opened. */

static curl_socket_t on_open(void *arg, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    larder_client *client = arg;
    if (client->socket_count == client->socket_capacity) {
        size_t capacity = client->socket_capacity ? client->socket_capacity * 2 : 16;
        int *grown = realloc(client->sockets, capacity * sizeof *grown);
        if (!grown) {
            return CURL_SOCKET_BAD;
        }
        client->sockets = grown;
        client->socket_capacity = capacity;
    }
    int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (fd < 0) {
        return CURL_SOCKET_BAD;
    }
    client->sockets[client->socket_count++] = fd;
    return fd;
}

static int on_close(void *arg, curl_socket_t fd) {
    larder_client *client = arg;
    for (size_t i = 0; i < client->socket_count; i++) {
        if (client->sockets[i] == fd) {
            client->sockets[i] = client->sockets[--client->socket_count];
            break;
        }
    }
    return close(fd);
}

/* True for bytes, end of file and errors. Over TLS the bytes may be a session ticket, which is legal; but servers send
 * tickets ahead of their first response, and recognising a late one would require reading it. */
static int is_readable(int fd) {
    char byte;
    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

/* Whether bytes came in the same TLS record as the end of the previous response. */
static int has_unread_record(CURL *easy) {
    struct curl_tlssessioninfo *tls = NULL;
    curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &tls);
    if (!tls || !tls->internals) {
        return 0;
    }
    return tls->backend != CURLSSLBACKEND_OPENSSL || SSL_pending(tls->internals) > 0;
}

static int is_quiet(const larder_transfer *transfer, int local_port) {
    const larder_client *client = transfer->client;
    int is_known = 0;
    for (size_t i = 0; i < client->socket_count; i++) {
        if (larder_local_port(client->sockets[i]) == local_port) {
            is_known = 1;
            if (is_readable(client->sockets[i])) {
                return 0;
            }
        }
    }
    return is_known && !has_unread_record(transfer->easy);
}

/* Called when a connection is established, right before the request is sent on it. */
static int on_connected(void *arg, char *remote, char *local, int remote_port, int local_port) {
    (void)remote;
    (void)local;
    (void)remote_port;
    larder_transfer *transfer = arg;
    transfer->connected = 1;
    long opened = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_NUM_CONNECTS, &opened);
    if (opened == 0 && !is_quiet(transfer, local_port)) {
        transfer->refused_connection = 1;
        return CURL_PREREQFUNC_ABORT;
    }
    return CURL_PREREQFUNC_OK;
}

static int begins_with(const char *text, size_t length, const char *start) {
    return length >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

/* libcurl 7.88 drops bytes that come in the same read after a response without a body or after the last chunk. It keeps
 * the connection and reports the bytes here only. After a body of known length it closes the connection itself. */
static int on_debug(CURL *easy, curl_infotype type, char *text, size_t length, void *arg) {
    (void)arg;
    if (type == CURLINFO_TEXT &&
        (begins_with(text, length, "Excess found") || begins_with(text, length, "Leftovers after chunking"))) {
        curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    }
    return 0;
}

void larder_transfer_guard_reuse(larder_transfer *transfer) {
    CURL *easy = transfer->easy;
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer->client);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, transfer->client);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_connected);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_debug);
    curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
}

int larder_transfer_restart(larder_transfer *transfer) {
    CURLM *multi = transfer->client->multi;
    curl_multi_remove_handle(multi, transfer->easy);
    transfer->refused_connection = 0;
    transfer->connected = 0;
    transfer->message[0] = 0;
    curl_easy_setopt(transfer->easy, CURLOPT_FRESH_CONNECT, 1L);
    return curl_multi_add_handle(multi, transfer->easy) == CURLM_OK;
}
