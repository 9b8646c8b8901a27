/* Received bytes: the guard reads them, and then the fast path, a refusal or evhttp. */
#include "internal.h"

/* Bytes that a refused client may send until nothing more is read, and bytes buffered after an accepted head: while evhttp
 * writes an error page it reads without limit. */
enum { max_discarded = 1 << 20, max_unlooked = 64 << 10 };

/* Asks the owner for the longest body of the POST whose line ends at `end`: only few paths accept one. Called as soon
 * as the line is complete, because evhttp may then remove it from the buffer. */
static size_t body_limit(larder_connection *connection, struct evbuffer *input, size_t end) {
    const larder_server *server = connection->server;
    const larder_guard *guard = &connection->guard;
    if (!server->callbacks.body_limit) {
        return server->options.max_body_bytes;
    }
    const char *bytes = (const char *)evbuffer_pullup(input, (ev_ssize_t)end);
    if (!bytes) {
        return 0;
    }
    const char *target = bytes + end - larder_guard_line_size(guard) + guard->method_size + 1;
    const char *path = larder_guard_path(target, guard->target_size);
    size_t size = guard->target_size - (size_t)(path - target);
    return size && *path == '/' ? server->callbacks.body_limit(server->context, path, size) : 0;
}

/* Feeds the buffer to the guard from `from` on, and returns the end of the request, or of the buffer. */
static size_t feed(larder_connection *connection, struct evbuffer *input, size_t from) {
    struct evbuffer_iovec parts[4];
    struct evbuffer_ptr at;
    size_t size = evbuffer_get_length(input);
    larder_guard *guard = &connection->guard;
    while (from < size && larder_guard_is_reading(guard)) {
        if (from && evbuffer_ptr_set(input, &at, from, EVBUFFER_PTR_SET) != 0) {
            break;
        }
        int count = evbuffer_peek(input, -1, from ? &at : NULL, parts, 4);
        for (int i = 0; i < count && i < 4 && larder_guard_is_reading(guard) && guard->step != LARDER_GUARD_LINE; i++) {
            from += larder_guard_feed(guard, &connection->server->guard_limits, parts[i].iov_base, parts[i].iov_len);
        }
        if (guard->step == LARDER_GUARD_LINE) {
            larder_guard_allow(guard, body_limit(connection, input, from));
        }
    }
    return from;
}

/* Removes the empty line that may precede a request: evhttp would take it for a request line. */
static size_t skip_empty_line(larder_connection *connection, struct evbuffer *input, bool was_skipped) {
    if (!connection->guard.skips_empty_line || was_skipped) {
        return 0;
    }
    evbuffer_drain(input, 2);
    return 2;
}

void larder_input_await(larder_connection *connection) {
    if (connection->request.evreq || connection->writing) {
        return;
    }
    bool is_begun = larder_guard_is_reading(&connection->guard) && !larder_guard_is_fresh(&connection->guard);
    larder_phase phase = is_begun ? LARDER_PHASE_HEAD : LARDER_PHASE_IDLE;
    if (!is_begun || connection->phase != LARDER_PHASE_HEAD) {
        larder_phase_enter(connection, phase);
    }
}

/* Ends the time of a head: the next one may begin while the response is written, and has its own time. */
static void end_head(larder_connection *connection) {
    if (connection->phase == LARDER_PHASE_HEAD) {
        larder_phase_enter(connection, LARDER_PHASE_IDLE);
    }
}

static void discard_rest(larder_connection *connection, struct evbuffer *input) {
    evbuffer_drain(input, evbuffer_get_length(input));
    larder_received_record(connection, 0);
}

static void refuse(larder_connection *connection, struct evbuffer *input) {
    if (!connection->request.evreq && !connection->writing) {
        larder_refuse_head(connection, connection->guard.refusal);
    } else {
        discard_rest(connection, input);
    }
}

static bool has_more(larder_connection *connection, struct evbuffer *input) {
    if (evbuffer_get_length(input) > 0) {
        return true;
    }
    larder_received_record(connection, 0);
    larder_direct_read_enter(connection);
    return false;
}

/* Shows only complete heads to evhttp: it removes lines from the buffer as they come, and the fast path and refusals
 * still need them. evhttp reads input left behind a request regardless of this. */
static void show_to_evhttp(larder_connection *connection, bool is_whole) {
    if (connection->hides_input == is_whole) {
        connection->hides_input = !is_whole;
        bufferevent_setwatermark(connection->bev, EV_READ, is_whole ? 1 : SIZE_MAX, 0);
    }
}

/* Returns the connection to evhttp, which still waits for the next request. */
static void on_written(struct bufferevent *bev, void *arg) {
    larder_connection *connection = arg;
    if (evbuffer_get_length(bufferevent_get_output(bev)) > 0) {
        return;
    }
    larder_evhttp_give_callbacks_back(connection);
    bufferevent_disable(bev, EV_WRITE);
    if (connection->guard.step == LARDER_GUARD_REFUSED) {
        larder_connection_close_soon(connection);
        return;
    }
    bufferevent_enable(bev, EV_READ);
    connection->writing = false;
    connection->defers_input = false;
    larder_input_await(connection);
    if (connection->server->closes_idle) {
        larder_run_soon(connection->server, LARDER_TASK_CHORES);
    }
    if (evbuffer_get_length(bufferevent_get_input(bev)) > 0) {
        larder_input_inspect(connection, 0);
        bufferevent_trigger(bev, EV_READ, 0);
    }
}

/* Stops reading meanwhile, or a client that pipelines could fill the memory. Only the rest of a TLS record that has
 * been received still comes. */
static void wait_until_written(larder_connection *connection) {
    larder_evhttp_take_callbacks(connection, on_written);
    bufferevent_disable(connection->bev, EV_READ);
    bufferevent_enable(connection->bev, EV_WRITE);
    connection->defers_input = true;
}

/* Bytes of the incomplete request. Behind a response evhttp removes the lines of a head from the buffer as they come,
 * whatever the watermark, and keeps them. */
static size_t kept_size(const larder_connection *connection, struct evbuffer *input) {
    const larder_guard *guard = &connection->guard;
    size_t size = evbuffer_get_length(input);
    if (guard->step == LARDER_GUARD_BODY) {
        return size + guard->head_size;
    }
    return size > guard->head_size ? size : guard->head_size;
}

/* Whether the examined head is finished, and the next one can be read. */
static bool inspect_head(larder_connection *connection, size_t from) {
    struct evbuffer *input = bufferevent_get_input(connection->bev);
    larder_guard *guard = &connection->guard;
    bool was_skipped = guard->skips_empty_line;
    size_t end = feed(connection, input, from);
    end -= skip_empty_line(connection, input, was_skipped);
    if (guard->step == LARDER_GUARD_REFUSED) {
        refuse(connection, input);
    } else if (guard->step == LARDER_GUARD_ACCEPTED) {
        show_to_evhttp(connection, true);
        end_head(connection);
        if (larder_fast_path_take(connection, end)) {
            if (guard->step == LARDER_GUARD_REFUSED) {
                discard_rest(connection, input);
            }
            if (connection->writing) {
                wait_until_written(connection);
                larder_received_record(connection, evbuffer_get_length(input));
                return false;
            }
            return guard->step != LARDER_GUARD_REFUSED && has_more(connection, input);
        }
        connection->beyond = evbuffer_get_length(input) - end;
        larder_received_record(connection, evbuffer_get_length(input));
    } else {
        show_to_evhttp(connection, false);
        larder_input_await(connection);
        larder_received_record(connection, kept_size(connection, input));
        larder_received_take_turns(connection);
    }
    return false;
}

void larder_input_inspect(larder_connection *connection, size_t from) {
    while (inspect_head(connection, from)) {
        from = 0;
    }
}

static void discard(larder_connection *connection, struct evbuffer *input, size_t added) {
    evbuffer_drain(input, evbuffer_get_length(input));
    connection->discarded += added;
    if (connection->discarded > max_discarded) {
        bufferevent_disable(connection->bev, EV_READ);
    } else {
        larder_received_take_turns(connection);
    }
}

bool larder_input_on_repeat(larder_connection *connection, const char *bytes, size_t size) {
    bool is_first = evbuffer_get_length(bufferevent_get_input(connection->bev)) == 0;
    if (!is_first || !larder_repeat_find(connection, bytes, size)) {
        return false;
    }
    bool is_served = larder_fast_path_repeat(connection, bytes);
    if (!is_served) {
        connection->guard = (larder_guard){0};
    } else if (connection->writing) {
        wait_until_written(connection);
    }
    return is_served;
}

/* Runs before evhttp parses the input. */
void larder_input_on_bytes(struct evbuffer *input, const struct evbuffer_cb_info *info, void *arg) {
    larder_connection *connection = arg;
    if (info->n_added == 0) {
        return;
    }
    larder_tls_on_input(connection);
    if (connection->defers_input) {
        larder_received_record(connection, evbuffer_get_length(input));
        return;
    }
    if (!connection->reads_directly) {
        connection->answered = 0;
    }
    if (connection->guard.step == LARDER_GUARD_REFUSED) {
        discard(connection, input, info->n_added);
    } else if (connection->guard.step == LARDER_GUARD_ACCEPTED) {
        connection->beyond += info->n_added;
        larder_received_record(connection, evbuffer_get_length(input));
        if (connection->beyond > max_unlooked) {
            bufferevent_disable(connection->bev, EV_READ);
        }
    } else {
        larder_input_inspect(connection, evbuffer_get_length(input) - info->n_added);
    }
}
