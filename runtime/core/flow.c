/* flow.c - what is asked of a flow: attach, detach, start, cancel, fail. */
#include "stopping.h"
#include "work.h"

#if UINTPTR_MAX > UINT32_MAX
_Static_assert(sizeof(uf_flow) == 96, "the header of a flow");
_Static_assert(sizeof(uf_arm) == 40, "an arm of a wait");
#endif
_Static_assert(offsetof(uf_flow, name) <= 64, "what a transition touches is one cache line");
_Static_assert(offsetof(uf_flow, link) == 0, "a link on a list is the address of its flow");

/* -- the descriptor ------------------------------------------------------------------------------------------------ */

const uf_step_info *ufi_step_of(const uf_flow *flow, uint32_t state)
{
    return &flow->type->steps[flow->type->states[state].step];
}

const char *ufi_task_name(const uf_flow *flow, uint32_t state)
{
    return flow->type->tasks[ufi_step_of(flow, state)->task].name;
}

char *ufi_reason_buffer(const uf_flow *flow)
{
    return flow->type->reason_offset ? (char *)(uintptr_t)flow + flow->type->reason_offset : NULL;
}

/* -- attach and detach --------------------------------------------------------------------------------------------- */

uf_status uf_flow_init(uf_flow *flow, const uf_flow_type *type, uf_pump *pump, const char *name)
{
    if (!flow || !type || !ufi_is_pump(pump) || !name) return UF_INVALID;
    if (type->abi != UF_ABI || type->size < sizeof *flow) return UF_ABI_MISMATCH;

    *flow = (uf_flow){.state = UF_STATE_IDLE, .type = type, .pump = pump, .name = name};
    ufp_note_shared(flow, offsetof(uf_flow, attached));
    ufp_note_shared(&flow->run, sizeof flow->run);
    ufi_list_init(&flow->link);
    ufp_critical_enter();
    ufi_list_insert(&pump->flows, &flow->attached);
    ufp_critical_leave();
    return UF_OK;
}

/* Sub-flows lie in the storage of the flow that contains them, and follow it on the pump's list. */
bool ufi_lies_inside(const uf_flow *flow, const uf_flow *whole)
{
    return flow && (uintptr_t)flow - (uintptr_t)whole < whole->type->size;
}

/* The last link of the list that belongs to the flow or its parts. */
static uf_link *last_part(const uf_pump *pump, uf_flow *whole)
{
    uf_link *last = &whole->attached;
    while (last->next != &pump->flows && ufi_lies_inside(ufi_attached_flow(last->next), whole)) last = last->next;
    return last;
}

/* User code in an initialiser may have attached another flow meanwhile: then the child and its parts move up. */
void uf_flow_set_parent(uf_flow *child, uf_flow *parent)
{
    if (!child || !parent) return;
    uf_pump *const pump = parent->pump;

    child->parent_offset = (uint32_t)((uintptr_t)child - (uintptr_t)parent);
    if (!pump || child->pump != pump) return;
    ufp_critical_enter();
    uf_link *const first = &child->attached, *const before = first->prev;
    if (before == &pump->flows || !ufi_lies_inside(ufi_attached_flow(before), parent)) {
        uf_link *const last = last_part(pump, child), *const place = last_part(pump, parent);
        before->next = last->next;
        last->next->prev = before;
        last->next = place->next;
        place->next->prev = last;
        place->next = first;
        first->prev = place;
    }
    ufp_critical_leave();
}

/* It runs, or its parent has yet to read how the run ended. */
static bool in_use(const uf_flow *flow)
{
    if (uf_flow_running(flow)) return true;
    if (!flow->waiters) return false;

    uf_arm const *arm = flow->waiters;
    do {
        if (arm->kind == UF_ARM_RUN) return true;
        arm = arm->next;
    } while (arm != flow->waiters);
    return false;
}

static void detach(uf_flow *flow)
{
    if (flow->type->release) flow->type->release(flow);
    if (flow->type->job_count && flow->pump->jobs) flow->pump->jobs->disown(flow);
    while (flow->waiters) { /* they wait for it to be idle, were woken when it became so, and now it is for ever */
        uf_arm *const arm = flow->waiters->next;
        ufi_arms_remove(&flow->waiters, arm);
        arm->state = UF_ARM_READY;
    }
    if (flow->pump->host) flow->pump->host->forget(flow);
    if (flow->pump->slow.flow == flow) flow->pump->slow.flow = NULL;
    ufp_critical_enter();
    ufi_list_remove(&flow->attached);
    ufp_critical_leave();
    flow->pump = NULL;
}

uf_status uf_flow_detach(uf_flow *flow)
{
    uf_pump *const pump = uf_flow_pump(flow);

    if (!pump) return UF_INVALID;
    if (!ufi_here(pump)) return pump->host->detach(flow);
    for (uf_flow *part = flow; ufi_lies_inside(part, flow); part = uf_pump_next_flow(pump, part)) {
        if (in_use(part)) return UF_BUSY;
    }
    for (uf_flow *part = flow, *next; ufi_lies_inside(part, flow); part = next) {
        next = uf_pump_next_flow(pump, part);
        detach(part);
    }
    return UF_OK;
}

/* -- start and cancel ---------------------------------------------------------------------------------------------- */

/* Of the threads that find it idle one makes the swap. */
static uf_status claim(uf_flow *flow)
{
    uint32_t const state = ufp_load(&flow->state);
    return state & UF_STATE_IDLE && ufp_compare_exchange_seq_cst(&flow->state, state, UFI_CLAIMED_ONLY) ? UF_OK
                                                                                                        : UF_BUSY;
}

uf_status uf_start_claim(uf_flow *flow)
{
    if (!flow || !flow->pump) return UF_INVALID;
    uf_pump *const pump = flow->pump;
    bool const here = ufi_here(pump), joined = here && pump->joined == flow;
    if (here) pump->joined = NULL;
    if (!(ufp_load(&flow->state) & UF_STATE_IDLE)) return UF_BUSY;
    if (here) {
        if (ufp_load(&pump->stopping) && !joined) return ufi_refuse(pump);
        return pump->host ? claim(flow) : UF_OK;
    }

    uf_status status = ufi_go_abroad(pump);
    if (status != UF_OK) return status;
    status = claim(flow);
    if (status != UF_OK) ufi_come_home(pump);
    return status;
}

/* On the pump's thread; for the order of the stores see enter_step(). */
static void begin_run(uf_flow *flow, uint32_t entry)
{
    uf_pump *const pump = flow->pump;

    flow->flags = UFI_NEW | UFI_ENTERING;
    ufp_store(&flow->ticks, UFI_CHANGING);
    ufp_store_release(&flow->run, flow->run + 1);
    ufp_store_time_release(&flow->entered, pump->clock.logical);
    ufp_store_release(&flow->state, entry);
    ufp_store_release(&flow->ordinal, 0);
    ufp_store_release(&flow->ticks, 0);
    ufp_store(&pump->running, pump->running + 1);
    if (flow->type->preempt_count) flow->type->preempting->set(flow, ufi_step_of(flow, entry)->task);
    if (pump->stop) pump->stop->does->began(flow, entry);
    ufi_wake(flow);
}

bool ufi_begin_at(uf_flow *flow, uint32_t entry)
{
    uf_pump *const pump = flow->pump;

    if (claim(flow) != UF_OK) return false;
    /* Its last run has just ended: the turn of this one is to come. */
    if (pump->current == flow) ufp_store_pointer(&pump->current, NULL);
    if (flow->type->preempt_count) flow->type->preempting->note(flow);
    begin_run(flow, entry);
    return true;
}

void ufi_arrive(uf_flow *flow)
{
    uint32_t const state = ufp_load(&flow->state);

    ufi_list_init(&flow->link);
    begin_run(flow, ufi_plain(state));
    bool const late = flow->pump->stop && flow->pump->stop->phase > UF_STOP_ENDING;
    if (late || state & UFI_STATE_CANCEL) ufi_flag_set(flow, UFI_CANCEL);
    ufp_add_fetch_seq_cst(&flow->pump->abroad, UINT32_MAX);
}

void uf_start_commit(uf_flow *flow, uint32_t entry, uf_run *run)
{
    if (run) *run = (uf_run){.flow = flow, .number = ufp_load(&flow->run) + 1};
    if (flow->type->preempt_count) flow->type->preempting->note(flow);
    if (ufi_here(flow->pump)) {
        begin_run(flow, entry);
        return;
    }
    uint32_t claimed;
    do claimed = ufp_load(&flow->state);
    while (
        !ufp_compare_exchange_seq_cst(&flow->state, claimed, entry | UF_STATE_CLAIMED | (claimed & UFI_STATE_CANCEL)));
    flow->link.prev = NULL;
    ufi_send(flow->pump, &flow->link);
}

static void cancel(uf_flow *flow)
{
    ufi_flag_set(flow, UFI_CANCEL);
    ufi_wake(flow);
}

/* It may overtake the start that it is meant for: other threads see that run from the moment that the flow is claimed. */
void ufi_cancel_run(uf_run run)
{
    uint32_t state;

    if (uf_run_outcome(run) != UF_RUNNING) return;
    do {
        state = ufp_load(&run.flow->state);
        if (!(state & UF_STATE_CLAIMED)) {
            cancel(run.flow);
            return;
        }
    } while (!ufp_compare_exchange_seq_cst(&run.flow->state, state, state | UFI_STATE_CANCEL));
}

uf_status uf_flow_cancel(uf_flow *flow)
{
    if (!uf_flow_pump(flow)) return UF_INVALID;
    uf_status const status = uf_run_cancel(uf_flow_this_run(flow));
    return status == UF_STALE ? UF_OK : status;
}

uf_status uf_run_cancel(uf_run run)
{
    if (!run.flow || !run.flow->type) return UF_INVALID;
    if (uf_run_outcome(run) != UF_RUNNING) return UF_STALE;
    if (!ufi_here(run.flow->pump)) return run.flow->pump->host->cancel(run);
    ufi_cancel_run(run);
    return UF_OK;
}

/* -- failing ------------------------------------------------------------------------------------------------------- */

bool ufi_fail(uf_flow *flow, const char *format, va_list arguments)
{
    char *const buffer = ufi_reason_buffer(flow);

    if (flow->flags & UFI_FAILING) return false;
    if (buffer) {
        char text[UF_REASON_SIZE]; /* a reason may be part of its own arguments */
        size_t const length = ufi_format(text, sizeof text, format, arguments);
        ufp_critical_enter();
        memcpy(buffer, text, length + 1);
        ufp_critical_leave();
    }
    ufi_flag_set(flow, UFI_FAILING);
    return true;
}

uf_intent uf_fail(uf_flow *flow, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool const first = ufi_fail(flow, format, arguments);
    va_end(arguments);
    return uf_intent_of(first ? UF_INTENT_FAIL : UF_INTENT_STAY);
}

uf_intent uf_fail_silent(uf_flow *flow)
{
    return uf_fail(flow, "%s", "");
}

uf_status uf_flow_fail(uf_flow *flow, const char *format, ...)
{
    va_list arguments;

    if (!flow || !flow->pump || !format) return UF_INVALID;
    if (!ufi_here(flow->pump) || flow->pump->current != flow) return UF_INVALID;
    if ((flow->policy & ~UFI_SHUT) == UF_FAIL_ABORT) {
        char text[UF_REASON_SIZE];
        va_start(arguments, format);
        ufi_format(text, sizeof text, format, arguments);
        va_end(arguments);
        ufp_abort(flow->name, text);
    }
    va_start(arguments, format);
    ufi_fail(flow, format, arguments);
    va_end(arguments);
    return UF_OK;
}

void uf_flow_set_failure_policy(uf_flow *flow, uf_failure_policy policy)
{
    if (flow && flow->type) flow->policy = (uint8_t)((flow->policy & UFI_SHUT) | (unsigned)policy);
}

bool uf_failing(const uf_flow *flow)
{
    return (flow->flags & UFI_FAILING) != 0;
}
