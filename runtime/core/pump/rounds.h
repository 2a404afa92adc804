/* rounds.h - rounds of a pump. */
#ifndef UFLOW_ROUNDS_H
#define UFLOW_ROUNDS_H

#include "runs/turn.h"

/* uf_pump_round(), for the driver of any pump. */
uf_time ufi_round(uf_pump *pump, uf_time real);

/* Runs rounds at the clock's time, until the pump has to wait for time, or `at_most` rounds have run. */
void ufi_rounds(uf_pump *pump, uint64_t at_most);

#endif
