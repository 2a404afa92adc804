/* SPDX-License-Identifier: MIT */
/* boundaries.c - what comes between a decision and the step that follows it, and before the first turn of a run. */
#include "harness.h"

#include "boundaries.h"

static Guarded guarded;
static Plain plain;
static Owner owner;

static int start_over(void **state)
{
    if (begin(state) != 0) return 1;
    uf_signal_init(&halt, "halt");
    uf_signal_init(&skip, "skip");
    assert_int_equal(Guarded_init(&guarded, &pump, "guarded"), UF_OK);
    assert_int_equal(Plain_init(&plain, &pump, "plain"), UF_OK);
    assert_int_equal(Owner_init(&owner, &pump, "owner"), UF_OK);
    return 0;
}

/* The next act in a turn that another flow's `on exit`, or the flow's own, interrupts. */
typedef struct decision {
    uf_status (*start)(deed act);
    const char *expected[3]; /* of each deed; NULL: not tried */
} decision;

#define GUARDED(task)                                                                                                  \
    static uf_status guarded_##task(deed act)                                                                          \
    {                                                                                                                  \
        return Guarded_start_##task(&guarded, act);                                                                    \
    }
#define PLAIN(task)                                                                                                    \
    static uf_status plain_##task(deed act)                                                                            \
    {                                                                                                                  \
        return Plain_start_##task(&plain, act);                                                                        \
    }

GUARDED(Step)
GUARDED(Become)
GUARDED(Item)
GUARDED(ItemBecome)
GUARDED(Handled)
GUARDED(Exit)
PLAIN(Step)
PLAIN(Become)
PLAIN(Item)
PLAIN(ItemBecome)
PLAIN(Exit)

static const decision decisions[] = {
    {guarded_Step, {"Late done", "Halt done", "cancelled"}},
    {guarded_Become, {"After done", "Halt done", "cancelled"}},
    {guarded_Item, {"took 7 done", "took 7 Halt done", "took 7 cancelled"}},
    {guarded_ItemBecome, {"took 7 done", "took 7 Halt done", "took 7 cancelled"}},
    {guarded_Handled, {"Late done", "Late Halt done", "cancelled"}},
    {guarded_Exit, {"took 7 done", "took 7 Halt done", "took 7 cancelled"}},
    {plain_Step, {"Late done", NULL, "cancelled"}},
    {plain_Become, {"After done", NULL, "cancelled"}},
    {plain_Item, {"took 7 done", NULL, "took 7 cancelled"}},
    {plain_ItemBecome, {"took 7 done", NULL, "took 7 cancelled"}},
    {plain_Exit, {"took 7 done", NULL, "took 7 cancelled"}},
};

static void decide_each(void)
{
    for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++) {
        for (int what = NOTHING; what <= CANCEL; what++) {
            if (!decisions[i].expected[what]) continue;
            log_clear();
            assert_int_equal(decisions[i].start((deed)what), UF_OK);
            rounds(2);
            assert_int_equal(Guarded_box_send(&guarded, 7), UF_OK);
            assert_int_equal(Plain_box_send(&plain, 7), UF_OK);
            uf_signal_fire(&skip);
            run_until_idle();
            assert_log(decisions[i].expected[what]);
            uf_mailbox_clear(&guarded.box);
            uf_mailbox_clear(&plain.box);
        }
    }
}

#define RULE(name) CASE_WITH(name, start_over, NULL)

RULE(interruptions_come_between_a_decision_and_its_step)
{
    decide_each();
}

RULE(interruptions_come_between_also_with_an_observer)
{
    uf_observer nobody = {0};
    assert_int_equal(uf_pump_add_observer(&pump, &nobody), UF_OK);
    decide_each();
    assert_int_equal(uf_pump_remove_observer(&pump, &nobody), UF_OK);
}

/* A run that ends with a message leaves no mark on the next one. */
RULE(a_message_protects_one_step)
{
    assert_int_equal(Plain_start_Last(&plain, NOTHING), UF_OK);
    assert_int_equal(Plain_box_send(&plain, 7), UF_OK);
    run_until_idle();
    assert_int_equal(Plain_start_Step(&plain, CANCEL), UF_OK);
    run_until_idle();
    assert_log("done cancelled");
}

RULE(arms_are_evaluated_again_when_a_message_is_received)
{
    Reader reader;
    assert_int_equal(Reader_init(&reader, &pump, "reader"), UF_OK);
    assert_int_equal(Reader_box_send(&reader, 7), UF_OK);
    assert_int_equal(Reader_start_Without(&reader), UF_OK);
    run_until_idle();
    assert_log("take");
    log_clear();
    reader.polls = 0;
    assert_int_equal(Reader_start_WithItem(&reader), UF_OK);
    run_until_idle();
    assert_log("other");
    assert_int_equal(uf_mailbox_count(&reader.box), 1);
}

/* -- before the first turn ----------------------------------------------------------------------------------------- */

RULE(a_cancelled_spawn_enters_and_leaves_without_companions)
{
    int ping;
    assert_int_equal(Pinger_start_Ping(&owner.pinger, 3), UF_OK);
    run_until_idle();
    log_clear();
    assert_int_equal(Owner_members_spawn_Plain(&owner), UF_OK);
    assert_int_equal(Owner_members_cancel_all(&owner), UF_OK);
    run_until_idle();
    assert_log("enter exit");
    assert_int_equal(owner.pinger.uf.run, 1);
    assert_true(Pinger_result_Ping(&owner.pinger, &ping) && ping == 3);
}

RULE(what_begins_with_the_task_is_due_at_the_turn_after_the_entry)
{
    assert_int_equal(Owner_members_spawn_Timed(&owner), UF_OK);
    run_until_idle();
    assert_log("enter body exit");
    log_clear();
    assert_int_equal(Owner_members_spawn_Timed(&owner), UF_OK);
    uf_signal_fire(&halt);
    run_until_idle();
    assert_log("enter exit Halt");
    log_clear();
    assert_int_equal(Owner_members_spawn_Skipped(&owner), UF_OK);
    uf_signal_fire(&skip);
    run_until_idle();
    assert_log("next late");
    log_clear();
    assert_int_equal(Pinger_start_Ping(&owner.pinger, 3), UF_OK); /* so the companion fails */
    assert_int_equal(Owner_members_spawn_Plain(&owner), UF_OK);
    uf_signal_fire(&halt);
    run_until_idle();
    assert_log("ping enter argument exit Halt");
}

/* -- checkpoints --------------------------------------------------------------------------------------------------- */

RULE(a_resume_wakes_no_controller_in_vain)
{
    uf_checkpoint at = UF_CHECKPOINT("at");
    Controller controller;
    assert_int_equal(Controller_init(&controller, &pump, "controller", &at), UF_OK);
    assert_int_equal(Controller_start_Look(&controller), UF_OK);
    rounds(2);
    for (int way = 0; way < 2; way++) {
        assert_int_equal(uf_checkpoint_try_arm(&at), UF_OK);
        if (way == 0) assert_int_equal(uf_checkpoint_resume(&at), 0);
        else assert_int_equal(uf_checkpoint_disarm(&at), UF_OK);
        assert_int_equal(uf_pump_timeout(&pump), UF_FOREVER);
    }
    assert_int_equal(uf_flow_cancel(&controller.uf), UF_OK);
    run_until_idle();
    uf_checkpoint_destroy(&at);
}
