/* SPDX-License-Identifier: MIT */
/* uflow_board.h - three_uflow.c and typical_uflow.c define what uflow_board.c calls. */
#ifndef UFLOW_BOARD_H
#define UFLOW_BOARD_H

#include <uflow/uflow.h>

void flow_init(uf_pump *pump);
void flow_start(void);

#endif
