/* prototypes.h - heads of public functions, for the header and the .c file. None ends its line. Names that ufc adds to
 * the user's begin with uf_. */
#ifndef UFC_PROTOTYPES_H
#define UFC_PROTOTYPES_H

#include "writer.h"

typedef void parameter_writer(writer *w, ir_range variables); /* put_named_parameters in the header */
void put_named_parameters(writer *w, ir_range variables);

void put_init_head(writer *w, const ir_flow *flow, parameter_writer *parameters);
void put_destroy_head(writer *w, const ir_flow *flow);
void put_start_head(writer *w, const ir_task *task, parameter_writer *parameters);
void put_start_run_head(writer *w, const ir_task *task, parameter_writer *parameters);
void put_spawn_head(writer *w, const ir_flow *flow, const ir_subflow *pool, const ir_task *task,
                    parameter_writer *parameters);
void put_busy_head(writer *w, const ir_flow *flow, const ir_subflow *pool);
void put_limit_head(writer *w, const ir_flow *flow, const ir_subflow *pool);
void put_cancel_all_head(writer *w, const ir_flow *flow, const ir_subflow *pool);
void put_at_head(writer *w, const ir_flow *flow, const ir_subflow *pool);
void put_run_head(writer *w, const ir_flow *flow, const ir_subflow *pool);
void put_call_head(writer *w, const ir_task *task, parameter_writer *parameters);
void put_result_head(writer *w, const ir_task *task);
void put_send_head(writer *w, const ir_flow *flow, const ir_mailbox *mailbox);
void put_send_wait_head(writer *w, const ir_flow *flow, const ir_mailbox *mailbox);
void put_receive_head(writer *w, const ir_flow *flow, const ir_mailbox *mailbox);

#endif
