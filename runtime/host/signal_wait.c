/* SPDX-License-Identifier: MIT */
/* signal_wait.c - threads that wait for a signal, or for a flow to arrive at a checkpoint. */
#include "host.h"

/* It lives on the stack of the thread that waits. */
typedef struct signal_waiter {
    uf_signal_callback callback;
    ufp_mutex mutex;
    ufp_condition wakeup;
    /* Under the mutex. */
    bool done;
    uf_status status;
} signal_waiter;

static void complete_wait(void *argument, uf_status status)
{
    signal_waiter *const waiter = argument;
    ufp_mutex_lock(&waiter->mutex);
    waiter->done = true;
    waiter->status = status;
    ufp_condition_signal_and_unlock(&waiter->wakeup, &waiter->mutex);
}

/* The signal may be destroyed as soon as it has called complete_wait(). */
static uf_status subscribe_and_wait(uf_signal *signal, uint32_t since, signal_waiter *waiter, uf_time deadline)
{
    uf_status const begun = uf_signal_subscribe_since(signal, since, &waiter->callback, complete_wait, waiter);
    if (begun != UF_BUSY) return begun;
    ufp_mutex_lock(&waiter->mutex);
    while (!waiter->done && ufp_condition_wait(&waiter->wakeup, &waiter->mutex, deadline)) {}
    ufp_mutex_unlock(&waiter->mutex);
    switch (ufi_signal_remove_callback(signal, &waiter->callback)) {
    case UFI_CALLBACK_REMOVED: return UF_TIMED_OUT;
    case UFI_CALLBACK_RELEASED: return UF_OK;
    case UFI_CALLBACK_CALLED: break; /* and complete_wait() has returned */
    }
    return waiter->status;
}

uf_status ufh_signal_wait_until(uf_signal *signal, uint32_t since, uf_time deadline)
{
    signal_waiter waiter = {.done = false};
    int const error = ufh_lock_init(&waiter.mutex, &waiter.wakeup);

    if (error) return ufh_system_error(error);
    uf_status const status = subscribe_and_wait(signal, since, &waiter, deadline);
    ufh_lock_destroy(&waiter.mutex, &waiter.wakeup);
    return status;
}

uf_status uf_signal_wait_since(uf_signal *signal, uint32_t epoch, uf_time timeout)
{
    if (!signal) return UF_INVALID;
    if (ufh_thread_drives_runtime()) return UF_DEADLOCK;
    if (uf_signal_epoch(signal) != epoch) return UF_OK;
    return ufh_signal_wait_until(signal, epoch, ufh_deadline(timeout));
}

uf_status uf_signal_wait(uf_signal *signal, uf_time timeout)
{
    return signal ? uf_signal_wait_since(signal, uf_signal_epoch(signal), timeout) : UF_INVALID;
}

/* Reads the epoch of `arrived` before the checkpoint: a later arrival is a fire that the wait sees. */
static uf_status arm_until(uf_checkpoint *checkpoint, uf_time deadline)
{
    uint32_t arming;

    if (!ufi_checkpoint_arm(checkpoint, &arming)) return UF_BUSY;
    for (;;) {
        uint32_t const since = uf_signal_epoch(&checkpoint->arrived);
        ufi_arming const now = ufi_checkpoint_query(checkpoint, arming);
        if (now != UFI_NOBODY_YET) return now == UFI_REACHED ? UF_OK : UF_DISARMED;
        uf_status const status = ufh_signal_wait_until(&checkpoint->arrived, since, deadline);
        if (status == UF_CLOSED) return status;
        if (status != UF_OK && ufi_checkpoint_disarm_unreached(checkpoint, arming)) return status;
    }
}

/* Counts itself as firing, so that a thread that destroys the checkpoint, which wakes this one, waits until it has
 * returned. */
uf_status uf_checkpoint_arm(uf_checkpoint *checkpoint, uf_time timeout)
{
    if (!checkpoint) return UF_INVALID;
    if (ufh_thread_drives_runtime()) return UF_DEADLOCK;
    ufp_add_fetch_seq_cst(&checkpoint->arrived.firing, 1);
    uf_status const status = arm_until(checkpoint, ufh_deadline(timeout));
    ufp_add_fetch_seq_cst(&checkpoint->arrived.firing, UINT32_MAX); /* now the checkpoint may be freed */
    return status;
}
