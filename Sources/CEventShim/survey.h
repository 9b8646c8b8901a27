#ifndef LARDER_SURVEY_H
#define LARDER_SURVEY_H

#include "refusal.h"

/* What the framing of a request depends on, collected in one walk over its header fields. */
typedef struct larder_survey {
    unsigned hosts;
    unsigned lengths;
    unsigned encodings;
    unsigned fields;
    const char *length;
    const char *connection; /* the first one: evhttp looks at no other */
    bool wants_close;
    size_t size;            /* of all fields as larder_request_copy writes them */
} larder_survey;

larder_survey larder_survey_fields(const struct evkeyvalq *headers);

/* Whether the fields announce a body, and how it has to be refused. */
larder_refusal larder_survey_body(const larder_survey *seen, const struct evhttp_request *evreq);

#endif
