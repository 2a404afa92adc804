/* SPDX-License-Identifier: MIT */
/* Runs that steps of durable flows begin, in virtual time: a process crashes at each commit, and whatever happens then,
 * each step of an owner has one run of its child. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "crashes.h"
#include "owed.h"

/* -- the world outlives processes ---------------------------------------------------------------------------------- */

enum { LINES = 2, ALL_LINES = 3, FLOWS = 20, STEPS = 64, ALL = 40 + 50 + 80 };

typedef struct place {
    char path[32];
    uint32_t run;
    int64_t ordinal;
} place;

static place places[FLOWS];             /* the latest body of each flow */
static uint32_t runs[ALL_LINES][STEPS]; /* the run that a step of a line has begun */
static uint32_t clerks[LINES];          /* the run of its companion */
static bool may_be_lost; /* an owner was cancelled: its child ends, and a later step begins another one */

static place *place_of(const uf_flow *flow)
{
    char path[32];
    int i = 0;

    (void)uf_flow_path(flow, path, sizeof path);
    while (i < FLOWS && places[i].path[0] && strcmp(places[i].path, path) != 0) i++;
    assert_true(i < FLOWS);
    memcpy(places[i].path, path, sizeof path);
    return &places[i];
}

/* No body runs after a later one had begun. */
void world_step(uf_flow *flow)
{
    place *const at = place_of(flow);
    uint32_t const run = uf_flow_this_run(flow).number;

    if (run < at->run || (run == at->run && uf_flow_ordinal(flow) < at->ordinal))
        fail_msg("%s: %s of run %u after run %u", at->path, uf_flow_step(flow), (unsigned)run, (unsigned)at->run);
    at->run = run;
    at->ordinal = uf_flow_ordinal(flow);
}

void world_work(uf_flow *flow, int line, int64_t at)
{
    world_step(flow);
    if (line >= ALL_LINES || at < 0 || may_be_lost) return;
    uint32_t *const run = &runs[line][at];
    if (*run == 0) *run = uf_flow_this_run(flow).number;
    if (*run != uf_flow_this_run(flow).number)
        fail_msg("line %d, step %d: run %u, and before %u", line, (int)at, (unsigned)uf_flow_this_run(flow).number,
                 (unsigned)*run);
}

void world_note(uf_flow *flow, int line)
{
    world_step(flow);
    if (may_be_lost) return;
    if (clerks[line] == 0) clerks[line] = uf_flow_this_run(flow).number;
    assert_int_equal(clerks[line], uf_flow_this_run(flow).number);
}

/* -- processes ----------------------------------------------------------------------------------------------------- */

typedef struct process {
    uf_pump pump;
    Worker shared;
    Line lines[LINES];
    Boss boss;
    Guest guest;
    uf_store *store;
    uf_observer keeper;
} process;

static bool is_kept_outside; /* in the processes that follow */

static process *alive;

/* The `on exit` of a child fires a signal for its owner, which is just leaving the step. */
void world_left(int line)
{
    if (line < LINES) uf_signal_fire(&alive->lines[line].nudge);
}

static process *open_process(uf_store *store)
{
    static const char *const names[LINES] = {"a", "b"};
    process *const p = calloc(1, sizeof *p);

    assert_non_null(p);
    alive = p;
    p->store = store;
    assert_int_equal(uf_pump_init(&p->pump, NULL), UF_OK);
    assert_int_equal(uf_store_attach(store, &p->pump), UF_OK);
    assert_int_equal(Worker_init(&p->shared, &p->pump, "shared", 0), UF_OK);
    for (int i = 0; i < LINES; i++) assert_int_equal(Line_init(&p->lines[i], &p->pump, names[i], i, &p->shared), UF_OK);
    assert_int_equal(Boss_init(&p->boss, &p->pump, "boss", &p->shared), UF_OK);
    assert_int_equal(Guest_init(&p->guest, &p->pump, "guest", &p->shared), UF_OK);
    if (is_kept_outside) pump_keep_outside(&p->pump, &p->keeper, &Worker_type);
    return p;
}

static process *first_process(bool kept)
{
    uf_store *store;

    memset(places, 0, sizeof places);
    memset(runs, 0, sizeof runs);
    memset(clerks, 0, sizeof clerks);
    may_be_lost = false;
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

static process *crash(process *p, uf_restore_report *report)
{
    uf_store *const store = pump_crash(&p->pump, p->store, NULL);

    free(p);
    process *const next = open_process(store);
    if (uf_store_restore(store, report) != UF_OK) fail_msg("%s", report->text);
    return next;
}

/* What was never kept is started again. */
static void start(process *p)
{
    for (int i = 0; i < LINES; i++) {
        if (uf_flow_outcome(&p->lines[i].uf) == UF_NEVER_RAN) assert_int_equal(Line_start_Shift(&p->lines[i]), UF_OK);
    }
    if (uf_flow_outcome(&p->boss.uf) == UF_NEVER_RAN) assert_int_equal(Boss_start_Lead(&p->boss), UF_OK);
}

static process *restart(process *p)
{
    uf_restore_report report;
    process *const next = crash(p, &report);

    assert_int_equal(report.lost, 0);
    assert_int_equal(uf_store_release(next->store, NULL), UF_OK);
    start(next);
    return next;
}

static void close_process(process *p)
{
    uf_pump_cancel_all(&p->pump);
    run_to(p, p->pump.clock.real + UF_S(60));
    assert_int_equal(Boss_destroy(&p->boss), UF_OK);
    assert_int_equal(Guest_destroy(&p->guest), UF_OK);
    for (int i = 0; i < LINES; i++) assert_int_equal(Line_destroy(&p->lines[i]), UF_OK);
    assert_int_equal(Worker_destroy(&p->shared), UF_OK);
    assert_int_equal(uf_pump_destroy(&p->pump), UF_OK);
    assert_int_equal(uf_store_close(p->store), UF_OK);
    free(p);
}

static void check_all_done(process *p)
{
    for (int i = 0; i < LINES; i++) {
        int made = 0;
        if (uf_flow_outcome(&p->lines[i].uf) != UF_DONE)
            fail_msg("line %d: %s %s in %s", i, uf_outcome_text(uf_flow_outcome(&p->lines[i].uf)),
                     uf_flow_reason(&p->lines[i].uf), uf_flow_step(&p->lines[i].uf));
        assert_true(Line_result_Shift(&p->lines[i], &made));
        assert_int_equal(made, ALL);
        assert_string_equal(p->lines[i].why.text, "worn out");
    }
    assert_int_equal(uf_flow_outcome(&p->boss.uf), UF_DONE);
}

static uint64_t commits_of_all(bool kept)
{
    process *const p = first_process(kept);

    start(p);
    run_to(p, UF_S(60));
    check_all_done(p);
    uint64_t const commits = uf_store_memory_commits(p->store);
    close_process(p);
    return commits;
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

/* Runs until the store answers no more: at once, or after everything that does not wait for it has happened. */
static void run_to_commit(process *p, uint64_t at, bool early)
{
    uf_time const begin = p->pump.clock.real;

    assert_int_equal(uf_store_memory_stop(p->store, at, NULL), UF_OK);
    while (uf_store_memory_commits(p->store) < at && p->pump.clock.real < begin + UF_S(9))
        run_to(p, p->pump.clock.real + UF_MS(10));
    if (!early) run_to(p, p->pump.clock.real + UF_S(5));
}

static void go_on_at_each_commit(bool kept)
{
    uint64_t const commits = commits_of_all(kept);

    assert_true(commits > 20);
    for (uint64_t at = 0; at <= commits; at++) {
        for (int early = 0; early < 2; early++) {
            process *p = first_process(kept);
            start(p);
            run_to_commit(p, at, early);
            p = restart(p);
            run_to(p, p->pump.clock.real + UF_S(60));
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

TEST(goes_on_at_each_pair_of_commits)
{
    uint64_t const commits = commits_of_all(false);

    for (uint64_t at = 0; at <= commits; at++) {
        for (uint64_t next = 0; next <= commits - at + 4; next++) {
            process *p = first_process(next % 3 == 2);
            start(p);
            run_to_commit(p, at, next % 2);
            p = restart(p);
            run_to_commit(p, next, at % 2);
            p = restart(p);
            run_to(p, p->pump.clock.real + UF_S(60));
            check_all_done(p);
            close_process(p);
        }
    }
}

typedef enum disturbance { CANCEL_LINE, CANCEL_CHILD, HURRY, GUEST } disturbance;

static void disturb(process *p, disturbance what)
{
    switch (what) {
    case CANCEL_LINE: assert_int_equal(uf_flow_cancel(&p->lines[0].uf), UF_OK); break;
    case CANCEL_CHILD: assert_int_equal(uf_flow_cancel(&p->lines[0].own.uf), UF_OK); break;
    case HURRY: uf_signal_fire(&p->lines[0].hurry); break;
    case GUEST:
        if (!uf_flow_running(&p->guest.uf)) assert_int_equal(Guest_start_Ask(&p->guest), UF_OK);
        break;
    }
}

/* The other line is never disturbed, and no child runs on without its owner. */
static void check_other(process *p)
{
    int made = 0;

    assert_int_equal(uf_flow_outcome(&p->lines[1].uf), UF_DONE);
    assert_true(Line_result_Shift(&p->lines[1], &made));
    assert_int_equal(made, ALL);
    assert_false(uf_flow_running(&p->lines[0].uf));
    assert_false(uf_flow_running(&p->shared.uf));
    assert_false(uf_flow_running(&p->lines[0].own.uf));
    assert_false(uf_flow_running(&p->lines[0].clerk.uf));
    assert_int_equal(Worker_start_Break(&p->lines[0].own, 9, 0), UF_OK); /* it is free */
    assert_int_equal(Worker_start_Break(&p->shared, 9, 0), UF_OK);
}

TEST(disturbed_at_each_commit)
{
    uint64_t const commits = commits_of_all(false);

    for (uint64_t at = 1; at <= commits; at++) {
        for (int when = 0; when < 3; when++) {
            for (disturbance what = CANCEL_LINE; what <= GUEST; what++) {
                uf_restore_report report;
                process *p = first_process(at % 3 == 2);
                start(p);
                run_to_commit(p, at, at % 2);
                may_be_lost = true;
                if (when == 0) disturb(p, what);
                run_to(p, p->pump.clock.real + UF_MS(10));
                p = crash(p, &report);
                run_to(p, p->pump.clock.real + UF_MS(10));
                if (when == 1) disturb(p, what);
                run_to(p, p->pump.clock.real + UF_MS(10));
                assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
                start(p);
                run_to(p, p->pump.clock.real + UF_MS(60));
                if (when == 2) disturb(p, what);
                run_to(p, p->pump.clock.real + UF_S(60));
                check_other(p);
                close_process(p);
            }
        }
    }
}

/* The parts of a stop are suspended together, and go on together. */
TEST(a_stop_suspends_children)
{
    for (int ms = 20; ms < 2000; ms += 55) {
        uf_stop stop;
        process *p = first_process(false);
        start(p);
        run_to(p, UF_MS(1) * ms);
        assert_int_equal(uf_pump_stop(&p->pump, &stop, UF_S(10)), UF_OK);
        for (int i = 0; i < 20 && !uf_pump_stopped(&p->pump); i++) (void)uf_pump_round(&p->pump, p->pump.clock.real);
        assert_true(uf_pump_stopped(&p->pump));
        assert_int_equal(stop.report.cancelled, 0);
        p = restart(p);
        run_to(p, p->pump.clock.real + UF_S(60));
        check_all_done(p);
        close_process(p);
    }
}

/* The end of a child was put, and is not kept yet. */
TEST(a_stop_between_an_end_and_its_commit)
{
    uf_stop stop;
    int made = 0;

    process *p = first_process(false);
    assert_int_equal(Line_start_Shift(&p->lines[0]), UF_OK);
    run_to(p, UF_MS(150));
    assert_int_equal(uf_store_memory_stop(p->store, 0, NULL), UF_OK);
    run_to(p, UF_MS(300));
    assert_int_equal(uf_pump_stop(&p->pump, &stop, UF_S(10)), UF_OK);
    for (int i = 0; i < 20 && !uf_pump_stopped(&p->pump); i++) (void)uf_pump_round(&p->pump, p->pump.clock.real);
    assert_true(uf_pump_stopped(&p->pump));
    assert_int_equal(stop.report.cancelled, 0);
    p = restart(p);
    run_to(p, UF_S(60));
    assert_true(Line_result_Shift(&p->lines[0], &made));
    assert_int_equal(made, ALL);
    close_process(p);
}

/* The end of a child was kept, but not that its owner has left the step. */
TEST(an_end_is_taken_once)
{
    uf_restore_report report;

    process *p = first_process(false);
    assert_int_equal(Line_start_Shift(&p->lines[0]), UF_OK);
    while (uf_flow_outcome(&p->lines[0].own.uf) != UF_DONE) run_to(p, p->pump.clock.real + UF_MS(1));
    assert_string_equal(uf_flow_step(&p->lines[0].uf), "Share");
    assert_int_equal(Worker_start_Break(&p->lines[0].own, 9, 0), UF_OK); /* the line has left One */
    p = crash(p, &report);
    assert_int_equal(report.lost, 0);
    close_process(p);

    p = first_process(false);
    assert_int_equal(Line_start_Shift(&p->lines[0]), UF_OK);
    run_to(p, UF_MS(150));
    assert_int_equal(uf_store_memory_stop(p->store, 1, NULL), UF_OK); /* the end of the child */
    run_to(p, UF_S(2));
    assert_int_equal(uf_flow_outcome(&p->lines[0].own.uf), UF_DONE);
    assert_int_equal(Worker_start_Break(&p->lines[0].own, 9, 0), UF_BUSY); /* for everybody else */
    p = crash(p, &report);
    assert_string_equal(uf_flow_step(&p->lines[0].uf), "One");
    assert_int_equal(uf_flow_outcome(&p->lines[0].own.uf), UF_DONE);
    assert_int_equal(Worker_start_Break(&p->lines[0].own, 9, 0), UF_BUSY);
    assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
    run_to(p, UF_MS(50));
    assert_string_equal(uf_flow_step(&p->lines[0].uf), "Share");
    assert_int_equal(uf_flow_this_run(&p->lines[0].own.uf).number, 1);
    assert_int_equal(p->lines[0].made, 40);
    close_process(p);
}

/* A repeated body waits by another arm, or not at all. */
TEST(what_is_not_taken_is_cancelled)
{
    uf_restore_report report;

    process *p = first_process(false);
    assert_int_equal(Line_start_Choose(&p->lines[0]), UF_OK);
    run_to(p, UF_MS(150));
    assert_string_equal(uf_flow_task(&p->lines[0].own.uf), "Linger");
    p = crash(p, &report);
    assert_int_equal(uf_store_release(p->store, "a"), UF_OK); /* and not the child */
    run_to(p, UF_MS(10));
    assert_string_equal(uf_flow_task(&p->lines[0].own.uf), "Make");
    assert_int_equal(uf_flow_this_run(&p->lines[0].own.uf).number, 2);
    run_to(p, UF_MS(300));
    assert_string_equal(uf_flow_step(&p->lines[0].uf), "Skip");
    p = crash(p, &report);
    assert_int_equal(report.restored, 2);
    assert_int_equal(report.lost, 0);
    assert_int_equal(uf_store_release(p->store, "a"), UF_OK);
    run_to(p, UF_MS(10));
    assert_int_equal(uf_flow_outcome(&p->lines[0].own.uf), UF_CANCELLED);
    assert_string_equal(uf_flow_reason(&p->lines[0].own.uf), "owner lost");
    assert_int_equal(Worker_start_Break(&p->lines[0].own, 9, 0), UF_OK);
    run_to(p, UF_S(2));
    assert_int_equal(uf_flow_outcome(&p->lines[0].uf), UF_DONE);
    close_process(p);
}

/* An owner that the program no longer has, or that is not durable. */
TEST(an_owner_that_is_gone)
{
    uf_restore_report report;

    process *p = first_process(false);
    may_be_lost = true;
    assert_int_equal(Guest_start_Ask(&p->guest), UF_OK);
    run_to(p, UF_MS(50));
    assert_int_equal(uf_flow_outcome(&p->shared.uf), UF_RUNNING);
    p = crash(p, &report);
    assert_int_equal(report.lost, 1);
    assert_int_equal(uf_flow_outcome(&p->shared.uf), UF_CANCELLED);
    assert_string_equal(uf_flow_reason(&p->shared.uf), "owner lost");
    run_to(p, UF_MS(60));
    p = crash(p, &report); /* it is kept */
    assert_int_equal(report.lost, 0);
    assert_int_equal(uf_flow_outcome(&p->shared.uf), UF_CANCELLED);
    assert_string_equal(uf_flow_reason(&p->shared.uf), "owner lost");
    assert_int_equal(Guest_start_Ask(&p->guest), UF_OK);
    run_to(p, UF_S(1));
    assert_int_equal(uf_flow_outcome(&p->guest.uf), UF_DONE);
    close_process(p);
}

static const uf_store_kind *whole;
static int loads; /* that succeed */

static uf_status load_some(uf_store *store,
                           void (*row)(void *context, const char *path, const void *bytes, size_t size), void *context)
{
    uf_status const status = whole->load(store, row, context);
    return loads-- > 0 ? status : UF_STORE;
}

/* A restore that fails when the store is read once more than `succeeding` times. */
static void restore_fails(uf_store *store, int succeeding, uf_restore_report *report)
{
    whole = store->kind;
    uf_store_kind some = *whole;
    some.load = load_some;
    loads = succeeding;
    store->kind = &some;
    assert_int_equal(uf_store_restore(store, report), UF_STORE);
    store->kind = whole;
}

/* The store is read three times. The last one begins runs, of which one is lost. */
TEST(a_restore_that_fails_leaves_nothing_behind)
{
    uf_restore_report report;

    process *p = first_process(false);
    may_be_lost = true;
    assert_int_equal(Guest_start_Ask(&p->guest), UF_OK);
    assert_int_equal(Line_start_Shift(&p->lines[0]), UF_OK);
    run_to(p, UF_MS(50));
    uf_store *const store = pump_crash(&p->pump, p->store, NULL);
    free(p);
    p = open_process(store);
    for (int i = 0; i < 3; i++) {
        restore_fails(store, i, &report);
        assert_int_equal(p->pump.running, 0);
        assert_int_equal(Line_start_Shift(&p->lines[0]), UF_BUSY);
        run_to(p, p->pump.clock.real + UF_S(1));
        assert_true(uf_flow_outcome(&p->shared.uf) != UF_CANCELLED);
    }
    assert_int_equal(uf_store_restore(store, &report), UF_OK);
    assert_int_equal(report.lost, 1);
    assert_int_equal(uf_store_release(store, NULL), UF_OK);
    run_to(p, p->pump.clock.real + UF_S(10));
    assert_int_equal(uf_flow_outcome(&p->lines[0].uf), UF_DONE);
    assert_int_equal(p->pump.running, 0);
    close_process(p);
}

/* The attempt that fails has read that the run of the child is awaited. */
TEST(a_child_that_is_forgotten_after_a_restore_has_failed)
{
    process *p = first_process(false);
    assert_int_equal(Line_start_Shift(&p->lines[0]), UF_OK);
    run_to(p, UF_MS(50));
    uf_store *const store = pump_crash(&p->pump, p->store, NULL);
    free(p);
    p = open_process(store);
    restore_fails(store, 2, NULL);
    assert_int_equal(uf_store_forget(store, "a.own"), UF_OK);
    assert_int_equal(uf_store_restore(store, NULL), UF_OK);
    assert_int_equal(uf_flow_outcome(&p->lines[0].own.uf), UF_NEVER_RAN);
    close_process(p);
}
