#ifndef LARDER_TRIAL_H
#define LARDER_TRIAL_H

/* Whether the libevent that runs refuses a request framed in two ways at once. Its own version does not tell: Debian's
 * 2.1.12 takes such requests without the security fixes of 2.1.12-stable-8+deb12u1 and refuses them with these.
 *
 * Asks an evhttp of its own over the loopback interface, which takes less than a millisecond and never over a quarter
 * of a second. 1 when it does, 0 when it does not, -1 when it cannot be told, as without a loopback interface. */
int larder_libevent_trial(void);

/* The version of libevent that runs, as 0xMMmmpp00. */
unsigned larder_libevent_number(void);

#endif
