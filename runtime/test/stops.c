/* SPDX-License-Identifier: MIT */
/* stops.c - a graceful shutdown in a run of a test. */
#include "stops.h"

#include "run.h"
#include "texts.h"

#include "flows/flows.h"

#include "uflow/priv/pump.h"

#include <stdio.h>
#include <string.h>

/* The stop counts the runs that it waits for. That of the test's own flow changes the count, and is taken out again. */
bool uft_stop_settle(uft_stopping *stopping, const uf_flow *own)
{
    uint32_t const before = stopping->own;

    stopping->own = uf_flow_running(own) && !ufi_is_paused(UF_LOAD_STATE(own));
    stopping->stop.finite += before - stopping->own;
    return before != stopping->own;
}

void uft_stop_begin(uft_stopping *stopping, uf_pump *pump, const uf_flow *own, uf_time grace, uint32_t line)
{
    if (uf_pump_stop(pump, &stopping->stop, grace) != UF_OK) return;
    stopping->has_begun = true;
    stopping->grace = grace;
    stopping->line = line;
    stopping->own = 0;
    (void)uft_stop_settle(stopping, own);
}

void uft_stop_judge(const uft_stopping *stopping)
{
    static const char inside[] = "test.";
    uf_stop_report const *const report = &stopping->stop.report;
    char names[TEST_MESSAGE_SIZE / 2] = "", time[TEST_TIME_SIZE];
    size_t used = 0;

    if (!(report->cut_off || report->jobs_left || report->stuck || report->failed)) return;
    for (uint32_t i = 0; i < report->named && used < sizeof names; i++) {
        const char *name = report->names[i];
        if (strncmp(name, inside, sizeof inside - 1) == 0) name += sizeof inside - 1;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", name);
    }
    uft_fail(uft_line(stopping->line), "stops %s: %s", uft_duration_text(stopping->grace, time), names);
}
