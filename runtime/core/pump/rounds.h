/* SPDX-License-Identifier: MIT */
/* rounds.h - rounds of a pump, and its graceful shutdown. */
#ifndef UFLOW_ROUNDS_H
#define UFLOW_ROUNDS_H

#include "basics/clocks.h"
#include "runs/runs.h"

#define UFI_DEFAULT_STAY_INTERVAL UF_MS(20)
#define UFI_DEFAULT_JOBS_PER_FLOW 64

/* uf_pump_round(), for the driver of any pump. */
uf_time ufi_round(uf_pump *pump, uf_time real);

/* Runs rounds at the clock's time, until the pump has to wait for time, or `at_most` rounds have run. */
void ufi_rounds(uf_pump *pump, uint64_t at_most);

/* -- stop.c -------------------------------------------------------------------------------------------------------- */

/* Begins the first phase, as if at real time `began`. `at_once`: tasks get no time to end. On the pump's thread. */
void ufi_stop_begin(uf_pump *pump, uf_stop *stop, uf_time began, uf_time grace, bool at_once);

/* Removes the ended stop from the pump. */
void ufi_stop_forget(uf_pump *pump);

/* Adds a line to the report: `name: what`, or `name: task: what`. */
void ufi_stop_name(uf_stop_report *report, const char *name, const char *task, const char *what);

/* The status that a stop with this report returns. */
uf_status ufi_stop_status(const uf_stop_report *report);

#endif
