/* SPDX-License-Identifier: MIT */
/* template.h - the functions of template.c and template_riscv.c. Copy one of them with this file: they need only the
 * public headers. */
#ifndef UFLOW_PORT_TEMPLATE_H
#define UFLOW_PORT_TEMPLATE_H

#include "uflow/base.h"

void board_start_clock(void);
void board_tick(void); /* the handler of SysTick, or what the trap handler of a RISC-V calls for its timer */
uf_time board_now(void);

void board_wake(void *context); /* for uf_pump_config.wake */
void board_awake(void);
void board_sleep_until(uf_time deadline);

#if defined(__riscv)
extern volatile bool board_handling; /* your trap handler sets and clears it */
#endif

/* As in port.h; they replace those of bare.c. */
_Noreturn void ufp_abort(const char *flow, const char *reason);
#if defined(__riscv)
void *ufp_thread_self(void);
#endif

#endif
