/* fired.c - signals, as the flows of a pump wait for them. Everything here runs on the pump's thread. */
#include "signals.h"

static inline uint32_t epoch_now(const uf_signal *signal)
{
    return ufi_epoch_of(ufp_load_wide_seq_cst(&signal->word));
}

/* -- enqueue and dequeue ------------------------------------------------------------------------------------------- */

static bool has_foreign_waiter(const uf_pump *pump, const uf_signal *signal)
{
    return ufp_load(&signal->foreign_count) && pump->foreign_count && ufi_has_foreign_waiter(pump, signal);
}

/* Is the pump the signal's home, or does it become the home now? Only the pump itself takes or gives up that role.
 * It does not take it while flows of its own are foreign waiters: they came first, and must be released first. */
static bool is_home(uf_pump *pump, uf_signal *signal)
{
    uf_pump const *const home = ufp_load_pointer(&signal->home);
    return home == pump || (!home && !has_foreign_waiter(pump, signal) &&
                            ufp_compare_exchange_pointer_seq_cst(&signal->home, NULL, pump));
}

/* Other threads read the foreign lists of a caller-driven pump when they destroy a signal. */
static void lock_foreign_lists(const uf_pump *pump)
{
    if (!pump->host) ufp_critical_enter();
}
static void unlock_foreign_lists(const uf_pump *pump)
{
    if (!pump->host) ufp_critical_leave();
}

bool ufi_has_foreign_waiter(const uf_pump *pump, const uf_signal *signal)
{
    uf_arm const *const last = pump->foreign_waiters[ufi_foreign_list(signal)];

    for (const uf_arm *arm = last ? last->next : NULL; arm; arm = arm == last ? NULL : arm->next) {
        if (arm->on.signal == signal) return true;
    }
    return false;
}

static void deliver_check_fired(uf_pump *pump, uf_message *message);

static bool evaluate(uf_flow *flow, uf_arm *arm)
{
    return !ufi_fail_if_closed(flow, arm) && ufi_signal_has_fired(arm);
}

/* Sets the pump's hooks, so that only programs with signals link this file. */
static void enqueue(uf_pump *pump, uf_signal *signal, uf_arm *arm)
{
    pump->check_fired.deliver = deliver_check_fired;
    pump->dequeue_signal = ufi_signal_dequeue;
    ufi_set_evaluation(pump, UF_ARM_SIGNAL, evaluate);
    if (is_home(pump, signal)) {
        ufi_arms_append(&signal->waiters, arm);
        return;
    }
    unsigned const list = ufi_foreign_list(signal);
    ufp_add_fetch_seq_cst(&signal->foreign_count, 1);
    if (pump->foreign_count++ == 0 && !pump->host) ufi_pump_register(pump);
    lock_foreign_lists(pump);
    ufi_arms_append(&pump->foreign_waiters[list], arm);
    unlock_foreign_lists(pump);
    arm->on_list = UFI_ON_FOREIGN_LIST;
    ufp_store(&pump->foreign_in_use, ufp_load(&pump->foreign_in_use) | UINT32_C(1) << list);
}

/* In the critical section, so that a fire that has found a home can still use it. Afterwards the signal may be gone. */
static void cease_to_be_home(uf_signal *signal)
{
    ufp_critical_enter();
    if (signal->fired.next) {
        ufi_list_remove(&signal->fired);
        signal->fired.next = NULL;
    }
    ufp_store_pointer_seq_cst(&signal->home, NULL);
    ufp_critical_leave();
}

/* Afterwards the signal may be gone. */
static void unlink_arm(uf_pump *pump, uf_arm *arm)
{
    uf_signal *const signal = arm->on.signal;

    if (arm->on_list == UFI_ON_LIST) {
        ufi_arms_remove(&signal->waiters, arm);
        if (!signal->waiters) cease_to_be_home(signal);
        return;
    }
    unsigned const list = ufi_foreign_list(signal);
    lock_foreign_lists(pump);
    ufi_arms_remove(&pump->foreign_waiters[list], arm);
    unlock_foreign_lists(pump);
    if (!pump->foreign_waiters[list]) {
        ufp_store(&pump->foreign_in_use, ufp_load(&pump->foreign_in_use) & ~(UINT32_C(1) << list));
    }
    if (--pump->foreign_count == 0 && !pump->host) ufi_pump_unregister(pump);
    ufp_add_fetch_seq_cst(&signal->foreign_count, UINT32_MAX);
}

/* The signal is being destroyed: a pending arm fails, and every arm leaves it. */
static void detach_arm(uf_pump *pump, uf_arm *arm)
{
    if (arm->state == UF_ARM_PENDING)
        arm->state = ufi_signal_withdraw(arm->on.signal, arm->since) ? UF_ARM_FAILED : UF_ARM_READY;
    unlink_arm(pump, arm);
    arm->on.signal = NULL;
}

/* Checks for destruction only after enqueueing, so that a concurrent destroy sees the arm. */
void ufi_signal_enqueue(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since)
{
    arm->on.signal = signal;
    arm->since = since;
    arm->state = UF_ARM_READY;
    if (epoch_now(signal) != since) return;
    enqueue(flow->pump, signal, arm);
    if (ufi_signal_join(signal, since)) arm->state = UF_ARM_PENDING;
    if (ufp_load_seq_cst(&signal->closed)) detach_arm(flow->pump, arm);
}

void ufi_signal_dequeue(uf_flow *flow, uf_arm *arm)
{
    if (!arm->on_list) return;
    if (arm->state == UF_ARM_PENDING) (void)ufi_signal_withdraw(arm->on.signal, arm->since);
    unlink_arm(flow->pump, arm);
}

bool ufi_signal_has_fired(const uf_arm *arm)
{
    return arm->state == UF_ARM_READY || (arm->on_list && epoch_now(arm->on.signal) != arm->since);
}

/* -- processing fires ---------------------------------------------------------------------------------------------- */

static uf_signal *take_fired(uf_pump *pump)
{
    uf_link *link = NULL;

    ufp_critical_enter();
    if (!ufi_list_empty(&pump->fired)) {
        link = pump->fired.next;
        ufi_list_remove(link);
        link->next = NULL;
    }
    ufp_critical_leave();
    return link ? (uf_signal *)((uintptr_t)link - offsetof(uf_signal, fired)) : NULL;
}

static uint32_t take_fired_foreign(uf_pump *pump)
{
    ufp_critical_enter();
    uint32_t const lists = pump->fired_foreign;
    pump->fired_foreign = 0;
    ufp_critical_leave();
    return lists;
}

static void wake_owner(uf_arm *arm)
{
    if (arm->kind == UF_ARM_PREEMPT) {
        if (arm->state == UF_ARM_FAILED) return; /* a handler of a destroyed signal never runs */
        ufi_flag_set(arm->owner, UFI_PREEMPTED);
    }
    ufi_wake(arm->owner);
}

/* Must an enqueued arm be released or detached? */
static bool is_due(const uf_arm *arm, uint32_t epoch, bool closed)
{
    return closed || (arm->state == UF_ARM_PENDING && epoch != arm->since);
}

/* Releases an arm that is due, and detaches it if the signal is being destroyed. Only an arm that still needs the
 * signal, to read its level, stays on the list. Returns: true if the arm was released. */
static bool release_arm(uf_pump *pump, uf_arm *arm, uint32_t epoch, bool closed)
{
    bool const pending = arm->state == UF_ARM_PENDING;

    if (pending && epoch != arm->since) arm->state = UF_ARM_READY;
    if (closed) detach_arm(pump, arm);
    else if (arm->kind == UF_ARM_SIGNAL) unlink_arm(pump, arm);
    if (pending) wake_owner(arm);
    return pending && arm->state == UF_ARM_READY;
}

/* Releases the arms of a list that wait for the signal, in FIFO order. After the last one has left, the signal may
 * be gone. */
static uint32_t release_each(uf_pump *pump, const uf_arm *last, const uf_signal *signal, uint32_t epoch, bool closed)
{
    uint32_t released = 0;
    uf_arm *next;

    bool more = true;
    for (uf_arm *arm = last->next; more; arm = next) {
        next = arm->next;
        more = arm != last;
        if (arm->on.signal == signal && is_due(arm, epoch, closed)) released += release_arm(pump, arm, epoch, closed);
    }
    return released;
}

/* Puts an arm back on the home's list, and releases it if it is due. Returns: true if it was released. */
UF_NOINLINE static bool put_back(uf_signal *signal, uf_arm *arm, uint32_t epoch)
{
    bool const due = is_due(arm, epoch, false);

    ufi_arms_append(&signal->waiters, arm);
    if (due) {
        arm->state = UF_ARM_READY;
        wake_owner(arm);
    }
    return due;
}

/* Fast path at the signal's home, in a round: empties the list as a whole, and puts back the arms that stay. Most flows
 * are parked and are enqueued in a row. A release takes a quarter of the instructions less, its wait included. */
static uint32_t release_all(uf_pump *pump, uf_signal *signal, uint32_t epoch)
{
    uf_arm *const last = signal->waiters;
    uf_link *const ready_tail = ufi_ready_tail(pump);
    uf_arm *arm, *next = last->next;
    uint32_t released = 0;

    signal->waiters = NULL;
    do {
        arm = next;
        next = arm->next;
        if (arm->kind != UF_ARM_SIGNAL || !is_due(arm, epoch, false)) {
            released += put_back(signal, arm, epoch);
            continue;
        }
        uf_flow *const flow = arm->owner;
        arm->state = UF_ARM_READY;
        arm->on_list = 0;
        released++;
        if (ufi_list_empty(&flow->link)) ufi_list_insert(ready_tail, &flow->link);
        else ufi_wake(flow);
    } while (arm != last);
    if (!signal->waiters) cease_to_be_home(signal);
    return released;
}

/* `foreign`: the list of foreign waiters; NULL: the signal's own list. A fire during the release sends another
 * message. */
static void release(uf_pump *pump, const uf_arm *foreign, uf_signal *signal)
{
    char const *const name = signal->name;
    uint32_t const epoch = epoch_now(signal);
    bool const closed = ufp_load_seq_cst(&signal->closed);
    uint32_t const released = UFI_FAST_PATHS && !foreign && !closed && pump->in_round
                                  ? release_all(pump, signal, epoch)
                                  : release_each(pump, foreign ? foreign : signal->waiters, signal, epoch, closed);
    if (released && name && pump->observers) pump->notify->signal_fired(pump, name, released);
}

static const uf_arm *first_due(const uf_arm *last)
{
    for (const uf_arm *arm = last ? last->next : NULL; arm; arm = arm == last ? NULL : arm->next) {
        uf_signal const *const signal = arm->on.signal;
        if (is_due(arm, epoch_now(signal), ufp_load_seq_cst(&signal->closed))) return arm;
    }
    return NULL;
}

/* A signal on `fired` exists: when its last waiter leaves, it has no home any more and is taken off that list. */
void ufi_process_fired(uf_pump *pump)
{
    for (uf_signal *signal; (signal = take_fired(pump)) != NULL;) release(pump, NULL, signal);
    uint32_t const lists = take_fired_foreign(pump);
    for (unsigned list = 0; list < UF_FOREIGN_LISTS; list++) {
        if (!(lists >> list & 1)) continue;
        for (const uf_arm *arm; (arm = first_due(pump->foreign_waiters[list])) != NULL;) {
            release(pump, pump->foreign_waiters[list], arm->on.signal);
        }
    }
}

/* `check_queued` is cleared first: a fire that this check misses sends the message again. */
static void deliver_check_fired(uf_pump *pump, uf_message *message)
{
    (void)message;
    ufp_exchange_seq_cst(&pump->check_queued, 0);
    ufi_process_fired(pump);
}

/* -- arms ---------------------------------------------------------------------------------------------------------- */

bool ufi_fail_if_closed(uf_flow *flow, const uf_arm *arm)
{
    if (arm->state != UF_ARM_FAILED) return false;
    const char *const none = arm->kind == UF_ARM_ARRIVED ? "no checkpoint" : "no signal";
    (void)uf_fail_text(flow, arm->cause == UF_CAUSE_NULL ? none : "closed");
    return true;
}

UF_NOINLINE static bool arm_signal(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since)
{
    ufi_set_arm(flow, arm, UF_ARM_SIGNAL);
    ufi_set_evaluation(flow->pump, UF_ARM_SIGNAL, evaluate);
    if (signal) {
        ufi_signal_enqueue(flow, arm, signal, since);
    } else {
        arm->state = UF_ARM_FAILED;
        arm->cause = UF_CAUSE_NULL;
    }
    return arm->state == UF_ARM_PENDING;
}

/* Fast path of an arm that joins others of its pump. It saves a call and the test for destruction, since a destroy
 * detaches the arm with the others. A wait takes a quarter of the instructions less, its release included. */
bool uf_arm_signal(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since)
{
    if (!UFI_FAST_PATHS || !signal || ufp_load_pointer(&signal->home) != flow->pump)
        return arm_signal(flow, arm, signal, since);

    uf_arm *const last = signal->waiters, *const first = last->next;
    arm->next = first;
    arm->prev = last;
    arm->on.signal = signal;
    arm->owner = flow;
    arm->kind = UF_ARM_SIGNAL;
    arm->state = UF_ARM_PENDING;
    arm->cause = UF_CAUSE_NONE;
    arm->on_list = UFI_ON_LIST;
    arm->since = since;
    first->prev = last->next = signal->waiters = arm;
    /* A store of all 16 bits: the turn loads them next, and a load that spans two stores cannot be forwarded. */
    *(volatile uint16_t *)&flow->flags = (uint16_t)(flow->flags | UF_FLAG_ARMED);
    if (ufi_signal_join(signal, since)) return true;
    arm->state = UF_ARM_READY;
    unlink_arm(flow->pump, arm); /* only waiters make this pump the home */
    return false;
}

/* Samples the level after registering, so that no change is lost. */
bool ufi_level_holds(uf_flow *flow, uf_arm *arm, bool (*holds)(const uf_arm *arm))
{
    for (;;) {
        if (!arm->on.signal) arm->state = UF_ARM_FAILED; /* destroyed, perhaps after a fire */
        if (ufi_fail_if_closed(flow, arm)) return false;
        if (holds(arm)) return true;
        if (arm->on_list && !ufi_signal_has_fired(arm)) return false;
        ufi_signal_dequeue(flow, arm);
        ufi_signal_enqueue(flow, arm, arm->on.signal, uf_signal_epoch(arm->on.signal));
    }
}
