/* SPDX-License-Identifier: MIT */
/* observers.h - measurements for observers, and the events of the host. The other events are in hooks.h. */
#ifndef UFLOW_OBSERVERS_H
#define UFLOW_OBSERVERS_H

#include "basics/clocks.h"
#include "flows/flows.h"

/* -- observer.c ---------------------------------------------------------------------------------------------------- */

void ufi_notify_post_began(uf_pump *pump, const uf_post_event *post);
void ufi_notify_posted(uf_pump *pump, const uf_post_event *post);
void ufi_notify_linked(uf_pump *pump, const char *driver);

/* -- slow.c -------------------------------------------------------------------------------------------------------- */

uf_intent ufi_timed_turn(uf_pump *pump, uf_flow *flow, uint32_t state);
void ufi_measure_round(uf_pump *pump);
void ufi_round_measured(uf_pump *pump);

/* A post of a measured round took this long. */
void ufi_measure_post(uf_pump *pump, const uf_post_event *post, uf_time took);

/* -- times.c ------------------------------------------------------------------------------------------------------- */

/* All but ufi_run_begins() are called only while pump->measured_runs is not 0. The first two return `copy`, or NULL
 * if the run is not measured. */
const uf_run_times *ufi_measure_step(const uf_flow *flow, const uf_step_change *change, uf_run_times *copy);
const uf_run_times *ufi_measure_run(const uf_flow *flow, uf_run_times *copy);
void ufi_run_begins(const uf_flow *flow);
void ufi_run_ended(const uf_flow *flow);
void ufi_body_timed(const uf_flow *flow, uf_time took);
void ufi_job_took(const uf_flow *flow, uf_time waited);

#endif
