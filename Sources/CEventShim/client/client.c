#include "internal.h"

#include <pthread.h>
#include <stdlib.h>

#include <event2/event.h>

#include "../loop/internal.h"

/* Idle connections kept for reuse, per loop: an upstream or two, and a monitor. */
static const long pool_size = 16;

static pthread_once_t initialised = PTHREAD_ONCE_INIT;

static void initialise(void) {
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

static void end(larder_transfer *transfer, CURLcode code, int cancelled) {
    larder_client *client = transfer->client;
    curl_multi_remove_handle(client->multi, transfer->easy);
    LIST_REMOVE(transfer, next);
    larder_transfer_finish(transfer, code, cancelled);
}

static void finish_done(larder_client *client) {
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(client->multi, &left))) {
        if (message->msg != CURLMSG_DONE) {
            continue;
        }
        /* libcurl frees the message with its handle. */
        CURLcode code = message->data.result;
        larder_transfer *transfer = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
        if (!transfer->refused_connection || !larder_transfer_restart(transfer)) {
            end(transfer, code, 0);
        }
    }
}

/* Handles a socket that is ready, or the timer, whose descriptor of -1 is CURL_SOCKET_TIMEOUT. */
static void on_event(evutil_socket_t fd, short what, void *arg) {
    larder_client *client = arg;
    int flags = ((what & EV_READ) ? CURL_CSELECT_IN : 0) | ((what & EV_WRITE) ? CURL_CSELECT_OUT : 0);
    int running;
    curl_multi_socket_action(client->multi, fd, flags, &running);
    finish_done(client);
}

/* libcurl closes the descriptor right after CURL_POLL_REMOVE, and the number may be reused before the base next polls.
 * So the event must be gone from the base when this returns; removing it cannot be deferred. */
static int on_socket_wanted(CURL *easy, curl_socket_t fd, int wanted, void *arg, void *assigned) {
    (void)easy;
    larder_client *client = arg;
    struct event *event = assigned;
    if (event) {
        event_del(event);
    }
    if (wanted == CURL_POLL_REMOVE) {
        if (event) {
            event_free(event);
        }
        curl_multi_assign(client->multi, fd, NULL);
        return 0;
    }
    short what = EV_PERSIST;
    what |= (wanted & CURL_POLL_IN) ? EV_READ : 0;
    what |= (wanted & CURL_POLL_OUT) ? EV_WRITE : 0;
    if (event) {
        event_assign(event, client->base, fd, what, on_event, client);
    } else if ((event = event_new(client->base, fd, what, on_event, client))) {
        curl_multi_assign(client->multi, fd, event);
    }
    /* Without an event the transfer ends at its timeout; returning -1 would end every transfer of this client. */
    if (event) {
        event_add(event, NULL);
    }
    return 0;
}

/* libcurl forbids calls back into it from here, so even an expired timer goes through the base. */
static int on_timer_wanted(CURLM *multi, long after_ms, void *arg) {
    (void)multi;
    larder_client *client = arg;
    if (after_ms < 0) {
        evtimer_del(client->timer);
        return 0;
    }
    struct timeval after = {.tv_sec = after_ms / 1000, .tv_usec = (after_ms % 1000) * 1000};
    evtimer_add(client->timer, &after);
    return 0;
}

larder_client *larder_client_new(larder_loop *loop) {
    pthread_once(&initialised, initialise);
    larder_client *client = calloc(1, sizeof *client);
    if (!client) {
        return NULL;
    }
    LIST_INIT(&client->transfers);
    client->base = larder_loop_base(loop);
    client->timer = evtimer_new(client->base, on_event, client);
    client->multi = curl_multi_init();
    if (!client->timer || !client->multi) {
        larder_client_free(client);
        return NULL;
    }
    curl_multi_setopt(client->multi, CURLMOPT_SOCKETFUNCTION, on_socket_wanted);
    curl_multi_setopt(client->multi, CURLMOPT_SOCKETDATA, client);
    curl_multi_setopt(client->multi, CURLMOPT_TIMERFUNCTION, on_timer_wanted);
    curl_multi_setopt(client->multi, CURLMOPT_TIMERDATA, client);
    curl_multi_setopt(client->multi, CURLMOPT_MAXCONNECTS, pool_size);
    return client;
}

void larder_client_free(larder_client *client) {
    while (!LIST_EMPTY(&client->transfers)) {
        larder_client_cancel(LIST_FIRST(&client->transfers));
    }
    /* Before the timer: closing the pool may still ask for one. */
    if (client->multi) {
        curl_multi_cleanup(client->multi);
    }
    free(client->sockets);
    if (client->timer) {
        event_free(client->timer);
    }
    free(client);
}

larder_transfer *larder_client_start(larder_client *client, const larder_client_request *request,
                                     larder_client_done_fn done, void *context) {
    larder_transfer *transfer = larder_transfer_new(client, request, done, context);
    if (!transfer) {
        return NULL;
    }
    if (curl_multi_add_handle(client->multi, transfer->easy) != CURLM_OK) {
        larder_transfer_free(transfer);
        return NULL;
    }
    LIST_INSERT_HEAD(&client->transfers, transfer, next);
    return transfer;
}

void larder_client_cancel(larder_transfer *transfer) {
    end(transfer, CURLE_ABORTED_BY_CALLBACK, 1);
}
