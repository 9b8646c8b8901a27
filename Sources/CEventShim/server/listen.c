#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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

/* Every address of IPv4 in place of every address of IPv6, if this is the latter. */
static bool fall_back(const struct sockaddr *name, larder_address *address) {
    const struct sockaddr_in6 *wide = (const struct sockaddr_in6 *)name;
    if (name->sa_family != AF_INET6 || !IN6_IS_ADDR_UNSPECIFIED(&wide->sin6_addr)) {
        return false;
    }
    struct sockaddr_in every = {.sin_family = AF_INET, .sin_port = wide->sin6_port};
    memcpy(address->storage, &every, sizeof every);
    address->size = sizeof every;
    return true;
}

/* A bound socket, or -1 and errno. SO_REUSEADDR lets a restart bind while old connections are in TIME_WAIT. A socket of
 * IPv6 takes IPv4 clients, too; a machine without IPv6 has the others. */
static int open_bound(const larder_address *asked, int shared) {
    larder_address copy = *asked, *address = &copy;
    const struct sockaddr *name = (const struct sockaddr *)address->storage;
    int fd = socket(name->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 && errno == EAFNOSUPPORT && fall_back(name, address)) {
        fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    }
    if (fd < 0) {
        return -1;
    }
    if (name->sa_family == AF_INET6) {
        (void)set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    }
    if (set(fd, SOL_SOCKET, SO_REUSEADDR, 1) != 0 || (shared && set(fd, SOL_SOCKET, SO_REUSEPORT, 1) != 0) ||
        bind(fd, name, address->size) != 0) {
        close_keeping_errno(fd);
        return -1;
    }
    return fd;
}

int larder_listen_open(const larder_address *address, int backlog) {
    if (address->fd >= 0) {
        return fcntl(address->fd, F_DUPFD_CLOEXEC, 0);
    }
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
    address->fd = -1;
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

/* Whether something listens at this path; a socket that its process has left is removed. */
static bool is_in_use(const struct sockaddr_un *name) {
    struct stat found;
    if (lstat(name->sun_path, &found) != 0 || !S_ISSOCK(found.st_mode)) {
        return true;
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return true;
    }
    bool is_left = connect(fd, (const struct sockaddr *)name, sizeof *name) != 0 && errno == ECONNREFUSED;
    close(fd);
    return !is_left || unlink(name->sun_path) != 0;
}

static bool bind_path(int fd, const struct sockaddr_un *name, uint32_t mode, int64_t owner, int64_t group, int backlog) {
    const struct sockaddr *address = (const struct sockaddr *)name;
    /* Linux makes the path with the socket's own permissions, so nothing can connect before it has an owner. */
    bool is_bound = fchmod(fd, 0) == 0 &&
                    (bind(fd, address, sizeof *name) == 0 ||
                     (errno == EADDRINUSE && !is_in_use(name) && bind(fd, address, sizeof *name) == 0));
    bool is_ready = is_bound && (owner < 0 || chown(name->sun_path, (uid_t)owner, (gid_t)-1) == 0) &&
           (group < 0 || chown(name->sun_path, (uid_t)-1, (gid_t)group) == 0) && chmod(name->sun_path, mode) == 0 &&
           listen(fd, backlog) == 0;
    if (is_bound && !is_ready) {
        int reason = errno;
        unlink(name->sun_path);
        errno = reason;
    }
    return is_ready;
}

larder_listen_result larder_listen_unix(
    const char *path, uint32_t mode, int64_t owner, int64_t group, int backlog, larder_address *address, char *error,
    size_t size) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof name.sun_path) {
        return larder_listen_failure(ENAMETOOLONG, error, size);
    }
    strcpy(name.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || !bind_path(fd, &name, mode, owner, group, backlog)) {
        int reason = errno;
        if (fd >= 0) {
            close(fd);
        }
        return larder_listen_failure(reason, error, size);
    }
    *address = (larder_address){.fd = fd, .size = sizeof name};
    memcpy(address->storage, &name, sizeof name);
    return LARDER_LISTEN_OK;
}

larder_listen_result larder_listen_inherited(int fd, larder_address *address, char *error, size_t size) {
    int accepts = 0;
    socklen_t length = sizeof accepts;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &length) != 0) {
        return larder_listen_failure(errno, error, size);
    }
    if (!accepts) {
        return larder_listen_failure(EINVAL, error, size);
    }
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    *address = (larder_address){.fd = fd, .is_kept = 1};
    return LARDER_LISTEN_OK;
}

void larder_address_close(larder_address *address) {
    if (address->fd < 0 || address->is_kept) {
        return;
    }
    close(address->fd);
    address->fd = -1;
    struct sockaddr_un name;
    memcpy(&name, address->storage, sizeof name);
    unlink(name.sun_path);
}
