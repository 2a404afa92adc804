/* drive.c - a thread that drives pumps: rounds, sleep and wake, and the same in somebody else's loop. */
#include "host.h"

/* -- sleep and wake -------------------------------------------------------------------------------------------------- */

/* Where a thread sleeps. */
enum { AWAKE, AT_CONDITION, AT_POLLER };

static void rouse(uf_runtime *runtime)
{
    uint32_t const where = ufp_load_seq_cst(&runtime->asleep) ? ufp_exchange_seq_cst(&runtime->asleep, AWAKE) : AWAKE;

    if (where == AT_POLLER) ufp_poller_ring(&runtime->poller);
    if (where != AT_CONDITION) return;
    ufp_mutex_lock(&runtime->nap);
    ufp_condition_signal_and_unlock(&runtime->wakeup, &runtime->nap);
}

/* The message is there before it is looked who drives the pump. So if it is the wrong one that is roused, because the
 * pump is being handed over just now, the right one finds the message when it takes the pump. The mutex keeps the
 * driver from letting go of it, and from being freed. */
void ufh_wake(uf_pump *pump)
{
    uf_runtime *const runtime = ufh_of(pump);

    if (ufp_load_pointer_seq_cst(&runtime->driver) == runtime) {
        rouse(runtime);
        return;
    }
    ufp_mutex_lock(&runtime->mutex);
    uf_runtime *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    if (driver != runtime) rouse(driver);
    ufp_mutex_unlock(&runtime->mutex);
    if (driver == runtime) rouse(runtime);
}

/* The driver of another one is told under the mutex: that is the long way. */
bool ufh_asleep(const uf_pump *pump)
{
    uf_runtime const *const runtime = ufh_of(pump);
    return ufp_load_pointer_seq_cst(&runtime->driver) != runtime || ufp_load_seq_cst(&runtime->asleep);
}

/* Has anything been sent to a pump that this thread drives? */
static bool called(const uf_runtime *runtime)
{
    if (ufp_load_pointer_seq_cst(&runtime->pump.inbox) || runtime->pump.messages) return true;
    for (const uf_runtime *other = runtime->first_linked; other; other = other->next_linked) {
        if (ufp_load_pointer_seq_cst(&other->pump.inbox) || other->pump.messages) return true;
    }
    return false;
}

static void sleep_until(uf_runtime *runtime, uf_time until)
{
    ufp_mutex_lock(&runtime->nap);
    while (ufp_load_seq_cst(&runtime->asleep) && !runtime->left) {
        if (!ufp_condition_wait(&runtime->wakeup, &runtime->nap, until)) break;
    }
    ufp_mutex_unlock(&runtime->nap);
}

/* First it says that it sleeps, then it looks once more; see inbox.c. */
static void nap(uf_runtime *runtime, uf_time until)
{
    bool const waits = ufh_waits_for_descriptors(runtime), polls = waits && ufh_can_poll(runtime);

    if (waits && !polls) { /* the system has nothing to give: so it is looked again from time to time */
        uf_time const soon = uf_time_add(ufp_monotonic_now(), runtime->config.stay_interval);
        if (soon < until) until = soon;
    }
    ufp_store_seq_cst(&runtime->asleep, polls ? AT_POLLER : AT_CONDITION);
    if (!called(runtime)) {
        if (polls) ufh_poll(runtime, until);
        else sleep_until(runtime, until);
    }
    ufp_store_seq_cst(&runtime->asleep, AWAKE);
}

/* -- rounds ---------------------------------------------------------------------------------------------------------- */

/* A round. When the next has to be, in real time; 0: at once. */
static uf_time drive_one(uf_runtime *runtime)
{
    uf_pump *const pump = &runtime->pump;
    uf_time const now = ufp_monotonic_now();

    ufh_take_clock(runtime, now);
    uf_time const wait = ufi_round(pump, now);
    /* What a review was sent for is looked at after the round that it came in: the sender may have found it under way. */
    bool const changed = ufp_load(&runtime->clock_changed);
    bool const idle = pump->running == 0 && ufp_load_seq_cst(&pump->requests) == 0;
    if (idle && ufp_load(&pump->watched)) ufh_evaluate(runtime);
    if (pump->stop) ufh_note_report(runtime);
    return wait == 0 || changed ? 0 : uf_time_add(pump->clock.real, wait);
}

/* While rounds follow each other, descriptors are looked at this often: a system call in every round would cost more than
 * most rounds do. A thread that has nothing else to do sleeps at the poller. */
#define POLL_EVERY UF_US(50)

static void poll_between_rounds(uf_runtime *runtime)
{
    if (!ufh_waits_for_descriptors(runtime) || !ufh_can_poll(runtime)) return;
    if (ufi_time_sub(ufp_monotonic_now(), runtime->polled) >= POLL_EVERY) ufh_poll(runtime, 0);
}

/* Is there something to do at once? A pump is asked once more after the rounds of all: a step of a later one may have
 * started or cancelled a flow of it, of which no message tells. */
static bool has_more(uf_runtime *runtime)
{
    if (uf_pump_timeout(&runtime->pump) == 0) return true;
    for (uf_runtime *other = runtime->first_linked; other; other = other->next_linked) {
        if (uf_pump_timeout(&other->pump) == 0) return true;
    }
    return false;
}

/* A round of each of its pumps. When the next has to be, in real time; 0: at once. */
static uf_time drive(uf_runtime *runtime)
{
    ufh_beat(runtime);
    poll_between_rounds(runtime);
    uf_time first = drive_one(runtime);
    for (uf_runtime *other = runtime->first_linked, *next; other; other = next) {
        uf_time const then = drive_one(other);
        next = other->next_linked;
        if (then < first) first = then;
        if (uf_pump_stopped(&other->pump)) (void)ufh_stopped(other);
    }
    return runtime->first_linked && has_more(runtime) ? 0 : first;
}

/* Is a round due whose time is `next`, as far as is known without reading the clock again? */
static bool is_due(const uf_runtime *runtime, uf_time next)
{
    return next <= runtime->pump.clock.real;
}

void ufh_set_thread(uf_runtime *runtime, void *thread)
{
    ufp_store_pointer_seq_cst(&runtime->pump.thread, thread);
    for (uf_runtime *other = runtime->first_linked; other; other = other->next_linked) {
        ufp_store_pointer_seq_cst(&other->pump.thread, thread);
    }
}

void ufh_be_between_polls(uf_runtime *runtime, uf_time next)
{
    ufp_store_seq_cst(&runtime->asleep, AT_POLLER);
    runtime->next = called(runtime) ? 0 : next;
}

static bool is_stopped(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->mutex);
    bool const stopped = runtime->stopped;
    ufp_mutex_unlock(&runtime->mutex);
    return stopped;
}

void ufh_loop(uf_runtime *runtime, uf_runtime *until)
{
    ufp_store_seq_cst(&runtime->asleep, AWAKE);
    ufh_set_thread(runtime, ufp_thread_self());
    for (;;) {
        uf_time const next = drive(runtime);
        if (uf_pump_stopped(&runtime->pump) && ufh_stopped(runtime)) return;
        if (ufp_load_seq_cst(&runtime->leaving) || (until != runtime && is_stopped(until))) break;
        if (!is_due(runtime, next)) nap(runtime, next);
    }
    ufh_set_thread(runtime, NULL);
    if (runtime->config.embedded) ufh_be_between_polls(runtime, 0);
}

void ufh_let_begin(uf_runtime *runtime)
{
    if (runtime->config.embedded) { /* whose next poll is the loop's to know, and is now */
        ufp_store_seq_cst(&runtime->asleep, AT_POLLER);
        ufp_poller_ring(&runtime->poller);
        return;
    }
    ufp_mutex_lock(&runtime->nap);
    runtime->held = false;
    ufp_condition_signal(&runtime->wakeup);
    ufp_mutex_unlock(&runtime->nap);
}

/* One that is stopped already is not this thread's any more; see ufh_lend_a_hand(). */
void ufh_drive_to_the_end(uf_runtime *runtime)
{
    if (is_stopped(runtime)) return;
    ufh_loop(ufp_load_pointer_seq_cst(&runtime->driver), runtime);
}

static bool have_left(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->nap);
    bool const left = runtime->left;
    ufp_mutex_unlock(&runtime->nap);
    return left;
}

static void nothing(void *argument)
{
    (void)argument;
}

void ufh_serve_the_last(uf_runtime *runtime)
{
    while (!have_left(runtime)) {
        (void)ufh_lend_a_hand(runtime, nothing, NULL); /* which delivers messages */
        ufp_store_seq_cst(&runtime->asleep, AT_CONDITION);
        if (!ufp_load_pointer_seq_cst(&runtime->pump.inbox)) sleep_until(runtime, UF_FOREVER);
        ufp_store_seq_cst(&runtime->asleep, AWAKE);
    }
}

/* -- in somebody else's loop ------------------------------------------------------------------------------------------- */

int uf_runtime_fd(const uf_runtime *runtime)
{
    return runtime && runtime->config.embedded ? runtime->poller.fd : -1;
}

/* A poll gives the loop its thread back after so much, though there is more to do. */
#define POLL_ROUNDS  64
#define POLL_AT_MOST UF_MS(1)

/* False: it is stopped, and not this thread's any more. */
static bool poll_once(uf_runtime *runtime)
{
    uf_time const end = uf_time_add(ufp_monotonic_now(), POLL_AT_MOST);
    uf_time next;
    unsigned rounds = 0;

    ufh_set_thread(runtime, ufp_thread_self());
    ufh_poll(runtime, 0);
    do {
        next = drive(runtime);
        if (uf_pump_stopped(&runtime->pump) && ufh_stopped(runtime)) return false;
    } while (is_due(runtime, next) && ++rounds < POLL_ROUNDS && ufp_monotonic_now() < end);
    bool const glances = !ufh_cover_descriptors(runtime);
    ufh_set_thread(runtime, NULL);
    uf_time const soon = uf_time_add(runtime->pump.clock.real, runtime->config.stay_interval);
    ufh_be_between_polls(runtime, glances && soon < next ? soon : next);
    return true;
}

/* It is stopped, and whoever lends it a hand has its messages: so this is looked at among them. */
static void silence(void *runtime)
{
    ufh_poll(runtime, 0);
    ufh_be_between_polls(runtime, UF_FOREVER);
}

uf_status uf_runtime_poll(uf_runtime *runtime)
{
    if (!runtime) return UF_INVALID;
    if (!runtime->config.embedded) return UF_UNSUPPORTED;
    if (ufi_on_pump_thread(&runtime->pump)) return UF_DEADLOCK;

    ufp_store_pointer_seq_cst(&runtime->home, ufp_thread_self());
    ufp_exchange_seq_cst(&runtime->asleep, AWAKE);
    runtime->next = UF_FOREVER;
    if (!ufh_lend_a_hand(runtime, silence, runtime)) (void)poll_once(runtime);
    return UF_OK;
}

uf_time uf_runtime_next_deadline(const uf_runtime *runtime)
{
    return runtime ? runtime->next : UF_FOREVER;
}

int uf_runtime_poll_timeout(const uf_runtime *runtime)
{
    if (!runtime || runtime->next == UF_FOREVER) return -1;
    uf_time const left = runtime->next == 0 ? 0 : runtime->next - ufp_monotonic_now();
    if (left <= 0) return 0;
    uf_time const ms = (left + UF_MS(1) - 1) / UF_MS(1);
    return ms < INT32_MAX ? (int)ms : INT32_MAX;
}
