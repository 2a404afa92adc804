/* port_poller.h - what the runtime with threads needs of a platform to wait for file descriptors. Functions that can fail
 * return 0 or an errno. One thread uses a poller; any may ring its notifier. */
#ifndef UFLOW_PORT_POLLER_H
#define UFLOW_PORT_POLLER_H

#include "port_host.h"

enum { UFP_READABLE = 1, UFP_WRITABLE = 2 };

/* Can it be read, written at this moment? What of `want` it can; a negative errno if it is no descriptor. One that has failed or
 * was hung up can be both. */
int ufp_descriptor_look(int fd, int want);

int ufp_descriptor_close(int fd);

/* The system's text for an errno. */
void ufp_error_text(int error, char *text, size_t size);

typedef struct ufp_poller {
    struct ufp_poller *next; /* the caller's: others that are to be waited for with it; see ufp_poller_wait() */
    int fd;                  /* can be read when there is something to take out of it */
    bool covers;             /* `fd` is about watched descriptors too, not only about the notifier */
    ufp_notifier notifier;
    void *room; /* the port's */
} ufp_poller;

typedef struct ufp_event {
    int fd;
    uint32_t mark;
    int is;    /* UFP_READABLE, UFP_WRITABLE */
    bool gone; /* it was closed */
} ufp_event;

int ufp_poller_open(ufp_poller *poller);
void ufp_poller_close(ufp_poller *poller);
void ufp_poller_ring(ufp_poller *poller);

/* From now on, and until it was told once, whether `fd` can be read or written; instead of what was watched of it before. With
 * `mark` 0: it is watched for the first time. The mark comes back with its events; another one than given says that the
 * number is that of another descriptor now. */
int ufp_poller_watch(ufp_poller *poller, int fd, int want, uint32_t *mark);

/* It is about to be closed. */
void ufp_poller_forget(ufp_poller *poller, int fd);

/* `poller` wakes up for another one as well, until it forgets that one's `fd`; false: it cannot. */
bool ufp_poller_cover(ufp_poller *poller, const ufp_poller *other);

/* Waits until there is something to take out of the first, or of those linked by `next`, which it covers if it can cover any; or
 * ufp_monotonic_now() is `deadline` (0: does not wait; INT64_MAX: never); or for no reason. */
void ufp_poller_wait(ufp_poller *first, int64_t deadline);

/* Takes one event out; false: there is none left of the last wait. Silences the notifier, if that was rung. */
bool ufp_poller_take(ufp_poller *poller, ufp_event *event);

#endif
