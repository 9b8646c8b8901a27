/* The PROXY protocol of HAProxy, versions 1 and 2: a header before all else that names the client of a proxy. */
#define _GNU_SOURCE
#include "internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

/* A version 1 line, and the least that tells both versions apart. */
enum { longest_line = 107, signature_size = 12 };

/* A version 2 header: signature, command, family and size, then addresses and the type-length-values behind them. */
enum { fixed_size = 16, longest_header = 4096 };

static const char signature[signature_size + 1] = "\r\n\r\n\0\r\nQUIT\n";

static bool begins_with(const char *bytes, size_t size, const char *start, size_t start_size) {
    return memcmp(bytes, start, size < start_size ? size : start_size) == 0;
}

static bool read_address(const char *text, int family, struct sockaddr_storage *client) {
    void *to = family == AF_INET ? (void *)&((struct sockaddr_in *)client)->sin_addr
                                 : (void *)&((struct sockaddr_in6 *)client)->sin6_addr;
    client->ss_family = (sa_family_t)family;
    return inet_pton(family, text, to) == 1;
}

/* "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443", or "PROXY UNKNOWN" and anything. */
static bool read_line(const char *line, struct sockaddr_storage *client) {
    char protocol[8], source[INET6_ADDRSTRLEN], destination[INET6_ADDRSTRLEN];
    struct sockaddr_storage unused = {0};
    unsigned from, to;
    int end = 0;
    if (strncmp(line, "PROXY UNKNOWN", 13) == 0) {
        return line[13] == '\0' || line[13] == ' ';
    }
    int count = sscanf(
        line, "PROXY %7[TCP46] %45[0-9a-fA-F.:] %45[0-9a-fA-F.:] %5u %5u%n", protocol, source, destination, &from,
        &to, &end);
    if (count != 5 || line[end] != '\0' || from > UINT16_MAX || to > UINT16_MAX) {
        return false;
    }
    int family = strcmp(protocol, "TCP4") == 0 ? AF_INET : strcmp(protocol, "TCP6") == 0 ? AF_INET6 : AF_UNSPEC;
    return family != AF_UNSPEC && read_address(source, family, client) && read_address(destination, family, &unused);
}

static int read_version1(const char *bytes, size_t size, struct sockaddr_storage *client) {
    char line[longest_line + 1];
    const char *end = memmem(bytes, size < longest_line ? size : longest_line, "\r\n", 2);
    if (!end) {
        return size < longest_line ? 0 : -1;
    }
    size_t length = (size_t)(end - bytes);
    memcpy(line, bytes, length);
    line[length] = '\0';
    /* A NUL would hide what is behind it. */
    return strlen(line) == length && read_line(line, client) ? (int)length + 2 : -1;
}

static bool read_addresses(const unsigned char *bytes, size_t size, struct sockaddr_storage *client) {
    unsigned char family = bytes[13] >> 4;
    if (family == 1 && size >= 12) {
        client->ss_family = AF_INET;
        memcpy(&((struct sockaddr_in *)client)->sin_addr, bytes + fixed_size, 4);
    } else if (family == 2 && size >= 36) {
        client->ss_family = AF_INET6;
        memcpy(&((struct sockaddr_in6 *)client)->sin6_addr, bytes + fixed_size, 16);
    } else {
        return family == 0 || (family == 3 && size >= 216);
    }
    return true;
}

/* LOCAL is a connection of the proxy's own, such as a health check. */
static int read_version2(const unsigned char *bytes, size_t size, struct sockaddr_storage *client) {
    if (size < fixed_size) {
        return 0;
    }
    size_t rest = (size_t)bytes[14] << 8 | bytes[15];
    unsigned char version = bytes[12] >> 4, command = bytes[12] & 15;
    if (version != 2 || command > 1 || fixed_size + rest > longest_header) {
        return -1;
    }
    if (size < fixed_size + rest) {
        return 0;
    }
    if (command == 1 && !read_addresses(bytes, rest, client)) {
        return -1;
    }
    return (int)(fixed_size + rest);
}

int larder_proxy_header(const void *bytes, size_t size, struct sockaddr_storage *client) {
    *client = (struct sockaddr_storage){.ss_family = AF_UNSPEC};
    if (size && begins_with(bytes, size, signature, signature_size)) {
        return read_version2(bytes, size, client);
    }
    return begins_with(bytes, size, "PROXY ", 6) ? read_version1(bytes, size, client) : -1;
}

/* Peeks, since the bytes behind the header belong to the first request. A client that sends nothing may be a load
 * balancer that probes the port. */
static void on_bytes(evutil_socket_t fd, short what, void *arg) {
    larder_connection *connection = arg;
    char bytes[longest_header];
    struct sockaddr_storage client;
    ssize_t count = recv(fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (count <= 0) {
        larder_connection_close(connection);
        return;
    }
    int size = larder_proxy_header(bytes, (size_t)count, &client);
    bool is_over = (what & EV_CLOSED) != 0;
    if (size == 0 && !is_over) {
        return;
    }
    bool is_read = size > 0 && recv(fd, bytes, (size_t)size, MSG_DONTWAIT) == size;
    larder_preface_end(connection);
    connection->server->hooks->prefaced(connection, is_read ? &client : NULL);
}

/* Edge-triggered, since an incomplete header stays in the socket, where it hides the end behind it. A disabled
 * bufferevent does not begin a handshake. */
void larder_preface_await(larder_connection *connection) {
    bufferevent_disable(connection->bev, EV_READ | EV_WRITE);
    larder_phase_enter(connection, LARDER_PHASE_PREFACE);
    connection->preface =
        event_new(connection->server->base, connection->fd, EV_READ | EV_CLOSED | EV_PERSIST | EV_ET, on_bytes,
                  connection);
    if (!connection->preface || event_add(connection->preface, NULL) != 0) {
        larder_preface_end(connection);
        larder_connection_close_soon(connection);
    }
}

void larder_preface_end(larder_connection *connection) {
    if (connection->preface) {
        event_free(connection->preface);
        connection->preface = NULL;
    }
}
