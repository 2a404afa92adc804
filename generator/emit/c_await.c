/* SPDX-License-Identifier: MIT */
/* Emits the function of an await that sets its arms, and the statement of the body that calls it. */
#include "c_parts.h"
#include "fragment.h"
#include "mutants.h"

/* An operand in the await function: a parameter "uf_fd0" for the event in slot 0. If the order of evaluation is
 * visible, it is also a constant of the body. With conditions, it is a member of a struct: the body evaluates only the
 * operands of the arms that the await has. */
static const char *operand(const writer *w, const char *what, const ir_event *event)
{
    return arena_printf(w->names, "uf_%s%u", what, (unsigned)event->slot);
}

static const char *in_await(const writer *w, const ir_pause *pause, const char *operand)
{
    return pause->has_conditions ? ARENA_CONCAT(w->names, "uf_at->", operand) : operand;
}

static const char *run_argument(const writer *w, const ir_event *event, uint32_t index)
{
    const ir_task *const task = &w->unit->tasks[event->task];
    return arena_printf(w->names, "%s_%s", operand(w, "run", event),
                        w->unit->variables[task->params.first + index].name);
}

/* Is it an element of an array of signals or checkpoints? */
static bool is_of_points(const ir_event *event)
{
    return event->is_element && event->kind != ARM_JOB;
}

static bool is_descriptor(const ir_event *event)
{
    return event->kind == ARM_READABLE || event->kind == ARM_WRITABLE;
}

/* Is its operand an expression of one C type, evaluated when the flow reaches the await? */
static bool has_typed_operand(const ir_event *event)
{
    return *operand_infos[arm_infos[event->kind].operand].type && ir_has_text(event->target) && !event->is_element;
}

/* Does the body evaluate a value for the event, which is no run: an index, an operand, or a duration? */
static bool has_value_operand(const ir_event *event)
{
    return event->is_element || has_typed_operand(event) || event->duration.kind == IR_DURATION_EXPRESSION;
}

static const char *value_operand(const writer *w, const ir_event *event)
{
    if (event->is_element) return operand(w, "index", event);
    if (has_typed_operand(event)) return operand(w, is_descriptor(event) ? "fd" : arm_infos[event->kind].word, event);
    return operand(w, arm_is_timeout(event->kind) ? "after" : "hold", event);
}

static const char *type_of_value(const ir_event *event)
{
    if (event->is_element) return is_of_points(event) ? "uf_u32" : "uf_i64";
    return has_typed_operand(event) ? operand_infos[arm_infos[event->kind].operand].type : "uf_time";
}

/* Was the condition of the arm true? "uf_if0" */
static const char *is_there(const writer *w, const ir_arm *arm)
{
    return operand(w, "if", &w->unit->events[arm->events.first]);
}

typedef void arm_writer(writer *w, const ir_pause *pause, const ir_arm *arm);

static void for_each_arm(writer *w, const ir_pause *pause, arm_writer *write)
{
    guard g = {.begin = 0};
    for (uint32_t i = 0; i < pause->arms.count; i++) {
        const ir_arm *const arm = &w->unit->arms[pause->arms.first + i];
        if (!shares_guard(w, pause, i)) g = put_guard(w, arm->directives);
        write(w, pause, arm);
        if (!shares_guard(w, pause, i + 1)) put_guard_end(w, arm->directives, &g);
    }
}

/* -- operands ------------------------------------------------------------------------------------------------------ */

/* A parameter `, int uf_fd0`; a member `    int uf_fd0;`; an assignment ` uf_at.uf_fd0 = flow->fd;`; a constant
 * ` int const uf_fd0 = flow->fd;`; an argument `, uf_fd0`. */
typedef enum operand_use { PARAMETER, MEMBER, ASSIGNMENT, CONSTANT, ARGUMENT } operand_use;

static bool has_value(operand_use use)
{
    return use == ASSIGNMENT || use == CONSTANT;
}

static void put_use(writer *w, operand_use use, const ir_variable *type, const char *name)
{
    static const char *const before[] = {", ", "    ", " uf_at.", " ", ", "}, *const after[] = {"", ";\n", " = ", " = ",
                                                                                                ""};
    put(w, before[use]);
    if (use == ASSIGNMENT || use == ARGUMENT) put(w, name);
    else put_variable(w, type, name, use == CONSTANT);
    put(w, after[use]);
}

static void put_target(writer *w, const ir_event *event)
{
    if (is_of_points(event)) {
        const ir_point *const point = &w->unit->points[event->index];
        put(w, "uf_place(&flow->uf, \"", point->name, "\", ", point->count, ", ");
    }
    if (event->is_element) {
        put_index(w, event->target);
        put(w, is_of_points(event) ? ")" : "");
        return;
    }
    put(w, event->kind == ARM_IDLE ? "&(" : "");
    put_user(w, event->target);
    put(w, event->kind == ARM_IDLE ? ")->uf" : "");
}

/* The arguments for each element are in an array of structs. */
static const char *struct_of_elements(const writer *w, const ir_pause *pause, const ir_event *event)
{
    return ARENA_CONCAT(w->names, "struct uf_", cname_pause(w, pause, operand(w, "run", event)));
}

static void put_loop(writer *w, const ir_event *event)
{
    put(w, "for (uf_u32 uf_i = 0; uf_i < ", each_count(w, event), "; uf_i++)");
}

static void put_arguments_of_elements(writer *w, const ir_event *event, const char *array)
{
    const ir_task *const task = &w->unit->tasks[event->task];
    put(w, " ");
    put_loop(w, event);
    put(w, event->uses_index ? " { int const index = (int)uf_i;" : " {");
    for (uint32_t i = 0; i < task->params.count; i++) {
        put(w, " ", array, "[uf_i].", w->unit->variables[task->params.first + i].name, " = ");
        put_user(w, w->unit->texts[event->values.first + i]);
        put(w, ";");
    }
    put(w, " }");
}

static void put_elements_operands(writer *w, const ir_pause *pause, const ir_event *event, operand_use use)
{
    const char *const type = struct_of_elements(w, pause, event), *const name = operand(w, "run", event);
    if (!w->unit->tasks[event->task].params.count) return;
    switch (use) {
    case PARAMETER: put(w, ", const ", type, " *", name); break;
    case ARGUMENT: put(w, ", ", name); break;
    case MEMBER: put(w, "    ", type, " ", name, "[", each_count(w, event), "];\n"); break;
    case ASSIGNMENT: put_arguments_of_elements(w, event, ARENA_CONCAT(w->names, "uf_at.", name)); break;
    case CONSTANT:
        put(w, " ", type, " ", name, "[", each_count(w, event), "];");
        put_arguments_of_elements(w, event, name);
        break;
    }
}

static void put_run_operands(writer *w, const ir_pause *pause, const ir_event *event, operand_use use)
{
    const ir_task *const task = &w->unit->tasks[event->task];
    if (is_each_run(event)) {
        put_elements_operands(w, pause, event, use);
        return;
    }
    ir_variable const flow = {.before = ARENA_CONCAT(w->names, w->unit->flows[event->flow].name, " *"), .after = ""};
    put_use(w, use, &flow, operand(w, "run", event));
    if (has_value(use)) {
        put_target(w, event);
        put(w, ";");
    }
    for (uint32_t i = 0; i < task->params.count; i++) {
        put_use(w, use, &w->unit->variables[task->params.first + i], run_argument(w, event, i));
        if (!has_value(use)) continue;
        put_user(w, w->unit->texts[event->values.first + i]);
        put(w, ";");
    }
}

/* The count of a signal is always a parameter, and is passed without a change. */
static void put_since(writer *w, const ir_event *event, operand_use use)
{
    if (use == PARAMETER) put(w, event->is_element ? ", const uf_u32 *" : ", uf_u32 ", operand(w, "since", event));
    if (use == ARGUMENT) put(w, ", uf_since_", w->unit->points[event->index].name);
}

static void put_event_operands(writer *w, const ir_pause *pause, const ir_event *event, operand_use use)
{
    if (event->kind == ARM_SIGNAL) put_since(w, event, use);
    if (event->kind == ARM_IDLE && event->each != IR_NONE) return;
    if (event->kind == ARM_RUN) {
        put_run_operands(w, pause, event, use);
        return;
    }
    if (!has_value_operand(event)) return;
    put_use(w, use, &(ir_variable){.before = type_of_value(event), .after = ""}, value_operand(w, event));
    if (!has_value(use)) return;
    if (event->is_element || has_typed_operand(event)) put_target(w, event);
    else put_duration(w, &event->duration);
    put(w, ";");
}

/* Each arm begins on its line of the source; without #line, on a line of its own. */
static void put_arm_begin(writer *w, const ir_arm *arm)
{
    if (w->options->line_directives) put_reach(w, arm->at);
    else put(w, at_line_begin(w) ? "       " : "\n       ", ir_has_text(arm->condition) ? " " : "");
}

static void put_operands(writer *w, const ir_pause *pause, const ir_arm *arm, operand_use use)
{
    IR_EACH (ir_event, event, w->unit->events, arm->events) put_event_operands(w, pause, event, use);
}

/* With conditions, the operands are in a struct, and only counts of signals are passed one by one. */
static void put_passed(writer *w, const ir_pause *pause, const ir_arm *arm, operand_use use)
{
    IR_EACH (ir_event, event, w->unit->events, arm->events) {
        if (!pause->has_conditions) put_event_operands(w, pause, event, use);
        else if (event->kind == ARM_SIGNAL) put_since(w, event, use);
    }
}

static void put_parameters_of(writer *w, const ir_pause *pause, const ir_arm *arm)
{
    put_passed(w, pause, arm, PARAMETER);
}

static void put_arguments_of(writer *w, const ir_pause *pause, const ir_arm *arm)
{
    put_passed(w, pause, arm, ARGUMENT);
}

static bool has_operands(const writer *w, const ir_arm *arm)
{
    IR_EACH (ir_event, event, w->unit->events, arm->events) {
        if (ir_has_text(event->args)) return true;
        if (event->each == IR_NONE && ir_has_text(event->target)) return true;
        if (event->duration.kind == IR_DURATION_EXPRESSION) return true;
    }
    return false;
}

static void put_constants(writer *w, const ir_pause *pause, const ir_arm *arm)
{
    if (!has_operands(w, arm)) return;
    put_arm_begin(w, arm);
    put_operands(w, pause, arm, CONSTANT);
}

static void put_members(writer *w, const ir_pause *pause, const ir_arm *arm)
{
    if (ir_has_text(arm->condition)) put(w, "    uf_bool ", is_there(w, arm), ";\n");
    put_operands(w, pause, arm, MEMBER);
}

static const char *struct_name(const writer *w, const ir_pause *pause)
{
    return ARENA_CONCAT(w->names, "struct uf_", cname_pause(w, pause, "operands"));
}

/* -- setting the arms ---------------------------------------------------------------------------------------------- */

/* Does the function that sets such an arm return whether it is pending? */
static bool tells_pending(arm_kind kind)
{
    return kind == ARM_SIGNAL || kind == ARM_FIRED || kind == ARM_JOB || kind == ARM_ANY || arm_is_timeout(kind);
}

/* Is it an await of one signal, of jobs, or of a timeout only? */
static bool is_lone(const writer *w, const ir_pause *pause)
{
    const ir_arm *const arm = &w->unit->arms[pause->arms.first];
    const arm_kind kind = w->unit->events[arm->events.first].kind;
    if (pause->arms.count != 1 || arm->events.count != 1 || arm->directives.count) return false;
    if (ir_has_text(arm->condition) || *mutant_is(w, MUTANT_ARM, arm->at)) return false;
    return tells_pending(kind);
}

static const char *place_of_named(const writer *w, const ir_event *event)
{
    if (event->kind == ARM_MAILBOX || event->kind == ARM_ROOM || arm_infos[event->kind].operand == OPERAND_POOL)
        return arena_printf(w->names, "&flow->%s", ir_name_of(w->unit, event));
    if (event->kind == ARM_ANY || event->kind == ARM_JOBS || (event->kind == ARM_JOB && event->is_element))
        return arena_printf(w->names, "%u", (unsigned)ir_job_number(w->unit, event->index));
    if (event->kind == ARM_JOB) return job_place(w, &w->unit->jobs[event->index]);
    return point_place(w, &w->unit->points[event->index]);
}

/* Writes the call that sets an arm. For a timeout, a signal and a job the call returns whether the arm is pending. */
static void put_arm_call(writer *w, const ir_pause *pause, const ir_event *event)
{
    bool const is_of_jobs = event->kind == ARM_JOB && event->is_element;
    const char *const value = has_value_operand(event) ? in_await(w, pause, value_operand(w, event)) : "";
    put(w, "uf_arm_", is_of_jobs ? "element" : arm_infos[event->kind].function, "(&flow->uf, ", arm_place(w, event));
    if (event->each != IR_NONE) put(w, ", &flow->", each_name(w, event), "[0].uf");
    else if (is_of_points(event)) put(w, ", &", place_of_named(w, event), "[", value, "]");
    else if (*ir_name_of(w->unit, event)) put(w, ", ", place_of_named(w, event));
    else if (has_typed_operand(event)) put(w, ", ", value);
    if (event->kind == ARM_SIGNAL) put(w, ", ", operand(w, "since", event));
    if (event->kind == ARM_SIGNAL && event->is_element) put(w, "[", value, "]");
    if (is_of_jobs) put(w, ", ", value);
    if (event->kind == ARM_FIRED) put(w, ", uf_signal_now(", value, ")");
    if (arm_is_timeout(event->kind)) {
        put(w, ", ");
        put_timeout(w, &event->duration, value, event->at);
    }
    put(w, ")");
}

static void put_arm_of_event(writer *w, const ir_pause *pause, const ir_event *event, const char *before)
{
    if (event->kind == ARM_RUN || event->slot == IR_NONE) return; /* runs start later, if no other arm is ready */
    put(w, "    ", before, tells_pending(event->kind) ? "(void)" : "");
    put_arm_call(w, pause, event);
    put(w, ";");
    if (mutates(w)) put_wrapped(w);
    put(w, "\n");
    if (event->operand_slot == IR_NONE) return;
    put(w, "    ", before, "uf_arm_operand(&flow->uf, ", operand_place(w, event), ", ",
        in_await(w, pause, value_operand(w, event)), ");\n");
}

/* Is the arm set? "": always. */
static const char *is_set(const writer *w, const ir_pause *pause, const ir_arm *arm)
{
    const char *const there = ir_has_text(arm->condition) ? in_await(w, pause, is_there(w, arm)) : "";
    const char *const left_out = mutant_is(w, MUTANT_ARM, arm->at);
    if (!*left_out) return there;
    return ARENA_CONCAT(w->names, "!", left_out, *there ? " && " : "", there);
}

static void put_arm(writer *w, const ir_pause *pause, const ir_arm *arm)
{
    const ir_event *const events = &w->unit->events[arm->events.first];
    const char *before = "", *const there = is_set(w, pause, arm);
    if (*there && events->slot != IR_NONE) {
        const char *const left_out = mutant_is(w, MUTANT_ARM, arm->at);
        bool const is_conditional = ir_has_text(arm->condition);
        before = ARENA_CONCAT(w->names, "if (", there, ") ");
        put(w, "    if (", left_out, *left_out && is_conditional ? " || " : "");
        if (is_conditional) put(w, "!", in_await(w, pause, is_there(w, arm)));
        put_line(w, ") uf_arm_none(&flow->uf, ", arm_place(w, events), ");");
    }
    for (uint32_t i = 0; i < arm->events.count; i++) put_arm_of_event(w, pause, &events[i], before);
}

/* The flow parks without a call of `wait`: uf_arm_...() returns whether the arm is pending. */
static void put_lone(writer *w, const ir_pause *pause)
{
    const ir_event *const event = &w->unit->events[w->unit->arms[pause->arms.first].events.first];
    put(w, "    if (");
    put_arm_call(w, pause, event);
    put_line(w, ") return uf_park(&flow->uf, ", cname_pause_state(w, pause), ");");
}

/* Starts a run. `there`: a condition that comes first. `arguments`: what stands before their names. */
static void put_start(writer *w, const char *indent, const ir_event *event, const char *there, const char *arm,
                      const char *child, const char *arguments)
{
    const ir_task *const task = &w->unit->tasks[event->task];
    put(w, indent, "if (", there, durable_prefix(w, event), "arm_run(&flow->uf, ", arm, ", (uf_flow *)", child, ", ",
        task->result_class, ")) {\n");
    put(w, indent, "    uf_arm_started(&flow->uf, ", arm, ", ", cname_for_task(w, task, "start"), "(", child);
    put_arguments(w, task->params, arguments);
    put_line(w, "));");
    put(w, indent, "}\n");
}

/* In `first`, an element that does not start has failed, and the others start all the same. */
static void put_each_run(writer *w, const ir_event *event, const char *run, const char *there)
{
    const char *const arm = ARENA_CONCAT(w->names, arm_place(w, event), " + uf_i");
    const char *const element = ARENA_CONCAT(w->names, "&flow->", each_name(w, event), "[uf_i]");
    put(w, "    ");
    if (*there) put(w, "if (", there, ") ");
    put_loop(w, event);
    put(w, " {\n");
    put_start(w, "        ", event, "", arm, element, ARENA_CONCAT(w->names, run, "[uf_i]."));
    if (event->is_first) put(w, "        uf_arm_tried(&flow->uf, ", arm, ");\n");
    put(w, "    }\n");
}

static void put_runs(writer *w, const ir_pause *pause, const ir_arm *arm)
{
    const char *const there = is_set(w, pause, arm);
    const char *const before = *there ? ARENA_CONCAT(w->names, there, " && ") : "";
    IR_EACH (ir_event, event, w->unit->events, arm->events) {
        const char *const run = in_await(w, pause, operand(w, "run", event));
        if (is_each_run(event)) put_each_run(w, event, run, there);
        else if (event->kind == ARM_RUN)
            put_start(w, "    ", event, before, arm_place(w, event), run, ARENA_CONCAT(w->names, run, "_"));
    }
}

static void put_any(writer *w, const ir_pause *pause, const ir_arm *arm)
{
    bool const is_conditional = ir_has_text(arm->condition);
    put(w, "    uf_any |= ", is_conditional ? in_await(w, pause, is_there(w, arm)) : "1", ";\n");
}

static void put_nothing_left(writer *w, const ir_pause *pause)
{
    put(w, "    uf_bool uf_any = 0;\n");
    for_each_arm(w, pause, put_any);
    put(w, "    if (!uf_any) return uf_fail(&flow->uf, \"nothing to wait for\");\n");
}

static bool has_condition_outside_directives(const writer *w, const ir_pause *pause)
{
    IR_EACH (ir_arm, arm, w->unit->arms, pause->arms) {
        if (ir_has_text(arm->condition) && !arm->directives.count) return true;
    }
    return false;
}

static void emit_struct(writer *w, const ir_pause *pause)
{
    put(w, struct_name(w, pause), " {\n");
    if (!has_condition_outside_directives(w, pause)) put(w, "    uf_bool uf_unused; /* C has no empty struct */\n");
    for_each_arm(w, pause, put_members);
    put(w, "};\n\n");
}

/* Polls the descriptors when the flow reaches the await, unless no other arm can be ready then. */
static void put_look(writer *w, const ir_pause *pause)
{
    bool has_descriptor = false, has_other = false;
    for (uint32_t i = 0; i < pause->arms.count; i++) {
        const ir_event *const event = &w->unit->events[w->unit->arms[pause->arms.first + i].events.first];
        bool const is_later =
            arm_is_timeout(event->kind) && event->duration.kind == IR_DURATION_LITERAL && event->duration.ns > 0;
        has_descriptor |= is_descriptor(event);
        has_other |= !is_descriptor(event) && !is_later;
    }
    if (!has_descriptor || !has_other) return;
    put(w, "    uf_look(&flow->uf, ", pause->has_until || pause->has_run ? "1" : "0", ");\n");
}

static void put_struct_of_elements(writer *w, const ir_pause *pause, const ir_arm *arm)
{
    IR_EACH (ir_event, event, w->unit->events, arm->events) {
        const ir_range params = event->kind == ARM_RUN ? w->unit->tasks[event->task].params : (ir_range){0, 0};
        if (!is_each_run(event) || !params.count) continue;
        put(w, struct_of_elements(w, pause, event), " {\n");
        put_variables(w, params, "    ", ";\n");
        put(w, "};\n\n");
    }
}

void emit_await(writer *w, const ir_pause *pause)
{
    for_each_arm(w, pause, put_struct_of_elements);
    if (pause->has_conditions) emit_struct(w, pause);
    put(w, "UF_NOINLINE ");
    put_pause_head(w, pause, "await");
    if (pause->has_conditions) put(w, ", const ", struct_name(w, pause), " *uf_at");
    for_each_arm(w, pause, put_parameters_of);
    put_line(w, ")");
    put(w, "{\n");
    if (pause->may_lack_arms) put_nothing_left(w, pause);
    if (is_lone(w, pause)) put_lone(w, pause);
    else for_each_arm(w, pause, put_arm);
    put_look(w, pause);
    if (pause->has_run && pause->has_other) {
        put(w, "    uf_intent const uf_at_once = ");
        put_wait_call(w, pause, false);
        put(w, ";\n    if (!uf_intent_is(uf_at_once, ", pause->has_until ? "UF_INTENT_POLL)" : "UF_INTENT_PARK)");
        put(w, pause->may_lack_until ? " && !uf_intent_is(uf_at_once, UF_INTENT_PARK)" : "", ") return uf_at_once;\n");
    }
    for_each_arm(w, pause, put_runs);
    if (pause->may_lack_run && pause->has_other) put(w, "    if (!uf_polled(&flow->uf)) return uf_at_once;\n");
    put(w, "    return ");
    put_wait_call(w, pause, false);
    put(w, ";\n}\n\n");
}

/* -- the statement of the body ------------------------------------------------------------------------------------- */

static void put_value(writer *w, const ir_event *event)
{
    if (event->kind == ARM_SIGNAL) put(w, ", uf_since_", w->unit->points[event->index].name);
    if (event->each != IR_NONE) return;
    if (ir_has_text(event->target)) {
        if (at_line_begin(w)) put_reach(w, event->target);
        put(w, ", ");
        put_reach(w, event->target);
        put_target(w, event);
    }
    put_further(w, event->args);
    if (event->duration.kind == IR_DURATION_EXPRESSION) {
        if (at_line_begin(w)) put_reach(w, event->duration.text);
        put(w, ", ");
        put_duration(w, &event->duration);
    }
}

static void put_values(writer *w, const ir_pause *pause, const ir_arm *arm)
{
    (void)pause;
    for (uint32_t i = 0; i < arm->events.count; i++) put_value(w, &w->unit->events[arm->events.first + i]);
}

static void put_evaluation(writer *w, const ir_pause *pause, const ir_arm *arm)
{
    put_arm_begin(w, arm);
    if (!ir_has_text(arm->condition)) {
        put_operands(w, pause, arm, ASSIGNMENT);
        return;
    }
    uint32_t const index = (uint32_t)(arm - w->unit->arms);
    put(w, "if (");
    put_condition_of(w, arm->condition);
    put(w, ") {");
    put_count_call(w, COVER_TRUE, index, " ", ";");
    put(w, " uf_at.", is_there(w, arm), " = 1;");
    put_operands(w, pause, arm, ASSIGNMENT);
    put(w, " }");
    put_count_call(w, COVER_FALSE, index, " else ", ";");
}

static bool has_order(const writer *w, const ir_pause *pause)
{
    bool matters = false;
    moment before = AT_ANY_TIME;
    IR_EACH (ir_arm, arm, w->unit->arms, pause->arms) {
        IR_EACH (ir_event, event, w->unit->events, arm->events) {
            if (is_each_run(event) && ir_has_text(event->args)) return true; /* a loop evaluates them */
            if (event->each != IR_NONE) continue;
            moment const arguments = moment_of_all(w, event->values);
            moment const here =
                later_of(arguments, later_of(moment_of(event->target), moment_of(event->duration.text)));
            matters |= order_matters(before, here);
            before = later_of(before, here);
        }
    }
    return matters;
}

/* Evaluates the operands one by one, in a block. */
static void put_block_of_await(writer *w, const ir_pause *pause)
{
    put(w, "{");
    if (pause->has_conditions) put(w, " ", struct_name(w, pause), " uf_at = UF_UNSET;");
    for_each_arm(w, pause, pause->has_conditions ? put_evaluation : put_constants);
    put(w, w->options->line_directives || at_line_begin(w) ? " " : "\n        ");
    put_pause_return(w, pause, "await");
    if (pause->has_conditions) put(w, ", &uf_at");
    for_each_arm(w, pause, put_arguments_of);
    put(w, "); }");
}

void put_await_statement(writer *w, const ir_pause *pause)
{
    if (pause->has_conditions || has_order(w, pause)) {
        put_block_of_await(w, pause);
        return;
    }
    put_pause_return(w, pause, pause->slots ? "await" : "wait");
    for_each_arm(w, pause, put_values);
    put(w, ");");
}
