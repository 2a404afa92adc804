/* SPDX-License-Identifier: MIT */
/* signal.h - an event that releases every waiter: flows of any pump, threads, and callbacks.
 *
 *   signal estop;                       in a .uflow file; in C it is `uf_signal estop`
 *   uf_signal_fire(&estop);             releases all present waiters; later waiters wait for the next fire
 *   uf_signal_wait(&estop, UF_S(1));    makes a thread wait too
 *
 * To check a condition and then wait, with no gap between the two:
 *
 *   uint32_t const since = uf_signal_epoch(&changed);
 *   if (!done()) uf_signal_wait_since(&changed, since, UF_FOREVER);
 */
#ifndef UFLOW_SIGNAL_H
#define UFLOW_SIGNAL_H

#include "uflow/priv/signal.h" /* struct uf_signal, struct uf_signal_callback */

UF_C_BEGIN

/* A signal. All zero except the name is valid. It stores only the number of fires. The members are private.
 * Lifetime: you own it. Destroy it with uf_signal_destroy() before its memory is freed. */
typedef struct uf_signal uf_signal;

/* The registration of a callback or of a waiting thread. The members are private.
 * Lifetime: you own it; see uf_signal_subscribe(). */
typedef struct uf_signal_callback uf_signal_callback;

/* Initialises a signal statically: `uf_signal estop = UF_SIGNAL("estop");`. It uses no designators, since a
 * program may have a macro of the name of a member. */
#define UF_SIGNAL(name_)                                                                                               \
    {                                                                                                                  \
        name_, 0, 0, UF_HAS(PUMPS, 0, 0, 0, 0, 0, 0, {0, 0}) UF_LACKS(PUMPS, 0, 0)                                     \
    }

/* Initialises a signal that never fired. `name` is for observers; NULL: they do not see it.
 * Thread: one at a time, before any other use.
 * Lifetime: `name` is not copied and must outlive the signal. */
void uf_signal_init(uf_signal *signal, const char *name);

/* Releases every flow, thread and callback that already waits. For a flow, the wait for a named signal begins with
 * the step's body. Released flows continue in the next round of their pumps. Callbacks run before this returns. A
 * step, an observer or a callback may fire; a handler of a POSIX signal must not.
 * Thread: any, with every pump; on bare metal also an interrupt handler.
 * Returns: the number of waiters. A flow that is released in its body, before its await, is not counted. A flow
 * that is being cancelled, or finds another arm ready, is counted. */
uint32_t uf_signal_fire(uf_signal *signal);

/* Reads how often the signal has fired.
 * Thread: any, with every pump.
 * Returns: the count, which wraps around. */
uint32_t uf_signal_epoch(const uf_signal *signal);

/* Ends a signal and releases every waiter: threads and callbacks get UF_CLOSED, and the tasks of flows fail with
 * "closed". A later waiter gets the same while the memory is there, until uf_signal_init().
 *   The call waits for a uf_signal_fire() that is still returning. No other fire may run or start. If flows of
 * other pumps wait, the call lasts until their next rounds.
 * Thread: any; not in an interrupt handler.
 * Lifetime: nothing refers to the signal when this returns. */
void uf_signal_destroy(uf_signal *signal);

/* -- callbacks ----------------------------------------------------------------------------------------------------- */

/* Calls `function` once: at the next fire with UF_OK, on the thread that fires, or at uf_signal_destroy() with
 * UF_CLOSED. For a signal that was destroyed before, it calls `function` at once. No lock is held. `function` may fire,
 * subscribe other callbacks, unsubscribe any, and destroy the signal. It must not subscribe the same callback again.
 * Thread: any, with every pump.
 * Lifetime: you own the callback. It must stay valid until `function` has returned or it is unsubscribed. */
void uf_signal_subscribe(uf_signal *signal, uf_signal_callback *callback,
                         void (*function)(void *argument, uf_status status), void *argument);

/* Subscribes as uf_signal_subscribe() does, unless the signal has fired since the epoch `since`.
 * Thread: any, with every pump.
 * Returns: UF_BUSY: the callback is registered; UF_OK: it has fired since, and nothing is registered; UF_CLOSED:
 * it was destroyed, and nothing is registered; UF_INVALID: an argument is NULL.
 * Lifetime: as uf_signal_subscribe(). */
uf_status uf_signal_subscribe_since(uf_signal *signal, uint32_t since, uf_signal_callback *callback,
                                    void (*function)(void *argument, uf_status status), void *argument);

/* Unsubscribes a callback. It waits for a call in progress on another thread; a callback may unsubscribe itself.
 * The signal must not have been destroyed, unless the callback was called.
 * Thread: any, with every pump.
 * Returns: true if it was not called and never will be; false if it was called.
 * Lifetime: you own the callback again when this returns, except inside its own call. */
bool uf_signal_unsubscribe(uf_signal *signal, uf_signal_callback *callback);

/* -- threads: in the library with threads only --------------------------------------------------------------------- */

/* Waits for the next fire, for `timeout` of real time at most.
 * Thread: any, with every pump, but no thread that drives a runtime. On the thread of a caller-driven pump it
 * blocks the pump's flows.
 * Returns: UF_OK: it fired; UF_TIMED_OUT: it did not; UF_CLOSED: it was destroyed; UF_DEADLOCK: this thread drives
 * a runtime; UF_NO_THREAD: no mutex or condition variable; UF_INVALID: `signal` is NULL. */
uf_status uf_signal_wait(uf_signal *signal, uf_time timeout);

/* Waits for a fire after the epoch `epoch`, which may have happened already.
 * Thread: any, with every pump, but no thread that drives a runtime.
 * Returns: UF_OK: it has fired; UF_TIMED_OUT: it has not; UF_CLOSED: it was destroyed; UF_DEADLOCK: this thread
 * drives a runtime; UF_NO_THREAD: no mutex or condition variable; UF_INVALID: `signal` is NULL. */
uf_status uf_signal_wait_since(uf_signal *signal, uint32_t epoch, uf_time timeout);

UF_GUARDED(SIGNALS, uf_signal_fire)
UF_GUARDED(PUMPS, uf_signal_subscribe)
UF_GUARDED(PUMPS, uf_signal_subscribe_since)

UF_C_END
#endif
