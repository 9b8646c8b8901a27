#include "tls_internal.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>

/* What the client has not acknowledged, ours and the kernel's. What the kernel has taken says little about a slow
 * client: it takes much at once, when little of that is unsent (TCP_NOTSENT_LOWAT) or, where it knows no such limit,
 * when a third of a buffer of megabytes is free again.
 *
 * OpenSSL takes an answer as a whole and keeps to itself how much of it is left, so on an encrypted connection what it
 * has written is subtracted instead: then only the difference of two such numbers says anything. */
static size_t unacknowledged(const larder_connection *connection) {
    int queued = 0;
    size_t kernels = ioctl(connection->fd, SIOCOUTQ, &queued) == 0 && queued > 0 ? (size_t)queued : 0;
    if (connection->ssl) {
        return kernels - (size_t)larder_tls_written(connection);
    }
    return kernels + evbuffer_get_length(bufferevent_get_output(connection->bev));
}

void larder_progress_begin(larder_connection *connection) {
    connection->unsent = unacknowledged(connection);
    larder_phase_enter(connection, LARDER_PHASE_WRITING);
}

bool larder_progress_is_enough(larder_connection *connection) {
    const larder_server_options *options = &connection->server->options;
    int64_t taken = (int64_t)(connection->unsent - unacknowledged(connection));
    int64_t least = (int64_t)options->write_timeout * options->min_write_rate / 1000;
    return taken >= (least ? least : 1);
}
