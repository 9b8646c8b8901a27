#ifndef LARDER_TLS_H
#define LARDER_TLS_H

#include <stddef.h>
#include <stdint.h>

/* A certificate chain with its private key, and the TLS settings of connections. Immutable, so any thread may use it.
 * It is OpenSSL's SSL_CTX, declared here so that callers do not need OpenSSL's headers. */
typedef struct ssl_ctx_st larder_certificate;

/* The certificate of new connections, for all servers that share it. Any thread. */
typedef struct larder_tls larder_tls;

/* The reason why a chain and a key cannot be used. */
typedef enum larder_certificate_result {
    LARDER_CERTIFICATE_OK,
    LARDER_CERTIFICATE_MISSING,       /* the chain holds no certificate in PEM form */
    LARDER_CERTIFICATE_REFUSED,       /* its key or its signature is too weak for OpenSSL */
    LARDER_CERTIFICATE_KEY_MISSING,   /* the key is none in PEM form */
    LARDER_CERTIFICATE_KEY_ENCRYPTED, /* it needs a passphrase */
    LARDER_CERTIFICATE_KEY_MISMATCH,  /* it belongs to another certificate */
    LARDER_CERTIFICATE_FAILED,        /* usually no memory */
} larder_certificate_result;

typedef enum larder_tls_version {
    LARDER_TLS_1_2,
    LARDER_TLS_1_3,
} larder_tls_version;

/* In PEM form. The chain begins with the server's own certificate; each further one issued the one before it. */
typedef struct larder_certificate_source {
    const void *chain;
    size_t chain_size;
    const void *key;
    size_t key_size;
    larder_tls_version minimum;
} larder_certificate_source;

/* On failure `made` is NULL and `error` contains OpenSSL's message, cut to `size`, with nothing of the key. */
larder_certificate_result larder_certificate_new(
    const larder_certificate_source *source, larder_certificate **made, char *error, size_t size);
void larder_certificate_release(larder_certificate *certificate);

/* The validity of the server's own certificate, in seconds since 1970. */
void larder_certificate_validity(const larder_certificate *certificate, int64_t *from, int64_t *until);

/* NULL when there is no memory. The certificate is retained. */
larder_tls *larder_tls_new(larder_certificate *certificate);
void larder_tls_retain(larder_tls *tls);
void larder_tls_release(larder_tls *tls);

/* Uses this certificate for new connections; open ones keep theirs. */
void larder_tls_renew(larder_tls *tls, larder_certificate *certificate);

/* TLS settings of connections to other servers: trusted roots, own certificate. Immutable, and OpenSSL's SSL_CTX, too. */
typedef struct ssl_ctx_st larder_trust;

/* PEM texts, with sizes of 0 for none. They may be overwritten after the call. */
typedef struct larder_trust_source {
    const char *roots; /* without them the system's are trusted */
    size_t roots_size;
    const char *chain; /* the client's own certificate, and its key */
    size_t chain_size;
    const char *key;
    size_t key_size;
} larder_trust_source;

/* Any thread, but not a loop's, since it may read the system's roots. NULL with the reason in `error`. */
larder_trust *larder_trust_new(const larder_trust_source *source, char *error, size_t size);

/* Any thread. Connections made with it continue. */
void larder_trust_free(larder_trust *trust);

#endif
