#ifndef LARDER_LOG_H
#define LARDER_LOG_H

/* How grave a message of libevent or of this shim is. */
typedef enum larder_severity {
    LARDER_DEBUG,
    LARDER_NOTICE,
    LARDER_WARNING,
    LARDER_ERROR,
    LARDER_FATAL, /* the process ends as soon as it has been told */
} larder_severity;

/* Called on whatever thread has something to say; the message lives for the call only. */
typedef void (*larder_log_fn)(larder_severity severity, const char *message, void *context);

/* Any thread, best before the first loop: where messages of libevent and of this shim go. Without one they are lines on
 * standard error. An error that libevent cannot survive is reported here and then ends the process. */
void larder_set_log(larder_log_fn log, void *context);

/* Any thread: the version of the libevent that runs, such as "2.1.12-stable", without distributions' patches. */
const char *larder_libevent_version(void);

#endif
