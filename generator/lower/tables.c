/* SPDX-License-Identifier: MIT */
#include "tables.h"

#include "scope.h"

void *table_grow(arena *a, void *items, uint32_t *room, size_t size)
{
    uint32_t const count = *room;
    *room = count ? 2 * count : 8;
    return arena_grow(a, items, count, *room, size);
}

/* -- where nodes of the AST are ------------------------------------------------------------------------------------ */

struct place {
    const void *node; /* NULL: free */
    uint32_t index;
};

/* Returns the entry of the node, or the free entry where it belongs. */
static struct place *probe(const lowering *l, const void *node)
{
    uint32_t const mask = l->place_capacity - 1;
    uint32_t at = (uint32_t)(((uint64_t)(uintptr_t)node * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & mask;
    while (l->places[at].node && l->places[at].node != node) at = (at + 1) & mask;
    return &l->places[at];
}

static void grow_places(lowering *l)
{
    const struct place *const old = l->places;
    uint32_t const count = l->place_capacity;
    l->place_capacity = count ? 2 * count : 16;
    l->places = ARENA_ARRAY(l->arena, struct place, l->place_capacity);
    for (uint32_t i = 0; i < count; i++) {
        if (old[i].node) *probe(l, old[i].node) = old[i];
    }
}

uint32_t place_of(const lowering *l, const void *node)
{
    if (l->place_count == 0) return IR_NONE;
    const struct place *const found = probe(l, node);
    return found->node ? found->index : IR_NONE;
}

void place_set(lowering *l, const void *node, uint32_t index)
{
    if (2 * l->place_count >= l->place_capacity) grow_places(l);
    *probe(l, node) = (struct place){node, index};
    l->place_count++;
}

/* -- heads of flows and tasks ------------------------------------------------------------------------------------- */

/* Tasks of one flow with equal result types share a class. */
static uint32_t result_class(lowering *l, scope *classes, const ir_variable *type)
{
    const char *const whole = ARENA_CONCAT(l->arena, type->before, "\n", type->after);
    void *const next = (void *)(uintptr_t)(classes->count + 1), *const known =
                                                                    scope_add(l->arena, classes, whole, next);
    return (uint32_t)(uintptr_t)(known ? known : next);
}

static void lower_head(lowering *l, const ast_task *from, uint32_t flow, uint32_t index, scope *classes)
{
    ir_range const params = lower_variables(l, from->params);
    ir_variable const result = lower_type(l, from->result);
    ir_task *const task = &l->unit->tasks[index];
    task->name = from->name.name;
    task->at = from->name.at;
    task->flow = flow;
    task->group = IR_NONE;
    task->forever = from->forever;
    task->shutdown = from->shutdown;
    task->params = params;
    task->has_result = !range_empty(from->result);
    task->result = result;
    if (task->has_result) task->result_class = result_class(l, classes, &result);
}

/* Lowers the parameters of a flow and the heads of its tasks: the parts that other flows use. */
static void lower_heads(lowering *l, const ast_flow *from, uint32_t index)
{
    ir_range const params = lower_variables(l, from->params);
    uint32_t const first = l->unit->task_count;
    for (const ast_task *task = from->tasks; task; task = task->next) TABLE_ADD(l, tasks, task_count, (ir_task){0});
    ir_flow *const flow = &l->unit->flows[index];
    flow->name = from->name.name;
    flow->is_test = from->test != NULL;
    flow->is_durable = from->is_durable;
    flow->at = from->name.at;
    flow->params = params;
    flow->tasks = (ir_range){first, l->unit->task_count - first};
    uint32_t task_index = first;
    scope classes = {0};
    for (const ast_task *task = from->tasks; task; task = task->next)
        lower_head(l, task, index, task_index++, &classes);
}

uint32_t lower_flow_index(lowering *l, const ast_flow *flow)
{
    /* Flows of this file come first, in source order; those of tests follow them. */
    bool const is_own = flow->file->in == l->unit->in;
    uint32_t const place = flow->test ? l->unit->own_count + flow->index : flow->index;
    if (is_own && place < l->unit->flow_count) return place;
    uint32_t const known = is_own ? IR_NONE : place_of(l, flow);
    if (known != IR_NONE) return known;
    uint32_t const index = TABLE_ADD(l, flows, flow_count, (ir_flow){.imported = true});
    if (!is_own) place_set(l, flow, index);
    lower_heads(l, flow, index);
    l->unit->flows[index].has_pools = flow->pool_inside != NULL;
    return index;
}

uint32_t lower_task_index(lowering *l, const ast_task *task)
{
    return l->unit->flows[lower_flow_index(l, task->flow)].tasks.first + task->index;
}

uint32_t lower_step_index(lowering *l, const ast_step *step)
{
    return l->unit->tasks[lower_task_index(l, step->task)].steps.first + step->index;
}
