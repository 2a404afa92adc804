/* SPDX-License-Identifier: MIT */
/* scenarios_calls.c - calls: their order, their timeouts, and the end of the runtime. */
#include "scene.h"

/* -- calls: each has its own result, and cleans up when it gives up ------------------------------------------------ */

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

/* The limits hold for the runs. A run that is done is answered as done, unless the pump's thread had no turn in the
 * time for the answer. All others are cancelled. */
static uint32_t answered, unanswered;

static void call_at_the_limit(void *argument)
{
    uf_call_info info;
    uf_status const status = Worker_call_Rest(&workers[0], UF_MS(5), (intptr_t)argument * UF_MS(5), &info);
    MUST(status == UF_OK || status == UF_TIMED_OUT);
    MUST((status == UF_OK) == (info.outcome == UF_DONE));
    if (status == UF_OK) ufp_add_fetch_seq_cst(&answered, 1);
    if (info.outcome == UF_RUNNING) ufp_add_fetch_seq_cst(&unanswered, 1);
}

static void call_result(void)
{
    begin();
    answered = unanswered = 0;
    for (intptr_t i = 1; i <= 3; i++) spawn(call_at_the_limit, (void *)i);
    join();
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    int const done = workers[0].bodies - workers[0].enters; /* the body of the last step ran, too */
    MUST(done >= (int)ufp_load(&answered) && done <= (int)(ufp_load(&answered) + ufp_load(&unanswered)));
    end();
}

/* The call times out when its run ends. The flow is destroyed before the call has given up. */
static void call_shortly(void *flow)
{
    uf_status const status = Worker_call_Rest(flow, UF_MS(5), UF_MS(5), NULL);
    MUST(status == UF_OK || status == UF_TIMED_OUT || status == UF_NOT_DONE);
}

static void call_destroy(void)
{
    begin();
    Worker *const flow = ufp_allocate(sizeof *flow);
    MUST(flow && Worker_init(flow, uf_runtime_pump(runtime), "brief") == UF_OK);
    spawn(call_shortly, flow);
    while (uf_flow_this_run(&flow->uf).number == 0) schedule_pause();
    while (Worker_destroy(flow) == UF_BUSY) schedule_pause();
    ufp_free(flow);
    join();
    end();
}

/* -- calls against the end of the runtime ------------------------------------------------------------------------- */

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

/* As early as allowed: the thread has just entered the call. */
static void call_free_early(void)
{
    begin();
    over = 0;
    spawn(call_one_while_closing, NULL);
    while (!ufp_load(&over) && !ufp_load(&runtime->pump.pins)) schedule_pause();
    MUST(uf_runtime_free(runtime) == UF_OK);
    join();
    MUST(workers[0].enters == workers[0].exits);
}

/* The run in the way was not started by a call, so no call watches its end. */
static void call_start(void)
{
    begin();
    MUST(Worker_start_Count(&workers[0], 2) == UF_OK);
    spawn(call_one, (void *)3);
    join();
    MUST(workers[0].enters == 2);
    end();
}

/* -- the table of waiters, beside a plain list -------------------------------------------------------------- */

enum { WAITERS = 60, FLOWS = 5, KINDS = CANCEL_OF_RUN + 1 };
static ufh_waiter all[WAITERS];
static int order[WAITERS], present; /* the waiters in the table: their indices, in FIFO order */

static int position_of(int index)
{
    int at = 0;
    while (at < present && order[at] != index) at++;
    return at;
}

/* The table finds the same entries as the list, in the same order. */
static void is_as_listed(const ufh_waiters *table, uf_flow *flow, ufh_wait kind)
{
    ufh_entry const *found = NULL;

    for (int at = 0; at < present; at++) {
        ufh_entry const *const entry = &all[order[at]].entry;
        if (entry->flow != flow || entry->kind != kind) continue;
        found = ufh_entries_next(table, flow, kind, found);
        MUST(found == entry);
    }
    MUST(!ufh_entries_next(table, flow, kind, found));
}

static void change_table(ufh_waiters *table, uf_flow *flows)
{
    int const index = (int)schedule_draw(WAITERS), at = position_of(index);

    if (at < present) {
        ufh_waiters_take(table, &all[index]);
        ufh_waiters_take(table, &all[index]); /* does nothing */
        MUST(!ufh_entries_take(table, &all[index].entry));
        memmove(&order[at], &order[at + 1], (size_t)(--present - at) * sizeof *order);
        return;
    }
    all[index] = (ufh_waiter){.entry = {.kind = (ufh_wait)schedule_draw(KINDS), .flow = &flows[schedule_draw(FLOWS)]}};
    if (all[index].entry.kind == CANCEL_OF_RUN) { /* nobody checks it */
        ufi_list_init(&all[index].unchecked);
        ufh_entries_add(table, &all[index].entry);
    } else {
        ufh_waiters_add(table, &all[index]);
    }
    order[present++] = index;
}

static void call_table(void)
{
    static uf_flow flows[FLOWS];
    ufh_waiters table = {.count = 0};

    ufh_waiters_init(&table);
    present = 0;
    for (int n = 0; n < 300; n++) {
        change_table(&table, flows);
        for (int i = 0; i < FLOWS * KINDS; i++) is_as_listed(&table, &flows[i / KINDS], (ufh_wait)(i % KINDS));
    }
    for (int at = 0; at < present; at++) {
        ufh_waiter const *const w = &all[order[at]];
        MUST(w->entry.kind == CANCEL_OF_RUN || ufh_waiters_fresh(&table) == w);
    }
    MUST(!ufh_waiters_fresh(&table) && table.count == (uint32_t)present);
    ufh_waiters_free(&table);
}

const scenario call_scenarios[] = {
    {"call_call", call_call},
    {"call_timeout", call_timeout},
    {"call_free", call_free},
    {"call_free_early", call_free_early},
    {"call_start", call_start},
    {"call_destroy", call_destroy},
    {"call_table", call_table},
    {"call_result", call_result},
    {0},
};
