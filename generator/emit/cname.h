/* SPDX-License-Identifier: MIT */
/* cname.h - names in generated C; those of public functions stand in forms.h. sema/collisions.c reserves them all. */
#ifndef UFC_CNAME_H
#define UFC_CNAME_H

#include "writer.h"

/* What has handlers: a flow, or with a task or a group that part of it. */
typedef struct part {
    const ir_flow *flow;
    const ir_task *task;
    const ir_group *group;
} part;

const ir_body *body_of_handler(const part *of, handler_kind on);

/* Where an outcome or an edge leads, as drawings show it: "Grip", "become Pick", "done". */
const char *target_of_outcome(const writer *w, const ir_outcome *outcome);
const char *target_of_edge(const writer *w, const ir_edge *edge);

/* Names of a flow. Public: init, destroy, type; others: state, turn, on_init, on_exit, on_end. "Picker_init" */
const char *cname_of_flow(const writer *w, const ir_flow *flow, const char *what);
/* Names of a flow that user names cannot collide with: fields, tasks, steps, states, edges. "uf_Picker_steps" */
const char *cname_tests(const writer *w);                     /* of the file */
const char *cname_of_file(const writer *w, const char *what); /* after its first flow: "uf_Picker_counts" */
const char *cname_hidden(const writer *w, const ir_flow *flow, const char *what);

/* Names of a task. */
const char *cname_task(const writer *w, const ir_task *task); /* the type "Picker_Pick" */
const char *cname_for_task(const writer *w, const ir_task *task,
                           const char *what); /* start, start_run, call, result, become, enter: "Picker_start_Pick" */
const char *cname_of_task(const writer *w, const ir_task *task,
                          const char *what); /* enter, exit, done: "Picker_Pick_enter" */
const char *cname_of_task_hidden(const writer *w, const ir_task *task,
                                 const char *what); /* fields: "uf_Picker_Pick_fields" */

/* Names of a step: its body's function, the transition to it, its state. */
const char *cname_step(const writer *w, const ir_step *step);       /* "Picker_Pick_Grip" */
const char *cname_to_step(const writer *w, const ir_step *step);    /* "Picker_Pick_to_Grip" */
const char *cname_step_state(const writer *w, const ir_step *step); /* "Picker_at_Pick_Grip" */

/* Names of an await or a stay with a timeout. `what`: await, wait; stay, late. The second one in a step ends with 2. */
const char *cname_pause(const writer *w, const ir_pause *pause, const char *what); /* "Picker_Pick_Grip_await" */
const char *cname_pause_state(const writer *w, const ir_pause *pause);             /* "Picker_at_Pick_Grip_wait" */

/* Names of a worker: arguments, job, body, run, worker, submit. "uf_run_of_read_scale" */
const char *cname_of_worker(const writer *w, const ir_worker *worker, const char *what);

/* What a struct holds beside a member: items, turns of a mailbox, members of a pool, names of the elements of an array.
 * No member that the struct has in any case has such a name. "uf_items_of_orders" */
const char *cname_stored(const writer *w, const char *what, const char *member);
const char *cname_of_spawn(const writer *w, const ir_flow *flow, const ir_subflow *pool, const ir_task *task);

/* Name of the function that calls the user's function of `drop`: "uf_Line_drop_orders" */
const char *cname_of_drop(const writer *w, const ir_mailbox *mailbox);

const char *cname_group(const writer *w, const ir_group *group);             /* "Picker_Busy" */
const char *cname_handler(const writer *w, const part *of, handler_kind on); /* "Picker_on_init", "Picker_Pick_pause" */

/* Name of what preempts: "uf_Picker_on_estop", or in a task "uf_Picker_Pick_on_estop"; of its part: "Picker_Pick". */
const char *cname_preempt(const writer *w, const ir_flow *flow, const ir_preempt *preempt);
const char *cname_owner(const writer *w, const ir_flow *flow, const ir_preempt *preempt);

#endif
