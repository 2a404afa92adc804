/* SPDX-License-Identifier: MIT */
/* scenarios_stops.c - graceful shutdowns against all other operations. Simulated time is random here, so a stop may
 * time out, but must still end. One flow waits for a descriptor, so that the pump sleeps in its poller and is woken by
 * a notifier. */
#include "port_poller.h"
#include "scene.h"

static int stops, restarts;

static void stop_it(void *argument)
{
    uf_stop_report report;
    (void)argument;
    uf_status const status = uf_runtime_stop(runtime, UF_S(1), &report);
    MUST(status == UF_OK || status == UF_TIMED_OUT);
    if (status == UF_OK) MUST(report.phase == UF_STOP_OVER);
    stops++;
}

static void free_it(void)
{
    uf_status status;
    while ((status = uf_runtime_free(runtime)) == UF_TIMED_OUT) schedule_pause();
    MUST(status == UF_OK);
    for (int i = 0; i < 3; i++) MUST(workers[i].enters == workers[i].exits && !workers[i].uf.pump);
}

static void start_until_stopped(void *argument)
{
    uf_status status;
    (void)argument;
    do {
        status = Worker_start_Count(&workers[0], 2);
        MUST(status == UF_OK || status == UF_BUSY || status == UF_STOPPING);
        accepted += status == UF_OK;
        schedule_pause();
    } while (status != UF_STOPPING && accepted < 3);
}

static void stop_start(void)
{
    begin();
    MUST(Worker_start_Rest(&workers[1], UF_FOREVER) == UF_OK);
    spawn(start_until_stopped, NULL);
    stop_it(NULL);
    join();
    free_it();
}

static void stop_patiently(void *argument)
{
    (void)argument;
    MUST(uf_runtime_stop(runtime, UF_FOREVER, NULL) == UF_OK);
    stops++;
}

static void stop_stop(void)
{
    stops = 0;
    begin();
    MUST(Worker_start_Count(&workers[1], 2) == UF_OK);
    spawn(stop_patiently, NULL);
    spawn(stop_patiently, NULL);
    stop_patiently(NULL);
    join();
    MUST(stops == 3);
    free_it();
}

static void wait_for_all(void *argument)
{
    (void)argument;
    uf_status const status = uf_runtime_wait(runtime, UF_FOREVER);
    MUST(status == UF_OK);
}

/* Every waiter is released, even one that begins after the end. */
static void stop_wait(void)
{
    begin();
    MUST(Worker_start_Rest(&workers[1], UF_FOREVER) == UF_OK);
    spawn(wait_for_all, NULL);
    spawn(stop_it, NULL);
    MUST(uf_flow_wait(&workers[1].uf, UF_FOREVER, NULL) == UF_OK);
    join();
    free_it();
}

static void destroy_some(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2; i++) {
        uf_status status;
        while ((status = Worker_destroy(&workers[i])) == UF_BUSY) schedule_pause();
        MUST(status == UF_OK);
    }
}

static void stop_detach(void)
{
    begin();
    MUST(Worker_start_Rest(&workers[0], UF_FOREVER) == UF_OK);
    spawn(destroy_some, NULL);
    stop_it(NULL);
    join();
    free_it();
}

static void start_again(void *argument)
{
    uf_status status;
    (void)argument;
    while ((status = uf_runtime_start(runtime)) == UF_STOPPING) schedule_pause();
    MUST(status == UF_OK || status == UF_BUSY);
    restarts += status == UF_OK;
}

static void stop_restart(void)
{
    restarts = 0;
    begin();
    MUST(Worker_start_Rest(&workers[1], UF_FOREVER) == UF_OK);
    stop_it(NULL);
    spawn(start_again, NULL);
    spawn(start_again, NULL);
    join();
    MUST(restarts == 1);
    int result = 0;
    MUST(Worker_call_Count(&workers[0], 2, UF_FOREVER, &result, NULL) == UF_OK && result == 2);
    free_it();
}

/* A stop during a start either comes too early, or stops the runtime again. */
static void stop_at_start(void)
{
    restarts = 0;
    begin();
    stop_patiently(NULL);
    spawn(start_again, NULL);
    spawn(stop_patiently, NULL);
    stop_patiently(NULL);
    join();
    MUST(restarts == 1);
    stop_patiently(NULL);
    MUST(uf_runtime_stopping(runtime));
    free_it();
}

static void start_it(void *argument)
{
    (void)argument;
    uf_status const status = uf_runtime_start(runtime);
    MUST(status == UF_OK || status == UF_STOPPING);
    ufi_pump_unpin(&runtime->pump);
}

/* A runtime that is being freed refuses to start. If it was started just before, the free stops it first. */
static void restart_free(void)
{
    begin();
    stop_patiently(NULL);
    ufi_pump_pin(&runtime->pump); /* for the thread that has not called yet */
    spawn(start_it, NULL);
    free_it();
    join();
}

static void destroy_one(void *argument)
{
    uf_status status;
    while ((status = Worker_destroy(&workers[(uintptr_t)argument])) == UF_BUSY) schedule_pause();
    MUST(status == UF_OK);
}

/* A stopped external loop has no thread, and neither has one that is stopped again: other threads do the work. */
static void stop_in_a_loop(void)
{
    uf_runtime_config const config = {.embedded = true};
    begin_with(&config);
    stop_it(NULL);
    spawn(destroy_one, NULL);
    stop_it(NULL);
    MUST(uf_runtime_poll(runtime) == UF_OK);
    spawn(destroy_one, (void *)1);
    stop_it(NULL);
    join();
    free_it();
}

static uf_status from_within;

static void stop_from_here(Worker *flow)
{
    (void)flow;
    from_within = uf_runtime_stop(runtime, UF_S(1), NULL);
}

static void stop_within(void)
{
    begin();
    workers[0].body = stop_from_here;
    MUST(Worker_start_Count(&workers[0], 1) == UF_OK);
    MUST(uf_flow_wait(&workers[0].uf, UF_FOREVER, NULL) == UF_OK);
    MUST(from_within == UF_STOPPING);
    free_it();
}

static void stop_linked(void)
{
    uf_runtime *driver;
    begin();
    MUST(uf_runtime_new(&driver, NULL) == UF_OK);
    MUST(uf_runtime_link(driver, runtime) == UF_OK);
    MUST(Worker_start_Rest(&workers[1], UF_FOREVER) == UF_OK);
    spawn(start_until_stopped, NULL);
    stop_it(NULL);
    join();
    free_it();
    MUST(uf_runtime_free(driver) == UF_OK);
}

static void post_one(void *argument)
{
    (void)argument;
    uf_status const status = uf_post_wait(runtime, count_post, NULL);
    MUST(status == UF_OK || status == UF_CLOSED);
    accepted += status == UF_OK;
}

static void stop_post(void)
{
    begin();
    spawn(post_one, NULL);
    spawn(post_one, NULL);
    stop_it(NULL);
    join();
    MUST(posted == accepted);
    free_it();
}

/* -- a descriptor ------------------------------------------------------------------------------------------------- */

/* flow Watch { task Wait { step Look { await readable(0) -> done; } } } */
typedef struct Watch {
    uf_flow uf;
    uf_arm uf_arms[1];
} Watch;
enum { enter = UF_ENTRY, at_wait = UF_WAIT(1) };

static uf_intent watch_wait(Watch *flow)
{
    if (uf_ready(&flow->uf_arms[0])) return uf_done(&flow->uf);
    if (uf_failed(&flow->uf_arms[0])) return uf_fail_silent(&flow->uf);
    return uf_park(&flow->uf, at_wait);
}

static uf_intent watch_turn(uf_flow *uf, uint32_t now)
{
    Watch *const flow = (Watch *)(void *)uf;
    if (now == at_wait) return watch_wait(flow);
    uf_arm_readable(uf, &flow->uf_arms[0], 0);
    return watch_wait(flow);
}

static const uf_task_info watch_tasks[] = {{"Wait", 1, 0, 0, UF_TASK_PLAIN, 0, 0}};
static const uf_step_info watch_steps[] = {{"Look", 1, 0}};
static const uf_flow_type watch_type = {
    .abi = UF_ABI,
    .size = sizeof(Watch),
    .name = "Watch",
    .source = "scenarios_stops.c",
    .turn = watch_turn,
    .tasks = watch_tasks,
    .steps = watch_steps,
    .task_count = 1,
    .step_count = 1,
    .arm_count = 1,
    .arms_offset = offsetof(Watch, uf_arms),
};

static Watch watch;

static void make_ready(void *argument)
{
    (void)argument;
    schedule_pause();
    seeded_descriptor(0, UFP_READABLE);
}

static void close_it(void *argument)
{
    (void)argument;
    MUST(uf_fd_close(uf_runtime_pump(runtime), 0) == UF_OK);
}

static void watch_it(void (*end_it)(void *argument), uf_outcome outcome)
{
    uf_call_info end;
    begin();
    seeded_descriptor(0, 0);
    memset(&watch, 0, sizeof watch);
    MUST(uf_flow_init(&watch.uf, &watch_type, uf_runtime_pump(runtime), "watch") == UF_OK);
    MUST(uf_start_claim(&watch.uf) == UF_OK);
    uf_start_commit(&watch.uf, enter, NULL);
    spawn(post_some, NULL);
    MUST(Worker_call_Count(&workers[0], 2, UF_FOREVER, NULL, NULL) == UF_OK); /* only the notifier reports it */
    spawn(end_it, NULL);
    MUST(uf_flow_wait(&watch.uf, UF_FOREVER, &end) == UF_OK && end.outcome == outcome);
    join();
    MUST(posted == 3 || uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    free_it();
}

static void descriptor_ready(void)
{
    watch_it(make_ready, UF_DONE);
}

static void descriptor_closed(void)
{
    watch_it(close_it, UF_FAILED);
}

const scenario stop_scenarios[] = {
    {"stop_start", stop_start},
    {"stop_stop", stop_stop},
    {"stop_wait", stop_wait},
    {"stop_detach", stop_detach},
    {"stop_restart", stop_restart},
    {"stop_at_start", stop_at_start},
    {"restart_free", restart_free},
    {"stop_in_a_loop", stop_in_a_loop},
    {"stop_within", stop_within},
    {"stop_linked", stop_linked},
    {"stop_post", stop_post},
    {"descriptor_ready", descriptor_ready},
    {"descriptor_closed", descriptor_closed},
    {0},
};
