/* Feeds headers of the PROXY protocol to their reader. A header has one length: less of it is incomplete, and more behind
 * it changes nothing. */
#include "server/internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

static int read_copy(const uint8_t *data, size_t size, struct sockaddr_storage *client) {
    /* An allocation of its own, so that reading behind its end is found. */
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    int end = larder_proxy_header(copy, size, client);
    free(copy);
    return end;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sockaddr_storage client, other;
    int end = read_copy(data, size, &client);
    require(end >= -1 && end <= (int)size);
    require(client.ss_family == AF_UNSPEC || client.ss_family == AF_INET || client.ss_family == AF_INET6 || end <= 0);
    if (end <= 0) {
        return 0;
    }
    for (int less = 1; less < end; less++) {
        require(read_copy(data, (size_t)less, &other) == 0);
    }
    require(read_copy(data, (size_t)end, &other) == end);
    require(memcmp(&client, &other, sizeof client) == 0);
    require(larder_network_of((struct sockaddr *)&client) == 0 || client.ss_family != AF_UNSPEC);
    return 0;
}
