/* SPDX-License-Identifier: MIT */
/* jobber.h - a flow with jobs for the host tests, as ufc would lower it. Hand-written, so that the tests need only
 * the runtime.
 *
 *   worker int perform(order what) { return what.function(uf_self, what.argument); }
 *   flow Jobber {
 *       task Ask(order what, uf_time limit) -> int {       submits, waits, and returns the result
 *           job a: perform;
 *           on exit { exits++; }
 *           step Go { submit a(what) timeout limit; body(flow); await a -> done self->a.value else Lost(reason); }
 *           step Lost(reason) { fail "%s", reason; } }
 *       task Leave(order what) { job a: perform; step Go { submit a(what); body(flow); next Out; } step Out { done; } }
 *       task Look(order what) {
 *           job a: perform;
 *           step Go { submit a(what); next See; }
 *           step See { body(flow); if pending stay; done; } }
 *       task Flood(order what, int count) {
 *           job many[70]: perform;
 *           step Go { submit count of them; body(flow); await all(many) -> done else fail; } }
 *       task Repeat(order what, int count) -> int {       `count` jobs, 32 at a time; returns the sum
 *           job many[32]: perform;
 *           step Go { submit up to 32; await all(many) -> More else fail; }
 *           step More { any left: next Go; done sum; } }
 *   }
 */
#ifndef JOBBER_H
#define JOBBER_H

#include "uflow/generated.h"

enum { JOBBER_MANY = 70, JOBBER_BATCH = 32 };

typedef struct order {
    int (*function)(uf_work *work, void *argument);
    void *argument;
} order;

typedef struct Jobber_job {
    uf_job job;
    int value;
    char reason[UF_REASON_SIZE];
} Jobber_job;

typedef struct Jobber {
    uf_flow uf;
    void (*body)(struct Jobber *flow); /* or NULL */
    void *context;
    int enters, exits, bodies;
    struct {
        order what;
        uf_time limit;
        int count, sum, at;
        Jobber_job many[JOBBER_MANY]; /* the first one is `a` */
    } uf_task;
    int uf_result;
    uint32_t uf_jobs;
    uf_arm uf_arms[1];
    char uf_reason[UF_REASON_SIZE];
} Jobber;

uf_status Jobber_init(Jobber *flow, uf_pump *pump, const char *name);
uf_status Jobber_destroy(Jobber *flow);
uf_status Jobber_start_Ask(Jobber *flow, order what, uf_time limit);
uf_status Jobber_start_Leave(Jobber *flow, order what);
uf_status Jobber_start_Look(Jobber *flow, order what);
uf_status Jobber_start_Flood(Jobber *flow, order what, int count);
uf_status Jobber_start_Repeat(Jobber *flow, order what, int count);

#endif
