/* SPDX-License-Identifier: MIT */
/* pools.c - pools of flows: one test per rule. */
#include "harness.h"

#include <string.h>

#include "uflow/counters.h"
#include "uflow/simulate.h"
#include "uflow/stop.h"

#include "pools.h"

static Owner owner;

static int setup(void **state)
{
    if (begin(state) != 0) return 1;
    return Owner_init(&owner, &pump, "owner") == UF_OK ? 0 : 1;
}

static void spawn(int fd)
{
    assert_int_equal(Owner_members_spawn_Serve(&owner, fd), UF_OK);
}

static void wake(unsigned index)
{
    Member *const member = Owner_members_at(&owner, index);
    assert_non_null(member);
    uf_signal_fire(&member->wake);
    rounds(2);
}

static void fill(void)
{
    for (int i = 0; i < 3; i++) spawn(i);
    rounds(1);
    log_clear();
}

/* -- spawn --------------------------------------------------------------------------------------------------------- */

#define POOL_TEST(name) CASE_WITH(name, setup, NULL)

POOL_TEST(a_spawn_starts_a_task_of_a_free_member)
{
    spawn(5);
    assert_int_equal(Owner_members_busy(&owner), 1);
    rounds(1);
    spawn(6);
    rounds(1);
    assert_log("init:0:0 enter:5 init:1:0 enter:6");
    assert_int_equal(Owner_members_busy(&owner), 2);
}

POOL_TEST(a_step_spawns)
{
    Owner_start_Spawn(&owner, 5);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&owner.uf), UF_DONE);
    assert_log("init:0:0 enter:5");
}

POOL_TEST(a_run_belongs_to_the_flow_and_not_to_the_task)
{
    Owner_start_Spawn(&owner, 5);
    rounds(2);
    Owner_start_Hold(&owner);
    rounds(1);
    uf_flow_cancel(&owner.uf);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&owner.uf), UF_CANCELLED);
    assert_int_equal(Owner_members_busy(&owner), 1);
    assert_string_equal(uf_flow_step(&Owner_members_at(&owner, 0)->uf), "Wait");
}

POOL_TEST(a_member_begins_afresh_each_time)
{
    spawn(5);
    rounds(1);
    assert_int_equal(Member_mail_send(Owner_members_at(&owner, 0), 4), UF_OK);
    rounds(2);
    wake(0);
    spawn(6);
    rounds(1);
    assert_log("init:0:0 enter:5 got:4:4 exit:5:done end:0:done init:0:0 enter:6");
}

POOL_TEST(the_last_member_that_ended_is_used_first)
{
    fill();
    wake(1);
    wake(0);
    log_clear();
    spawn(8);
    rounds(1);
    assert_log("init:0:0 enter:8");
}

POOL_TEST(a_full_pool_refuses)
{
    fill();
    assert_int_equal(Owner_members_spawn_Serve(&owner, 9), UF_FULL);
    Owner_start_Spawn(&owner, 9);
    rounds(2);
    assert_string_equal(uf_flow_reason(&owner.uf), "refused: full");
    Owner_start_Plain(&owner, 9);
    rounds(2);
    assert_string_equal(uf_flow_reason(&owner.uf), "members: full");
    assert_log("");
}

POOL_TEST(a_spawn_that_is_cancelled_at_once_enters_and_leaves)
{
    note_events();
    spawn(5);
    uf_flow_cancel(&Owner_members_at(&owner, 0)->uf);
    rounds(1);
    assert_int_equal(Owner_members_busy(&owner), 0);
    assert_log("init:0:0 started:members[0] enter:5 exit:5:cancelled end:0:cancelled members[0]:Wait> "
               "ended:members[0](cancelled)cancelled");
}

POOL_TEST(also_without_code_at_the_entry)
{
    assert_int_equal(Owner_members_spawn_Bare(&owner, 5), UF_OK);
    Owner_members_cancel_all(&owner);
    rounds(1);
    assert_log("init:0:0 bare:5:cancelled end:0:cancelled");
}

POOL_TEST(also_if_a_handler_comes_first)
{
    note_events();
    spawn(5);
    uf_signal_fire(&Owner_members_at(&owner, 0)->hurry);
    rounds(2);
    assert_log("init:0:0 started:members[0] enter:5 members[0]:Wait>Hurry hurry:5 exit:5:done end:0:done "
               "members[0]:Hurry> ended:members[0](done)");
}

POOL_TEST(a_companion_of_a_cancelled_spawn_ends_with_it)
{
    assert_int_equal(Owner_members_spawn_With(&owner), UF_OK);
    Owner_members_cancel_all(&owner);
    rounds(2);
    assert_log("init:0:0 end:0:cancelled");
    assert_int_equal(uf_pump_running(&pump), 0);
}

POOL_TEST(a_member_starts_through_its_pool_alone)
{
    spawn(5);
    rounds(1);
    Member *const member = Owner_members_at(&owner, 0);
    assert_int_equal(Member_start_Serve(member, 6), UF_BUSY);
    assert_int_equal(Member_destroy(member), UF_INVALID);
    wake(0);
    assert_int_equal(Member_start_Serve(member, 6), UF_BUSY);
    assert_int_equal(Part_start_Hold(&member->inner), UF_BUSY);
    assert_int_equal(Member_destroy(member), UF_INVALID);
    assert_int_equal(uf_pump_running(&pump), 0);
}

POOL_TEST(a_limit_allows_fewer)
{
    assert_int_equal(Owner_members_limit(&owner, 1), UF_OK);
    spawn(1);
    assert_int_equal(Owner_members_spawn_Serve(&owner, 2), UF_FULL);
    (void)Owner_start_Vacant(&owner);
    rounds(2);
    assert_true(uf_flow_running(&owner.uf));
    assert_int_equal(Owner_members_limit(&owner, 2), UF_OK); /* wakes what waits for a free member */
    rounds(1);
    assert_false(uf_flow_running(&owner.uf));
    spawn(2);
    rounds(1);
    assert_int_equal(Owner_members_limit(&owner, 0), UF_OK); /* running members are not affected */
    wake(0);
    assert_int_equal(Owner_members_busy(&owner), 1);
    assert_int_equal(Owner_members_spawn_Serve(&owner, 3), UF_FULL);
    (void)Owner_start_Vacant(&owner);
    rounds(2);
    assert_true(uf_flow_running(&owner.uf));
    assert_int_equal(Owner_members_limit(&owner, UINT32_MAX), UF_OK); /* all */
    for (int i = 0; i < 2; i++) spawn(4);
    assert_int_equal(Owner_members_spawn_Serve(&owner, 5), UF_FULL);
    assert_int_equal(Owner_members_limit(NULL, 1), UF_INVALID);
}

/* -- ends ---------------------------------------------------------------------------------------------------------- */

POOL_TEST(on_end_comes_before_the_pool_hears)
{
    fill();
    Owner_start_Vacant(&owner);
    rounds(2);
    note_events();
    wake(2);
    assert_log("exit:2:done end:2:done members[2]:Wait> ended:members[2](done) owner:Wait> ended:owner(done)");
}

POOL_TEST(flows_inside_a_member_end_with_it)
{
    assert_int_equal(Owner_members_spawn_Whole(&owner), UF_OK);
    rounds(2);
    assert_int_equal(uf_pump_running(&pump), 2);
    wake(0);
    assert_int_equal(uf_pump_running(&pump), 0);
    assert_log("init:0:0 end:0:done part(cancelled)");
}

POOL_TEST(an_old_handle_is_stale)
{
    spawn(5);
    rounds(1);
    uf_run const first = Owner_members_run(&owner, 0);
    wake(0);
    assert_int_equal(uf_run_cancel(first), UF_STALE);
    spawn(6);
    rounds(1);
    uf_run const second = Owner_members_run(&owner, 0);
    assert_ptr_equal(first.flow, second.flow);
    assert_int_equal(second.number, first.number + 1);
    assert_int_equal(uf_run_cancel(first), UF_STALE);
    assert_true(uf_flow_running(second.flow));
}

POOL_TEST(a_late_sender_is_refused_and_unread_mail_dropped)
{
    spawn(5);
    rounds(1);
    Member *const member = Owner_members_at(&owner, 0);
    assert_int_equal(Part_box_send(&member->inner, 1), UF_OK);
    uf_signal_fire(&member->wake);
    assert_int_equal(Member_mail_send(member, 1), UF_OK);
    rounds(2);
    assert_int_equal(Member_mail_send(member, 2), UF_CLOSED);
    assert_int_equal(Part_box_send(&member->inner, 2), UF_CLOSED);
    log_clear();
    spawn(6);
    rounds(2);
    assert_log("init:0:0 enter:6");
    assert_int_equal(Part_box_send(&member->inner, 3), UF_OK);
    assert_int_equal(Part_box_send(&member->inner, 3), UF_FULL);
    assert_int_equal(Member_mail_send(member, 3), UF_OK);
    rounds(2);
    assert_log("init:0:0 enter:6 got:3:3");
}

POOL_TEST(who_waits_for_room_in_an_ended_member_is_told)
{
    Sender sender;
    assert_int_equal(Owner_members_spawn_Bare(&owner, 5), UF_OK);
    rounds(1);
    Member *const member = Owner_members_at(&owner, 0);
    while (Member_mail_send(member, 1) == UF_OK) continue;
    assert_int_equal(Sender_init(&sender, &pump, "sender", member), UF_OK);
    Sender_start_Room(&sender);
    rounds(2);
    assert_true(uf_flow_running(&sender.uf));
    log_clear();
    wake(0);
    rounds(2);
    assert_log("bare:5:done end:0:done room:closed");
    Sender_start_Room(&sender);
    rounds(2);
    assert_log("bare:5:done end:0:done room:closed room:closed");
}

POOL_TEST(a_failure_has_its_reason)
{
    note_events();
    spawn(5);
    run_until_idle();
    assert_log("init:0:0 started:members[0] enter:5 exit:5:failed end:0:failed:late members[0]:Wait> "
               "ended:members[0](failed)late");
}

POOL_TEST(on_end_of_the_owner_spawns_nothing)
{
    owner.spawns_at_the_end = true;
    Owner_start_Idle(&owner);
    rounds(2);
    assert_log("spawn:busy");
    assert_int_equal(Owner_members_busy(&owner), 0);
}

/* -- the functions ------------------------------------------------------------------------------------------------- */

POOL_TEST(names_have_an_index)
{
    char path[64];
    fill();
    assert_string_equal(uf_flow_name(&Owner_members_at(&owner, 2)->uf), "members[2]");
    uf_flow_path(&Owner_members_at(&owner, 2)->inner.uf, path, sizeof path);
    assert_string_equal(path, "owner.members[2].inner");
}

POOL_TEST(at_is_the_running_member_or_null)
{
    assert_null(Owner_members_at(&owner, 0));
    assert_null(Owner_members_at(NULL, 0));
    spawn(5);
    assert_non_null(Owner_members_at(&owner, 0));
    assert_null(Owner_members_at(&owner, 1));
    assert_null(Owner_members_at(&owner, 3));
    assert_null(Owner_members_run(&owner, 1).flow);
    rounds(1);
    wake(0);
    assert_null(Owner_members_at(&owner, 0));
}

POOL_TEST(cancel_all_cancels_each_run)
{
    fill();
    assert_int_equal(Owner_members_cancel_all(&owner), UF_OK);
    rounds(1);
    assert_log("exit:0:cancelled end:0:cancelled exit:1:cancelled end:1:cancelled exit:2:cancelled end:2:cancelled");
    assert_int_equal(Owner_members_busy(&owner), 0);
    assert_int_equal(Owner_members_cancel_all(NULL), UF_INVALID);
}

POOL_TEST(destroy_is_busy_while_a_member_runs)
{
    spawn(5);
    rounds(1);
    assert_int_equal(Owner_destroy(&owner), UF_BUSY);
    wake(0);
    assert_int_equal(Owner_destroy(&owner), UF_OK);
    assert_int_equal(Owner_members_spawn_Serve(&owner, 5), UF_INVALID);
    assert_null(uf_pump_next_flow(&pump, NULL));
    assert_int_equal(Owner_init(&owner, &pump, "owner"), UF_OK);
    log_clear();
    spawn(5);
    rounds(1);
    assert_log("init:0:0 enter:5");
    assert_int_equal(Owner_members_run(&owner, 0).number, 1);
}

POOL_TEST(init_touches_no_member)
{
    Owner_destroy(&owner);
    memset(&owner, 0x5a, sizeof owner);
    assert_int_equal(Owner_init(&owner, &pump, "owner"), UF_OK);
    const unsigned char *const bytes = (const unsigned char *)owner.uf_members_of_members;
    for (size_t i = 0; i < sizeof owner.uf_members_of_members; i++) assert_int_equal(bytes[i], 0x5a);
    assert_int_equal(Part_start_Hold(&owner.before), UF_OK);
    assert_int_equal(Part_start_Hold(&owner.after), UF_OK);
    spawn(5);
    rounds(1);
    assert_log("init:0:0 enter:5");
    uf_pump_cancel_all(&pump);
    rounds(1);
}

POOL_TEST(the_list_of_flows_holds_the_members_that_run)
{
    char names[128] = "";
    spawn(5);
    spawn(6);
    rounds(1);
    wake(0);
    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(&pump, flow)) != NULL;) {
        strcat(names, uf_flow_name(flow));
        strcat(names, " ");
    }
    assert_string_equal(names, "owner members[1] inner before after ");
}

/* -- vacant and idle ----------------------------------------------------------------------------------------------- */

POOL_TEST(vacant_is_a_level)
{
    Owner_start_Vacant(&owner);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&owner.uf), UF_DONE);
    fill();
    Owner_start_Vacant(&owner);
    rounds(3);
    assert_true(uf_flow_running(&owner.uf));
    wake(1);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&owner.uf), UF_DONE);
}

POOL_TEST(vacant_is_no_reservation)
{
    fill();
    Owner_start_Many(&owner, 1);
    rounds(2);
    uf_signal_fire(&Owner_members_at(&owner, 0)->wake);
    rounds(1);
    spawn(9); /* takes the place first */
    rounds(3);
    assert_true(uf_flow_running(&owner.uf));
    wake(1);
    rounds(3);
    assert_int_equal(uf_flow_outcome(&owner.uf), UF_DONE);
    assert_int_equal(Owner_members_busy(&owner), 3);
}

POOL_TEST(vacant_wakes_for_each_place)
{
    Owner_start_Many(&owner, 50);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&owner.uf), UF_DONE);
    assert_int_equal(now_ms(), 1700);
}

POOL_TEST(idle_waits_for_the_last_member)
{
    Owner_start_Idle(&owner);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&owner.uf), UF_DONE);
    spawn(1);
    spawn(2);
    Owner_start_Idle(&owner);
    rounds(2);
    wake(0);
    rounds(2);
    assert_true(uf_flow_running(&owner.uf));
    wake(1);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&owner.uf), UF_DONE);
}

POOL_TEST(both_in_all)
{
    fill();
    Owner_start_Both(&owner);
    rounds(2);
    wake(0);
    wake(1);
    assert_true(uf_flow_running(&owner.uf));
    wake(2);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&owner.uf), UF_DONE);
}

/* -- counters ------------------------------------------------------------------------------------------------------ */

POOL_TEST(counters_have_one_row_for_a_pool)
{
    static uf_counters counters;
    uf_flow_counts rows[4], counts;
    assert_int_equal(uf_counters_attach(&counters, &pump, rows, 4), UF_OK);
    fill();
    Member *const last = Owner_members_at(&owner, 2);
    assert_int_equal(Owner_members_cancel_all(&owner), UF_OK);
    rounds(1);
    assert_int_equal(Owner_members_spawn_Whole(&owner), UF_OK);
    rounds(3);
    assert_true(uf_counters_flow(&counters, uf_flow_row(&last->uf), &counts));
    assert_int_equal(counts.started, 4);
    assert_int_equal(counts.cancelled, 3);
    assert_true(uf_counters_flow(&counters, uf_flow_row(&last->inner.uf), &counts));
    assert_int_equal(counts.started, 1);
    assert_ptr_equal(uf_flow_row(&owner.uf), &owner.uf);
    assert_null(uf_flow_row(NULL));
    assert_int_equal(uf_counters_detach(&counters, &pump), UF_OK);
}

/* -- shutdown ------------------------------------------------------------------------------------------------------ */

POOL_TEST(a_stop_refuses_spawns)
{
    uf_stop stop;
    fill();
    assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(1)), UF_OK);
    wake(0);
    assert_int_equal(Owner_members_spawn_Serve(&owner, 9), UF_STOPPING);
}

POOL_TEST(a_stop_tells_who_waits_for_a_member)
{
    uf_stop stop;
    fill();
    Owner_start_VacantElse(&owner);
    rounds(2);
    assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(1)), UF_OK);
    rounds(3);
    assert_log("refused:stopping");
}

POOL_TEST(a_stop_waits_for_finite_members)
{
    uf_stop_report report;
    Owner_start_Accept(&owner);
    rounds(8);
    log_clear();
    assert_int_equal(Owner_members_busy(&owner), 3);
    assert_int_equal(uf_simulate_stop(&pump, UF_S(1), &report), UF_OK);
    assert_log("exit:7:failed end:0:failed:late exit:7:failed end:1:failed:late exit:7:failed end:2:failed:late");
    assert_int_equal(report.ended, 4);
    assert_int_equal(report.cancelled, 0);
}

POOL_TEST(a_stop_cancels_endless_members)
{
    uf_stop_report report;
    assert_int_equal(Owner_members_spawn_Endless(&owner), UF_OK);
    rounds(1);
    assert_int_equal(uf_simulate_stop(&pump, UF_S(1), &report), UF_OK);
    assert_int_equal(report.cancelled, 1);
    assert_int_equal(now_ms(), 0);
    assert_int_equal(uf_pump_restart(&pump), UF_OK);
    spawn(4);
}
