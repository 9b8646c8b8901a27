#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <linux/filter.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

_Static_assert(sizeof(struct sockaddr_storage) <= sizeof(((larder_address *)0)->storage), "an address must fit");

/* Bytes of a reply that wait unsent in the kernel: enough to keep a reading client busy. Without this limit a thousand
 * clients that do not read could take all the machine's memory for TCP. */
enum { most_unsent = 128 * 1024 };

static int set(int fd, int level, int option, int value) {
    return setsockopt(fd, level, option, &value, sizeof value);
}

static void close_keeping_errno(int fd) {
    int kept = errno;
    close(fd);
    errno = kept;
}

/* A bound socket, or -1 and errno. SO_REUSEADDR lets a restart bind while old connections are in TIME_WAIT. */
static int open_bound(const larder_address *address, int shared) {
    const struct sockaddr *name = (const struct sockaddr *)address->storage;
    int fd = socket(name->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    if (set(fd, SOL_SOCKET, SO_REUSEADDR, 1) != 0 || (shared && set(fd, SOL_SOCKET, SO_REUSEPORT, 1) != 0) ||
        bind(fd, name, address->size) != 0) {
        close_keeping_errno(fd);
        return -1;
    }
    return fd;
}

int larder_listen_open(const larder_address *address, int backlog) {
    int fd = open_bound(address, 1);
    if (fd < 0) {
        return -1;
    }
    /* Accepted sockets inherit all. Without TCP_NODELAY a reply over 16 KB waits 40 ms for a delayed ACK.
     * TCP_NOTSENT_LOWAT may fail: the kernel of a sandbox may not have it. */
    (void)set(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, most_unsent);
    if (set(fd, IPPROTO_TCP, TCP_NODELAY, 1) != 0 || set(fd, SOL_SOCKET, SO_KEEPALIVE, 1) != 0 ||
        listen(fd, backlog) != 0) {
        close_keeping_errno(fd);
        return -1;
    }
    return fd;
}

bool larder_listen_turn_away(int fd) {
    /* The filter sees a segment from its TCP header on. Accepted sockets inherit it, and never get such a segment. */
    enum { flags = 13 };
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, flags),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, TH_SYN | TH_ACK),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TH_SYN, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0;
}

bool larder_listen_has_queue(int fd) {
    struct pollfd listener = {.fd = fd, .events = POLLIN};
    return poll(&listener, 1, 0) > 0;
}

void larder_address_set_port(larder_address *address, uint16_t port) {
    struct sockaddr *name = (struct sockaddr *)address->storage;
    if (name->sa_family == AF_INET) {
        ((struct sockaddr_in *)name)->sin_port = htons(port);
    } else if (name->sa_family == AF_INET6) {
        ((struct sockaddr_in6 *)name)->sin6_port = htons(port);
    }
}

static larder_listen_result classify(int error) {
    switch (error) {
        case EADDRINUSE: return LARDER_LISTEN_IN_USE;
        case EACCES:
        case EPERM: return LARDER_LISTEN_DENIED;
        case EADDRNOTAVAIL:
        case EAFNOSUPPORT: return LARDER_LISTEN_UNAVAILABLE;
        default: return LARDER_LISTEN_FAILED;
    }
}

larder_listen_result larder_listen_failure(int error, char *words, size_t size) {
    char buffer[128];
    snprintf(words, size, "%s", strerror_r(error, buffer, sizeof buffer));
    return classify(error);
}

static larder_listen_result try_address(const struct addrinfo *found, larder_address *address) {
    memset(address, 0, sizeof *address);
    memcpy(address->storage, found->ai_addr, found->ai_addrlen);
    address->size = (uint32_t)found->ai_addrlen;
    int fd = open_bound(address, 0);
    if (fd >= 0) {
        close(fd);
        return LARDER_LISTEN_OK;
    }
    return classify(errno);
}

larder_listen_result larder_listen_probe(
    const char *host, uint16_t port, larder_address *address, char *error, size_t size) {
    struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    char service[8];
    snprintf(service, sizeof service, "%u", port);
    struct addrinfo *found = NULL;
    int failure = getaddrinfo(host, service, &hints, &found);
    if (failure) {
        snprintf(error, size, "%s", gai_strerror(failure));
        return LARDER_LISTEN_UNRESOLVED;
    }
    larder_listen_result result = LARDER_LISTEN_UNRESOLVED;
    for (const struct addrinfo *each = found; each; each = each->ai_next) {
        result = try_address(each, address);
        /* Try the name's next address only if this machine does not have this one. */
        if (result != LARDER_LISTEN_UNAVAILABLE) {
            break;
        }
    }
    int reason = errno;
    freeaddrinfo(found);
    if (result != LARDER_LISTEN_OK) {
        larder_listen_failure(reason, error, size);
    }
    return result;
}
