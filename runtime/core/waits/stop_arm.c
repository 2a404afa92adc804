/* SPDX-License-Identifier: MIT */
/* stop_arm.c - the arm `stopping`. */
#include "waits/arms.h"

void uf_arm_stopping(uf_flow *flow, uf_arm *arm)
{
    ufi_set_arm(flow, arm, UF_ARM_STOPPING);
    ufi_arms_append(&flow->pump->stop_waiters, arm);
}
