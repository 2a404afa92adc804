/* SPDX-License-Identifier: MIT */
/* stops.h - `stops D;`: a graceful shutdown in a run of a test. The test's own run is not waited for, nor judged. */
#ifndef UFLOW_TEST_STOPS_H
#define UFLOW_TEST_STOPS_H

#include "uflow/stop.h"

typedef struct uft_stopping {
    bool has_begun;
    uint32_t line; /* of the row */
    uf_time grace;
    uf_stop stop;
    uint32_t own; /* how many runs the test's own flow has among those that are not waited for: 0 or 1 */
} uft_stopping;

/* Begins the stop. Nothing happens if the test itself has begun one. */
void uft_stop_begin(uft_stopping *stopping, uf_pump *pump, const uf_flow *own, uf_time grace, uint32_t line);

/* After a round. Returns: the stop may go on earlier than that round has said. */
bool uft_stop_settle(uft_stopping *stopping, const uf_flow *own);

/* Fails the test with what its report says of flows that were cut off, were left behind, or have failed. */
void uft_stop_judge(const uft_stopping *stopping);

#endif
