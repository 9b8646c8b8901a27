#ifndef LARDER_REFUSAL_FIELDS_H
#define LARDER_REFUSAL_FIELDS_H

#include "server_internal.h"

/* The fields of a refusal that depend on the request and on the owner. */

/* The fields of a text, Allow, and the owner's; what does not fit is left out. */
enum { LARDER_REFUSAL_FIELDS_ROOM = 2048 };

/* A request that evhttp has delivered. */
larder_refused larder_refused_delivered(const larder_request *request);

/* Describes a request that evhttp has not delivered by the bytes in the input buffer, into which it points. */
larder_refused larder_refused_unread(larder_connection *connection);

/* The answer, but for its end of the connection. `fields` must live as long as it. */
larder_reply larder_refusal_reply(
    const larder_server *server, larder_refusal why, const larder_refused *refused,
    char fields[LARDER_REFUSAL_FIELDS_ROOM]);

/* Replaces BODY and CHUNKED by NOT_ALLOWED where no resource has the method. */
larder_refusal larder_refusal_of_body(const larder_connection *connection, larder_refusal why);

#endif
