/* SPDX-License-Identifier: MIT */
/* scenarios_pauses.c - threads that pause and resume flows. */
#include "scene.h"

#include "listening.h"

#include "flows/flows.h"

#include "uflow/pause.h"

static uf_pause *hold; /* in storage that the sanitizers watch */
static uint32_t paused, resumed;

static void begin_pausing(void)
{
    begin();
    paused = resumed = 0;
    hold = ufp_allocate(sizeof *hold);
}

static void end_pausing(void)
{
    end();
    MUST(!hold->is_wanted && !hold->is_in_effect && !hold->is_sent);
    ufp_free(hold);
}

static bool stands(const uf_flow *flow)
{
    return ufi_is_paused(ufp_load_acquire(&flow->state));
}

static void pause_it(void *flow)
{
    uf_status const status = uf_flow_pause(&((Worker *)flow)->uf, hold);
    MUST(status == UF_OK || status == UF_BUSY || status == UF_STALE);
    if (status == UF_OK) ufp_add_fetch_seq_cst(&paused, 1);
}

static void resume_it(void)
{
    uf_status const status = uf_flow_resume(hold);
    MUST(status == UF_OK || status == UF_STALE);
    if (status == UF_OK) ufp_add_fetch_seq_cst(&resumed, 1);
}

static void pause_and_resume(void *flow)
{
    for (int i = 0; i < 3; i++) {
        pause_it(flow);
        resume_it();
    }
}

static void wait_for_the_end(Worker *worker, uf_outcome outcome)
{
    uf_call_info info;
    MUST(uf_flow_wait(&worker->uf, UF_FOREVER, &info) == UF_OK && info.outcome == outcome);
}

/* -- several threads pause and resume: no resume is lost, and none counts twice ------------------------------------ */

static void pause_pause(void)
{
    begin_pausing();
    MUST(Worker_start_Rest(&workers[0], UF_US(1)) == UF_OK);
    for (int i = 0; i < 2; i++) spawn(pause_and_resume, &workers[0]);
    pause_and_resume(&workers[0]);
    join();
    resume_it();
    wait_for_the_end(&workers[0], UF_DONE);
    MUST(resumed <= paused && paused <= resumed + 1); /* or the run has ended the pause */
    MUST(workers[0].bodies == 2);
    end_pausing();
}

/* One record for two flows: it pauses one of them at a time. */
static void pause_two(void)
{
    begin_pausing();
    for (int i = 0; i < 2; i++) MUST(Worker_start_Rest(&workers[i], UF_US(1)) == UF_OK);
    for (int i = 0; i < 2; i++) spawn(pause_and_resume, &workers[i]);
    MUST(!(stands(&workers[0].uf) && stands(&workers[1].uf)));
    join();
    resume_it();
    for (int i = 0; i < 2; i++) wait_for_the_end(&workers[i], UF_DONE);
    end_pausing();
}

/* The record of a run that has ended is free for the next run. */
static void pause_next_run(void)
{
    begin_pausing();
    for (int i = 0; i < 2; i++) {
        MUST(Worker_start_Rest(&workers[0], UF_US(1)) == UF_OK);
        spawn(pause_it, &workers[0]);
        while (!ufp_load(&paused) && uf_flow_running(&workers[0].uf)) schedule_pause();
        MUST(uf_flow_cancel(&workers[0].uf) == UF_OK);
        MUST(uf_flow_wait(&workers[0].uf, UF_FOREVER, NULL) == UF_OK);
        join();
        while (hold->is_sent) schedule_pause();
        ufp_store(&paused, 0);
    }
    end_pausing();
}

/* -- a pause of a run that another thread is starting -------------------------------------------------------------- */

static void start_rest(void *worker)
{
    MUST(Worker_start_Rest(worker, UF_FOREVER) == UF_OK);
}

static void pause_start(void)
{
    begin_pausing();
    spawn(start_rest, &workers[0]);
    uf_status status;
    while ((status = uf_flow_pause(&workers[0].uf, hold)) == UF_STALE) schedule_pause();
    MUST(status == UF_OK);
    while (!stands(&workers[0].uf)) schedule_pause();
    int const bodies = workers[0].bodies;
    for (int i = 0; i < 5; i++) schedule_pause();
    MUST(workers[0].bodies == bodies);
    resume_it();
    MUST(resumed == 1);
    while (workers[0].bodies == 0) schedule_pause();
    MUST(uf_flow_cancel(&workers[0].uf) == UF_OK);
    wait_for_the_end(&workers[0], UF_CANCELLED);
    end_pausing();
}

/* Whatever comes first: nothing of it is left. */
static void pause_start_cancel(void)
{
    begin_pausing();
    spawn(start_rest, &workers[0]);
    spawn(pause_and_resume, &workers[0]);
    while (!uf_flow_running(&workers[0].uf)) schedule_pause();
    MUST(uf_flow_cancel(&workers[0].uf) == UF_OK);
    wait_for_the_end(&workers[0], UF_CANCELLED);
    end_pausing();
}

/* -- a pause against the other ends of a wait ---------------------------------------------------------------------- */

static void cancel_worker(void *worker)
{
    MUST(uf_flow_cancel(&((Worker *)worker)->uf) == UF_OK);
}

static void pause_cancel(void)
{
    begin_pausing();
    MUST(Worker_start_Rest(&workers[0], UF_FOREVER) == UF_OK);
    spawn(pause_and_resume, &workers[0]);
    spawn(cancel_worker, &workers[0]);
    pause_it(&workers[0]);
    wait_for_the_end(&workers[0], UF_CANCELLED);
    MUST(workers[0].exits == 0 || workers[0].last_exit == UF_CANCELLED);
    join();
    end_pausing();
}

/* After the end of the run, and a post that follows, the record may be freed. */
static void pause_gone(void)
{
    begin_pausing();
    MUST(Worker_start_Rest(&workers[0], UF_US(1)) == UF_OK);
    pause_it(&workers[0]);
    spawn(cancel_worker, &workers[0]);
    resume_it();
    MUST(uf_flow_wait(&workers[0].uf, UF_FOREVER, NULL) == UF_OK);
    MUST(uf_post_wait(runtime, count_post, NULL) == UF_OK);
    ufp_free(hold);
    end();
}

static Worker *guest; /* that is destroyed */
static uint32_t has_asked;

static void pause_guest(void *unused)
{
    (void)unused;
    pause_it(guest);
    ufp_store_release(&has_asked, 1);
}

static void destroy_guest(Worker *host)
{
    if (!ufp_load_acquire(&has_asked) || host->release) return;
    (void)uf_flow_resume(hold);
    if (Worker_destroy(guest) != UF_OK) return;
    memset(guest, 0xff, sizeof *guest);
    ufp_free(guest);
    host->release = true;
}

/* A step destroys the flow while the pause is on its way. */
static void pause_destroyed(void)
{
    begin_pausing();
    guest = ufp_allocate(sizeof *guest);
    has_asked = 0;
    workers[0].body = destroy_guest;
    MUST(Worker_init(guest, uf_runtime_pump(runtime), "guest") == UF_OK);
    MUST(Worker_start_Rest(guest, UF_US(1)) == UF_OK);
    MUST(Worker_start_Poll(&workers[0]) == UF_OK);
    spawn(pause_guest, NULL);
    wait_for_the_end(&workers[0], UF_DONE);
    join();
    MUST(uf_post_wait(runtime, count_post, NULL) == UF_OK);
    end_pausing();
}

static void pause_listener(void *listener)
{
    MUST(uf_flow_pause(&((Listener *)listener)->uf, hold) != UF_INVALID);
}

/* The wait of a flow that stands is released: the flow hears it after the resume. */
static void pause_fire(void)
{
    begin_listening();
    resumed = 0;
    hold = ufp_allocate(sizeof *hold);
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    spawn(pause_listener, &here[0]);
    spawn(fire_once, NULL);
    join();
    for (int i = 0; i < 5; i++) schedule_pause();
    bool const stood = stands(&here[0].uf);
    MUST(!stood || here[0].heard == 0);
    resume_it();
    MUST(uf_flow_wait(&here[0].uf, UF_FOREVER, NULL) == UF_OK && here[0].heard == 1);
    end_listening();
    ufp_free(hold);
}

/* A stop does not wait for a run that stands, and does wait for one that goes on. */
static void stop_runtime(void *argument)
{
    (void)argument;
    MUST(uf_runtime_stop(runtime, UF_FOREVER, NULL) == UF_OK);
}

static void pause_stop(void)
{
    begin_pausing();
    MUST(Worker_start_Rest(&workers[0], UF_MS(1)) == UF_OK);
    spawn(stop_runtime, NULL);
    pause_it(&workers[0]);
    join();
    MUST(!uf_flow_running(&workers[0].uf) && workers[0].exits == workers[0].enters);
    end_pausing();
}

const scenario pause_scenarios[] = {
    {"pause_pause", pause_pause},
    {"pause_two", pause_two},
    {"pause_next_run", pause_next_run},
    {"pause_start", pause_start},
    {"pause_start_cancel", pause_start_cancel},
    {"pause_cancel", pause_cancel},
    {"pause_gone", pause_gone},
    {"pause_destroyed", pause_destroyed},
    {"pause_fire", pause_fire},
    {"pause_stop", pause_stop},
    {0},
};
