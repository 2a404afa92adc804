/* SPDX-License-Identifier: MIT */
/* What bodies of durable flows start and spawn, in virtual time: a process crashes at each commit, and whatever happens
 * then, each start of a step has one run. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "crashes.h"
#include "kept_starts.h"

/* -- the world outlives processes ---------------------------------------------------------------------------------- */

enum { LINES = 2, KEYS = 42 };

static struct job {
    char path[40];
    uint32_t run;
    bool is_over; /* its last body has run */
} jobs[LINES][KEYS];
static uint32_t ordinals[LINES]; /* of the latest bodies */

void world_job(uf_flow *flow, int line, int key, bool is_last)
{
    char path[40];

    if (line >= LINES) return;
    struct job *const job = &jobs[line][key];
    (void)uf_flow_path(flow, path, sizeof path);
    if (!job->run) {
        memcpy(job->path, path, sizeof path);
        job->run = uf_flow_this_run(flow).number;
    }
    if (strcmp(job->path, path) != 0 || job->run != uf_flow_this_run(flow).number)
        fail_msg("line %d, start %d: run %u of %s, and before %u of %s", line, key,
                 (unsigned)uf_flow_this_run(flow).number, path, (unsigned)job->run, job->path);
    job->is_over |= is_last;
}

void world_line(uf_flow *flow)
{
    uint32_t *const latest = &ordinals[((const Line *)flow)->number];

    assert_true(uf_flow_ordinal(flow) >= *latest);
    *latest = (uint32_t)uf_flow_ordinal(flow);
}

/* -- processes ----------------------------------------------------------------------------------------------------- */

typedef struct process {
    uf_pump pump;
    Worker shared;
    Hall hall;
    Line lines[LINES];
    Guest guest;
    Chief chiefs[2];
    uf_store *store;
    uf_observer keeper;
} process;

static bool is_kept_outside; /* in the processes that follow */

static process *open_process(uf_store *store)
{
    static const char *const names[LINES] = {"a", "b"};
    process *const p = calloc(1, sizeof *p);

    assert_non_null(p);
    p->store = store;
    assert_int_equal(uf_pump_init(&p->pump, NULL), UF_OK);
    assert_int_equal(uf_store_attach(store, &p->pump), UF_OK);
    assert_int_equal(Worker_init(&p->shared, &p->pump, "shared"), UF_OK);
    assert_int_equal(Hall_init(&p->hall, &p->pump, "hall"), UF_OK);
    for (int i = 0; i < LINES; i++)
        assert_int_equal(Line_init(&p->lines[i], &p->pump, names[i], i, &p->shared, &p->hall, &p->lines[LINES - 1]),
                         UF_OK);
    assert_int_equal(Guest_init(&p->guest, &p->pump, "guest", &p->lines[0], &p->hall), UF_OK);
    assert_int_equal(Chief_init(&p->chiefs[0], &p->pump, "first", &p->shared), UF_OK);
    assert_int_equal(Chief_init(&p->chiefs[1], &p->pump, "second", &p->shared), UF_OK);
    if (is_kept_outside) pump_keep_outside(&p->pump, &p->keeper, &Worker_type);
    return p;
}

static process *first_process(bool kept)
{
    uf_store *store;

    memset(jobs, 0, sizeof jobs);
    memset(ordinals, 0, sizeof ordinals);
    is_kept_outside = kept;
    assert_int_equal(uf_store_memory_open(&store, NULL), UF_OK);
    process *const p = open_process(store);
    assert_int_equal(uf_store_restore(store, NULL), UF_OK);
    return p;
}

static void run_to(process *p, uf_time until)
{
    pump_run_to(&p->pump, until);
}

static void run_for(process *p, uf_time time)
{
    run_to(p, p->pump.clock.real + time);
}

static process *crash(process *p)
{
    uf_restore_report report;
    uf_store *const store = pump_crash(&p->pump, p->store, NULL);

    free(p);
    process *const next = open_process(store);
    if (uf_store_restore(store, &report) != UF_OK) fail_msg("%s", report.text);
    assert_int_equal(report.lost, 0);
    return next;
}

/* What was never kept is started again. */
static void start(process *p)
{
    assert_int_equal(Guest_start_Use(&p->guest), UF_OK);
    for (int i = 0; i < LINES; i++) {
        if (uf_flow_outcome(&p->lines[i].uf) == UF_NEVER_RAN) assert_int_equal(Line_start_Shift(&p->lines[i]), UF_OK);
    }
}

static process *restart(process *p)
{
    process *const next = crash(p);

    assert_int_equal(uf_store_release(next->store, NULL), UF_OK);
    start(next);
    return next;
}

static void close_process(process *p)
{
    uf_pump_cancel_all(&p->pump);
    run_for(p, UF_S(60));
    for (int i = 0; i < 2; i++) assert_int_equal(Chief_destroy(&p->chiefs[i]), UF_OK);
    assert_int_equal(Guest_destroy(&p->guest), UF_OK);
    for (int i = 0; i < LINES; i++) assert_int_equal(Line_destroy(&p->lines[i]), UF_OK);
    assert_int_equal(Hall_destroy(&p->hall), UF_OK);
    assert_int_equal(Worker_destroy(&p->shared), UF_OK);
    assert_int_equal(uf_pump_destroy(&p->pump), UF_OK);
    assert_int_equal(uf_store_close(p->store), UF_OK);
    free(p);
}

static bool is_begun_by_shift(int key)
{
    return key <= 6 || (key > 10 && key <= 15) || (key > 20 && key <= 23) || (key >= 30 && key < 36) || key >= 40;
}

static void check_all_done(const process *p)
{
    for (int i = 0; i < LINES; i++) {
        if (uf_flow_outcome(&p->lines[i].uf) != UF_DONE)
            fail_msg("line %d: %s %s in %s", i, uf_outcome_text(uf_flow_outcome(&p->lines[i].uf)),
                     uf_flow_reason(&p->lines[i].uf), uf_flow_step(&p->lines[i].uf));
        for (int key = 0; key < KEYS; key++) {
            if (jobs[i][key].is_over != is_begun_by_shift(key)) fail_msg("line %d: start %d", i, key);
        }
    }
}

static uint64_t commits_of_all(bool kept)
{
    process *const p = first_process(kept);

    start(p);
    run_for(p, UF_S(5));
    check_all_done(p);
    uint64_t const commits = uf_store_memory_commits(p->store);
    close_process(p);
    return commits;
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

static void go_on_at_each_commit(bool kept)
{
    uint64_t const commits = commits_of_all(kept);

    assert_true(commits > 20);
    for (uint64_t at = 0; at <= commits; at++) {
        for (int early = 0; early < 2; early++) {
            process *p = first_process(kept);
            start(p);
            pump_run_to_commit(&p->pump, p->store, at, early);
            p = restart(p);
            run_for(p, UF_S(5));
            check_all_done(p);
            close_process(p);
        }
    }
}

TEST(goes_on_at_each_commit)
{
    go_on_at_each_commit(false);
}

TEST(goes_on_at_each_commit_if_workers_are_kept_from_outside)
{
    go_on_at_each_commit(true);
}

TEST(goes_on_at_pairs_of_commits)
{
    uint64_t const commits = commits_of_all(false) / 2; /* the guest goes on when the lines have ended */

    for (uint64_t at = 0; at <= commits; at++) {
        for (uint64_t next = at % 3; next <= commits - at + 4; next += 3) {
            process *p = first_process(next % 6 == 5);
            start(p);
            pump_run_to_commit(&p->pump, p->store, at, next % 2);
            p = restart(p);
            pump_run_to_commit(&p->pump, p->store, next, at % 2);
            p = restart(p);
            run_for(p, UF_S(5));
            check_all_done(p);
            close_process(p);
        }
    }
}

/* A stop suspends what was begun together with its starter. */
TEST(goes_on_after_each_stop)
{
    for (int ms = 0; ms < 1300; ms += 13) {
        uf_stop stop;
        process *p = first_process(false);
        start(p);
        run_to(p, UF_MS(1) * ms);
        assert_int_equal(uf_pump_stop(&p->pump, &stop, UF_S(10)), UF_OK);
        for (int i = 0; i < 20 && !uf_pump_stopped(&p->pump); i++) (void)uf_pump_round(&p->pump, p->pump.clock.real);
        assert_true(uf_pump_stopped(&p->pump));
        p = restart(p);
        run_for(p, UF_S(5));
        check_all_done(p);
        close_process(p);
    }
}

/* Until they are suspended, bodies run. What they begin then is not refused: it goes on in the next process. */
TEST(a_stop_refuses_no_start_of_a_body)
{
    uf_stop stop;

    process *p = first_process(false);
    assert_int_equal(Hall_start_Stand(&p->hall), UF_OK);
    assert_int_equal(Line_start_Shift(&p->lines[0]), UF_OK);
    assert_int_equal(Line_start_Shift(&p->lines[1]), UF_OK);
    assert_int_equal(uf_pump_stop(&p->pump, &stop, UF_S(2)), UF_OK);
    run_to(p, UF_MS(300));
    assert_true(jobs[0][4].is_over);
    assert_int_equal(Line_crew_spawn_Job(&p->lines[0], 9, 0), UF_STOPPING);
    assert_int_equal(Worker_start_Job(&p->lines[0].many[0], 9, 0), UF_STOPPING);
    for (int ms = 300; ms < 2000 && !uf_pump_stopped(&p->pump); ms++) (void)uf_pump_round(&p->pump, UF_MS(1) * ms);
    assert_true(uf_pump_stopped(&p->pump));
    assert_int_equal(stop.report.cancelled, 1); /* the hall */
    p = restart(p);
    run_for(p, UF_S(5));
    check_all_done(p);
    close_process(p);
}

TEST(a_repeated_body_knows_the_run)
{
    process *p = first_process(false);
    assert_int_equal(Line_start_Know(&p->lines[0]), UF_OK);
    run_to(p, UF_MS(30));
    assert_int_equal(p->lines[0].begun.number, 1);
    p = crash(p);
    assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
    run_for(p, UF_MS(10));
    assert_ptr_equal(p->lines[0].begun.flow, &p->lines[0].mine.uf);
    assert_int_equal(p->lines[0].begun.number, 1);
    assert_int_equal(uf_run_outcome(p->lines[0].begun), UF_RUNNING);
    run_for(p, UF_S(1));
    assert_int_equal(uf_flow_this_run(&p->lines[0].mine.uf).number, 1);
    assert_int_equal(uf_flow_outcome(&p->lines[0].mine.uf), UF_DONE);
    close_process(p);
}

/* In the round in which the starter's body has run, nothing was put. A cancel then ends the run with the starter's
 * record. */
TEST(a_cancel_before_it_is_kept)
{
    process *p = first_process(false);
    assert_int_equal(Line_start_Know(&p->lines[0]), UF_OK);
    run_to(p, UF_MS(10));
    assert_true(uf_flow_running(&p->lines[0].mine.uf));
    assert_int_equal(uf_flow_cancel(&p->lines[0].mine.uf), UF_OK);
    run_to(p, UF_MS(20));
    assert_int_equal(uf_flow_outcome(&p->lines[0].mine.uf), UF_CANCELLED);
    p = crash(p);
    assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
    run_for(p, UF_MS(20));
    assert_int_equal(uf_flow_outcome(&p->lines[0].mine.uf), UF_CANCELLED); /* it is not begun again */
    assert_int_equal(uf_flow_this_run(&p->lines[0].mine.uf).number, 1);
    close_process(p);
}

/* The other line has started these, and is still in that step. */
TEST(a_step_has_room_for_some_targets_of_others)
{
    process *p = first_process(false);
    assert_int_equal(Line_start_Wide(&p->lines[0]), UF_OK);
    run_to(p, UF_S(1));
    assert_int_equal(Line_start_Wide(&p->lines[1]), UF_OK);
    run_to(p, UF_S(2));
    assert_int_equal(uf_flow_outcome(&p->lines[1].uf), UF_FAILED);
    assert_string_equal(uf_flow_reason(&p->lines[1].uf), "4: full");
    assert_int_equal(uf_flow_cancel(&p->lines[0].uf), UF_OK);
    run_to(p, UF_S(3));
    assert_int_equal(Line_start_Wide(&p->lines[1]), UF_OK);
    run_to(p, UF_S(4));
    assert_true(uf_flow_running(&p->lines[1].uf));
    close_process(p);
}

/* A target lends its number to one of its starters, whichever record comes first. */
TEST(numbers_are_lent_to_the_same_starter_again)
{
    process *p = first_process(false);
    assert_int_equal(Chief_start_Start(&p->chiefs[0]), UF_OK);
    run_to(p, UF_S(1));
    assert_int_equal(Chief_start_Follow(&p->chiefs[1]), UF_OK);
    for (int i = 0; i < 3; i++) { /* the order of the records changes */
        run_for(p, UF_S(1));
        assert_string_equal(uf_flow_reason(&p->chiefs[0].uf), "");
        assert_true(uf_flow_running(&p->chiefs[0].uf) && uf_flow_running(&p->chiefs[1].uf));
        assert_int_equal(uf_flow_this_run(&p->shared.uf).number, 2);
        p = crash(p);
        assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
    }
    close_process(p);
}

TEST(a_store_that_fails)
{
    for (uint64_t at = 0; at < 12; at++) {
        process *p = first_process(false);
        start(p);
        assert_int_equal(uf_store_memory_stop(p->store, at, "disk full"), UF_OK);
        run_to(p, UF_S(2));
        for (int i = 0; i < LINES; i++) {
            assert_false(uf_flow_running(&p->lines[i].uf));
            assert_false(uf_flow_running(&p->lines[i].mine.uf));
            assert_int_equal(Line_crew_busy(&p->lines[i]), 0);
        }
        close_process(p);
    }
}
