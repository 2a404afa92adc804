/* SPDX-License-Identifier: MIT */
/* traces.c - writes traces in virtual time.
 *
 *   traces stuck TRACE    two flows that wait for each other
 *   traces crowd TRACE    200 flows, more than 100 000 events
 *   traces causes TRACE   flows that leave a step, each in another way */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uflow/recorder_file.h"
#include "uflow/uflow.h"

#include "html/causes.h"
#include "html/crowd.h"
#include "stuck/cell.h"

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1);                     \
    } while (0)

/* The event of a flow after 1 ms. */
typedef enum happens { NOTHING, HALT, PANIC, OPEN, PAUSE } happens;

static const struct cause {
    const char *name;
    uf_status (*start)(Cause *flow);
    int which;
    happens then;
} causes[] = {
    {"handler", Cause_start_Handler, 0, HALT},
    {"handler_fails", Cause_start_HandlerFails, 0, HALT},
    {"handler_of_flow", Cause_start_Handler, 0, PANIC},
    {"time", Cause_start_Time, 0, NOTHING},
    {"time_ends", Cause_start_TimeEnds, 0, NOTHING},
    {"companion", Cause_start_Companion, 0, NOTHING},
    {"companion_fails", Cause_start_CompanionFails, 0, NOTHING},
    {"companion_of_many", Cause_start_CompanionOfMany, 0, NOTHING},
    {"behind_companions", Cause_start_BehindCompanions, 0, NOTHING},
    {"first_fails", Cause_start_First, 0, NOTHING},
    {"behind_array", Cause_start_BehindArray, 0, NOTHING},
    {"paused", Cause_start_Time, 0, PAUSE},
    {"becomes", Cause_start_Becomes, 0, HALT},
    {"arm_time", Cause_start_Arms, 0, NOTHING},
    {"arm_condition", Cause_start_Arms, 0, OPEN},
    {"all_time", Cause_start_All, 0, NOTHING},
    {"room_time", Cause_start_Room, 0, NOTHING},
    {"else_of_run", Cause_start_Else, 0, NOTHING},
    {"else_of_fail", Cause_start_ElseFails, 0, NOTHING},
    {"body", Cause_start_Body, 1, NOTHING},
    {"body_time", Cause_start_Body, 0, NOTHING},
    {"fail_first", Cause_start_Fails, 1, NOTHING},
    {"fail_second", Cause_start_Fails, 2, NOTHING},
    {"fail_helper", Cause_start_Fails, 3, NOTHING},
    {"fail_time", Cause_start_Fails, 0, NOTHING},
    /* From here on, after the others: signals fire that all of them would take. */
    {"arm_go", Cause_start_Arms, 0, NOTHING},
    {"arm_other", Cause_start_Arms, 0, NOTHING},
    {"all_both", Cause_start_All, 0, NOTHING},
    {"all_go", Cause_start_All, 0, NOTHING},
    {"room_go", Cause_start_Room, 0, NOTHING},
    {"two_awaits", Cause_start_TwoAwaits, 1, NOTHING},
};

enum { CAUSES = sizeof causes / sizeof *causes, WITH_SIGNALS = CAUSES - 6 };

static Cause flows[CAUSES];
static uf_pause hold;

static void start_cause(uf_pump *pump, int i)
{
    int const item = 1;

    CHECK(Cause_init(&flows[i], pump, causes[i].name) == UF_OK);
    flows[i].which = causes[i].which;
    CHECK(uf_mailbox_send(&flows[i].full, &item) == UF_OK); /* it has no room */
    CHECK(causes[i].start(&flows[i]) == UF_OK);
}

static void run_causes(uf_pump *pump)
{
    for (int i = 0; i < WITH_SIGNALS; i++) start_cause(pump, i);
    (void)uf_simulate_until(pump, UF_MS(1));
    for (int i = 0; i < WITH_SIGNALS; i++) {
        if (causes[i].then == HALT) uf_signal_fire(&flows[i].halt);
        if (causes[i].then == PANIC) uf_signal_fire(&flows[i].panic);
        if (causes[i].then == OPEN) flows[i].open = true;
        if (causes[i].then == PAUSE) CHECK(uf_flow_pause(&flows[i].uf, &hold) == UF_OK);
    }
    (void)uf_simulate_until(pump, UF_MS(20));
    start_cause(pump, WITH_SIGNALS + 1);
    start_cause(pump, WITH_SIGNALS + 2);
    (void)uf_simulate_until(pump, UF_MS(21));
    uf_signal_fire(&other);
    (void)uf_simulate_until(pump, UF_MS(22));
    start_cause(pump, WITH_SIGNALS);
    for (int i = WITH_SIGNALS + 3; i < CAUSES; i++) start_cause(pump, i);
    (void)uf_simulate_until(pump, UF_MS(23));
    uf_signal_fire(&go);
    (void)uf_simulate_until(pump, UF_MS(40));
}

int main(int argc, char **argv)
{
    static Cell cell;
    static Crowd crowd;
    static uf_pump pump;
    static uf_recorder recorder;
    static unsigned char memory[5000000];

    CHECK(argc == 3);
    CHECK(uf_pump_init(&pump, &(uf_pump_config){.pool = NULL}) == UF_OK);
    CHECK(uf_recorder_attach(&recorder, &pump, memory, sizeof memory, 300) == UF_OK);
    if (strcmp(argv[1], "stuck") == 0) {
        CHECK(Cell_init(&cell, &pump, "cell") == UF_OK && Cell_start_Work(&cell) == UF_OK);
        (void)uf_simulate_until(&pump, UF_S(2));
    } else if (strcmp(argv[1], "causes") == 0) {
        run_causes(&pump);
    } else {
        CHECK(Crowd_init(&crowd, &pump, "crowd") == UF_OK && Crowd_start_Watch(&crowd) == UF_OK);
        (void)uf_simulate_until(&pump, UF_MS(700));
    }
    CHECK(uf_recorder_save(&recorder, argv[2]));
    return 0;
}
