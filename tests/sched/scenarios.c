/* scenarios.c - what applications do with a runtime from several threads, small enough that a schedule is short. Each ends
 * with nothing left: no thread, no memory. */
#include "scenarios.h"

#include <string.h>

#include "host.h"
#include "scheduler.h"
#include "worker.h"

static uf_runtime *runtime, *second;
static Worker workers[3];
static ufp_thread threads[6];
static int thread_count;

static void begin(void)
{
    thread_count = 0;
    second = NULL;
    MUST(uf_runtime_new(&runtime, NULL) == UF_OK);
    for (int i = 0; i < 3; i++) MUST(Worker_init(&workers[i], uf_runtime_pump(runtime), "worker") == UF_OK);
}

static void spawn(void (*run)(void *argument), void *argument)
{
    MUST(ufp_thread_start(&threads[thread_count++], 0, run, argument) == 0);
}

static void join(void)
{
    while (thread_count) ufp_thread_join(&threads[--thread_count]);
}

static void end(void)
{
    join();
    MUST(uf_runtime_free(runtime) == UF_OK);
    for (int i = 0; i < 3; i++) MUST(workers[i].enters == workers[i].exits && !workers[i].uf.pump);
}

/* So many threads wait: they are within what they have called. */
static void wait_until_watched(uint32_t count)
{
    while (ufp_load(&runtime->pump.watched) < count) schedule_pause();
}

/* -- start against start: exactly one -------------------------------------------------------------------------------- */

static int accepted;

static void start_some(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2; i++) {
        uf_status const status = Worker_start_Count(&workers[0], 2);
        MUST(status == UF_OK || status == UF_BUSY);
        accepted += status == UF_OK;
    }
}

static void start_start(void)
{
    begin();
    accepted = 0;
    for (int i = 0; i < 3; i++) spawn(start_some, NULL);
    join();
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(accepted >= 1 && workers[0].enters == accepted && workers[0].bodies == 2 * accepted);
    end();
}

/* -- start against cancel: a cancel that came after the start is not lost ---------------------------------------------- */

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
        MUST(uf_flow_cancel(&workers[0].uf) == UF_OK); /* before, after, or while it is being started */
        schedule_pause();
    }
    uf_status const status = uf_run_cancel(shared_run);
    MUST(status == UF_OK || status == UF_STALE);
    uf_call_info info;
    MUST(uf_run_wait(shared_run, UF_FOREVER, &info) == UF_OK);
    MUST(info.outcome == UF_CANCELLED && strcmp(info.reason, "cancelled") == 0);
    end();
}

/* -- cancel against the end: the next run is not hit ------------------------------------------------------------------- */

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

/* -- calls: each has its own result, and leaves nothing behind when it gives up ------------------------------------------ */

static void call_one(void *argument)
{
    int const steps = (int)(intptr_t)argument;
    int result = 0;
    uf_call_info info;
    MUST(Worker_call_Count(&workers[0], steps, UF_FOREVER, &result, &info) == UF_OK);
    MUST(result == steps && info.outcome == UF_DONE);
}

static void call_call(void)
{
    begin();
    for (intptr_t i = 1; i <= 3; i++) spawn(call_one, (void *)i);
    join();
    MUST(workers[0].enters == 3);
    end();
}

static void call_briefly(void *argument)
{
    uf_call_info info;
    uf_time const timeout = (intptr_t)argument * UF_MS(10);
    uf_status const status = Worker_call_Rest(&workers[0], UF_MS(15), timeout, &info);
    MUST(status == UF_OK || status == UF_TIMED_OUT);
    MUST((status == UF_OK) == (info.outcome == UF_DONE));
}

static void call_timeout(void)
{
    begin();
    for (intptr_t i = 1; i <= 3; i++) spawn(call_briefly, (void *)i);
    join();
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(!uf_flow_running(&workers[0].uf));
    int result;
    MUST(Worker_call_Count(&workers[0], 1, UF_FOREVER, &result, NULL) == UF_OK && result == 1);
    end();
}

/* -- calls against the end of the runtime --------------------------------------------------------------------------------- */

static void call_while_closing(void *argument)
{
    uf_call_info info;
    (void)argument;
    uf_status const status = Worker_call_Rest(&workers[0], UF_FOREVER, UF_FOREVER, &info);
    MUST(status == UF_STOPPING || (status == UF_NOT_DONE && info.outcome == UF_CANCELLED));
}

static void call_free(void)
{
    begin();
    spawn(call_while_closing, NULL);
    spawn(call_while_closing, NULL);
    wait_until_watched(2);
    MUST(uf_runtime_free(runtime) == UF_OK);
    join();
    MUST(workers[0].enters == workers[0].exits);
}

static uint32_t over;

static void call_one_while_closing(void *argument)
{
    call_while_closing(argument);
    ufp_store(&over, 1);
}

/* As early as one may: the thread is inside, and has not got any farther. */
static void call_free_early(void)
{
    begin();
    over = 0;
    spawn(call_one_while_closing, NULL);
    while (!ufp_load(&over) && !ufp_load(&runtime->pump.inside)) schedule_pause();
    MUST(uf_runtime_free(runtime) == UF_OK);
    join();
    MUST(workers[0].enters == workers[0].exits);
}

/* The run that is in the way was not a call's: nobody is watching when it ends. */
static void call_start(void)
{
    begin();
    MUST(Worker_start_Count(&workers[0], 2) == UF_OK);
    spawn(call_one, (void *)3);
    join();
    MUST(workers[0].enters == 2);
    end();
}

/* -- posts ----------------------------------------------------------------------------------------------------------- */

static int posted, next_post[2], out_of_order;

static void count_post(void *argument)
{
    intptr_t const what = (intptr_t)argument; /* thread * 16 + number */
    MUST(uf_runtime_here(runtime));
    posted++;
    out_of_order += next_post[what / 16]++ != what % 16;
}

static void post_some(void *argument)
{
    intptr_t const thread = (intptr_t)argument;
    for (intptr_t i = 0; i < 4; i++) {
        void *const what = (void *)(thread * 16 + i);
        MUST((i == 3 ? uf_post_wait(runtime, count_post, what) : uf_post(runtime, count_post, what)) == UF_OK);
        if (i == 1) schedule_pause();
    }
}

static void post_order(void)
{
    begin();
    posted = out_of_order = next_post[0] = next_post[1] = 0;
    spawn(post_some, (void *)0);
    spawn(post_some, (void *)1);
    join();
    MUST(posted == 8 && out_of_order == 0);
    end();
}

static void post_once(void *argument)
{
    (void)argument;
    uf_status const status = uf_post_wait(runtime, count_post, (void *)0);
    MUST(status == UF_OK || status == UF_CLOSED);
    accepted += status == UF_OK;
}

static void post_while_closing(void *argument)
{
    (void)argument;
    if (ufp_load_total(&runtime->pump.stopping)) MUST(uf_post(runtime, count_post, NULL) == UF_CLOSED);
}

static void post_wait_free(void)
{
    begin();
    posted = accepted = out_of_order = next_post[0] = 0;
    MUST(Worker_start_Rest(&workers[0], UF_FOREVER) == UF_OK);
    MUST(uf_post(runtime, post_while_closing, NULL) == UF_OK);
    spawn(post_once, NULL);
    while (!accepted && !ufp_load(&runtime->pump.inside)) schedule_pause();
    MUST(uf_runtime_free(runtime) == UF_OK);
    join();
    MUST(posted == accepted && workers[0].exits == workers[0].enters);
}

/* -- sleep against wake: nothing that is sent is slept through ---------------------------------------------------------- */

static void wake_some(void *argument)
{
    (void)argument;
    for (int i = 0; i < 3; i++) {
        MUST(uf_post(runtime, count_post, (void *)16) == UF_OK);
        schedule_pause();
    }
}

static void sleep_wake(void)
{
    begin();
    posted = 0;
    spawn(wake_some, NULL);
    spawn(wake_some, NULL);
    join();
    while (posted < 6) {
        MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
        MUST(posted == 6);
    }
    end();
}

/* Without a waiter, whose own message would wake the pump: only the last post itself can. */
static void sleep_unwatched(void)
{
    begin();
    posted = 0;
    for (int i = 0; i < 3; i++) {
        MUST(Worker_start_Count(&workers[i], 1) == UF_OK);
        while (uf_flow_running(&workers[i].uf)) schedule_pause();
        MUST(workers[i].bodies == 1);
    }
    end();
}

/* -- timers against wakes --------------------------------------------------------------------------------------------- */

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

/* -- waiting for a run that another one follows ----------------------------------------------------------------------- */

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

/* -- a chain of flows is never idle midway ----------------------------------------------------------------------------- */

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

/* -- a look is never of two moments ------------------------------------------------------------------------------------- */

static void describe(Worker *flow)
{
    uf_describe(&flow->uf, "%d", flow->uf_task.at);
}

static void look_often(void *argument)
{
    (void)argument;
    for (int i = 0; i < 4; i++) {
        uf_flow_view view;
        uf_flow_look(&workers[0].uf, &view);
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

/* -- the clock is changed while the pump sleeps --------------------------------------------------------------------------- */

static void clock_change(void)
{
    begin();
    uf_runtime_freeze(runtime);
    MUST(Worker_start_Rest(&workers[0], UF_S(1)) == UF_OK);
    while (!*uf_flow_step(&workers[0].uf) || !workers[0].bodies) schedule_pause();
    uf_time const before = uf_runtime_now(runtime);
    MUST(uf_flow_wait(&workers[0].uf, UF_S(10), NULL) == UF_TIMED_OUT);
    MUST(uf_runtime_now(runtime) == before);
    MUST(uf_runtime_set_scale(runtime, 1000) == UF_OK);
    uf_runtime_resume(runtime);
    while (uf_flow_running(&workers[0].uf)) schedule_pause(); /* for ever, unless the pump plans anew */
    end();
}

/* -- two runtimes on one thread -------------------------------------------------------------------------------------------- */

static Worker guest;
static int guests;

static void count_guest(void *argument)
{
    (void)argument;
    guests++;
}

static void post_to_second(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2; i++) MUST(uf_post(second, count_guest, NULL) == UF_OK);
    MUST(Worker_start_Count(&guest, 2) == UF_OK);
}

static void begin_two(void)
{
    begin();
    guests = 0;
    MUST(uf_runtime_new(&second, NULL) == UF_OK);
    MUST(Worker_init(&guest, uf_runtime_pump(second), "guest") == UF_OK);
}

static void is_driven(void *argument)
{
    (void)argument;
    MUST(uf_runtime_here(runtime) && uf_runtime_here(second));
}

static void link_wake(void)
{
    begin_two();
    spawn(post_to_second, NULL);
    MUST(uf_runtime_link(runtime, second) == UF_OK);
    MUST(uf_post_wait(second, is_driven, NULL) == UF_OK);
    join();
    MUST(uf_runtime_free(runtime) == UF_BUSY);
    MUST(uf_runtime_wait(second, UF_FOREVER) == UF_OK);
    MUST(guests == 2 && guest.exits == 1);
    spawn(post_to_second, NULL);
    MUST(uf_runtime_unlink(second) == UF_OK);
    join();
    MUST(uf_runtime_wait(second, UF_FOREVER) == UF_OK);
    MUST(guests == 4 && guest.exits == 2);
    MUST(uf_runtime_free(second) == UF_OK);
    end();
}

static void link_unwatched(void)
{
    begin_two();
    spawn(post_to_second, NULL);
    MUST(uf_runtime_link(runtime, second) == UF_OK);
    join();
    while (guests < 2 || uf_flow_running(&guest.uf)) schedule_pause();
    MUST(uf_runtime_unlink(second) == UF_OK);
    MUST(uf_runtime_free(second) == UF_OK);
    end();
}

static void link_free(void)
{
    begin_two();
    MUST(Worker_start_Rest(&guest, UF_FOREVER) == UF_OK);
    MUST(uf_runtime_link(runtime, second) == UF_OK);
    spawn(start_some, NULL);
    MUST(uf_runtime_free(second) == UF_OK);
    MUST(guest.exits == guest.enters && !guest.uf.pump);
    end();
}

static void link_link(void *argument)
{
    (void)argument;
    uf_status const status = uf_runtime_link(runtime, second);
    MUST(status == UF_OK || status == UF_BUSY);
    accepted += status == UF_OK;
}

static void link_twice(void)
{
    begin_two();
    accepted = 0;
    spawn(link_link, NULL);
    spawn(link_link, NULL);
    join();
    MUST(accepted == 1);
    MUST(uf_runtime_free(second) == UF_OK);
    end();
}

/* -- somebody else's loop ------------------------------------------------------------------------------------------------ */

static void embedded(void)
{
    uf_runtime_config const config = {.embedded = true};

    begin();
    MUST(uf_runtime_free(runtime) == UF_OK);
    posted = 0;
    MUST(uf_runtime_new(&runtime, &config) == UF_OK);
    for (int i = 0; i < 3; i++) MUST(Worker_init(&workers[i], uf_runtime_pump(runtime), "worker") == UF_OK);
    MUST(Worker_start_Rest(&workers[1], UF_MS(2)) == UF_OK);
    spawn(wake_some, NULL);
    while (posted < 3 || uf_flow_running(&workers[1].uf)) {
        schedule_wait_bell(uf_runtime_fd(runtime), uf_runtime_next_deadline(runtime));
        MUST(uf_runtime_poll(runtime) == UF_OK);
    }
    end();
}

/* -- a flow goes away while others are at work ----------------------------------------------------------------------------- */

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

/* A cancel is still on its way to a flow that has ended by itself, when another flow of the same round destroys it. */
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

/* -- the hook --------------------------------------------------------------------------------------------------------- */

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
    MUST(Worker_call_Count(&workers[1], 2, UF_FOREVER, &result, NULL) == UF_OK);
    uf_runtime_set_pre_round(runtime, NULL, NULL);
    join();
    MUST(hooked >= 1);
    end();
}

const scenario scenarios[] = {
    {"start_start", start_start},
    {"start_cancel", start_cancel},
    {"cancel_finish", cancel_finish},
    {"call_call", call_call},
    {"call_timeout", call_timeout},
    {"call_free", call_free},
    {"call_free_early", call_free_early},
    {"call_start", call_start},
    {"post_order", post_order},
    {"post_wait_free", post_wait_free},
    {"sleep_wake", sleep_wake},
    {"sleep_unwatched", sleep_unwatched},
    {"time_wake", time_wake},
    {"wait_run", wait_run},
    {"wait_all", wait_all},
    {"look", look},
    {"clock_change", clock_change},
    {"link_wake", link_wake},
    {"link_unwatched", link_unwatched},
    {"link_free", link_free},
    {"link_twice", link_twice},
    {"embedded", embedded},
    {"detach", detach},
    {"detach_cancelled", detach_cancelled},
    {"pre_round", pre_round},
    {0},
};
