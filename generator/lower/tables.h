/* SPDX-License-Identifier: MIT */
/* tables.h - the state of lowering: the unit under construction, and the indices of AST nodes in it. */
#ifndef UFC_TABLES_H
#define UFC_TABLES_H

#include "ast.h"
#include "ir.h"

typedef struct lowering {
    arena *arena;
    ir_unit *unit;
    ir_unit room;                         /* its counts are the capacities of the unit's tables */
    struct place *places;                 /* hash table, see place_of() */
    uint32_t place_count, place_capacity; /* a power of two */
    uint32_t *noted;                      /* by point: 1 + the last step that noted its count */
    uint32_t noted_room;
    bool with_conditions; /* pieces for those of `if` */
} lowering;

/* Appends an item to the table `items` of the unit, whose length is `count`. Returns its index. The last argument is
 * the item; its expression must not append to the same table. */
#define TABLE_ADD(l, items, count, ...)                                                                                \
    ((l)->unit->items =                                                                                                \
         table_reserve((l)->arena, (l)->unit->items, (l)->unit->count, &(l)->room.count, sizeof *(l)->unit->items),    \
     (l)->unit->items[(l)->unit->count] = __VA_ARGS__, (l)->unit->count++)

/* Makes room for one zeroed item after `count` items. Returns the same table or a larger copy. */
void *table_grow(arena *a, void *items, uint32_t *room, size_t size);
static inline void *table_reserve(arena *a, void *items, uint32_t count, uint32_t *room, size_t size)
{
    return count < *room ? items : table_grow(a, items, room, size);
}

/* tables.c: returns the index in its table of a point, mailbox, worker, job, plain struct or imported flow; IR_NONE if
 * it has none yet. */
uint32_t place_of(const lowering *l, const void *node);
void place_set(lowering *l, const void *node, uint32_t index); /* once per node */

/* Returns the index of a flow; adds an imported flow on first use. */
uint32_t lower_flow_index(lowering *l, const ast_flow *flow);
uint32_t lower_task_index(lowering *l, const ast_task *task);
uint32_t lower_step_index(lowering *l, const ast_step *step);

/* types.c */
ir_variable lower_variable(lowering *l, const ast_declarator *declarator, span at);
ir_range lower_variables(lowering *l, const ast_declaration *list);
ir_variable lower_type(lowering *l, token_range type);
ir_variable lower_item(lowering *l, const ast_mailbox *mailbox);
ir_field lower_field(lowering *l, const ast_declaration *declaration);

/* outside.c: declarations that code outside of steps can reach. Points are added on first use. */
uint32_t lower_point_index(lowering *l, const ast_point *point);
void lower_file_points(lowering *l, const ast_file *file);
void lower_point_member(lowering *l, const ast_point *point, bool is_checkpoint);
void lower_mailbox_member(lowering *l, const ast_mailbox *mailbox, uint32_t flow);
/* `with_stubs`: those of tests, too. */
void lower_workers(lowering *l, const ast_worker *list, bool with_stubs);
void lower_jobs(lowering *l, const ast_job *list, uint32_t task);

/* kept.c: what a durable flow keeps; plain structs. */
void lower_kept(lowering *l, const ast_flow *from, uint32_t index);
void lower_plains(lowering *l, const ast_plain *list);

/* tests.c: what an `expect` claims; a test, after its flow; what changes in C of the user. */
ir_range lower_expect(lowering *l, token_range text);
void lower_test(lowering *l, const ast_flow *from, uint32_t flow);
void lower_changes(lowering *l, const ast_file *file);

/* blocks.c: a `header` block becomes several, so that its includes stand apart. */
void lower_block(lowering *l, const ast_text_block *block);

/* user_lines.c: the `#line` directives of bodies and blocks, among other directives. */
typedef struct user_lines {
    lowering *l;
    uint32_t end, depth; /* of the body; open branches */
    bool is_conditional; /* the last one stands in a branch */
    ir_user_line last;
} user_lines;
bool branch_is(const token *t, const char *name); /* "#if": `#ifdef`, too */
void lower_user_line(user_lines *state, const source *in, const token *t);
void lower_user_lines(lowering *l, token_range body);
void sort_user_lines(ir_unit *unit);

/* bodies.c: lowers a handler; `body` may be NULL. */
ir_body lower_handler(lowering *l, const ast_body *body);
ir_body lower_step_body(lowering *l, const ast_step *step);
ir_body lower_worker_body(lowering *l, const ast_worker *worker, uint32_t index);
/* With task IR_NONE, the handlers of the flow. */
ir_range lower_preempts(lowering *l, const ast_preempt *list, uint32_t flow, uint32_t task, uint32_t group);
span lower_text(token_range range); /* empty if the range is */
span lower_args(const ast_args *args);
binding_set bindings_of_args(const ast_args *args);

#endif
