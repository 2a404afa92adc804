/* SPDX-License-Identifier: MIT */
/* listening.h - two runtimes with flows that wait for a signal, stop at a checkpoint and read a mailbox. */
#ifndef LISTENING_H
#define LISTENING_H

#include "scene.h"

#include "listener.h"
#include "waits/signals.h"

static uf_runtime *second;
static Listener here[2], there; /* of `runtime` and of `second` */
static uf_signal *notifier;     /* in storage that the sanitizers watch */
static uf_checkpoint *point;
static int released, woken, ended;

static inline void begin_listening(void)
{
    begin();
    released = woken = ended = 0;
    notifier = ufp_allocate(sizeof *notifier);
    point = ufp_allocate(sizeof *point);
    MUST(notifier && point);
    uf_signal_init(notifier, "notifier");
    uf_checkpoint_init(point, "point");
    MUST(uf_runtime_new(&second, NULL) == UF_OK);
    for (int i = 0; i < 2; i++) {
        MUST(Listener_init(&here[i], uf_runtime_pump(runtime), "here", notifier, point) == UF_OK);
    }
    MUST(Listener_init(&there, uf_runtime_pump(second), "there", notifier, point) == UF_OK);
}

static inline void is_unused(const uf_signal *signal)
{
    MUST(ufi_waiting_of(signal->word) == 0 && !signal->home && !signal->waiters && !signal->callbacks);
    MUST(!signal->fired.next && signal->others == 0 && signal->firing == 0);
}

static inline void free_runtimes(void)
{
    end();
    if (second) MUST(uf_runtime_free(second) == UF_OK);
    second = NULL;
}

static inline void end_listening(void)
{
    free_runtimes();
    MUST(here[0].enters == here[0].exits && here[1].enters == here[1].exits && there.enters == there.exits);
    is_unused(notifier);
    is_unused(&point->held);
    is_unused(&point->arrived);
    uf_signal_destroy(notifier);
    uf_checkpoint_destroy(point);
    ufp_free(notifier);
    ufp_free(point);
}

static inline void wait_until_waiting(uint32_t count)
{
    while (ufi_waiting_of(ufp_load_wide_seq_cst(&notifier->word)) < count) schedule_pause();
}

static inline void both_are_idle(void)
{
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(uf_runtime_wait(second, UF_FOREVER) == UF_OK);
}

static inline void fire_once(void *argument)
{
    (void)argument;
    released += (int)uf_signal_fire(notifier);
}

static inline void fire_twice(void *argument)
{
    fire_once(argument);
    fire_once(argument);
}

static inline void wait_thread(void *argument)
{
    (void)argument;
    MUST(uf_signal_wait(notifier, UF_FOREVER) == UF_OK);
    woken++;
}

static inline void cancel_first(void *argument)
{
    (void)argument;
    MUST(uf_flow_cancel(&here[0].uf) == UF_OK);
    MUST(uf_flow_cancel(&there.uf) == UF_OK);
}

#endif
