/* SPDX-License-Identifier: MIT */
/* deadlines.h - the pending deadlines of a pump. */
#ifndef UFLOW_TEST_DEADLINES_H
#define UFLOW_TEST_DEADLINES_H

#include "uflow/pump.h"

/* So many can be due at once because a round is late. */
#define TEST_DEADLINES 7

typedef struct uft_deadlines {
    uint32_t count;
    uf_time at[TEST_DEADLINES]; /* rising, each once */
} uft_deadlines;

/* Finds the first deadlines after `after`, up to `last`, without those of the flow `but`. */
void uft_find_deadlines(uft_deadlines *found, const uf_pump *pump, const uf_flow *but, uf_time after, uf_time last);

/* Adds one in its place. */
void uft_add_deadline(uft_deadlines *found, uf_time deadline);

/* Moves the deadlines of one flow by `delay`. */
void uft_move_deadlines(uf_pump *pump, const uf_flow *flow, uf_time delay);

#endif
