/* SPDX-License-Identifier: MIT */
/* template.h - the functions of template.c. Copy both files: they need only the public headers. */
#ifndef UFLOW_PORT_TEMPLATE_H
#define UFLOW_PORT_TEMPLATE_H

#include "uflow/base.h"

void board_start_clock(void);
void board_tick(void); /* the SysTick handler */
uf_time board_now(void);

void board_wake(void *context); /* for uf_pump_config.wake */
void board_awake(void);
void board_sleep_until(uf_time deadline);

_Noreturn void ufp_abort(const char *flow, const char *reason); /* as in port.h: replaces that of bare.c */

#endif
