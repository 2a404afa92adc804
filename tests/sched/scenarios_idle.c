/* SPDX-License-Identifier: MIT */
/* scenarios_idle.c - threads of a pool that spin, sleep and wake each other, and pumps that share a pool. */
#include "scene.h"

#include "uflow/pool.h"

#include "jobber.h"

static uf_pool *pool;
static uf_runtime *sides[2];
static Jobber *jobbers; /* one for each side */
static uint32_t came, opened;

static void begin_sides(uint32_t workers_of_pool, uint32_t queue)
{
    came = opened = 0;
    seeded_cpus(1 + schedule_draw(4));
    MUST(uf_pool_new(&pool, &(uf_pool_config){.workers = workers_of_pool, .queue = queue, .spin = SHORT_SPIN}) ==
         UF_OK);
    jobbers = ufp_allocate(2 * sizeof *jobbers);
    for (int i = 0; i < 2; i++) {
        MUST(uf_runtime_new(&sides[i], &(uf_runtime_config){.pool = pool, .spin = SHORT_SPIN}) == UF_OK);
        MUST(Jobber_init(&jobbers[i], uf_runtime_pump(sides[i]), "jobber") == UF_OK);
    }
}

/* All records have come back to the pool. */
static void end_sides(int records)
{
    for (int i = 0; i < 2; i++) MUST(uf_runtime_free(sides[i]) == UF_OK);
    while (records > 0) {
        if (pool->kind->take(pool)) records--;
        else schedule_pause();
    }
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
    ufp_free(jobbers);
}

static bool is_done(int side)
{
    uf_call_info end;
    MUST(uf_flow_wait(&jobbers[side].uf, UF_FOREVER, &end) == UF_OK);
    return end.outcome == UF_DONE;
}

/* Returns when all three are there. */
static int meet(uf_work *work, void *argument)
{
    (void)work;
    (void)argument;
    ufp_add_fetch_seq_cst(&came, 1);
    while (ufp_load(&came) < 3) schedule_pause();
    return 1;
}

static int one(uf_work *work, void *argument)
{
    (void)work;
    (void)argument;
    return 1;
}

/* The jobs of one round run at the same time, however many threads are woken at once. */
static void idle_all_at_work(void)
{
    begin_sides(3, 3);
    while (schedule_draw(4)) schedule_pause();
    MUST(Jobber_start_Flood(&jobbers[0], (order){meet, NULL}, 3) == UF_OK);
    MUST(is_done(0));
    end_sides(3 + 3);
}

/* Two pumps submit batches to one pool, time and again. */
static void idle_two_pumps(void)
{
    begin_sides(2, 8);
    for (int n = 0; n < 2; n++) {
        for (int i = 0; i < 2; i++) MUST(Jobber_start_Repeat(&jobbers[i], (order){one, NULL}, 4) == UF_OK);
        for (int i = 0; i < 2; i++) MUST(is_done(i) && jobbers[i].uf_result == 4);
    }
    end_sides(2 + 8);
}

/* The round lasts until the thread is let go. */
static void last(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)flow;
    (void)end;
    ufp_store(&came, 1);
    while (!ufp_load(&opened)) schedule_pause();
}

/* A round that keeps the records of all jobs that have ended in it leaves none to the other pump. */
static void idle_records_for_both(void)
{
    uf_observer observer = {.flow_ended = last};

    begin_sides(1, 3);
    MUST(uf_runtime_add_observer(sides[0], &observer) == UF_OK);
    MUST(Jobber_start_Flood(&jobbers[0], (order){one, NULL}, 4) == UF_OK);
    while (!ufp_load(&came)) schedule_pause();
    MUST(Jobber_start_Ask(&jobbers[1], (order){one, NULL}, UF_FOREVER) == UF_OK);
    MUST(is_done(1));
    ufp_store(&opened, 1);
    end_sides(1 + 3);
}

const scenario idle_scenarios[] = {
    {"idle_all_at_work", idle_all_at_work},
    {"idle_two_pumps", idle_two_pumps},
    {"idle_records_for_both", idle_records_for_both},
    {0},
};
