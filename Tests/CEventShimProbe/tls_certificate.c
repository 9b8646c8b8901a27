#include "tls_client.h"
#include "harness.h"

#include <stdio.h>

static size_t read_file(const char *name, char *bytes, size_t size) {
    char path[256];
    snprintf(path, sizeof path, "Tests/TestSupport/Certificates/%s", name);
    FILE *file = fopen(path, "r");
    require(file != NULL, path);
    size_t count = fread(bytes, 1, size, file);
    fclose(file);
    return count;
}

larder_certificate *tls_certificate(const char *name) {
    char chain[4096], key[4096], file[64], error[128];
    larder_certificate *made;
    snprintf(file, sizeof file, "%s.pem", name);
    size_t chain_size = read_file(file, chain, sizeof chain);
    snprintf(file, sizeof file, "%s-test-key.pem", name);
    size_t key_size = read_file(file, key, sizeof key);
    larder_certificate_source source = {
        .chain = chain, .chain_size = chain_size, .key = key, .key_size = key_size, .minimum = LARDER_TLS_1_2};
    require(larder_certificate_new(&source, &made, error, sizeof error) == LARDER_CERTIFICATE_OK, "certificate");
    return made;
}

void tls_bad_certificates(void) {
    static const char rubbish[] = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    char first[4096], key[4096], error[128];
    larder_certificate *made;
    larder_certificate_source source = {.chain = first, .key = key};
    source.chain_size = read_file("first.pem", first, sizeof first);
    source.key_size = read_file("second-test-key.pem", key, sizeof key);
    require(larder_certificate_new(&source, &made, error, sizeof error) == LARDER_CERTIFICATE_KEY_MISMATCH, "mismatch");
    source.key_size = read_file("encrypted-test-key.pem", key, sizeof key);
    require(larder_certificate_new(&source, &made, error, sizeof error) == LARDER_CERTIFICATE_KEY_ENCRYPTED, "locked");
    source.key_size = read_file("first.pem", key, sizeof key);
    require(larder_certificate_new(&source, &made, error, sizeof error) == LARDER_CERTIFICATE_KEY_MISSING, "no key");
    source.chain = rubbish;
    source.chain_size = sizeof rubbish - 1;
    require(larder_certificate_new(&source, &made, error, sizeof error) == LARDER_CERTIFICATE_MISSING, "rubbish");
    require(made == NULL, "nothing is made of bad ones");
}
