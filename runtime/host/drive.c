/* SPDX-License-Identifier: MIT */
/* drive.c - a thread that drives pumps: rounds, sleep and wake-up, and the same in an external loop. */
#include "host.h"

#include "basics/wheel.h"

/* -- sleep and wake-up ------------------------------------------------------------------------------------------- */

static void wake_thread(uf_runtime *runtime)
{
    uint32_t const where =
        ufp_load_seq_cst(&runtime->sleep) ? ufp_exchange_seq_cst(&runtime->sleep, UFH_AWAKE) : UFH_AWAKE;

    if (where == UFH_AT_POLLER) ufp_notifier_notify(&runtime->poller.notifier);
    if (where != UFH_AT_CONDITION) return;
    ufp_mutex_lock(&runtime->sleep_mutex);
    ufp_condition_signal_and_unlock(&runtime->wakeup, &runtime->sleep_mutex);
}

/* Reads the driver after the message was enqueued. If the driver changes just then and the wrong thread is woken, the
 * new driver finds the message when it attaches the pump. The mutex keeps the driver from detaching the pump, and
 * from being freed. */
void ufh_wake(uf_pump *pump)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);

    if (ufp_load_pointer_seq_cst(&runtime->driver) == runtime) {
        wake_thread(runtime);
        return;
    }
    ufp_mutex_lock(&runtime->mutex);
    uf_runtime *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    if (driver != runtime) wake_thread(driver);
    ufp_mutex_unlock(&runtime->mutex);
    if (driver == runtime) wake_thread(runtime);
}

/* The state of another driver could only be read under the mutex, so that case always takes the slow path. */
bool ufh_needs_wake(const uf_pump *pump)
{
    uf_runtime const *const runtime = ufh_runtime_of(pump);
    return ufp_load_pointer_seq_cst(&runtime->driver) != runtime || ufp_load_seq_cst(&runtime->sleep);
}

/* True if a pump that this thread drives has received a message. */
static bool has_messages(const void *driver)
{
    for (const uf_runtime *of = driver; of; of = ufh_next_driven(driver, of)) {
        if (ufp_load_pointer_seq_cst(&of->pump.inbox) || of->pump.messages) return true;
    }
    return false;
}

static void sleep_at_condition(uf_runtime *runtime, uf_time until)
{
    ufp_mutex_lock(&runtime->sleep_mutex);
    while (ufp_load_seq_cst(&runtime->sleep) && !runtime->all_left) {
        if (!ufp_condition_wait(&runtime->wakeup, &runtime->sleep_mutex, until)) break;
    }
    ufp_mutex_unlock(&runtime->sleep_mutex);
}

/* Returns: true if a message has arrived. */
static bool spin_until(uf_runtime *runtime, uf_time until)
{
    if (!ufh_spin_begin(&runtime->spin, runtime->pump.delivered)) return false;
    runtime->spin.arrived = ufh_spin_until(&runtime->spin, has_messages, runtime, until);
    return runtime->spin.arrived;
}

/* Marks the thread as asleep first and checks the inbox afterwards. A sender enqueues first and reads the mark
 * afterwards, so no wake-up is lost. */
static void sleep_until(uf_runtime *runtime, uf_time until)
{
    bool const waits = ufh_waits_for_descriptors(runtime), polls = waits && ufh_can_poll(runtime);

    if (!waits && spin_until(runtime, until)) return;
    if (waits && !polls) { /* no poller could be opened: try again at intervals */
        uf_time const soon = uf_time_add(ufp_monotonic_now(), runtime->config.stay_interval);
        if (soon < until) until = soon;
    }
    ufp_store_seq_cst(&runtime->sleep, polls ? UFH_AT_POLLER : UFH_AT_CONDITION);
    if (!has_messages(runtime)) {
        if (polls) ufh_poll(runtime, until);
        else sleep_at_condition(runtime, until);
    }
    ufp_store_seq_cst(&runtime->sleep, UFH_AWAKE);
    runtime->spin.arrived = !waits && has_messages(runtime);
}

/* -- rounds ------------------------------------------------------------------------------------------------------ */

/* A descriptor that was ready before a timer decides before it. Time may have passed since the last poll: the thread
 * was not scheduled, or a step took long. */
static void poll_before_timers(uf_runtime *driver, const uf_runtime *runtime)
{
    uf_pump const *const pump = &runtime->pump;
    bool const is_due = ufi_wheel_soonest(&pump->wheel) <= pump->clock.logical;

    if (is_due && runtime->descriptor_arms && ufh_can_poll(driver)) ufh_poll(driver, 0);
}

/* Runs a round of one pump. Returns the latest real time of the next round; 0: at once. */
static uf_time run_round(uf_runtime *driver, uf_runtime *runtime)
{
    uf_pump *const pump = &runtime->pump;
    uf_time const now = ufp_monotonic_now();

    ufh_advance_clock(runtime, now);
    poll_before_timers(driver, runtime);
    ufh_enter_round(runtime);
    uf_time const wait = ufi_round(pump, now);
    ufh_leave_round(runtime);
    /* Check the clock and the waiters after the round: their thread may have requested a round while it was under
     * way. */
    bool const changed = ufp_load(&runtime->clock_changed);
    if (ufh_is_idle(pump) && ufp_load(&pump->watched)) ufh_check_waiters(runtime);
    if (pump->stop) ufh_publish_report(runtime);
    return wait == 0 || changed ? 0 : uf_time_add(pump->clock.real, wait);
}

/* While rounds follow each other, descriptors are polled at this interval: a system call in every round would cost
 * more than most rounds do. An idle thread sleeps at the poller. */
#define POLL_INTERVAL UF_US(50)

/* True if a pump has a round due now. Asked after the rounds of all pumps: a step of a later pump may start or cancel
 * a flow of an earlier one, without a message. */
static bool has_round_due(uf_runtime *runtime)
{
    for (uf_runtime *of = runtime; of; of = ufh_next_driven(runtime, of)) {
        if (uf_pump_timeout(&of->pump) == 0) return true;
    }
    return false;
}

/* Runs a round of each pump. Returns the latest real time of the next rounds; 0: at once. */
static uf_time run_rounds(uf_runtime *runtime)
{
    ufh_note_progress(runtime);
    if (ufh_waits_for_descriptors(runtime) && ufh_can_poll(runtime) &&
        ufi_time_sub(ufp_monotonic_now(), runtime->polled_at) >= POLL_INTERVAL)
        ufh_poll(runtime, 0);
    uf_time first = run_round(runtime, runtime);
    for (uf_runtime *other = runtime->first_linked, *next; other; other = next) {
        uf_time const then = run_round(runtime, other);
        next = other->next_linked;
        if (then < first) first = then;
        if (uf_pump_stopped(&other->pump)) (void)ufh_finish_stop(other);
    }
    return runtime->first_linked && has_round_due(runtime) ? 0 : first;
}

/* True if `next` has passed by the pump's clock, which needs no system call. */
static bool is_round_due(const uf_runtime *runtime, uf_time next)
{
    return next <= runtime->pump.clock.real;
}

void ufh_set_driving_thread(uf_runtime *runtime, void *thread)
{
    for (uf_runtime *of = runtime; of; of = ufh_next_driven(runtime, of))
        ufp_store_pointer_seq_cst(&of->pump.thread, thread);
}

void ufh_end_poll(uf_runtime *runtime, uf_time next_poll)
{
    ufp_store_seq_cst(&runtime->sleep, UFH_AT_POLLER);
    runtime->next_poll = has_messages(runtime) ? 0 : next_poll;
}

static bool is_stopped(uf_runtime *runtime)
{
    return ufh_is_set(&runtime->stopped, &runtime->mutex);
}

void ufh_drive(uf_runtime *runtime, uf_runtime *until)
{
    ufp_store_seq_cst(&runtime->sleep, UFH_AWAKE);
    ufh_set_driving_thread(runtime, ufp_thread_self());
    runtime->spin = ufh_make_spin(runtime->config.spin);
    for (;;) {
        uf_time const next = run_rounds(runtime);
        if (uf_pump_stopped(&runtime->pump) && ufh_finish_stop(runtime)) return;
        if (ufp_load_seq_cst(&runtime->must_leave) || (until != runtime && is_stopped(until))) break;
        if (!is_round_due(runtime, next)) sleep_until(runtime, next);
    }
    ufh_set_driving_thread(runtime, NULL);
    if (runtime->config.embedded) ufh_end_poll(runtime, 0);
}

void ufh_release_start(uf_runtime *runtime)
{
    if (runtime->config.embedded) {
        ufp_store_seq_cst(&runtime->sleep, UFH_AT_POLLER);
        ufp_notifier_notify(&runtime->poller.notifier);
        return;
    }
    ufp_mutex_lock(&runtime->sleep_mutex);
    runtime->start_held = false;
    ufp_condition_signal(&runtime->wakeup);
    ufp_mutex_unlock(&runtime->sleep_mutex);
}

/* A stopped runtime does not belong to this thread any more; see ufh_run_if_stopped(). */
void ufh_drive_until_stopped(uf_runtime *runtime)
{
    if (is_stopped(runtime)) return;
    ufh_drive(ufp_load_pointer_seq_cst(&runtime->driver), runtime);
}

static void do_nothing(void *argument)
{
    (void)argument;
}

void ufh_serve_until_all_left(uf_runtime *runtime)
{
    while (!ufh_is_set(&runtime->all_left, &runtime->sleep_mutex)) {
        (void)ufh_run_if_stopped(runtime, do_nothing, NULL); /* delivers messages */
        ufp_store_seq_cst(&runtime->sleep, UFH_AT_CONDITION);
        if (!ufp_load_pointer_seq_cst(&runtime->pump.inbox)) sleep_at_condition(runtime, UF_FOREVER);
        ufp_store_seq_cst(&runtime->sleep, UFH_AWAKE);
    }
}

/* -- external-loop mode ------------------------------------------------------------------------------------------ */

int uf_runtime_fd(const uf_runtime *runtime)
{
    return runtime && runtime->config.embedded ? runtime->poller.fd : -1;
}

/* A poll returns to the loop after this many rounds or this much time, even if more rounds are due. */
#define MAX_ROUNDS_PER_POLL 64
#define MAX_TIME_PER_POLL   UF_MS(1)

static void poll_once(uf_runtime *runtime)
{
    uf_time const end = uf_time_add(ufp_monotonic_now(), MAX_TIME_PER_POLL);
    uf_time next;
    unsigned rounds = 0;

    ufh_set_driving_thread(runtime, ufp_thread_self());
    ufh_poll(runtime, 0);
    do {
        next = run_rounds(runtime);
        if (uf_pump_stopped(&runtime->pump) && ufh_finish_stop(runtime)) return; /* no longer this thread's */
    } while (is_round_due(runtime, next) && ++rounds < MAX_ROUNDS_PER_POLL && ufp_monotonic_now() < end);
    bool const needs_interval = !ufh_nest_pollers(runtime);
    ufh_set_driving_thread(runtime, NULL);
    uf_time const soon = uf_time_add(runtime->pump.clock.real, runtime->config.stay_interval);
    ufh_end_poll(runtime, needs_interval && soon < next ? soon : next);
}

/* The runtime is stopped: drains the notifier, so that the loop does not spin. */
static void drain_poller(void *runtime)
{
    ufh_poll(runtime, 0);
    ufh_end_poll(runtime, UF_FOREVER);
}

uf_status uf_runtime_poll(uf_runtime *runtime)
{
    if (!runtime) return UF_INVALID;
    if (!runtime->config.embedded) return UF_UNSUPPORTED;
    if (ufi_on_pump_thread(&runtime->pump)) return UF_DEADLOCK;

    ufh_claim_loop(runtime);
    ufp_exchange_seq_cst(&runtime->sleep, UFH_AWAKE);
    runtime->next_poll = UF_FOREVER;
    if (!ufh_run_if_stopped(runtime, drain_poller, runtime)) poll_once(runtime);
    return UF_OK;
}

uf_time uf_runtime_next_deadline(const uf_runtime *runtime)
{
    return runtime ? runtime->next_poll : UF_FOREVER;
}

int uf_runtime_poll_timeout(const uf_runtime *runtime)
{
    if (!runtime || runtime->next_poll == UF_FOREVER) return -1;
    uf_time const left = runtime->next_poll == 0 ? 0 : runtime->next_poll - ufp_monotonic_now();
    if (left <= 0) return 0;
    uf_time const ms = (left + UF_MS(1) - 1) / UF_MS(1);
    return ms < INT32_MAX ? (int)ms : INT32_MAX;
}
