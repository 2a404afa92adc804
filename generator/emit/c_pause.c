/* Emits awaits and stays. An await becomes two functions: `await` sets the arms, and `wait` decides, at once and at
 * each later turn. A stay with a timeout becomes one function. */
#include "c_parts.h"
#include "cname.h"
#include "fragment.h"

/* A parameter of the await function for an operand of the event in this slot: "uf_run0". */
static const char *operand(const writer *w, const char *what, const ir_event *event)
{
    return arena_printf(w->names, "uf_%s%u", what, (unsigned)event->slot);
}

static const char *run_argument(const writer *w, const ir_event *event, uint32_t index)
{
    const ir_task *const task = &w->unit->tasks[event->task];
    return arena_printf(w->names, "%s_%s", operand(w, "run", event),
                        w->unit->variables[task->params.first + index].name);
}

typedef void event_writer(writer *w, const ir_event *event);

static void for_each_event(writer *w, const ir_pause *pause, event_writer *write)
{
    guard g = {.begin = 0};
    for (uint32_t i = 0; i < pause->arms.count; i++) {
        const ir_arm *const arm = &w->unit->arms[pause->arms.first + i];
        if (!shares_guard(w, pause, i)) g = put_guard(w, arm->directives);
        for (uint32_t j = 0; j < arm->events.count; j++) write(w, &w->unit->events[arm->events.first + j]);
        if (!shares_guard(w, pause, i + 1)) put_guard_end(w, arm->directives, &g);
    }
}

/* Is it an await of one signal, of one job, or of a timeout only? */
static bool is_lone(const writer *w, const ir_pause *pause)
{
    const ir_arm *const arm = &w->unit->arms[pause->arms.first];
    const arm_kind kind = w->unit->events[arm->events.first].kind;
    if (pause->arms.count != 1 || arm->events.count != 1 || arm->directives.count) return false;
    return kind == ARM_SIGNAL || kind == ARM_FIRED || kind == ARM_JOB || kind == ARM_TIMEOUT;
}

/* -- await: setting the arms --------------------------------------------------------------------------------------- */

static bool is_descriptor(const ir_event *event)
{
    return event->kind == ARM_READABLE || event->kind == ARM_WRITABLE;
}

/* Is its operand an expression of one C type, evaluated when the flow reaches the await? */
static bool has_typed_operand(const ir_event *event)
{
    return *operand_infos[arm_infos[event->kind].operand].type && ir_has_text(event->target);
}

static const char *typed_operand(const writer *w, const ir_event *event)
{
    return operand(w, is_descriptor(event) ? "fd" : arm_infos[event->kind].word, event);
}

static void put_operand_parameters(writer *w, const ir_event *event)
{
    if (event->kind == ARM_RUN) {
        const ir_task *const task = &w->unit->tasks[event->task];
        put(w, ", ", w->unit->flows[event->flow].name, " *", operand(w, "run", event));
        for (uint32_t i = 0; i < task->params.count; i++) {
            put(w, ", ");
            put_variable(w, &w->unit->variables[task->params.first + i], run_argument(w, event, i), false);
        }
    } else if (event->kind == ARM_SIGNAL) {
        put(w, ", uf_u32 ", operand(w, "since", event));
    } else if (has_typed_operand(event)) {
        put(w, ", ", operand_infos[arm_infos[event->kind].operand].type, typed_operand(w, event));
    } else if (event->duration.kind == IR_DURATION_EXPRESSION) {
        put(w, ", uf_time ", operand(w, event->kind == ARM_TIMEOUT ? "after" : "hold", event));
    }
}

static const char *place_of_named(const writer *w, const ir_event *event)
{
    if (event->kind == ARM_MAILBOX) return arena_printf(w->names, "&flow->%s", ir_name_of(w->unit, event));
    if (event->kind == ARM_JOB) return job_place(w, &w->unit->jobs[event->index]);
    return point_place(w, &w->unit->points[event->index]);
}

/* Writes the call that sets an arm. For a timeout, a signal and a job the call returns whether the arm is pending. */
static void put_arm_call(writer *w, const ir_event *event)
{
    put(w, "uf_arm_", arm_infos[event->kind].function, "(&flow->uf, ", arm_place(w, event->slot));
    if (*ir_name_of(w->unit, event)) put(w, ", ", place_of_named(w, event));
    else if (has_typed_operand(event)) put(w, ", ", typed_operand(w, event));
    if (event->kind == ARM_SIGNAL) put(w, ", ", operand(w, "since", event));
    if (event->kind == ARM_FIRED) put(w, ", uf_signal_now(", typed_operand(w, event), ")");
    if (event->kind == ARM_TIMEOUT) {
        put(w, ", ");
        if (event->duration.kind == IR_DURATION_EXPRESSION) put(w, operand(w, "after", event));
        else put_duration(w, &event->duration);
    }
    put(w, ")");
}

static void put_arm(writer *w, const ir_event *event)
{
    if (event->kind == ARM_RUN || event->slot == IR_NONE) return; /* runs start later, if no other arm is ready */
    put(w, "    ");
    put_arm_call(w, event);
    put(w, ";\n");
    if (event->operand_slot == IR_NONE) return;
    put(w, "    uf_arm_operand(&flow->uf, ", arm_place(w, event->operand_slot), ", ", operand(w, "hold", event),
        ");\n");
}

/* The flow parks without a call of `wait`: uf_arm_...() returns whether the arm is pending. */
static void put_lone(writer *w, const ir_pause *pause)
{
    const ir_event *const event = &w->unit->events[w->unit->arms[pause->arms.first].events.first];
    put(w, "    if (");
    put_arm_call(w, event);
    put(w, ") return uf_park(&flow->uf, ", cname_pause_state(w, pause), ");\n");
}

static void put_run(writer *w, const ir_event *event)
{
    if (event->kind != ARM_RUN) return;
    const ir_task *const task = &w->unit->tasks[event->task];
    const char *const run = operand(w, "run", event), *const arm = arm_place(w, event->slot);
    put(w, "    if (uf_arm_run(&flow->uf, ", arm, ", &", run, "->uf, ", task->result_class, "))\n");
    put(w, "        uf_arm_started(&flow->uf, ", arm, ", ", cname_for_task(w, task, "start"), "(", run);
    for (uint32_t i = 0; i < task->params.count; i++) put(w, ", ", run_argument(w, event, i));
    put(w, "));");
    put_wrapped(w);
    put(w, "\n");
}

/* Descriptors are looked at when the flow reaches the await, unless no other arm can be ready then. */
static void put_look(writer *w, const ir_pause *pause)
{
    bool has_descriptor = false, has_other = false;
    for (uint32_t i = 0; i < pause->arms.count; i++) {
        const ir_event *const event = &w->unit->events[w->unit->arms[pause->arms.first + i].events.first];
        bool const is_later =
            event->kind == ARM_TIMEOUT && event->duration.kind == IR_DURATION_LITERAL && event->duration.ns > 0;
        has_descriptor |= is_descriptor(event);
        has_other |= !is_descriptor(event) && !is_later;
    }
    if (!has_descriptor || !has_other) return;
    put(w, "    uf_look(&flow->uf, ", pause->has_until || pause->has_run ? "true" : "false", ");\n");
}

static void emit_await(writer *w, const ir_pause *pause, const ir_step *step)
{
    const char *const wait = cname_pause(w, pause, "wait");
    put(w, "UF_NOINLINE ");
    put_step_head(w, step, cname_pause(w, pause, "await"));
    for_each_event(w, pause, put_operand_parameters);
    put(w, ")");
    put_wrapped(w);
    put(w, "\n{\n");
    if (is_lone(w, pause)) put_lone(w, pause);
    else for_each_event(w, pause, put_arm);
    put_look(w, pause);
    if (pause->has_run && pause->has_other) {
        put(w, "    uf_intent const uf_at_once = ");
        put_step_call(w, step, wait);
        put(w, ");\n    if (!uf_intent_is(uf_at_once, ", pause->has_until ? "UF_INTENT_POLL)" : "UF_INTENT_PARK)");
        put(w, pause->may_lack_until ? " && !uf_intent_is(uf_at_once, UF_INTENT_PARK)" : "", ") return uf_at_once;\n");
    }
    for_each_event(w, pause, put_run);
    if (pause->may_lack_run && pause->has_other) put(w, "    if (!uf_polled(&flow->uf)) return uf_at_once;\n");
    put(w, "    return ");
    put_step_call(w, step, wait);
    put(w, ");\n}\n\n");
}

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

static void put_until(writer *w, const ir_event *event, bool polls_once)
{
    put(w, "    if (", polls_once ? "!uf_polled(&flow->uf) && " : "");
    if (event->slot == IR_NONE) {
        put(w, polls_once ? "(" : "");
        put_user(w, event->condition);
        put(w, polls_once ? ")" : "");
        return;
    }
    put(w, "uf_held(&flow->uf, ", arm_place(w, event->slot), ", ");
    put_argument(w, event->condition);
    put(w, ", ");
    if (event->operand_slot == IR_NONE) put_duration(w, &event->duration);
    else put(w, "uf_operand(", arm_place(w, event->operand_slot), ")");
    put(w, ")");
}

static void put_success(writer *w, const ir_arm *arm, const ir_outcome *outcome, const ir_step *step)
{
    const ir_event *const event = &w->unit->events[arm->events.first];
    put(w, "    if (");
    for (uint32_t i = 0; i < arm->events.count; i++)
        put(w, i ? " && " : "", arm_has(event[i].kind, EVALUATED) ? "uf_evaluate(&flow->uf, " : "uf_ready(",
            arm_place(w, event[i].slot), ")");
    if (!outcome->uses_result || event->kind != ARM_RUN) {
        put_decision(w, outcome, step);
        return;
    }
    const ir_task *const task = &w->unit->tasks[event->task];
    put(w, ") {\n        ");
    put_variable(w, &task->result, "result", true);
    put(w, " = ((const ", w->unit->flows[event->flow].name, " *)uf_child(", arm_place(w, event->slot), "))->uf_result.",
        task->name, ";\n");
    put_place(w, outcome->at);
    put(w, "        ");
    put_return(w, outcome, step, "\n    }\n");
}

/* The name that prefixes the reason of a failure without `else`. */
static const char *source_of(const writer *w, const ir_event *event)
{
    if (event->kind == ARM_RUN)
        return ARENA_CONCAT(w->names, w->unit->flows[event->flow].name, ".", w->unit->tasks[event->task].name);
    const char *const name = ir_name_of(w->unit, event);
    return *name ? name : arm_infos[event->kind].word;
}

static void put_failures_handed_on(writer *w, const ir_arm *arm)
{
    for (uint32_t i = 0; i < arm->events.count; i++) {
        const ir_event *const event = &w->unit->events[arm->events.first + i];
        if (!arm_has(event->kind, CAN_FAIL)) continue;
        const char *const place = arm_place(w, event->slot);
        put_own_place(w);
        put(w, "    if (uf_failed(", place, ")) return uf_arm_failure(&flow->uf, ", place, ", \"", source_of(w, event),
            "\");\n");
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
        last = arm_place(w, event->slot);
    }
    put(w, "uf_reason(&flow->uf, ", last, ")");
}

static void put_any_failed(writer *w, const ir_arm *arm)
{
    const char *between = "";
    for (uint32_t i = 0; i < arm->events.count; i++) {
        const ir_event *const event = &w->unit->events[arm->events.first + i];
        if (!arm_has(event->kind, CAN_FAIL)) continue;
        put(w, between, "uf_failed(", arm_place(w, event->slot), ")");
        between = " || ";
    }
}

static void put_else(writer *w, const ir_arm *arm, const ir_outcome *otherwise, const ir_step *step)
{
    put_outcome_place(w, otherwise);
    put(w, "    if (");
    put_any_failed(w, arm);
    if (!otherwise->uses_reason) {
        put_decision(w, otherwise, step);
        return;
    }
    put(w, ") {\n        const char *const reason = ");
    put_reason(w, arm);
    put(w, ";\n");
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
        put_until(w, event, pause->has_run);
        put_decision(w, outcome, step);
    } else {
        put_outcome_place(w, outcome);
        put_success(w, arm, outcome, step);
    }
    if (!arm->all) put_failure(w, arm, step);
}

/* In a function with text of the user, its directives are also on their own lines. */
static guard put_placed_guard(writer *w, ir_range directives)
{
    if (directives.count) put_place(w, w->unit->directives[directives.first].text);
    return put_guard(w, directives);
}

/* If the preprocessor can omit every condition, the flow polls only in compilations that have one. */
static void put_poll(writer *w, const ir_pause *pause)
{
    for (uint32_t i = 0; i < pause->arms.count; i++) {
        const ir_arm *const arm = &w->unit->arms[pause->arms.first + i];
        if (w->unit->events[arm->events.first].kind != ARM_UNTIL) continue;
        if (!pause->may_lack_until && arm->directives.count) continue; /* another arm is always there */
        guard const g = put_guard(w, arm->directives);
        put(w, "    return uf_poll(&flow->uf, ", cname_pause_state(w, pause), ");\n");
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
    put(w, ")\n{\n    if (uf_stay_timed_out(&flow->uf, ", arm_place(w, every ? 1 : 0), ", ");
    put_stay_duration(w, &pause->timeout, "uf_timeout");
    put(w, ")) return ");
    if (has_user_text(&w->unit->outcomes[pause->outcome])) {
        put_step_call(w, step, cname_pause(w, pause, "late"));
        put(w, ")");
    } else {
        put_outcome(w, &w->unit->outcomes[pause->outcome], &w->unit->tasks[step->task]);
    }
    put(w, ";\n    return ");
    if (every) {
        put(w, "uf_stay_every(&flow->uf, ", arm_place(w, 0), ", ");
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
