/* SPDX-License-Identifier: MIT */
/* test_stress.c - six threads act on three runtimes, at random and in parallel; then the test checks invariants. Mainly
 * for the sanitizers: tests/sched covers the same operations one thread at a time. */
#include "host_test.h"

#include "uflow/pause.h"

enum { RUNTIMES = 3, FLOWS = 4, HOLDS = 3, ACTIONS = MANY(3000), THREADS = 6 };

static uf_runtime *all[RUNTIMES];
static Worker flows[RUNTIMES][FLOWS];
static uf_pause holds[RUNTIMES][HOLDS];
static int starts, started, ended, posts, posted, wrong;

static void note_started(void *context, const uf_flow *flow)
{
    (void)context;
    (void)flow;
    COUNT(started);
}

static void note_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)flow;
    (void)end;
    COUNT(ended);
}

static void count_post(void *argument)
{
    (void)argument;
    COUNT(posted);
}

static uint32_t draw(uint32_t *state, uint32_t limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % limit;
}

static void count_start(uf_status status)
{
    if (status == UF_OK) COUNT(starts);
    else if (status != UF_BUSY) COUNT(wrong);
}

static void call(Worker *flow, uint32_t steps)
{
    int result = 0;
    uf_call_info info;
    uf_status const status = Worker_call_Count(flow, (int)steps, UF_MS(50), &result, &info);
    if (status == UF_OK && result != (int)steps) COUNT(wrong);
    if (status != UF_OK && status != UF_TIMED_OUT && !(status == UF_NOT_DONE && info.outcome == UF_CANCELLED))
        COUNT(wrong);
}

/* A record is shared by threads, and by flows of one runtime. */
static void pause_or_resume(uint32_t *chance, Worker *flow, uf_pause *hold)
{
    uf_status const status = draw(chance, 2) ? uf_flow_pause(&flow->uf, hold) : uf_flow_resume(hold);
    if (status != UF_OK && status != UF_BUSY && status != UF_STALE) COUNT(wrong);
}

static void act(uint32_t *chance, Worker *flow, uf_runtime *on, uf_runtime *with)
{
    uf_flow_view view;
    switch (draw(chance, 16)) {
    case 0:
    case 1:
    case 2: count_start(Worker_start_Count(flow, (int)draw(chance, 5) + 1)); break;
    case 3: count_start(Worker_start_Rest(flow, UF_US(draw(chance, 3000)))); break;
    case 4: count_start(Worker_start_Fail(flow, 3)); break;
    case 5: count_start(Worker_start_Rest(flow, UF_FOREVER)); break;
    case 6:
    case 7:
        if (uf_flow_cancel(&flow->uf) != UF_OK) COUNT(wrong);
        break;
    case 8: (void)uf_run_cancel(uf_flow_this_run(&flow->uf)); break;
    case 9:
        if (uf_post(on, count_post, NULL) == UF_OK) COUNT(posts);
        break;
    case 10:
        if (uf_post_wait(on, count_post, NULL) == UF_OK) COUNT(posts);
        break;
    case 11: call(flow, draw(chance, 4) + 1); break;
    case 12: (void)uf_flow_wait(&flow->uf, UF_US(200), NULL); break;
    case 13:
        uf_flow_view_of(&flow->uf, &view);
        if (view.running && view.ordinal >= 0 && !view.step[0]) COUNT(wrong);
        break;
    case 14: uf_runtime_wake(on); break;
    default:
        if (draw(chance, 8) == 0) (void)uf_runtime_link(on, with);
        else if (draw(chance, 4) == 0) (void)uf_runtime_unlink(on);
        else (void)uf_pump_set_scale(uf_runtime_pump(on), (double)draw(chance, 4) + 1);
    }
}

static void *act_often(void *argument)
{
    uint32_t chance = (uint32_t)(intptr_t)argument * 7919 + 1;
    for (int i = 0; i < ACTIONS; i++) {
        uint32_t const r = draw(&chance, RUNTIMES);
        Worker *const flow = &flows[r][draw(&chance, FLOWS)];
        if (draw(&chance, 6) == 0) pause_or_resume(&chance, flow, &holds[r][draw(&chance, HOLDS)]);
        act(&chance, flow, all[r], all[draw(&chance, RUNTIMES)]);
    }
    return NULL;
}

CASE(everything_at_once)
{
    static uf_observer observers[RUNTIMES];
    threads crowd;
    for (int r = 0; r < RUNTIMES; r++) {
        observers[r] = (uf_observer){.flow_started = note_started, .flow_ended = note_ended};
        uf_runtime_config const config = {.observers = &observers[r], .stay_interval = UF_MS(1)};
        assert_int_equal(uf_runtime_new(&all[r], &config), UF_OK);
        for (int f = 0; f < FLOWS; f++) {
            assert_int_equal(Worker_init(&flows[r][f], uf_runtime_pump(all[r]), "flow"), UF_OK);
        }
    }
    crowd_start(&crowd, THREADS, act_often);
    crowd_join(&crowd);
    for (int r = 0; r < RUNTIMES; r++) (void)uf_runtime_unlink(all[r]);
    for (int r = 0; r < RUNTIMES; r++) {
        assert_int_equal(uf_runtime_cancel_all(all[r]), UF_OK);
        assert_int_equal(uf_runtime_wait(all[r], LONG), UF_OK);
        for (int h = 0; h < HOLDS; h++) assert_int_equal(uf_flow_resume(&holds[r][h]), UF_STALE);
    }
    for (int r = 0; r < RUNTIMES; r++) assert_int_equal(uf_runtime_free(all[r]), UF_OK);
    assert_int_equal(wrong, 0);
    assert_int_equal(started, ended);
    assert_true(started >= starts); /* and those of the calls */
    assert_int_equal(posted, posts);
    for (int r = 0; r < RUNTIMES; r++) {
        for (int f = 0; f < FLOWS; f++) assert_int_equal(flows[r][f].enters, flows[r][f].exits);
    }
}
