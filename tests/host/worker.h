/* SPDX-License-Identifier: MIT */
/* worker.h - a flow for the host tests, as ufc would lower it. It is hand-written, so that the tests need only the
 * runtime.
 *
 *   flow Worker {
 *       task Count(int steps) -> int { step Go { body(flow); if (++self->at >= self->steps) done self->at; next Go; } }
 *       task Rest(uf_time nap) { step Lie { body(flow); await self->nap -> Rise; } step Rise { body(flow); done; } }
 *       task Poll { step Look { body(flow); if (flow->release) done; stay; } }
 *       task Fail(int code) { step Try { body(flow); fail "code %d", self->code; } }
 *   }
 */
#ifndef WORKER_H
#define WORKER_H

#include "uflow/generated.h"

typedef struct Worker {
    uf_flow uf;
    void (*body)(struct Worker *flow); /* called in each step, or NULL */
    void *context;
    int enters, exits, bodies;
    uf_outcome last_exit;
    bool release;
    struct {
        int steps, at;
        uf_time nap;
        int code;
    } uf_task;
    int uf_result;
    uf_arm uf_arms[1];
    char uf_reason[UF_REASON_SIZE];
    char uf_description[UF_DESCRIPTION_SIZE];
} Worker;

enum { WORKER_COUNT, WORKER_REST, WORKER_POLL, WORKER_FAIL };

uf_status Worker_init(Worker *flow, uf_pump *pump, const char *name);
uf_status Worker_destroy(Worker *flow);
uf_status Worker_start_Count(Worker *flow, int steps);
uf_status Worker_start_run_Count(Worker *flow, uf_run *run, int steps);
uf_status Worker_start_Rest(Worker *flow, uf_time nap);
uf_status Worker_start_run_Rest(Worker *flow, uf_run *run, uf_time nap);
uf_status Worker_start_Poll(Worker *flow);
uf_status Worker_start_Fail(Worker *flow, int code);
uf_status Worker_call_Count(Worker *flow, int steps, uf_time timeout, int *result, uf_call_info *info);
uf_status Worker_call_Rest(Worker *flow, uf_time nap, uf_time timeout, uf_call_info *info);
uf_status Worker_call_Fail(Worker *flow, int code, uf_time timeout, uf_call_info *info);
bool Worker_result_Count(const Worker *flow, int *result);

#endif
