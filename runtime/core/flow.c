/* flow.c - what a flow is asked, and what is asked of it: attach, start, cancel, fail, introspection. */
#include "core.h"

#include "port.h"

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

static char *description_buffer(const uf_flow *flow)
{
    return flow->type->description_offset ? (char *)(uintptr_t)flow + flow->type->description_offset : NULL;
}

uf_arm *ufi_arms(const uf_flow *flow)
{
    return (uf_arm *)((uintptr_t)flow + flow->type->arms_offset);
}

/* -- attach and detach --------------------------------------------------------------------------------------------- */

uf_status uf_flow_init(uf_flow *flow, const uf_flow_type *type, uf_pump *pump, const char *name)
{
    if (!flow || !type || !pump || !name) return UF_INVALID;
    if (type->abi != UF_ABI || type->size < sizeof *flow) return UF_ABI_MISMATCH;

    *flow = (uf_flow){.state = UF_STATE_IDLE, .type = type, .pump = pump, .name = name};
    ufi_list_init(&flow->link);
    ufi_list_insert(&pump->flows, &flow->attached);
    return UF_OK;
}

void uf_flow_set_parent(uf_flow *child, const uf_flow *parent)
{
    child->parent_offset = (uint32_t)((uintptr_t)child - (uintptr_t)parent);
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
    while (flow->waiters) { /* they wait for it to be idle: that it is for ever */
        uf_arm *const arm = flow->waiters->next;
        ufi_arms_remove(&flow->waiters, arm);
        arm->state = UF_ARM_READY;
        ufi_wake(arm->owner);
    }
    ufi_list_remove(&flow->attached);
    flow->pump = NULL;
}

/* Sub-flows lie in the storage of the flow that contains them, and were attached right after it. */
static bool lies_inside(const uf_flow *flow, const uf_flow *whole)
{
    return flow && (uintptr_t)flow - (uintptr_t)whole < whole->type->size;
}

uf_status uf_flow_detach(uf_flow *flow)
{
    uf_pump *const pump = flow->pump;

    if (!pump) return UF_INVALID;
    for (uf_flow *part = flow; lies_inside(part, flow); part = uf_pump_next_flow(pump, part)) {
        if (in_use(part)) return UF_BUSY;
    }
    for (uf_flow *part = flow, *next; lies_inside(part, flow); part = next) {
        next = uf_pump_next_flow(pump, part);
        detach(part);
    }
    return UF_OK;
}

/* -- start and cancel ---------------------------------------------------------------------------------------------- */

uf_status uf_start_claim(uf_flow *flow)
{
    if (!flow->pump) return UF_INVALID;
    return uf_flow_running(flow) ? UF_BUSY : UF_OK;
}

void uf_start_commit(uf_flow *flow, uint32_t entry, uf_run *run)
{
    uf_pump *const pump = flow->pump;

    flow->state = entry;
    flow->flags = UFI_NEW | UFI_ENTERING;
    flow->entered = pump->clock.logical;
    flow->ordinal = 0;
    flow->ticks = 0;
    flow->run++;
    pump->running++;
    ufi_wake(flow);
    if (run) *run = uf_flow_this_run(flow);
}

void uf_flow_cancel(uf_flow *flow)
{
    if (!uf_flow_running(flow)) return;
    ufi_flag_set(flow, UFI_CANCEL);
    ufi_wake(flow);
}

uf_status uf_run_cancel(uf_run run)
{
    if (!run.flow || run.flow->run != run.number || !uf_flow_running(run.flow)) return UF_STALE;
    uf_flow_cancel(run.flow);
    return UF_OK;
}

uf_outcome uf_run_outcome(uf_run run)
{
    return run.flow && run.flow->run == run.number ? uf_flow_outcome(run.flow) : UF_NEVER_RAN;
}

/* -- failing and describing ---------------------------------------------------------------------------------------- */

bool ufi_fail(uf_flow *flow, const char *format, va_list arguments)
{
    char *const buffer = ufi_reason_buffer(flow);

    if (flow->flags & UFI_FAILING) return false;
    if (buffer) {
        char text[UF_REASON_SIZE]; /* a reason may be part of its own arguments */
        size_t const length = ufi_format(text, sizeof text, format, arguments);
        memcpy(buffer, text, length + 1);
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
    return first ? UF_INTENT_FAIL : UF_INTENT_STAY;
}

uf_intent uf_fail_silent(uf_flow *flow)
{
    return uf_fail(flow, "%s", "");
}

uf_status uf_flow_fail(uf_flow *flow, const char *format, ...)
{
    va_list arguments;

    if (!flow->pump || flow->pump->current != flow) return UF_INVALID;
    if (flow->policy == UF_FAIL_ABORT) {
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
    flow->policy = (uint8_t)policy;
}

bool uf_failing(const uf_flow *flow)
{
    return (flow->flags & UFI_FAILING) != 0;
}

void uf_describe(uf_flow *flow, const char *format, ...)
{
    char *const buffer = description_buffer(flow);
    char text[UF_DESCRIPTION_SIZE];
    va_list arguments;

    if (!buffer || !uf_flow_running(flow)) return;
    va_start(arguments, format);
    size_t const length = ufi_format(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(buffer, text, length + 1);
    ufi_flag_set(flow, UFI_DESCRIBED);
}

/* -- introspection ------------------------------------------------------------------------------------------------- */

bool uf_flow_running(const uf_flow *flow)
{
    return !(flow->state & UF_STATE_IDLE);
}

uf_outcome uf_flow_outcome(const uf_flow *flow)
{
    return uf_flow_running(flow) ? UF_RUNNING : (uf_outcome)flow->outcome;
}

const char *uf_flow_reason(const uf_flow *flow)
{
    char const *const buffer = ufi_reason_buffer(flow);
    uf_outcome const outcome = uf_flow_outcome(flow);

    if (outcome == UF_CANCELLED) return "cancelled";
    return outcome == UF_FAILED && buffer ? buffer : "";
}

bool uf_done_in(const uf_flow *flow, uint16_t task)
{
    return uf_flow_outcome(flow) == UF_DONE && ufi_step_of(flow, flow->state & ~UF_STATE_IDLE)->task == task;
}

const char *uf_flow_name(const uf_flow *flow)
{
    return flow->name;
}

static const uf_flow *parent_of(const uf_flow *flow)
{
    return flow->parent_offset ? (const uf_flow *)((uintptr_t)flow - flow->parent_offset) : NULL;
}

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

size_t uf_flow_path(const uf_flow *flow, char *buffer, size_t size)
{
    size_t length = length_of(flow->name);
    for (const uf_flow *at = parent_of(flow); at; at = parent_of(at)) length += length_of(at->name) + 1;

    size_t end = length; /* written from the back: the way up is the only one there is */
    for (const uf_flow *at = flow; at; at = parent_of(at)) {
        size_t const own = length_of(at->name);
        for (size_t i = 0; i < own; i++) {
            if (end - own + i + 1 < size) buffer[end - own + i] = at->name[i];
        }
        end -= own;
        if (end > 0 && --end + 1 < size) buffer[end] = '.';
    }
    if (size) buffer[length < size ? length : size - 1] = '\0';
    return length;
}

const char *uf_flow_task(const uf_flow *flow)
{
    return uf_flow_running(flow) ? ufi_task_name(flow, flow->state) : "";
}

const char *uf_flow_step(const uf_flow *flow)
{
    return uf_flow_running(flow) ? ufi_step_of(flow, flow->state)->name : "";
}

uint32_t uf_flow_line(const uf_flow *flow)
{
    return uf_flow_running(flow) ? ufi_step_of(flow, flow->state)->line : 0;
}

int64_t uf_flow_ordinal(const uf_flow *flow)
{
    return uf_flow_running(flow) ? (int64_t)flow->ordinal : -1;
}

const char *uf_flow_description(const uf_flow *flow)
{
    return uf_flow_running(flow) && flow->flags & UFI_DESCRIBED ? description_buffer(flow) : "";
}

uf_time uf_flow_step_elapsed(const uf_flow *flow)
{
    return uf_flow_running(flow) ? ufi_time_sub(ufi_now(flow), flow->entered) : 0;
}

uf_run uf_flow_this_run(uf_flow *flow)
{
    return (uf_run){.flow = flow, .number = flow->run};
}
