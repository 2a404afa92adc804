/* fired.c - signals, as the flows of a pump wait for them. On the pump's thread, all of it. */
#include "broadcast.h"

enum { AT_HOME = UFI_ON_LIST, AS_GUEST }; /* an arm's on_list */

static inline uint32_t epoch_now(const uf_signal *signal)
{
    return ufi_epoch_of(ufp_load_wide_seq_cst(&signal->word));
}

/* -- to wait and to leave ------------------------------------------------------------------------------------------ */

static bool has_guest(const uf_pump *pump, const uf_signal *signal)
{
    return ufp_load(&signal->guests) && pump->guest_count && ufi_has_guest(pump, signal);
}

/* Nobody else makes this pump the home, or takes that from it. It does not become one while flows of its own wait as
 * guests: they came first, and those on one list are released in the order in which they came. */
static bool is_home(uf_pump *pump, uf_signal *signal)
{
    uf_pump const *const home = ufp_load_pointer(&signal->home);
    return home == pump ||
           (!home && !has_guest(pump, signal) && ufp_compare_exchange_pointer_seq_cst(&signal->home, NULL, pump));
}

/* Who destroys a signal looks whether a pump that is driven by hand waits for it. */
static void begin_guests(const uf_pump *pump)
{
    if (!pump->host) ufp_critical_enter();
}
static void end_guests(const uf_pump *pump)
{
    if (!pump->host) ufp_critical_leave();
}

bool ufi_has_guest(const uf_pump *pump, const uf_signal *signal)
{
    uf_arm const *const last = pump->guests[ufi_guest_list(signal)];

    for (const uf_arm *arm = last ? last->next : NULL; arm; arm = arm == last ? NULL : arm->next) {
        if (arm->on.signal == signal) return true;
    }
    return false;
}

static void deliver(uf_pump *pump, uf_message *message);

/* From here on the pump needs what this file has: programs without signals are linked without it. */
static void enlist(uf_pump *pump, uf_signal *signal, uf_arm *arm)
{
    pump->look.deliver = deliver;
    pump->leave_signal = ufi_signal_leave;
    if (is_home(pump, signal)) {
        ufi_arms_append(&signal->waiters, arm);
        return;
    }
    unsigned const list = ufi_guest_list(signal);
    ufp_add_fetch_seq_cst(&signal->guests, 1);
    if (pump->guest_count++ == 0 && !pump->host) ufi_enlist_pump(pump);
    begin_guests(pump);
    ufi_arms_append(&pump->guests[list], arm);
    end_guests(pump);
    arm->on_list = AS_GUEST;
    ufp_store(&pump->guests_in_use, ufp_load(&pump->guests_in_use) | UINT32_C(1) << list);
}

/* Here, so that one who fires and has found a home still has it. After that the signal may be gone. */
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

/* The signal may be gone after that. */
static void delist(uf_pump *pump, uf_arm *arm)
{
    uf_signal *const signal = arm->on.signal;

    if (arm->on_list == AT_HOME) {
        ufi_arms_remove(&signal->waiters, arm);
        if (!signal->waiters) cease_to_be_home(signal);
        return;
    }
    unsigned const list = ufi_guest_list(signal);
    begin_guests(pump);
    ufi_arms_remove(&pump->guests[list], arm);
    end_guests(pump);
    if (!pump->guests[list]) {
        ufp_store(&pump->guests_in_use, ufp_load(&pump->guests_in_use) & ~(UINT32_C(1) << list));
    }
    if (--pump->guest_count == 0 && !pump->host) ufi_delist_pump(pump);
    ufp_add_fetch_seq_cst(&signal->guests, UINT32_MAX);
}

/* The signal is being destroyed: who waits for it has failed, and nothing of it stays on a list. */
static void let_go(uf_pump *pump, uf_arm *arm)
{
    if (arm->state == UF_ARM_PENDING)
        arm->state = ufi_signal_quit(arm->on.signal, ufi_since(arm)) ? UF_ARM_FAILED : UF_ARM_READY;
    delist(pump, arm);
    arm->on.signal = NULL;
}

/* It is looked whether it was destroyed once it is where that would find it. */
void ufi_signal_wait(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since)
{
    arm->on.signal = signal;
    ufi_set_since(arm, since);
    arm->state = UF_ARM_READY;
    if (epoch_now(signal) != since) return;
    enlist(flow->pump, signal, arm);
    if (ufi_signal_join(signal, since)) arm->state = UF_ARM_PENDING;
    if (ufp_load_seq_cst(&signal->closed)) let_go(flow->pump, arm);
}

void ufi_signal_leave(uf_flow *flow, uf_arm *arm)
{
    if (!arm->on_list) return;
    if (arm->state == UF_ARM_PENDING) (void)ufi_signal_quit(arm->on.signal, ufi_since(arm));
    delist(flow->pump, arm);
}

bool ufi_signal_came(const uf_arm *arm)
{
    return arm->state == UF_ARM_READY || (arm->on_list && epoch_now(arm->on.signal) != ufi_since(arm));
}

/* -- what has fired ------------------------------------------------------------------------------------------------ */

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

static uint32_t take_fired_guests(uf_pump *pump)
{
    ufp_critical_enter();
    uint32_t const lists = pump->fired_guests;
    pump->fired_guests = 0;
    ufp_critical_leave();
    return lists;
}

static void wake(uf_arm *arm)
{
    if (arm->kind == UF_ARM_PREEMPT) {
        if (arm->state == UF_ARM_FAILED) return; /* nothing waits for it */
        ufi_flag_set(arm->owner, UFI_PREEMPTED);
    }
    ufi_wake(arm->owner);
}

/* Is there anything to be done about an arm that stands on a list? */
static bool is_due(const uf_arm *arm, uint32_t epoch, bool closed)
{
    return closed || (arm->state == UF_ARM_PENDING && epoch != ufi_since(arm));
}

/* One that is due is released, or, if the signal is being destroyed, has to leave it. What it needs of the signal after
 * that is its level, unless it has none. Returns whether it was released. */
static bool settle(uf_pump *pump, uf_arm *arm, uint32_t epoch, bool closed)
{
    bool const pending = arm->state == UF_ARM_PENDING;

    if (pending && epoch != ufi_since(arm)) arm->state = UF_ARM_READY;
    if (closed) let_go(pump, arm);
    else if (arm->kind == UF_ARM_SIGNAL) delist(pump, arm);
    if (pending) wake(arm);
    return pending && arm->state == UF_ARM_READY;
}

/* All on a list that wait for the signal, in the order in which they came. After the last one has left, it may be gone. */
static uint32_t release_each(uf_pump *pump, const uf_arm *last, const uf_signal *signal, uint32_t epoch, bool closed)
{
    uint32_t released = 0;
    uf_arm *next;

    bool more = true;
    for (uf_arm *arm = last->next; more; arm = next) {
        next = arm->next;
        more = arm != last;
        if (arm->on.signal == signal && is_due(arm, epoch, closed)) released += settle(pump, arm, epoch, closed);
    }
    return released;
}

/* One that stays on its list, at home, whether it is released or not. Returns whether it was. */
UF_NOINLINE static bool stays(uf_signal *signal, uf_arm *arm, uint32_t epoch)
{
    bool const due = is_due(arm, epoch, false);

    ufi_arms_append(&signal->waiters, arm);
    if (due) {
        arm->state = UF_ARM_READY;
        wake(arm);
    }
    return due;
}

/* The same at home in a round, where none is let go: the list is emptied as a whole, and those that stay come back to it.
 * Most flows are parked, and become ready in a row. */
static uint32_t release_all(uf_pump *pump, uf_signal *signal, uint32_t epoch)
{
    uf_arm *const last = signal->waiters;
    uf_link *const behind_ready = ufi_behind_ready(pump);
    uf_arm *arm, *next = last->next;
    uint32_t released = 0;

    signal->waiters = NULL;
    do {
        arm = next;
        next = arm->next;
        if (arm->kind != UF_ARM_SIGNAL || !is_due(arm, epoch, false)) {
            released += stays(signal, arm, epoch);
            continue;
        }
        uf_flow *const flow = arm->owner;
        arm->state = UF_ARM_READY;
        arm->on_list = 0;
        released++;
        if (ufi_list_empty(&flow->link)) ufi_list_insert(behind_ready, &flow->link);
        else ufi_wake(flow);
    } while (arm != last);
    if (!signal->waiters) cease_to_be_home(signal);
    return released;
}

/* What becomes of the signal meanwhile is told once more. */
static void release(uf_pump *pump, const uf_arm *guests, uf_signal *signal)
{
    char const *const name = signal->name;
    uint32_t const epoch = epoch_now(signal);
    bool const closed = ufp_load_seq_cst(&signal->closed);
    uint32_t const released = UFI_FAST_PATHS && !guests && !closed && pump->in_round
                                  ? release_all(pump, signal, epoch)
                                  : release_each(pump, guests ? guests : signal->waiters, signal, epoch, closed);
    if (released && name && pump->observers) pump->tell->signal_fired(pump, name, released);
}

static const uf_arm *first_due(const uf_arm *last)
{
    for (const uf_arm *arm = last ? last->next : NULL; arm; arm = arm == last ? NULL : arm->next) {
        uf_signal const *const signal = arm->on.signal;
        if (is_due(arm, epoch_now(signal), ufp_load_seq_cst(&signal->closed))) return arm;
    }
    return NULL;
}

/* A signal without a waiter is nobody's home any more and was taken off: what is found in `fired` is there. */
void ufi_look_at_fired(uf_pump *pump)
{
    for (uf_signal *signal; (signal = take_fired(pump)) != NULL;) release(pump, NULL, signal);
    uint32_t const lists = take_fired_guests(pump);
    for (unsigned list = 0; list < UF_GUEST_LISTS; list++) {
        if (!(lists >> list & 1)) continue;
        for (const uf_arm *arm; (arm = first_due(pump->guests[list])) != NULL;) {
            release(pump, pump->guests[list], arm->on.signal);
        }
    }
}

static void deliver(uf_pump *pump, uf_message *message)
{
    (void)message;
    ufp_exchange_seq_cst(&pump->told, 0); /* from here on it is sent again, for what is not seen now */
    ufi_look_at_fired(pump);
}

/* -- arms ---------------------------------------------------------------------------------------------------------- */

bool ufi_arm_closed(uf_flow *flow, const uf_arm *arm)
{
    if (arm->state != UF_ARM_FAILED) return false;
    const char *const none = arm->kind == UF_ARM_ARRIVED ? "no checkpoint" : "no signal";
    (void)uf_fail(flow, "%s", arm->cause == UF_CAUSE_STATUS ? none : "closed");
    return true;
}

UF_NOINLINE static bool arm_signal(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since)
{
    ufi_set_arm(flow, arm, UF_ARM_SIGNAL);
    if (signal) {
        ufi_signal_wait(flow, arm, signal, since);
    } else {
        arm->state = UF_ARM_FAILED;
        arm->cause = UF_CAUSE_STATUS;
    }
    return arm->state == UF_ARM_PENDING;
}

/* The short way of one that comes to others of this pump: with them it will be let go if the signal is destroyed. */
bool uf_arm_signal(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since)
{
    if (!UFI_FAST_PATHS || !signal || ufp_load_pointer(&signal->home) != flow->pump || flow->flags & UFI_STAYING)
        return arm_signal(flow, arm, signal, since);

    uf_arm *const last = signal->waiters, *const first = last->next;
    arm->next = first;
    arm->prev = last;
    arm->on.signal = signal;
    arm->owner = flow;
    arm->kind = UF_ARM_SIGNAL;
    arm->state = UF_ARM_PENDING;
    arm->cause = UF_CAUSE_NONE;
    arm->on_list = AT_HOME;
    ufi_set_since(arm, since);
    first->prev = last->next = signal->waiters = arm;
    /* All 16 bits, as the turn is about to read them: one that has to be put together from two stores waits for both. */
    *(volatile uint16_t *)&flow->flags = (uint16_t)(flow->flags | UF_FLAG_ARMED);
    if (ufi_signal_join(signal, since)) return true;
    arm->state = UF_ARM_READY;
    delist(flow->pump, arm); /* as one that does not wait has no home here */
    return false;
}

bool uf_look_at_signal(uf_flow *flow, const uf_arm *arm)
{
    return !ufi_arm_closed(flow, arm) && ufi_signal_came(arm);
}

bool uf_look_at_first(uf_flow *flow)
{
    return uf_look_at_signal(flow, ufi_arms(flow));
}

/* It is looked at the level after the wait has begun: what changes it from then on is a fire that is not missed. */
bool ufi_level(uf_flow *flow, uf_arm *arm, bool (*holds)(const uf_arm *arm))
{
    for (;;) {
        if (!arm->on.signal) arm->state = UF_ARM_FAILED; /* destroyed, be it after it had fired */
        if (ufi_arm_closed(flow, arm)) return false;
        if (holds(arm)) return true;
        if (arm->on_list && !ufi_signal_came(arm)) return false;
        ufi_signal_leave(flow, arm);
        ufi_signal_wait(flow, arm, arm->on.signal, uf_signal_epoch(arm->on.signal));
    }
}
