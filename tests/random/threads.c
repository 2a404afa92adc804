/* SPDX-License-Identifier: MIT */
/* threads.c - runs random programs on runtimes, while other threads act on their flows.
 *
 *   batch MILLISECONDS        every program of the table, for that long
 *
 * The traces are not reproducible. The test is that the sanitizers find nothing, that every stop ends, and that nothing
 * is left when the runtimes are freed. */
#include "driver.h"

#include "uflow/runtime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 3, FUEL = 60, RUNTIMES = 2 };

static uf_runtime *runtimes[RUNTIMES];
static const random_program *program;
static atomic_int fuel;
static atomic_bool over;

/* -- what programs call -------------------------------------------------------------------------------------------- */

void random_say(const uf_flow *flow, const char *what, int value)
{
    (void)flow, (void)what, (void)value;
}

int random_note(const uf_flow *flow, int value)
{
    (void)flow;
    return value;
}

void random_drop(int *item)
{
    *item = -1;
}

void random_fire(uf_signal *signal)
{
    uf_signal_fire(signal);
}

void random_result(const char *what, uf_status status)
{
    (void)what, (void)status;
}

void random_count(const char *what, uint32_t count)
{
    (void)what, (void)count;
}

static void sleep_for(uf_time duration)
{
    nanosleep(&(struct timespec){.tv_sec = duration / UF_S(1), .tv_nsec = duration % UF_S(1)}, NULL);
}

void random_worked(int worker, int value)
{
    (void)worker;
    if (value % 3 == 0) sleep_for(UF_US(200));
}

bool random_go_on(void)
{
    return atomic_fetch_sub(&fuel, 1) > 0;
}

/* -- threads ------------------------------------------------------------------------------------------------------- */

static unsigned below(uint64_t *state, unsigned limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*state >> 33) % limit;
}

/* Links the second runtime to the first, and unlinks it. A runtime that is being stopped refuses both. */
static void link_for_a_moment(void)
{
    if (uf_runtime_link(runtimes[0], runtimes[1]) != UF_OK) return;
    sleep_for(UF_US(200));
    while (uf_runtime_unlink(runtimes[1]) == UF_BUSY && !over) sleep_for(UF_US(50));
}

static void act(unsigned thread, uint64_t *state)
{
    uf_runtime *const runtime = runtimes[below(state, RUNTIMES)];
    uf_flow *const flow = program->flows[below(state, program->flow_count)];
    uf_call_info info;
    uf_flow_view view;
    uf_run run;

    switch (below(state, 40)) {
    case 0: (void)uf_flow_wait(flow, UF_US(below(state, 2000)), &info); break;
    case 1: uf_flow_view_of(flow, &view); break;
    case 2: (void)uf_runtime_wait(runtime, UF_US(500)); break;
    case 3: uf_pump_freeze(uf_runtime_pump(runtime)); break;
    case 4:
    case 5: uf_pump_resume(uf_runtime_pump(runtime)); break;
    case 6: (void)uf_pump_set_scale_fixed(uf_runtime_pump(runtime), (uint64_t)(1 + below(state, 8)) << 31); break;
    case 7:
        if (thread != 0) break;
        (void)uf_runtime_stop(runtime, UF_MS(below(state, 8)), NULL);
        (void)uf_runtime_start(runtime);
        break;
    case 8:
        run = uf_flow_this_run(flow);
        (void)uf_run_cancel(run);
        (void)uf_run_wait(run, UF_US(300), &info);
        break;
    case 9: program->start((int)below(state, 9)); break;
    case 10: (void)uf_runtime_cancel_all(runtime); break;
    case 11:
        if (thread == 1) link_for_a_moment();
        break;
    default: program->act(below(state, program->act_count), (int)below(state, 9)); break;
    }
}

static void *run_thread(void *argument)
{
    unsigned const thread = (unsigned)(uintptr_t)argument;
    uint64_t state = thread * 7919u + program->act_count;

    while (!over) {
        if (below(&state, 4) == 0) fuel = FUEL;
        act(thread, &state);
        if (below(&state, 8) == 0) sleep_for(UF_US(below(&state, 100)));
    }
    return NULL;
}

/* -- programs ------------------------------------------------------------------------------------------------------ */

static void check(const char *what, uf_status status)
{
    if (status == UF_OK) return;
    printf("%s: %s: %s\n", program->name, what, uf_status_text(status));
    exit(1);
}

/* Many runs fail on purpose, and nobody waits for most of them. */
static void ignore_failure(void *context, const uf_flow *flow, const uf_failure *failure)
{
    (void)context, (void)flow, (void)failure;
}

static void drive(uf_time duration)
{
    static const uf_runtime_config config = {.workers = 2, .stay_interval = UF_US(300), .on_failure = ignore_failure};
    pthread_t threads[THREADS];

    for (unsigned i = 0; i < RUNTIMES; i++) check("new", uf_runtime_new(&runtimes[i], &config));
    over = false;
    fuel = FUEL;
    program->init(uf_runtime_pump(runtimes[0]));
    for (uintptr_t i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, run_thread, (void *)i) != 0) exit(1);
    }
    sleep_for(duration);
    over = true;
    for (unsigned i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    (void)uf_runtime_unlink(runtimes[1]);
    for (unsigned i = 0; i < RUNTIMES; i++) {
        uf_pump_resume(uf_runtime_pump(runtimes[i]));
        (void)uf_runtime_stop(runtimes[i], UF_MS(200), NULL);
    }
    program->destroy();
    for (unsigned i = 0; i < RUNTIMES; i++) {
        uf_status status;
        do status = uf_runtime_free(runtimes[i]);
        while (status == UF_TIMED_OUT); /* a busy machine may take a slow thread for a stuck one */
        check("free", status);
    }
}

int main(int argc, char **argv)
{
    uf_time const duration = UF_MS(argc > 1 ? atoi(argv[1]) : 50);

    for (unsigned i = 0; i < random_program_count; i++) {
        program = &random_programs[i];
        drive(duration);
    }
    return 0;
}
