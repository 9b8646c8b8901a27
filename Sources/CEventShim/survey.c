#include "survey.h"

#include <string.h>
#include <strings.h>

/* Whether a comma-separated list holds a token, whatever its case. evhttp compares the whole value only. */
static bool has_token(const char *list, const char *token) {
    size_t length = strlen(token);
    while (*list) {
        list += strspn(list, " \t,");
        size_t end = strcspn(list, " \t,");
        if (end == length && strncasecmp(list, token, length) == 0) {
            return true;
        }
        list += end;
    }
    return false;
}

static void survey_field(larder_survey *seen, const struct evkeyval *field) {
    switch (field->key[0] | 0x20) {
        case 'h':
            seen->hosts += strcasecmp(field->key, "Host") == 0;
            break;
        case 't':
            seen->encodings += strcasecmp(field->key, "Transfer-Encoding") == 0;
            break;
        case 'c':
            if (strcasecmp(field->key, "Content-Length") == 0) {
                seen->lengths++;
                seen->length = field->value;
            } else if (strcasecmp(field->key, "Connection") == 0) {
                seen->connection = seen->connection ? seen->connection : field->value;
                seen->wants_close = seen->wants_close || has_token(field->value, "close");
            }
            break;
        default:
            break;
    }
}

larder_survey larder_survey_fields(const struct evkeyvalq *headers) {
    larder_survey seen = {0};
    const struct evkeyval *field;
    TAILQ_FOREACH(field, headers, next) {
        survey_field(&seen, field);
        seen.size += strlen(field->key) + strlen(field->value) + 2 * sizeof(uint32_t);
        seen.fields++;
    }
    return seen;
}

larder_refusal larder_survey_body(const larder_survey *seen, const struct evhttp_request *evreq) {
    bool has_body = seen->encodings > 0;
    if (seen->lengths) {
        const char *digits = seen->length;
        if (seen->lengths > 1 || !*digits || digits[strspn(digits, "0123456789")]) {
            return LARDER_REFUSAL_LENGTH;
        }
        has_body = has_body || digits[strspn(digits, "0")];
    }
    if (!has_body) {
        return LARDER_REFUSAL_NONE;
    }
    if (evreq->type == EVHTTP_REQ_HEAD) {
        return LARDER_REFUSAL_HEAD_BODY;
    }
    if (!seen->encodings) {
        return LARDER_REFUSAL_BODY;
    }
    if (evreq->minor == 0) {
        return LARDER_REFUSAL_OLD_CHUNKED;
    }
    return evreq->chunked ? LARDER_REFUSAL_CHUNKED : LARDER_REFUSAL_CODING;
}
