#include "log_internal.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <event2/event.h>

static pthread_mutex_t sink_lock = PTHREAD_MUTEX_INITIALIZER;
static larder_log_fn sink;
static void *sink_context;

static void emit(larder_severity severity, const char *message) {
    pthread_mutex_lock(&sink_lock);
    larder_log_fn log = sink;
    void *context = sink_context;
    pthread_mutex_unlock(&sink_lock);
    if (log) {
        log(severity, message, context);
    } else if (severity >= LARDER_WARNING) {
        fprintf(stderr, "libevent: %s\n", message);
    }
}

static larder_severity severity_of(int severity) {
    switch (severity) {
        case EVENT_LOG_DEBUG: return LARDER_DEBUG;
        case EVENT_LOG_MSG: return LARDER_NOTICE;
        case EVENT_LOG_WARN: return LARDER_WARNING;
        default: return LARDER_FATAL;
    }
}

static void on_libevent_message(int severity, const char *message) {
    emit(severity_of(severity), message);
}

/* libevent's state is broken when it calls this, and it must not return: a core dump beats a quiet exit(1). */
static void on_libevent_fatal(int error) {
    larder_log(LARDER_FATAL, "libevent gave up (error %d)", error);
    abort();
}

static void attach(void) {
    event_set_log_callback(on_libevent_message);
    event_set_fatal_callback(on_libevent_fatal);
}

void larder_log_attach(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, attach);
}

void larder_log(larder_severity severity, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    emit(severity, message);
}

void larder_set_log(larder_log_fn log, void *context) {
    larder_log_attach();
    pthread_mutex_lock(&sink_lock);
    sink = log;
    sink_context = context;
    pthread_mutex_unlock(&sink_lock);
}

const char *larder_libevent_version(void) {
    return event_get_version();
}
