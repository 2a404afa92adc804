/* cname.h - every name in generated C is spelled here. sema/collisions.c reserves them. */
#ifndef UFC_CNAME_H
#define UFC_CNAME_H

#include "writer.h"

/* Of a flow; public: init, destroy, type; else: state, turn, on_init, on_exit. "Picker_init" */
const char *cname_of_flow(const writer *w, const ir_flow *flow, const char *what);
/* Of a flow, what the user's names could not be: fields, tasks, steps, states, edges. "uf_Picker_steps" */
const char *cname_hidden(const writer *w, const ir_flow *flow, const char *what);

/* Of a task. */
const char *cname_task(const writer *w, const ir_task *task); /* its type, "Picker_Pick" */
const char *cname_for_task(const writer *w, const ir_task *task,
                           const char *what); /* start, start_run, call, result, become, enter: "Picker_start_Pick" */
const char *cname_of_task(const writer *w, const ir_task *task,
                          const char *what); /* enter, exit, done: "Picker_Pick_enter" */
const char *cname_of_task_hidden(const writer *w, const ir_task *task,
                                 const char *what); /* fields: "uf_Picker_Pick_fields" */

/* Of a step: its body's function, what goes on to it, its state. */
const char *cname_step(const writer *w, const ir_step *step);       /* "Picker_Pick_Grip" */
const char *cname_to_step(const writer *w, const ir_step *step);    /* "Picker_Pick_to_Grip" */
const char *cname_step_state(const writer *w, const ir_step *step); /* "Picker_at_Pick_Grip" */

/* Of an await or a stay with a timeout; what: await, wait; stay, late. The second one of its step has a 2 behind it. */
const char *cname_pause(const writer *w, const ir_pause *pause, const char *what); /* "Picker_Pick_Grip_await" */
const char *cname_pause_state(const writer *w, const ir_pause *pause);             /* "Picker_at_Pick_Grip_wait" */

/* Of a worker: arguments, job, body, run, worker, submit. "uf_run_of_read_scale" */
const char *cname_of_worker(const writer *w, const ir_worker *worker, const char *what);

/* Of a mailbox; public: send, receive. "Line_orders_send" */
const char *cname_of_mailbox(const writer *w, const ir_flow *flow, const ir_mailbox *mailbox, const char *what);

/* Of what pre-empts: "uf_Picker_on_estop", in a task "uf_Picker_Pick_on_estop". */
const char *cname_preempt(const writer *w, const ir_flow *flow, const ir_preempt *preempt);

#endif
