#ifndef TLS_H
#define TLS_H

#include "larder_tls.h"

/* A certificate of Tests/TestSupport/Certificates, relative to the working directory. */
larder_certificate *tls_certificate(const char *name);

/* Those that cannot be served with. */
void tls_bad_certificates(void);

/* The lives of encrypted connections. The server is to be encrypted by `tls`, with the first certificate. */
void tls(larder_tls *tls);

#endif
