/* SPDX-License-Identifier: MIT */
/* Generates a program that prints the bytes of state. Only the compiler of the target knows the sizes of C types. */
#include "cname.h"
#include "forms.h"
#include "fragment.h"

static const char *form_of_subflow(const ir_subflow *subflow)
{
    if (subflow->is_pool)
        return "    size(\"  pool $M\", sizeof (($F *)0)->$M + sizeof (($F *)0)->uf_members_of_$M);\n"
               "    size(\"    each member\", sizeof *(($F *)0)->uf_members_of_$M);\n";
    if (ir_has_text(subflow->count))
        return "    size(\"  flow $M\", sizeof (($F *)0)->$M + sizeof (($F *)0)->uf_names_of_$M);\n";
    return "    size(\"  flow $M\", sizeof (($F *)0)->$M);\n";
}

/* Prints a member of the flow's struct; `count` is shown unless it is 0. */
static void put_size(writer *w, const ir_flow *flow, const char *what, uint32_t count, const char *member)
{
    put(w, "    size(\"  ", what);
    if (count) put(w, ", ", count);
    put(w, "\", sizeof ((", flow->name, " *)0)->", member, ");\n");
}

/* Prints a signal, checkpoint, mailbox, sub-flow or another member that is no field, with what is stored beside it. */
static void put_part(writer *w, const ir_flow *flow, const ir_member *m)
{
    switch (m->kind) {
    case IR_MEMBER_FIELD: break;
    case IR_MEMBER_SUBFLOW:
        put_form(w, &(subject){.flow = flow, .pool = &m->subflow}, form_of_subflow(&m->subflow));
        break;
    case IR_MEMBER_POINT: {
        const ir_point *const point = &w->unit->points[m->index];
        const char *const what = ARENA_CONCAT(w->names, point_kind(point), " ", point->name, point_size(w, point));
        put_size(w, flow, what, 0, point->name);
        break;
    }
    case IR_MEMBER_MAILBOX:
        put_form(w, &(subject){.flow = flow, .mailbox = &w->unit->mailboxes[m->index]},
                 "    size(\"  mailbox $M\", sizeof (($F *)0)->$M + sizeof (($F *)0)->uf_items_of_$M + "
                 "sizeof (($F *)0)->uf_turns_of_$M);\n");
        break;
    }
}

static void put_pauses(writer *w, const ir_step *step)
{
    IR_EACH (ir_pause, pause, w->unit->pauses, step->pauses) {
        if (pause->slots == 0) continue;
        put(w, "    size(\"    ", pause->kind == IR_AWAIT ? "await" : "stay", " in ", w->unit->tasks[step->task].name,
            ".", step->name, ", line ", ir_line(pause->at), "\", ", pause->slots, " * sizeof(uf_arm));\n");
    }
}

static void put_task(writer *w, const ir_task *task)
{
    subject const of = subject_of(w, task);
    put_form(w, &of, "    size(\"    task $T\", sizeof($F_$T));\n");
    IR_EACH (ir_job, job, w->unit->jobs, task->jobs) {
        put(w, "    size(\"      job ", job->name, ir_has_text(job->count) ? "[]" : "", "\", sizeof ((",
            cname_task(w, task), " *)0)->", job->name, ");\n");
    }
}

static void put_flow(writer *w, const ir_flow *flow)
{
    const ir_unit *const u = w->unit;
    put_form(w, &(subject){.flow = flow},
             "    size(\"flow $F\", sizeof($F));\n    size(\"  header\", sizeof(uf_flow));\n");
    for (uint32_t i = 0; i < flow->members.count; i++) put_part(w, flow, &u->members[flow->members.first + i]);
    put_size(w, flow, "tasks, the largest counts", 0, "uf_task");
    for (uint32_t i = 0; i < flow->tasks.count; i++) put_task(w, &u->tasks[flow->tasks.first + i]);
    if (flow->has_results) put_size(w, flow, "results", 0, "uf_result");
    if (flow->uses_paused) put_size(w, flow, "time of the last pause", 0, "uf_paused_at");
    if (flow->arm_count)
        put_size(w, flow, "arms of the widest wait", has_elements(w, flow) ? 0 : flow->arm_count, "uf_arms");
    for (uint32_t i = 0; i < flow->steps.count; i++) put_pauses(w, &u->steps[flow->steps.first + i]);
    if (flow->preempts.count)
        put_size(w, flow, "arms of what pre-empts", has_elements(w, flow) ? 0 : flow->preempts.count, "uf_preempts");
    if (flow->enters_groups) put_size(w, flow, "groups", flow->groups.count, "uf_inside");
    if (flow->keeps_reason)
        put(w, "    UF_HAS(REASONS, size(\"  reason of a failure\", sizeof ((", flow->name, " *)0)->uf_reason);)\n");
    if (flow->describes) put_size(w, flow, "description", 0, "uf_description");
    put(w, "#if defined(UF_STACK_OF_", flow->name,
        ")\n    size(\"  stack of the main loop, at most\", UF_STACK_OF_CORE + ", "UF_STACK_OF_", flow->name,
        ");\n#endif\n");
}

void emit_sizes(const ir_unit *unit, const emit_options *options, buffer *out)
{
    writer w;
    writer_begin(&w, unit, options, out);
    put(&w, EMIT_MARK, UFC_VERSION " from ");
    put_commented(&w, file_name(&w, unit->in->name));
    put(&w, ".\n * Prints the bytes of state of each flow, task and wait, as the compiler lays them out that this is "
            "compiled with. */\n#include <stdio.h>\n\n");
    put_include(&w, options->header_name);
    put(&w, "\n#if defined(UF_STACK_FILE) /* made by stack.awk */\n#include UF_STACK_FILE\n#endif\n");
    put(&w, "\nstatic void size(const char *what, size_t bytes)\n{\n    printf(\"%-56s %6lu\\n\", what, (unsigned "
            "long)bytes);\n}\n\n");
    put(&w, "int main(void)\n{\n");
    for (uint32_t i = 0; i < unit->own_count; i++) put_flow(&w, &unit->flows[i]);
    put(&w, "    return 0;\n}\n");
    writer_end(&w);
}
