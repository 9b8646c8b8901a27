#include "internal.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/* libcurl says why a certificate was refused, but not which one it was. This file records it during the handshake. */

static pthread_once_t indexed = PTHREAD_ONCE_INIT;
static int client_index; /* of an SSL_CTX's client */

static void index_clients(void) {
    client_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL);
}

static void write_name(const X509_NAME *name, char *text, size_t size) {
    BIO *bio = BIO_new(BIO_s_mem());
    text[0] = 0;
    if (!bio) {
        return;
    }
    X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
    int length = BIO_read(bio, text, (int)size - 1);
    text[length > 0 ? length : 0] = 0;
    BIO_free(bio);
}

static void write_address(const ASN1_OCTET_STRING *address, char *text, socklen_t size) {
    int length = ASN1_STRING_length(address);
    if ((length != 4 && length != 16) ||
        !inet_ntop(length == 4 ? AF_INET : AF_INET6, ASN1_STRING_get0_data(address), text, size)) {
        text[0] = 0;
    }
}

/* The names and addresses, with those left out that are neither or hold control characters. */
static void write_names(const X509 *certificate, char *text, size_t size) {
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < sk_GENERAL_NAME_num(names) && used < size; i++) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
        char one[128] = "";
        if (name->type == GEN_DNS) {
            const ASN1_STRING *dns = name->d.dNSName;
            snprintf(one, sizeof one, "%.*s", ASN1_STRING_length(dns), (const char *)ASN1_STRING_get0_data(dns));
        } else if (name->type == GEN_IPADD) {
            write_address(name->d.iPAddress, one, sizeof one);
        }
        int is_plain = one[0] != 0;
        for (const char *c = one; *c; c++) {
            is_plain = is_plain && *c > ' ' && *c < 0x7F;
        }
        if (is_plain) {
            used += (size_t)snprintf(text + used, size - used, used ? ", %s" : "%s", one);
        }
    }
    GENERAL_NAMES_free(names);
}

static int64_t seconds_of(const ASN1_TIME *time) {
    struct tm at = {0};
    return ASN1_TIME_to_tm(time, &at) == 1 ? (int64_t)timegm(&at) : 0;
}

static larder_client_certificate_fault fault_of(int error) {
    switch (error) {
        case X509_V_OK: return LARDER_CERTIFICATE_NAMES_WRONG;
        case X509_V_ERR_CERT_HAS_EXPIRED: return LARDER_CERTIFICATE_EXPIRED;
        case X509_V_ERR_CERT_NOT_YET_VALID: return LARDER_CERTIFICATE_NOT_YET_VALID;
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return LARDER_CERTIFICATE_UNKNOWN_ISSUER;
        default: return LARDER_CERTIFICATE_BAD;
    }
}

static void record(larder_transfer *transfer, const X509 *certificate, int error) {
    larder_seen_certificate *seen = &transfer->seen;
    write_name(X509_get_subject_name(certificate), seen->subject, sizeof seen->subject);
    write_name(X509_get_issuer_name(certificate), seen->issuer, sizeof seen->issuer);
    write_names(certificate, seen->names, sizeof seen->names);
    seen->known = (larder_client_certificate){
        .subject = seen->subject, .issuer = seen->issuer, .names = seen->names,
        .from = seconds_of(X509_get0_notBefore(certificate)), .until = seconds_of(X509_get0_notAfter(certificate)),
        .fault = fault_of(error), .words = X509_verify_cert_error_string(error),
    };
    transfer->has_seen = 1;
}

/* The transfer whose handshake this is. A connection outlives the transfer that has opened it, so it is looked up among
 * those under way. */
static larder_transfer *transfer_of(X509_STORE_CTX *store) {
    const SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    const SSL_CTX *tls = ssl ? SSL_get_SSL_CTX(ssl) : NULL;
    const larder_client *client = tls ? SSL_CTX_get_ex_data(tls, client_index) : NULL;
    larder_transfer *transfer = client ? LIST_FIRST(&client->transfers) : NULL;
    while (transfer && transfer->tls != tls) {
        transfer = LIST_NEXT(transfer, next);
    }
    return transfer;
}

/* Called for each certificate of the chain, the server's own last, up to the first error. */
static int on_verify(int is_good, X509_STORE_CTX *store) {
    X509 *certificate = X509_STORE_CTX_get_current_cert(store);
    if (certificate && (!is_good || X509_STORE_CTX_get_error_depth(store) == 0)) {
        larder_transfer *transfer = transfer_of(store);
        if (transfer) {
            record(transfer, certificate, is_good ? X509_V_OK : X509_STORE_CTX_get_error(store));
        }
    }
    return is_good;
}

static CURLcode on_handshake(CURL *easy, void *tls, void *arg) {
    (void)easy;
    larder_transfer *transfer = arg;
    transfer->tls = tls;
    SSL_CTX_set_ex_data(tls, client_index, transfer->client);
    SSL_CTX_set_verify(tls, SSL_CTX_get_verify_mode(tls), on_verify);
    return CURLE_OK;
}

void larder_transfer_watch_certificates(larder_transfer *transfer) {
    pthread_once(&indexed, index_clients);
    curl_easy_setopt(transfer->easy, CURLOPT_SSL_CTX_FUNCTION, on_handshake);
    curl_easy_setopt(transfer->easy, CURLOPT_SSL_CTX_DATA, transfer);
}
