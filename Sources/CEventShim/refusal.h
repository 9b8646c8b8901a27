#ifndef LARDER_REFUSAL_H
#define LARDER_REFUSAL_H

#include "server_internal.h"

/* The answers this shim gives by itself; each ends its connection. */
typedef enum larder_refusal {
    LARDER_REFUSAL_NONE,
    LARDER_REFUSAL_TARGET,
    LARDER_REFUSAL_HOST,
    LARDER_REFUSAL_CONNECT,
    LARDER_REFUSAL_LENGTH,
    LARDER_REFUSAL_HEAD_BODY,
    LARDER_REFUSAL_OLD_CHUNKED,
    LARDER_REFUSAL_CHUNKED,
    LARDER_REFUSAL_BODY,
    LARDER_REFUSAL_CODING,
    LARDER_REFUSAL_VERSION,
    LARDER_REFUSAL_DEADLINE,
} larder_refusal;

void larder_refuse(larder_request *request, larder_refusal refusal);

#endif
