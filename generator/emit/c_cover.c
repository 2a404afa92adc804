/* SPDX-License-Identifier: MIT */
/* Counters for `--coverage`, and the table that describes them to the runtime and uflow-cov. */
#include "cover.h"

#include <string.h>

#include "cname.h"
#include "fragment.h"

bool covers(const writer *w)
{
    return w->options->coverage && w->unit->own_count > 0;
}

bool has_on_exit(const writer *w, const ir_flow *flow)
{
    return flow->has_exits || flow->enters_groups || covers(w);
}

static uint32_t table_size(const ir_unit *u, cover_kind kind)
{
    switch (kind) {
#define COUNTED(kind, table)                                                                                           \
    case COVER_##kind: return u->table##_count;
        COVER_KINDS
#undef COUNTED
    case COVER_COUNT: break;
    }
    return 0;
}

/* The counter of the first item of a table. */
static uint32_t first_counter(const ir_unit *u, cover_kind kind)
{
    uint32_t first = 0;
    for (int before = 0; before < (int)kind; before++) first += table_size(u, (cover_kind)before);
    return first;
}

void put_counter(writer *w, cover_kind kind, uint32_t index)
{
    put(w, "&", cname_of_file(w, "counts"), "[", first_counter(w->unit, kind) + index, "]");
}

void put_count_call(writer *w, cover_kind kind, uint32_t index, const char *before, const char *end)
{
    if (!covers(w) || index == IR_NONE) return;
    put(w, before, "uf_count(");
    put_counter(w, kind, index);
    put(w, ")", end);
}

void put_count(writer *w, cover_kind kind, uint32_t index)
{
    put_count_call(w, kind, index, "(void)", ", "); /* the cast silences -Wcomma of clang */
}

void put_count_statement(writer *w, cover_kind kind, uint32_t index)
{
    put_count_call(w, kind, index, "    ", ";\n");
}

cover_kind cover_of_handler(handler_kind on, bool is_of_group)
{
    static const cover_kind own[] = {COVER_ON_INIT, COVER_ON_END,   COVER_ON_ENTER,
                                     COVER_ON_EXIT, COVER_ON_PAUSE, COVER_ON_RESUME};
    static const cover_kind of_group[] = {[ON_ENTER] = COVER_GROUP_ENTER,
                                          [ON_EXIT] = COVER_GROUP_EXIT,
                                          [ON_PAUSE] = COVER_GROUP_PAUSE,
                                          [ON_RESUME] = COVER_GROUP_RESUME};
    return is_of_group ? of_group[on] : own[on];
}

void emit_counters(writer *w)
{
    if (!covers(w)) return;
    put(w, "static uf_counter ", cname_of_file(w, "counts"), "[2 * ", first_counter(w->unit, COVER_COUNT), "];\n\n");
}

/* -- the table of points ------------------------------------------------------------------------------------------- */

typedef struct place {
    cover_kind kind;
    uint32_t index;
    const char *what; /* see generated/coverage.h */
    span at;
} place;

/* As in the data file; a terminal would take a tab of a label for several blanks. */
static void put_point(writer *w, place at, const char *label, const char *target)
{
    char *const text = arena_printf(w->names, "%u %u %s%s%s%s%s", w->points++, ir_line(at.at), at.what,
                                    *label ? " " : "", label, *target ? " -> " : "", target);
    for (char *tab = text; (tab = strchr(tab, '\t')) != NULL;) *tab = ' ';
    put(w, "    [", first_counter(w->unit, at.kind) + at.index, "] = ");
    put_string(w, text);
    put(w, ",\n");
}

/* For each edge of the step, the arm that makes it as its outcome; or NULL. */
static const ir_arm **arms_of_edges(const writer *w, const ir_step *step)
{
    const ir_unit *const u = w->unit;
    const ir_arm **const arms = ARENA_ARRAY(w->names, const ir_arm *, step->edges.count);
    IR_EACH (ir_pause, pause, u->pauses, step->pauses) {
        IR_EACH (ir_arm, arm, u->arms, pause->arms) {
            uint32_t const edge = u->outcomes[arm->outcome].edge - step->edges.first;
            if (edge < step->edges.count && !arms[edge]) arms[edge] = arm;
        }
    }
    return arms;
}

static void put_edge_points(writer *w, const ir_arm *arm, uint32_t index)
{
    const ir_unit *const u = w->unit;
    const ir_edge *const edge = &u->edges[index];
    const char *const target = target_of_edge(w, edge);
    const char *const what = edge->is_handed_on ? "failure" : ir_trigger_infos[edge->trigger].name;
    put_point(w, (place){COVER_EDGE, index, what, edge->at}, edge->label, target);
    if (!arm || !ir_has_text(arm->condition)) return;
    put_point(w, (place){COVER_TRUE, (uint32_t)(arm - u->arms), "true", arm->at}, edge->label, target);
    put_point(w, (place){COVER_FALSE, (uint32_t)(arm - u->arms), "false", arm->at}, edge->label, target);
}

static void put_pause_points(writer *w, ir_range pauses)
{
    for (uint32_t i = pauses.first; i < pauses.first + pauses.count; i++) {
        const ir_pause *const pause = &w->unit->pauses[i];
        if (pause->kind == IR_AWAIT ? pause->arms.count == 0 : pause->again == IR_NONE) continue;
        guard const around = put_guard(w, pause->directives);
        put_point(w, (place){COVER_PAUSE, i, "wait", pause->at}, "", "");
        put_guard_end(w, pause->directives, &around);
    }
}

/* Lines that the preprocessor omits from a body are omitted here too. */
static void put_step_points(writer *w, const ir_step *step)
{
    const ir_unit *const u = w->unit;
    uint32_t const index = (uint32_t)(step - u->steps);
    put_point(w, (place){COVER_STEP, index, "step", step->at}, step->name, "");
    put_point(w, (place){COVER_AGAIN, index, "again", step->at}, "", "");
    put_pause_points(w, step->pauses);
    const ir_arm *const *const arms = arms_of_edges(w, step);
    for (uint32_t edge = step->edges.first; edge < step->edges.first + step->edges.count; edge++) {
        guard const around = put_guard(w, u->edges[edge].directives);
        put_edge_points(w, arms[edge - step->edges.first], edge);
        put_guard_end(w, u->edges[edge].directives, &around);
    }
}

static void put_preempt_points(writer *w, ir_range preempts)
{
    const ir_unit *const u = w->unit;
    for (uint32_t i = preempts.first; i < preempts.first + preempts.count; i++) {
        const ir_preempt *const preempt = &u->preempts[i];
        const char *const what = preempt->is_handed_on ? "failure" : "preempt";
        const char *const target = target_of_outcome(w, &u->outcomes[preempt->outcome]);
        put_point(w, (place){COVER_PREEMPT, i, what, preempt->at}, preempt->label, target);
    }
}

/* The handlers of a flow, a task or a group, and what preempts it. `on suspend` and `on restore` are not counted.
 * `group`: its name, or "". */
static void put_part_points(writer *w, const ir_body *handlers, ir_range preempts, uint32_t index, const char *group)
{
    for (handler_kind on = (handler_kind)0; on < ON_SUSPEND; on++) {
        const char *const label = ARENA_CONCAT(w->names, handler_words[on], *group ? " of " : "", group);
        place const at = {cover_of_handler(on, *group), index, "handler", handlers[on].text};
        if (ir_has_body(&handlers[on])) put_point(w, at, label, "");
    }
    put_preempt_points(w, preempts);
}

static void put_task_points(writer *w, const ir_task *task)
{
    static const char *const endings[] = {"done", "failed", "cancelled", "became"};
    uint32_t const index = (uint32_t)(task - w->unit->tasks);
    put_point(w, (place){COVER_TASK, index, "task", task->at}, task->name, "");
    for (unsigned i = 0; i < sizeof endings / sizeof *endings; i++)
        put_point(w, (place){(cover_kind)(COVER_DONE + i), index, "ending", task->at}, endings[i], "");
    put_part_points(w, task->handlers, task->preempts, index, "");
    IR_EACH (ir_step, step, w->unit->steps, task->steps) put_step_points(w, step);
}

static void put_flow_points(writer *w, const ir_flow *flow)
{
    const ir_unit *const u = w->unit;
    uint32_t const index = (uint32_t)(flow - u->flows);
    put_point(w, (place){COVER_INITS, index, "flow", flow->at}, flow->name, "");
    put_part_points(w, flow->handlers, ir_preempts_of_flow(u, flow), index, "");
    IR_EACH (ir_group, group, u->groups, flow->groups)
        put_part_points(w, group->handlers, group->preempts, (uint32_t)(group - u->groups), group->name);
    IR_EACH (ir_task, task, u->tasks, flow->tasks) put_task_points(w, task);
}

/* A checksum of the source (FNV-1a), so that counts of different texts are not added. */
static uint64_t checksum(const source *in)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < in->size; i++) hash = (hash ^ (unsigned char)in->text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

void emit_coverage(writer *w)
{
    if (!covers(w)) return;
    const char *const points = cname_of_file(w, "points"), *const unit = cname_of_file(w, "coverage");
    uint32_t const count = first_counter(w->unit, COVER_COUNT);
    put_heading(w, "coverage");
    put(w, "/* By counter: place, line, kind, label -> target. */\n");
    put(w, "static const char *const ", points, "[", count, "] = {\n");
    for (uint32_t i = 0; i < w->unit->own_count; i++) put_flow_points(w, &w->unit->flows[i]);
    put(w, "};\n\nstatic uf_coverage_unit ", unit, " = { /* source, checksum, points, counts */\n    ", w->in_name,
        ", ");
    buffer_printf(w->out, "UINT64_C(0x%016llx)", (unsigned long long)checksum(w->unit->in));
    put(w, ", ", points, ", ", cname_of_file(w, "counts"), ", ", count, ", 0, 0\n};\n\nUF_COVERAGE_REGISTER(",
        cname_of_file(w, "register"), ", ", unit, ")\n\n");
}
