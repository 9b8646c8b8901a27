#include "internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const size_t max_headers = 256 * 1024;
static const size_t first_body_capacity = 16 * 1024;

static int append(unsigned char **buffer, size_t *length, size_t *capacity, const char *data, size_t count) {
    if (count > *capacity - *length) {
        size_t wanted = *capacity * 2 > *length + count ? *capacity * 2 : *length + count;
        unsigned char *grown = realloc(*buffer, wanted);
        if (!grown) {
            return 0;
        }
        *buffer = grown;
        *capacity = wanted;
    }
    memcpy(*buffer + *length, data, count);
    *length += count;
    return 1;
}

/* The length that the server states, if it is allowed; 0 without one. */
static size_t announced_length(larder_transfer *transfer) {
    curl_off_t announced = -1;
    curl_easy_getinfo(transfer->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
    return announced > 0 && (size_t)announced <= transfer->max_body ? (size_t)announced : 0;
}

/* Allocates an announced length at once. */
static int reserve_body(larder_transfer *transfer) {
    size_t announced = announced_length(transfer), wanted = announced ? announced : first_body_capacity;
    transfer->body = malloc(wanted);
    transfer->body_capacity = transfer->body ? wanted : 0;
    return transfer->body != NULL;
}

/* Ends the transfer with CURLE_WRITE_ERROR by returning a result other than `count`. */
static size_t fail(larder_transfer *transfer, larder_client_error failure, size_t count) {
    transfer->failure = failure;
    return count + 1;
}

static size_t on_body(char *data, size_t size, size_t count, void *arg) {
    larder_transfer *transfer = arg;
    count *= size;
    bool is_too_large = count > transfer->max_body - transfer->body_length;
    if (transfer->discard_body) {
        transfer->had_enough = is_too_large;
        transfer->body_length += is_too_large ? 0 : count;
        return is_too_large ? count + 1 : count;
    }
    if (is_too_large) {
        return fail(transfer, LARDER_CLIENT_BODY_TOO_LARGE, count);
    }
    if (transfer->take_body) {
        transfer->take_body(transfer->context, (const unsigned char *)data, count, announced_length(transfer));
        transfer->body_length += count;
        return count;
    }
    bool has_room = transfer->body || reserve_body(transfer);
    if (!has_room || !append(&transfer->body, &transfer->body_length, &transfer->body_capacity, data, count)) {
        return fail(transfer, LARDER_CLIENT_OTHER, count);
    }
    return count;
}

/* Called with one line at a time: of interim responses and trailers, too. */
static size_t on_header(char *line, size_t size, size_t count, void *arg) {
    larder_transfer *transfer = arg;
    count *= size;
    if (count >= 5 && memcmp(line, "HTTP/", 5) == 0) {
        transfer->headers_length = 0;
        transfer->head_complete = 0;
        return count;
    }
    if (transfer->head_complete || line[0] == '\r' || line[0] == '\n') {
        transfer->head_complete = 1;
        return count;
    }
    if (count > max_headers - transfer->headers_length) {
        return fail(transfer, LARDER_CLIENT_PROTOCOL, count);
    }
    unsigned char **headers = (unsigned char **)&transfer->headers;
    if (!append(headers, &transfer->headers_length, &transfer->headers_capacity, line, count)) {
        return fail(transfer, LARDER_CLIENT_OTHER, count);
    }
    return count;
}

static int add_header(larder_transfer *transfer, const char *line) {
    struct curl_slist *longer = curl_slist_append(transfer->header_lines, line);
    if (!longer) {
        return 0;
    }
    transfer->header_lines = longer;
    return 1;
}

static int set_body(larder_transfer *transfer, const larder_client_request *request) {
    if (request->body_length == 0) {
        /* Servers respond with 411 to a POST without Content-Length. */
        return add_header(transfer, "Content-Length: 0");
    }
    /* The length first: libcurl copies as many bytes. */
    curl_easy_setopt(transfer->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    /* Without "Expect: 100-continue", which many servers ignore for a second. */
    return curl_easy_setopt(transfer->easy, CURLOPT_COPYPOSTFIELDS, (const char *)request->body) == CURLE_OK &&
           add_header(transfer, "Expect:");
}

static int set_method_and_headers(larder_transfer *transfer, const larder_client_request *request) {
    for (const char *line = request->header_lines; *line; line += strlen(line) + 1) {
        if (!add_header(transfer, line)) {
            return 0;
        }
    }
    if (strcmp(request->method, "HEAD") == 0) {
        curl_easy_setopt(transfer->easy, CURLOPT_NOBODY, 1L);
    } else if (strcmp(request->method, "GET") != 0) {
        curl_easy_setopt(transfer->easy, CURLOPT_CUSTOMREQUEST, request->method);
        if (!set_body(transfer, request)) {
            return 0;
        }
    }
    if (transfer->header_lines) {
        curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->header_lines);
    }
    return 1;
}

static void set_limits(CURL *easy, const larder_client_request *request) {
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout_ms);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, request->total_timeout_ms);
    /* The length in the response to HEAD is of a body that does not follow, and a probe ignores the body. */
    if (!request->discard_body && strcmp(request->method, "HEAD") != 0) {
        curl_easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)request->max_body);
    }
    if (request->connect_only) {
        curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
        curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
        curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    }
}

static void set_manners(CURL *easy) {
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    /* Otherwise ending a transfer during name resolution waits for the resolver, and blocks the loop. */
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
}

static void set_callbacks(larder_transfer *transfer) {
    CURL *easy = transfer->easy;
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->message);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    /* A catalogue has megabytes, and the default of 16 KB would take four times as many calls. */
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 64L * 1024);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    larder_transfer_guard_reuse(transfer);
}

larder_transfer *larder_transfer_new(larder_client *client, const larder_client_request *request,
                                     larder_client_done_fn done, void *context) {
    larder_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) {
        return NULL;
    }
    transfer->client = client;
    transfer->done = done;
    transfer->take_body = request->take_body;
    transfer->context = context;
    transfer->max_body = request->max_body;
    transfer->discard_body = request->discard_body != 0;
    transfer->connect_only = request->connect_only != 0;
    transfer->easy = curl_easy_init();
    /* These are copied and can fail without memory; the other options are numbers and pointers. */
    if (!transfer->easy || curl_easy_setopt(transfer->easy, CURLOPT_URL, request->url) != CURLE_OK ||
        curl_easy_setopt(transfer->easy, CURLOPT_USERAGENT, request->user_agent) != CURLE_OK ||
        !set_method_and_headers(transfer, request) || !larder_transfer_set_options(transfer, &request->options)) {
        larder_transfer_free(transfer);
        return NULL;
    }
    set_manners(transfer->easy);
    set_limits(transfer->easy, request);
    set_callbacks(transfer);
    return transfer;
}

void larder_transfer_finish(larder_transfer *transfer, CURLcode code, int cancelled) {
    larder_client_result result = {
        .error = cancelled ? LARDER_CLIENT_CANCELLED : larder_transfer_classify(transfer, code),
        .message = larder_transfer_words(transfer, code),
        .headers = transfer->headers,
        .headers_length = transfer->headers_length,
        .body = transfer->body,
        .body_length = transfer->body ? transfer->body_length : 0,
    };
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &result.status);
    curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &result.proxy_status);
    if (transfer->has_seen && code == CURLE_PEER_FAILED_VERIFICATION) {
        result.certificate = &transfer->seen.known;
    }
    transfer->done(transfer->context, &result);
    larder_transfer_free(transfer);
}

void larder_transfer_free(larder_transfer *transfer) {
    if (transfer->easy) {
        curl_easy_cleanup(transfer->easy);
    }
    curl_slist_free_all(transfer->header_lines);
    curl_slist_free_all(transfer->connect_to);
    free(transfer->headers);
    free(transfer->body);
    free(transfer);
}
