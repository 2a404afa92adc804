/* tables.h - what lowering works with: the unit that grows, and where flows of the AST are in it. */
#ifndef UFC_TABLES_H
#define UFC_TABLES_H

#include "ast.h"
#include "ir.h"

typedef struct lowering {
    arena *arena;
    ir_unit *unit;
    const ast_flow **flows; /* in the order of unit->flows */
} lowering;

/* Appends a zeroed item to one of the unit's tables, `items` and `items_count`; its index. */
#define TABLE_ADD(l, items, count)                                                                                     \
    ((l)->unit->items = table_grow((l)->arena, (l)->unit->items, (l)->unit->count, sizeof *(l)->unit->items),          \
     (l)->unit->count++)

/* Room for one item behind `count`: the same table, or a longer copy. */
void *table_grow(arena *a, void *items, uint32_t count, size_t size);

/* tables.c: the index of a flow; one of another file is added when it is first asked for. */
uint32_t lower_flow_index(lowering *l, const ast_flow *flow);
uint32_t lower_task_index(lowering *l, const ast_task *task);
uint32_t lower_step_index(lowering *l, const ast_step *step);
/* Parameters, and heads of tasks: what others need of a flow. */
void lower_heads(lowering *l, const ast_flow *flow, uint32_t index);

/* types.c */
ir_variable lower_variable(lowering *l, const ast_declarator *declarator, span at);
ir_range lower_variables(lowering *l, const ast_declaration *list);
ir_variable lower_type(lowering *l, token_range type);
ir_field lower_field(lowering *l, const ast_declaration *declaration);

/* bodies.c */
ir_body lower_body(lowering *l, const ast_body *body, const ast_step *step);
span lower_args(const ast_args *args);

#endif
