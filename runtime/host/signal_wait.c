/* signal_wait.c - threads that wait for a signal, or for a flow to stop at a checkpoint. */
#include "host.h"

#include "signals.h"

typedef struct sleeper {
    uf_signal_callback callback;
    ufp_mutex mutex;
    ufp_condition wakeup;
    bool over;
    uf_status status;
} sleeper;

static void rouse(void *argument, uf_status status)
{
    sleeper *const asleep = argument;
    ufp_mutex_lock(&asleep->mutex);
    asleep->over = true;
    asleep->status = status;
    ufp_condition_signal_and_unlock(&asleep->wakeup, &asleep->mutex);
}

/* What is waited for may be destroyed as soon as the sleeper was roused. */
static uf_status sleep_on(uf_signal *signal, uint32_t since, sleeper *asleep, uf_time deadline)
{
    uf_status const begun = uf_signal_subscribe_since(signal, since, &asleep->callback, rouse, asleep);
    if (begun != UF_BUSY) return begun;
    ufp_mutex_lock(&asleep->mutex);
    while (!asleep->over && ufp_condition_wait(&asleep->wakeup, &asleep->mutex, deadline)) {}
    ufp_mutex_unlock(&asleep->mutex);
    switch (ufi_signal_remove_callback(signal, &asleep->callback)) {
    case UFI_CALLBACK_REMOVED: return UF_TIMED_OUT;
    case UFI_CALLBACK_RELEASED: return UF_OK;
    case UFI_CALLBACK_CALLED: break; /* and whoever called is not in there any more */
    }
    return asleep->status;
}

static uf_status wait_until(uf_signal *signal, uint32_t since, uf_time deadline)
{
    sleeper asleep = {.over = false};
    int error = ufp_mutex_init(&asleep.mutex);

    if (!error) {
        error = ufp_condition_init(&asleep.wakeup);
        if (error) ufp_mutex_destroy(&asleep.mutex);
    }
    if (error) {
        ufp_set_error(error);
        return UF_NO_THREAD;
    }
    uf_status const status = sleep_on(signal, since, &asleep, deadline);
    ufp_condition_destroy(&asleep.wakeup);
    ufp_mutex_destroy(&asleep.mutex);
    return status;
}

uf_status uf_signal_wait_since(uf_signal *signal, uint32_t epoch, uf_time timeout)
{
    if (!signal) return UF_INVALID;
    if (ufi_thread_drives_runtime()) return UF_DEADLOCK;
    if (uf_signal_epoch(signal) != epoch) return UF_OK;
    return wait_until(signal, epoch, ufh_deadline(timeout));
}

uf_status uf_signal_wait(uf_signal *signal, uf_time timeout)
{
    return signal ? uf_signal_wait_since(signal, uf_signal_epoch(signal), timeout) : UF_INVALID;
}

/* `arrived` is looked at first: what happens after that is a fire that the wait sees. */
static uf_status arm_until(uf_checkpoint *checkpoint, uf_time deadline)
{
    uint32_t arming;

    if (!ufi_checkpoint_arm(checkpoint, &arming)) return UF_BUSY;
    for (;;) {
        uint32_t const since = uf_signal_epoch(&checkpoint->arrived);
        ufi_arming const now = ufi_checkpoint_query(checkpoint, arming);
        if (now != UFI_NOBODY_YET) return now == UFI_REACHED ? UF_OK : UF_DISARMED;
        uf_status const status = wait_until(&checkpoint->arrived, since, deadline);
        if (status == UF_CLOSED) return status;
        if (status != UF_OK && ufi_checkpoint_disarm_unreached(checkpoint, arming)) return status;
    }
}

/* As one that is at it: who destroys the checkpoint, which wakes this thread, waits until it has gone. */
uf_status uf_checkpoint_arm(uf_checkpoint *checkpoint, uf_time timeout)
{
    if (!checkpoint) return UF_INVALID;
    if (ufi_thread_drives_runtime()) return UF_DEADLOCK;
    ufp_add_fetch_seq_cst(&checkpoint->arrived.firing, 1);
    uf_status const status = arm_until(checkpoint, ufh_deadline(timeout));
    ufp_add_fetch_seq_cst(&checkpoint->arrived.firing, UINT32_MAX); /* and from here on it may be gone */
    return status;
}
