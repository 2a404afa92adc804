/* SPDX-License-Identifier: MIT */
/* moments_calls.c - the functions that moments.c calls, and the flows that it calls them with. */
#include "moments_world.h"

/* -- targets ------------------------------------------------------------------------------------------------------- */

uf_flow *target_of(target of, const uf_flow *self)
{
    Cell *const cell = here->hall.uf.pump ? Hall_cells_at(&here->hall, 0) : NULL;
    Part *const part = here->plain.uf.pump ? Plain_crew_at(&here->plain, 0) : NULL;
    Item *const item = here->kept.uf.pump ? Kept_crew_at(&here->kept, 0) : NULL;
    uf_flow *flow = NULL;

    switch (of) {
    case OF_SELF: flow = (uf_flow *)(uintptr_t)self; break;
    case OF_CURRENT: flow = here->pump.current; break;
    case OF_PLAIN: flow = &here->plain.uf; break;
    case OF_PLAIN_PART: flow = &here->plain.part.uf; break;
    case OF_PLAIN_COMPANION: flow = &here->plain.companion.uf; break;
    case OF_PLAIN_MEMBER: flow = part ? &part->uf : NULL; break;
    case OF_KEPT: flow = &here->kept.uf; break;
    case OF_KEPT_OWN: flow = &here->kept.own.uf; break;
    case OF_KEPT_COMPANION: flow = &here->kept.companion.uf; break;
    case OF_KEPT_OTHER: flow = &here->kept.other.uf; break;
    case OF_KEPT_MEMBER: flow = item ? &item->uf : NULL; break;
    case OF_SHARED: flow = &here->shared.uf; break;
    case OF_HALL: flow = &here->hall.uf; break;
    case OF_CELL: flow = cell ? &cell->uf : NULL; break;
    case OF_CELL_INSIDE: flow = cell ? &cell->inside.uf : NULL; break;
    case OF_GUEST: flow = &here->guest.uf; break;
    case OF_CLOSING: flow = &here->closing.uf; break;
    case OF_SPARE: flow = &here->spare.uf; break;
    case OF_SPARE_ITEM: flow = &here->spare_item.uf; break;
    case TARGET_COUNT: break;
    }
    return flow && flow->pump ? flow : NULL;
}

bool is_kept_flow(const uf_flow *flow)
{
    return flow->type == &Item_type || flow->type == &Kept_type || flow->type == &Cell_type;
}

static uf_status start(uf_flow *flow)
{
    void *const at = flow;

    if (flow->type == &Part_type) return Part_start_Work(at, 1);
    if (flow->type == &Item_type) return Item_start_Make(at, 1);
    if (flow->type == &Plain_type) return Plain_start_Run(at);
    if (flow->type == &Kept_type) return Kept_start_Run(at);
    if (flow->type == &Hall_type) return Hall_start_Stand(at);
    if (flow->type == &Guest_type) return Guest_start_Ask(at);
    if (flow->type == &Cell_type) return Cell_start_Work(at, 1);
    return Closing_start_Close(at);
}

static uf_status destroy(uf_flow *flow)
{
    void *const at = flow;

    if (flow->type == &Part_type) return Part_destroy(at);
    if (flow->type == &Item_type) return Item_destroy(at);
    if (flow->type == &Plain_type) return Plain_destroy(at);
    if (flow->type == &Kept_type) return Kept_destroy(at);
    if (flow->type == &Hall_type) return Hall_destroy(at);
    if (flow->type == &Guest_type) return Guest_destroy(at);
    if (flow->type == &Cell_type) return Cell_destroy(at);
    return Closing_destroy(at);
}

/* -- functions ----------------------------------------------------------------------------------------------------- */

#define CALL(name) static uf_status call_##name(uf_flow *flow __attribute__((unused)))

static bool is_end(moment at)
{
    return at == AT_OVER || at == AT_ENDED;
}

static void note_cancel(uf_flow *flow, uf_run run)
{
    life *const of = life_of(flow);
    if (uf_run_outcome(run) != UF_RUNNING || (is_end(now.made.at) && !of->runs)) return;
    of->cancelled = run.number;
    of->cancelled_at = here->pump.clock.real;
}

CALL(cancel)
{
    uf_status const status = uf_flow_cancel(flow);
    note_cancel(flow, uf_flow_this_run(flow));
    return status;
}

CALL(run_cancel)
{
    uf_run const run = uf_flow_this_run(flow);
    bool const runs = uf_flow_running(flow);
    uf_status const status = uf_run_cancel(run);
    EXPECT(status == (runs ? UF_OK : UF_STALE), "%d", status);
    note_cancel(flow, run);
    return status;
}

CALL(pause)
{
    bool const runs = uf_flow_running(flow);
    uf_status const status = uf_flow_pause(flow, &here->hold);
    EXPECT(runs ? status != UF_STALE : status == UF_STALE, "%s", uf_status_text(status));
    return status;
}

CALL(pause_and_resume)
{
    uf_status const status = uf_flow_pause(flow, &here->hold);
    if (status == UF_OK) EXPECT(uf_flow_resume(&here->hold) == UF_OK, "it is not paused");
    return status;
}

CALL(resume)
{
    (void)uf_flow_resume(&here->holds[0]);
    return uf_flow_resume(&here->holds[1]);
}

static uf_status note_start(uf_flow *flow, uint32_t before, uf_status status)
{
    life *const of = life_of(flow);
    if (status != UF_OK || flow->run == before) return status; /* a repeated body has begun it */
    of->begun = flow->run;
    of->begun_at = here->pump.clock.real;
    return status;
}

CALL(start)
{
    bool const runs = uf_flow_running(flow);
    uint32_t const before = flow->run;
    uf_status const status = start(flow);
    if (runs) EXPECT(status != UF_OK || flow->run == before, "it runs twice");
    if (now.made.at == AT_ON_SUSPEND) EXPECT(status != UF_OK, "it begins while others are suspended");
    return note_start(flow, before, status);
}

CALL(cancel_and_start)
{
    (void)call_cancel(flow);
    return call_start(flow);
}

CALL(start_and_cancel)
{
    uf_status const status = call_start(flow);
    life_of(flow)->begun = 0;
    (void)call_cancel(flow);
    return status;
}

CALL(fail)
{
    return uf_flow_fail(flow, "moment %d", 1);
}

/* The flow of the call, and what contains it, must stay. So must what others wait for. */
CALL(destroy)
{
    uintptr_t const size = flow->type->size;
    if (now.self && (uintptr_t)now.self - (uintptr_t)flow < size) return UF_BUSY;
    if (flow == &here->shared.uf || now.made.at == AT_DROP) return UF_BUSY;
    return destroy(flow);
}

CALL(keep)
{
    now.has_kept_fields |= flow->type == &Kept_type;
    uf_status const status = uf_flow_keep(flow);
    if (!is_kept_flow(flow)) EXPECT(status == UF_INVALID, "%d", status);
    if (is_kept_flow(flow) && is_end(now.made.at) && flow == now.self) EXPECT(status == UF_BUSY, "%d", status);
    return status;
}

CALL(token)
{
    char token[UF_TOKEN_SIZE];
    uf_status const status = uf_flow_token(flow, token);
    bool const runs = uf_flow_running(flow) && !(now.made.at == AT_ON_INIT && flow == now.self);
    EXPECT((status == UF_OK) == (is_kept_flow(flow) && runs), "%d", status);
    return status;
}

CALL(reads)
{
    uf_flow_view view;
    uf_run_times times;
    uf_time lasts;
    char path[UF_STORE_PATH_SIZE];

    uf_flow_view_of(flow, &view);
    EXPECT(view.running == uf_flow_running(flow), "the view says that it runs: %d", view.running);
    EXPECT(view.running == (view.outcome == UF_RUNNING), "outcome %d", view.outcome);
    bool const is_claimed = now.made.at == AT_ON_INIT; /* a member has no task before its init has ended */
    EXPECT(view.running == (view.ordinal >= 0) || is_claimed, "ordinal %d", (int)view.ordinal);
    EXPECT(view.running == (*view.task != '\0') || is_claimed, "task %s", view.task);
    EXPECT(strcmp(view.step, uf_flow_step(flow)) == 0, "step %s", view.step);
    EXPECT(view.run == uf_flow_this_run(flow).number, "run %u", (unsigned)view.run);
    (void)uf_flow_path(flow, path, sizeof path);
    (void)uf_flow_reason(flow);
    (void)uf_flow_description(flow);
    (void)uf_flow_row(flow);
    (void)uf_flow_times(flow, &times);
    (void)uf_flow_keeping(flow, &lasts);
    (void)uf_flow_paused_for(flow);
    (void)uf_flow_step_elapsed(flow);
    (void)uf_flow_jobs_pending(flow);
    (void)uf_flow_now(flow);
    (void)uf_pump_next_flow(&here->pump, flow);
    (void)uf_run_outcome(uf_flow_this_run(flow));
    return UF_OK;
}

CALL(wait)
{
    EXPECT(uf_run_wait_kept(uf_flow_this_run(flow), 0) != UF_TIMED_OUT, "it waits");
    return uf_flow_wait(flow, 0, NULL);
}

CALL(describe)
{
    return uf_flow_describe(flow, "moment %d", 2);
}

CALL(hurry)
{
    if (flow->type == &Item_type) (void)uf_signal_fire(&((Item *)(void *)flow)->hurry);
    if (flow->type == &Part_type) (void)uf_signal_fire(&((Part *)(void *)flow)->hurry);
    return UF_OK;
}

/* Waits for nothing on the thread of the pump. */
CALL(call)
{
    uf_call_info info;
    int out;
    void *const at = flow;
    if (flow->type == &Part_type) return Part_call_Work(at, 1, UF_S(1), &out, &info);
    if (flow->type == &Item_type) return Item_call_Make(at, 1, UF_S(1), &out, &info);
    if (flow->type == &Plain_type) return Plain_call_Run(at, UF_S(1), &info);
    return Kept_call_Run(&here->kept, UF_S(1), &out, &info);
}

CALL(store_fail)
{
    uf_store_fail(here->store, "disk full");
    return UF_OK;
}

/* Flows that are initialised at the moment, and begin at once. */
CALL(init)
{
    if (here->extra.uf.pump) return UF_BUSY;
    now.has_extra = true;
    uf_status status = Kept_init(&here->extra, &here->pump, "extra", &here->shared);
    if (status == UF_OK) status = note_start(&here->extra.uf, here->extra.uf.run, Kept_start_Run(&here->extra));
    return status;
}

CALL(init_plain)
{
    if (here->extra_plain.uf.pump) return UF_BUSY;
    uf_status status = Plain_init(&here->extra_plain, &here->pump, "extra_plain");
    if (status == UF_OK) status = Plain_start_Run(&here->extra_plain);
    return status;
}

CALL(destroy_signal)
{
    uf_signal_destroy(&here->signal);
    uf_signal_init(&here->signal, "signal");
    return UF_OK;
}

CALL(pump_reads)
{
    (void)uf_pump_timeout(&here->pump);
    (void)uf_pump_next_deadline(&here->pump);
    (void)uf_pump_now(&here->pump);
    (void)uf_pump_real_now(&here->pump);
    (void)uf_pump_frozen(&here->pump);
    (void)uf_pump_stopping(&here->pump);
    (void)uf_pump_stopped(&here->pump);
    (void)uf_store_failure(here->store);
    (void)uf_checkpoint_state(&here->plain.gate);
    (void)uf_checkpoint_parked(&here->plain.gate);
    (void)uf_mailbox_count(&here->plain.box);
    (void)uf_signal_epoch(&here->plain.go);
    for (uf_flow *at = NULL; (at = uf_pump_next_flow(&here->pump, at)) != NULL;) (void)call_reads(at);
    return UF_OK;
}

CALL(spawn)
{
    return Plain_crew_spawn_Work(&here->plain, 20);
}

CALL(spawn_kept)
{
    return Kept_crew_spawn_Make(&here->kept, 21);
}

CALL(spawn_cell)
{
    return Hall_cells_spawn_Work(&here->hall, 22);
}

CALL(cancel_members)
{
    uf_status status = UF_OK;
    if (here->plain.uf.pump) status = Plain_crew_cancel_all(&here->plain);
    if (status == UF_OK && here->kept.uf.pump) status = Kept_crew_cancel_all(&here->kept);
    if (status == UF_OK && here->hall.uf.pump) status = Hall_cells_cancel_all(&here->hall);
    return status;
}

CALL(limit)
{
    uf_status const status = Plain_crew_limit(&here->plain, 1);
    return status == UF_OK ? Kept_crew_limit(&here->kept, 1) : status;
}

CALL(reap)
{
    uf_member_end end;
    (void)Plain_crew_reap(&here->plain, &end);
    (void)Kept_crew_reap(&here->kept, &end);
    return UF_OK;
}

CALL(fire)
{
    if (here->plain.uf.pump) (void)uf_signal_fire(&here->plain.go);
    if (here->plain.uf.pump) (void)uf_signal_fire(&here->plain.bump);
    if (here->kept.uf.pump) (void)uf_signal_fire(&here->kept.bump);
    (void)uf_signal_fire(&here->signal);
    return UF_OK;
}

static void called_back(void *argument, uf_status status)
{
    (void)argument, (void)status;
    here->is_subscribed = false;
    world_moment(NULL, AT_CALLBACK);
}

void subscribe(void)
{
    if (here->is_subscribed || !here->plain.uf.pump) return;
    here->is_subscribed = true;
    uf_signal_subscribe(&here->plain.go, &here->callback, called_back, NULL);
}

CALL(unsubscribe)
{
    if (!here->is_subscribed) return UF_OK;
    EXPECT(uf_signal_unsubscribe(&here->plain.go, &here->callback), "it was called");
    here->is_subscribed = false;
    return UF_OK;
}

CALL(arm)
{
    return uf_checkpoint_try_arm(&here->plain.gate);
}

CALL(open)
{
    (void)uf_checkpoint_resume(&here->plain.gate);
    return UF_OK;
}

CALL(disarm)
{
    return uf_checkpoint_disarm(&here->plain.gate);
}

CALL(send)
{
    return Plain_box_send(&here->plain, 1000);
}

CALL(receive)
{
    int item;
    (void)Plain_box_receive(&here->plain, &item);
    return UF_OK;
}

CALL(clear)
{
    uf_mailbox_clear(&here->plain.box);
    return UF_OK;
}

CALL(stop)
{
    return uf_pump_stop(&here->pump, &here->stop, UF_MS(40));
}

CALL(restart)
{
    return uf_pump_restart(&here->pump);
}

CALL(stop_again)
{
    uf_status const status = uf_pump_restart(&here->pump);
    return status == UF_OK ? call_stop(flow) : status;
}

CALL(cancel_all)
{
    uf_pump_cancel_all(&here->pump);
    for (uf_flow *at = NULL; (at = uf_pump_next_flow(&here->pump, at)) != NULL;) note_cancel(at, uf_flow_this_run(at));
    return UF_OK;
}

CALL(freeze)
{
    uf_pump_freeze(&here->pump);
    return UF_OK;
}

CALL(scale)
{
    return uf_pump_set_scale(&here->pump, 3);
}

CALL(ready)
{
    return uf_pump_ready(&here->pump, 5, UF_READABLE);
}

CALL(add_observer)
{
    return uf_pump_add_observer(&here->pump, &here->other);
}

CALL(remove_observer)
{
    return uf_pump_remove_observer(&here->pump, &here->other);
}

CALL(swap_observers)
{
    if (uf_pump_remove_observer(&here->pump, &here->observer) == UF_OK)
        (void)uf_pump_add_observer(&here->pump, &here->observer);
    return UF_OK;
}

CALL(release)
{
    return uf_store_release(here->store, NULL);
}

CALL(release_one)
{
    return uf_store_release(here->store, path_of(flow));
}

CALL(forget)
{
    bool const runs = uf_flow_running(flow);
    uf_status const status = uf_store_forget(here->store, path_of(flow));
    now.has_forgotten |= status == UF_OK;
    if (runs && is_kept_flow(flow) && !is_end(now.made.at))
        EXPECT(status == UF_BUSY || here->store->is_failed, "%d", status);
    return status;
}

uf_status call_forget_nothing(uf_flow *flow)
{
    (void)flow;
    return uf_store_forget(here->store, "nobody");
}

uf_status call_restore(uf_flow *flow)
{
    (void)flow;
    return uf_store_restore(here->store, NULL);
}

CALL(copy)
{
    uf_store *copy;
    uf_status const status = uf_store_memory_copy(&copy, here->store, NULL);
    return status == UF_OK ? uf_store_close(copy) : status;
}

CALL(close)
{
    return uf_store_close(here->store);
}

CALL(destroy_pump)
{
    return uf_pump_destroy(&here->pump);
}

CALL(simulate)
{
    if (uf_simulate_until_idle(&here->pump, UF_FOREVER) != UF_INVALID) return UF_OK;
    if (uf_simulate_stop(&here->pump, UF_S(1), NULL) != UF_INVALID) return UF_OK;
    return uf_simulate_until(&here->pump, UF_S(1000));
}

CALL(jobs_clear)
{
    return uf_flow_jobs_clear(flow);
}

/* -- the table of functions ---------------------------------------------------------------------------------------- */

static bool is_in_round(moment at)
{
    return here->pump.in_round && at != AT_OUTSIDE;
}

static bool is_of_flows(moment at)
{
    bool const is_of_observer = at >= AT_STARTED && at <= AT_ROUND_RAN;
    return !is_of_observer && at != AT_WORKER;
}

#define ROW(name) #name, call_##name

const row rows[] = {
    {ROW(cancel), BIT(OK), true, false, NULL},
    {ROW(run_cancel), BIT(OK) | BIT(STALE), true, false, NULL},
    {ROW(pause), BIT(OK) | BIT(STALE) | BIT(BUSY), true, false, NULL},
    {ROW(pause_and_resume), BIT(OK) | BIT(STALE) | BIT(BUSY), true, false, NULL},
    {ROW(resume), BIT(OK) | BIT(STALE), false, false, NULL},
    {ROW(start), BITS_OF_START, true, false, NULL},
    {ROW(cancel_and_start), BITS_OF_START, true, false, NULL},
    {ROW(start_and_cancel), BITS_OF_START, true, false, NULL},
    {ROW(fail), BIT(OK) | BIT(INVALID), true, false, NULL},
    {ROW(destroy), BIT(OK) | BIT(BUSY) | BIT(INVALID), true, false, NULL},
    {ROW(keep), BIT(OK) | BIT(BUSY) | BIT(INVALID), true, true, NULL},
    {ROW(token), BIT(OK) | BIT(INVALID), true, true, NULL},
    {ROW(reads), BIT(OK), true, true, NULL},
    {ROW(wait), BIT(OK) | BIT(DEADLOCK) | BIT(UNSUPPORTED), true, true, NULL},
    {ROW(describe), BIT(OK) | BIT(STALE) | BIT(INVALID), true, false, NULL},
    {ROW(hurry), BIT(OK), true, false, NULL},
    {ROW(call), BIT(DEADLOCK) | BIT(UNSUPPORTED) | BIT(BUSY), true, true, NULL},
    {ROW(store_fail), BIT(OK), false, false, NULL},
    {ROW(init), BITS_OF_START, false, false, NULL},
    {ROW(init_plain), BITS_OF_START, false, false, NULL},
    {ROW(destroy_signal), BIT(OK), false, false, NULL},
    {ROW(pump_reads), BIT(OK), false, true, NULL},
    {ROW(spawn), BITS_OF_START, false, false, NULL},
    {ROW(spawn_kept), BITS_OF_START, false, false, NULL},
    {ROW(spawn_cell), BITS_OF_START, false, false, NULL},
    {ROW(cancel_members), BIT(OK), false, false, NULL},
    {ROW(limit), BIT(OK), false, false, NULL},
    {ROW(reap), BIT(OK), false, false, NULL},
    {ROW(fire), BIT(OK), false, false, NULL},
    {ROW(unsubscribe), BIT(OK), false, true, NULL},
    {ROW(arm), BIT(OK) | BIT(BUSY), false, false, NULL},
    {ROW(open), BIT(OK), false, false, NULL},
    {ROW(disarm), BIT(OK) | BIT(BUSY), false, false, NULL},
    {ROW(send), BIT(OK) | BIT(FULL) | BIT(STOPPING), false, false, NULL},
    {ROW(receive), BIT(OK), false, false, NULL},
    {ROW(clear), BIT(OK), false, false, NULL},
    {ROW(stop), BIT(OK) | BIT(BUSY), false, false, NULL},
    {ROW(restart), BIT(OK) | BIT(BUSY) | BIT(INVALID), false, false, NULL},
    {ROW(stop_again), BIT(OK) | BIT(BUSY) | BIT(INVALID), false, false, NULL},
    {ROW(cancel_all), BIT(OK), false, false, NULL},
    {ROW(freeze), BIT(OK), false, false, NULL},
    {ROW(scale), BIT(OK), false, false, NULL},
    {ROW(ready), BIT(OK), false, true, NULL},
    {ROW(add_observer), BIT(OK) | BIT(BUSY), false, true, NULL},
    {ROW(remove_observer), BIT(OK) | BIT(INVALID), false, true, NULL},
    {ROW(swap_observers), BIT(OK), false, true, NULL},
    {ROW(release), BIT(OK) | BIT(BUSY), false, false, NULL},
    {ROW(release_one), BIT(OK) | BIT(BUSY) | BIT(STALE), true, false, NULL},
    {ROW(forget), BIT(OK) | BIT(BUSY) | BIT(TIMED_OUT), true, false, NULL},
    {ROW(forget_nothing), BIT(OK) | BIT(BUSY) | BIT(TIMED_OUT), false, true, NULL},
    {ROW(restore), BIT(BUSY), false, true, NULL},
    {ROW(copy), BIT(OK), false, true, NULL},
    {ROW(close), BIT(BUSY), false, true, NULL},
    {ROW(destroy_pump), BIT(BUSY), false, true, NULL},
    {ROW(simulate), BIT(INVALID), false, true, is_in_round},
    {ROW(jobs_clear), BIT(OK) | BIT(INVALID) | BIT(BUSY), true, false, is_of_flows},
};

const unsigned row_count = sizeof rows / sizeof *rows;
