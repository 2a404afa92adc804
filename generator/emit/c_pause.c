/* Emits awaits and stays. An await becomes two functions: `await` sets the arms (c_await.c), and `wait` decides, at
 * once and at each later turn. A stay with a timeout becomes one function. */
#include "c_parts.h"
#include "cname.h"
#include "cover.h"
#include "fragment.h"

/* -- await: deciding ----------------------------------------------------------------------------------------------- */

/* Statements with text of the user are placed on its line. */
static void put_outcome_place(writer *w, const ir_outcome *outcome)
{
    if (has_user_text(outcome)) put_place(w, outcome->at);
    else put_own_place(w);
}

static void put_return(writer *w, const ir_outcome *outcome, const ir_step *step, const char *end)
{
    put(w, "return ");
    put_outcome(w, outcome, &w->unit->tasks[step->task]);
    put(w, ";", end);
}

/* Writes `if (cond) return outcome;`. The caller has written the condition. */
static void put_decision(writer *w, const ir_outcome *outcome, const ir_step *step)
{
    put(w, ") ");
    put_return(w, outcome, step, "\n");
}

/* If the arm has a condition: the question whether it was true. */
static void put_presence(writer *w, const ir_arm *arm)
{
    if (!ir_has_text(arm->condition)) return;
    put(w, "uf_is_set(", arm_place(w, &w->unit->events[arm->events.first]), ")) if (");
}

/* Writes `if (`, and before it what else has to be true. */
static void put_question(writer *w, const ir_arm *arm, bool polls_once)
{
    put(w, "if (");
    put_presence(w, arm);
    put(w, polls_once ? "!uf_polled(&flow->uf)) if (" : "");
}

/* The condition is that of an `if`, without parentheses, so that compilers warn as they do in C. With #line, all is
 * on its line. */
static void put_until(writer *w, const ir_arm *arm, const ir_event *event, bool polls_once)
{
    bool const is_held = event->duration.kind != IR_DURATION_NONE;
    const char *const gap = w->options->line_directives ? " " : "\n    ";
    const char *const holds = is_held ? arena_printf(w->names, "uf_holds%u", (unsigned)event->slot) : "";
    put(w, "    ");
    if (is_held) put(w, "uf_bool ", holds, " = 0;", gap);
    put_question(w, arm, polls_once);
    put_user(w, event->condition);
    if (!is_held) return;
    put(w, ") { ", holds, " = 1; }", gap);
    put_question(w, arm, polls_once);
    put(w, "uf_held(&flow->uf, ", arm_place(w, event), ", ", holds, ", ");
    if (event->operand_slot == IR_NONE) put_duration(w, &event->duration);
    else put(w, "uf_operand(", slot_place(w, event->operand_slot, "for"), ")");
    put(w, ")");
}

/* The value in the handle of a job that has ended. */
static const char *job_value(const writer *w, const ir_event *event)
{
    const ir_job *const job = &w->unit->jobs[event->index];
    if (!ir_has_text(job->count)) return arena_printf(w->names, "self->%s.value", job->name);
    return arena_printf(w->names, "self->%s[uf_index(%s)].value", job->name, arm_place(w, event));
}

static void put_index_binding(writer *w, const ir_event *event)
{
    put(w, "        int const index = uf_index(", arm_place(w, event), ");\n");
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
    put(w, " = ((const ", w->unit->flows[event->flow].name, " *)uf_child(", arm_place(w, event), "))->uf_result.",
        task->name, ";\n");
}

/* The arm has won, so the mailbox holds an item. */
static void put_item_binding(writer *w, const ir_event *event)
{
    put(w, "        ");
    put_variable(w, &w->unit->mailboxes[event->index].item, "item", false);
    put(w, ";\n        uf_mailbox_receive(&flow->", ir_name_of(w->unit, event), ", &item);\n");
}

/* Which of the names that the outcome uses does the arm bind? */
static binding_set bound_names(const ir_arm *arm, const ir_event *event, binding_set uses)
{
    binding_set bound = 0;
    if (!arm->all && arm_has(event->kind, HAS_RESULT)) bound |= BINDS_RESULT;
    if (!arm->all && arm_has(event->kind, HAS_ITEM)) bound |= BINDS_ITEM;
    if (!arm->all && arm_has(event->kind, HAS_INDEX)) bound |= BINDS_INDEX;
    return bound & uses;
}

/* Does the arm give the flow something that it has to release: an item, or values that are dropped otherwise? */
static bool takes_ownership(const writer *w, const ir_arm *arm, binding_set bound)
{
    if (bound & BINDS_ITEM) return true;
    for (uint32_t i = 0; i < arm->events.count; i++) {
        const ir_event *const event = &w->unit->events[arm->events.first + i];
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

/* Notes that the arm has won with its jobs. Of an `all` that has failed, only with those that have failed. */
static void put_taking(writer *w, const ir_arm *arm, bool has_failed)
{
    for (uint32_t i = 0; i < arm->events.count; i++) {
        const ir_event *const event = &w->unit->events[arm->events.first + i];
        if (!ir_takes_job(w->unit, event)) continue;
        const char *const place = arm_place(w, event);
        put(w, "        ");
        if (has_failed && arm->events.count > 1) put(w, "if (uf_failed(", place, ")) ");
        put(w, "uf_take_jobs(&flow->uf, ", place, ");\n");
    }
}

static void put_success(writer *w, const ir_pause *pause, const ir_arm *arm, const ir_outcome *outcome,
                        const ir_step *step)
{
    const ir_event *const event = &w->unit->events[arm->events.first];
    binding_set const bound = bound_names(arm, event, outcome->uses);
    put(w, "    if (");
    if (arm_has(event->kind, EVALUATED)) put_presence(w, arm);
    for (uint32_t i = 0; i < arm->events.count; i++)
        put(w, i ? " && " : "", arm_has(event[i].kind, EVALUATED) ? "uf_evaluate(&flow->uf, " : "uf_ready(",
            arm_place(w, &event[i]), ")");
    if (!bound && !takes_job(w, arm)) {
        put_decision(w, outcome, step);
        return;
    }
    put(w, ") {\n");
    if (takes_ownership(w, arm, bound))
        put(w, "        if (!uf_may_take(&flow->uf)) return uf_again(&flow->uf, ", cname_pause_state(w, pause), ");\n");
    put_taking(w, arm, false);
    if (bound & BINDS_INDEX) put_index_binding(w, event);
    if (bound & BINDS_RESULT) put_result_binding(w, event);
    if (bound & BINDS_ITEM) put_item_binding(w, event);
    put_place(w, outcome->at);
    put(w, "        ");
    put_return(w, outcome, step, "\n    }\n");
}

static void put_failures_handed_on(writer *w, const ir_arm *arm)
{
    for (uint32_t i = 0; i < arm->events.count; i++) {
        const ir_event *const event = &w->unit->events[arm->events.first + i];
        if (!arm_has(event->kind, CAN_FAIL)) continue;
        const char *const place = arm_place(w, event);
        put_own_place(w);
        put(w, "    if (uf_failed(", place, ")) return ");
        put_count(w, COVER_EDGE, arm->failure);
        put_arm_failure(w, event, place);
        put(w, ";\n");
    }
}

/* Uses the first arm that has failed: `uf_failed(a) ? uf_reason(&flow->uf, a) : uf_reason(&flow->uf, b)`. */
static void put_reason(writer *w, const ir_arm *arm)
{
    const char *last = "";
    for (uint32_t i = 0; i < arm->events.count; i++) {
        const ir_event *const event = &w->unit->events[arm->events.first + i];
        if (!arm_has(event->kind, CAN_FAIL)) continue;
        if (*last) put(w, "uf_failed(", last, ") ? uf_reason(&flow->uf, ", last, ") : ");
        last = arm_place(w, event);
    }
    put(w, "uf_reason(&flow->uf, ", last, ")");
}

static void put_any_failed(writer *w, const ir_arm *arm)
{
    const char *between = "";
    for (uint32_t i = 0; i < arm->events.count; i++) {
        const ir_event *const event = &w->unit->events[arm->events.first + i];
        if (!arm_has(event->kind, CAN_FAIL)) continue;
        put(w, between, "uf_failed(", arm_place(w, event), ")");
        between = " || ";
    }
}

static void put_else(writer *w, const ir_arm *arm, const ir_outcome *otherwise, const ir_step *step)
{
    const ir_event *const event = &w->unit->events[arm->events.first];
    put_outcome_place(w, otherwise);
    put(w, "    if (");
    put_any_failed(w, arm);
    binding_set const bound = bound_names(arm, event, otherwise->uses);
    bool const uses_reason = otherwise->uses & BINDS_REASON;
    if (!uses_reason && !(bound & BINDS_INDEX) && !takes_job(w, arm)) {
        put_decision(w, otherwise, step);
        return;
    }
    put(w, ") {\n");
    if (uses_reason) {
        put(w, "        const char *const reason = ");
        put_reason(w, arm);
        put(w, ";\n");
    }
    put_taking(w, arm, true);
    if (bound & BINDS_INDEX) put_index_binding(w, event);
    put_place(w, otherwise->at);
    put(w, "        ");
    put_return(w, otherwise, step, "\n    }\n");
}

static void put_failure(writer *w, const ir_arm *arm, const ir_step *step)
{
    if (arm->otherwise == IR_NONE) put_failures_handed_on(w, arm);
    else put_else(w, arm, &w->unit->outcomes[arm->otherwise], step);
}

/* In `all`, a failure decides even if another arm is pending. */
static void put_decide(writer *w, const ir_pause *pause, const ir_arm *arm, const ir_step *step)
{
    const ir_outcome *const outcome = &w->unit->outcomes[arm->outcome];
    const ir_event *const event = &w->unit->events[arm->events.first];
    if (arm->all) put_failure(w, arm, step);
    if (event->kind == ARM_UNTIL) {
        put_place(w, event->condition);
        put_until(w, arm, event, pause->has_run);
        put_decision(w, outcome, step);
    } else {
        put_outcome_place(w, outcome);
        put_success(w, pause, arm, outcome, step);
    }
    if (!arm->all) put_failure(w, arm, step);
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
    for (uint32_t i = 0; i < pause->arms.count; i++) {
        const ir_arm *const arm = &w->unit->arms[pause->arms.first + i];
        const ir_event *const event = &w->unit->events[arm->events.first];
        if (event->kind != ARM_UNTIL) continue;
        bool const is_sure = !arm->directives.count && !ir_has_text(arm->condition);
        if (!pause->may_lack_until && !is_sure) continue; /* another arm is always there */
        guard const g = put_guard(w, arm->directives);
        put(w, "    ");
        if (ir_has_text(arm->condition)) put(w, "if (uf_is_set(", arm_place(w, event), ")) ");
        put(w, "return uf_poll(&flow->uf, ", cname_pause_state(w, pause), ");\n");
        put_guard_end(w, arm->directives, &g);
        if (!pause->may_lack_until) break;
    }
}

static void emit_wait(writer *w, const ir_pause *pause, const ir_step *step)
{
    put(w, "UF_NOINLINE ");
    put_step_head(w, step, cname_pause(w, pause, "wait"));
    put(w, ")");
    put_wrapped(w);
    put(w, "\n{\n");
    guard const whole = put_placed_guard(w, pause->directives);
    guard g = whole;
    for (uint32_t i = 0; i < pause->arms.count; i++) {
        const ir_arm *const arm = &w->unit->arms[pause->arms.first + i];
        if (!shares_guard(w, pause, i)) g = put_placed_guard(w, arm->directives);
        put_decide(w, pause, arm, step);
        if (!shares_guard(w, pause, i + 1)) put_guard_end(w, arm->directives, &g);
    }
    put_guard_end(w, pause->directives, &whole);
    put_own_place(w);
    if (pause->has_until) put_poll(w, pause);
    if (!pause->has_until || pause->may_lack_until)
        put(w, "    return uf_park(&flow->uf, ", cname_pause_state(w, pause), ");\n");
    put(w, "}\n\n");
}

/* -- stay with a timeout ------------------------------------------------------------------------------------------- */

/* The target of the timeout, if it has text of the user: both the body and a later turn return it. */
static void emit_late(writer *w, const ir_pause *pause, const ir_step *step)
{
    const ir_outcome *const outcome = &w->unit->outcomes[pause->outcome];
    if (!has_user_text(outcome)) return;
    put_step_head(w, step, cname_pause(w, pause, "late"));
    put(w, ")");
    put_wrapped(w);
    put(w, "\n{\n");
    guard const g = put_placed_guard(w, pause->directives);
    put_place(w, outcome->at);
    put(w, "    ");
    put_return(w, outcome, step, "\n");
    put_guard_end(w, pause->directives, &g);
    put_own_place(w);
    put(w, pause->directives.count ? "    return uf_stay();\n" : "", "}\n\n");
}

static void put_stay_duration(writer *w, const ir_duration *d, const char *parameter)
{
    if (d->kind == IR_DURATION_EXPRESSION) put(w, parameter);
    else put_duration(w, d);
}

static void emit_stay(writer *w, const ir_pause *pause, const ir_step *step)
{
    bool const every = pause->every.kind != IR_DURATION_NONE;
    const char *const state = cname_pause_state(w, pause);
    put_step_head(w, step, cname_pause(w, pause, "stay"));
    if (pause->every.kind == IR_DURATION_EXPRESSION) put(w, ", uf_time uf_every");
    if (pause->timeout.kind == IR_DURATION_EXPRESSION) put(w, ", uf_time uf_timeout");
    put(w, ")\n{\n    if (uf_stay_timed_out(&flow->uf, ", slot_place(w, every ? 1 : 0, "timeout"), ", ");
    put_stay_duration(w, &pause->timeout, "uf_timeout");
    put(w, ")) return ");
    if (has_user_text(&w->unit->outcomes[pause->outcome])) {
        put_step_call(w, step, cname_pause(w, pause, "late"));
        put(w, ")");
    } else {
        put_outcome(w, &w->unit->outcomes[pause->outcome], &w->unit->tasks[step->task]);
    }
    put(w, ";\n    return ");
    put_count(w, COVER_EDGE, pause->again);
    if (every) {
        put(w, "uf_stay_every(&flow->uf, ", slot_place(w, 0, "every"), ", ");
        put_stay_duration(w, &pause->every, "uf_every");
        put(w, ", ", state, ");\n}\n\n");
    } else {
        put(w, "uf_poll(&flow->uf, ", state, ");\n}\n\n");
    }
}

/* The preprocessor omits here what it omits in the body. An omitted pause keeps its states and functions, with empty
 * bodies. */
void emit_pause(writer *w, const ir_pause *pause)
{
    const ir_step *const step = &w->unit->steps[pause->step];
    if (pause->kind == IR_AWAIT) emit_wait(w, pause, step);
    else emit_late(w, pause, step);
    guard const g = put_guard(w, pause->directives);
    if (pause->kind == IR_STAY) emit_stay(w, pause, step);
    else if (pause->slots) emit_await(w, pause, step);
    put_guard_end(w, pause->directives, &g);
    put(w, pause->directives.count ? "\n" : "");
}
