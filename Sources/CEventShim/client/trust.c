#include "larder_tls.h"

#include <stdbool.h>
#include <stdio.h>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

/* Without this callback OpenSSL would prompt for a passphrase on the terminal. */
static int refuse_passphrase(char *buffer, int size, int is_writing, void *arg) {
    (void)buffer;
    (void)size;
    (void)is_writing;
    (void)arg;
    return -1;
}

static const char *trust(SSL_CTX *context, const larder_trust_source *source) {
    if (source->roots_size == 0) {
        return SSL_CTX_set_default_verify_paths(context) == 1 ? NULL : "the system's roots cannot be read";
    }
    BIO *text = BIO_new_mem_buf(source->roots, (int)source->roots_size);
    int count = 0;
    X509 *root;
    while (text && (root = PEM_read_bio_X509_AUX(text, NULL, refuse_passphrase, NULL))) {
        count += X509_STORE_add_cert(SSL_CTX_get_cert_store(context), root) == 1;
        X509_free(root);
    }
    bool is_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    BIO_free(text);
    if (is_end && count > 0) {
        ERR_clear_error();
        return NULL;
    }
    return "the file of trusted roots holds no certificate, or a broken one";
}

static const char *use_chain(SSL_CTX *context, BIO *text) {
    X509 *certificate = PEM_read_bio_X509_AUX(text, NULL, refuse_passphrase, NULL);
    if (!certificate) {
        return "the certificate's file holds none";
    }
    int is_used = SSL_CTX_use_certificate(context, certificate);
    X509_free(certificate);
    while (is_used == 1 && (certificate = PEM_read_bio_X509(text, NULL, refuse_passphrase, NULL))) {
        if (SSL_CTX_add0_chain_cert(context, certificate) != 1) {
            X509_free(certificate);
            is_used = 0;
        }
    }
    return is_used == 1 ? NULL : "the certificate cannot be used";
}

static const char *use_key(SSL_CTX *context, BIO *text) {
    EVP_PKEY *key = PEM_read_bio_PrivateKey(text, NULL, refuse_passphrase, NULL);
    if (!key) {
        return "the key's file holds none, or one with a passphrase";
    }
    int fits = X509_check_private_key(SSL_CTX_get0_certificate(context), key) == 1 &&
               SSL_CTX_use_PrivateKey(context, key) == 1;
    EVP_PKEY_free(key);
    return fits ? NULL : "the key belongs to another certificate";
}

static const char *identify(SSL_CTX *context, const larder_trust_source *source) {
    if (source->chain_size == 0 || source->key_size == 0) {
        return source->chain_size == source->key_size ? NULL : "a certificate and its key belong together";
    }
    ERR_clear_error();
    BIO *chain = BIO_new_mem_buf(source->chain, (int)source->chain_size);
    BIO *key = BIO_new_mem_buf(source->key, (int)source->key_size);
    const char *problem = chain && key ? use_chain(context, chain) : "no memory";
    if (!problem) {
        ERR_clear_error();
        problem = use_key(context, key);
    }
    BIO_free(chain);
    BIO_free(key);
    return problem;
}

/* A read returns after each record, so that a server that sends no application data cannot keep the loop within one; so
 * does a write. */
static void configure(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_security_level(context, 2);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
}

larder_trust *larder_trust_new(const larder_trust_source *source, char *error, size_t size) {
    ERR_clear_error();
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    const char *problem = "no memory";
    if (context) {
        configure(context);
        problem = trust(context, source);
        problem = problem ? problem : identify(context, source);
    }
    if (problem) {
        const char *words = ERR_reason_error_string(ERR_peek_last_error());
        snprintf(error, size, words ? "%s (%s)" : "%s", problem, words);
        SSL_CTX_free(context);
        context = NULL;
    }
    ERR_clear_error();
    return context;
}

void larder_trust_free(larder_trust *trust) {
    SSL_CTX_free(trust);
}
