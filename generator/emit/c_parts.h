/* SPDX-License-Identifier: MIT */
/* c_parts.h - the parts of the emitted .c file, in order; emit_c.c assembles them. */
#ifndef UFC_C_PARTS_H
#define UFC_C_PARTS_H

#include "cname.h"
#include "cover.h"
#include "writer.h"

/* drawing.c: the comment at the top. */
void emit_drawing(writer *w);

/* c_preempt.c: handlers that preempt a task, and companions. put_timeouts() is for the function that enters the task;
 * that function calls the one that emit_companions() writes. */
bool has_preempt(const writer *w, ir_range preempts, ir_preempt_kind kind);
void put_timeouts(writer *w, ir_range preempts);
void put_companions(writer *w, ir_range preempts);
void emit_companions(writer *w, const ir_task *task);
void emit_preempts(writer *w, const ir_flow *flow, ir_range preempts);
void emit_preempt_table(writer *w, const ir_flow *flow);
void put_dropped_handlers(writer *w, const ir_flow *flow); /* in an init, with mutants */

/* c_groups.c: the functions of the groups of a flow; the call of the innermost one that a task is in, and that the flow
 * notes. The row of a group, or of a task, in the table of tasks. */
void emit_groups(writer *w, const ir_flow *flow);
void put_entry_of_groups(writer *w, const ir_task *task);
uint32_t row_of_group(const writer *w, const ir_group *group);
uint32_t row_of_task(const writer *w, const ir_task *task);

/* c_tests.c: the statements of a test; what stands around the end of a task, which in a test counts unless the runner
 * has begun a stop: then the task stands in `state`, or NULL: where it is; `at` is the line of a `fail`, or NULL; the
 * parts that the runner of a test calls, after its flow; the objects of all tests, before them; their table. */
void put_expect(writer *w, const ir_piece *piece);
void put_expect_text(writer *w, const ir_piece *piece);
void put_end(writer *w, const ir_task *task, const span *at);
void put_end_else(writer *w, const ir_task *task, const char *state);
void emit_test(writer *w, const ir_test *test);
void emit_test_room(writer *w);
void emit_test_table(writer *w);

/* emit_header.c: the structs and prototypes of a flow, in the header, and in the C file if it is a test. */
void emit_flow_types(writer *w, const ir_flow *flow);

/* c_outside.c: signals and checkpoints of the file; tables, functions and descriptor entries of a flow for outside
 * events; the functions of a mailbox. */
void emit_points(writer *w);
void put_each_element(writer *w, const ir_point *point, const char *function);
/* If the value is no number, only the C compiler knows it, and checks the claim. Changes the writer's place. */
void put_value_check(writer *w, span value, const char *claim, const char *otherwise);
void put_array_limit(writer *w, const char *indent, span at, const char *array, const char *what, const char *name);
void emit_outside(writer *w, const ir_flow *flow);
/* Has the flow something that its destroy releases? */
bool has_release(const writer *w, const ir_flow *flow);
void put_outside_descriptor(writer *w, const ir_flow *flow);
void emit_mailbox(writer *w, const ir_flow *flow, const ir_mailbox *mailbox);

/* c_pools.c: the parts that a flow keeps if it is a member of a pool; its own pools: their inits, tables, functions. */
void emit_pool_tables(writer *w, const ir_flow *flow);
void put_pool_descriptor(writer *w, const ir_flow *flow);
void put_pool_init(writer *w, const ir_flow *flow, const ir_init *init);
/* In the header: the function with which an init clears the flow. In flows with pools inside, it also clears what their
 * inits clear: each is an idle flow until its own init. */
void emit_clear(writer *w, const ir_flow *flow);
bool has_tail_subflows(const writer *w, const ir_flow *flow);
bool has_shutdown_task(const writer *w, const ir_flow *flow);
void put_pool_releases(writer *w, const ir_flow *flow);
void emit_pool(writer *w, const ir_flow *flow, const ir_subflow *pool);

/* c_durable.c: what a durable flow keeps, its handlers, and what its descriptor does not have; plain structs, in the
 * header and in the C file. */
void emit_durable(writer *w, const ir_flow *flow);
/* How the functions of the runtime begin that run this child. */
const char *durable_prefix(const writer *w, const ir_event *run);
void emit_plain_struct(writer *w, const ir_plain *plain);
void emit_plains(writer *w);
/* emit_header.c */
void put_field_line(writer *w, const ir_field *field);
/* c_outside.c: how the turns of the flow handle preemption, or "0". */
const char *preempting_of(const writer *w, const ir_flow *flow);

/* c_work.c */
void emit_worker(writer *w, const ir_worker *worker);

/* c_turn.c: the enum of a flow's states. */
void emit_states(writer *w, const ir_flow *flow);

/* c_task.c: the intent that enters a task; transitions to a task from others of its flow; on enter, on exit, and
 * functions that its steps call. */
void emit_become(writer *w, const ir_task *task);
void emit_transitions(writer *w, const ir_task *task);
void put_entered(writer *w, const ir_task *task, const char *flow);

/* c_step.c: the pauses of a step and its body; a body after a signature; the body of a handler inside a function. */
void emit_step(writer *w, const ir_step *step);
void emit_body(writer *w, const ir_body *body);
void put_on_enter(writer *w, const ir_body *body, cover_kind count, uint32_t index); /* index: of the task or group */
void emit_handler(writer *w, const part *of, handler_kind on); /* its function, if there is such a handler */

/* c_await.c: `_await`, and the statement of the body that calls it. */
void emit_await(writer *w, const ir_pause *pause);
void put_await_statement(writer *w, const ir_pause *pause);

/* c_pause.c: `_await` and `_wait`, or `_stay` and `_late`; before all steps, each `_wait` that several awaits share;
 * the call of `_wait`, in the turn or in another function of the step. */
void emit_pause(writer *w, const ir_pause *pause);
void emit_shared_waits(writer *w, const ir_flow *flow);
void put_wait_call(writer *w, const ir_pause *pause, bool in_turn);

/* c_turn.c: the functions and tables of a whole flow: the switch, the tables, on exit, on end, the descriptor. */
void emit_turn(writer *w, const ir_flow *flow);

/* c_tables.c */
void emit_tables(writer *w, const ir_flow *flow);
void emit_descriptor(writer *w, const ir_flow *flow);
/* Writes a member of the descriptor, pieces as for put(), and its name in a comment. */
#define PUT_MEMBER(w, name, ...)                                                                                       \
    do {                                                                                                               \
        put(w, "    ");                                                                                                \
        put(w, __VA_ARGS__);                                                                                           \
        put(w, ", /* ", name, " */\n");                                                                                \
    } while (0)
/* The same for a member that only a core with a feature has, see priv/features.h. */
#define PUT_MEMBER_OF(w, feature, name, ...)                                                                           \
    do {                                                                                                               \
        put(w, "    UF_HAS(" feature ", ");                                                                            \
        put(w, __VA_ARGS__);                                                                                           \
        put(w, ",) /* ", name, " */\n");                                                                               \
    } while (0)
/* The offset of a hidden member of the flow's struct, or 0. */
const char *offset_of(writer *w, const ir_flow *flow, bool is_there, const char *member);

/* c_life.c: init, destroy, starts, calls, results. */
void emit_life(writer *w, const ir_flow *flow);

/* c_init.c: initialisers of `owner->`. Changes the writer's place. */
void emit_drops(writer *w, ir_range inits);
void emit_inits(writer *w, const ir_flow *flow, ir_range inits, const char *owner);

#endif
