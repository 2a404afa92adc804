/* SPDX-License-Identifier: MIT */
/* qpc_board.h - three_qpc.c and typical_qpc.c define what qpc_board.c calls. */
#ifndef QPC_BOARD_H
#define QPC_BOARD_H

#include "qpc.h"

/* Constructs the active object. */
QActive *object_init(void);

#endif
