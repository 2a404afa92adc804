/* SPDX-License-Identifier: MIT */
/* observer.c - counts what the counters of `ufc --coverage` count, with an observer on every pump of the program. The
 * linker puts the function below in place of uf_pump_init(). At exit, the counts go to the file COV_OBSERVED:
 *
 *   steps TYPE TASK STEP RUNS ENTRIES         from the changes of steps
 *   edge TYPE TASK STEP TO_TASK TO_STEP COUNT
 *   ended TYPE TASK OUTCOME ALL ENTERED       runs that ended; in a step that had run
 *   failed TYPE TASK STEP COUNT               a helper failed the flow, whatever the step's intent */
#include "uflow/generated.h"
#include "uflow/uflow.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 65536, NAME = 200 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct row {
    char name[NAME];
    unsigned long counts[2];
} rows[ROWS];

static uf_observer *all;

static void add(const char *name, unsigned long first, unsigned long second)
{
    unsigned long at = 5381;
    for (const char *p = name; *p; p++) at = at * 33 + (unsigned char)*p;
    pthread_mutex_lock(&mutex);
    for (at %= ROWS; rows[at].name[0] && strcmp(rows[at].name, name) != 0;) at = (at + 1) % ROWS;
    strcpy(rows[at].name, name);
    rows[at].counts[0] += first;
    rows[at].counts[1] += second;
    pthread_mutex_unlock(&mutex);
}

static void step_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    char name[NAME];
    (void)context;
    snprintf(name, sizeof name, "steps %s %s %s", flow->type->name, change->task, change->from);
    add(name, change->ticks, change->ticks > 0);
    if (!*change->to) {
        snprintf(name, sizeof name, "last %s %s", flow->type->name, change->task);
        add(name, 1, change->ticks > 0);
        return;
    }
    snprintf(name, sizeof name, "edge %s %s %s %s %s", flow->type->name, change->task, change->from, change->to_task,
             change->to);
    add(name, 1, 0);
}

static void step_failed(void *context, const uf_flow *flow, const char *step, const char *reason)
{
    char name[NAME];
    (void)context, (void)reason;
    snprintf(name, sizeof name, "failed %s %s %s", flow->type->name, uf_flow_task(flow), step);
    add(name, 1, 0);
}

static void flow_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    char name[NAME];
    (void)context;
    snprintf(name, sizeof name, "ended %s %s %s", flow->type->name, end->task, uf_outcome_text(end->outcome));
    add(name, 1, 0);
}

uf_status __real_uf_pump_init(uf_pump *pump, const uf_pump_config *config);
uf_status __wrap_uf_pump_init(uf_pump *pump, const uf_pump_config *config);

uf_status __wrap_uf_pump_init(uf_pump *pump, const uf_pump_config *config)
{
    uf_status const status = __real_uf_pump_init(pump, config);
    uf_observer *const observer = status == UF_OK ? calloc(1, sizeof *observer) : NULL;
    if (!observer) return status;
    *observer = (uf_observer){.step_changed = step_changed, .step_failed = step_failed, .flow_ended = flow_ended};
    pthread_mutex_lock(&mutex);
    observer->context = all; /* a list of all of them, which are not freed */
    all = observer;
    pthread_mutex_unlock(&mutex);
    (void)uf_pump_add_observer(pump, observer);
    return status;
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *const path = getenv("COV_OBSERVED");
    FILE *const out = path ? fopen(path, "w") : NULL;
    for (int i = 0; out && i < ROWS; i++) {
        if (rows[i].name[0]) fprintf(out, "%s %lu %lu\n", rows[i].name, rows[i].counts[0], rows[i].counts[1]);
    }
    if (out) fclose(out);
}
