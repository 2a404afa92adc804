/* tables.h - what lowering works with: the unit that grows, and where what the AST has is in it. */
#ifndef UFC_TABLES_H
#define UFC_TABLES_H

#include "ast.h"
#include "ir.h"

typedef struct lowering {
    arena *arena;
    ir_unit *unit;
    ir_unit room;                         /* its counts: how many the tables of the unit have room for */
    struct place *places;                 /* a hash table: see place_of() */
    uint32_t place_count, place_capacity; /* a power of two */
    uint32_t *noted;                      /* of each point: 1 + the step that was the last to take note of it */
    uint32_t noted_room;
} lowering;

/* Appends a zeroed item to one of the unit's tables, `items` and `items_count`; its index. */
#define TABLE_ADD(l, items, count)                                                                                     \
    ((l)->unit->items =                                                                                                \
         table_reserve((l)->arena, (l)->unit->items, (l)->unit->count, &(l)->room.count, sizeof *(l)->unit->items),    \
     (l)->unit->count++)

/* Room for one zeroed item behind `count`: the same table, or a longer one in its place. */
void *table_grow(arena *a, void *items, uint32_t *room, size_t size);
static inline void *table_reserve(arena *a, void *items, uint32_t count, uint32_t *room, size_t size)
{
    return count < *room ? items : table_grow(a, items, room, size);
}

/* tables.c: the index in its table that a point, mailbox, worker, job or flow of another file was given; IR_NONE: none yet. */
uint32_t place_of(const lowering *l, const void *node);
void place_set(lowering *l, const void *node, uint32_t index); /* once for each */

/* The index of a flow; one of another file is added when it is first asked for. */
uint32_t lower_flow_index(lowering *l, const ast_flow *flow);
uint32_t lower_task_index(lowering *l, const ast_task *task);
uint32_t lower_step_index(lowering *l, const ast_step *step);
/* Parameters, and heads of tasks: what others need of a flow. */
void lower_heads(lowering *l, const ast_flow *flow, uint32_t index);

/* types.c */
ir_variable lower_variable(lowering *l, const ast_declarator *declarator, span at);
ir_range lower_variables(lowering *l, const ast_declaration *list);
ir_variable lower_type(lowering *l, token_range type);
ir_variable lower_item(lowering *l, const ast_mailbox *mailbox);
ir_field lower_field(lowering *l, const ast_declaration *declaration);

/* outside.c: what others reach from outside of a step. Points of a flow or of the file are added when they are first asked
 * for, as those of another file are. */
uint32_t lower_point_index(lowering *l, const ast_point *point);
void lower_file_points(lowering *l, const ast_file *file);
void lower_point_member(lowering *l, const ast_point *point, bool is_checkpoint);
void lower_mailbox_member(lowering *l, const ast_mailbox *mailbox);
void lower_workers(lowering *l, const ast_worker *list);
void lower_jobs(lowering *l, const ast_job *list, uint32_t task);

/* bodies.c; a handler or its absence. */
ir_body lower_handler(lowering *l, const ast_body *body);
ir_body lower_step_body(lowering *l, const ast_step *step);
ir_body lower_worker_body(lowering *l, const ast_worker *worker, uint32_t index);
void lower_preempts(lowering *l, const ast_preempt *list, uint32_t flow, uint32_t task); /* task IR_NONE: the flow's */
span lower_args(const ast_args *args);

#endif
