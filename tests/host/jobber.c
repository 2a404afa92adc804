/* SPDX-License-Identifier: MIT */
/* jobber.c - see jobber.h. */
#include "jobber.h"

#include <string.h>

/* -- the worker ---------------------------------------------------------------------------------------------------- */

static void run_perform(uf_work *work, const void *arguments, void *value)
{
    order what;
    memcpy(&what, arguments, sizeof what);
    int const result = what.function(work, what.argument);
    memcpy(value, &result, sizeof result);
}

static const uf_worker perform = {
    .name = "perform",
    .run = run_perform,
    .arguments_size = sizeof(order),
    .value_size = sizeof(int),
    .value_offset = offsetof(Jobber_job, value),
    .reason_offset = offsetof(Jobber_job, reason),
    .source = "jobber.uflow",
    .line = 1,
};

/* -- the flow ------------------------------------------------------------------------------------------------------ */

enum Jobber_state {
    Jobber_enter_Ask = UF_ENTRY,
    Jobber_at_Ask_Go = 0,
    Jobber_at_Ask_Go_wait = UF_WAIT(1),
    Jobber_at_Ask_Lost = 1,
    Jobber_enter_Leave = UF_ENTRY + 2,
    Jobber_at_Leave_Go = 2,
    Jobber_at_Leave_Out = 3,
    Jobber_enter_Look = UF_ENTRY + 4,
    Jobber_at_Look_Go = 4,
    Jobber_at_Look_See = 5,
    Jobber_enter_Flood = UF_ENTRY + 6,
    Jobber_at_Flood_Go = 6,
    Jobber_at_Flood_Go_wait = UF_WAIT(1) + 6,
    Jobber_enter_Repeat = UF_ENTRY + 7,
    Jobber_at_Repeat_Go = 7,
    Jobber_at_Repeat_Go_wait = UF_WAIT(1) + 7,
    Jobber_at_Repeat_More = 8
};

static void body(Jobber *flow)
{
    __atomic_add_fetch(&flow->bodies, 1, __ATOMIC_RELAXED);
    if (flow->body) flow->body(flow);
}

static void enter(Jobber *flow)
{
    memset(flow->uf_task.many, 0, sizeof flow->uf_task.many);
    flow->uf_task.sum = 0;
    flow->enters++;
}

static void submit(Jobber *flow, int which)
{
    order const what = flow->uf_task.what;
    uf_submit(&flow->uf, &flow->uf_task.many[which].job, &perform, &what, flow->uf_task.limit);
}

static uf_intent done(Jobber *flow, int value)
{
    if (!uf_leave(&flow->uf, UF_DONE)) return uf_stay();
    flow->uf_result = value;
    return uf_intent_of(UF_INTENT_DONE);
}

static uf_intent Ask_Go_wait(Jobber *flow)
{
    uf_arm *const arm = &flow->uf_arms[0];
    if (uf_ready(arm)) return done(flow, flow->uf_task.many[0].value);
    if (uf_failed(arm)) {
        (void)uf_reason(&flow->uf, arm); /* into the flow's buffer, which the next step reads */
        return uf_next(&flow->uf, Jobber_at_Ask_Lost);
    }
    return uf_park(&flow->uf, Jobber_at_Ask_Go_wait);
}

static uf_intent Ask_Go(Jobber *flow)
{
    submit(flow, 0);
    body(flow);
    uf_arm_job(&flow->uf, &flow->uf_arms[0], &flow->uf_task.many[0].job);
    return Ask_Go_wait(flow);
}

static uf_intent Leave_Go(Jobber *flow)
{
    submit(flow, 0);
    body(flow);
    return uf_next(&flow->uf, Jobber_at_Leave_Out);
}

static uf_intent Look_Go(Jobber *flow)
{
    submit(flow, 0);
    return uf_next(&flow->uf, Jobber_at_Look_See);
}

static uf_intent Look_See(Jobber *flow)
{
    body(flow);
    return uf_job_status_of(&flow->uf_task.many[0].job) == UF_JOB_PENDING ? uf_stay() : uf_done(&flow->uf);
}

/* One arm waits for the first job that is not done, then for the next one. */
static uf_intent Flood_Go_wait(Jobber *flow)
{
    uf_arm *const arm = &flow->uf_arms[0];
    while (uf_ready(arm)) {
        if (++flow->uf_task.sum == flow->uf_task.count) return uf_done(&flow->uf);
        (void)uf_arm_job(&flow->uf, arm, &flow->uf_task.many[flow->uf_task.sum].job);
    }
    if (uf_failed(arm)) return uf_arm_failure(&flow->uf, arm, "many");
    return uf_park(&flow->uf, Jobber_at_Flood_Go_wait);
}

static uf_intent Flood_Go(Jobber *flow)
{
    for (int i = 0; i < flow->uf_task.count; i++) submit(flow, i);
    body(flow);
    uf_arm_job(&flow->uf, &flow->uf_arms[0], &flow->uf_task.many[0].job);
    return Flood_Go_wait(flow);
}

static int batch(const Jobber *flow)
{
    return flow->uf_task.count < JOBBER_BATCH ? flow->uf_task.count : JOBBER_BATCH;
}

static uf_intent Repeat_Go_wait(Jobber *flow)
{
    uf_arm *const arm = &flow->uf_arms[0];
    while (uf_ready(arm)) {
        flow->uf_task.sum += flow->uf_task.many[flow->uf_task.at].value;
        if (++flow->uf_task.at == batch(flow)) {
            return uf_next(&flow->uf, Jobber_at_Repeat_More);
        }
        (void)uf_arm_job(&flow->uf, arm, &flow->uf_task.many[flow->uf_task.at].job);
    }
    if (uf_failed(arm)) return uf_arm_failure(&flow->uf, arm, "many");
    return uf_park(&flow->uf, Jobber_at_Repeat_Go_wait);
}

static uf_intent Repeat_Go(Jobber *flow)
{
    flow->uf_task.at = 0;
    for (int i = 0; i < batch(flow); i++) submit(flow, i);
    uf_arm_job(&flow->uf, &flow->uf_arms[0], &flow->uf_task.many[0].job);
    return Repeat_Go_wait(flow);
}

static uf_intent Repeat_More(Jobber *flow)
{
    flow->uf_task.count -= batch(flow);
    if (flow->uf_task.count == 0) return done(flow, flow->uf_task.sum);
    return uf_next(&flow->uf, Jobber_at_Repeat_Go);
}

static uf_intent turn(uf_flow *uf, uint32_t now)
{
    Jobber *const flow = (Jobber *)uf;
    switch ((enum Jobber_state)now) {
    case Jobber_enter_Ask: enter(flow); return Ask_Go(flow);
    case Jobber_at_Ask_Go: return Ask_Go(flow);
    case Jobber_at_Ask_Go_wait: return Ask_Go_wait(flow);
    case Jobber_at_Ask_Lost: return uf_fail(uf, "%s", flow->uf_reason);
    case Jobber_enter_Leave: enter(flow); return Leave_Go(flow);
    case Jobber_at_Leave_Go: return Leave_Go(flow);
    case Jobber_at_Leave_Out: return uf_done(uf);
    case Jobber_enter_Look: enter(flow); return Look_Go(flow);
    case Jobber_at_Look_Go: return Look_Go(flow);
    case Jobber_at_Look_See: return Look_See(flow);
    case Jobber_enter_Flood: enter(flow); return Flood_Go(flow);
    case Jobber_at_Flood_Go: return Flood_Go(flow);
    case Jobber_at_Flood_Go_wait: return Flood_Go_wait(flow);
    case Jobber_enter_Repeat: enter(flow); return Repeat_Go(flow);
    case Jobber_at_Repeat_Go: return Repeat_Go(flow);
    case Jobber_at_Repeat_Go_wait: return Repeat_Go_wait(flow);
    case Jobber_at_Repeat_More: return Repeat_More(flow);
    }
    return uf_stay();
}

static void on_exit_of(uf_flow *uf, uf_outcome outcome)
{
    (void)outcome;
    ((Jobber *)uf)->exits++;
}

/* -- tables -------------------------------------------------------------------------------------------------------- */

enum { ASK, LEAVE, LOOK, FLOOD, REPEAT };

static const uf_task_info tasks[] = {
    [ASK] = {.name = "Ask", .line = 1, .entry = 0, .result_class = 1},
    [LEAVE] = {.name = "Leave", .line = 2, .entry = 2},
    [LOOK] = {.name = "Look", .line = 3, .entry = 4},
    [FLOOD] = {.name = "Flood", .line = 4, .entry = 6},
    [REPEAT] = {.name = "Repeat", .line = 5, .entry = 7, .result_class = 1},
};
static const uf_step_info steps[] = {
    {"Go", 1, ASK},   {"Lost", 1, ASK}, {"Go", 2, LEAVE},  {"Out", 2, LEAVE},   {"Go", 3, LOOK},
    {"See", 3, LOOK}, {"Go", 4, FLOOD}, {"Go", 5, REPEAT}, {"More", 5, REPEAT},
};

#define ONE(task)                                                                                                      \
    {                                                                                                                  \
        offsetof(Jobber, uf_task.many[0].job), task, "a", 0, 0                                                         \
    }
#define MANY(task, count)                                                                                              \
    {                                                                                                                  \
        offsetof(Jobber, uf_task.many), task, "many", count, sizeof *((Jobber *)0)->uf_task.many                       \
    }
static const uf_job_info jobs[] = {ONE(ASK), ONE(LEAVE), ONE(LOOK), MANY(FLOOD, 70), MANY(REPEAT, 32)};

static const uf_flow_type type = {
    .abi = UF_ABI,
    .size = sizeof(Jobber),
    .name = "Jobber",
    .source = "jobber.uflow",
    .turn = turn,
    .on_exit = on_exit_of,
    .tasks = tasks,
    .steps = steps,
    .task_count = sizeof tasks / sizeof *tasks,
    .step_count = sizeof steps / sizeof *steps,
    .arm_count = 1,
    .arms_offset = offsetof(Jobber, uf_arms),
    .reason_offset = offsetof(Jobber, uf_reason),
    .jobs = jobs,
    .job_count = sizeof jobs / sizeof *jobs,
    .jobs_offset = offsetof(Jobber, uf_jobs),
};

uf_status Jobber_init(Jobber *flow, uf_pump *pump, const char *name)
{
    return uf_flow_init(&flow->uf, &type, pump, name);
}

uf_status Jobber_destroy(Jobber *flow)
{
    return uf_flow_detach(&flow->uf);
}

static uf_status start(Jobber *flow, uint32_t state, order what, uf_time limit, int count)
{
    uf_status const claimed = uf_start_claim(&flow->uf);
    if (claimed != UF_OK) return claimed;
    flow->uf_task.what = what;
    flow->uf_task.limit = limit;
    flow->uf_task.count = count;
    uf_start_commit(&flow->uf, state, NULL);
    return UF_OK;
}

uf_status Jobber_start_Ask(Jobber *flow, order what, uf_time limit)
{
    return start(flow, Jobber_enter_Ask, what, limit, 0);
}

uf_status Jobber_start_Leave(Jobber *flow, order what)
{
    return start(flow, Jobber_enter_Leave, what, UF_FOREVER, 0);
}

uf_status Jobber_start_Look(Jobber *flow, order what)
{
    return start(flow, Jobber_enter_Look, what, UF_FOREVER, 0);
}

uf_status Jobber_start_Flood(Jobber *flow, order what, int count)
{
    return start(flow, Jobber_enter_Flood, what, UF_FOREVER, count);
}

uf_status Jobber_start_Repeat(Jobber *flow, order what, int count)
{
    return start(flow, Jobber_enter_Repeat, what, UF_FOREVER, count);
}
