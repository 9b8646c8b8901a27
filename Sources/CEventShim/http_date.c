#include "server_internal.h"

#include <stdio.h>

/* Not strftime, whose names follow the process's locale. */
void larder_http_date(time_t second, char line[40]) {
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct tm at;
    gmtime_r(&second, &at);
    snprintf(line, 40, "Date: %s, %02u %s %04u %02u:%02u:%02u GMT\r\n", days[at.tm_wday], (unsigned)at.tm_mday % 100,
        months[at.tm_mon], (unsigned)(at.tm_year + 1900) % 10000, (unsigned)at.tm_hour % 100,
        (unsigned)at.tm_min % 100, (unsigned)at.tm_sec % 100);
}
