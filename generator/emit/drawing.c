/* The comment at the top of the .c file: each flow's transitions, drawn. */
#include <string.h>

#include "c_parts.h"

static const char *target(const writer *w, ir_outcome_kind outcome, uint32_t step, uint32_t task)
{
    switch (outcome) {
    case IR_DONE: return "done";
    case IR_FAIL: return "fail";
    case IR_BECOME: return arena_printf(w->names, "become %s", w->unit->tasks[task].name);
    case IR_STEP: break;
    }
    return w->unit->steps[step].name;
}

static const char *target_of_edge(const writer *w, const ir_edge *edge)
{
    return target(w, edge->outcome, edge->to, edge->to == IR_NONE ? IR_NONE : w->unit->steps[edge->to].task);
}

/* Two ways with the same label to the same place are drawn once. */
static bool is_repeated(const writer *w, const ir_step *step, uint32_t index)
{
    const ir_edge *const all = w->unit->edges + step->edges.first;
    for (uint32_t i = 0; i < index; i++) {
        bool const same = all[i].to == all[index].to && all[i].outcome == all[index].outcome;
        if (same && strcmp(all[i].label, all[index].label) == 0) return true;
    }
    return false;
}

static int longer(int length, const char *text)
{
    return (int)strlen(text) > length ? (int)strlen(text) : length;
}

/* `name --+-- label --> target`, the label and what is around it in dashes up to its width. */
static void draw_step(writer *w, const ir_step *step, int name_width, int label_width)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < step->edges.count; i++) left += !is_repeated(w, step, i);
    bool first = true;
    for (uint32_t i = 0; i < step->edges.count; i++) {
        const ir_edge *const edge = &w->unit->edges[step->edges.first + i];
        if (is_repeated(w, step, i)) continue;
        left--;
        put(w, " *     ");
        put_padded(w, first ? step->name : "", (size_t)name_width);
        put(w, " ", first && !left ? "-----" : first ? "--+--" : left ? "  +--" : "  '--");
        int const length = (int)strlen(edge->label);
        if (length) put(w, " ", edge->label, " ");
        put_repeated(w, '-', (size_t)(label_width - length + (length ? 0 : 2)));
        put(w, "--> ", target_of_edge(w, edge), "\n");
        first = false;
    }
}

static const char *preempt_name(const writer *w, const ir_preempt *preempt)
{
    return arena_printf(w->names, "on %s", w->unit->points[preempt->point].name);
}

/* Those of a task are in its columns. */
static void draw_preempt(writer *w, const ir_preempt *preempt, const char *indent, int name_width, int label_width)
{
    const ir_outcome *const outcome = &w->unit->outcomes[preempt->outcome];
    put(w, " *", indent);
    put_padded(w, preempt_name(w, preempt), (size_t)name_width);
    put(w, " ");
    put_repeated(w, '-', (size_t)label_width);
    put(w, "--> ", target(w, outcome->kind, outcome->target, outcome->target), "\n");
}

static void draw_task(writer *w, const ir_task *task)
{
    const ir_range preempts = ir_preempts_of(w->unit, task);
    int names = 0, labels = 0;
    for (uint32_t i = 0; i < preempts.count; i++)
        names = longer(names, preempt_name(w, &w->unit->preempts[preempts.first + i]));
    for (uint32_t i = 0; i < task->steps.count; i++) {
        const ir_step *const step = &w->unit->steps[task->steps.first + i];
        names = longer(names, step->name);
        for (uint32_t e = 0; e < step->edges.count; e++)
            labels = longer(labels, w->unit->edges[step->edges.first + e].label);
    }
    put(w, " *\n *   ", task->forever ? "forever " : task->shutdown ? "shutdown " : "", "task ", task->name, "\n");
    for (uint32_t i = 0; i < preempts.count; i++)
        draw_preempt(w, &w->unit->preempts[preempts.first + i], "     ", names, labels + 7);
    for (uint32_t i = 0; i < task->steps.count; i++)
        draw_step(w, &w->unit->steps[task->steps.first + i], names, labels);
}

void emit_drawing(writer *w)
{
    const ir_unit *const u = w->unit;
    put(w, EMIT_MARK);
    put_commented(w, file_name(w, u->in->name));
    put(w, ": edit that file, not this one.\n");
    for (uint32_t f = 0; f < u->own_count; f++) {
        const ir_flow *const flow = &u->flows[f];
        put(w, " *\n * flow ", flow->name, "\n");
        const ir_range preempts = ir_preempts_of_flow(u, flow);
        for (uint32_t i = 0; i < preempts.count; i++) draw_preempt(w, &u->preempts[preempts.first + i], "   ", 0, 0);
        for (uint32_t t = 0; t < flow->tasks.count; t++) draw_task(w, &u->tasks[flow->tasks.first + t]);
        writer_pass_on(w);
    }
    put(w, " */\n");
}
