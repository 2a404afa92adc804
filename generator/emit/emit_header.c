/* SPDX-License-Identifier: MIT */
/* The .h file: structs of tasks and flows, and the functions that use them. */
#include <ctype.h>
#include <string.h>

#include "c_parts.h"
#include "forms.h"
#include "fragment.h"

/* Names the guard after a flow or signal, which is unique in a program. Other files may have namesakes in other
 * directories, so a digest distinguishes them. */
static const char *include_guard(const writer *w)
{
    if (w->unit->own_count) return arena_printf(w->names, "UF_HEADER_OF_%s", w->unit->flows[0].name);
    if (w->unit->own_point_count) return arena_printf(w->names, "UF_HEADER_OF_%s", w->unit->points[0].name);
    const char *base = strrchr(w->options->header_name, '/');
    char *const name = arena_printf(w->names, "UF_HEADER_%s", base ? base + 1 : w->options->header_name);
    for (char *p = name; *p; p++) {
        if (!isalnum((unsigned char)*p)) *p = '_';
    }
    uint64_t const digest = w->unit->digest;
    return arena_printf(w->names, "%s_%08x%08x", name, (unsigned)(digest >> 32), (unsigned)(digest & UINT32_MAX));
}

/* Includes "sub/axis.h" for "sub/axis.uflow". */
static void put_import(writer *w, const char *path)
{
    const char *const dot = strrchr(path, '.');
    size_t const length = dot && !strchr(dot, '/') ? (size_t)(dot - path) : strlen(path);
    put_include(w, arena_printf(w->names, "%.*s.h", (int)length, path));
}

void put_field_line(writer *w, const ir_field *field)
{
    put_at(w, field->at, "    ", field->text, ";", field->comment, "\n");
}

/* Writes parameters as fields. Parameters of one source line stay on one line, to keep their places. */
static void put_parameter_lines(writer *w, ir_range params)
{
    for (uint32_t i = 0; i < params.count; i++) {
        const ir_variable *const v = &w->unit->variables[params.first + i];
        bool const joins = i > 0 && w->options->line_directives && ir_line(v[-1].at) == ir_line(v->at);
        if (!joins) put(w, i ? "\n" : "");
        if (!joins) put_place(w, v->at);
        put(w, joins ? " " : "    ");
        put_variable(w, v, NULL, false);
        put(w, ";");
    }
    put(w, params.count ? "\n" : "");
}

static void put_step_arguments(writer *w, const ir_step *step)
{
    put_at(w, step->at, "        struct { ");
    put_variables(w, step->params, "", "; ");
    put(w, "} ", step->name, ";\n");
}

static bool has_arguments(const writer *w, const ir_task *task)
{
    for (uint32_t i = 0; i < task->steps.count; i++) {
        if (w->unit->steps[task->steps.first + i].params.count) return true;
    }
    return false;
}

/* The brackets of an array. */
static void put_brackets(writer *w, span count)
{
    if (!ir_has_text(count)) return;
    put(w, "[");
    put_user(w, count);
    put(w, "]");
}

/* The result type of the worker and the name are text of the user, from different lines. */
static void put_job_line(writer *w, const ir_job *job)
{
    const ir_worker *const worker = &w->unit->workers[job->worker];
    put_at(w, worker->has_result ? worker->result.at : job->at, "    struct {");
    put_handle_members(w, worker);
    bool const is_split = worker->has_result && w->options->line_directives;
    put(w, is_split ? "\n" : "");
    put_at(w, job->at, is_split ? "    } " : " } ", job->name);
    put_brackets(w, job->count);
    put(w, ";\n");
}

static bool has_members(const writer *w, const ir_task *task)
{
    for (uint32_t i = 0; i < task->fields.count; i++) {
        if (w->unit->fields[task->fields.first + i].has_name) return true;
    }
    return task->params.count || task->jobs.count;
}

static void emit_task_struct(writer *w, const ir_task *task)
{
    const char *const type = cname_task(w, task);
    put(w, "/* The state of a run of task ", task->name, ". */\ntypedef struct ", type, " {\n");
    put_parameter_lines(w, task->params);
    for (uint32_t i = 0; i < task->jobs.count; i++) put_job_line(w, &w->unit->jobs[task->jobs.first + i]);
    for (uint32_t i = 0; i < task->fields.count; i++) put_field_line(w, &w->unit->fields[task->fields.first + i]);
    put_own_place(w);
    if (has_arguments(w, task)) {
        put(w, "    union { /* arguments of the current step */\n");
        IR_EACH (ir_step, step, w->unit->steps, task->steps) {
            if (step->params.count) put_step_arguments(w, step);
        }
        put_own(w, "    } uf_args;\n");
    } else if (!has_members(w, task)) {
        put(w, "    char uf_none; /* it has none, and a struct has to have a member */\n");
    }
    put(w, "} ", type, ";\n\n");
}

/* Writes a mailbox and the storage of its items. */
static void put_mailbox_lines(writer *w, const ir_mailbox *mailbox)
{
    const char *const name = mailbox->item.name;
    const span capacity = mailbox->capacity;
    put_at(w, mailbox->item.at, "    uf_mailbox ", name, "; ");
    put_variable(w, &mailbox->item,
                 ARENA_CONCAT(w->names, cname_stored(w, "items", name), "[", user_text(w, capacity), "]"), false);
    put(w, "; uf_u8 ", cname_stored(w, "turns", name));
    put_brackets(w, capacity);
    put(w, ";\n");
}

/* The members of a pool come last in the struct: see put_tail(). With `struct`, a member may have the name of its flow
 * in C++, too. */
static void put_subflow(writer *w, const ir_subflow *subflow)
{
    const char *const name = subflow->name;
    put_place(w, subflow->at);
    if (subflow->is_pool) {
        put(w, "    uf_members ", name, ";");
        if (subflow->has_ends) put(w, " uf_ends ", cname_stored(w, "ends", name), ";");
        put(w, "\n");
        return;
    }
    put(w, "    struct ", w->unit->flows[subflow->flow].name, " ", name);
    put_brackets(w, subflow->count);
    if (ir_has_text(subflow->count)) {
        put(w, "; char ", cname_stored(w, "names", name));
        put_brackets(w, subflow->count);
        put(w, "[UF_ELEMENT_NAME_SIZE(\"", name, "\")]");
    }
    put(w, ";\n");
}

/* Storage that an init does not touch. */
static void put_tail(writer *w, const ir_member *member)
{
    if (ir_is_subflow_with_pools(w->unit, member)) put_subflow(w, &member->subflow);
    if (!ir_is_pool(member)) return;
    const ir_subflow *const pool = &member->subflow;
    put_at(w, pool->at, "    struct { struct ", w->unit->flows[pool->flow].name, " uf_flow_of; uf_member uf_own; ",
           "char uf_name_of[UF_ELEMENT_NAME_SIZE(\"", pool->name, "\")]; } ", cname_stored(w, "members", pool->name));
    put_brackets(w, pool->count);
    put(w, ";\n");
}

static void put_member(writer *w, const ir_member *member)
{
    switch (member->kind) {
    case IR_MEMBER_FIELD: put_field_line(w, &member->field); break;
    case IR_MEMBER_SUBFLOW:
        if (!ir_is_subflow_with_pools(w->unit, member)) put_subflow(w, &member->subflow);
        break;
    case IR_MEMBER_POINT: {
        const ir_point *const point = &w->unit->points[member->index];
        put_at(w, point->at, "    uf_", point_kind(point), " ", point->name, point_size(w, point), ";\n");
        break;
    }
    case IR_MEMBER_MAILBOX: put_mailbox_lines(w, &w->unit->mailboxes[member->index]); break;
    }
}

static void put_results(writer *w, const ir_flow *flow)
{
    put(w, "    union { /* result of the last run, if it ended done */\n");
    IR_EACH (ir_task, task, w->unit->tasks, flow->tasks) {
        if (!task->has_result) continue;
        put_at(w, task->result.at, "        ");
        put_variable(w, &task->result, task->name, false);
        put(w, ";\n");
    }
    put_own(w, "    } uf_result;\n");
}

/* An array whose elements are run has one arm among the counted ones, and others for its further elements. */
static void put_arms(writer *w, const ir_flow *flow, uint32_t count, const char *name, bool in_waits)
{
    put(w, "    uf_arm ", name, "[", count);
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        if (m->kind != IR_MEMBER_SUBFLOW) continue;
        uint32_t const times = in_waits ? m->subflow.in_waits : m->subflow.in_preempts;
        if (!times) continue;
        put(w, " + ");
        if (times > 1) put(w, times, " * ");
        put(w, "((", user_text(w, m->subflow.count), ") - 1)");
    }
    put(w, "];\n");
}

static void emit_flow_struct(writer *w, const ir_flow *flow)
{
    put_at(w, flow->at, "struct ", flow->name, " {\n");
    put_own(w, "    uf_flow uf;\n", flow->is_durable ? "    struct uf_durable uf_durable;\n" : "");
    put_parameter_lines(w, flow->params);
    for (uint32_t i = 0; i < flow->members.count; i++) put_member(w, &w->unit->members[flow->members.first + i]);
    put_own(w, "    union { /* of the running task */\n");
    IR_EACH (ir_task, task, w->unit->tasks, flow->tasks) {
        /* C++: a field may hide its name */
        put_at(w, task->at, "        struct ", cname_task(w, task), " ", task->name, ";\n");
    }
    put_own(w, "    } uf_task;\n");
    if (flow->has_results) put_results(w, flow);
    if (flow->uses_paused) put(w, "    uf_time uf_paused_at;\n");
    if (flow->arm_count) put_arms(w, flow, flow->arm_count, "uf_arms", true);
    if (flow->preempts.count) put_arms(w, flow, flow->preempts.count, "uf_preempts", false);
    if (flow->enters_groups) put(w, "    struct uf_inside uf_inside; /* its groups */\n");
    /* A member of a pool keeps these, too. */
    if (ir_count_jobs(w->unit, flow)) put(w, "    uf_u32 uf_jobs; /* in flight */\n");
    if (flow->keeps_reason) put(w, "    UF_HAS(REASONS, char uf_reason[UF_REASON_SIZE];)\n");
    if (flow->describes) put(w, "    char uf_description[UF_DESCRIPTION_SIZE];\n");
    for (uint32_t i = 0; i < flow->members.count; i++) put_tail(w, &w->unit->members[flow->members.first + i]);
    put_own(w, "};\n\n");
}

static void emit_task_prototypes(writer *w, const ir_task *task)
{
    subject of = subject_of(w, task);
    of.has_names = true;
    put_form(
        w, &of,
        "/* Starts task $T. UF_BUSY, and nothing changes, while a task runs. The second form also gives a handle on "
        "this run;\n * uf_handle may be NULL. */\n"
        "UF_NODISCARD " HEAD_START ";$\n"
        "UF_NODISCARD " HEAD_START_RUN ";$\n"
        "/* Starts it from another thread when the flow is free, and waits for that run's end: UF_OK if it is done.\n"
        " * ");
    put(w, task->has_result ? "uf_out and " : "", "uf_info may be NULL. */\n");
    put_form(w, &of, HEAD_CALL ";$\n");
    if (task->has_result)
        put_form(w, &of, "/* True, and the result, if the last run ended done in task $T. */\n" HEAD_RESULT ";\n");
    put(w, "\n");
}

static void emit_mailbox_prototypes(writer *w, const ir_flow *flow, const ir_mailbox *mailbox)
{
    subject const of = {.flow = flow, .mailbox = mailbox};
    put_form(
        w, &of,
        "/* Sends to mailbox $M, from any thread: UF_FULL, and nothing changes, if there is no room. */\n"
        "UF_NODISCARD " HEAD_SEND ";\n"
        "/* The same on a thread that drives no runtime, for a flow of a runtime: waits for room in real time. */\n"
        "UF_NODISCARD " HEAD_SEND_WAIT ";\n"
        "/* On the pump's thread: takes the oldest item; false if there is none. */\n" HEAD_RECEIVE ";\n\n");
}

static void emit_end_prototypes(writer *w, const ir_flow *flow, const ir_subflow *pool)
{
    const ir_flow *const type = &w->unit->flows[pool->flow];
    subject of = {.flow = flow, .pool = pool};
    put_form(
        w, &of,
        "/* On the pump's thread. Takes the oldest end that was not taken; false if there is none. The result of a "
        "task, if it was\n * the last one at that place and is done, until the next spawn there. */\n" HEAD_REAP ";\n");
    for (uint32_t i = 0; i < type->tasks.count; i++) {
        of.task = &w->unit->tasks[type->tasks.first + i];
        if (of.task->has_result) put_form(w, &of, HEAD_MEMBER_RESULT ";\n");
    }
}

static void emit_pool_prototypes(writer *w, const ir_flow *flow, const ir_subflow *pool)
{
    const ir_flow *const type = &w->unit->flows[pool->flow];
    subject of = {.flow = flow, .pool = pool, .has_names = true};
    put_form(w, &of, "/* Starts a task of a free member of pool $M, from any thread: UF_FULL; UF_STOPPING. */\n");
    for (uint32_t i = 0; i < type->tasks.count; i++) {
        of.task = &w->unit->tasks[type->tasks.first + i];
        put_form(w, &of, "UF_NODISCARD " HEAD_SPAWN ";$\n");
    }
    if (pool->has_ends) emit_end_prototypes(w, flow, pool);
    put_form(
        w, &of,
        "/* From any thread. Counts the members that are not free; allows fewer at once than there are; cancels them\n"
        " * all. */\n" HEAD_BUSY ";\n" HEAD_LIMIT ";\n" HEAD_CANCEL_ALL ";\n"
        "/* On the pump's thread: the member with that index, and its run, if it runs now; otherwise NULL. */\n" HEAD_AT
        ";\n" HEAD_RUN ";\n\n");
}

static void emit_prototypes(writer *w, const ir_flow *flow)
{
    put_form(
        w, &(subject){.flow = flow, .has_names = true},
        "/* Attaches an instance, idle, to its pump. The name is kept, not copied; NULL: that of the type. For an "
        "instance that is\n * not attached, or NULL, the functions below answer UF_INVALID or false. */\n" HEAD_INIT
        ";$\n"
        "/* Detaches it. UF_BUSY, and nothing changes, while it or a flow inside of it runs. */\n" HEAD_DESTROY
        ";\n\n");
    for (uint32_t i = 0; i < flow->tasks.count; i++) emit_task_prototypes(w, &w->unit->tasks[flow->tasks.first + i]);
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        if (m->kind == IR_MEMBER_MAILBOX) emit_mailbox_prototypes(w, flow, &w->unit->mailboxes[m->index]);
        if (ir_is_pool(m)) emit_pool_prototypes(w, flow, &m->subflow);
    }
    put(w, "extern const uf_flow_type ", cname_of_flow(w, flow, "type"), ";\n\n");
}

void emit_flow_types(writer *w, const ir_flow *flow)
{
    if (flow->is_test) put(w, "typedef struct ", flow->name, " ", flow->name, ";\n\n");
    for (uint32_t t = 0; t < flow->tasks.count; t++) emit_task_struct(w, &w->unit->tasks[flow->tasks.first + t]);
    emit_flow_struct(w, flow);
    emit_clear(w, flow);
    if (!flow->is_test) emit_prototypes(w, flow);
}

/* Declarations with C linkage in C++ stand inside `extern "C"`, the user's includes outside. */
static void put_linkage(writer *w, bool *is_c, bool wanted)
{
    if (*is_c == wanted) return;
    put(w, "#ifdef __cplusplus\n", wanted ? "extern \"C\" {\n#endif\n\n" : "}\n#endif\n");
    *is_c = wanted;
}

static void emit_blocks_of_header(writer *w, bool *is_c)
{
    for (uint32_t i = 0; i < w->unit->block_count; i++) {
        const ir_block *const block = &w->unit->blocks[i];
        if (block->kind != BLOCK_HEADER && block->kind != BLOCK_INCLUDES) continue;
        put_linkage(w, is_c, block->kind == BLOCK_HEADER);
        put_block(w, block->text);
    }
}

static bool needs_durable(const ir_unit *unit)
{
    bool needs = unit->plain_count != 0;
    for (uint32_t i = 0; i < unit->own_count; i++) needs |= unit->flows[i].is_durable;
    return needs;
}

static void emit_top(writer *w, bool *is_c)
{
    put(w, EMIT_MARK, UFC_VERSION " from ");
    put_commented(w, file_name(w, w->unit->in->name));
    const char *const macro = include_guard(w);
    put(w, ": edit that file, not this one. */\n#ifndef ", macro, "\n#define ", macro, "\n\n");
    put(w, "#include \"uflow/uflow.h\"\n"
           "#ifndef UFLOW_GENERATED_H\n#include \"uflow/generated.h\"\n#endif\n"); /* an amalgamation has one header */
    if (needs_durable(w->unit))
        put(w, "#ifndef UFLOW_GENERATED_DURABLE_H\n#include \"uflow/generated/durable.h\"\n#endif\n");
    for (uint32_t i = 0; !w->options->skeleton && i < w->unit->import_count; i++) put_import(w, w->unit->imports[i]);
    put(w, "\n#if UF_ABI != ", EMIT_ABI,
        "\n#error \"made by a ufc for another version of uflow's runtime: run ufc again\"\n#endif\n\n");
    if (w->unit->own_count || w->unit->own_point_count || w->unit->plain_count) put_linkage(w, is_c, true);
    for (uint32_t i = 0; i < w->unit->plain_count; i++) {
        put(w, "typedef struct ", w->unit->plains[i].name, " ", w->unit->plains[i].name, ";\n");
    }
    put(w, w->unit->plain_count ? "\n" : "");
    for (uint32_t i = 0; i < w->unit->own_count; i++) {
        put(w, "typedef struct ", w->unit->flows[i].name, " ", w->unit->flows[i].name, ";\n");
    }
    put(w, w->unit->own_count ? "\n" : "");
    for (uint32_t i = 0; i < w->unit->own_point_count; i++) {
        const ir_point *const point = &w->unit->points[i];
        put(w, "extern uf_", point_kind(point), " ", point->name, point_size(w, point), ";\n");
    }
    put(w, w->unit->own_point_count ? "\n" : "");
    emit_blocks_of_header(w, is_c);
    if (w->unit->own_count || w->unit->plain_count) put_linkage(w, is_c, true);
    for (uint32_t i = 0; i < w->unit->plain_count; i++) emit_plain_struct(w, &w->unit->plains[i]);
}

void emit_header(const ir_unit *unit, const emit_options *options, buffer *out)
{
    writer w;
    bool is_c = false;
    writer_begin(&w, unit, options, out);
    emit_top(&w, &is_c);
    for (uint32_t i = 0; i < unit->own_count; i++) emit_flow_types(&w, &unit->flows[i]);
    put_linkage(&w, &is_c, false);
    put(&w, "#endif\n");
    writer_end(&w);
}
