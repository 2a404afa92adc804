/* SPDX-License-Identifier: MIT */
/* The state diagram in the comment at the top of the .c file. */
#include <string.h>

#include "boxes.h"
#include "c_parts.h"
#include "hash.h"

static const char *target_of_edge(const writer *w, const ir_edge *edge)
{
    return target_text(w, edge->outcome, edge->to, edge->to == IR_NONE ? IR_NONE : w->unit->steps[edge->to].task);
}

/* The edges of a step to draw, and a hash table that finds duplicates. */
typedef struct drawn {
    const ir_edge **edges, **table;
    size_t edge_room, table_room;
    uint32_t count;
} drawn;

static bool is_same(const ir_edge *a, const ir_edge *b)
{
    return a->to == b->to && a->outcome == b->outcome && strcmp(a->label, b->label) == 0;
}

/* Chooses edges: equal labels to the same target are drawn once. */
static void choose_edges(drawn *d, const writer *w, const ir_step *step)
{
    size_t capacity = 4;
    while (capacity < 2 * (size_t)step->edges.count) capacity *= 2;
    d->edges = arena_reserve(w->names, d->edges, &d->edge_room, step->edges.count, sizeof *d->edges);
    d->table = arena_reserve(w->names, d->table, &d->table_room, capacity, sizeof *d->table);
    memset(d->table, 0, capacity * sizeof *d->table);
    d->count = 0;
    IR_EACH (ir_edge, edge, w->unit->edges, step->edges) {
        size_t at = hash_of(edge->label, strlen(edge->label)) + (size_t)edge->to * 31u + edge->outcome;
        for (at &= capacity - 1; d->table[at] && !is_same(d->table[at], edge);) at = (at + 1) & (capacity - 1);
        if (d->table[at]) continue;
        d->table[at] = edge;
        d->edges[d->count++] = edge;
    }
}

static int longer(int length, const char *text)
{
    return (int)strlen(text) > length ? (int)strlen(text) : length;
}

/* Draws `name --+-- label --> target`, with dashes up to the width of the labels. */
static void draw_step(writer *w, drawn *d, const ir_step *step, int name_width, int label_width)
{
    choose_edges(d, w, step);
    for (uint32_t i = 0; i < d->count; i++) {
        const ir_edge *const edge = d->edges[i];
        bool const first = i == 0, left = i + 1 < d->count;
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
    put(w, "--> ", target_text(w, outcome->kind, outcome->target, outcome->target), "\n");
}

static void draw_preempts(writer *w, ir_range preempts, const char *indent)
{
    for (uint32_t i = 0; i < preempts.count; i++) draw_preempt(w, &w->unit->preempts[preempts.first + i], indent, 0, 0);
}

static void draw_group(writer *w, const ir_group *group, void *context)
{
    (void)context;
    put(w, " *\n *   group ", group->name, "\n");
    draw_preempts(w, group->preempts, "     ");
}

static void draw_task(writer *w, const ir_task *task, void *d)
{
    const ir_range preempts = task->preempts;
    int names = 0, labels = 0;
    for (uint32_t i = 0; i < preempts.count; i++) names = longer(names, w->unit->preempts[preempts.first + i].label);
    IR_EACH (ir_step, step, w->unit->steps, task->steps) {
        names = longer(names, step->name);
        for (uint32_t e = 0; e < step->edges.count; e++)
            labels = longer(labels, w->unit->edges[step->edges.first + e].label);
    }
    put(w, " *\n *   ", task->forever ? "forever " : task->shutdown ? "shutdown " : "", "task ", task->name, "\n");
    for (uint32_t i = 0; i < preempts.count; i++)
        draw_preempt(w, &w->unit->preempts[preempts.first + i], "     ", names, labels + 7);
    for (uint32_t i = 0; i < task->steps.count; i++)
        draw_step(w, d, &w->unit->steps[task->steps.first + i], names, labels);
}

void emit_drawing(writer *w)
{
    const ir_unit *const u = w->unit;
    drawn d = {0};
    put(w, EMIT_MARK, UFC_VERSION " from ");
    put_commented(w, file_name(w, u->in->name));
    put(w, ": edit that file, not this one. NOLINTBEGIN\n"); /* for clang-tidy; its end is that of the file */
    for (uint32_t f = 0; f < u->own_count; f++) {
        const ir_flow *const flow = &u->flows[f];
        put(w, " *\n * flow ", flow->name, "\n");
        draw_preempts(w, ir_preempts_of_flow(u, flow), "   ");
        put_boxes(
            w, flow,
            &(boxes){.begin = draw_group, .end = "", .task = draw_task, .context = &d, .indent = "  ", .margin = 2});
    }
    put(w, " */\n");
}
