/* Emits the function of an await that sets its arms, and the statement of the body that calls it. */
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

/* Is it an await of one signal, of jobs, or of a timeout only? */
static bool is_lone(const writer *w, const ir_pause *pause)
{
    const ir_arm *const arm = &w->unit->arms[pause->arms.first];
    const arm_kind kind = w->unit->events[arm->events.first].kind;
    if (pause->arms.count != 1 || arm->events.count != 1 || arm->directives.count) return false;
    return kind == ARM_SIGNAL || kind == ARM_FIRED || kind == ARM_JOB || kind == ARM_ANY || kind == ARM_TIMEOUT;
}

static bool is_element(const ir_event *event)
{
    return event->kind == ARM_JOB && ir_has_text(event->target);
}

/* -- setting the arms ---------------------------------------------------------------------------------------------- */

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
    } else if (is_element(event)) {
        put(w, ", uf_i64 ", operand(w, "index", event));
    } else if (has_typed_operand(event)) {
        put(w, ", ", operand_infos[arm_infos[event->kind].operand].type, typed_operand(w, event));
    } else if (event->duration.kind == IR_DURATION_EXPRESSION) {
        put(w, ", uf_time ", operand(w, event->kind == ARM_TIMEOUT ? "after" : "hold", event));
    }
}

static const char *place_of_named(const writer *w, const ir_event *event)
{
    if (event->kind == ARM_MAILBOX) return arena_printf(w->names, "&flow->%s", ir_name_of(w->unit, event));
    if (is_element(event) || event->kind == ARM_ANY || event->kind == ARM_JOBS)
        return arena_printf(w->names, "%u", (unsigned)ir_job_number(w->unit, event->index));
    if (event->kind == ARM_JOB) return job_place(w, &w->unit->jobs[event->index]);
    return point_place(w, &w->unit->points[event->index]);
}

/* Writes the call that sets an arm. For a timeout, a signal and a job the call returns whether the arm is pending. */
static void put_arm_call(writer *w, const ir_event *event)
{
    put(w, "uf_arm_", is_element(event) ? "element" : arm_infos[event->kind].function, "(&flow->uf, ",
        arm_place(w, event->slot));
    if (*ir_name_of(w->unit, event)) put(w, ", ", place_of_named(w, event));
    else if (has_typed_operand(event)) put(w, ", ", typed_operand(w, event));
    if (event->kind == ARM_SIGNAL) put(w, ", ", operand(w, "since", event));
    if (is_element(event)) put(w, ", ", operand(w, "index", event));
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

void emit_await(writer *w, const ir_pause *pause, const ir_step *step)
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

/* -- its call in the body ------------------------------------------------------------------------------------------ */

static void put_operand(writer *w, const ir_event *event)
{
    if (event->kind == ARM_SIGNAL) put(w, ", uf_since_", w->unit->points[event->index].name);
    if (ir_has_text(event->target)) {
        if (at_line_begin(w)) put_reach(w, event->target);
        put(w, ", ");
        put_reach(w, event->target);
        put(w, event->kind == ARM_IDLE ? "&(" : is_element(event) ? "(uf_i64)(" : "");
        put_user(w, event->target);
        put(w, event->kind == ARM_IDLE ? ")->uf" : is_element(event) ? ")" : "");
    }
    if (ir_has_text(event->args)) {
        put(w, ", ");
        put_user(w, event->args);
    }
    if (event->duration.kind == IR_DURATION_EXPRESSION) {
        if (at_line_begin(w)) put_reach(w, event->duration.text);
        put(w, ", ");
        put_duration(w, &event->duration);
    }
}

void put_await_statement(writer *w, const ir_pause *pause)
{
    put(w, "return ");
    put_step_call(w, &w->unit->steps[pause->step], cname_pause(w, pause, pause->slots ? "await" : "wait"));
    for_each_event(w, pause, put_operand);
    put(w, ");");
}
