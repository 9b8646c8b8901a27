#ifndef LARDER_TLS_H
#define LARDER_TLS_H

#include <stddef.h>
#include <stdint.h>

/* A certificate chain with its private key, and how connections are encrypted with it. Nothing of it changes, so any
 * thread may have it. It is OpenSSL's SSL_CTX, named here so that nobody else needs OpenSSL's headers. */
typedef struct ssl_ctx_st larder_certificate;

/* The certificate of new connections, for all servers that share it. Any thread. */
typedef struct larder_tls larder_tls;

/* Why a chain and a key cannot be served with. */
typedef enum larder_certificate_result {
    LARDER_CERTIFICATE_OK,
    LARDER_CERTIFICATE_MISSING,       /* the chain holds no certificate in PEM form */
    LARDER_CERTIFICATE_REFUSED,       /* OpenSSL serves no such certificate: its key or its signature is too weak */
    LARDER_CERTIFICATE_KEY_MISSING,   /* the key is none in PEM form */
    LARDER_CERTIFICATE_KEY_ENCRYPTED, /* it takes a passphrase, and there is nobody to ask */
    LARDER_CERTIFICATE_KEY_MISMATCH,  /* it belongs to another certificate */
    LARDER_CERTIFICATE_FAILED,        /* no memory, mostly */
} larder_certificate_result;

typedef enum larder_tls_version {
    LARDER_TLS_1_2,
    LARDER_TLS_1_3,
} larder_tls_version;

/* In PEM form. The chain's first certificate is the server's own, each other one has issued the one before it. */
typedef struct larder_certificate_source {
    const void *chain;
    size_t chain_size;
    const void *key;
    size_t key_size;
    larder_tls_version minimum;
} larder_certificate_source;

/* On failure `made` is NULL and `error` holds OpenSSL's words, which tell nothing of the key, cut to `size`. */
larder_certificate_result larder_certificate_new(
    const larder_certificate_source *source, larder_certificate **made, char *error, size_t size);
void larder_certificate_release(larder_certificate *certificate);

/* The validity of the server's own certificate, in seconds since 1970. */
void larder_certificate_validity(const larder_certificate *certificate, int64_t *from, int64_t *until);

/* NULL when there is no memory. The certificate is retained. */
larder_tls *larder_tls_new(larder_certificate *certificate);
void larder_tls_retain(larder_tls *tls);
void larder_tls_release(larder_tls *tls);

/* Gives new connections this certificate; open ones keep theirs. */
void larder_tls_renew(larder_tls *tls, larder_certificate *certificate);

#endif
