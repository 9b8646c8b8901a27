#include "internal.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

static long system_error(const larder_transfer *transfer) {
    long error = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &error);
    return error;
}

/* libcurl speaks of port 80 of the URL's host also where it connects to a unix socket. */
const char *larder_transfer_words(const larder_transfer *transfer, CURLcode code) {
    long error = system_error(transfer);
    if (transfer->at_socket && code == CURLE_COULDNT_CONNECT && error != 0) {
        return strerror((int)error);
    }
    return transfer->message[0] ? transfer->message : curl_easy_strerror(code);
}

static larder_client_error classify_connect(const larder_transfer *transfer) {
    switch (system_error(transfer)) {
        case ECONNREFUSED: return LARDER_CLIENT_REFUSED;
        case ETIMEDOUT: return LARDER_CLIENT_CONNECT_TIMEOUT;
        case ECONNRESET: return LARDER_CLIENT_RESET;
        default: return LARDER_CLIENT_UNREACHABLE;
    }
}

/* libcurl has one code for a broken connection and for broken chunk framing. Only a broken connection sets errno, and
 * not over TLS. */
static larder_client_error classify_receive(const larder_transfer *transfer) {
    const char *scheme = NULL;
    curl_easy_getinfo(transfer->easy, CURLINFO_SCHEME, &scheme);
    /* A server of TLS 1.3 refuses the client's certificate after the handshake. */
    if (strstr(transfer->message, " alert ")) {
        return LARDER_CLIENT_TLS;
    }
    int is_plain = scheme && strcasecmp(scheme, "http") == 0;
    return is_plain && system_error(transfer) == 0 ? LARDER_CLIENT_PROTOCOL : LARDER_CLIENT_RESET;
}

/* Whether the proxy is at fault: libcurl has the codes of the upstream for most of its failures. Over plain HTTP the
 * connection is the proxy's; otherwise the proxy makes it by a response of 200 to CONNECT. */
static int is_of_proxy(const larder_transfer *transfer, CURLcode code) {
    long status = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &status);
    if (!transfer->by_proxy || transfer->connected || status / 100 == 2) {
        return 0;
    }
    switch (code) {
        case CURLE_COULDNT_RESOLVE_PROXY:
        case CURLE_PROXY:
        case CURLE_COULDNT_CONNECT:
        case CURLE_OPERATION_TIMEDOUT:
        case CURLE_GOT_NOTHING:
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR: return 1;
        default: return 0;
    }
}

larder_client_error larder_transfer_classify(const larder_transfer *transfer, CURLcode code) {
    if (transfer->failure != LARDER_CLIENT_OK) {
        return transfer->failure;
    }
    if (transfer->had_enough) {
        return LARDER_CLIENT_OK;
    }
    if (is_of_proxy(transfer, code)) {
        return LARDER_CLIENT_PROXY;
    }
    switch (code) {
        case CURLE_OK:
            /* libcurl reports a connection that ends within the head as an empty success. */
            return transfer->connect_only || transfer->head_complete ? LARDER_CLIENT_OK : LARDER_CLIENT_TRUNCATED;
        case CURLE_COULDNT_RESOLVE_HOST: return LARDER_CLIENT_RESOLVE;
        case CURLE_COULDNT_CONNECT: return classify_connect(transfer);
        case CURLE_OPERATION_TIMEDOUT:
            return transfer->connected ? LARDER_CLIENT_TIMEOUT : LARDER_CLIENT_CONNECT_TIMEOUT;
        case CURLE_GOT_NOTHING:
        case CURLE_SEND_ERROR: return LARDER_CLIENT_RESET;
        case CURLE_RECV_ERROR: return classify_receive(transfer);
        case CURLE_PARTIAL_FILE: return LARDER_CLIENT_TRUNCATED;
        case CURLE_FILESIZE_EXCEEDED: return LARDER_CLIENT_BODY_TOO_LARGE;
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_SSL_CIPHER:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_CRL_BADFILE:
        case CURLE_SSL_ISSUER_ERROR:
        case CURLE_SSL_INVALIDCERTSTATUS: return LARDER_CLIENT_TLS;
        case CURLE_UNSUPPORTED_PROTOCOL:
            /* Before the connection it is the URL's scheme, afterwards the upstream's protocol. */
            return transfer->connected ? LARDER_CLIENT_PROTOCOL : LARDER_CLIENT_OTHER;
        case CURLE_WEIRD_SERVER_REPLY:
        case CURLE_BAD_CONTENT_ENCODING: return LARDER_CLIENT_PROTOCOL;
        default: return LARDER_CLIENT_OTHER;
    }
}
