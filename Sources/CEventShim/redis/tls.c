#include "internal.h"

#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/* An address is compared with the addresses in the certificate, a name with its names; only names are sent. */
static bool expect_host(SSL *ssl, const char *host) {
    X509_VERIFY_PARAM *parameters = SSL_get0_param(ssl);
    if (X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1) {
        return true;
    }
    ERR_clear_error();
    X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1 && SSL_set_tlsext_host_name(ssl, host) == 1;
}

struct bufferevent *larder_redis_tls_bufferevent(
    struct event_base *base, const larder_trust *tls, const char *host, int flags) {
    /* Takes a reference to the context and does not change it otherwise. */
    SSL *ssl = SSL_new((SSL_CTX *)tls);
    if (!ssl) {
        return NULL;
    }
    if (!expect_host(ssl, host)) {
        SSL_free(ssl);
        return NULL;
    }
    struct bufferevent *bev = bufferevent_openssl_socket_new(base, -1, ssl, BUFFEREVENT_SSL_CONNECTING, flags);
    if (bev) {
        bufferevent_openssl_set_allow_dirty_shutdown(bev, 1);
    }
    return bev;
}

const char *larder_redis_tls_problem(struct bufferevent *bev) {
    SSL *ssl = bufferevent_openssl_get_ssl(bev);
    if (!ssl) {
        return NULL;
    }
    long result = SSL_get_verify_result(ssl);
    if (result != X509_V_OK) {
        return X509_verify_cert_error_string(result);
    }
    unsigned long error = bufferevent_get_openssl_error(bev);
    return error ? ERR_reason_error_string(error) : NULL;
}
