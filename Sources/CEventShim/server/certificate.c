#include "larder_tls.h"
#include "tickets.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

/* Without this callback OpenSSL would prompt for a passphrase on the terminal. */
static int refuse_passphrase(char *buffer, int size, int is_writing, void *asked) {
    (void)buffer;
    (void)size;
    (void)is_writing;
    *(bool *)asked = true;
    return -1;
}

/* Chooses from ALPN's offer. There is no HTTP/2, and a client that offers nothing else gets an alert. */
static int choose_protocol(
    SSL *ssl, const unsigned char **chosen, unsigned char *chosen_size, const unsigned char *offered, unsigned size,
    void *arg) {
    static const unsigned char spoken[] = "\x08http/1.1\x08http/1.0";
    (void)ssl;
    (void)arg;
    int found = SSL_select_next_proto(
        (unsigned char **)chosen, chosen_size, spoken, sizeof spoken - 1, offered, size);
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/* Mozilla's intermediate profile, without DHE, which makes the server compute more than the client. */
static const char ciphers[] =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
static const char groups[] = "X25519:prime256v1:secp384r1";

/* Level 2 requires 112 bits of security, as RSA of 2048 bits has. Idle connections release their buffers, which are
 * most of their memory. A read returns after each record, so that a client that sends no data cannot keep the loop
 * within one. Sessions are resumed by tickets, which clients store. */
static void configure(SSL_CTX *context, larder_tls_version minimum) {
    SSL_CTX_set_min_proto_version(context, minimum == LARDER_TLS_1_3 ? TLS1_3_VERSION : TLS1_2_VERSION);
    SSL_CTX_set_security_level(context, 2);
    SSL_CTX_set_cipher_list(context, ciphers);
    SSL_CTX_set1_groups_list(context, groups);
    SSL_CTX_set_options(
        context, SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA | SSL_OP_NO_RENEGOTIATION |
                     SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, NULL);
}

/* The other certificates of the chain, to the end of the text. */
static larder_certificate_result add_issuers(SSL_CTX *context, BIO *text, bool *asked) {
    X509 *issuer;
    while ((issuer = PEM_read_bio_X509(text, NULL, refuse_passphrase, asked))) {
        if (SSL_CTX_add0_chain_cert(context, issuer) != 1) {
            X509_free(issuer);
            return LARDER_CERTIFICATE_REFUSED;
        }
    }
    bool is_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    return is_end ? LARDER_CERTIFICATE_OK : LARDER_CERTIFICATE_MISSING;
}

static larder_certificate_result use_chain(SSL_CTX *context, BIO *text) {
    bool asked = false;
    X509 *own = PEM_read_bio_X509_AUX(text, NULL, refuse_passphrase, &asked);
    if (!own) {
        return LARDER_CERTIFICATE_MISSING;
    }
    bool is_used = SSL_CTX_use_certificate(context, own) == 1;
    X509_free(own);
    return is_used ? add_issuers(context, text, &asked) : LARDER_CERTIFICATE_REFUSED;
}

/* Compared here because OpenSSL silently keeps a key of another type next to the certificate's. */
static larder_certificate_result use_key(SSL_CTX *context, BIO *text) {
    bool asked = false;
    EVP_PKEY *key = PEM_read_bio_PrivateKey(text, NULL, refuse_passphrase, &asked);
    if (!key) {
        return asked ? LARDER_CERTIFICATE_KEY_ENCRYPTED : LARDER_CERTIFICATE_KEY_MISSING;
    }
    larder_certificate_result result = LARDER_CERTIFICATE_OK;
    if (X509_check_private_key(SSL_CTX_get0_certificate(context), key) != 1) {
        result = LARDER_CERTIFICATE_KEY_MISMATCH;
    } else if (SSL_CTX_use_PrivateKey(context, key) != 1) {
        result = LARDER_CERTIFICATE_FAILED;
    }
    EVP_PKEY_free(key);
    return result;
}

static larder_certificate_result use(SSL_CTX *context, const larder_certificate_source *source) {
    BIO *chain = BIO_new_mem_buf(source->chain, (int)source->chain_size);
    BIO *key = BIO_new_mem_buf(source->key, (int)source->key_size);
    larder_certificate_result result = LARDER_CERTIFICATE_FAILED;
    if (chain && key) {
        result = use_chain(context, chain);
        result = result == LARDER_CERTIFICATE_OK ? use_key(context, key) : result;
    }
    BIO_free(chain);
    BIO_free(key);
    return result;
}

larder_certificate_result larder_certificate_new(
    const larder_certificate_source *source, larder_certificate **made, char *error, size_t size) {
    ERR_clear_error();
    larder_certificate_result result = LARDER_CERTIFICATE_FAILED;
    *made = SSL_CTX_new(TLS_server_method());
    if (*made) {
        configure(*made, source->minimum);
        result = larder_tickets_use(*made) ? use(*made, source) : LARDER_CERTIFICATE_FAILED;
    }
    if (result != LARDER_CERTIFICATE_OK) {
        const char *words = ERR_reason_error_string(ERR_peek_last_error());
        snprintf(error, size, "%s", words ? words : "no reason is known");
        SSL_CTX_free(*made);
        *made = NULL;
    }
    ERR_clear_error();
    return result;
}

void larder_certificate_release(larder_certificate *certificate) {
    SSL_CTX_free(certificate);
}

static int64_t seconds_of(const ASN1_TIME *time) {
    struct tm at = {0};
    return ASN1_TIME_to_tm(time, &at) == 1 ? (int64_t)timegm(&at) : 0;
}

void larder_certificate_validity(const larder_certificate *certificate, int64_t *from, int64_t *until) {
    const X509 *own = SSL_CTX_get0_certificate(certificate);
    *from = seconds_of(X509_get0_notBefore(own));
    *until = seconds_of(X509_get0_notAfter(own));
}
