/* SPDX-License-Identifier: MIT */
/* worker.c - see worker.h. */
#include "worker.h"

enum Worker_state {
    Worker_enter_Count = UF_ENTRY,
    Worker_at_Count_Go = 0,
    Worker_enter_Rest = UF_ENTRY + 1,
    Worker_at_Rest_Lie = 1,
    Worker_at_Rest_Lie_wait = UF_WAIT(1) + 1,
    Worker_at_Rest_Rise = 2,
    Worker_enter_Poll = UF_ENTRY + 3,
    Worker_at_Poll_Look = 3,
    Worker_enter_Fail = UF_ENTRY + 4,
    Worker_at_Fail_Try = 4
};

static void body(Worker *flow)
{
    __atomic_add_fetch(&flow->bodies, 1, __ATOMIC_RELAXED); /* other threads read it */
    if (flow->body) flow->body(flow);
}

static uf_intent Count_Go(Worker *flow)
{
    body(flow);
    if (++flow->uf_task.at < flow->uf_task.steps) return uf_next(&flow->uf, Worker_at_Count_Go);
    int const value = flow->uf_task.at;
    if (!uf_leave(&flow->uf, UF_DONE)) return uf_stay();
    flow->uf_result = value;
    return uf_intent_of(UF_INTENT_DONE);
}

static uf_intent Rest_Lie_wait(Worker *flow)
{
    if (uf_ready(&flow->uf_arms[0])) {
        return uf_next(&flow->uf, Worker_at_Rest_Rise);
    }
    return uf_park(&flow->uf, Worker_at_Rest_Lie_wait);
}

static uf_intent Rest_Lie(Worker *flow)
{
    body(flow);
    uf_arm_timeout(&flow->uf, &flow->uf_arms[0], flow->uf_task.nap);
    return Rest_Lie_wait(flow);
}

static uf_intent Poll_Look(Worker *flow)
{
    body(flow);
    return __atomic_load_n(&flow->release, __ATOMIC_RELAXED) ? uf_done(&flow->uf) : uf_stay();
}

static uf_intent Fail_Try(Worker *flow)
{
    body(flow);
    return uf_fail(&flow->uf, "code %d", flow->uf_task.code);
}

static uf_intent turn(uf_flow *uf, uint32_t now)
{
    Worker *const flow = (Worker *)uf;
    switch ((enum Worker_state)now) {
    case Worker_enter_Count:
        flow->uf_task.at = 0;
        flow->enters++;
        return Count_Go(flow);
    case Worker_at_Count_Go: return Count_Go(flow);
    case Worker_enter_Rest: flow->enters++; return Rest_Lie(flow);
    case Worker_at_Rest_Lie: return Rest_Lie(flow);
    case Worker_at_Rest_Lie_wait: return Rest_Lie_wait(flow);
    case Worker_at_Rest_Rise: body(flow); return uf_done(uf);
    case Worker_enter_Poll: flow->enters++; return Poll_Look(flow);
    case Worker_at_Poll_Look: return Poll_Look(flow);
    case Worker_enter_Fail: flow->enters++; return Fail_Try(flow);
    case Worker_at_Fail_Try: return Fail_Try(flow);
    }
    return uf_stay();
}

static void on_exit_of(uf_flow *uf, uf_outcome outcome)
{
    Worker *const flow = (Worker *)uf;
    flow->exits++;
    flow->last_exit = outcome;
}

static const uf_task_info tasks[] = {
    [WORKER_COUNT] = {"Count", 1, 0, 1, UF_TASK_PLAIN, 0, 0},
    [WORKER_REST] = {"Rest", 2, 1, 0, UF_TASK_PLAIN, 0, 0},
    [WORKER_POLL] = {"Poll", 3, 3, 0, UF_TASK_PLAIN, 0, 0},
    [WORKER_FAIL] = {"Fail", 4, 4, 0, UF_TASK_PLAIN, 0, 0},
};
static const uf_step_info steps[] = {
    {"Go", 1, WORKER_COUNT},  {"Lie", 2, WORKER_REST}, {"Rise", 2, WORKER_REST},
    {"Look", 3, WORKER_POLL}, {"Try", 4, WORKER_FAIL},
};
static const uf_flow_type type = {
    .abi = UF_ABI,
    .size = sizeof(Worker),
    .name = "Worker",
    .source = "worker.uflow",
    .turn = turn,
    .on_exit = on_exit_of,
    .tasks = tasks,
    .steps = steps,
    .task_count = 4,
    .step_count = 5,
    .arm_count = 1,
    .arms_offset = offsetof(Worker, uf_arms),
    .reason_offset = offsetof(Worker, uf_reason),
    .description_offset = offsetof(Worker, uf_description),
};

uf_status Worker_init(Worker *flow, uf_pump *pump, const char *name)
{
    return uf_flow_init(&flow->uf, &type, pump, name);
}

uf_status Worker_destroy(Worker *flow)
{
    return uf_flow_detach(&flow->uf);
}

uf_status Worker_start_run_Count(Worker *flow, uf_run *run, int count)
{
    uf_status const claimed = uf_start_claim(&flow->uf);
    if (claimed != UF_OK) return claimed;
    flow->uf_task.steps = count;
    uf_start_commit(&flow->uf, Worker_enter_Count, run);
    return UF_OK;
}

uf_status Worker_start_Count(Worker *flow, int count)
{
    return Worker_start_run_Count(flow, NULL, count);
}

uf_status Worker_start_run_Rest(Worker *flow, uf_run *run, uf_time nap)
{
    uf_status const claimed = uf_start_claim(&flow->uf);
    if (claimed != UF_OK) return claimed;
    flow->uf_task.nap = nap;
    uf_start_commit(&flow->uf, Worker_enter_Rest, run);
    return UF_OK;
}

uf_status Worker_start_Rest(Worker *flow, uf_time nap)
{
    return Worker_start_run_Rest(flow, NULL, nap);
}

uf_status Worker_start_Poll(Worker *flow)
{
    uf_status const claimed = uf_start_claim(&flow->uf);
    if (claimed == UF_OK) uf_start_commit(&flow->uf, Worker_enter_Poll, NULL);
    return claimed;
}

uf_status Worker_start_Fail(Worker *flow, int code)
{
    uf_status const claimed = uf_start_claim(&flow->uf);
    if (claimed != UF_OK) return claimed;
    flow->uf_task.code = code;
    uf_start_commit(&flow->uf, Worker_enter_Fail, NULL);
    return UF_OK;
}

uf_status Worker_call_Count(Worker *flow, int count, uf_time timeout, int *result, uf_call_info *info)
{
    uf_call call;
    uf_call_init(&call, &flow->uf, Worker_enter_Count, 1, timeout, info);
    uf_call_arguments(&call, &flow->uf_task.steps, &count, sizeof count);
    uf_call_result(&call, result, &flow->uf_result, sizeof flow->uf_result);
    return uf_call_make(&call);
}

uf_status Worker_call_Rest(Worker *flow, uf_time nap, uf_time timeout, uf_call_info *info)
{
    uf_call call;
    uf_call_init(&call, &flow->uf, Worker_enter_Rest, 0, timeout, info);
    uf_call_arguments(&call, &flow->uf_task.nap, &nap, sizeof nap);
    return uf_call_make(&call);
}

uf_status Worker_call_Fail(Worker *flow, int code, uf_time timeout, uf_call_info *info)
{
    uf_call call;
    uf_call_init(&call, &flow->uf, Worker_enter_Fail, 0, timeout, info);
    uf_call_arguments(&call, &flow->uf_task.code, &code, sizeof code);
    return uf_call_make(&call);
}

bool Worker_result_Count(const Worker *flow, int *result)
{
    if (!uf_done_in(&flow->uf, WORKER_COUNT)) return false;
    *result = flow->uf_result;
    return true;
}
