/* Generates a program that prints the bytes of state. Only the compiler of the target knows the sizes of C types. */
#include "cname.h"

static void put_size(writer *w, const char *indent, const char *what, const char *expression)
{
    put(w, "    size(\"", indent, what, "\", ", expression, ");\n");
}

static void put_member_size(writer *w, const ir_flow *flow, const char *what, const char *member)
{
    put_size(w, "  ", what, arena_printf(w->names, "sizeof ((%s *)0)->%s", flow->name, member));
}

/* Prints a member and the members stored beside it. */
static void put_sum(writer *w, const ir_flow *flow, const char *what, const char *member, const char *storage)
{
    put_size(
        w, "  ", what,
        arena_printf(w->names, "sizeof ((%s *)0)->%s + sizeof ((%s *)0)->%s", flow->name, member, flow->name, storage));
}

static void put_subflow_size(writer *w, const ir_flow *flow, const ir_subflow *subflow)
{
    const char *const name = subflow->name;
    const char *const what = arena_printf(w->names, subflow->is_pool ? "pool %s" : "flow %s", name);
    if (subflow->is_pool) {
        const char *const storage = cname_stored(w, "members", name);
        put_sum(w, flow, what, name, storage);
        put_size(w, "    ", "each member", arena_printf(w->names, "sizeof *((%s *)0)->%s", flow->name, storage));
    } else if (ir_has_text(subflow->count)) {
        put_sum(w, flow, what, name, cname_stored(w, "names", name));
    } else {
        put_member_size(w, flow, what, name);
    }
}

/* Prints a signal, checkpoint, mailbox, sub-flow or another member that is no field. */
static void put_part(writer *w, const ir_flow *flow, const ir_member *m)
{
    const ir_unit *const u = w->unit;
    switch (m->kind) {
    case IR_MEMBER_FIELD: break;
    case IR_MEMBER_SUBFLOW: put_subflow_size(w, flow, &m->subflow); break;
    case IR_MEMBER_POINT: {
        const ir_point *const point = &u->points[m->index];
        const char *const what = point->is_checkpoint ? "checkpoint" : "signal";
        put_member_size(w, flow, arena_printf(w->names, "%s %s", what, point->name), point->name);
        break;
    }
    case IR_MEMBER_MAILBOX: {
        const char *const name = u->mailboxes[m->index].item.name, *const type = flow->name;
        put_size(w, "  ", arena_printf(w->names, "mailbox %s", name),
                 arena_printf(w->names, "sizeof ((%s *)0)->%s + sizeof ((%s *)0)->%s + sizeof ((%s *)0)->%s", type,
                              name, type, cname_stored(w, "items", name), type, cname_stored(w, "turns", name)));
        break;
    }
    }
}

static void put_pauses(writer *w, const ir_step *step)
{
    for (uint32_t i = 0; i < step->pauses.count; i++) {
        const ir_pause *const pause = &w->unit->pauses[step->pauses.first + i];
        if (pause->slots == 0) continue;
        put_size(w, "    ",
                 arena_printf(w->names, "%s in %s.%s, line %u", pause->kind == IR_AWAIT ? "await" : "stay",
                              w->unit->tasks[step->task].name, step->name, (unsigned)ir_line(pause->at)),
                 arena_printf(w->names, "%u * sizeof(uf_arm)", (unsigned)pause->slots));
    }
}

static void put_flow(writer *w, const ir_flow *flow)
{
    const ir_unit *const u = w->unit;
    put_size(w, "", arena_printf(w->names, "flow %s", flow->name), arena_printf(w->names, "sizeof(%s)", flow->name));
    put_size(w, "  ", "header", "sizeof(uf_flow)");
    for (uint32_t i = 0; i < flow->members.count; i++) {
        put_part(w, flow, &u->members[flow->members.first + i]);
    }
    put_member_size(w, flow, "tasks, the largest counts", "uf_task");
    for (uint32_t i = 0; i < flow->tasks.count; i++) {
        const ir_task *const task = &u->tasks[flow->tasks.first + i];
        put_size(w, "    ", arena_printf(w->names, "task %s", task->name),
                 arena_printf(w->names, "sizeof(%s)", cname_task(w, task)));
        for (uint32_t j = 0; j < task->jobs.count; j++) {
            const char *const name = u->jobs[task->jobs.first + j].name;
            bool const is_array = ir_has_text(u->jobs[task->jobs.first + j].count);
            put_size(w, "      ", arena_printf(w->names, "job %s%s", name, is_array ? "[]" : ""),
                     arena_printf(w->names, "sizeof ((%s *)0)->%s", cname_task(w, task), name));
        }
    }
    if (flow->has_results) put_member_size(w, flow, "results", "uf_result");
    if (flow->arm_count)
        put_member_size(w, flow, arena_printf(w->names, "arms of the widest wait, %u", (unsigned)flow->arm_count),
                        "uf_arms");
    for (uint32_t i = 0; i < flow->steps.count; i++) put_pauses(w, &u->steps[flow->steps.first + i]);
    if (flow->preempts.count)
        put_member_size(w, flow, arena_printf(w->names, "arms of what pre-empts, %u", (unsigned)flow->preempts.count),
                        "uf_preempts");
    if (flow->keeps_reason) put_member_size(w, flow, "reason of a failure", "uf_reason");
    if (flow->describes) put_member_size(w, flow, "description", "uf_description");
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
    put(&w, "\nstatic void size(const char *what, size_t bytes)\n{\n    printf(\"%-56s %6lu\\n\", what, (unsigned "
            "long)bytes);\n}\n\n");
    put(&w, "int main(void)\n{\n");
    for (uint32_t i = 0; i < unit->own_count; i++) put_flow(&w, &unit->flows[i]);
    put(&w, "    return 0;\n}\n");
    writer_end(&w);
}
