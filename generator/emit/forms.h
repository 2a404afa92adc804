/* SPDX-License-Identifier: MIT */
/* forms.h - generated C as text with holes, and the heads of the public functions, which the header declares and the .c
 * file defines. Names that ufc adds to the user's begin with uf_.
 *
 *   $F  the flow            $P  its or the task's parameters, after others: `, int force`
 *   $T  the task            $A  the same as arguments: `, uf_arg_force`
 *   $M  the pool, mailbox   $S  a line per parameter that stores it in the task's state
 *   $C  the pool's flow     $I  the declaration of `uf_item`, $J that of a pointer to one
 *   $R  `, int *uf_out` if the task has a result
 *   $L  `static ` if the flow is a test, which no other file uses
 *   $ before the end of a line breaks a line that is too long. */
#ifndef UFC_FORMS_H
#define UFC_FORMS_H

#include "writer.h"

#define HEAD_INIT          "uf_status $F_init($F *flow, uf_pump *uf_on_pump, const char *uf_name$P)"
#define HEAD_DESTROY       "uf_status $F_destroy($F *flow)"
#define HEAD_START         "uf_status $F_start_$T($F *flow$P)"
#define HEAD_START_RUN     "uf_status $F_start_run_$T($F *flow, uf_run *uf_handle$P)"
#define HEAD_CALL          "uf_status $F_call_$T($F *flow$P, uf_time uf_timeout$R, uf_call_info *uf_info)"
#define HEAD_RESULT        "uf_bool $F_result_$T(const $F *flow$R)"
#define HEAD_SEND          "uf_status $F_$M_send($F *flow, $I)"
#define HEAD_SEND_WAIT     "uf_status $F_$M_send_wait($F *flow, $I, uf_time uf_timeout)"
#define HEAD_RECEIVE       "uf_bool $F_$M_receive($F *flow, $J)"
#define HEAD_SPAWN         "uf_status $F_$M_spawn_$T($F *flow$P)"
#define HEAD_BUSY          "unsigned $F_$M_busy(const $F *flow)"
#define HEAD_LIMIT         "uf_status $F_$M_limit($F *flow, uf_u32 uf_most)"
#define HEAD_CANCEL_ALL    "uf_status $F_$M_cancel_all($F *flow)"
#define HEAD_AT            "$C *$F_$M_at(const $F *flow, uf_u32 uf_index)"
#define HEAD_RUN           "uf_run $F_$M_run(const $F *flow, uf_u32 uf_index)"

#define HEAD_REAP          "uf_bool $F_$M_reap($F *flow, uf_member_end *uf_end)"
#define HEAD_MEMBER_RESULT "uf_bool $F_$M_result_$T(const $F *flow, uf_u32 uf_index$R)"

/* What the holes stand for. */
typedef struct subject {
    const ir_flow *flow;
    const ir_task *task;    /* or NULL, as what follows */
    const ir_subflow *pool; /* its tasks are those of another flow */
    const ir_mailbox *mailbox;
    bool has_names; /* of parameters: as the user names them, in a declaration */
} subject;

void put_form(writer *w, const subject *of, const char *text);

/* The task, of its own flow. */
subject subject_of(const writer *w, const ir_task *task);

#endif
