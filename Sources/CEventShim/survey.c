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

const char *larder_survey_value(const struct evkeyval *field) {
    return field->value + strspn(field->value, " \t");
}

larder_survey larder_survey_fields(const struct evkeyvalq *headers) {
    larder_survey seen = {0};
    const struct evkeyval *field;
    TAILQ_FOREACH(field, headers, next) {
        const char *value = larder_survey_value(field);
        if ((field->key[0] | 0x20) == 'c' && strcasecmp(field->key, "Connection") == 0) {
            seen.connection = seen.connection ? seen.connection : value;
            seen.wants_close = seen.wants_close || has_token(value, "close");
        }
        seen.size += strlen(field->key) + strlen(value) + 2 * sizeof(uint32_t);
        seen.fields++;
    }
    return seen;
}
