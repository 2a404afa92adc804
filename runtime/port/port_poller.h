/* SPDX-License-Identifier: MIT */
/* port_poller.h - the platform functions with which the runtime waits for file descriptors.
 *
 * One thread at a time uses a poller: the thread that drives the runtime. Any thread may notify its notifier. A
 * function that can fail returns 0 or an errno. Descriptors are watched one-shot, so an event ends the watch. If the
 * poller keeps watches, they last until they are replaced, and each wait reports what is ready then. */
#ifndef UFLOW_PORT_POLLER_H
#define UFLOW_PORT_POLLER_H

#include "port_host.h"

enum { UFP_READABLE = 1, UFP_WRITABLE = 2 }; /* bits of `want` and of an event's `ready` */

/* Checks a descriptor without waiting. A descriptor that failed or was hung up counts as both readable and writable.
 * Thread: any.
 * Returns: the bits of `want` that are ready, 0 for none, or a negative errno if `fd` is not an open descriptor. */
int ufp_descriptor_poll(int fd, int want);

/* Thread: any.
 * Returns: 0, or EBADF if `fd` was not open. */
int ufp_descriptor_close(int fd);

/* Copies the system's text for an errno, truncated to `size` with its NUL.
 * Thread: any. */
void ufp_error_text(int error, char *text, size_t size);

typedef struct ufp_poller {
    struct ufp_poller *next;    /* set by the caller for ufp_poller_wait(): the next poller to wait for */
    int fd;                     /* readable when ufp_poller_take() has something to take */
    bool fd_covers_descriptors; /* `fd` becomes readable for watched descriptors too, not only for the notifier */
    bool keeps_watches;         /* set by the caller before the opening; false afterwards: the platform cannot */
    bool keeps_fd;              /* set by the caller before the opening: ufp_poller_renew() must not change `fd` */
    ufp_notifier notifier;
    void *state; /* the port's own */
} ufp_poller;

typedef struct ufp_event {
    int fd;
    uint32_t mark; /* of the watch, see ufp_poller_watch() */
    int ready;     /* UFP_READABLE, UFP_WRITABLE; may hold more than the watch wanted */
    bool closed;   /* `fd` is no longer open; false if the platform cannot tell */
} ufp_event;

/* Opens the notifier and fills in every member except `next`. The caller has zeroed the other members, and may have set
 * `keeps_watches` and `keeps_fd`. */
int ufp_poller_open(ufp_poller *poller);
void ufp_poller_close(ufp_poller *poller);

/* Watches `fd` for the events of `want`, which may be 0. This replaces an earlier watch. *mark identifies the
 * descriptor behind the number: pass 0 for the first watch, and keep what the function stores there. If the function
 * changes a mark that was not 0, the number now belongs to another descriptor. A platform that cannot detect such a
 * change replaces 0 by 1 and does not change other marks. Each event carries the mark of its watch. The caller may
 * watch descriptors between two calls of ufp_poller_take().
 * Returns: 0 or an errno. A descriptor that is not open may be refused, or reported as `closed` by an event. */
int ufp_poller_watch(ufp_poller *poller, int fd, int want, uint32_t *mark);

/* Ends the watch of `fd`, which is about to be closed. Does nothing if `fd` is not watched. */
void ufp_poller_forget(ufp_poller *poller, int fd);

/* Ends all watches of a poller that keeps watches, and all nesting in it; marks begin at 0 again. Call it if a
 * descriptor was closed while a duplicate lives: its watch can no longer be ended, and its events never cease.
 * Returns: 0; an errno, after some milliseconds, and nothing has changed. */
int ufp_poller_renew(ufp_poller *poller);

/* Makes `poller` wake up for `other` too, until ufp_poller_forget(poller, other->fd).
 * Returns: false if the platform cannot nest pollers. */
bool ufp_poller_nest(ufp_poller *poller, const ufp_poller *other);

/* Waits for the time `deadline` of ufp_monotonic_now() (0: does not wait; INT64_MAX: no deadline), or for an event to
 * take from `first` or from the pollers linked by `next`. Where ufp_poller_nest() succeeds, the linked pollers are
 * nested in the first. Spurious wake-ups are allowed. If the system refuses to wait, sleep for some milliseconds
 * instead; otherwise the caller spins. */
void ufp_poller_wait(ufp_poller *first, int64_t deadline);

/* Takes one event of the last wait, in any order, and drains the notifier if it was notified. The caller takes all
 * events before its next wait.
 * Returns: false if no event is left. */
bool ufp_poller_take(ufp_poller *poller, ufp_event *event);

#endif
