/* prototypes.h - heads of the public functions, equal in the header and in the .c file. None ends its line. Names of their
 * own that stand beside the user's begin with uf_. */
#ifndef UFC_PROTOTYPES_H
#define UFC_PROTOTYPES_H

#include "writer.h"

void put_init_head(writer *w, const ir_flow *flow);
void put_destroy_head(writer *w, const ir_flow *flow);
void put_start_head(writer *w, const ir_task *task);
void put_start_run_head(writer *w, const ir_task *task);
void put_result_head(writer *w, const ir_task *task);

#endif
