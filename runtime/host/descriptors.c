/* SPDX-License-Identifier: MIT */
/* descriptors.c - file descriptors that flows wait for. Everything here runs on the driving thread.
 *
 * Each await makes one system call to have its descriptor watched for one event. It does not poll: the thread asks the
 * poller before it sleeps. Leaving an await costs nothing: a watch that is no longer wanted reports once and ends.
 *
 * A new await always renews the watch. The number may belong to another file by now, because a program may close() a
 * descriptor by itself. The poller would not report that, and a watch that the table still assumes would never report.
 *
 * With `keep_watches` the program promises not to do so, and an await that wants the same events again makes no system
 * call. The poller then reports an event as long as it lasts. An event that no arm waits for ends the watch when the
 * thread is about to sleep. Between rounds, a flow that has left its await may not have read yet. */
#include "host.h"

#include <errno.h>

/* Arms that wait for one event of a descriptor. */
struct waiting {
    uf_arm *arms; /* the last one of a circular list */
    uint32_t pending;
};

enum { EVENTS = 2 }; /* event i is 1 << i: UFP_READABLE, UFP_WRITABLE */

struct descriptor {
    struct waiting for_event[EVENTS];
    uint32_t mark; /* of its watch; 0: not watched since the poller was opened or renewed */
    int watched;   /* the events of a kept watch; 0: there is none */
};

static int want_of(const uf_arm *arm)
{
    return arm->kind == UF_ARM_READABLE ? UFP_READABLE : UFP_WRITABLE;
}

static struct waiting *waiting_with(const uf_runtime *runtime, const uf_arm *arm)
{
    return &runtime->descriptors[arm->on.fd].for_event[want_of(arm) == UFP_WRITABLE];
}

/* The events that the pending arms of a descriptor wait for. */
static int want_of_pending(const struct descriptor *d)
{
    return (d->for_event[0].pending ? UFP_READABLE : 0) | (d->for_event[1].pending ? UFP_WRITABLE : 0);
}

/* Gives the pending arms that wait for one of these events their result, and wakes their flows. `ready_too`: also those
 * that are ready. */
static void complete_arms(struct descriptor *d, int events, uf_arm_state state, uf_arm_cause cause, int why,
                          bool ready_too)
{
    for (int i = 0; i < EVENTS; i++) {
        struct waiting *const waiting = &d->for_event[i];
        uf_arm *arm = waiting->arms;
        if (!(events & 1 << i) || !(waiting->pending || ready_too) || !arm) continue;
        do {
            arm = arm->next;
            if (arm->state != UF_ARM_PENDING && !(ready_too && arm->state == UF_ARM_READY)) continue;
            arm->state = (uint8_t)state;
            arm->cause = (uint8_t)cause;
            arm->detail.why = (uint16_t)why;
            ufi_wake(arm->owner);
        } while (arm != waiting->arms);
        waiting->pending = 0;
    }
}

static void fail_all(struct descriptor *d, uf_arm_cause cause, int why)
{
    complete_arms(d, UFP_READABLE | UFP_WRITABLE, UF_ARM_FAILED, cause, why, false);
}

/* The descriptor was closed. Also fails arms that are ready but whose flow has not had its turn: the flow would use
 * another descriptor of that number. */
static void fail_closed(struct descriptor *d)
{
    complete_arms(d, UFP_READABLE | UFP_WRITABLE, UF_ARM_FAILED, UF_CAUSE_CLOSED, 0, true);
}

/* -- the arms of one descriptor ---------------------------------------------------------------------------------- */

static int open_poller(uf_runtime *runtime)
{
    if (runtime->has_poller) return 0;
    int const error = ufp_poller_open(&runtime->poller);
    runtime->has_poller = error == 0;
    return error;
}

static int reserve_descriptor(uf_runtime *runtime, int fd)
{
    struct descriptor *const all = ufp_grown(runtime->descriptors, &runtime->descriptor_count, (size_t)fd, sizeof *all);
    if (all) runtime->descriptors = all;
    return all ? 0 : ENOMEM;
}

/* Checks that a descriptor is open, if the table does not hold it yet. Its place may cost much memory, and the poller
 * is about to open descriptors, which may have this number. */
static int check_if_new(const uf_runtime *runtime, int fd)
{
    if (fd < 0) return EBADF;
    if (runtime->has_poller && (size_t)fd < runtime->descriptor_count) return 0;
    int const polled = ufp_descriptor_poll(fd, UFP_READABLE);
    return polled < 0 ? -polled : 0;
}

static int watch(uf_runtime *runtime, int fd, int want)
{
    struct descriptor *const d = &runtime->descriptors[fd];

    if (d->watched == want && want) return 0;
    int const error = ufp_poller_watch(&runtime->poller, fd, want, &d->mark);
    d->watched = runtime->poller.keeps_watches && !error ? want : 0;
    return error;
}

static int enqueue_arm(uf_runtime *runtime, uf_arm *arm)
{
    int error = check_if_new(runtime, arm->on.fd);
    if (!error) error = open_poller(runtime);
    if (!error) error = reserve_descriptor(runtime, arm->on.fd);
    if (error) return error;

    struct descriptor *const d = &runtime->descriptors[arm->on.fd];
    uint32_t const mark = d->mark;
    error = watch(runtime, arm->on.fd, want_of_pending(d) | want_of(arm));
    if (mark && mark != d->mark) fail_closed(d); /* the other arms wait for a descriptor that was closed */
    if (error) return error;
    struct waiting *const waiting = waiting_with(runtime, arm);
    ufi_arms_append(&waiting->arms, arm);
    waiting->pending++;
    runtime->descriptor_arms++;
    return 0;
}

/* Sets the state of a pending arm. */
static void set_state(uf_arm *arm, int ready, int error)
{
    if (ready <= 0 && !error) return;
    if (arm->on_list) waiting_with(ufh_runtime_of(arm->owner->pump), arm)->pending--;
    arm->state = UF_ARM_READY;
    if (!error) return;
    arm->state = UF_ARM_FAILED;
    arm->cause = UF_CAUSE_SYSTEM;
    arm->detail.why = (uint16_t)error;
}

void ufh_descriptor_look(uf_arm *arm)
{
    int const ready = ufp_descriptor_poll(arm->on.fd, want_of(arm));
    set_state(arm, ready, ready < 0 ? -ready : 0);
}

void ufh_descriptor_arm_add(uf_pump *pump, uf_arm *arm)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);
    int const error = enqueue_arm(runtime, arm);

    /* A loop may learn only by intervals that a watched descriptor is ready. */
    if (!error && !(runtime->config.embedded && !runtime->poller.fd_covers_descriptors)) return;
    /* Some pollers refuse files, which are always ready. */
    int const ready = error == EBADF ? 0 : ufp_descriptor_poll(arm->on.fd, want_of(arm));
    set_state(arm, ready, ready > 0 ? 0 : error);
}

void ufh_descriptor_arm_remove(uf_pump *pump, uf_arm *arm)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);
    struct waiting *const waiting = waiting_with(runtime, arm);

    if (arm->state == UF_ARM_PENDING) waiting->pending--;
    ufi_arms_remove(&waiting->arms, arm);
    runtime->descriptor_arms--;
}

/* -- polling ----------------------------------------------------------------------------------------------------- */

/* True if an event has ended the watch although arms still wait, or a kept watch reports what no arm waits for. */
static bool must_watch_again(const struct descriptor *d, const ufp_event *event, int wanted, bool sleeps)
{
    return d->watched ? sleeps && event->ready & d->watched & ~wanted : want_of_pending(d);
}

/* Handles an event of a descriptor that the program has closed by itself, and of which a duplicate lives. Its watch
 * cannot be ended, and would report again and again. */
static void drop_all_watches(uf_runtime *runtime)
{
    if (runtime->nested) ufh_unnest_poller(ufp_load_pointer_seq_cst(&runtime->driver), runtime);
    if (ufp_poller_renew(&runtime->poller) != 0) return;
    for (uf_runtime *other = runtime->first_linked; other; other = other->next_linked) other->nested = false;
    for (size_t fd = 0; fd < runtime->descriptor_count; fd++) {
        struct descriptor *const d = &runtime->descriptors[fd];
        d->mark = 0;
        d->watched = 0;
        int const error = want_of_pending(d) ? watch(runtime, (int)fd, want_of_pending(d)) : 0;
        if (error) fail_all(d, UF_CAUSE_SYSTEM, error);
    }
}

static void handle_event(uf_runtime *runtime, const ufp_event *event, bool sleeps)
{
    struct descriptor *const d = &runtime->descriptors[event->fd];

    if (event->mark != d->mark) {
        if (runtime->poller.keeps_watches) drop_all_watches(runtime);
        return;
    }
    if (event->closed) fail_closed(d);
    int const wanted = want_of_pending(d);
    complete_arms(d, event->ready, UF_ARM_READY, UF_CAUSE_NONE, 0, false);
    uint32_t const mark = d->mark;
    int const error = must_watch_again(d, event, wanted, sleeps) ? watch(runtime, event->fd, want_of_pending(d)) : 0;
    if (error) fail_all(d, UF_CAUSE_SYSTEM, error);
    else if (mark != d->mark) fail_closed(d);
    if (error && runtime->poller.keeps_watches) drop_all_watches(runtime);
}

bool ufh_waits_for_descriptors(const uf_runtime *runtime)
{
    for (const uf_runtime *of = runtime; of; of = ufh_next_driven(runtime, of)) {
        if (of->descriptor_arms) return true;
    }
    return false;
}

bool ufh_can_poll(uf_runtime *runtime)
{
    return open_poller(runtime) == 0;
}

bool ufh_nest_pollers(uf_runtime *runtime)
{
    bool complete = runtime->poller.fd_covers_descriptors;

    for (uf_runtime *other = runtime->first_linked; other; other = other->next_linked) {
        if (other->has_poller && !other->nested) other->nested = ufp_poller_nest(&runtime->poller, &other->poller);
        complete = complete && (other->nested || !other->descriptor_arms);
    }
    return complete || !ufh_waits_for_descriptors(runtime);
}

void ufh_unnest_poller(uf_runtime *runtime, uf_runtime *other)
{
    if (other->nested) ufp_poller_forget(&runtime->poller, other->poller.fd);
    other->nested = false;
}

void ufh_poll(uf_runtime *runtime, uf_time deadline)
{
    bool const sleeps = deadline != 0 || runtime->config.embedded;
    ufp_poller *last = &runtime->poller;

    if (deadline != 0 && !ufh_nest_pollers(runtime) && runtime->poller.fd_covers_descriptors) {
        uf_time const soon = uf_time_add(ufp_monotonic_now(), runtime->config.stay_interval);
        if (soon < deadline) deadline = soon; /* a poller that is not nested has to be polled at intervals */
    }
    for (uf_runtime *other = runtime->first_linked; other; other = other->next_linked) {
        if (!other->has_poller) continue;
        last->next = &other->poller;
        last = last->next;
    }
    last->next = NULL;
    ufp_poller_wait(&runtime->poller, deadline);
    runtime->polled_at = ufp_monotonic_now();
    for (uf_runtime *of = runtime, *next; of; of = next) {
        next = ufh_next_driven(runtime, of);
        for (ufp_event event; of->has_poller && ufp_poller_take(&of->poller, &event);) handle_event(of, &event, sleeps);
    }
}

void ufh_close_descriptors(uf_runtime *runtime)
{
    if (runtime->has_poller) ufp_poller_close(&runtime->poller);
    ufp_free(runtime->descriptors);
}

/* -- closing a descriptor ---------------------------------------------------------------------------------------- */

typedef struct close_request {
    uf_pump *pump;
    int fd;
    bool closes; /* or only forgets */
    uf_status status;
} close_request;

static void forget(uf_runtime *runtime, int fd)
{
    if (fd < 0 || (size_t)fd >= runtime->descriptor_count) return;
    ufp_poller_forget(&runtime->poller, fd);
    fail_closed(&runtime->descriptors[fd]);
    runtime->descriptors[fd].watched = 0;
}

static void forget_or_close(void *argument)
{
    close_request *const r = argument;

    if (ufh_is_runtime(r->pump)) forget(ufh_runtime_of(r->pump), r->fd);
    else (void)uf_pump_ready(r->pump, r->fd, UF_DESCRIPTOR_CLOSED);
    if (r->closes) r->status = ufp_descriptor_close(r->fd) == EBADF ? UF_INVALID : UF_OK;
    else r->status = r->fd < 0 ? UF_INVALID : UF_OK;
}

static uf_status request(close_request r)
{
    if (!ufi_is_pump(r.pump)) return UF_INVALID;
    uf_status status = UF_OK;
    if (ufh_is_runtime(r.pump)) status = ufh_run_on_driver(ufh_runtime_of(r.pump), forget_or_close, &r);
    else forget_or_close(&r);
    return status == UF_OK ? r.status : status;
}

uf_status uf_fd_close(uf_pump *pump, int fd)
{
    return request((close_request){.pump = pump, .fd = fd, .closes = true});
}

uf_status uf_fd_forget(uf_pump *pump, int fd)
{
    return request((close_request){.pump = pump, .fd = fd});
}
