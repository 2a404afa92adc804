/* c_parts.h - the parts of the emitted .c file, in their order: emit_c.c puts them together. */
#ifndef UFC_C_PARTS_H
#define UFC_C_PARTS_H

#include "writer.h"

void emit_drawing(writer *w);                           /* drawing.c: the comment at the top */
void emit_states(writer *w, const ir_flow *flow);       /* c_turn.c: the enum */
void emit_become(writer *w, const ir_task *task);       /* c_task.c: what leads here from any task of the flow */
void emit_transitions(writer *w, const ir_task *task);  /* c_task.c: on enter, on exit, and what else intents call */
void emit_step(writer *w, const ir_step *step);         /* c_step.c: its pauses, its body */
void emit_body(writer *w, const ir_body *body, const ir_step *step); /* c_step.c: behind a signature; step: NULL for a handler */
void emit_block(writer *w, const ir_body *body);        /* c_step.c: a handler within a function */
void emit_pause(writer *w, const ir_pause *pause);      /* c_pause.c: await and wait; stay and late */
void emit_turn(writer *w, const ir_flow *flow);         /* c_turn.c: the switch, and with the two below all that is about the whole flow */
void emit_tables(writer *w, const ir_flow *flow);       /* c_tables.c */
void emit_descriptor(writer *w, const ir_flow *flow);
void emit_life(writer *w, const ir_flow *flow);         /* c_life.c: init, destroy, start, result */
void emit_inits(writer *w, ir_range inits, const char *owner); /* c_init.c: of `owner->`; leaves the place where it is */

#endif
