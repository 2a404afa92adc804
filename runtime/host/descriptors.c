/* descriptors.c - file descriptors that flows wait for. Everything here is the driving thread's, except for the notifier.
 *
 * Whoever begins to wait is told at once if the descriptor is ready; otherwise it is watched, until it was told once. So each
 * await costs one look and, if it has to wait, one call to watch; leaving one costs nothing. */
#include "host.h"

#include <errno.h>

/* Of one number. */
struct descriptor {
    uf_arm *arms;  /* that wait for it: the last of a circular list */
    uint32_t mark; /* of the poller; 0: it was never watched */
};

static int want_of(const uf_arm *arm)
{
    return arm->kind == UF_ARM_READABLE ? UFP_READABLE : UFP_WRITABLE;
}

/* What all of those want that have not been told. */
static int wanted(const struct descriptor *d)
{
    uf_arm const *arm = d->arms;
    int want = 0;

    if (!arm) return 0;
    do {
        arm = arm->next;
        if (arm->state == UF_ARM_PENDING) want |= want_of(arm);
    } while (arm != d->arms);
    return want;
}

static void settle(const struct descriptor *d, int is, uf_arm_state state, uf_arm_cause cause, int why)
{
    uf_arm *arm = d->arms;

    if (!arm) return;
    do {
        arm = arm->next;
        if (arm->state != UF_ARM_PENDING || !(want_of(arm) & is)) continue;
        arm->state = (uint8_t)state;
        arm->cause = (uint8_t)cause;
        arm->detail.why = (uint16_t)why;
        ufi_wake(arm->owner);
    } while (arm != d->arms);
}

static void fail_all(const struct descriptor *d, int why)
{
    settle(d, UFP_READABLE | UFP_WRITABLE, UF_ARM_FAILED, UF_CAUSE_SYSTEM, why);
}

/* Also those that it was ready for, if their turn is still to come: what they would read from is another one by then. */
static void fail_closed(const struct descriptor *d)
{
    uf_arm *arm = d->arms;

    if (!arm) return;
    do {
        arm = arm->next;
        if (arm->state == UF_ARM_READY) arm->state = UF_ARM_PENDING;
    } while (arm != d->arms);
    settle(d, UFP_READABLE | UFP_WRITABLE, UF_ARM_FAILED, UF_CAUSE_CLOSED, 0);
}

/* -- waiting for one ------------------------------------------------------------------------------------------------- */

static int have_poller(uf_runtime *runtime)
{
    if (runtime->polls) return 0;
    int const error = ufp_poller_open(&runtime->poller);
    runtime->polls = error == 0;
    return error;
}

static int have_room(uf_runtime *runtime, int fd)
{
    size_t const need = (size_t)fd + 1;
    size_t count = runtime->descriptor_count ? runtime->descriptor_count : 32;

    if (need <= runtime->descriptor_count) return 0;
    while (count < need) count *= 2;
    struct descriptor *const more = ufp_allocate(count * sizeof *more);
    if (!more) return ENOMEM;
    if (runtime->descriptors) memcpy(more, runtime->descriptors, runtime->descriptor_count * sizeof *more);
    ufp_free(runtime->descriptors);
    runtime->descriptors = more;
    runtime->descriptor_count = count;
    return 0;
}

static int watch(uf_runtime *runtime, uf_arm *arm)
{
    int error = have_poller(runtime);
    if (!error) error = have_room(runtime, arm->on.fd);
    if (error) return error;

    struct descriptor *const d = &runtime->descriptors[arm->on.fd];
    uint32_t const mark = d->mark;
    error = ufp_poller_watch(&runtime->poller, arm->on.fd, wanted(d) | want_of(arm), &d->mark);
    if (mark != d->mark) fail_closed(d); /* they wait for what the number was before */
    if (error) return error;
    ufi_arms_append(&d->arms, arm);
    runtime->descriptors_waited++;
    return 0;
}

void ufh_watch(uf_pump *pump, uf_arm *arm)
{
    int const is = ufp_descriptor_look(arm->on.fd, want_of(arm));
    int const error = is < 0 ? -is : is == 0 ? watch(ufh_of(pump), arm) : 0;

    if (is > 0) arm->state = UF_ARM_READY;
    if (!error) return;
    arm->state = UF_ARM_FAILED;
    arm->cause = UF_CAUSE_SYSTEM;
    arm->detail.why = (uint16_t)error;
}

void ufh_unwatch(uf_pump *pump, uf_arm *arm)
{
    uf_runtime *const runtime = ufh_of(pump);
    ufi_arms_remove(&runtime->descriptors[arm->on.fd].arms, arm);
    runtime->descriptors_waited--;
}

/* -- waiting for all of them ------------------------------------------------------------------------------------------- */

static void tell(uf_runtime *runtime, const ufp_event *event)
{
    struct descriptor *const d = &runtime->descriptors[event->fd];
    int error = 0;

    if (event->mark != d->mark) return;
    if (event->gone) fail_closed(d);
    settle(d, event->is, UF_ARM_READY, UF_CAUSE_NONE, 0);
    int const rest = wanted(d);
    uint32_t const mark = d->mark;
    if (rest) error = ufp_poller_watch(&runtime->poller, event->fd, rest, &d->mark);
    if (error) fail_all(d, error);
    else if (mark != d->mark) fail_closed(d);
}

bool ufh_waits_for_descriptors(const uf_runtime *runtime)
{
    if (runtime->descriptors_waited) return true;
    for (const uf_runtime *other = runtime->first_linked; other; other = other->next_linked) {
        if (other->descriptors_waited) return true;
    }
    return false;
}

bool ufh_can_poll(uf_runtime *runtime)
{
    return have_poller(runtime) == 0;
}

bool ufh_cover_descriptors(uf_runtime *runtime)
{
    bool all = runtime->poller.covers;

    for (uf_runtime *other = runtime->first_linked; other; other = other->next_linked) {
        if (other->polls && !other->covered) other->covered = ufp_poller_cover(&runtime->poller, &other->poller);
        all = all && (other->covered || !other->descriptors_waited);
    }
    return all || !ufh_waits_for_descriptors(runtime);
}

void ufh_uncover_descriptors(uf_runtime *runtime, uf_runtime *other)
{
    if (other->covered) ufp_poller_forget(&runtime->poller, other->poller.fd);
    other->covered = false;
}

void ufh_poll(uf_runtime *runtime, uf_time deadline)
{
    ufp_poller *last = &runtime->poller;

    if (deadline != 0 && !ufh_cover_descriptors(runtime) && runtime->poller.covers) {
        uf_time const soon = uf_time_add(ufp_monotonic_now(), runtime->config.stay_interval);
        if (soon < deadline) deadline = soon; /* one that is not covered is looked at from time to time */
    }
    for (uf_runtime *other = runtime->first_linked; other; other = other->next_linked) {
        if (!other->polls) continue;
        last->next = &other->poller;
        last = last->next;
    }
    last->next = NULL;
    ufp_poller_wait(&runtime->poller, deadline);
    runtime->polled = ufp_monotonic_now();
    for (uf_runtime *of = runtime, *next; of; of = next) {
        next = of == runtime ? of->first_linked : of->next_linked;
        for (ufp_event event; of->polls && ufp_poller_take(&of->poller, &event);) tell(of, &event);
    }
}

void ufh_close_descriptors(uf_runtime *runtime)
{
    if (runtime->polls) ufp_poller_close(&runtime->poller);
    ufp_free(runtime->descriptors);
}

/* -- closing one ------------------------------------------------------------------------------------------------------- */

typedef struct closing {
    uf_runtime *runtime;
    int fd;
    uf_status status;
} closing;

static void close_one(void *given)
{
    closing *const wish = given;
    uf_runtime *const runtime = wish->runtime;

    if (wish->fd >= 0 && (size_t)wish->fd < runtime->descriptor_count && runtime->descriptors[wish->fd].mark) {
        ufp_poller_forget(&runtime->poller, wish->fd);
        fail_closed(&runtime->descriptors[wish->fd]);
    }
    wish->status = ufp_descriptor_close(wish->fd) == EBADF ? UF_INVALID : UF_OK;
}

uf_status uf_fd_close(uf_pump *pump, int fd)
{
    if (!ufi_is_pump(pump)) return UF_INVALID;
    if (!pump->host) return UF_UNSUPPORTED;

    closing wish = {.runtime = ufh_of(pump), .fd = fd};
    uf_status const status = ufh_do(wish.runtime, close_one, &wish);
    return status == UF_OK ? wish.status : status;
}
