/* c_parts.h - the parts of the emitted .c file, in their order: emit_c.c puts them together. */
#ifndef UFC_C_PARTS_H
#define UFC_C_PARTS_H

#include "writer.h"

/* drawing.c: the comment at the top. */
void emit_drawing(writer *w);

/* c_outside.c: signals and checkpoints of the file; what pre-empts; the tables and functions of a flow that are about
 * what others reach, and their part of its descriptor; the functions of a mailbox. */
void emit_points(writer *w);
void emit_preempts(writer *w, const ir_flow *flow, ir_range preempts);
void emit_outside(writer *w, const ir_flow *flow);
void put_outside_descriptor(writer *w, const ir_flow *flow);
void emit_mailbox(writer *w, const ir_flow *flow, const ir_mailbox *mailbox);

/* c_work.c */
void emit_worker(writer *w, const ir_worker *worker);

/* c_turn.c: the enum of a flow's states. */
void emit_states(writer *w, const ir_flow *flow);

/* c_task.c: the intent of a task's entry; what leads to a task from any other of its flow; on enter, on exit,
 * and what else its steps call. */
void emit_become(writer *w, const ir_task *task);
void emit_transitions(writer *w, const ir_task *task);
void put_entered(writer *w, const ir_task *task, const char *flow);

/* c_step.c: the pauses of a step and its body; a body behind a signature, `step` is NULL for a handler's; a handler's
 * body within a function. */
void emit_step(writer *w, const ir_step *step);
void emit_body(writer *w, const ir_body *body, const ir_step *step);
void emit_block(writer *w, const ir_body *body);

/* c_pause.c: `_await` and `_wait`, or `_stay` and `_late`. */
void emit_pause(writer *w, const ir_pause *pause);

/* c_turn.c: all that is about the whole flow: the switch, the tables, on exit, the descriptor. */
void emit_turn(writer *w, const ir_flow *flow);

/* c_tables.c */
void emit_tables(writer *w, const ir_flow *flow);
void emit_descriptor(writer *w, const ir_flow *flow);

/* c_life.c: init, destroy, starts, calls, results. */
void emit_life(writer *w, const ir_flow *flow);

/* c_init.c: initialisers of `owner->`. Leaves the place where it is. */
void emit_inits(writer *w, ir_range inits, const char *owner);

#endif
