#ifndef LARDER_REFUSAL_TEXT_H
#define LARDER_REFUSAL_TEXT_H

#include <stddef.h>

#include "larder_refusal.h"

/* A complete answer but for the fields that every answer has. */
typedef struct larder_refusal_text {
    int status;
    const char *reason;
    const char *headers;
    size_t headers_size;
    const char *body;
    size_t body_size;
} larder_refusal_text;

extern const larder_refusal_text larder_refusal_texts[LARDER_REFUSAL_ANSWERS];

#endif
