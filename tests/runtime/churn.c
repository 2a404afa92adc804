/* SPDX-License-Identifier: MIT */
/* churn.c - flows that act at random, also on each other, while the test checks invariants. They are lowered by hand,
 * because one body that draws its intent is no .uflow step. Prints its seed; pass another one as the argument. */
#include "uflow/generated.h"
#include "uflow/simulate.h"

#include <stdio.h>
#include <stdlib.h>

enum { FLOWS = 60, ARMS = 3, ROUNDS = 40000 };

typedef struct Churn {
    uf_flow uf;
    int level; /* runs only flows of a higher level, so that no flow waits for itself */
    bool entered;
    uf_arm uf_arms[ARMS];
    char uf_reason[UF_REASON_SIZE];
    char uf_description[UF_DESCRIPTION_SIZE];
} Churn;

enum {
    enter_One = UF_ENTRY,
    at_One = 0,
    at_One_wait = UF_WAIT(1),
    at_One_stay = UF_WAIT(2),
    enter_Two = UF_ENTRY + 1,
    at_Two = 1
};

static uf_pump pump;
static Churn flows[FLOWS];
static uint64_t seed;
static long starts, started, ended, exits, enters;
static uint64_t last_round[FLOWS];

static unsigned draw(unsigned below)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (unsigned)((seed * UINT64_C(2685821657736338717)) >> 33) % below;
}

static void check(bool condition, const char *what)
{
    if (condition) return;
    printf("round %llu: %s\n", (unsigned long long)uf_pump_rounds(&pump), what);
    abort();
}

static Churn *any(void)
{
    return &flows[draw(FLOWS)];
}

static uf_status start(Churn *flow)
{
    uf_status const claimed = uf_start_claim(&flow->uf);
    if (claimed != UF_OK) return claimed;
    uf_start_commit(&flow->uf, draw(4) ? enter_One : enter_Two, NULL);
    starts++;
    return UF_OK;
}

static uf_intent decide(Churn *flow)
{
    for (int i = 0; i < ARMS; i++) {
        uf_arm *const arm = &flow->uf_arms[i];
        if (uf_failed(arm) && draw(2)) return uf_arm_failure(&flow->uf, arm, "Churn.One");
        if (!(arm->kind == UF_ARM_IDLE ? uf_evaluate(&flow->uf, arm) : uf_ready(arm)) && !uf_failed(arm)) continue;
        if (draw(8) == 0) return uf_done(&flow->uf);
        return uf_next(&flow->uf, at_One);
    }
    return draw(4) ? uf_park(&flow->uf, at_One_wait) : uf_poll(&flow->uf, at_One_wait);
}

static uf_intent await(Churn *flow)
{
    uf_arm_timeout(&flow->uf, &flow->uf_arms[0], (uf_time)draw(3) * UF_MS(7) + draw(4));
    uf_arm_idle(&flow->uf, &flow->uf_arms[1], &any()->uf);
    uf_intent const at_once = decide(flow);
    if (at_once.bits != UF_INTENT_PARK && at_once.bits != UF_INTENT_POLL) return at_once;
    Churn *const child = any();
    if (uf_arm_run(&flow->uf, &flow->uf_arms[2], &child->uf, 0))
        uf_arm_started(&flow->uf, &flow->uf_arms[2], child->level > flow->level ? start(child) : UF_BUSY);
    return decide(flow);
}

static uf_intent body(Churn *flow)
{
    if (draw(10) == 0) uf_flow_cancel(&any()->uf);
    if (draw(10) == 0) (void)start(any());
    if (draw(40) == 0) (void)uf_flow_fail(&flow->uf, "from below %d", flow->level);
    if (draw(10) == 0) uf_describe(&flow->uf, "%d", flow->level);
    switch (draw(12)) {
    case 0: return uf_stay();
    case 1: return uf_stay_every(&flow->uf, &flow->uf_arms[0], (uf_time)draw(5) * UF_MS(1), at_One);
    case 2:
        if (uf_stay_timed_out(&flow->uf, &flow->uf_arms[1], UF_MS(30))) return uf_next(&flow->uf, at_One);
        return uf_poll(&flow->uf, at_One_stay);
    case 3:
        if (uf_stay_timed_out(&flow->uf, &flow->uf_arms[1], UF_MS(30))) return uf_next(&flow->uf, at_One);
        return uf_stay_every(&flow->uf, &flow->uf_arms[0], UF_MS(4), at_One_stay);
    case 4: return uf_done(&flow->uf);
    case 5: return uf_fail(&flow->uf, "%s failed", flow->uf.name);
    case 6: return uf_leave(&flow->uf, UF_BECAME) ? uf_become(&flow->uf, draw(2) ? enter_One : enter_Two) : uf_stay();
    case 7:
    case 8: return await(flow);
    default: return uf_next(&flow->uf, draw(2) ? at_One : at_Two);
    }
}

static uf_intent turn(uf_flow *uf, uint32_t now)
{
    Churn *const flow = (Churn *)uf;
    size_t const index = (size_t)(flow - flows);

    check(last_round[index] != uf_pump_rounds(&pump), "two turns in one round");
    last_round[index] = uf_pump_rounds(&pump);
    switch (now) {
    case enter_One:
    case enter_Two:
        check(!flow->entered, "entered twice");
        flow->entered = true;
        enters++;
        break;
    case at_One_wait: last_round[index] = 0; return decide(flow); /* its target step runs in this turn */
    case at_One_stay: last_round[index] = 0; return uf_next(uf, at_Two);
    default: break;
    }
    return body(flow);
}

static void on_exit_of(uf_flow *uf, uf_outcome outcome)
{
    Churn *const flow = (Churn *)uf;
    (void)outcome;
    check(flow->entered, "on exit without on enter");
    flow->entered = false;
    exits++;
    if (draw(20) == 0) (void)start(any());
    if (draw(20) == 0) (void)uf_flow_fail(uf, "in on exit");
}

static const uf_task_info tasks[] = {{"One", 1, 0, 0, UF_TASK_PLAIN, 0, 0}, {"Two", 2, 1, 0, UF_TASK_PLAIN, 0, 0}};
static const uf_step_info steps[] = {{"one", 1, 0}, {"two", 2, 1}};
static const uf_flow_type type = {
    .abi = UF_ABI,
    .size = sizeof(Churn),
    .name = "Churn",
    .source = "churn.c",
    .turn = turn,
    .on_exit = on_exit_of,
    .tasks = tasks,
    .steps = steps,
    .task_count = 2,
    .step_count = 2,
    .arm_count = ARMS,
    .arms_offset = offsetof(Churn, uf_arms),
    .reason_offset = offsetof(Churn, uf_reason),
    .description_offset = offsetof(Churn, uf_description),
};

static void count_started(void *context, const uf_flow *flow)
{
    (void)context;
    (void)flow;
    started++;
}

static void count_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    check(uf_flow_running(flow), "idle before its observers knew");
    check(end->outcome == UF_DONE || end->reason[0], "no reason");
    ended++;
}

/* Every flow is on one list or parked on an event, and is counted. */
static void check_books(void)
{
    size_t running = 0, listed = 0;

    for (const uf_link *link = pump.ready.next; link != &pump.ready; link = link->next) listed++;
    for (const uf_link *link = pump.polling.next; link != &pump.polling; link = link->next) listed++;
    for (int i = 0; i < FLOWS; i++) {
        Churn const *const flow = &flows[i];
        bool waits = false;
        for (int a = 0; a < ARMS; a++) waits |= flow->uf_arms[a].on_list;
        running += uf_flow_running(&flow->uf);
        if (uf_flow_running(&flow->uf) && flow->uf.link.next == &flow->uf.link) {
            check(waits, "parked for nothing");
            listed++;
        }
        if (!uf_flow_running(&flow->uf)) {
            check(!waits && flow->uf.link.next == &flow->uf.link, "idle and still somewhere");
            check(!flow->entered, "ended without on exit");
        }
    }
    check(running == uf_pump_running(&pump) && running == listed, "running flows are not all somewhere");
    check((long)running == starts - ended, "starts and ends do not balance");
}

int main(int argc, char **argv)
{
    static uf_observer counter = {.flow_started = count_started, .flow_ended = count_ended};

    seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 20240229;
    printf("seed %llu\n", (unsigned long long)seed);
    if (seed == 0 || uf_pump_init(&pump, NULL) != UF_OK || uf_pump_add_observer(&pump, &counter) != UF_OK) return 2;
    for (int i = 0; i < FLOWS; i++) {
        if (uf_flow_init(&flows[i].uf, &type, &pump, "churn") != UF_OK) return 2;
        flows[i].level = i % 4;
    }
    for (int round = 0; round < ROUNDS; round++) {
        while (draw(3)) (void)start(any());
        if (draw(5) == 0) uf_flow_cancel(&any()->uf);
        if (draw(4) == 0) {
            Churn *const flow = any();
            if (uf_flow_detach(&flow->uf) == UF_OK) { /* destroyed, and initialised again */
                int const level = flow->level;
                check(uf_flow_init(&flow->uf, &type, &pump, "churn") == UF_OK, "cannot be used anew");
                flow->level = level;
            }
        }
        uf_pump_round(&pump, pump.clock.real + (draw(2) ? 0 : (uf_time)draw(10) * UF_MS(1)));
        check_books();
    }
    uf_pump_cancel_all(&pump);
    for (int i = 0; i < 10 && uf_pump_running(&pump) > 0; i++) {
        uf_pump_cancel_all(&pump);
        uf_pump_round(&pump, pump.clock.real);
    }
    printf("%ld starts, %ld started, %ld ended, %ld entered, %ld left\n", starts, started, ended, enters, exits);
    return started == starts && ended == starts && exits == enters && ended > ROUNDS ? 0 : 1;
}
