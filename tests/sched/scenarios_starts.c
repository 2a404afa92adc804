/* SPDX-License-Identifier: MIT */
/* scenarios_starts.c - starting, cancelling and reading flows, and waiting for them. */
#include "scene.h"

/* -- start against start: exactly one succeeds --------------------------------------------------------------------- */

static void start_start(void)
{
    begin();
    for (int i = 0; i < 3; i++) spawn(start_some, NULL);
    join();
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(accepted >= 1 && workers[0].enters == accepted && workers[0].bodies == 2 * accepted);
    end();
}

/* -- start against the end of the runtime ------------------------------------------------------------------------- */

static void start_once(void *argument)
{
    (void)argument;
    MUST(Worker_start_Count(&workers[0], 1) == UF_OK);
}

/* The flow has run and the runtime is freed, while the thread that started the flow is still waking the runtime. */
static void start_free(void)
{
    begin();
    spawn(start_once, NULL);
    for (int i = 0; workers[0].exits == 0; i++) {
        if (i % 4 == 0) ufh_wake(&runtime->pump); /* rounds happen in any case */
        schedule_pause();
    }
    MUST(uf_runtime_free(runtime) == UF_OK);
    join();
}

/* -- start against cancel: a cancel that came after the start is not lost ----------------------------------------- */

static uf_run shared_run;
static uint32_t shared_ready;

static void start_endless(void *argument)
{
    (void)argument;
    MUST(Worker_start_run_Rest(&workers[0], &shared_run, UF_FOREVER) == UF_OK);
    ufp_store_release(&shared_ready, 1);
}

static void start_cancel(void)
{
    begin();
    shared_ready = 0;
    spawn(start_endless, NULL);
    while (!ufp_load_acquire(&shared_ready)) {
        MUST(uf_flow_cancel(&workers[0].uf) == UF_OK); /* before, during or after its start */
        schedule_pause();
    }
    uf_status const status = uf_run_cancel(shared_run);
    MUST(status == UF_OK || status == UF_STALE);
    uf_call_info info;
    MUST(uf_run_wait(shared_run, UF_FOREVER, &info) == UF_OK);
    MUST(info.outcome == UF_CANCELLED && strcmp(info.reason, "cancelled") == 0);
    end();
}

/* As soon as another thread sees the run, it can cancel it. */
static void cancel_at_sight(void)
{
    begin();
    spawn(start_endless, NULL);
    while (!uf_flow_running(&workers[0].uf)) schedule_pause();
    uf_run const run = uf_flow_this_run(&workers[0].uf);
    MUST(run.number == 1 && uf_run_cancel(run) == UF_OK);
    uf_call_info info;
    MUST(uf_run_wait(run, UF_FOREVER, &info) == UF_OK && info.outcome == UF_CANCELLED);
    end();
}

/* -- cancel against the end: the next run is not cancelled --------------------------------------------------------- */

static void cancel_shared(void *argument)
{
    (void)argument;
    (void)uf_run_cancel(shared_run);
}

static void cancel_finish(void)
{
    begin();
    MUST(Worker_start_run_Count(&workers[0], &shared_run, 2) == UF_OK);
    spawn(cancel_shared, NULL);
    MUST(uf_run_wait(shared_run, UF_FOREVER, NULL) == UF_OK);
    int result = 0;
    MUST(Worker_call_Count(&workers[0], 3, UF_FOREVER, &result, NULL) == UF_OK && result == 3);
    end();
}

/* -- waiting for a run that is followed by another one ------------------------------------------------------------- */

static void wait_shared(void *argument)
{
    uf_call_info info;
    (void)argument;
    uf_status const status = uf_run_wait(shared_run, UF_FOREVER, &info);
    MUST(status == UF_STALE || (status == UF_OK && info.outcome == UF_FAILED && strcmp(info.reason, "code 7") == 0));
}

static void wait_run(void)
{
    begin();
    MUST(Worker_start_Fail(&workers[0], 7) == UF_OK);
    shared_run = uf_flow_this_run(&workers[0].uf);
    spawn(wait_shared, NULL);
    spawn(wait_shared, NULL);
    for (int i = 0; i < 2;) {
        uf_status const status = Worker_start_Fail(&workers[0], 8);
        if (status == UF_OK) i++;
        else schedule_pause();
    }
    join();
    end();
}

static void wait_for_anything(void *argument)
{
    uf_status const status =
        argument ? uf_runtime_wait(runtime, UF_FOREVER) : uf_flow_wait(&workers[0].uf, UF_FOREVER, NULL);
    MUST(status == UF_OK);
}

/* A thread has just begun to wait when the runtime is freed. */
static void wait_free(void)
{
    begin();
    MUST(Worker_start_Rest(&workers[0], UF_FOREVER) == UF_OK);
    spawn(wait_for_anything, schedule_draw(2) ? runtime : NULL);
    while (!ufp_load(&runtime->pump.pins)) schedule_pause();
    MUST(uf_runtime_free(runtime) == UF_OK);
    join();
}

/* -- a chain of flows is never idle midway ------------------------------------------------------------------------ */

static int chain;

static void start_next(Worker *flow)
{
    if (chain == 0) return;
    chain--;
    MUST(Worker_start_Count(flow == &workers[0] ? &workers[1] : &workers[0], 1) == UF_OK);
}

static void wait_chain(void *argument)
{
    (void)argument;
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(chain == 0);
}

static void wait_all(void)
{
    begin();
    chain = 5;
    workers[0].body = workers[1].body = start_next;
    MUST(Worker_start_Count(&workers[0], 1) == UF_OK);
    spawn(wait_chain, NULL);
    spawn(wait_chain, NULL);
    join();
    end();
}

/* -- a snapshot never combines two moments ------------------------------------------------------------------------- */

static void describe(Worker *flow)
{
    uf_describe(&flow->uf, "%d", flow->uf_task.at);
}

static void look_often(void *argument)
{
    (void)argument;
    for (int i = 0; i < 4; i++) {
        uf_flow_view view;
        uf_flow_view_of(&workers[0].uf, &view);
        if (!view.running) {
            MUST(view.ordinal == -1 && view.step[0] == '\0' && view.description[0] == '\0');
            continue;
        }
        if (view.ordinal == -1) continue; /* about to be started */
        MUST(strcmp(view.step, view.ordinal <= 3 && strcmp(view.task, "Count") == 0 ? "Go"
                               : view.ordinal == 0                                  ? "Lie"
                                                                                    : "Rise") == 0);
        if (view.description[0]) MUST(view.description[0] == (char)('0' + view.ordinal));
    }
}

static void look(void)
{
    begin();
    workers[0].body = describe;
    spawn(look_often, NULL);
    MUST(Worker_start_Count(&workers[0], 3) == UF_OK);
    MUST(uf_flow_wait(&workers[0].uf, UF_FOREVER, NULL) == UF_OK);
    workers[0].body = NULL;
    MUST(Worker_start_Rest(&workers[0], UF_MS(1)) == UF_OK);
    MUST(uf_flow_wait(&workers[0].uf, UF_FOREVER, NULL) == UF_OK);
    end();
}

static void look_at_two_steps(void *argument)
{
    (void)argument;
    for (int i = 0; i < 12; i++) {
        uf_flow_view view;
        uf_flow_view_of(&workers[0].uf, &view);
        if (view.ordinal >= 0) MUST(strcmp(view.step, view.ordinal == 0 ? "Lie" : "Rise") == 0);
    }
}

/* Each run has the same two steps, so a mixture of two runs looks like one run. */
static void look_across_runs(void)
{
    begin();
    spawn(look_at_two_steps, NULL);
    for (int i = 0; i < 4; i++) {
        MUST(Worker_start_Rest(&workers[0], 0) == UF_OK);
        MUST(uf_flow_wait(&workers[0].uf, UF_FOREVER, NULL) == UF_OK);
    }
    end();
}

static void look_at_second_run(void)
{
    uf_flow_view view;
    uf_run const run = uf_flow_this_run(&workers[0].uf);
    uf_outcome const outcome = uf_run_outcome(run);
    MUST(outcome == (run.number == 2 ? UF_RUNNING : UF_DONE) || (run.number == 1 && outcome == UF_NEVER_RAN));
    uf_flow_view_of(&workers[0].uf, &view);
    MUST(view.running == (view.run == 2) && view.outcome == (view.running ? UF_RUNNING : UF_DONE));
    MUST(view.elapsed < UF_S(1)); /* no time of the first run */
    MUST(uf_flow_step_elapsed(&workers[0].uf) < UF_S(1));
}

/* The next run is never published with data of the last one. */
static void look_at_start(void)
{
    begin();
    int result;
    MUST(Worker_call_Count(&workers[0], 1, UF_FOREVER, &result, NULL) == UF_OK);
    MUST(Worker_start_Rest(&workers[1], UF_FOREVER) == UF_OK);
    MUST(uf_flow_wait(&workers[1].uf, UF_S(10), NULL) == UF_TIMED_OUT); /* time passes ... */
    while (!ufp_load_seq_cst(&runtime->sleep)) schedule_pause();        /* ... and will be read again */
    spawn(start_endless, NULL);
    for (int i = 0; i < 6; i++) look_at_second_run();
    join();
    look_at_second_run();
    MUST(uf_runtime_cancel_all(runtime) == UF_OK);
    end();
}

/* -- a flow is destroyed while others are running ------------------------------------------------------------------ */

static void detach(void)
{
    begin();
    spawn(start_some, NULL);
    Worker *const passing = ufp_allocate(sizeof *passing);
    MUST(Worker_init(passing, uf_runtime_pump(runtime), "passing") == UF_OK);
    MUST(Worker_start_Count(passing, 1) == UF_OK);
    MUST(uf_flow_cancel(&passing->uf) == UF_OK);
    MUST(uf_flow_wait(&passing->uf, UF_FOREVER, NULL) == UF_OK);
    MUST(passing->exits == passing->enters);
    MUST(Worker_destroy(passing) == UF_OK);
    ufp_free(passing);
    end();
}

static Worker *passing_worker;
static uint32_t in_body, cancelled;

static void wait_for_cancel(Worker *flow)
{
    (void)flow;
    ufp_store(&in_body, 1);
    while (!ufp_load(&cancelled)) schedule_pause();
}

static void destroy_passing(Worker *flow)
{
    (void)flow;
    if (!passing_worker || uf_flow_running(&passing_worker->uf)) return;
    MUST(Worker_destroy(passing_worker) == UF_OK);
    ufp_free(passing_worker);
    passing_worker = NULL;
}

/* A cancel is pending for a flow that has ended, when another flow of the same round destroys it. */
static void detach_cancelled(void)
{
    begin();
    in_body = cancelled = 0;
    passing_worker = ufp_allocate(sizeof *passing_worker);
    MUST(Worker_init(passing_worker, uf_runtime_pump(runtime), "passing") == UF_OK);
    passing_worker->body = wait_for_cancel;
    workers[0].body = destroy_passing;
    MUST(Worker_start_Count(passing_worker, 1) == UF_OK);
    MUST(Worker_start_Count(&workers[0], 2) == UF_OK);
    while (!ufp_load(&in_body)) schedule_pause();
    MUST(uf_flow_cancel(&passing_worker->uf) == UF_OK);
    ufp_store(&cancelled, 1);
    MUST(uf_flow_wait(&workers[0].uf, UF_FOREVER, NULL) == UF_OK);
    MUST(!passing_worker);
    end();
}

static void wait_for_passing(void *argument)
{
    uf_call_info info;
    (void)argument;
    uf_status const status = uf_flow_wait(&passing_worker->uf, UF_FOREVER, &info);
    MUST(status == UF_OK && info.outcome == UF_DONE);
    ufp_add_fetch_seq_cst(&cancelled, 1);
}

/* A flow has ended, and is destroyed before the pump has searched for threads that wait for it. */
static void detach_watched(void)
{
    begin();
    cancelled = 0;
    Worker *const passing = passing_worker = ufp_allocate(sizeof *passing_worker);
    MUST(Worker_init(passing, uf_runtime_pump(runtime), "passing") == UF_OK);
    MUST(Worker_start_Rest(&workers[0], UF_FOREVER) == UF_OK); /* otherwise each round would search for them */
    MUST(Worker_start_Count(passing, 2) == UF_OK);
    for (int i = 0; i < 3; i++) spawn(wait_for_passing, NULL);
    while (ufp_load(&cancelled) + ufp_load(&runtime->pump.watched) < 3) schedule_pause();
    while (uf_flow_running(&passing->uf)) schedule_pause();
    MUST(Worker_destroy(passing) == UF_OK);
    ufp_free(passing);
    end();
}

const scenario start_scenarios[] = {
    {"start_start", start_start},
    {"start_free", start_free},
    {"start_cancel", start_cancel},
    {"cancel_at_sight", cancel_at_sight},
    {"cancel_finish", cancel_finish},
    {"wait_run", wait_run},
    {"wait_free", wait_free},
    {"wait_all", wait_all},
    {"look", look},
    {"look_across_runs", look_across_runs},
    {"look_at_start", look_at_start},
    {"detach", detach},
    {"detach_cancelled", detach_cancelled},
    {"detach_watched", detach_watched},
    {0},
};
