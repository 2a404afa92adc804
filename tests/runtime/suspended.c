/* SPDX-License-Identifier: MIT */
/* Durable flows that others run, in virtual time: a stop suspends them, children first, or cancels those that have no
 * durable owner to go on with; a restart cancels the runs whose owners are gone. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "crashes.h"
#include "log.h"
#include "suspended.h"

typedef struct process {
    uf_pump pump;
    Leaf lone;
    Root root;
    Guest guest;
    uf_store *store;
} process;

static process *open_process(uf_store *store, uf_restore_report *report)
{
    process *const p = calloc(1, sizeof *p);

    assert_non_null(p);
    p->store = store;
    log_clear();
    assert_int_equal(uf_pump_init(&p->pump, NULL), UF_OK);
    assert_int_equal(uf_store_attach(store, &p->pump), UF_OK);
    assert_int_equal(Leaf_init(&p->lone, &p->pump, "lone"), UF_OK);
    assert_int_equal(Root_init(&p->root, &p->pump, "root"), UF_OK);
    assert_int_equal(Guest_init(&p->guest, &p->pump, "guest"), UF_OK);
    if (uf_store_restore(store, report) != UF_OK) fail_msg("%s", report->text);
    return p;
}

static process *first_process(void)
{
    uf_store *store;
    uf_restore_report report;

    assert_int_equal(uf_store_memory_open(&store, NULL), UF_OK);
    return open_process(store, &report);
}

static void run_to(process *p, uf_time until)
{
    pump_run_to(&p->pump, until);
}

static void run_for(process *p, uf_time time)
{
    run_to(p, p->pump.clock.real + time);
}

/* What the store had committed is there. */
static process *crash(process *p, uf_restore_report *report)
{
    uf_store *const store = pump_crash(&p->pump, p->store, NULL);

    free(p);
    return open_process(store, report);
}

static void stop(process *p, uint32_t suspended, uint32_t cancelled)
{
    uf_stop stop;

    log_clear();
    assert_int_equal(uf_pump_stop(&p->pump, &stop, UF_S(10)), UF_OK);
    for (int i = 0; i < 20 && !uf_pump_stopped(&p->pump); i++)
        (void)uf_pump_round(&p->pump, p->pump.clock.real + UF_S(1));
    assert_true(uf_pump_stopped(&p->pump));
    assert_int_equal(stop.report.suspended, suspended);
    assert_int_equal(stop.report.cancelled, cancelled);
}

static void close_process(process *p)
{
    if (!uf_pump_stopped(&p->pump)) {
        uf_pump_cancel_all(&p->pump);
        run_for(p, UF_S(60));
    }
    assert_int_equal(Guest_destroy(&p->guest), UF_OK);
    assert_int_equal(Root_destroy(&p->root), UF_OK);
    assert_int_equal(Leaf_destroy(&p->lone), UF_OK);
    assert_int_equal(uf_pump_destroy(&p->pump), UF_OK);
    assert_int_equal(uf_store_close(p->store), UF_OK);
    free(p);
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

#define A_LEAF     "leaf-work leaf "
#define THE_BRANCH A_LEAF A_LEAF A_LEAF "branch-hold branch-group branch"

TEST(children_are_suspended_before_their_parents)
{
    uf_restore_report report;

    process *p = first_process();
    assert_int_equal(Root_start_Main(&p->root), UF_OK);
    run_for(p, UF_S(1));
    stop(p, 5, 0);
    assert_string_equal(log_text(), THE_BRANCH " root-main root");
    p = crash(p, &report);
    assert_int_equal(report.restored, 5);
    assert_int_equal(report.lost, 0);
    assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
    run_for(p, UF_S(1));
    assert_string_equal(log_text(), "leaf-restore leaf-restore leaf-restore");
    stop(p, 5, 0);
    assert_string_equal(log_text(), THE_BRANCH " root-main root");
    close_process(p);
}

/* What was not released has nothing to suspend. */
TEST(a_stop_leaves_held_runs_as_they_are)
{
    uf_restore_report report;

    process *p = first_process();
    assert_int_equal(Root_start_Main(&p->root), UF_OK);
    run_for(p, UF_S(1));
    p = crash(p, &report);
    stop(p, 5, 0);
    assert_string_equal(log_text(), "");
    p = crash(p, &report);
    assert_int_equal(report.restored, 5);
    close_process(p);
}

/* It would not go on in the next process, which has nobody that waits for it. */
TEST(a_stop_cancels_what_a_flow_that_is_not_durable_runs)
{
    for (int simple = 0; simple < 2; simple++) {
        uf_restore_report report;
        process *p = first_process();
        assert_int_equal(simple ? Guest_start_Simple(&p->guest) : Guest_start_Main(&p->guest), UF_OK);
        assert_int_equal(Leaf_start_Work(&p->lone), UF_OK);
        run_for(p, UF_S(1));
        stop(p, 1, simple ? 2 : 5);
        assert_string_equal(log_text(), simple ? "leaf-work leaf leaf-exit:4"
                                               : "leaf-work leaf leaf-exit:4 leaf-exit:4 branch-hold-exit:4 "
                                                 "leaf-exit:4 branch-group-exit:4 guest-exit:4");
        p = crash(p, &report);
        assert_int_equal(report.restored, 1);
        assert_int_equal(report.lost, 0);
        assert_int_equal(uf_flow_outcome(simple ? &p->guest.leaf.uf : &p->guest.branch.uf), UF_CANCELLED);
        close_process(p);
    }
}

TEST(a_lost_run_is_left)
{
    uf_restore_report report;

    process *p = first_process();
    assert_int_equal(Guest_start_Simple(&p->guest), UF_OK);
    run_for(p, UF_S(1));
    for (int i = 0; i < 2; i++) {
        p = crash(p, &report);
        assert_int_equal(report.lost, i == 0);
        assert_string_equal(log_text(), i == 0 ? "leaf-exit:4" : "");
        assert_int_equal(uf_flow_outcome(&p->guest.leaf.uf), UF_CANCELLED);
        run_for(p, UF_S(1));
    }
    close_process(p);
}
