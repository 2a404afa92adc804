/* signal.h - something that happened, told to everyone who waits for it: flows of any pump, threads, callbacks.
 *
 *   signal estop;                       in a .uflow file: here `uf_signal estop`, for every C file
 *   uf_signal_fire(&estop);             releases all who wait for it now; who comes later waits for the next one
 *   uf_signal_wait(&estop, UF_S(1));    a thread that is no pump's waits too
 *
 * A signal carries nothing and remembers nothing but how often it fired. Nobody is released twice by one fire. A check
 * and a wait that nothing may slip between:
 *
 *   uint32_t const since = uf_signal_epoch(&changed);
 *   if (!done()) uf_signal_wait_since(&changed, since, UF_FOREVER);
 *
 * Everything here is for any thread unless it says more; with a pump that is driven by hand, firing is as well, which its
 * driver finds in its next round, and is woken for by the hook `wake` of its configuration, if at all (see also
 * uf_pump_timeout()). "An interrupt" is one of bare metal: nothing
 * here may be called in a handler of a POSIX signal. */
#ifndef UFLOW_SIGNAL_H
#define UFLOW_SIGNAL_H

#include "uflow/base.h"
#include "uflow/flow.h"
#include "uflow/priv/signal.h" /* struct uf_signal, struct uf_signal_callback */

#ifdef __cplusplus
extern "C" {
#endif

/* uf_signal: all zero but the name is ready for use.
 * uf_signal_callback: owned by the caller; it must stay until its function has returned or it was unsubscribed. */

/* uf_signal estop = UF_SIGNAL("estop"); without designators: a program may have a macro of the name of a member */
#define UF_SIGNAL(name_)                                                                                               \
    {                                                                                                                  \
        name_, 0, 0, 0, 0, 0, 0, {0, 0}, 0                                                                             \
    }

/* Makes it one that never fired and that nobody waits for. `name` is for observers, and must stay; NULL: it is none of
 * theirs. */
void uf_signal_init(uf_signal *signal, const char *name);

/* Releases everyone who began to wait before: for a flow, a named signal's wait begins with the step's body. Returns how
 * many were waiting: 0 if nobody was, and no more happens. Not among them is a flow whose body has begun and not come to
 * its await, which hears it all the same; among them is one that is being cancelled, or finds another arm ready, at this
 * moment. Flows go on in the next round of their pumps; callbacks are called before it returns. Also from a step, an
 * observer, a callback, an interrupt. */
uint32_t uf_signal_fire(uf_signal *signal);

/* How often it has fired; wraps. */
uint32_t uf_signal_epoch(const uf_signal *signal);

/* Releases everyone who waits: threads with UF_CLOSED; the tasks of flows fail with "closed". When it returns nothing
 * refers to the signal, and its memory is the caller's; who begins to wait for it while that is still there is told the
 * same, until uf_signal_init() makes it a new one. If flows of other pumps wait for it, it takes until their pumps'
 * next rounds, or, where a step waits for another runtime, a millisecond. A fire whose effect has been seen may not have
 * returned yet, and is waited for; no other may be under way or begin. Not from an interrupt; for a signal that flows of
 * a pump driven by hand wait for, on the thread that drives it. */
void uf_signal_destroy(uf_signal *signal);

/* -- callbacks ----------------------------------------------------------------------------------------------------- */

/* Has `function` called once, by the next fire, on the thread that fires, with no lock held: status UF_OK; or by
 * uf_signal_destroy(), status UF_CLOSED. It may fire, register other callbacks, forget any, destroy the signal; not
 * register the same one again. With a `since`: a fire after that epoch counts, and if there was one already, UF_OK is
 * returned and nothing is registered; otherwise UF_BUSY. UF_CLOSED: it was destroyed before; without a `since` the
 * function is called at once. */
void uf_signal_subscribe(uf_signal *signal, uf_signal_callback *callback,
                         void (*function)(void *argument, uf_status status), void *argument);
uf_status uf_signal_subscribe_since(uf_signal *signal, uint32_t since, uf_signal_callback *callback,
                                    void (*function)(void *argument, uf_status status), void *argument);

/* It will not be called, and is not being called, when this returns; inside of the very call: will not be again. True: it
 * was not called, also if a fire had released it and was about to. The signal must not have been destroyed, unless the callback was called. */
bool uf_signal_unsubscribe(uf_signal *signal, uf_signal_callback *callback);

/* -- threads: in the library with threads only ----------------------------------------------------------------------- */

/* Waits for the next fire, up to `timeout` of real time. UF_TIMED_OUT; UF_CLOSED: it was destroyed; UF_DEADLOCK on a thread
 * that drives a runtime, whose flows it would hold up (not seen for a pump that is driven by hand); UF_NO_THREAD: the system gave nothing to wait at. */
uf_status uf_signal_wait(uf_signal *signal, uf_time timeout);

/* Returns at once if it has fired since that epoch. */
uf_status uf_signal_wait_since(uf_signal *signal, uint32_t epoch, uf_time timeout);

#ifdef __cplusplus
}
#endif
#endif
