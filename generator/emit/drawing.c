/* SPDX-License-Identifier: MIT */
/* The state diagram in the comment at the top of the .c file. */
#include <string.h>

#include "boxes.h"
#include "c_parts.h"
#include "hash.h"

static bool is_same(const ir_edge *a, const ir_edge *b)
{
    return a->to == b->to && a->outcome == b->outcome && strcmp(a->label, b->label) == 0;
}

/* Chooses the edges of a step to draw: equal labels to the same target are drawn once. A hash table finds them. */
static const ir_edge **choose_edges(const writer *w, const ir_step *step, uint32_t *count)
{
    size_t capacity = 4;
    while (capacity < 2 * (size_t)step->edges.count) capacity *= 2;
    const ir_edge **const edges = ARENA_ARRAY(w->names, const ir_edge *, step->edges.count);
    const ir_edge **const table = ARENA_ARRAY(w->names, const ir_edge *, capacity);
    IR_EACH (ir_edge, edge, w->unit->edges, step->edges) {
        size_t at = hash_of(edge->label, strlen(edge->label)) + (size_t)edge->to * 31u + edge->outcome;
        for (at &= capacity - 1; table[at] && !is_same(table[at], edge);) at = (at + 1) & (capacity - 1);
        if (table[at]) continue;
        table[at] = edge;
        edges[(*count)++] = edge;
    }
    return edges;
}

static int longer(int length, const char *text)
{
    return (int)strlen(text) > length ? (int)strlen(text) : length;
}

/* Draws `name --+-- label --> target`, with dashes up to the width of the labels. */
static void draw_step(writer *w, const ir_step *step, int name_width, int label_width)
{
    uint32_t count = 0;
    const ir_edge **const edges = choose_edges(w, step, &count);
    for (uint32_t i = 0; i < count; i++) {
        const ir_edge *const edge = edges[i];
        bool const first = i == 0, left = i + 1 < count;
        put(w, " *     ");
        put_padded(w, first ? step->name : "", (size_t)name_width);
        put(w, " ", first && !left ? "-----" : first ? "--+--" : left ? "  +--" : "  '--");
        int const length = (int)strlen(edge->label);
        if (length) {
            put(w, " ");
            put_commented(w, edge->label);
            put(w, " ");
        }
        put_repeated(w, '-', (size_t)(label_width - length + (length ? 0 : 2)));
        put(w, "--> ", target_of_edge(w, edge), "\n");
    }
}

/* Draws a handler in the columns of the task. */
static void draw_preempt(writer *w, const ir_preempt *preempt, const char *indent, int name_width, int label_width)
{
    const ir_outcome *const outcome = &w->unit->outcomes[preempt->outcome];
    put(w, " *", indent);
    put_commented(w, preempt->label);
    put_padded(w, "", (size_t)longer(name_width, preempt->label) - strlen(preempt->label));
    put(w, " ");
    put_repeated(w, '-', (size_t)label_width);
    put(w, "--> ", target_of_outcome(w, outcome), "\n");
}

static void draw_preempts(writer *w, ir_range preempts, const char *indent)
{
    for (uint32_t i = 0; i < preempts.count; i++) draw_preempt(w, &w->unit->preempts[preempts.first + i], indent, 0, 0);
}

static void draw_group(writer *w, const ir_group *group)
{
    put(w, " *\n *   group ", group->name, "\n");
    draw_preempts(w, group->preempts, "     ");
}

static void draw_task(writer *w, const ir_task *task)
{
    const ir_unit *const u = w->unit;
    int names = 0, labels = 0;
    IR_EACH (ir_preempt, preempt, u->preempts, task->preempts) names = longer(names, preempt->label);
    IR_EACH (ir_step, step, u->steps, task->steps) {
        names = longer(names, step->name);
        IR_EACH (ir_edge, edge, u->edges, step->edges) labels = longer(labels, edge->label);
    }
    put(w, " *\n *   ", task->forever ? "forever " : task->shutdown ? "shutdown " : "", "task ", task->name, "\n");
    IR_EACH (ir_preempt, preempt, u->preempts, task->preempts) draw_preempt(w, preempt, "     ", names, labels + 7);
    IR_EACH (ir_step, step, u->steps, task->steps) draw_step(w, step, names, labels);
}

void emit_drawing(writer *w)
{
    const ir_unit *const u = w->unit;
    put(w, EMIT_MARK, UFC_VERSION " from ");
    put_commented(w, file_name(w, u->in->name));
    put(w, ": edit that file, not this one. NOLINTBEGIN\n"); /* for clang-tidy; its end is that of the file */
    for (uint32_t f = 0; f < u->own_count; f++) {
        const ir_flow *const flow = &u->flows[f];
        put(w, " *\n * flow ", flow->name, "\n");
        draw_preempts(w, ir_preempts_of_flow(u, flow), "   ");
        put_boxes(w, flow, &(boxes){.begin = draw_group, .end = "", .task = draw_task, .indent = "  ", .margin = 2});
    }
    put(w, " */\n");
}
