/* SPDX-License-Identifier: MIT */
/* three_uflow.c - the flow of sizes/three.uflow on a pump. */
#include "bare.h"
#include "three.h"
#include "uflow_board.h"

static Three one;

void flow_init(uf_pump *pump)
{
    (void)Three_init(&one, pump, "one");
}

void flow_start(void)
{
    (void)Three_start_Run(&one);
}

bool bare_running(void)
{
    return uf_flow_running(&one.uf);
}
