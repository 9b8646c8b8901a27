#ifndef LARDER_SURVEY_H
#define LARDER_SURVEY_H

#include "server_internal.h"

/* What a request's fields say about its connection, and their size, collected in one walk. */
typedef struct larder_survey {
    unsigned fields;
    const char *connection; /* the first one: evhttp looks at no other */
    bool wants_close;
    size_t size;            /* of all fields as larder_request_copy writes them */
} larder_survey;

/* A field's value without the white space before it. evhttp takes a leading tab for a part of the value. */
const char *larder_survey_value(const struct evkeyval *field);

larder_survey larder_survey_fields(const struct evkeyvalq *headers);

#endif
