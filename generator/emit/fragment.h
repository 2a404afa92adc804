/* fragment.h - what occurs all over generated C: parameters, arguments, durations, outcomes, heads of functions. */
#ifndef UFC_FRAGMENT_H
#define UFC_FRAGMENT_H

#include "writer.h"

/* `int const force`: the variable under another name or its own (NULL), const or not. */
void put_variable(writer *w, const ir_variable *v, const char *name, bool is_const);
/* `, int const force, const char *const why`: behind other parameters. The second one is for functions in which the name is not
 * the user's to see: `, int uf_arg_force`, where `force` itself could shadow a name of the file. */
void put_parameters(writer *w, ir_range variables, bool are_const);
void put_hidden_parameters(writer *w, ir_range variables);
#define HIDDEN_PREFIX "uf_arg_"
/* `, force, why`: as arguments, each behind `prefix`. */
void put_arguments(writer *w, ir_range variables, const char *prefix);
/* `    flow->uf_task.Pick.slot = uf_arg_slot;`, a line each; `place` is up to the dot, `prefix` is of the parameters. */
void put_stores(writer *w, ir_range variables, const char *place, const char *prefix);

/* Where things are: "flow->uf_task.Pick", "flow->uf_task.Pick.uf_args.Grip.", "&flow->uf_arms[1]". */
const char *task_place(const writer *w, const ir_task *task);
const char *arguments_place(const writer *w, const ir_step *step);
const char *arm_place(const writer *w, uint32_t slot);

/* `&estop` or `&flow->estop`; `&self->weigh.job`; what an arm by name waits for. */
const char *point_place(const writer *w, const ir_point *point);
const char *job_place(const writer *w, const ir_job *job);

/* `uf_job job; double value; char reason[UF_REASON_SIZE]; `: what a handle on a job of this worker is. */
void put_handle_members(writer *w, const ir_worker *worker);

/* Is there anything to do when it is entered? */
bool has_enter(const ir_task *task);

/* Around what is made of an arm or a pause that stands in a branch of `#if`: the directives before it, and an `#endif` for each `#if`; or
 * nothing at all, if nothing was made of it. */
typedef struct guard {
    writer before;
    size_t begin, inside; /* lengths of the output */
} guard;
guard put_guard(writer *w, ir_range directives);
void put_guard_end(writer *w, ir_range directives, const guard *g);

/* Is this arm, by its number in the pause, in the branch of the one before it, so that one guard is around both? */
bool shares_guard(const writer *w, const ir_pause *pause, uint32_t number);

/* A user's expression as an argument: in parentheses if it could fall apart at a comma. */
void put_argument(writer *w, span expression);

void put_duration(writer *w, const ir_duration *d);

/* Is this what is behind `fail` when it gives no reason, nothing or `""`? */
bool is_silent(span format);

/* `Picker_Pick_to_Grip(flow, 1)`: what a function of `task` returns for it. */
void put_outcome(writer *w, const ir_outcome *outcome, const ir_task *task);

/* `static uf_intent Picker_Pick_Grip_wait(Picker *flow, Picker_Pick *self, int const force`, open for more; and its call
 * from a function with the same head. */
void put_step_head(writer *w, const ir_step *step, const char *name);
/* Of the body's function: it also takes how often the signals that it waits for had fired before. */
void put_body_head(writer *w, const ir_step *step);
void put_step_call(writer *w, const ir_step *step, const char *name);

/* The call at the turn, with what is kept: `Picker_Pick_Grip(flow, &flow->uf_task.Pick, flow->uf_task.Pick.uf_args.Grip.force)`. */
void put_turn_call(writer *w, const ir_step *step, const char *name);
void put_body_turn_call(writer *w, const ir_step *step);

#endif
