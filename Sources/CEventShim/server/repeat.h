#ifndef LARDER_REPEAT_H
#define LARDER_REPEAT_H

/* repeat.c: a part of steps.h. */
/* Whether these bytes are the kept head, whose verdict the guard then has. */
bool larder_repeat_find(larder_connection *connection, const char *bytes, size_t size);
/* Keeps the accepted head in place of an earlier one, and returns the place of what the owner makes of it. NULL if it is
 * not kept. */
void **larder_repeat_keep(larder_connection *connection, const char *head, size_t copy_size);
/* That place for the kept head, and the size of its copy. */
void **larder_repeat_recall(larder_connection *connection, size_t *copy_size);
/* Called when the connection ends. */
void larder_repeat_end(larder_connection *connection);

#endif
