/* SPDX-License-Identifier: MIT */
/* scenarios_by_hand.c - caller-driven pumps and threads that fire signals. */
#include "scene.h"

#include "listener.h"

static uf_pump *pump; /* in storage that the sanitizers watch */
static Listener *mine, *theirs;
static uf_signal notifier, far;
static uf_checkpoint point;
static void *driver;

static void begin_by_hand(const uf_pump_config *config)
{
    begin();
    uf_signal_init(&notifier, "notifier");
    uf_signal_init(&far, "far");
    uf_checkpoint_init(&point, "point");
    driver = ufp_thread_self();
    pump = ufp_allocate(sizeof *pump);
    mine = ufp_allocate(sizeof *mine);
    theirs = ufp_allocate(2 * sizeof *theirs);
    MUST(uf_pump_init(pump, config) == UF_OK);
    MUST(Listener_init(mine, pump, "mine", &notifier, &point) == UF_OK);
    for (int i = 0; i < 2; i++) {
        uf_signal *const signal = i ? &far : &notifier;
        MUST(Listener_init(&theirs[i], uf_runtime_pump(runtime), "theirs", signal, &point) == UF_OK);
    }
}

static void free_pump(void)
{
    MUST(Listener_destroy(mine) == UF_OK);
    MUST(uf_pump_destroy(pump) == UF_OK);
    ufp_free(mine);
    ufp_free(pump);
}

static void end_by_hand(void)
{
    end();
    ufp_free(theirs);
}

static void drive_until_idle(void)
{
    for (;;) {
        uf_pump_round(pump, ufp_monotonic_now());
        if (!uf_flow_running(&mine->uf)) return;
        schedule_pause();
    }
}

static void fire_bell(void *argument)
{
    (void)argument;
    uf_signal_fire(&notifier);
}

/* The pump is freed as soon as its flow has heard the signal, while the firing thread is still leaving it. */
static void by_hand_gone(void)
{
    begin_by_hand(NULL);
    MUST(Listener_start_Listen(mine, 1, UF_FOREVER) == UF_OK);
    uf_pump_round(pump, ufp_monotonic_now());
    spawn(fire_bell, NULL);
    drive_until_idle();
    MUST(mine->heard == 1);
    free_pump();
    end_by_hand();
}

static void ring(void *rung)
{
    ufp_store(rung, 1);
}

/* The driver sleeps until a wake-up arrives. The object that wakes it is freed with the pump. */
static void by_hand_woken(void)
{
    uint32_t *const rung = ufp_allocate(sizeof *rung);
    begin_by_hand(&(uf_pump_config){.wake = ring, .context = rung});
    MUST(Listener_start_Listen(mine, 1, UF_FOREVER) == UF_OK);
    while (uf_pump_round(pump, ufp_monotonic_now()) == 0) {}
    spawn(fire_bell, NULL);
    while (!ufp_load(rung)) schedule_pause();
    while (uf_pump_round(pump, ufp_monotonic_now()) == 0) {}
    MUST(mine->heard == 1 && !uf_flow_running(&mine->uf));
    free_pump();
    ufp_free(rung);
    end_by_hand();
}

static void note_thread(void *context, const char *name, uint32_t count)
{
    (void)context, (void)name, (void)count;
    MUST(ufp_thread_self() == driver);
}

static void destroy_far(void *argument)
{
    (void)argument;
    uf_signal_destroy(&far);
}

/* A thread destroys a signal that the pump does not use, and waits for the destroy. It must leave the pump's own fires
 * to the pump's thread. */
static void by_hand_others(void)
{
    uf_observer observer = {.signal_fired = note_thread};
    begin_by_hand(NULL);
    MUST(uf_pump_add_observer(pump, &observer) == UF_OK);
    for (int i = 0; i < 2; i++) MUST(Listener_start_Listen(&theirs[i], 1, UF_FOREVER) == UF_OK);
    while ((uint32_t)ufp_load_wide_seq_cst(&notifier.word) < 1 || (uint32_t)ufp_load_wide_seq_cst(&far.word) < 1)
        schedule_pause();
    MUST(Listener_start_Listen(mine, 1, UF_FOREVER) == UF_OK);
    uf_pump_round(pump, ufp_monotonic_now());
    spawn(destroy_far, NULL);
    spawn(fire_bell, NULL);
    drive_until_idle();
    MUST(mine->heard == 1);
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(theirs[0].heard == 1 && strcmp(uf_flow_reason(&theirs[1].uf), "closed") == 0);
    join();
    free_pump();
    end_by_hand();
}

const scenario by_hand_scenarios[] = {
    {"by_hand_gone", by_hand_gone},
    {"by_hand_woken", by_hand_woken},
    {"by_hand_others", by_hand_others},
    {0},
};
