/* SPDX-License-Identifier: MIT */
/* Emits awaits and stays. An await becomes two functions: `await` sets the arms (c_await.c), and `wait` decides, at
 * once and at each later turn. A stay with a timeout becomes one function. */
#include "c_parts.h"
#include "fragment.h"
#include "mutants.h"
#include "scope.h"

/* -- await: deciding ----------------------------------------------------------------------------------------------- */

/* Statements with text of the user are placed on its line. */
static void put_outcome_place(writer *w, const ir_outcome *outcome)
{
    if (has_user_text(outcome)) put_place(w, outcome->at);
    else put_own_place(w);
}

/* The function that is written. In one for several awaits, `state` and `then` are parameters. */
typedef struct waiting {
    const ir_pause *pause;
    const char *state; /* in which it waits */
    const char *then;  /* the step that its first arm leads to; NULL: it is named */
    const ir_arm *arm; /* the one that is decided; NULL: none */
} waiting;

static const ir_task *task_of(const writer *w, const ir_pause *pause)
{
    return &w->unit->tasks[w->unit->steps[pause->step].task];
}

static const ir_outcome *first_outcome(const writer *w, const ir_pause *pause)
{
    return &w->unit->outcomes[w->unit->arms[pause->arms.first].outcome];
}

/* An arm that has been decided is missed where it is left out. */
static void put_arm_marks(writer *w, const ir_arm *arm)
{
    if (!arm) return;
    put_mutant_mark(w, MUTANT_ARM, arm->at);
    put_mutant_mark(w, MUTANT_TIMEOUT, w->unit->events[arm->events.first].at);
}

static void put_return(writer *w, const ir_outcome *outcome, const waiting *wait, const char *end)
{
    put(w, "return ");
    put_arm_marks(w, wait->arm);
    if (wait->arm && outcome != &w->unit->outcomes[wait->arm->outcome]) put_mutant_mark(w, MUTANT_ELSE, outcome->at);
    if (wait->then && outcome == first_outcome(w, wait->pause))
        put_next_state(w, &w->unit->steps[outcome->target], wait->then);
    else put_outcome_in(w, outcome, task_of(w, wait->pause), wait->state);
    put(w, ";");
    if (mutates(w)) put_wrapped(w);
    put(w, end);
}

/* Writes `if (cond) return outcome;`. The caller has written the condition. */
static void put_decision(writer *w, const ir_outcome *outcome, const waiting *wait)
{
    put(w, ") ");
    put_return(w, outcome, wait, "\n");
}

/* Writes `if`s for what must hold besides the event: the arm's own condition, and that the arm was not polled yet. */
static void put_guards(writer *w, const ir_arm *arm, bool polls_once)
{
    if (ir_has_text(arm->condition)) put(w, "if (uf_is_set(", arm_place(w, &w->unit->events[arm->events.first]), ")) ");
    put(w, polls_once ? "if (!uf_polled(&flow->uf)) " : "");
}

/* The condition has the form of an `if`, without parentheses, so that compilers warn as in C. With #line, all of it is
 * on its line, and it has its column. */
static void put_until(writer *w, const ir_arm *arm, const ir_event *event, bool polls_once)
{
    bool const is_held = event->duration.kind != IR_DURATION_NONE;
    const char *const gap = w->options->line_directives ? " " : "\n    ";
    const char *const holds = is_held ? arena_printf(w->names, "uf_holds%u", (unsigned)event->slot) : "";
    if (is_held || polls_once || ir_has_text(arm->condition)) {
        put(w, "    ");
        if (is_held) put(w, "uf_bool ", holds, " = 0;", gap);
        put_guards(w, arm, polls_once);
    }
    put_before(w, mutant_condition_lead(w, "if (", event->condition), event->condition);
    put_user(w, event->condition);
    put(w, mutant_condition_end(w, event->condition));
    if (!is_held) return;
    put(w, ") { ", holds, " = 1; }", gap);
    put_guards(w, arm, polls_once);
    put(w, "if (uf_held(&flow->uf, ", arm_place(w, event), ", ", holds, ", ");
    if (event->operand_slot == IR_NONE) put_duration(w, &event->duration);
    else put(w, "uf_operand(", operand_place(w, event), ")");
    put(w, ")");
}

/* The value in the handle of a job that has ended. */
static const char *job_value(const writer *w, const ir_event *event)
{
    const ir_job *const job = &w->unit->jobs[event->index];
    if (!ir_has_text(job->count)) return arena_printf(w->names, "self->%s.value", job->name);
    return arena_printf(w->names, "self->%s[uf_index(%s)].value", job->name, arm_place(w, event));
}

static void put_index_binding(writer *w, const ir_event *event, const char *decided)
{
    if (is_each_run(event)) put(w, "        int const index = (int)(", decided, " - ", arm_place(w, event), ");\n");
    else put(w, "        int const index = uf_index(", arm_place(w, event), ");\n");
}

/* The arm with which an event has won. */
static const char *ready_arm(const writer *w, const ir_event *event)
{
    const char *const place = arm_place(w, event);
    return event->is_first ? ARENA_CONCAT(w->names, "uf_first_ready(", place, ", ", each_count(w, event), ")") : place;
}

static void put_result_binding(writer *w, const ir_event *event)
{
    put(w, "        ");
    if (event->kind != ARM_RUN) {
        put_variable(w, &w->unit->workers[w->unit->jobs[event->index].worker].result, "result", true);
        put(w, " = ", job_value(w, event), ";\n");
        return;
    }
    const ir_task *const task = &w->unit->tasks[event->task];
    put_variable(w, &task->result, "result", true);
    put(w, " = ((const ", w->unit->flows[event->flow].name, " *)uf_child(", ready_arm(w, event), "))->uf_result.",
        task->name, ";\n");
}

/* The arm has won, so the mailbox holds an item. */
static void put_item_binding(writer *w, const ir_event *event)
{
    put(w, "        ");
    put_variable(w, &w->unit->mailboxes[event->index].item, "item", false);
    put(w, ";\n        uf_mailbox_receive(&flow->", ir_name_of(w->unit, event), ", &item);\n");
}

/* The arm has won: takes the oldest end of the pool. */
static void put_end_bindings(writer *w, const ir_event *event, const ir_outcome *outcome)
{
    bool const has_index = outcome->uses & BINDS_INDEX, has_reason = outcome->uses & BINDS_REASON;
    put(w, "        ", has_index || has_reason || outcome->uses_outcome ? "uf_taken_end const uf_ended = " : "(void)",
        "uf_take_end(&flow->", ir_name_of(w->unit, event), ");\n");
    if (has_index) put(w, "        int const index = uf_ended.index;\n");
    if (outcome->uses_outcome) put(w, "        uf_outcome const outcome = uf_ended.outcome;\n");
    if (has_reason) put(w, "        const char *const reason = uf_ended.reason;\n");
}

/* Which of the names that the outcome uses does the arm bind? */
static binding_set bound_names(const ir_arm *arm, const ir_event *event, binding_set uses)
{
    binding_set bound = 0;
    if (!arm->all && arm_has(event->kind, HAS_RESULT)) bound |= BINDS_RESULT;
    if (!arm->all && arm_has(event->kind, HAS_ITEM)) bound |= BINDS_ITEM;
    if (!arm->all && (arm_has(event->kind, HAS_INDEX) || event->is_first)) bound |= BINDS_INDEX;
    return bound & uses;
}

/* Is the event ready? */
static void put_is_ready(writer *w, const ir_event *event)
{
    const char *const place = arm_place(w, event);
    if (event->is_first) put(w, ready_arm(w, event));
    else if (is_each_run(event)) put(w, "uf_all_ready(", place, ", ", each_count(w, event), ")");
    else if (event->kind == ARM_ENDED) put(w, "uf_has_end(&flow->", ir_name_of(w->unit, event), ", ", place, ")");
    else if (event->each != IR_NONE)
        put(w, "uf_all_idle(&flow->uf, ", place, ", &flow->", each_name(w, event), "[0].uf, sizeof *flow->",
            each_name(w, event), ", ", each_count(w, event), ")");
    else put(w, arm_has(event->kind, EVALUATED) ? "uf_evaluate(&flow->uf, " : "uf_ready(", place, ")");
}

static void put_has_failed(writer *w, const ir_event *event)
{
    const char *const place = arm_place(w, event);
    if (event->is_first) put(w, "uf_all_failed(&flow->uf, ", place, ", ", each_count(w, event), ")");
    else if (is_each_run(event)) put(w, failed_arm(w, event));
    else put(w, "uf_failed(", place, ")");
}

/* Does the arm give the flow a value that the flow must release: an item, or values that are dropped otherwise? */
static bool takes_ownership(const writer *w, const ir_arm *arm, binding_set bound)
{
    if (bound & BINDS_ITEM || w->unit->events[arm->events.first].kind == ARM_ENDED) return true;
    IR_EACH (ir_event, event, w->unit->events, arm->events) {
        if (ir_takes_job(w->unit, event) && w->unit->workers[w->unit->jobs[event->index].worker].drop) return true;
    }
    return false;
}

static bool takes_job(const writer *w, const ir_arm *arm)
{
    for (uint32_t i = 0; i < arm->events.count; i++) {
        if (ir_takes_job(w->unit, &w->unit->events[arm->events.first + i])) return true;
    }
    return false;
}

/* Notes that the arm has won with its jobs; if an `all` has failed, only with the failed ones. */
static void put_taking(writer *w, const ir_arm *arm, bool has_failed)
{
    IR_EACH (ir_event, event, w->unit->events, arm->events) {
        if (!ir_takes_job(w->unit, event)) continue;
        const char *const place = arm_place(w, event);
        put(w, "        ");
        if (has_failed && arm->events.count > 1) put(w, "if (uf_failed(", place, ")) ");
        put(w, "uf_take_jobs(&flow->uf, ", place, ");\n");
    }
}

static void put_success(writer *w, const waiting *wait, const ir_arm *arm, const ir_outcome *outcome)
{
    const ir_event *const event = &w->unit->events[arm->events.first];
    binding_set const bound = bound_names(arm, event, outcome->uses);
    put(w, "    ");
    if (arm_has(event->kind, EVALUATED)) put_guards(w, arm, false);
    put(w, "if (");
    for (uint32_t i = 0; i < arm->events.count; i++) {
        put(w, i ? " && " : "");
        put_is_ready(w, &event[i]);
    }
    if (!bound && !takes_job(w, arm) && event->kind != ARM_ENDED) {
        put_decision(w, outcome, wait);
        return;
    }
    put(w, ") {\n");
    if (takes_ownership(w, arm, bound))
        put(w, "        if (!uf_may_take(&flow->uf)) return uf_again(&flow->uf, ", wait->state, ");\n");
    put_taking(w, arm, false);
    if (event->kind == ARM_ENDED) put_end_bindings(w, event, outcome);
    if (bound & BINDS_INDEX) put_index_binding(w, event, ready_arm(w, event));
    if (bound & BINDS_RESULT) put_result_binding(w, event);
    if (bound & BINDS_ITEM) put_item_binding(w, event);
    put_at(w, outcome->at, "        ");
    put_return(w, outcome, wait, "\n    }\n");
}

static void put_failures_handed_on(writer *w, const waiting *wait, const ir_arm *arm)
{
    IR_EACH (ir_event, event, w->unit->events, arm->events) {
        if (!arm_has(event->kind, CAN_FAIL)) continue;
        put_own(w, "    if (");
        put_has_failed(w, event);
        put(w, ") return ");
        put_arm_marks(w, arm);
        put_count(w, COVER_EDGE, arm->failure);
        put_arm_failure(w, event, failed_arm(w, event), task_of(w, wait->pause), wait->state);
        put_line(w, ";");
    }
}

/* Uses the first arm that has failed: `uf_failed(a) ? uf_reason(&flow->uf, a) : uf_reason(&flow->uf, b)`. */
static void put_reason(writer *w, const ir_arm *arm)
{
    const ir_event *last = NULL;
    IR_EACH (ir_event, event, w->unit->events, arm->events) {
        if (!arm_has(event->kind, CAN_FAIL)) continue;
        if (last) {
            put_has_failed(w, last);
            put(w, " ? uf_reason(&flow->uf, ", failed_arm(w, last), ") : ");
        }
        last = event;
    }
    put(w, "uf_reason(&flow->uf, ", failed_arm(w, last), ")");
}

static void put_any_failed(writer *w, const ir_arm *arm)
{
    const char *between = "";
    IR_EACH (ir_event, event, w->unit->events, arm->events) {
        if (!arm_has(event->kind, CAN_FAIL)) continue;
        put(w, between);
        put_has_failed(w, event);
        between = " || ";
    }
}

/* The elements of an array in `all`, of which one has failed. If something else could fail, `else` has no index. */
static const ir_event *failing_element(const writer *w, const ir_arm *arm)
{
    for (uint32_t i = 0; arm->all && i < arm->events.count; i++) {
        const ir_event *const event = &w->unit->events[arm->events.first + i];
        if (is_each_run(event)) return event;
    }
    return NULL;
}

static void put_else(writer *w, const waiting *wait, const ir_arm *arm, const ir_outcome *otherwise)
{
    const ir_event *const event = &w->unit->events[arm->events.first];
    put_outcome_place(w, otherwise);
    put(w, "    if (");
    put_any_failed(w, arm);
    binding_set bound = arm_has(event->kind, HAS_INDEX) ? bound_names(arm, event, otherwise->uses) : 0;
    const ir_event *const element = failing_element(w, arm);
    if (element) bound |= otherwise->uses & BINDS_INDEX;
    bool const uses_reason = otherwise->uses & BINDS_REASON;
    if (!uses_reason && !(bound & BINDS_INDEX) && !takes_job(w, arm)) {
        put_decision(w, otherwise, wait);
        return;
    }
    put(w, ") {\n");
    if (uses_reason) {
        put(w, "        const char *const reason = ");
        put_reason(w, arm);
        put(w, ";\n");
    }
    put_taking(w, arm, true);
    if (bound & BINDS_INDEX && element) put_index_binding(w, element, failed_arm(w, element));
    else if (bound & BINDS_INDEX) put_index_binding(w, event, "");
    put_at(w, otherwise->at, "        ");
    put_return(w, otherwise, wait, "\n    }\n");
}

static void put_failure(writer *w, const waiting *wait, const ir_arm *arm)
{
    if (arm->otherwise == IR_NONE) {
        put_failures_handed_on(w, wait, arm);
        return;
    }
    const ir_outcome *const otherwise = &w->unit->outcomes[arm->otherwise];
    const char *const dropped = mutant_is(w, MUTANT_ELSE, otherwise->at);
    if (*dropped) {
        put_own(w, "    if (", dropped, ") {\n");
        put_failures_handed_on(w, wait, arm);
        put(w, "    }\n");
    }
    put_else(w, wait, arm, otherwise);
}

/* In `all`, a failure decides even if another arm is pending. */
static void put_decide(writer *w, const waiting *wait, const ir_arm *arm)
{
    const ir_outcome *const outcome = &w->unit->outcomes[arm->outcome];
    const ir_event *const event = &w->unit->events[arm->events.first];
    if (arm->all) put_failure(w, wait, arm);
    if (event->kind == ARM_UNTIL) {
        put_place(w, event->condition);
        put_until(w, arm, event, wait->pause->has_run);
        put_decision(w, outcome, wait);
    } else {
        put_outcome_place(w, outcome);
        put_success(w, wait, arm, outcome);
    }
    if (!arm->all) put_failure(w, wait, arm);
}

/* In the changed program, an arm may be left out. */
static void put_decide_there(writer *w, const waiting *wait, const ir_arm *arm)
{
    const char *const left_out = mutant_is(w, MUTANT_ARM, arm->at);
    waiting here = *wait;
    here.arm = arm;
    if (*left_out) {
        put_own(w, "    if (!", left_out, ") {\n");
    }
    put_decide(w, &here, arm);
    if (!*left_out) return;
    put_own(w, "    }\n");
}

/* In a function with text of the user, its directives are also on their own lines. */
static guard put_placed_guard(writer *w, ir_range directives)
{
    if (directives.count) put_place(w, w->unit->directives[directives.first].text);
    return put_guard(w, directives);
}

/* If every polled condition may be left out, the flow polls only where one is there. */
static void put_poll(writer *w, const ir_pause *pause)
{
    IR_EACH (ir_arm, arm, w->unit->arms, pause->arms) {
        const ir_event *const event = &w->unit->events[arm->events.first];
        if (event->kind != ARM_UNTIL) continue;
        bool const is_sure = !arm->directives.count && !ir_has_text(arm->condition);
        if (!pause->may_lack_until && !is_sure) continue; /* another arm is always there */
        guard const g = put_guard(w, arm->directives);
        put(w, "    ");
        put_guards(w, arm, false);
        put(w, "return uf_poll(&flow->uf, ", cname_pause_state(w, pause), ");\n");
        put_guard_end(w, arm->directives, &g);
        if (!pause->may_lack_until) break;
    }
}

static void put_wait_body(writer *w, const waiting *wait)
{
    const ir_pause *const pause = wait->pause;
    put(w, "{\n");
    guard const whole = put_placed_guard(w, pause->directives);
    guard g = whole;
    for (uint32_t i = 0; i < pause->arms.count; i++) {
        const ir_arm *const arm = &w->unit->arms[pause->arms.first + i];
        if (!shares_guard(w, pause, i)) g = put_placed_guard(w, arm->directives);
        put_decide_there(w, wait, arm);
        if (!shares_guard(w, pause, i + 1)) put_guard_end(w, arm->directives, &g);
    }
    put_guard_end(w, pause->directives, &whole);
    put_own_place(w);
    if (pause->has_until) put_poll(w, pause);
    if (!pause->has_until || pause->may_lack_until) put(w, "    return uf_park(&flow->uf, ", wait->state, ");\n");
    put(w, "}\n\n");
}

static void emit_wait(writer *w, const ir_pause *pause)
{
    waiting const wait = {pause, cname_pause_state(w, pause), NULL, NULL};
    if (w->shared_waits[pause - w->unit->pauses]) return;
    put(w, "UF_NOINLINE ");
    put_pause_head(w, pause, "wait");
    put_line(w, ")");
    put_wait_body(w, &wait);
}

/* -- awaits that are alike ----------------------------------------------------------------------------------------- */

/* Awaits of a flow share a function if their texts are the same, except for the state and the step that the first arm
 * leads to. Text of the user is on the lines of one step, and each step counts its own edges. */
static bool may_share(const writer *w, const ir_pause *pause)
{
    if (pause->kind != IR_AWAIT || pause->directives.count || pause->has_until || covers(w) || mutates(w)) return false;
    IR_EACH (ir_arm, arm, w->unit->arms, pause->arms) {
        if (arm->directives.count || takes_job(w, arm) || has_user_text(&w->unit->outcomes[arm->outcome])) return false;
        if (arm->otherwise != IR_NONE && has_user_text(&w->unit->outcomes[arm->otherwise])) return false;
    }
    return true;
}

/* The step that the first arm leads to without arguments; or NULL. */
static const ir_step *plain_target(const writer *w, const ir_pause *pause)
{
    const ir_outcome *const outcome = first_outcome(w, pause);
    if (outcome->kind != OUTCOME_STEP || w->unit->steps[outcome->target].params.count) return NULL;
    return &w->unit->steps[outcome->target];
}

/* The block of a function that several awaits can share. */
static const char *shared_text(writer *w, const ir_pause *pause)
{
    waiting const wait = {pause, "uf_here", plain_target(w, pause) ? "uf_then" : NULL, NULL};
    writer const before = *w;
    size_t const begin = w->out->length;
    put_wait_body(w, &wait);
    const char *const text = arena_copy(w->names, w->out->text + begin, w->out->length - begin);
    *w = before;
    w->out->length = begin;
    return text;
}

static const char *shared_name(const writer *w, const ir_pause *pause)
{
    uint32_t const number = w->shared_waits[pause - w->unit->pauses];
    return cname_hidden(w, &w->unit->flows[task_of(w, pause)->flow],
                        arena_printf(w->names, "wait%u", (unsigned)number));
}

static void emit_shared_wait(writer *w, const ir_flow *flow, const ir_pause *pause, const char *text)
{
    const char *const state = cname_of_flow(w, flow, "state");
    put(w, "UF_NOINLINE static uf_intent ", shared_name(w, pause), "(", flow->name, " *flow, enum ", state, " uf_here");
    if (plain_target(w, pause)) put(w, ", enum ", state, " uf_then");
    put_line(w, ")");
    put(w, text);
}

void emit_shared_waits(writer *w, const ir_flow *flow)
{
    const ir_step *const steps = &w->unit->steps[flow->steps.first], *const last = &steps[flow->steps.count - 1];
    uint32_t const end = last->pauses.first + last->pauses.count;
    uint32_t *const numbers = w->shared_waits;
    uint32_t number = 0;
    scope firsts = {0}; /* by text: the number of the first await that has it */
    for (uint32_t i = steps->pauses.first; i < end; i++) {
        if (!may_share(w, &w->unit->pauses[i])) continue;
        const char *const text = shared_text(w, &w->unit->pauses[i]);
        uint32_t *const first = scope_add(w->names, &firsts, text, &numbers[i]);
        if (!first) continue;
        if (!*first) {
            *first = ++number;
            if (number == 1)
                put(w, "/* Each serves several awaits: uf_here is the state of one, uf_then its next step. */\n");
            emit_shared_wait(w, flow, &w->unit->pauses[first - numbers], text);
        }
        numbers[i] = *first;
    }
}

void put_wait_call(writer *w, const ir_pause *pause, bool in_turn)
{
    if (w->shared_waits[pause - w->unit->pauses]) {
        const ir_step *const target = plain_target(w, pause);
        put(w, shared_name(w, pause), "(flow, ", cname_pause_state(w, pause));
        if (target) put(w, ", ", cname_step_state(w, target));
        put(w, ")");
    } else if (in_turn) {
        put_pause_turn_call(w, pause, "wait");
    } else {
        put_pause_call(w, pause, "wait");
        put(w, ")");
    }
}

/* -- stay with a timeout ------------------------------------------------------------------------------------------- */

/* The target of the timeout, if it contains text of the user. Both the body and a later turn return it. */
static void emit_late(writer *w, const ir_pause *pause)
{
    const ir_outcome *const outcome = &w->unit->outcomes[pause->outcome];
    if (!has_user_text(outcome)) return;
    put_pause_head(w, pause, "late");
    put_line(w, ")");
    put(w, "{\n");
    guard const g = put_placed_guard(w, pause->directives);
    put_at(w, outcome->at, "    ");
    put_return(w, outcome, &(waiting){pause, NULL, NULL, NULL}, "\n");
    put_guard_end(w, pause->directives, &g);
    put_own(w, pause->directives.count ? "    return uf_stay();\n" : "", "}\n\n");
}

static void emit_stay(writer *w, const ir_pause *pause)
{
    bool const every = pause->every.kind != IR_DURATION_NONE;
    const char *const state = cname_pause_state(w, pause);
    put_pause_head(w, pause, "stay");
    if (pause->every.kind == IR_DURATION_EXPRESSION) put(w, ", uf_time uf_every");
    if (pause->timeout.kind == IR_DURATION_EXPRESSION) put(w, ", uf_time uf_timeout");
    put(w, ")\n{\n    if (uf_stay_timed_out(&flow->uf, ", slot_place(w, every ? 1 : 0, "timeout"), ", ");
    put_timeout(w, &pause->timeout, "uf_timeout", pause->at);
    put(w, ")) return ");
    put_mutant_mark(w, MUTANT_TIMEOUT, pause->at);
    if (has_user_text(&w->unit->outcomes[pause->outcome])) {
        put_pause_call(w, pause, "late");
        put(w, ")");
    } else {
        put_outcome(w, &w->unit->outcomes[pause->outcome], task_of(w, pause));
    }
    put(w, ";");
    if (mutates(w)) put_wrapped(w);
    put(w, "\n    return ");
    put_count(w, COVER_EDGE, pause->again);
    if (every) {
        const char *const ignored = mutant_reached(w, MUTANT_EVERY, pause->at);
        if (*ignored) put(w, ignored, " ? uf_poll(&flow->uf, ", state, ") : ");
        put(w, "uf_stay_every(&flow->uf, ", slot_place(w, 0, "every"), ", ");
        put_stored_duration(w, &pause->every, "uf_every");
        put(w, ", ", state, ");");
        if (mutates(w)) put_wrapped(w);
        put(w, "\n}\n\n");
    } else {
        put(w, "uf_poll(&flow->uf, ", state, ");\n}\n\n");
    }
}

/* The preprocessor omits here what it omits in the body. An omitted pause keeps its states and functions, with empty
 * bodies. */
void emit_pause(writer *w, const ir_pause *pause)
{
    if (pause->kind == IR_AWAIT) emit_wait(w, pause);
    else emit_late(w, pause);
    guard const g = put_guard(w, pause->directives);
    if (pause->kind == IR_STAY) emit_stay(w, pause);
    else if (pause->slots) emit_await(w, pause);
    put_guard_end(w, pause->directives, &g);
    put(w, pause->directives.count ? "\n" : "");
}
