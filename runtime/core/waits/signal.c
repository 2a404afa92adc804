/* SPDX-License-Identifier: MIT */
/* signal.c - signals, as every thread sees them; see signals.h.
 *
 * No waiter is missed. A waiter first enqueues itself and then joins with a compare-and-exchange of the word. A fire
 * first changes the word and then walks the queues. Both modify one word, so one of them comes first. If the waiter
 * comes first, the fire has counted it, and finds it: the exchange makes the earlier enqueueing visible. If the fire
 * comes first, the waiter sees a new epoch and does not wait.
 *
 * A fire need not look at others if `others` is 0 after its exchange: others raise it before they join. A waiter that
 * was counted and has left since then has seen the fire.
 *
 * A signal is pushed on its home's stack without the critical section. `queued` is set from before the push until the
 * home has taken the signal off its stack. So `queued` claims the signal for one thread. The home clears `queued` and
 * then reads the word. A fire changes the word and then reads `queued`. All four are sequentially consistent: if the
 * fire finds the signal claimed, the home sees the fire. A thread that has claimed the signal and finds no home clears
 * `queued`, and then looks for a home once more: a fire may have found the signal claimed meanwhile.
 *
 * A pump that ceases to be the home marks `home` and then reads `queued`. A fire claims the signal and then reads
 * `home`. So the fire sees the mark, and leaves the pump alone; or the pump sees the claim, and waits until the signal
 * is on its stack. A pump that is the home of a claimed signal stays it, and exists. Its last access is to store that
 * there is no home. A thread that destroys the signal waits for that store.
 *
 * Where only interrupt handlers run beside the pump, no thread can wait for a claim. There, a claim and its push are
 * one critical section. A pump that ceases to be the home first stores that there is none, and then takes its stack. */
#include "waits/signals.h"

enum { CALLBACK_OUT, CALLBACK_WAITS, CALLBACK_IS_DETACHED, CALLBACK_IS_CALLED };

/* -- the word ------------------------------------------------------------------------------------------------------ */

bool ufi_signal_withdraw(uf_signal *signal, uint32_t since)
{
    uint64_t word;
    do {
        word = ufp_load_wide_seq_cst(&signal->word);
        if (ufi_epoch_of(word) != since) return false;
    } while (!ufp_compare_exchange_wide_seq_cst(&signal->word, word, word - 1));
    return true;
}

uint32_t UFI_OF_PUMPS(uf_signal_epoch)(const uf_signal *signal)
{
    return signal ? ufi_epoch_now(signal) : 0;
}

void UFI_OF_PUMPS(uf_signal_init)(uf_signal *signal, const char *name)
{
    if (!signal) return;
    (void)memset(signal, 0, UF_SIGNAL_SIZE);
    signal->name = name;
}

/* -- releasing waiters --------------------------------------------------------------------------------------------- */

/* The result of taking waiters out of a signal: the pumps to notify, and the callbacks to call. */
typedef struct released {
    uf_pump *pumps; /* pinned; linked by next_notified, which belongs to the thread until it has sent the message */
    const struct ufi_callback_hooks *calls; /* NULL: there are no callbacks */
    uf_signal_callback *callbacks;          /* in the critical section: an unsubscribe may take one out */
} released;

/* The pump is pinned. */
static void note_pump(released *to, uf_pump *pump)
{
    pump->next_notified = to->pumps;
    to->pumps = pump;
}

uf_pump *ufi_push_elsewhere(uf_pump *pump, uf_arm *top, uf_arm *bottom)
{
    void *below;

    ufi_pump_pin(pump);
    do {
        below = ufp_load_pointer(&pump->fired_elsewhere);
        bottom->next = below;
    } while (!ufp_compare_exchange_pointer_seq_cst(&pump->fired_elsewhere, below, top));
    if (!below) return pump;
    ufi_pump_unpin(pump);
    return NULL;
}

void ufi_send_check_elsewhere(uf_pump *pump)
{
    if (UFI_MANY_THREADS) ufi_inbox_push(pump, &pump->check_elsewhere); /* otherwise each round takes the stack */
    if (ufi_host(pump)) ufi_host(pump)->wake(pump);
    else ufi_wake_driver(pump);
    ufi_pump_unpin(pump);
}

/* Claims the signal: until it is pushed, its home stays. Returns: NULL if the signal has no home, or if another thread
 * has claimed it. */
static uf_pump *claim_home(uf_signal *signal)
{
    uf_pump *home = ufp_load_pointer_seq_cst(&signal->home);

    if (!UFI_MANY_THREADS) return ufp_load_pointer(&signal->queued) ? NULL : home;
    while (ufi_is_present(home) && !ufp_load_pointer_seq_cst(&signal->queued) &&
           ufp_compare_exchange_pointer_seq_cst(&signal->queued, NULL, UFI_EMPTY_STACK)) {
        home = ufp_load_pointer_seq_cst(&signal->home);
        if (ufi_is_present(home)) return home;
        ufp_store_pointer_seq_cst(&signal->queued, NULL);
        home = ufp_load_pointer_seq_cst(&signal->home);
    }
    return NULL;
}

/* Once the signal is on its stack, the pump may cease to be the home, and be freed: it is pinned before the push. */
static void push_claimed(uf_signal *signal, uf_pump *home, released *to)
{
    bool pinned = false;
    void *below;

    do {
        below = ufp_load_pointer(&home->fired_elsewhere);
        ufp_store_pointer(&signal->queued, below ? below : UFI_EMPTY_STACK);
        if (!below && !pinned) {
            ufi_pump_pin(home);
            pinned = true;
        }
    } while (!ufp_compare_exchange_pointer_seq_cst(&home->fired_elsewhere, below, (unsigned char *)signal + 1));
    if (!below) note_pump(to, home);
    else if (pinned) ufi_pump_unpin(home);
}

static void push_signal(uf_signal *signal, released *to)
{
    if (!UFI_MANY_THREADS) ufp_critical_enter(signal);
    uf_pump *const home = claim_home(signal);
    if (home) push_claimed(signal, home, to);
    if (!UFI_MANY_THREADS) ufp_critical_leave(signal);
}

/* A thread enters the critical section again after this many foreign arms. */
#define ARMS_AT_ONCE 64

static uf_arm *first_due(const uf_signal *signal, uint32_t epoch, bool closed)
{
    uf_arm *const first = signal->foreign ? signal->foreign->next : NULL;
    return first && (closed || first->since != epoch) ? first : NULL;
}

/* Without `prev`, a foreign arm is on its pump's stack. The other members belong to its pump. */
static void unlink_first(uf_signal *signal)
{
    uf_arm *const last = signal->foreign, *const first = last->next;

    last->next = first->next;
    first->next->prev = last;
    if (first == last) signal->foreign = NULL;
    first->prev = NULL;
}

/* Pushes the foreign arms that are due on the stacks of their pumps; in the critical section. They are the first ones
 * in the list: an arm that waits for the next fire was enqueued after the exchange that counted these. Returns: true if
 * there are more. */
static bool push_arms(uf_signal *signal, released *to)
{
    uint32_t const epoch = ufi_epoch_of(ufp_load_wide_seq_cst(&signal->word));
    bool const closed = ufi_signal_closed(signal);
    uf_arm *arm = first_due(signal, epoch, closed);

    for (unsigned pushed = 0; arm && pushed < ARMS_AT_ONCE;) {
        uf_pump *const pump = arm->owner->pump;
        uf_arm *const bottom = arm, *top = NULL;
        do {
            unlink_first(signal);
            arm->next = top;
            top = arm;
            arm = first_due(signal, epoch, closed);
        } while (++pushed < ARMS_AT_ONCE && arm && arm->owner->pump == pump);
        uf_pump *const first = ufi_push_elsewhere(pump, top, bottom);
        if (first) note_pump(to, first);
    }
    return arm != NULL;
}

static void append_callback(uf_signal_callback **last, uf_signal_callback *callback)
{
    callback->next = *last ? (*last)->next : callback;
    callback->prev = *last ? *last : callback;
    callback->next->prev = callback->prev->next = callback;
    *last = callback;
}

static void unlink_callback(uf_signal_callback **last, uf_signal_callback *callback)
{
    callback->prev->next = callback->next;
    callback->next->prev = callback->prev;
    if (*last == callback) *last = callback->prev == callback ? NULL : callback->prev;
}

/* Moves the callbacks that are due to a list of this thread, in the critical section. Until it is called, each can
 * still be unsubscribed, even by another callback of the list. */
static void detach_callbacks(uf_signal *signal, uf_signal_callback **detached)
{
    uint32_t const epoch = uf_signal_epoch(signal);
    bool const closed = ufi_signal_closed(signal);
    uf_signal_callback *next;
    uf_signal_callback *const last = signal->callbacks;
    bool more = last != NULL;

    for (uf_signal_callback *callback = more ? last->next : NULL; more; callback = next) {
        next = callback->next;
        more = callback != last;
        if (callback->since == epoch && !closed) continue;
        unlink_callback(&signal->callbacks, callback);
        callback->status = callback->since == epoch ? UF_CLOSED : UF_OK;
        ufp_store_pointer_seq_cst(&callback->owner, detached);
        ufp_store(&callback->state, CALLBACK_IS_DETACHED);
        append_callback(detached, callback);
        (void)ufp_add_fetch_seq_cst(&signal->others, UINT32_MAX);
    }
}

/* Takes the next callback that is still subscribed. Returns: NULL if there is none. The signal may be gone. */
static uf_signal_callback *next_to_call(const uf_signal *signal, uf_signal_callback **detached)
{
    ufp_critical_enter(signal);
    uf_signal_callback *const callback = *detached ? (*detached)->next : NULL;
    if (callback) {
        unlink_callback(detached, callback);
        ufp_store_pointer_seq_cst(&callback->owner, ufp_thread_self());
        ufp_store(&callback->state, CALLBACK_IS_CALLED);
    }
    ufp_critical_leave(signal);
    return callback;
}

static void call_all(const uf_signal *signal, uf_signal_callback **detached)
{
    int const state = ufp_begin_uncancelled();
    for (uf_signal_callback *callback; (callback = next_to_call(signal, detached)) != NULL;) {
        callback->function(callback->argument, (uf_status)callback->status);
        ufp_store_release(&callback->state, CALLBACK_OUT); /* afterwards the callback belongs to its owner */
    }
    ufp_end_uncancelled(state);
}

static const struct ufi_callback_hooks callback_hooks = {.detach = detach_callbacks, .call = call_all};

UF_NOINLINE static void take_others(uf_signal *signal, released *to)
{
    bool more;
    do {
        ufp_critical_enter(signal);
        more = signal->foreign && push_arms(signal, to);
        if (signal->callbacks) {
            to->calls = signal->callbacks->hooks;
            to->calls->detach(signal, &to->callbacks);
        }
        ufp_critical_leave(signal);
    } while (more);
}

/* Takes out all waiters that a change of the word, or UFI_CLOSED, has released. The caller is counted in `firing`. */
static void take_released(uf_signal *signal, released *to)
{
    push_signal(signal, to);
    if (ufp_load_seq_cst(&signal->others)) take_others(signal, to);
}

/* Uses only the address of the signal: a released waiter may have destroyed it. */
UF_NOINLINE static void notify_released(const uf_signal *signal, released *from)
{
    for (uf_pump *pump = from->pumps, *next; pump; pump = next) {
        next = pump->next_notified;
        ufi_send_check_elsewhere(pump);
    }
    if (from->calls) from->calls->call(signal, &from->callbacks);
}

static void notify_waiters(uf_signal *signal)
{
    released found = {.pumps = NULL};

    take_released(signal, &found);
    (void)ufp_add_fetch_seq_cst(&signal->firing, UINT32_MAX);
    if (found.pumps || found.calls) notify_released(signal, &found);
}

/* The home processes the signal in its next round: `check_fired` is behind all messages that it has taken so far. */
static void enqueue_fired(uf_pump *home, uf_signal *signal)
{
    uf_message **end = &home->messages;

    if (signal->fired.next) return;
    ufi_list_insert(&home->fired, &signal->fired);
    if (ufi_is_observed(home) && home->current) home->notify->sent(home, signal);
    if (home->check_queued) return;
    home->check_queued = true;
    home->check_fired.next = NULL;
    while (*end) end = &(*end)->next;
    *end = &home->check_fired;
    ufi_end_lone(home);
}

/* Called in a round of the home, which keeps the signal. */
static bool fire_at_home(uf_signal *signal, uint64_t word, uint64_t fired)
{
    if (!ufp_compare_exchange_wide_seq_cst(&signal->word, word, fired)) return false;
    enqueue_fired(ufp_load_pointer(&signal->home), signal);
    if (!ufp_load_seq_cst(&signal->others)) return true;
    (void)ufp_add_fetch_seq_cst(&signal->firing, 1);
    notify_waiters(signal);
    return true;
}

/* `firing` is raised before the exchange: afterwards another thread may destroy the signal. */
bool ufi_signal_fire_from(uf_signal *signal, uint64_t word)
{
    uint64_t const fired = (uint64_t)(ufi_epoch_of(word) + 1) << 32;

    if (!ufi_waiting_of(word)) return ufp_compare_exchange_wide_seq_cst(&signal->word, word, fired);
    if (ufi_at_home(signal)) return fire_at_home(signal, word, fired);
    (void)ufp_add_fetch_seq_cst(&signal->firing, 1);
    if (ufp_compare_exchange_wide_seq_cst(&signal->word, word, fired)) {
        notify_waiters(signal);
        return true;
    }
    (void)ufp_add_fetch_seq_cst(&signal->firing, UINT32_MAX);
    return false;
}

#if !UFI_MANY_THREADS
/* On bare metal, with waiters of the home alone: one short section with masked interrupts, like a critical section, but
 * inline. The home looks at its stack in each round, so no message is needed. */
static uint32_t fire_masked(uf_signal *signal)
{
    uint32_t const interrupts = ufp_disable_interrupts();
    uint64_t const word = signal->word;
    uf_pump *const home = ufi_waiting_of(word) ? claim_home(signal) : NULL;
    void *const below = home ? ufp_load_pointer(&home->fired_elsewhere) : NULL;

    signal->word = (uint64_t)(ufi_epoch_of(word) + 1) << 32;
    if (home) {
        ufp_store_pointer(&signal->queued, below ? below : UFI_EMPTY_STACK);
        ufp_store_pointer(&home->fired_elsewhere, (unsigned char *)signal + 1);
    }
    ufp_restore_interrupts(interrupts);
    if (home && !below) ufi_wake_driver(home);
    return ufi_waiting_of(word);
}
#endif

uint32_t UFI_OF_PUMPS(uf_signal_fire)(uf_signal *signal)
{
    uint64_t word;
    if (!signal) return 0;
#if !UFI_MANY_THREADS
    if (!ufp_load(&signal->others)) return fire_masked(signal);
#endif
    do word = ufp_load_wide_seq_cst(&signal->word);
    while (!ufi_signal_fire_from(signal, word));
    return ufi_waiting_of(word);
}

/* -- callbacks ----------------------------------------------------------------------------------------------------- */

/* A fire or a destroy after the join enters the critical section later, and finds the callback. */
uf_status uf_signal_subscribe_since(uf_signal *signal, uint32_t since, uf_signal_callback *callback,
                                    void (*function)(void *argument, uf_status status), void *argument)
{
    if (!signal || !callback || !function) return UF_INVALID;
    *callback =
        (uf_signal_callback){.hooks = &callback_hooks, .function = function, .argument = argument, .since = since};
    ufp_note_shared(&callback->owner, sizeof callback->owner);
    ufp_note_shared(&callback->state, sizeof callback->state);
    ufp_critical_enter(signal);
    (void)ufp_add_fetch_seq_cst(&signal->others, 1);
    bool const closed = ufi_signal_closed(signal), joined = !closed && ufi_signal_join(signal, since);
    if (joined) {
        append_callback(&signal->callbacks, callback);
        ufp_store(&callback->state, CALLBACK_WAITS);
    } else {
        (void)ufp_add_fetch_seq_cst(&signal->others, UINT32_MAX);
    }
    ufp_critical_leave(signal);
    return joined ? UF_BUSY : closed ? UF_CLOSED : UF_OK;
}

void uf_signal_subscribe(uf_signal *signal, uf_signal_callback *callback,
                         void (*function)(void *argument, uf_status status), void *argument)
{
    uf_status status;
    if (!function) return;
    do status = uf_signal_subscribe_since(signal, uf_signal_epoch(signal), callback, function, argument);
    while (status == UF_OK);
    if (status == UF_CLOSED) function(argument, UF_CLOSED);
}

/* The signal exists as long as the callback waits; afterwards it may be gone. A detached callback is on its owner's
 * list. */
ufi_removal ufi_signal_remove_callback(uf_signal *signal, uf_signal_callback *callback)
{
    ufi_removal removal = UFI_CALLBACK_CALLED;

    ufp_critical_enter(signal);
    if (ufp_load(&callback->state) == CALLBACK_WAITS) {
        unlink_callback(&signal->callbacks, callback);
        removal = ufi_signal_withdraw(signal, callback->since) ? UFI_CALLBACK_REMOVED : UFI_CALLBACK_RELEASED;
        ufp_store(&callback->state, CALLBACK_OUT);
        (void)ufp_add_fetch_seq_cst(&signal->others, UINT32_MAX);
    } else if (ufp_load(&callback->state) == CALLBACK_IS_DETACHED) {
        unlink_callback(ufp_load_pointer(&callback->owner), callback);
        removal = callback->status == UF_OK ? UFI_CALLBACK_RELEASED : UFI_CALLBACK_REMOVED;
        ufp_store(&callback->state, CALLBACK_OUT);
    }
    ufp_critical_leave(signal);
    while (removal == UFI_CALLBACK_CALLED && ufp_load_acquire(&callback->state) == CALLBACK_IS_CALLED) {
        if (ufp_load_pointer_seq_cst(&callback->owner) == ufp_thread_self()) break;
        ufp_spin_pause();
    }
    return removal;
}

bool uf_signal_unsubscribe(uf_signal *signal, uf_signal_callback *callback)
{
    return signal && callback && ufi_signal_remove_callback(signal, callback) != UFI_CALLBACK_CALLED;
}

/* -- destroying a signal ------------------------------------------------------------------------------------------- */

/* This thread is counted in `firing`. Each of the three is lowered by the last access of its thread. */
static bool is_in_use(const uf_signal *signal)
{
    return ufp_load_pointer_seq_cst(&signal->home) || ufp_load_seq_cst(&signal->others) ||
           ufp_load_seq_cst(&signal->firing) != UFI_CLOSED + 1;
}

/* A signal that flows of a caller-driven pump wait for must be destroyed on that pump's thread: so the pump is one of
 * this thread. UFI_CLOSED makes a home that ceases enter the critical section. */
static uf_pump *caller_driven_home(const uf_signal *signal)
{
    ufp_critical_enter(signal);
    uf_pump *const home = ufp_load_pointer_seq_cst(&signal->home);
    bool const found = ufi_is_present(home) && !ufi_host(home);
    ufp_critical_leave(signal);
    return found ? home : NULL;
}

bool ufi_process_own_fired(void)
{
    void *const *const slots = ufp_thread_slot();
    uf_pump const *const round = slots[UFP_SLOT_ROUND];
    struct ufi_host const *const host = round ? ufi_host(round) : UFI_HAS_HOST ? slots[UFP_SLOT_HOST] : NULL;
    bool any = false;

    for (uf_pump *pump = slots[UFP_SLOT_FOREIGN], *next; pump; pump = next) {
        next = pump->next_foreign;
        any = ufi_process_fired_early(pump) || any;
    }
    return (host && host->process_own_fired()) || any;
}

void UFI_OF_PUMPS(uf_signal_destroy)(uf_signal *signal)
{
    released found = {.pumps = NULL};

    if (!signal) return;
    (void)ufp_add_fetch_seq_cst(&signal->firing, ufi_signal_closed(signal) ? 1 : UFI_CLOSED + 1);
    take_released(signal, &found);
    notify_released(signal, &found);
    while (is_in_use(signal)) {
        uf_pump *const home = caller_driven_home(signal);
        if (!(home && ufi_process_fired_early(home)) && !ufi_process_own_fired()) ufp_spin_pause();
    }
    (void)ufp_add_fetch_seq_cst(&signal->firing, UINT32_MAX);
}
