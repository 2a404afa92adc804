/* SPDX-License-Identifier: MIT */
/* scenarios_posts.c - posts, sleep and wake-up, time, the hook, external loops. */
#include "scene.h"

/* -- posts -------------------------------------------------------------------------------------------------------- */

static int next_post[2], out_of_order;

static void count_in_order(void *argument)
{
    intptr_t const what = (intptr_t)argument; /* thread * 16 + number */
    out_of_order += next_post[what / 16]++ != what % 16;
    count_post(NULL);
}

static void post_in_order(void *argument)
{
    intptr_t const thread = (intptr_t)argument;
    for (intptr_t i = 0; i < 4; i++) {
        void *const what = (void *)(thread * 16 + i);
        MUST((i == 3 ? uf_post_wait(runtime, count_in_order, what) : uf_post(runtime, count_in_order, what)) == UF_OK);
        if (i == 1) schedule_pause();
    }
}

static void post_order(void)
{
    begin();
    out_of_order = next_post[0] = next_post[1] = 0;
    spawn(post_in_order, (void *)0);
    spawn(post_in_order, (void *)1);
    join();
    MUST(posted == 8 && out_of_order == 0);
    end();
}

static void post_once(void *argument)
{
    (void)argument;
    uf_status const status = uf_post_wait(runtime, count_post, NULL);
    MUST(status == UF_OK || status == UF_CLOSED);
    accepted += status == UF_OK;
}

static void post_while_closing(void *argument)
{
    (void)argument;
    if (ufp_load_seq_cst(&runtime->pump.stopping)) MUST(uf_post(runtime, count_post, NULL) == UF_CLOSED);
}

static void post_wait_free(void)
{
    begin();
    MUST(Worker_start_Rest(&workers[0], UF_FOREVER) == UF_OK);
    MUST(uf_post(runtime, post_while_closing, NULL) == UF_OK);
    spawn(post_once, NULL);
    while (!accepted && !ufp_load(&runtime->pump.pins)) schedule_pause();
    MUST(uf_runtime_free(runtime) == UF_OK);
    join();
    MUST(posted == accepted && workers[0].exits == workers[0].enters);
}

/* A post is refused because the runtime is being freed. The thread has left the runtime before it is gone. */
static void post_refused(void *argument)
{
    (void)argument;
    uf_status const status = uf_post(runtime, count_post, NULL);
    MUST(status == UF_OK || status == UF_CLOSED);
    accepted += status == UF_OK;
}

static void post_free(void)
{
    begin();
    spawn(post_refused, NULL);
    while (!accepted && !ufp_load(&runtime->pump.requests)) schedule_pause();
    MUST(uf_runtime_free(runtime) == UF_OK);
    join();
    MUST(posted == accepted);
}

/* -- sleep against wake-up: no message is missed ------------------------------------------------------------------- */

static void sleep_wake(void)
{
    begin();
    spawn(post_some, NULL);
    spawn(post_some, NULL);
    join();
    while (posted < 6) {
        MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
        MUST(posted == 6);
    }
    end();
}

/* Without a waiter, whose own message would wake the pump, only the last post can wake it. */
static void sleep_unwatched(void)
{
    begin();
    for (int i = 0; i < 3; i++) {
        MUST(Worker_start_Count(&workers[i], 1) == UF_OK);
        while (uf_flow_running(&workers[i].uf)) schedule_pause();
        MUST(workers[i].bodies == 1);
    }
    end();
}

/* -- timers against wake-ups --------------------------------------------------------------------------------------- */

static void time_wake(void)
{
    begin();
    MUST(Worker_start_Rest(&workers[0], UF_MS(5)) == UF_OK);
    spawn(start_some, NULL); /* on worker 0: busy or not */
    MUST(Worker_start_Rest(&workers[1], UF_MS(3)) == UF_OK);
    uf_runtime_wake(runtime);
    MUST(uf_flow_wait(&workers[1].uf, UF_FOREVER, NULL) == UF_OK);
    join();
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    end();
}

/* -- clock changes while the pump sleeps --------------------------------------------------------------------------- */

static void clock_change(void)
{
    begin();
    uf_pump_freeze(uf_runtime_pump(runtime));
    MUST(Worker_start_Rest(&workers[0], UF_S(1)) == UF_OK);
    while (!*uf_flow_step(&workers[0].uf) || !workers[0].bodies) schedule_pause();
    uf_time const before = uf_pump_now(uf_runtime_pump(runtime));
    MUST(uf_flow_wait(&workers[0].uf, UF_S(10), NULL) == UF_TIMED_OUT);
    MUST(uf_pump_now(uf_runtime_pump(runtime)) == before);
    MUST(uf_pump_set_scale(uf_runtime_pump(runtime), 1000) == UF_OK);
    uf_pump_resume(uf_runtime_pump(runtime));
    while (uf_flow_running(&workers[0].uf))
        schedule_pause(); /* for ever, unless the pump computes its deadline
                                                               * again */
    end();
}

/* A frozen clock does not advance, even for steps that are about to read it. */
static uf_time last_read;

static void read_time(Worker *flow)
{
    uf_time const now = uf_pump_now(flow->uf.pump);
    MUST(now >= last_read);
    last_read = now;
}

static void clock_freeze(void)
{
    begin();
    last_read = 0;
    workers[0].body = read_time;
    MUST(Worker_start_Count(&workers[0], 4) == UF_OK);
    schedule_pause();
    uf_pump_freeze(uf_runtime_pump(runtime));
    uf_time const frozen = uf_pump_now(uf_runtime_pump(runtime));
    while (uf_flow_running(&workers[0].uf)) schedule_pause();
    MUST(last_read <= frozen && uf_pump_now(uf_runtime_pump(runtime)) == frozen);
    end();
}

/* The change takes effect and the runtime is freed, while the thread that changed it is still waking it. */
static void resume_clock(void *argument)
{
    (void)argument;
    uf_pump_resume(uf_runtime_pump(runtime));
}

static void clock_free(void)
{
    begin_with(&(uf_runtime_config){.spin = -1}); /* simulated time passes while threads sleep */
    uf_pump_freeze(uf_runtime_pump(runtime));
    MUST(Worker_start_Rest(&workers[0], UF_MS(1)) == UF_OK);
    spawn(resume_clock, NULL);
    for (int i = 0; uf_flow_running(&workers[0].uf); i++) {
        if (i % 4 == 0) MUST(uf_post(runtime, count_post, NULL) == UF_OK); /* rounds happen in any case */
        schedule_pause();
    }
    MUST(uf_runtime_free(runtime) == UF_OK);
    join();
}

/* -- the hook ----------------------------------------------------------------------------------------------------- */

static int hooked;

static void hook(void *context)
{
    (void)context;
    hooked++;
}

static void pre_round(void)
{
    begin();
    hooked = 0;
    uf_runtime_set_pre_round(runtime, hook, NULL);
    spawn(start_some, NULL);
    int result;
    /* A round that began before the hook was set may serve the first call, but not the second one. */
    for (int i = 0; i < 2; i++) MUST(Worker_call_Count(&workers[1], 2, UF_FOREVER, &result, NULL) == UF_OK);
    uf_runtime_set_pre_round(runtime, NULL, NULL);
    join();
    MUST(hooked >= 1);
    end();
}

/* -- external loops ------------------------------------------------------------------------------------------------ */

static void embedded(void)
{
    uf_runtime_config const config = {.embedded = true};

    begin_with(&config);
    MUST(Worker_start_Rest(&workers[1], UF_MS(2)) == UF_OK);
    spawn(post_some, NULL);
    while (posted < 3 || uf_flow_running(&workers[1].uf)) {
        schedule_wait_bell(uf_runtime_fd(runtime), uf_runtime_next_deadline(runtime));
        MUST(uf_runtime_poll(runtime) == UF_OK);
    }
    end();
}

/* A thread drives a loop until another thread polls it, and again until another thread frees it. */
static void poll_it(void *argument)
{
    MUST(uf_runtime_poll(argument) == UF_OK);
}

static void free_it(void *argument)
{
    MUST(uf_runtime_free(argument) == UF_OK);
}

static uf_status wait_a_moment(void)
{
    uf_signal signal;
    uf_signal_init(&signal, "signal");
    uf_status const status = uf_signal_wait(&signal, 0);
    uf_signal_destroy(&signal);
    return status;
}

static void loop_moves(void)
{
    uf_runtime *loops[2];

    begin();
    for (int i = 0; i < 2; i++) {
        MUST(uf_runtime_new(&loops[i], &(uf_runtime_config){.embedded = true}) == UF_OK);
        spawn(poll_it, loops[i]);
        join();
        MUST(wait_a_moment() == UF_TIMED_OUT);
        MUST(uf_runtime_poll(loops[i]) == UF_OK && wait_a_moment() == UF_DEADLOCK);
        if (i == 0) spawn(free_it, loops[0]);
        else free_it(loops[1]);
        join();
        MUST(wait_a_moment() == UF_TIMED_OUT);
    }
    end();
}

const scenario post_scenarios[] = {
    {"post_order", post_order},
    {"post_wait_free", post_wait_free},
    {"post_free", post_free},
    {"sleep_wake", sleep_wake},
    {"sleep_unwatched", sleep_unwatched},
    {"time_wake", time_wake},
    {"clock_change", clock_change},
    {"clock_freeze", clock_freeze},
    {"clock_free", clock_free},
    {"pre_round", pre_round},
    {"embedded", embedded},
    {"loop_moves", loop_moves},
    {0},
};
