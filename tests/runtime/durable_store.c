/* SPDX-License-Identifier: MIT */
/* Stores of durable flows: the time alone, releases at a rate, what observers hear, and threads that wait until
 * something is kept. */
#include "durable_process.h"

#include <stdio.h>

#include "uflow/runtime.h"

/* -- the time alone ------------------------------------------------------------------------------------------------ */

TEST(the_time_alone_is_kept)
{
    process *p = first_process(NULL);
    assert_int_equal(Batch_start_Wait(&p->batch), UF_OK);
    run_to(p, UF_S(610));
    assert_int_equal(uf_store_memory_commits(p->store), 1 + 10); /* one each minute */
    p = restart(p, NULL);
    assert_int_equal(uf_pump_now(&p->pump), UF_S(600));
    assert_int_equal(uf_flow_cancel(&p->batch.uf), UF_OK);
    run_to(p, UF_S(70));
    uint64_t const commits = uf_store_memory_commits(p->store);
    run_to(p, UF_S(1000)); /* nothing runs */
    assert_int_equal(uf_store_memory_commits(p->store), commits);
    close_process(p);
}

TEST(the_time_is_kept_while_a_flow_is_held)
{
    uf_restore_report report;

    process *p = first_process(NULL);
    assert_int_equal(Batch_start_Wait(&p->batch), UF_OK);
    run_to(p, UF_S(1));
    p = open_process(crash(p, NULL));
    assert_int_equal(uf_store_restore(p->store, &report), UF_OK);
    run_to(p, UF_S(125));
    p = restart(p, NULL);
    assert_int_equal(uf_pump_now(&p->pump), UF_S(120));
    close_process(p);
}

TEST(the_time_is_not_kept_without_a_tick)
{
    uf_store_config const config = {.tick = 0};

    process *p = first_process(&config);
    assert_int_equal(Batch_start_Wait(&p->batch), UF_OK);
    run_to(p, UF_S(610));
    assert_int_equal(uf_store_memory_commits(p->store), 1);
    p = restart(p, &config);
    assert_int_equal(uf_pump_now(&p->pump), 0);
    close_process(p);
}

static bool always_noon(void *context, int64_t *nanoseconds)
{
    (void)context;
    *nanoseconds = UF_S(43200);
    return true;
}

TEST(the_time_of_day_needs_no_tick)
{
    uf_store_config const config = {.tick = UF_S(60), .wall = always_noon};

    process *p = first_process(&config);
    assert_int_equal(Batch_start_Wait(&p->batch), UF_OK);
    run_to(p, UF_S(610));
    assert_int_equal(uf_store_memory_commits(p->store), 1);
    close_process(p);
}

static int64_t time_of_day;
static int asked; /* times; at the third, the time of day is known */

static bool set_by_hand(void *context, int64_t *nanoseconds)
{
    (void)context;
    *nanoseconds = time_of_day;
    return true;
}

static bool known_the_third_time(void *context, int64_t *nanoseconds)
{
    (void)context;
    *nanoseconds = UF_S(43200);
    return ++asked > 2;
}

TEST(the_time_of_day_becomes_known_while_a_record_is_written)
{
    uf_store_config const config = {.wall = known_the_third_time};
    uf_store *store;

    asked = 2;
    assert_int_equal(uf_store_memory_open(&store, &config), UF_OK);
    process *const p = open_process(store);
    assert_int_equal(uf_store_restore(store, NULL), UF_OK);
    asked = 1; /* the record is measured without it, and written with it */
    assert_int_equal(Batch_start_Wait(&p->batch), UF_OK);
    run_to(p, UF_S(1));
    assert_string_equal(uf_store_failure(store), "");
    assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_RUNNING);
    close_process(p);
}

TEST(the_longest_downtime_of_all)
{
    uf_store_config const config = {.wall = set_by_hand};
    uf_restore_report report;

    time_of_day = INT64_MIN;
    process *p = first_process(&config);
    assert_int_equal(Batch_start_Wait(&p->batch), UF_OK);
    run_to(p, UF_S(1));
    p = open_process(crash(p, &config));
    time_of_day = INT64_MAX;
    assert_int_equal(uf_store_restore(p->store, &report), UF_STORE);
    time_of_day = INT64_MIN + UF_S(1);
    assert_int_equal(uf_store_restore(p->store, &report), UF_OK);
    assert_true(report.downtime == UF_S(1));
    close_process(p);
}

TEST(a_store_that_fails_at_a_tick)
{
    process *p = first_process(NULL);
    assert_int_equal(Batch_start_Wait(&p->batch), UF_OK);
    run_to(p, UF_S(1));
    assert_int_equal(uf_store_memory_stop(p->store, 0, "disk full"), UF_OK);
    run_to(p, UF_S(200));
    assert_string_equal(uf_store_failure(p->store), "disk full");
    assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_RUNNING); /* it waits for no commit */
    close_process(p);
}

/* -- releases ------------------------------------------------------------------------------------------------------ */

enum { MANY = 7, RATE = 3 };

typedef struct plant {
    uf_pump pump;
    Batch batches[MANY];
    char names[MANY][8];
} plant;

static plant *open_plant(uf_store *store)
{
    plant *const p = calloc(1, sizeof *p);

    assert_non_null(p);
    assert_int_equal(uf_pump_init(&p->pump, NULL), UF_OK);
    assert_int_equal(uf_store_attach(store, &p->pump), UF_OK);
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(p->names[i], sizeof p->names[i], "b%d", i);
        assert_int_equal(Batch_init(&p->batches[i], &p->pump, p->names[i], i), UF_OK);
    }
    assert_int_equal(uf_store_restore(store, NULL), UF_OK);
    return p;
}

static void rounds_at(plant *p, uf_time now)
{
    for (int i = 0; i < 5; i++) (void)uf_pump_round(&p->pump, now);
}

static void close_plant(plant *p, uf_store *store)
{
    uf_pump_cancel_all(&p->pump);
    rounds_at(p, p->pump.clock.real);
    for (int i = 0; i < MANY; i++) assert_int_equal(Batch_destroy(&p->batches[i]), UF_OK);
    assert_int_equal(uf_pump_destroy(&p->pump), UF_OK);
    assert_int_equal(uf_store_close(store), UF_OK);
    free(p);
}

TEST(so_many_a_second_go_on)
{
    uf_store_config const config = {.restore_rate = RATE};
    uf_store *store, *next;

    has_many = true;
    assert_int_equal(uf_store_memory_open(&store, NULL), UF_OK);
    plant *p = open_plant(store);
    for (int i = 0; i < MANY; i++) assert_int_equal(Batch_start_Wait(&p->batches[i]), UF_OK);
    rounds_at(p, 0);
    assert_int_equal(uf_store_memory_copy(&next, store, &config), UF_OK);
    close_plant(p, store);

    p = open_plant(next);
    bodies = 0;
    assert_int_equal(uf_store_release(next, "b6"), UF_OK);
    assert_int_equal(uf_store_release(next, NULL), UF_OK);
    rounds_at(p, 0);
    assert_int_equal(bodies, RATE);
    for (int i = 0; i < MANY; i++) assert_int_equal(uf_store_release(next, p->names[i]), UF_STALE);
    assert_int_equal(uf_flow_cancel(&p->batches[5].uf), UF_OK); /* it still waits for its turn */
    rounds_at(p, UF_MS(500));
    assert_int_equal(bodies, RATE);
    rounds_at(p, UF_S(1));
    assert_int_equal(bodies, MANY - 1);
    rounds_at(p, UF_S(5));
    assert_int_equal(bodies, MANY - 1);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(uf_flow_outcome(&p->batches[i].uf), i == 5 ? UF_CANCELLED : UF_RUNNING);
    close_plant(p, next);
    has_many = false;
}

/* -- observers and coverage ---------------------------------------------------------------------------------------- */

static void note_restored(void *context, const uf_flow *flow, uint32_t times)
{
    (void)context;
    log_note("restored:%s.%s x%u", uf_flow_name(flow), uf_flow_step(flow), (unsigned)times);
}

TEST(observers_hear_what_is_restored)
{
    static uf_observer observer = {.flow_started = note_started, .flow_restored = note_restored};
    uf_restore_report report;

    process *p = first_process(NULL);
    assert_int_equal(Batch_start_Wait(&p->batch), UF_OK);
    run_to(p, UF_S(1));
    for (int i = 0; i < 3; i++) {
        p = open_process(crash(p, NULL));
        assert_int_equal(uf_pump_add_observer(&p->pump, &observer), UF_OK);
        assert_int_equal(uf_store_restore(p->store, &report), UF_OK);
        if (i > 0) assert_int_equal(uf_store_release(p->store, NULL), UF_OK); /* else it is never kept */
        run_to(p, UF_S(1));
    }
    assert_log("restored:batch-7.Still x1 restored:batch-7.Still x1 restored:batch-7.Still x2");
    close_process(p);
}

TEST(a_restored_step_counts_as_no_entry)
{
    process *p = first_process(NULL);
    start(p);
    run_to(p, UF_MS(1500));
    unsigned const before = entries;
    p = restart(p, NULL);
    run_to(p, UF_MS(500));
    assert_int_equal(entries, before); /* Fill is repeated */
    assert_int_equal(bodies, before + 1);
    run_to(p, UF_MS(1500));
    assert_int_equal(entries, before + 2); /* Fill once more, and Close, are not */
    close_process(p);
}

/* -- threads ------------------------------------------------------------------------------------------------------- */

typedef struct hosted {
    uf_runtime *runtime;
    uf_store *store;
    Batch batch;
    uf_status in_post;
} hosted;

static void begin_hosted(hosted *h, const uf_store_config *config, uint64_t commits, const char *failure)
{
    assert_int_equal(uf_store_memory_open(&h->store, config), UF_OK);
    if (commits != UINT64_MAX) assert_int_equal(uf_store_memory_stop(h->store, commits, failure), UF_OK);
    assert_int_equal(uf_runtime_new(&h->runtime, &(uf_runtime_config){.store = h->store}), UF_OK);
    assert_int_equal(Batch_init(&h->batch, uf_runtime_pump(h->runtime), "batch-7", 7), UF_OK);
    assert_int_equal(uf_store_restore(h->store, NULL), UF_OK);
}

static void end_hosted(hosted *h)
{
    assert_int_equal(uf_flow_cancel(&h->batch.uf), UF_OK);
    assert_int_equal(uf_flow_wait(&h->batch.uf, UF_S(30), NULL), UF_OK);
    assert_int_equal(Batch_destroy(&h->batch), UF_OK);
    assert_int_equal(uf_runtime_free(h->runtime), UF_OK);
    assert_int_equal(uf_store_close(h->store), UF_OK);
}

static void wait_in_post(void *argument)
{
    hosted *const h = argument;
    h->in_post = uf_run_wait_kept(uf_flow_this_run(&h->batch.uf), UF_FOREVER);
}

TEST(a_thread_waits_until_a_run_is_kept)
{
    static hosted h;
    uf_run run;

    last_run = last_ordinal = bodies = 0;
    begin_hosted(&h, NULL, UINT64_MAX, NULL);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(Batch_start_run_Wait(&h.batch, &run), UF_OK);
        assert_int_equal(uf_run_wait_kept(run, UF_S(30)), UF_OK);
        assert_true(uf_store_memory_commits(h.store) > 0);
        assert_int_equal(uf_run_wait_kept(run, UF_S(30)), UF_OK);
        assert_int_equal(uf_flow_cancel(&h.batch.uf), UF_OK);
        assert_int_equal(uf_run_wait(run, UF_S(30), NULL), UF_OK);
    }
    assert_int_equal(uf_post_wait(h.runtime, wait_in_post, &h), UF_OK);
    assert_int_equal(h.in_post, UF_DEADLOCK);
    assert_int_equal(uf_run_wait_kept((uf_run){NULL, 1}, 0), UF_INVALID);
    end_hosted(&h);
}

TEST(a_wait_ends_with_the_store)
{
    static hosted h;
    uf_run run;

    begin_hosted(&h, &(uf_store_config){.limit = UF_MS(300)}, 0, NULL); /* it hangs */
    assert_int_equal(Batch_start_run_Wait(&h.batch, &run), UF_OK);
    assert_int_equal(uf_run_wait_kept(run, UF_MS(1)), UF_TIMED_OUT);
    assert_int_equal(uf_run_wait_kept(run, UF_S(30)), UF_STORE);
    end_hosted(&h);
}

TEST(a_caller_driven_pump_has_no_waits)
{
    process *const p = first_process(NULL);
    assert_int_equal(Batch_start_Wait(&p->batch), UF_OK);
    assert_int_equal(uf_run_wait_kept(uf_flow_this_run(&p->batch.uf), UF_S(1)), UF_UNSUPPORTED);
    close_process(p);
}
