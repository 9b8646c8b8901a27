#include "internal.h"

/* The files are passed by content: libcurl compares it before it reuses a connection or a TLS session, so that both end
 * with a file that has changed. By name, both would outlive the change, and so would the roots that it caches. */
static int set_pem(CURL *easy, CURLoption option, const larder_client_pem *pem) {
    struct curl_blob blob = {.data = (void *)pem->bytes, .len = pem->size, .flags = CURL_BLOB_COPY};
    return pem->size == 0 || curl_easy_setopt(easy, option, &blob) == CURLE_OK;
}

static int set_tls(CURL *easy, const larder_client_options *options) {
    if (options->skips_verification) {
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    }
    if (options->roots.size > 0) {
        /* Otherwise Debian's libcurl trusts the system's folder of roots as well. */
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    return set_pem(easy, CURLOPT_CAINFO_BLOB, &options->roots) && set_pem(easy, CURLOPT_SSLCERT_BLOB, &options->chain) &&
           set_pem(easy, CURLOPT_SSLKEY_BLOB, &options->key);
}

/* Passes empty texts, not NULL: for NULL, libcurl reads http_proxy and no_proxy from the environment. */
static int set_proxy(CURL *easy, const larder_client_options *options) {
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    return curl_easy_setopt(easy, CURLOPT_PROXY, options->proxy ? options->proxy : "") == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_NOPROXY, "") == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PROXYUSERNAME, options->proxy_user) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_PROXYPASSWORD, options->proxy_password) == CURLE_OK;
}

static int set_address(larder_transfer *transfer, const larder_client_options *options) {
    CURL *easy = transfer->easy;
    if (options->ip_version) {
        long version = options->ip_version == 4 ? CURL_IPRESOLVE_V4 : CURL_IPRESOLVE_V6;
        curl_easy_setopt(easy, CURLOPT_IPRESOLVE, version);
    }
    if (options->connect_to) {
        transfer->connect_to = curl_slist_append(NULL, options->connect_to);
        curl_easy_setopt(easy, CURLOPT_CONNECT_TO, transfer->connect_to);
    }
    return (!options->connect_to || transfer->connect_to) &&
           curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, options->unix_socket) == CURLE_OK;
}

int larder_transfer_set_options(larder_transfer *transfer, const larder_client_options *options) {
    transfer->by_proxy = options->proxy != NULL;
    transfer->at_socket = options->unix_socket != NULL;
    if (!options->skips_verification) {
        larder_transfer_watch_certificates(transfer);
    }
    return set_tls(transfer->easy, options) && set_proxy(transfer->easy, options) && set_address(transfer, options);
}
