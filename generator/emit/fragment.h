/* SPDX-License-Identifier: MIT */
/* fragment.h - recurring parts of generated C: parameters, arguments, durations, outcomes, function heads. */
#ifndef UFC_FRAGMENT_H
#define UFC_FRAGMENT_H

#include "writer.h"

/* Writes `int const force`: the variable under its own name (NULL) or another one, const or not. */
void put_variable(writer *w, const ir_variable *v, const char *name, bool is_const);
/* Declares variables, each between two texts: as parameters after others, `, int force, const char *why`, or as
 * members. */
void put_variables(writer *w, ir_range variables, const char *before, const char *after);
/* Writes the parameters `, int uf_arg_force`, for functions in which `force` could shadow a name. */
void put_hidden_parameters(writer *w, ir_range variables);
#define HIDDEN_PREFIX "uf_arg_"
/* Writes `, force, why`, each name after `prefix`. */
void put_arguments(writer *w, ir_range variables, const char *prefix);
/* Writes `    flow->uf_task.Pick.slot = uf_arg_slot;` per variable. `place` ends with the dot; `prefix` belongs to
 * the parameters. */
void put_stores(writer *w, ir_range variables, const char *place, const char *prefix);

/* Return expressions: "flow->uf_task.Pick", "flow->uf_task.Pick.uf_args.Grip.", "&flow->uf_arms[1]". A comment after
 * the 1 names the event that the flow waits for there. An enumerator could have the name that another step makes. */
const char *task_place(const writer *w, const ir_task *task);
const char *arguments_place(const writer *w, const ir_step *step);
const char *arm_place(const writer *w, const ir_event *event);
const char *operand_place(const writer *w, const ir_event *event); /* where a computed `for` is kept */
const char *slot_place(const writer *w, uint32_t slot, const char *what);

/* For all elements of an array: its name, its length, and the arm that has failed. */
bool has_elements(const writer *w, const ir_flow *flow); /* does the flow run such an array? */
bool is_each_run(const ir_event *event);
const char *each_name(const writer *w, const ir_event *event);
const char *each_count(const writer *w, const ir_event *event);
const char *failed_arm(const writer *w, const ir_event *event); /* without an array: its arm */

/* Return `&estop` or `&flow->estop`; `&self->weigh.job`. */
const char *point_place(const writer *w, const ir_point *point); /* a pointer; of an array: to its first element */
const char *point_kind(const ir_point *point);                   /* "signal", "checkpoint" */
const char *point_size(const writer *w, const ir_point *point);  /* of an array: "[3]"; else "" */
const char *job_place(const writer *w, const ir_job *job);

/* Writes the members of a job's handle: `uf_job job; double value; char reason[UF_REASON_SIZE]; `. */
void put_handle_members(writer *w, const ir_worker *worker);

/* Does entering the task run code? */
bool has_enter(const writer *w, const ir_task *task);

/* Does the flow note that it is inside the task? The innermost group around the task of which it does; IR_NONE: none.
 * `group` is where to begin. */
bool is_noted(const writer *w, const ir_task *task);
uint32_t entered_group(const writer *w, uint32_t group);

/* Writes the intent of an arm that has failed without `else`: it ends `task`, if there is one; see put_end_else(). */
void put_arm_failure(writer *w, const ir_event *event, const char *place, const ir_task *task, const char *state);

/* Directives around the code of an arm or a pause in a branch of `#if`: the directives before it, and an `#endif` per
 * `#if`. If the code is empty, there are none. */
typedef struct guard {
    writer before;
    size_t begin, inside; /* lengths of the output */
} guard;
guard put_guard(writer *w, ir_range directives);
void put_guard_end(writer *w, ir_range directives, const guard *g);

/* Is this arm, by its number in the pause, in the same branch as the one before it? Then they share a guard. */
bool shares_guard(const writer *w, const ir_pause *pause, uint32_t number);

/* How the value of a text depends on the moment of its evaluation. It does not, like `&flow->axis`, 3 and "text"; it
 * reads, like `flow->axis->speed`; or it may change something. A name may be a macro. */
typedef enum moment { AT_ANY_TIME, READS, ACTS } moment;
moment moment_of(span text);
moment moment_of_all(const writer *w, ir_range texts);
moment later_of(moment a, moment b);

/* C leaves the order open in which it evaluates the arguments of a call: can that be seen? */
bool order_matters(moment a, moment b);

void put_duration(writer *w, const ir_duration *d);
/* If there is a name, a computed duration is in this parameter or constant. */
void put_stored_duration(writer *w, const ir_duration *d, const char *name);
void put_index(writer *w, span index); /* of an array of jobs */

/* Is the reason of a `fail` empty: nothing or `""`? */
bool is_silent(span format);

/* The end of the name of the function for a format: that for text without conversions, if there is one, for simple
 * conversions, or for floating point. */
const char *format_suffix(span format, bool has_text_form);

/* Does its call contain text of the user? */
bool has_user_text(const ir_outcome *outcome);

/* `uf_next(&flow->uf, Picker_at_Pick_Grip)`, or with arguments `Picker_Pick_to_Grip(flow, 1)`: the value that a
 * function of `task` returns for the outcome. `state`: that in which it waits; see put_end_else(). */
void put_outcome(writer *w, const ir_outcome *outcome, const ir_task *task);
void put_outcome_in(writer *w, const ir_outcome *outcome, const ir_task *task, const char *state);

/* Writes `uf_next(&flow->uf, state)`: to a step without parameters. */
void put_next_state(writer *w, const ir_step *step, const char *state);

/* put_pause_head() writes `static uf_intent Picker_Pick_Grip_wait(Picker *flow, Picker_Pick *self, int const force`,
 * without `)`. put_pause_call() writes its call from a function with the same head, put_pause_return() a return that
 * counts the pause. `what`: see cname_pause(). */
void put_pause_head(writer *w, const ir_pause *pause, const char *what);
void put_pause_call(writer *w, const ir_pause *pause, const char *what);
void put_pause_return(writer *w, const ir_pause *pause, const char *what);
/* The head of the body's function, which also takes the counts of the signals that it waits for. */
void put_body_head(writer *w, const ir_step *step);

/* Writes the call in the turn, with stored arguments: `Picker_Pick_Grip(flow, &flow->uf_task.Pick,
 * flow->uf_task.Pick.uf_args.Grip.force)`. */
void put_pause_turn_call(writer *w, const ir_pause *pause, const char *what);
void put_body_turn_call(writer *w, const ir_step *step);

#endif
