/* SPDX-License-Identifier: MIT */
/* poller_seeded.c - descriptors of the tests: numbers that a scenario makes ready, and pollers that wait for them. */
#include "port_poller.h"

#include <errno.h>
#include <string.h>

#include "fibers.h"
#include "scheduler.h"

enum { DESCRIPTORS = 8, POLLERS = 4 };

typedef struct watches {
    int want[DESCRIPTORS];
    uint32_t mark[DESCRIPTORS];
    bool fetched[DESCRIPTORS];
    const fiber *waiter; /* the last one */
} watches;

static int ready[DESCRIPTORS];
static bool open[DESCRIPTORS];
static ufp_poller *pollers[POLLERS];

static bool known(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS && open[fd];
}

void seeded_descriptor(int fd, int is)
{
    fiber_point();
    open[fd] = true;
    ready[fd] = is;
    for (int i = 0; i < POLLERS; i++) {
        if (pollers[i] && is) ufp_notifier_notify(&pollers[i]->notifier); /* spurious wake-up */
    }
}

int ufp_descriptor_poll(int fd, int want)
{
    fiber_point();
    return known(fd) ? ready[fd] & want : -EBADF;
}

int ufp_descriptor_close(int fd)
{
    fiber_point();
    if (!known(fd)) return EBADF;
    open[fd] = false;
    ready[fd] = 0;
    return 0;
}

void ufp_error_text(int error, char *text, size_t size)
{
    strncpy(text, error == EBADF ? "Bad file descriptor" : "another error", size - 1);
    text[size - 1] = '\0';
}

/* -- pollers ----------------------------------------------------------------------------------------------------- */

int ufp_poller_open(ufp_poller *poller)
{
    int place = 0;
    while (pollers[place]) {
        if (++place == POLLERS) schedule_fail("too many pollers");
    }
    pollers[place] = poller;
    poller->state = ufp_allocate(sizeof(watches));
    poller->fd_covers_descriptors = false;
    poller->keeps_watches = false;
    int const error = ufp_notifier_open(&poller->notifier);
    poller->fd = poller->notifier.fd;
    return error;
}

void ufp_poller_close(ufp_poller *poller)
{
    for (int i = 0; i < POLLERS; i++) {
        if (pollers[i] == poller) pollers[i] = NULL;
    }
    ufp_notifier_close(&poller->notifier);
    ufp_free(poller->state);
}

void seeded_pollers_end(void)
{
    for (int i = 0; i < POLLERS; i++) {
        watches const *const r = pollers[i] ? pollers[i]->state : NULL;
        if (r && r->waiter && fiber_is_detached(r->waiter)) ufp_poller_close(pollers[i]);
    }
}

int ufp_poller_watch(ufp_poller *poller, int fd, int want, uint32_t *mark)
{
    watches *const r = poller->state;
    fiber_point();
    if (!known(fd)) return EBADF;
    if (!*mark) *mark = 1;
    r->want[fd] = want;
    r->mark[fd] = *mark;
    return 0;
}

void ufp_poller_forget(ufp_poller *poller, int fd)
{
    watches *const r = poller->state;
    if (fd >= 0 && fd < DESCRIPTORS) r->want[fd] = 0;
}

int ufp_poller_renew(ufp_poller *poller)
{
    (void)poller;
    return 0; /* it keeps no watches */
}

bool ufp_poller_nest(ufp_poller *poller, const ufp_poller *other)
{
    (void)poller;
    (void)other;
    return false;
}

static bool fetch(ufp_poller *poller)
{
    watches *const r = poller->state;
    bool any = false;
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        r->fetched[fd] = (r->want[fd] & ready[fd]) != 0;
        any = any || r->fetched[fd];
    }
    return any;
}

void ufp_poller_wait(ufp_poller *first, int64_t deadline)
{
    bool any = false;
    ((watches *)first->state)->waiter = fiber_self();
    fiber_point();
    for (ufp_poller *p = first; p; p = p->next) any = fetch(p) || any;
    if (any || deadline == 0) return;
    schedule_wait_bell(first->notifier.fd, deadline);
    for (ufp_poller *p = first; p; p = p->next) (void)fetch(p);
}

bool ufp_poller_take(ufp_poller *poller, ufp_event *event)
{
    watches *const r = poller->state;
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        if (!r->fetched[fd]) continue;
        *event = (ufp_event){.fd = fd, .mark = r->mark[fd], .ready = ready[fd]};
        r->fetched[fd] = false;
        r->want[fd] = 0;
        return true;
    }
    ufp_notifier_drain(&poller->notifier);
    return false;
}

void seeded_descriptors_begin(void)
{
    memset(ready, 0, sizeof ready);
    memset(open, 0, sizeof open);
    memset(pollers, 0, sizeof pollers);
}
