/* SPDX-License-Identifier: MIT */
/* typical_uflow.c - the flow of sizes/typical.uflow on a pump. */
#include "bare.h"
#include "typical.h"
#include "uflow_board.h"

static Typical one;

void flow_init(uf_pump *pump)
{
    (void)Typical_init(&one, pump, "one");
}

void flow_start(void)
{
    (void)Typical_start_Ask(&one, 10);
}

bool bare_running(void)
{
    return uf_flow_running(&one.uf);
}

void bare_answer(void)
{
    (void)uf_signal_fire(&one.answered);
}
