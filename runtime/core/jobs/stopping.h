/* stopping.h - graceful shutdown, for the host. See stop.c. */
#ifndef UFLOW_STOPPING_H
#define UFLOW_STOPPING_H

#include "basics/clocks.h"
#include "flows/flows.h"

/* Begins the first phase, as if at real time `began`. `at_once`: tasks get no time to end. On the pump's thread. */
void ufi_stop_begin(uf_pump *pump, uf_stop *stop, uf_time began, uf_time grace, bool at_once);

/* Removes the ended stop from the pump. */
void ufi_stop_forget(uf_pump *pump);

/* Adds a line to the report: `name: what`, or `name: task: what`. */
void ufi_stop_name(uf_stop_report *report, const char *name, const char *task, const char *what);

/* The status that a stop with this report returns. */
uf_status ufi_stop_status(const uf_stop_report *report);

#endif
