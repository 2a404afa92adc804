/* SPDX-License-Identifier: MIT */
/* flow.c - the life of a flow: attach, detach, start, cancel, fail. */
#include "basics/format.h"
#include "runs/runs.h"

#include "uflow/priv/pause.h"

#if UINTPTR_MAX > UINT32_MAX && !defined(UF_CONFIG_ABI)
_Static_assert(sizeof(uf_flow) == 96, "the header of a flow");
_Static_assert(sizeof(uf_arm) == 40, "an arm of a wait");
#endif
_Static_assert(!UF_USES_NAMES || offsetof(uf_flow, name) <= 64, "a transition touches one cache line");
_Static_assert(offsetof(uf_flow, link) == 0, "the address of a link is that of its flow");

/* -- the descriptor ------------------------------------------------------------------------------------------------ */

const char *ufi_task_name(const uf_flow *flow, uint32_t state)
{
    return ufi_task_of_step(flow, ufi_step_of(flow, state));
}

char *ufi_reason_buffer(const uf_flow *flow)
{
    return UF_USES_REASONS && flow->type->reason_offset ? (char *)(uintptr_t)flow + flow->type->reason_offset : NULL;
}

const char *uf_end_reason(const uf_flow *flow, uf_outcome outcome)
{
    char const *const reason = outcome == UF_FAILED ? ufi_reason_buffer(flow) : NULL;
    return reason ? reason : "";
}

/* -- attach and detach --------------------------------------------------------------------------------------------- */

/* The init of a member runs on the pump's thread. Other threads may attach flows meanwhile. */
static bool is_part_of_new_member(const uf_flow *flow, const uf_pump *pump)
{
    return UF_USES_POOLS && ufi_on_pump_thread(pump) && pump->member_to_init &&
           ufi_is_part_of(flow, pump->member_to_init);
}

uf_status ufi_attach(uf_flow *flow, const uf_flow_type *type, uf_pump *pump, const char *name, uint32_t state)
{
    if (!flow || !type) return UF_INVALID;
    bool const fits = ufi_fits(type), valid = ufi_is_pump(pump);

    if (UF_USES_NAMES && !name) name = type->name;
    if (fits && valid && is_part_of_new_member(flow, pump))
        return ufi_pooling_of(pump->member_to_init)->init_part(pump, flow, type, name);
    (void)memset(flow, 0, UF_USES_POOLS && fits && type->cleared ? type->cleared : type->size);
    if (!valid) return UF_INVALID;
    if (!fits) return UF_ABI_MISMATCH;

    flow->state = state;
    flow->type = type;
    flow->pump = pump;
    if (UF_USES_NAMES) flow->name = name;
    if (UF_USES_PARTS) ufi_note_shared_flow(flow);
    ufi_list_init(&flow->link);
    ufi_lock_flows(pump);
    if (UF_USES_PARTS) ufi_list_insert(&pump->flows, &flow->attached);
    else ++*ufi_flow_count(pump);
    ufi_unlock_flows(pump);
    return UF_OK;
}

uf_status uf_flow_init(uf_flow *flow, const uf_flow_type *type, uf_pump *pump, const char *name)
{
    return ufi_attach(flow, type, pump, name, UF_STATE_IDLE);
}

/* Sub-flows lie in the storage of the flow that contains them, and follow it on the pump's list. */
bool ufi_is_part_of(const uf_flow *part, const uf_flow *whole)
{
    return part && (uintptr_t)part - (uintptr_t)whole < whole->type->size;
}

/* The last link, from here back, that belongs to the flow, which is on the list, or to one of its parts. */
static uf_link *last_part(uf_link *link, const uf_flow *whole)
{
    while (!ufi_is_part_of(ufi_attached_flow(link), whole)) link = link->prev;
    return link;
}

/* Does the distance from `whole` to `part` fit into `parent_offset`? */
static bool is_in_reach(const uf_flow *part, const uf_flow *whole)
{
    return ((uintptr_t)part - (uintptr_t)whole) / sizeof(void *) < UF_PARENT_IS_POOL;
}

/* An initialiser may have attached other flows in between. Then the child and its parts move up the list, and both
 * searches pass only those flows. */
void uf_flow_set_parent(uf_flow *child, uf_flow *parent)
{
    if (!child || !parent || !is_in_reach(child, parent)) return;
    uf_pump *const pump = parent->pump;

    uint32_t const offset = (uint32_t)(((uintptr_t)child - (uintptr_t)parent) / sizeof(void *));
    if (child->parent_offset == offset) return; /* a part of a member that is used again */
    ufp_store(&child->parent_offset, offset);   /* a flow is on the pump's list already */
    if (!pump || child->pump != pump) return;
    ufi_lock_flows(pump);
    uf_link *const first = &child->attached, *const before = first->prev;
    if (before == &pump->flows || !ufi_is_part_of(ufi_attached_flow(before), parent)) {
        uf_link *const last = last_part(pump->flows.prev, child), *const place = last_part(before, parent);
        before->next = last->next;
        last->next->prev = before;
        last->next = place->next;
        place->next->prev = last;
        place->next = first;
        first->prev = place;
    }
    ufi_unlock_flows(pump);
}

/* Does the flow run, or has its parent not yet read how its run ended? */
static bool is_busy(const uf_flow *flow)
{
    if (uf_flow_running(flow)) return true;
    if (ufi_pool_count(flow) && flow->type->pools->pooling->is_busy(flow)) return true;
    if (!ufi_waiters(flow)) return false;

    uf_arm const *arm = flow->waiters;
    do {
        if (arm->kind == UF_ARM_RUN || (arm->kind == UF_ARM_COMPANION && arm->state == UF_ARM_FAILED)) return true;
        arm = arm->next;
    } while (arm != flow->waiters);
    return false;
}

/* Pauses of its last run may still be on their way. In the critical section of the pump. */
static void leave_pauses(const uf_flow *flow)
{
    for (uf_pause *hold = UF_IF(UF_USES_PAUSES, flow->pump->holds); hold; hold = hold->next) {
        if (hold->flow == flow) hold->flow = NULL;
    }
}

void ufi_detach(uf_flow *flow)
{
    if (UF_USES_PARTS && flow->type->release) flow->type->release(flow);
    if (ufi_jobs(flow->pump) && ufi_count_jobs(flow)) flow->pump->jobs->disown(flow);
    if (ufi_store_hooks(flow->pump)) ufi_store_hooks(flow->pump)->detached(flow);
    while (ufi_waiters(flow)) { /* arms `idle`: from now on the flow is idle for ever */
        uf_arm *const arm = flow->waiters->next;
        ufi_arms_remove(&flow->waiters, arm);
        arm->state = UF_ARM_READY;
    }
    if (ufi_host(flow->pump)) ufi_host(flow->pump)->forget(flow);
    if (UF_USES_OBSERVERS && flow->pump->slow.flow == flow) flow->pump->slow.flow = NULL;
    ufi_lock_flows(flow->pump);
    leave_pauses(flow);
    if (UF_USES_PARTS) ufi_list_remove(&flow->attached);
    else --*ufi_flow_count(flow->pump);
    ufi_unlock_flows(flow->pump);
    flow->pump = NULL;
}

uf_status uf_flow_detach(uf_flow *flow)
{
    uf_pump *const pump = uf_flow_pump(flow);

    if (!pump || ufi_member_around(flow)) return UF_INVALID;
    if (!ufi_on_pump_thread(pump)) return ufi_host(pump) ? ufi_host(pump)->detach(flow) : UF_UNSUPPORTED;
    for (uf_flow *part = flow; ufi_is_part_of(part, flow); part = uf_pump_next_flow(pump, part)) {
        if (is_busy(part)) return UF_BUSY;
    }
    for (uf_flow *part = flow, *next; ufi_is_part_of(part, flow); part = next) {
        next = uf_pump_next_flow(pump, part);
        ufi_detach(part);
    }
    return UF_OK;
}

/* Without UF_USES_PARTS, only the destroy of a flow knows what it releases. */
uf_status uf_flow_detach_and(uf_flow *flow, void (*release)(uf_flow *flow))
{
    uf_status const status = uf_flow_detach(flow);
    if (!UF_USES_PARTS && status == UF_OK) release(flow);
    return status;
}

/* -- start and cancel ---------------------------------------------------------------------------------------------- */

/* Of several threads that find the flow idle, only one succeeds. */
static uf_status claim(uf_flow *flow)
{
    uint32_t const state = ufp_load(&flow->state);
    return state & UF_STATE_IDLE && ufp_compare_exchange_seq_cst(&flow->state, state, UFI_CLAIMED_ONLY) ? UF_OK
                                                                                                        : UF_BUSY;
}

/* Has the init of the member for this use begun? A member that is only claimed has the parts of its last use. */
static bool has_begun(const uf_flow *member)
{
    return member == member->pump->member_to_init || !(ufp_load(&member->state) & (UF_STATE_IDLE | UF_STATE_CLAIMED));
}

/* A member is started through its pool alone. A flow inside a member is started on the pump's thread, from the init of
 * the member to the end of its run. */
static bool is_closed(const uf_flow *flow, bool here)
{
    if (!UF_USES_POOLS || (here && !(flow->rare_flags & (UFI_MEMBER | UFI_IN_MEMBER)))) return false;
    uf_flow const *const member = ufi_member_around(flow);
    return member && (member == flow || !here || !has_begun(member));
}

uf_status uf_start_claim(uf_flow *flow)
{
    if (!flow || !flow->pump) return UF_INVALID;
    uf_pump *const pump = flow->pump;
    bool const here = ufi_on_pump_thread(pump), joined = UF_USES_RUNS && here && pump->child_to_start == flow;
    if (joined) pump->child_to_start = NULL; /* an argument of the run may have started another flow before */
    if (!(ufp_load(&flow->state) & UF_STATE_IDLE)) {
        bool const is_member = UF_USES_POOLS && flow->parent_offset == UF_PARENT_IS_POOL;
        return is_member && ufi_pooling_of(flow)->take_reserved(flow) ? UF_OK : UF_BUSY;
    }
    if (is_closed(flow, here)) return UF_BUSY;
    if (here) {
        if (UF_USES_STOP && ufp_load(&pump->stopping) && !joined) return ufi_refuse(pump);
        return ufi_host(pump) ? claim(flow) : UF_OK;
    }
    if (!UFI_MANY_THREADS) return UF_UNSUPPORTED;

    uf_status status = ufi_request_begin(pump);
    if (status != UF_OK) return status;
    status = claim(flow);
    if (status != UF_OK) ufi_request_end(pump);
    return status;
}

/* On the pump's thread. Publishes the first step under the flow's seqlock, as enter_step() in turn.c does. */
static void begin_run(uf_flow *flow, uint32_t entry)
{
    uf_pump *const pump = flow->pump;
    bool const is_whole = !(flow->rare_flags & UFI_MEMBER) || ufi_pooling_of(flow)->begin(flow);

    flow->flags = is_whole ? UFI_NEW | UFI_ENTERING : UFI_NEW | UFI_ENTERING | UFI_CANCEL;
    ufi_begin_change(flow);
    if (UF_USES_TIMES) ufp_store_release(&flow->run, flow->run + 1);
    ufp_store_release(&flow->state, entry);
    if (UF_USES_TIMES) ufp_store_release(&flow->ordinal, 0);
    ufi_end_change(flow, pump->clock.logical);
    if (UF_USES_COUNTS) ufp_store(&pump->running, pump->running + 1);
    if (ufi_preempt_count(flow)) flow->type->preempting->arm(flow, ufi_step_of(flow, entry)->task);
    if (ufi_stop(pump)) pump->stop->hooks->run_began(flow, entry);
    ufi_wake(flow);
    if (ufi_pauses(pump)) pump->pauses->began(flow);
    if (ufi_is_observed(pump) && pump->current) pump->notify->run_requested(flow);
}

bool ufi_begin_run_at(uf_flow *flow, uint32_t entry)
{
    uf_pump *const pump = flow->pump;

    if (claim(flow) != UF_OK) return false;
    /* If the last run ended in this turn, the turn of the new run is still to come. */
    if (pump->current == flow) ufp_store_pointer(&pump->current, NULL);
    if (ufi_preempt_count(flow)) flow->type->preempting->note_epochs(flow);
    begin_run(flow, entry);
    return true;
}

/* A start by another thread reaches its pump. */
static void deliver_start(uf_pump *pump, uf_message *message)
{
    uf_flow *const flow = (uf_flow *)(void *)message;
    uint32_t const state = ufp_load(&flow->state);

    ufi_list_init(&flow->link);
    begin_run(flow, ufi_step_state(state));
    bool const late = ufi_stop(pump) && pump->stop->phase > UF_STOP_ENDING;
    if (late || state & UFI_STATE_CANCEL) ufi_flag_set(flow, UFI_CANCEL);
    ufi_request_done(pump);
}

void uf_start_commit(uf_flow *flow, uint32_t entry, uf_run *run)
{
    if (run) *run = (uf_run){.flow = flow, .number = UF_USES_TIMES ? ufp_load(&flow->run) + 1 : 0};
    if (ufi_preempt_count(flow)) flow->type->preempting->note_epochs(flow);
    if (!UFI_MANY_THREADS || ufi_on_pump_thread(flow->pump)) {
        begin_run(flow, entry);
        return;
    }
    uint32_t claimed;
    do claimed = ufp_load(&flow->state);
    while (
        !ufp_compare_exchange_seq_cst(&flow->state, claimed, entry | UF_STATE_CLAIMED | (claimed & UFI_STATE_CANCEL)));
    flow->message.deliver = deliver_start;
    ufi_inbox_send(flow->pump, &flow->message);
}

static void cancel(uf_flow *flow)
{
    ufi_flag_set(flow, UFI_CANCEL);
    ufi_wake(flow);
}

/* The cancel may arrive before the start of its run, since other threads see that run as soon as the flow is
 * claimed. It then marks the state. */
void ufi_cancel_run(uf_run run)
{
    uint32_t state;

    if (uf_run_outcome(run) != UF_RUNNING) return;
    do {
        state = ufp_load(&run.flow->state);
        if (!UFI_MANY_THREADS || !(state & UF_STATE_CLAIMED)) {
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
    struct ufi_host const *const host = ufi_host(run.flow->pump);
    if (!ufi_on_pump_thread(run.flow->pump)) return host ? host->cancel(run) : UF_UNSUPPORTED;
    ufi_cancel_run(run);
    return UF_OK;
}

/* -- failing ------------------------------------------------------------------------------------------------------- */

/* Stores the reason and makes the turn fail the flow, unless it is failing already. */
static uf_intent fail(uf_flow *flow, const char *reason)
{
    char *const buffer = ufi_reason_buffer(flow);

    if (flow->flags & UFI_FAILING) return uf_intent_of(UF_INTENT_STAY);
    if (buffer) ufi_publish_text(flow->pump, buffer, reason);
    ufi_flag_set(flow, UFI_FAILING);
    return uf_intent_of(UF_INTENT_FAIL);
}

/* The arguments may contain the old reason. Each of these functions links the conversions that it knows. */
#define FAIL_BY(name, conversions)                                                                                     \
    uf_intent name(uf_flow *flow, const char *format, ...)                                                             \
    {                                                                                                                  \
        char text[UF_REASON_SIZE];                                                                                     \
        va_list arguments;                                                                                             \
                                                                                                                       \
        va_start(arguments, format);                                                                                   \
        ufi_format(text, sizeof text, conversions, format, arguments);                                                 \
        va_end(arguments);                                                                                             \
        return fail(flow, text);                                                                                       \
    }
FAIL_BY(uf_fail_simple, UFI_SIMPLE)
FAIL_BY(uf_fail, UFI_INTEGERS)
#if !defined(UF_NO_FLOAT)
FAIL_BY(uf_fail_real, UFI_ALL)
#endif

uf_intent ufi_fail_joined(uf_flow *flow, const char *const parts[])
{
    char text[UF_REASON_SIZE];

    if (!UF_USES_REASONS) return fail(flow, "");
    (void)ufi_join(text, sizeof text, parts);
    return fail(flow, text);
}

uf_intent uf_fail_text(uf_flow *flow, const char *reason)
{
    return ufi_fail_joined(flow, UFI_PARTS(reason));
}

uf_intent uf_fail_silent(uf_flow *flow)
{
    return fail(flow, "");
}

/* Is this a turn of the flow, in which C code of the step may fail it? */
static bool may_be_failed(const uf_flow *flow)
{
    return ufi_on_pump_thread(flow->pump) && flow->pump->current == flow && !(flow->rare_flags & UFI_ENDING);
}

static uf_status fail_by_helper(uf_flow *flow, const char *reason)
{
    if (flow->rare_flags & UFI_ABORT_ON_FAILURE) ufp_abort(ufi_name_of(flow), reason);
    (void)fail(flow, reason);
    return UF_OK;
}

uf_status uf_flow_fail(uf_flow *flow, const char *format, ...)
{
    char text[UF_REASON_SIZE];
    va_list arguments;

    if (!flow || !flow->pump || !format || !may_be_failed(flow)) return UF_INVALID;
    va_start(arguments, format);
    (void)ufi_format(text, sizeof text, UFI_ALL, format, arguments);
    va_end(arguments);
    return fail_by_helper(flow, text);
}

void uf_check_failed(uf_flow *flow, const char *file, int line, const char *condition)
{
    char text[UF_REASON_SIZE];

    if (!flow || !flow->pump || !may_be_failed(flow)) return;
    (void)ufi_format_args(text, sizeof text, "%s:%d: check failed: %s", file, line, condition);
    (void)fail_by_helper(flow, text);
}

void ufi_flow_fail_joined(uf_flow *flow, const char *const parts[])
{
    char text[UF_REASON_SIZE];

    if (!may_be_failed(flow)) return;
    if (UF_USES_REASONS) ufi_join(text, sizeof text, parts);
    (void)fail_by_helper(flow, UF_USES_REASONS ? text : "");
}

/* The simple conversions have no 64 bits. */
void ufi_flow_fail_place(uf_flow *flow, const char *name, uint32_t count, int64_t index)
{
    char text[UF_REASON_SIZE];
    char const *const than = index > INT32_MAX ? "more than " : index < INT32_MIN ? "less than " : "";
    int const shown = index > INT32_MAX ? INT32_MAX : index < INT32_MIN ? INT32_MIN : (int)index;

    if (!may_be_failed(flow)) return;
    if (UF_USES_REASONS)
        (void)ufi_format_args(text, sizeof text, "%s[%s%d]: there are %u", name, than, shown, (unsigned)count);
    (void)fail_by_helper(flow, UF_USES_REASONS ? text : "");
}

void uf_flow_set_failure_policy(uf_flow *flow, uf_failure_policy policy)
{
    if (flow && flow->type) ufi_rare_flag_put(flow, UFI_ABORT_ON_FAILURE, policy == UF_FAIL_ABORT);
}

uf_status uf_part(uf_flow *whole, uf_flow *part, uf_status status)
{
    if (status != UF_OK) return status;
    if (!is_in_reach(part, whole)) {
        (void)uf_flow_detach(part); /* the init of `whole` detaches only the parts that it knows */
        return UF_INVALID;
    }
    uf_flow_set_parent(part, whole);
    return UF_OK;
}

bool uf_failing(const uf_flow *flow)
{
    return (flow->flags & UFI_FAILING) != 0;
}
