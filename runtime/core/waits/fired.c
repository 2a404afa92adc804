/* SPDX-License-Identifier: MIT */
/* fired.c - signals: the waits of a pump's flows. Everything here runs on the pump's thread. */
#include "waits/signals.h"

/* -- what other threads have fired --------------------------------------------------------------------------------- */

/* Sorts the nodes of the stack, which had the newest on top. Signals go to `fired`, arms to `due`, and links of arms
 * that wait for room to `woken_arms`, the oldest first. */
static void sort_fired_elsewhere(uf_pump *pump, void *node)
{
    uf_link *newer = &pump->fired;
    uf_arm *oldest = NULL;

    while (node && node != UFI_EMPTY_STACK) {
        uf_signal *const signal = ufi_fired_signal(node);
        if (signal) {
            node = ufp_load_pointer(&signal->queued);
            ufp_store_pointer_seq_cst(&signal->queued, NULL); /* before the word is read */
            if (signal->fired.next) continue;
            ufi_list_insert(newer, &signal->fired);
            newer = &signal->fired;
        } else {
            uf_arm *const arm = node;
            node = arm->next;
            arm->next = oldest;
            oldest = arm;
        }
    }
    while (oldest) {
        uf_arm *const arm = oldest;
        oldest = arm->next;
        if (UF_USES_ROOMS && arm->kind == UF_ARM_OPERAND) {
            ufi_ring_append(&pump->woken_arms, arm);
        } else {
            ufi_arms_append(&pump->due, arm);
            arm->on_list = UFI_ON_DUE_LIST;
        }
    }
}

void ufi_take_elsewhere_early(uf_pump *pump)
{
    void *const top = ufp_load_pointer(&pump->fired_elsewhere);
    if (top && top != UFI_EMPTY_STACK)
        sort_fired_elsewhere(pump, ufp_exchange_pointer_seq_cst(&pump->fired_elsewhere, UFI_EMPTY_STACK));
}

/* -- enqueue and dequeue ------------------------------------------------------------------------------------------- */

/* Is the pump the signal's home, or does it become the home now? Only the pump itself takes or gives up that role.
 * It does not take the role while its own flows may be foreign waiters: they came first, and must be released first. */
static bool is_home(uf_pump *pump, uf_signal *signal)
{
    uf_pump const *const home = ufp_load_pointer(&signal->home);
    return home == pump || (!home && !(pump->foreign_count && ufp_load(&signal->others)) &&
                            ufp_compare_exchange_pointer_seq_cst(&signal->home, NULL, pump));
}

/* The list of this thread's caller-driven pumps that others may wait for. A thread processes them while it waits. */
static void add_to_thread(uf_pump *pump)
{
    void **const first = &ufp_thread_slot()[UFP_SLOT_FOREIGN];
    pump->next_foreign = *first;
    pump->prev_foreign = NULL;
    if (pump->next_foreign) pump->next_foreign->prev_foreign = pump;
    *first = pump;
}

static void remove_from_thread(const uf_pump *pump)
{
    if (pump->prev_foreign) pump->prev_foreign->next_foreign = pump->next_foreign;
    else ufp_thread_slot()[UFP_SLOT_FOREIGN] = pump->next_foreign;
    if (pump->next_foreign) pump->next_foreign->prev_foreign = pump->prev_foreign;
}

void ufi_foreign_begin(uf_pump *pump)
{
    if (pump->foreign_count++ == 0 && !ufi_host(pump)) add_to_thread(pump);
}

void ufi_foreign_end(uf_pump *pump)
{
    if (--pump->foreign_count == 0 && !ufi_host(pump)) remove_from_thread(pump);
}

bool ufi_evaluate_signal(uf_flow *flow, uf_arm *arm)
{
    return !ufi_fail_if_closed(flow, arm) && ufi_signal_has_fired(arm);
}

static void append_foreign(uf_signal *signal, uf_arm *arm)
{
    ufp_critical_enter(signal);
    ufi_arms_append(&signal->foreign, arm);
    ufp_critical_leave(signal);
    arm->on_list = UFI_ON_FOREIGN_LIST;
}

static void enqueue(uf_pump *pump, uf_signal *signal, uf_arm *arm)
{
    ufi_use_signals(pump);
    ufi_set_evaluation(pump, UF_ARM_SIGNAL, ufi_evaluate_signal);
    if (is_home(pump, signal)) {
        ufi_arms_append(&signal->waiters, arm);
        return;
    }
    (void)ufp_add_fetch_seq_cst(&signal->others, 1);
    ufi_foreign_begin(pump);
    append_foreign(signal, arm);
}

/* Waits for the threads that have not seen the mark. One that destroys the signal reads the home in the critical
 * section, and one that has claimed the signal pushes it. */
UF_NOINLINE static void wait_for_users_of_home(uf_pump *pump, uf_signal *signal)
{
    ufp_critical_enter(signal);
    ufp_critical_leave(signal);
    while (ufp_load_pointer_seq_cst(&signal->queued)) {
        ufi_take_elsewhere_early(pump);
        if (ufp_load_pointer_seq_cst(&signal->queued)) ufp_spin_pause();
    }
}

/* See the top of signal.c. Afterwards the signal may be gone. */
static void cease_to_be_home(uf_pump *pump, uf_signal *signal)
{
    if (UFI_MANY_THREADS) {
        ufp_store_pointer_seq_cst(&signal->home, (unsigned char *)pump + 1);
        if (ufp_load_pointer_seq_cst(&signal->queued) || ufi_signal_closed(signal))
            wait_for_users_of_home(pump, signal);
    } else {
        ufp_store_pointer(&signal->home, NULL);
        ufi_take_elsewhere_early(pump);
    }
    if (signal->fired.next) {
        ufi_list_remove(&signal->fired);
        signal->fired.next = NULL;
    }
    if (UFI_MANY_THREADS) ufp_store_pointer_release(&signal->home, NULL);
}

/* Without `prev`, the arm is on this pump's stack. */
static void take_off_foreign(uf_pump *pump, uf_arm *arm)
{
    if (arm->on_list == UFI_ON_FOREIGN_LIST) {
        uf_signal *const signal = arm->on.signal;
        ufp_critical_enter(signal);
        bool const listed = arm->prev != NULL;
        if (listed) ufi_arms_remove(&signal->foreign, arm);
        ufp_critical_leave(signal);
        if (listed) return;
        ufi_take_elsewhere_early(pump);
    }
    ufi_arms_remove(arm->on_list == UFI_ON_DUE_LIST ? &pump->due : &pump->released, arm);
}

/* Afterwards the signal may be gone. */
static void unlink_arm(uf_pump *pump, uf_arm *arm)
{
    uf_signal *const signal = arm->on.signal;

    if (arm->on_list == UFI_ON_LIST) {
        ufi_arms_remove(&signal->waiters, arm);
        if (!signal->waiters) cease_to_be_home(pump, signal);
    } else {
        take_off_foreign(pump, arm);
        ufi_foreign_end(pump);
        (void)ufp_add_fetch_seq_cst(&signal->others, UINT32_MAX);
    }
}

/* The signal is being destroyed: a pending arm fails, and every arm leaves the signal. */
static void detach_arm(uf_pump *pump, uf_arm *arm)
{
    if (arm->state == UF_ARM_PENDING)
        arm->state = ufi_signal_withdraw(arm->on.signal, arm->since) ? UF_ARM_FAILED : UF_ARM_READY;
    unlink_arm(pump, arm);
    arm->on.signal = NULL;
}

/* Joins after enqueueing, so that a fire that counts the arm finds it, and a concurrent destroy sees it. */
static void join(uf_pump *pump, uf_arm *arm)
{
    if (ufi_signal_join(arm->on.signal, arm->since)) arm->state = UF_ARM_PENDING;
    if (ufi_signal_closed(arm->on.signal)) detach_arm(pump, arm);
}

void UFI_OF_PUMPS(ufi_signal_enqueue)(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since)
{
    arm->on.signal = signal;
    arm->since = since;
    arm->state = UF_ARM_READY;
    if (ufi_epoch_now(signal) != since) return;
    enqueue(flow->pump, signal, arm);
    join(flow->pump, arm);
}

void ufi_signal_rejoin(uf_flow *flow, uf_arm *arm)
{
    uf_signal *const signal = arm->on.signal;
    bool const at_home = arm->on_list == UFI_ON_LIST;

    if (at_home) ufi_arms_remove(&signal->waiters, arm);
    else take_off_foreign(flow->pump, arm);
    arm->since = ufi_epoch_now(signal);
    arm->state = UF_ARM_READY;
    if (at_home) ufi_arms_append(&signal->waiters, arm);
    else append_foreign(signal, arm);
    join(flow->pump, arm);
}

void UFI_OF_PUMPS(ufi_signal_dequeue)(uf_flow *flow, uf_arm *arm)
{
    if (!arm->on_list) return;
    if (arm->state == UF_ARM_PENDING) (void)ufi_signal_withdraw(arm->on.signal, arm->since);
    unlink_arm(flow->pump, arm);
}

bool UFI_OF_PUMPS(ufi_signal_has_fired)(const uf_arm *arm)
{
    return arm->state == UF_ARM_READY || (arm->on_list && ufi_epoch_now(arm->on.signal) != arm->since);
}

/* -- processing fires ---------------------------------------------------------------------------------------------- */

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
    if (closed) {
        detach_arm(pump, arm);
    } else if (arm->kind == UF_ARM_SIGNAL) {
        unlink_arm(pump, arm);
    } else if (arm->on_list == UFI_ON_DUE_LIST) {
        ufi_arms_remove(&pump->due, arm);
        ufi_arms_append(&pump->released, arm);
        arm->on_list = UFI_ON_RELEASED_LIST;
    }
    if (pending) ufi_wake_waiter(arm);
    return pending && arm->state == UF_ARM_READY;
}

/* Releases the arms of the home, in FIFO order. After the last one has left, the signal may be gone. */
static uint32_t release_each(uf_pump *pump, const uf_signal *signal)
{
    uint32_t const epoch = ufi_epoch_now(signal);
    bool const closed = ufi_signal_closed(signal);
    uf_arm const *const last = signal->waiters;
    uint32_t released = 0;
    uf_arm *next;
    bool more = true;
    for (uf_arm *arm = last->next; more; arm = next) {
        next = arm->next;
        more = arm != last;
        if (is_due(arm, epoch, closed)) released += release_arm(pump, arm, epoch, closed);
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
        ufi_wake_waiter(arm);
    }
    return due;
}

/* Fast path at the signal's home, in a round: empties the list as a whole, and puts back the arms that stay. Most flows
 * are parked and are enqueued in a row. A release takes a quarter of the instructions less, its wait included. */
static uint32_t release_all(uf_pump *pump, uf_signal *signal)
{
    uint32_t const epoch = ufi_epoch_now(signal);
    uf_arm *const last = signal->waiters;
    uf_link *const ready_tail = ufi_ready_tail(pump);
    uf_arm *arm, *next = last->next;
    uint32_t released = 0;

    last->next = NULL;
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
    } while (next);
    if (!signal->waiters) cease_to_be_home(pump, signal);
    return released;
}

static void notify(uf_pump *pump, const char *name, uint32_t released)
{
    if (ufi_is_observed(pump) && released && name) pump->notify->signal_fired(pump, name, released);
}

/* A fire during the release enqueues the signal again. */
static void release(uf_pump *pump, uf_signal *signal)
{
    char const *const name = signal->name;
    bool const fast = UFI_FAST_PATHS && pump->in_round && !ufi_signal_closed(signal);
    notify(pump, name, fast ? release_all(pump, signal) : release_each(pump, signal));
}

/* Releases the first of the foreign arms that are due, and the arms of the same signal behind it. */
static void release_due(uf_pump *pump)
{
    uf_signal const *const signal = pump->due->next->on.signal;
    char const *const name = signal->name;
    uint32_t released = 0;

    do {
        uf_arm *const arm = pump->due->next;
        released += release_arm(pump, arm, ufi_epoch_now(signal), ufi_signal_closed(signal));
    } while (pump->due && pump->due->next->on.signal == signal);
    notify(pump, name, released);
}

/* A signal on `fired` exists: when its last waiter leaves, it has no home any more and is taken off that list. */
static void process_fired(uf_pump *pump)
{
    while (!ufi_list_empty(&pump->fired)) {
        uf_link *const link = pump->fired.next;
        ufi_list_remove(link);
        link->next = NULL;
        release(pump, (uf_signal *)((uintptr_t)link - offsetof(uf_signal, fired)));
    }
    while (pump->due) release_due(pump);
}

static void deliver_check_fired(uf_pump *pump, uf_message *message)
{
    (void)message;
    pump->check_queued = false;
    process_fired(pump);
}

/* Fast path of one fired signal: it need not be put on `fired` and taken off again. On a Cortex-M, 25 of 400
 * instructions from an interrupt to its step. Returns: NULL, and nothing changes, if there is more to release. */
static inline uf_signal *take_lone(const uf_pump *pump, void *top)
{
    uf_signal *const signal = ufi_fired_signal(top);
    if (!UFI_FAST_PATHS || !signal || !ufi_list_empty(&pump->fired)) return NULL;
    if (ufp_load_pointer(&signal->queued) != UFI_EMPTY_STACK) return NULL;
    ufp_store_pointer_seq_cst(&signal->queued, NULL); /* before the word is read */
    return signal;
}

/* The stack is emptied first: a fire that this misses sends the message again. */
static void deliver_check_elsewhere(uf_pump *pump, uf_message *message)
{
    (void)message;
    void *const top = ufp_exchange_pointer_seq_cst(&pump->fired_elsewhere, NULL);
    uf_signal *const lone = take_lone(pump, top);
    if (lone) release(pump, lone);
    else sort_fired_elsewhere(pump, top);
    if (!ufi_list_empty(&pump->fired) || pump->due) process_fired(pump);
    if (UF_USES_ROOMS && pump->woken_arms) pump->rooms->receive_woken(pump);
}

static const struct ufi_signal_hooks hooks = {ufi_signal_dequeue, ufi_process_fired_early, deliver_check_elsewhere};

void ufi_use_signals(uf_pump *pump)
{
    if (UFI_MANY_THREADS) {
        pump->check_fired.deliver = deliver_check_fired;
        pump->check_elsewhere.deliver = deliver_check_elsewhere;
    }
    pump->signals = &hooks;
}

/* The flows of released arms still have to evaluate them, and no thread may wait for that. */
static bool detach_closed(uf_pump *pump)
{
    uf_arm const *const last = pump->released;
    bool any = false, more = last != NULL;
    uf_arm *next;

    for (uf_arm *arm = more ? last->next : NULL; more; arm = next) {
        next = arm->next;
        more = arm != last;
        if (!ufi_signal_closed(arm->on.signal)) continue;
        detach_arm(pump, arm);
        any = true;
    }
    return any;
}

bool ufi_process_fired_early(uf_pump *pump)
{
    ufi_take_elsewhere_early(pump);
    bool any = !ufi_list_empty(&pump->fired) || pump->due;
    process_fired(pump);
    if (ufi_hands_on(pump)) {
        pump->hand_on(pump);
        any = true;
    }
    return detach_closed(pump) || any;
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
    ufi_set_evaluation(flow->pump, UF_ARM_SIGNAL, ufi_evaluate_signal);
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
    if (!UFI_FAST_PATHS) return arm_signal(flow, arm, signal, since);
    if (!UF_USES_PUMPS || !signal || ufp_load_pointer(&signal->home) != flow->pump)
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
        if (arm->on_list) ufi_signal_rejoin(flow, arm);
        else ufi_signal_enqueue(flow, arm, arm->on.signal, ufi_epoch_now(arm->on.signal));
    }
}
