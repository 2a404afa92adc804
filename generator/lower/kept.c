/* SPDX-License-Identifier: MIT */
/* What a durable flow keeps, and plain structs. */
#include "tables.h"

static uint32_t dimensions_of(token_range declarator)
{
    uint32_t count = 0;
    for (uint32_t i = declarator.first; i < declarator.end; i++) {
        if (!token_is(declarator.list, i, "[")) continue;
        count++;
        i = token_after_brackets(declarator.list, i) - 1;
    }
    return count;
}

static void add_declaration(lowering *l, const ast_declaration *declaration, ir_kept kept)
{
    for (const ast_declarator *d = declaration->first; d && !declaration->is_transient; d = d->next) {
        kept.name = d->name.name;
        kept.at = range_span(declaration->text);
        kept.dimensions = dimensions_of(d->declarator);
        kept.plain = d->plain ? d->plain->name.name : NULL;
        ir_variable const v = lower_variable(l, d, kept.at);
        kept.type = ARENA_CONCAT(l->arena, v.before, v.after);
        if (d->name.name) TABLE_ADD(l, kept, kept_count, kept);
    }
}

static void add_all(lowering *l, const ast_declaration *list, ir_kept kept)
{
    for (; list; list = list->next) add_declaration(l, list, kept);
}

static const char *type_of_result(lowering *l, const ast_task *task)
{
    ir_variable const v = lower_type(l, task->result);
    return ARENA_CONCAT(l->arena, v.before, v.after);
}

static void add_task(lowering *l, const ast_task *task, uint32_t place, uint32_t *step_place)
{
    for (const ast_step *step = task->steps; step; step = step->next, ++*step_place) {
        if (!task->shutdown) add_all(l, step->params, (ir_kept){.kind = IR_KEPT_ARGUMENT, .place = *step_place});
    }
    if (task->shutdown) return;
    add_all(l, task->params, (ir_kept){.kind = IR_KEPT_OF_TASK, .place = place});
    add_all(l, task->fields, (ir_kept){.kind = IR_KEPT_OF_TASK, .place = place});
    if (range_empty(task->result)) return;
    ir_kept const result = {.kind = IR_KEPT_RESULT,
                            .name = task->name.name,
                            .at = range_span(task->result),
                            .place = place,
                            .type = type_of_result(l, task),
                            .plain = task->plain_result ? task->plain_result->name.name : NULL};
    TABLE_ADD(l, kept, kept_count, result);
}

/* -- plain structs of imports -------------------------------------------------------------------------------------- */

static void see_plain(lowering *l, const ast_plain *plain);

static void see_plains_of(lowering *l, const ast_declaration *list)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d && !list->is_transient; d = d->next) see_plain(l, d->plain);
    }
}

/* Notes one that is not of this file, and those of its members. */
static void see_plain(lowering *l, const ast_plain *plain)
{
    const ir_unit *const unit = l->unit;
    if (!plain || place_of(l, plain) != IR_NONE) return;
    ir_plain seen = {.name = plain->name.name, .at = plain->name.at, .kept.first = unit->kept_count};
    add_all(l, plain->fields, (ir_kept){.kind = IR_KEPT_MEMBER});
    seen.kept.count = unit->kept_count - seen.kept.first;
    place_set(l, plain, TABLE_ADD(l, seen_plains, seen_plain_count, seen));
    see_plains_of(l, plain->fields);
}

static void see_plains(lowering *l, const ast_flow *flow)
{
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->field && !m->field->is_transient) see_plains_of(l, m->field);
    }
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        if (task->shutdown) continue;
        see_plains_of(l, task->params);
        see_plains_of(l, task->fields);
        see_plain(l, task->plain_result);
        for (const ast_step *step = task->steps; step; step = step->next) see_plains_of(l, step->params);
    }
}

/* -- what is kept -------------------------------------------------------------------------------------------------- */

void lower_kept(lowering *l, const ast_flow *from, uint32_t index)
{
    uint32_t const first = l->unit->kept_count;
    uint32_t task_place = 0, step_place = 0;
    for (const ast_member *m = from->members; m; m = m->next) {
        if (m->field) add_declaration(l, m->field, (ir_kept){.kind = IR_KEPT_OF_FLOW});
    }
    for (const ast_task *task = from->tasks; task; task = task->next, task_place++) {
        uint32_t const first_of_task = l->unit->kept_count;
        add_task(l, task, task_place, &step_place);
        l->unit->tasks[l->unit->flows[index].tasks.first + task_place].kept =
            (ir_range){first_of_task, l->unit->kept_count - first_of_task};
    }
    ir_flow *const flow = &l->unit->flows[index];
    flow->kept = (ir_range){first, l->unit->kept_count - first};
    flow->keeps_reason = true; /* that of its store */
    see_plains(l, from);
}

void lower_plains(lowering *l, const ast_plain *list)
{
    const ast_plain *const first = list;
    for (; list; list = list->next) {
        ir_plain plain = {.name = list->name.name, .at = list->name.at};
        plain.fields.first = l->unit->field_count;
        plain.kept.first = l->unit->kept_count;
        for (const ast_declaration *declaration = list->fields; declaration; declaration = declaration->next) {
            ir_field const field = lower_field(l, declaration);
            TABLE_ADD(l, fields, field_count, field);
            add_declaration(l, declaration, (ir_kept){.kind = IR_KEPT_MEMBER});
        }
        plain.fields.count = l->unit->field_count - plain.fields.first;
        plain.kept.count = l->unit->kept_count - plain.kept.first;
        place_set(l, list, TABLE_ADD(l, plains, plain_count, plain));
    }
    for (list = first; list; list = list->next) see_plains_of(l, list->fields);
}
