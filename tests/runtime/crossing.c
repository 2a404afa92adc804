/* SPDX-License-Identifier: MIT */
/* crossing.c - signals, preemption, checkpoints and mailboxes of generated code between threads. */
#include <pthread.h>
#include <sched.h>

#include "../cases.h"

#include "crossing.h"
#include "uflow/runtime.h"

#define LONG    UF_S(60)
#define PUMPS   3
#define FLOWS   4 /* on each pump */
#define SENDERS 3

static uf_runtime *runtimes[PUMPS];

static int begin(void **state)
{
    (void)state;
    for (int i = 0; i < PUMPS; i++) {
        if (uf_runtime_new(&runtimes[i], NULL) != UF_OK) return 1;
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int i = 0; i < PUMPS; i++) {
        if (uf_runtime_free(runtimes[i]) != UF_OK) return 1;
    }
    return 0;
}

CASE_WITH(test_H2_one_fire_is_one_step_of_each_flow_of_each_pump, begin, end)
{
    static Counter counters[PUMPS * FLOWS];
    uint32_t const before = uf_signal_epoch(&tick);
    uint32_t released = 0;
    int steps = 0;
    for (int i = 0; i < PUMPS * FLOWS; i++) {
        assert_int_equal(Counter_init(&counters[i], uf_runtime_pump(runtimes[i % PUMPS]), "counter"), UF_OK);
        assert_int_equal(Counter_start_Run(&counters[i]), UF_OK);
    }
    for (int cycle = 0; cycle < 300; cycle++) {
        uint32_t count = 0;
        while (count < PUMPS * FLOWS) { /* some may still be on their way back */
            uint32_t const now = uf_signal_fire(&tick);
            count += now;
            if (!now) sched_yield();
        }
        released += count;
    }
    for (int i = 0; i < PUMPS * FLOWS; i++) assert_int_equal(uf_flow_cancel(&counters[i].uf), UF_OK);
    for (int i = 0; i < PUMPS; i++) assert_int_equal(uf_runtime_wait(runtimes[i], LONG), UF_OK);
    for (int i = 0; i < PUMPS * FLOWS; i++) {
        steps += counters[i].steps;
        assert_true(counters[i].steps <= (int)(uf_signal_epoch(&tick) - before));
        assert_int_equal(Counter_destroy(&counters[i]), UF_OK);
    }
    assert_true(steps >= (int)released - PUMPS * FLOWS); /* a cancel may come before the last step */
}

CASE_WITH(test_I1_a_thread_holds_a_flow_and_nothing_of_it_runs, begin, end)
{
    Worker worker;
    assert_int_equal(Worker_init(&worker, uf_runtime_pump(runtimes[0]), "worker"), UF_OK);
    assert_int_equal(Worker_start_Run(&worker), UF_OK);
    for (int cycle = 0; cycle < 300; cycle++) {
        assert_int_equal(uf_checkpoint_arm(&worker.at_rest, LONG), UF_OK);
        int const laps = worker.laps; /* without a lock: the thread has stopped */
        sched_yield();
        assert_int_equal(worker.laps, laps);
        worker.laps = 0;
        assert_int_equal(uf_checkpoint_resume(&worker.at_rest), 1);
    }
    uf_flow_cancel(&worker.uf);
    assert_int_equal(uf_flow_wait(&worker.uf, LONG, NULL), UF_OK);
    assert_int_equal(Worker_destroy(&worker), UF_OK);
}

CASE_WITH(test_a_thread_preempts_what_is_parked, begin, end)
{
    static Worker workers[PUMPS];
    int parked = 0, result = 0;
    for (int i = 0; i < PUMPS; i++)
        assert_int_equal(Worker_init(&workers[i], uf_runtime_pump(runtimes[i]), "worker"), UF_OK);
    for (int i = 0; i < PUMPS; i++)
        assert_int_equal(i ? Worker_start_Run(&workers[i]) : Worker_start_Sleep(&workers[i]), UF_OK);
    while (!parked) { /* a fire before the start does not preempt the run */
        uf_signal_fire(&estop);
        parked = uf_runtime_wait(runtimes[0], UF_MS(20)) == UF_OK && uf_runtime_wait(runtimes[1], UF_MS(20)) == UF_OK &&
                 uf_runtime_wait(runtimes[2], UF_MS(20)) == UF_OK;
    }
    assert_true(Worker_result_Sleep(&workers[0], &result));
    assert_int_equal(result, 42);
    for (int i = 0; i < PUMPS; i++) {
        assert_int_equal(uf_flow_outcome(&workers[i].uf), UF_DONE);
        assert_int_equal(workers[i].parked, i > 0);
        assert_int_equal(Worker_destroy(&workers[i]), UF_OK);
    }
}

static Sink sink;

static void *send_all(void *argument)
{
    long const own = (long)(intptr_t)argument;
    for (long i = 1; i <= 1000; i++) {
        while (Sink_items_send(&sink, 4 * i + own) == UF_FULL) sched_yield();
    }
    return NULL;
}

CASE_WITH(test_mail_from_threads_and_from_a_flow_of_another_pump, begin, end)
{
    pthread_t senders[SENDERS];
    Source source;
    uf_call_info info;
    int disordered = -1;
    assert_int_equal(Sink_init(&sink, uf_runtime_pump(runtimes[0]), "sink"), UF_OK);
    assert_int_equal(Source_init(&source, uf_runtime_pump(runtimes[1]), "source", &sink), UF_OK);
    assert_int_equal(Source_start_Give(&source, 1000), UF_OK);
    for (int i = 0; i < SENDERS; i++)
        assert_int_equal(pthread_create(&senders[i], NULL, send_all, (void *)(intptr_t)(i + 1)), 0);
    assert_int_equal(Sink_call_Take(&sink, 1000 * (SENDERS + 1), LONG, &disordered, &info), UF_OK);
    assert_int_equal(disordered, 0);
    for (int i = 0; i < SENDERS; i++) pthread_join(senders[i], NULL);
    assert_int_equal(uf_flow_wait(&source.uf, LONG, NULL), UF_OK);
    assert_int_equal(uf_mailbox_count(&sink.items), 0);
    assert_int_equal(Source_destroy(&source), UF_OK);
    assert_int_equal(Sink_destroy(&sink), UF_OK);
}
