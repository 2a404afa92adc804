/* SPDX-License-Identifier: MIT */
/* driver.h - functions that random programs call, and the table that describes the programs. */
#ifndef UFLOW_RANDOM_DRIVER_H
#define UFLOW_RANDOM_DRIVER_H

#include "uflow/uflow.h"

typedef struct random_program {
    const char *name;
    void (*init)(uf_pump *pump);
    void (*start)(int value);
    void (*act)(unsigned which, int value); /* one external event: a start, a fire, a cancel */
    unsigned act_count;
    void (*destroy)(void);
    uf_flow *const *flows;
    unsigned flow_count;
} random_program;

extern const random_program random_programs[];
extern const unsigned random_program_count;

/* Called by bodies and handlers. They print one line. */
void random_say(const uf_flow *flow, const char *what, int value);
int random_note(const uf_flow *flow, int value);
void random_fire(uf_signal *signal);
void random_drop(int *item);
void random_result(const char *what, uf_status status);
void random_count(const char *what, uint32_t count);

/* Called by workers. */
void random_worked(int worker, int value);

/* False: this program has run too many bodies since the last act, so it might never let time pass. */
bool random_go_on(void);

#endif
