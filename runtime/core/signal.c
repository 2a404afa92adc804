/* signal.c - signals, as every thread sees them; see broadcast.h.
 *
 * Why nobody is missed: who waits puts himself where he will be found, and then joins, by a swap of the word; who fires
 * swaps the word, and then looks. Both swaps are of one word: either his comes first, then the fire has counted him and
 * finds him; or the fire's does, then he sees another epoch, and does not wait. All that stands on a list before a swap
 * is seen by the thread whose swap comes later, for a swap hands over in both directions. */
#include "broadcast.h"

enum { CALLBACK_OUT, CALLBACK_WAITS, CALLBACK_IS_TAKEN, CALLBACK_IS_CALLED };

static uf_pump *pumps; /* between ufp_critical_enter() and ufp_critical_leave(); linked by `other` */

/* -- the word ------------------------------------------------------------------------------------------------------ */

bool ufi_signal_quit(uf_signal *signal, uint32_t since)
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

/* -- telling ------------------------------------------------------------------------------------------------------- */

/* Adds a pump to those that are to be told; inside. One that somebody else is about to tell will look after that, and so
 * later than now: it takes `told` back before it comes in here to look, so a plain load is enough to see that it has. From
 * here until the message is there the link is the caller's, for `told` is set. */
static uf_pump *tell(uf_pump *pump, uf_pump *others)
{
    if (ufp_load(&pump->told) || ufp_exchange_seq_cst(&pump->told, 1)) return others;
    ufi_go_inside(pump);
    pump->next_told = others;
    return pump;
}

static uf_pump *tell_home(uf_signal *signal, uf_pump *others)
{
    uf_pump *const home = ufp_load_pointer(&signal->home);
    if (!home) return others;
    if (!signal->fired.next) ufi_list_insert(&home->fired, &signal->fired);
    return tell(home, others);
}

static uf_pump *tell_guests(uf_signal *signal, uf_pump *others)
{
    uint32_t const list = UINT32_C(1) << ufi_guest_list(signal);
    if (!ufp_load(&signal->guests)) return others;
    for (uf_pump *pump = pumps; pump; pump = pump->other) {
        if (!(ufp_load(&pump->guests_in_use) & list)) continue;
        pump->fired_guests |= list;
        others = tell(pump, others);
    }
    return others;
}

static void append(uf_signal_callback **last, uf_signal_callback *callback)
{
    callback->next = *last ? (*last)->next : callback;
    callback->prev = *last ? *last : callback;
    callback->next->prev = callback->prev->next = callback;
    *last = callback;
}

static void take_off(uf_signal_callback **last, uf_signal_callback *callback)
{
    callback->prev->next = callback->next;
    callback->next->prev = callback->prev;
    if (*last == callback) *last = callback->prev == callback ? NULL : callback->prev;
}

/* Puts those that are to be called on a list of the caller's, each with the status in `since`. Until its turn has come each
 * can be forgotten still, by a callback before it as well. */
static void take_callbacks(uf_signal *signal, uf_signal_callback **called)
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
        take_off(&signal->callbacks, callback);
        callback->since = callback->since == epoch ? UF_CLOSED : UF_OK;
        ufp_store_pointer_seq_cst(&callback->thread, called);
        ufp_store(&callback->state, CALLBACK_IS_TAKEN);
        append(called, callback);
    }
}

/* The first that nobody has forgotten meanwhile; NULL: that was the last. */
static uf_signal_callback *next_to_call(uf_signal_callback **called)
{
    ufp_critical_enter();
    uf_signal_callback *const callback = *called ? (*called)->next : NULL;
    if (callback) {
        take_off(called, callback);
        ufp_store_pointer_seq_cst(&callback->thread, ufp_thread_self());
        ufp_store(&callback->state, CALLBACK_IS_CALLED);
    }
    ufp_critical_leave();
    return callback;
}

static void call_all(uf_signal_callback **called)
{
    for (uf_signal_callback *callback; (callback = next_to_call(called)) != NULL;) {
        callback->function(callback->argument, (uf_status)callback->since);
        ufp_store_release(&callback->state, CALLBACK_OUT); /* and from here on it is its owner's */
    }
}

/* Whoever was counted by a swap that this thread made is told. The signal is not touched after `firing` was lowered:
 * those who have been released may destroy it. */
static void release(uf_signal *signal)
{
    uf_signal_callback *called = NULL;

    ufp_critical_enter();
    uf_pump *told = tell_guests(signal, tell_home(signal, NULL));
    bool const calls = signal->callbacks != NULL;
    if (calls) take_callbacks(signal, &called);
    ufp_critical_leave();
    ufp_add_fetch_seq_cst(&signal->firing, UINT32_MAX);

    for (uf_pump *pump = told, *next; pump; pump = next) {
        next = pump->next_told;
        ufi_send(pump, &pump->look.link);
        ufi_wake_driver(pump);
        ufi_leave(pump);
    }
    if (calls) call_all(&called);
}

/* `firing` is raised before the swap: once that is made, somebody may come to destroy the signal. */
bool ufi_signal_fire_from(uf_signal *signal, uint64_t word)
{
    uint64_t const fired = (uint64_t)(ufi_epoch_of(word) + 1) << 32;

    if (!ufi_waiting_of(word)) return ufp_compare_exchange_wide_seq_cst(&signal->word, word, fired);
    ufp_add_fetch_seq_cst(&signal->firing, 1);
    if (ufp_compare_exchange_wide_seq_cst(&signal->word, word, fired)) {
        release(signal);
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

uf_status uf_signal_subscribe_since(uf_signal *signal, uint32_t since, uf_signal_callback *callback,
                                    void (*function)(void *argument, uf_status status), void *argument)
{
    if (!signal || !callback || !function) return UF_INVALID;
    *callback = (uf_signal_callback){.function = function, .argument = argument, .since = since};
    ufp_note_shared(&callback->thread, sizeof callback->thread);
    ufp_note_shared(&callback->state, sizeof callback->state);
    ufp_critical_enter(); /* one who fires after it has joined, or destroys, comes in here later, and finds it */
    bool const closed = ufp_load(&signal->closed), joined = !closed && ufi_signal_join(signal, since);
    if (joined) {
        append(&signal->callbacks, callback);
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

/* A callback that waits is the signal's, so that is there; after this it may not be. One that was taken is on the list of
 * the thread that is about to call it. */
ufi_forgotten ufi_signal_forget(uf_signal *signal, uf_signal_callback *callback)
{
    ufi_forgotten how = UFI_CALLED;

    ufp_critical_enter();
    if (ufp_load(&callback->state) == CALLBACK_WAITS) {
        take_off(&signal->callbacks, callback);
        how = ufi_signal_quit(signal, callback->since) ? UFI_LEFT : UFI_RELEASED;
        ufp_store(&callback->state, CALLBACK_OUT);
    } else if (ufp_load(&callback->state) == CALLBACK_IS_TAKEN) {
        take_off(ufp_load_pointer(&callback->thread), callback);
        how = callback->since == UF_OK ? UFI_RELEASED : UFI_LEFT;
        ufp_store(&callback->state, CALLBACK_OUT);
    }
    ufp_critical_leave();
    while (how == UFI_CALLED && ufp_load_acquire(&callback->state) == CALLBACK_IS_CALLED) {
        if (ufp_load_pointer_seq_cst(&callback->thread) == ufp_thread_self()) break;
        ufp_spin_pause();
    }
    return how;
}

bool uf_signal_unsubscribe(uf_signal *signal, uf_signal_callback *callback)
{
    return signal && callback && ufi_signal_forget(signal, callback) != UFI_CALLED;
}

/* -- pumps --------------------------------------------------------------------------------------------------------- */

void ufi_enlist_pump(uf_pump *pump)
{
    ufp_critical_enter();
    pump->other = pumps;
    pumps = pump;
    ufp_critical_leave();
}

void ufi_delist_pump(uf_pump *pump)
{
    ufp_critical_enter();
    uf_pump **place = &pumps;
    while (*place != pump) place = &(*place)->other;
    *place = pump->other;
    ufp_critical_leave();
}

/* May this thread do what only the thread of that runtime does? */
static bool drives(const uf_pump *pump)
{
    return ufi_here(pump) || pump->host->own(pump);
}

bool ufi_drives(void)
{
    bool found = false;

    ufp_critical_enter();
    for (const uf_pump *pump = pumps; pump && !found; pump = pump->other) found = pump->host && drives(pump);
    ufp_critical_leave();
    return found;
}

/* -- the end of a signal ------------------------------------------------------------------------------------------- */

static bool in_use(uf_signal *signal)
{
    ufp_critical_enter();
    bool const used = ufp_load_pointer_seq_cst(&signal->home) || ufp_load_seq_cst(&signal->guests) ||
                      ufp_load_seq_cst(&signal->firing);
    ufp_critical_leave();
    return used;
}

static bool has_fired(const uf_pump *pump)
{
    return pump->fired.next != &pump->fired || pump->fired_guests;
}

/* Whose thread a pump is on that is driven by hand nobody knows; but who destroys a signal that its flows wait for is on it.
 * Inside. */
static bool is_own(const uf_pump *pump, const uf_signal *signal)
{
    if (pump->host) return drives(pump);
    return signal && (ufp_load_pointer(&signal->home) == pump || ufi_has_guest(pump, signal));
}

/* A pump that this thread can see to, and that has been told to look: the home of a signal, if there is one, first. */
static uf_pump *own_with_fired(uf_signal *signal)
{
    ufp_critical_enter();
    uf_pump *const home = signal ? ufp_load_pointer(&signal->home) : NULL;
    uf_pump *pump = pumps;
    while (pump && !(has_fired(pump) && is_own(pump, signal))) pump = pump->other;
    if (home && has_fired(home) && is_own(home, signal)) pump = home;
    ufp_critical_leave();
    return pump;
}

void ufi_look_while_waiting(void)
{
    for (uf_pump *own; (own = own_with_fired(NULL)) != NULL;) ufi_look_at_fired(own);
}

/* Others may be destroying signals that flows of this thread's pumps wait for: they are let go meanwhile, so that two
 * threads never wait for each other. */
void uf_signal_destroy(uf_signal *signal)
{
    if (!signal) return;
    ufp_store_seq_cst(&signal->closed, 1);
    ufp_add_fetch_seq_cst(&signal->firing, 1);
    release(signal);
    while (in_use(signal)) {
        uf_pump *const own = own_with_fired(signal);
        if (own) ufi_look_at_fired(own);
        else ufp_spin_pause();
    }
}
