/* signal.c - signals, as every thread sees them; see signals.h.
 *
 * No waiter is missed. A waiter first enqueues itself and then joins with a compare-and-exchange of the word. A fire
 * first changes the word and then walks the queues. Both modify one word, so one of them comes first. If the waiter
 * does, the fire has counted it, and finds it: the exchange makes the earlier enqueueing visible. If the fire does,
 * the waiter sees a new epoch and does not wait. */
#include "signals.h"

enum { CALLBACK_OUT, CALLBACK_WAITS, CALLBACK_IS_DETACHED, CALLBACK_IS_CALLED };

static uf_pump *registered; /* linked by next_registered; in the critical section */

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

uint32_t uf_signal_epoch(const uf_signal *signal)
{
    return signal ? ufi_epoch_of(ufp_load_wide_seq_cst(&signal->word)) : 0;
}

void uf_signal_init(uf_signal *signal, const char *name)
{
    if (!signal) return;
    memset(signal, 0, sizeof *signal);
    signal->name = name;
}

/* -- releasing waiters --------------------------------------------------------------------------------------------- */

/* Adds a pump to the list of those to be notified, and pins it; in the critical section. A set `check_queued` means
 * that another thread is about to send `check_fired`. The pump clears it before it enters the critical section to
 * process fires, so it sees this one too. From the exchange until the message is sent, `next_notified` belongs to
 * this thread. */
static uf_pump *add_pump(uf_pump *pump, uf_pump *others)
{
    if (ufp_load(&pump->check_queued) || ufp_exchange_seq_cst(&pump->check_queued, 1)) return others;
    ufi_pump_pin(pump);
    pump->next_notified = others;
    return pump;
}

static uf_pump *add_home(uf_signal *signal, uf_pump *others)
{
    uf_pump *const home = ufp_load_pointer(&signal->home);
    if (!home) return others;
    if (!signal->fired.next) ufi_list_insert(&home->fired, &signal->fired);
    return add_pump(home, others);
}

static uf_pump *add_foreign_pumps(uf_signal *signal, uf_pump *others)
{
    uint32_t const list = UINT32_C(1) << ufi_foreign_list(signal);
    if (!ufp_load(&signal->foreign_count)) return others;
    for (uf_pump *pump = registered; pump; pump = pump->next_registered) {
        if (!(ufp_load(&pump->foreign_in_use) & list)) continue;
        pump->fired_foreign |= list;
        others = add_pump(pump, others);
    }
    return others;
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

/* Moves the callbacks that are due to a list of this thread. Until it is called, each can still be unsubscribed,
 * even by another callback of the list. */
static void detach_callbacks(uf_signal *signal, uf_signal_callback **detached)
{
    uint32_t const epoch = uf_signal_epoch(signal);
    bool const closed = ufp_load(&signal->closed);
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
    }
}

/* Takes the next callback that is still subscribed. Returns: NULL if there is none. */
static uf_signal_callback *next_to_call(uf_signal_callback **detached)
{
    ufp_critical_enter();
    uf_signal_callback *const callback = *detached ? (*detached)->next : NULL;
    if (callback) {
        unlink_callback(detached, callback);
        ufp_store_pointer_seq_cst(&callback->owner, ufp_thread_self());
        ufp_store(&callback->state, CALLBACK_IS_CALLED);
    }
    ufp_critical_leave();
    return callback;
}

static void call_all(uf_signal_callback **detached)
{
    for (uf_signal_callback *callback; (callback = next_to_call(detached)) != NULL;) {
        callback->function(callback->argument, (uf_status)callback->status);
        ufp_store_release(&callback->state, CALLBACK_OUT); /* afterwards the callback belongs to its owner */
    }
}

/* Notifies all waiters that this thread's change of the word has released. After `firing` is lowered, this thread
 * must not touch the signal: a released waiter may destroy it. */
static void notify_waiters(uf_signal *signal)
{
    uf_signal_callback *detached = NULL;

    ufp_critical_enter();
    uf_pump *notified = add_foreign_pumps(signal, add_home(signal, NULL));
    bool const calls = signal->callbacks != NULL;
    if (calls) detach_callbacks(signal, &detached);
    ufp_critical_leave();
    ufp_add_fetch_seq_cst(&signal->firing, UINT32_MAX);

    for (uf_pump *pump = notified, *next; pump; pump = next) {
        next = pump->next_notified;
        ufi_inbox_send(pump, &pump->check_fired);
        ufi_wake_driver(pump);
        ufi_pump_unpin(pump);
    }
    if (calls) call_all(&detached);
}

/* `firing` is raised before the exchange: afterwards another thread may destroy the signal. */
bool ufi_signal_fire_from(uf_signal *signal, uint64_t word)
{
    uint64_t const fired = (uint64_t)(ufi_epoch_of(word) + 1) << 32;

    if (!ufi_waiting_of(word)) return ufp_compare_exchange_wide_seq_cst(&signal->word, word, fired);
    ufp_add_fetch_seq_cst(&signal->firing, 1);
    if (ufp_compare_exchange_wide_seq_cst(&signal->word, word, fired)) {
        notify_waiters(signal);
        return true;
    }
    ufp_add_fetch_seq_cst(&signal->firing, UINT32_MAX);
    return false;
}

uint32_t uf_signal_fire(uf_signal *signal)
{
    uint64_t word;
    if (!signal) return 0;
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
    *callback = (uf_signal_callback){.function = function, .argument = argument, .since = since};
    ufp_note_shared(&callback->owner, sizeof callback->owner);
    ufp_note_shared(&callback->state, sizeof callback->state);
    ufp_critical_enter();
    bool const closed = ufp_load(&signal->closed), joined = !closed && ufi_signal_join(signal, since);
    if (joined) {
        append_callback(&signal->callbacks, callback);
        ufp_store(&callback->state, CALLBACK_WAITS);
    }
    ufp_critical_leave();
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

    ufp_critical_enter();
    if (ufp_load(&callback->state) == CALLBACK_WAITS) {
        unlink_callback(&signal->callbacks, callback);
        removal = ufi_signal_withdraw(signal, callback->since) ? UFI_CALLBACK_REMOVED : UFI_CALLBACK_RELEASED;
        ufp_store(&callback->state, CALLBACK_OUT);
    } else if (ufp_load(&callback->state) == CALLBACK_IS_DETACHED) {
        unlink_callback(ufp_load_pointer(&callback->owner), callback);
        removal = callback->status == UF_OK ? UFI_CALLBACK_RELEASED : UFI_CALLBACK_REMOVED;
        ufp_store(&callback->state, CALLBACK_OUT);
    }
    ufp_critical_leave();
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

/* -- pumps --------------------------------------------------------------------------------------------------------- */

void ufi_pump_register(uf_pump *pump)
{
    ufp_critical_enter();
    pump->next_registered = registered;
    registered = pump;
    ufp_critical_leave();
}

void ufi_pump_unregister(uf_pump *pump)
{
    ufp_critical_enter();
    uf_pump **place = &registered;
    while (*place != pump) place = &(*place)->next_registered;
    *place = pump->next_registered;
    ufp_critical_leave();
}

/* Does this thread drive the pump of a runtime, or the external loop that drives it? */
static bool is_driver_of(const uf_pump *pump)
{
    return ufi_on_pump_thread(pump) || pump->host->own(pump);
}

bool ufi_thread_drives_runtime(void)
{
    bool found = false;

    ufp_critical_enter();
    for (const uf_pump *pump = registered; pump && !found; pump = pump->next_registered) {
        found = pump->host && is_driver_of(pump);
    }
    ufp_critical_leave();
    return found;
}

/* -- destroying a signal ------------------------------------------------------------------------------------------- */

static bool is_in_use(uf_signal *signal)
{
    ufp_critical_enter();
    bool const used = ufp_load_pointer_seq_cst(&signal->home) || ufp_load_seq_cst(&signal->foreign_count) ||
                      ufp_load_seq_cst(&signal->firing);
    ufp_critical_leave();
    return used;
}

static bool has_unprocessed_fires(const uf_pump *pump)
{
    return pump->fired.next != &pump->fired || pump->fired_foreign;
}

/* May this thread process the fires of a pump? The driver of a caller-driven pump is unknown; but a signal that its
 * flows wait for must be destroyed on its thread. In the critical section. */
static bool may_process(const uf_pump *pump, const uf_signal *signal)
{
    if (pump->host) return is_driver_of(pump);
    return signal && (ufp_load_pointer(&signal->home) == pump || ufi_has_foreign_waiter(pump, signal));
}

/* A pump of this thread with fires to process; the home of `signal`, which may be NULL, comes first. */
static uf_pump *own_pump_with_fired(uf_signal *signal)
{
    ufp_critical_enter();
    uf_pump *const home = signal ? ufp_load_pointer(&signal->home) : NULL;
    uf_pump *pump = registered;
    while (pump && !(has_unprocessed_fires(pump) && may_process(pump, signal))) pump = pump->next_registered;
    if (home && has_unprocessed_fires(home) && may_process(home, signal)) pump = home;
    ufp_critical_leave();
    return pump;
}

void ufi_process_own_fired(void)
{
    for (uf_pump *own; (own = own_pump_with_fired(NULL)) != NULL;) ufi_process_fired(own);
}

/* Other threads may be destroying signals that this thread's flows wait for. Processing fires while waiting prevents
 * that two threads wait for each other. */
void uf_signal_destroy(uf_signal *signal)
{
    if (!signal) return;
    ufp_store_seq_cst(&signal->closed, 1);
    ufp_add_fetch_seq_cst(&signal->firing, 1);
    notify_waiters(signal);
    while (is_in_use(signal)) {
        uf_pump *const own = own_pump_with_fired(signal);
        if (own) ufi_process_fired(own);
        else ufp_spin_pause();
    }
}
