/* SPDX-License-Identifier: MIT */
/* Ends of members that `ended` has not taken yet, in virtual time: a process crashes at each commit. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "crashes.h"
#include "kept_ends.h"

typedef struct process {
    uf_pump pump;
    Foreman foreman;
    uf_store *store;
} process;

static process *open_process(uf_store *store)
{
    process *const p = calloc(1, sizeof *p);

    assert_non_null(p);
    p->store = store;
    assert_int_equal(uf_pump_init(&p->pump, NULL), UF_OK);
    assert_int_equal(uf_store_attach(store, &p->pump), UF_OK);
    assert_int_equal(Foreman_init(&p->foreman, &p->pump, "foreman"), UF_OK);
    return p;
}

static process *first_process(void)
{
    uf_store *store;

    assert_int_equal(uf_store_memory_open(&store, NULL), UF_OK);
    process *const p = open_process(store);
    assert_int_equal(uf_store_restore(store, NULL), UF_OK);
    return p;
}

static void run_for(process *p, uf_time time)
{
    pump_run_to(&p->pump, p->pump.clock.real + time);
}

static process *restart(process *p)
{
    uf_restore_report report;
    uf_store *const store = pump_crash(&p->pump, p->store, NULL);

    free(p);
    process *const next = open_process(store);
    if (uf_store_restore(store, &report) != UF_OK) fail_msg("%s", report.text);
    assert_int_equal(uf_store_release(store, NULL), UF_OK);
    return next;
}

static void close_process(process *p)
{
    uf_pump_cancel_all(&p->pump);
    run_for(p, UF_S(60));
    assert_int_equal(Foreman_crew_busy(&p->foreman), 0);
    assert_int_equal(Foreman_destroy(&p->foreman), UF_OK);
    assert_int_equal(uf_pump_destroy(&p->pump), UF_OK);
    assert_int_equal(uf_store_close(p->store), UF_OK);
    free(p);
}

static void start(process *p)
{
    if (uf_flow_outcome(&p->foreman.uf) == UF_NEVER_RAN) assert_int_equal(Foreman_start_Shift(&p->foreman), UF_OK);
}

static void check_done(const process *p)
{
    int sum = 0;

    if (uf_flow_outcome(&p->foreman.uf) != UF_DONE)
        fail_msg("%s %s in %s: %d begun, %d taken", uf_outcome_text(uf_flow_outcome(&p->foreman.uf)),
                 uf_flow_reason(&p->foreman.uf), uf_flow_step(&p->foreman.uf), p->foreman.begun, p->foreman.taken);
    assert_true(Foreman_result_Shift(&p->foreman, &sum));
    assert_int_equal(sum, (0 + 1 + 2 + 4 + 5 + 6 + 8) * 10);
    assert_int_equal(p->foreman.failures, 2);
    assert_string_equal(p->foreman.last.text, "job 7");
}

static uint64_t commits_of_all(void)
{
    process *const p = first_process();

    start(p);
    run_for(p, UF_S(10));
    check_done(p);
    uint64_t const commits = uf_store_memory_commits(p->store);
    close_process(p);
    return commits;
}

TEST(goes_on_at_each_pair_of_commits)
{
    uint64_t const commits = commits_of_all();

    assert_true(commits > 20);
    for (uint64_t at = 0; at <= commits; at++) {
        for (uint64_t next = 0; next <= commits - at + 4; next++) {
            process *p = first_process();
            start(p);
            pump_run_to_commit(&p->pump, p->store, at, next % 2);
            p = restart(p);
            start(p);
            pump_run_to_commit(&p->pump, p->store, next, at % 2);
            p = restart(p);
            start(p);
            run_for(p, UF_S(40));
            check_done(p);
            close_process(p);
        }
    }
}

/* The oldest end first, also after a restart; and again, if the step that took them is repeated. */
TEST(ends_keep_their_order)
{
    for (int ms = 200; ms < 2000; ms += 900) {
        process *p = first_process();
        assert_int_equal(Foreman_start_Late(&p->foreman), UF_OK);
        run_for(p, UF_MS(1) * ms);
        p = restart(p);
        assert_int_equal(Foreman_crew_busy(&p->foreman), 0);
        assert_int_equal(Foreman_crew_spawn_Do(&p->foreman, 0), UF_FULL); /* their places are kept */
        run_for(p, UF_S(3));
        assert_int_equal(uf_flow_outcome(&p->foreman.uf), UF_DONE);
        assert_int_equal(p->foreman.sum, 123);
        assert_int_equal(Foreman_crew_spawn_Do(&p->foreman, 0), UF_OK);
        close_process(p);
    }
}

/* With the run of the owner, what was not taken is past. */
TEST(ends_of_a_run_that_is_over)
{
    process *p = first_process();
    assert_int_equal(Foreman_start_Late(&p->foreman), UF_OK);
    run_for(p, UF_MS(200));
    assert_int_equal(uf_flow_cancel(&p->foreman.uf), UF_OK);
    run_for(p, UF_MS(20));
    p = restart(p);
    assert_int_equal(Foreman_start_Shift(&p->foreman), UF_OK);
    run_for(p, UF_S(10));
    check_done(p);
    close_process(p);
}
