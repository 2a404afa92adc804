/* SPDX-License-Identifier: MIT */
/* taking.c - a value that an await takes is never lost, and neither are events in between. A message or the value of a
 * job is there when the await is reached, or comes later. The subtask that the await leaves fires a signal of the
 * owner, fails it, cancels it, or wants the same value. Another flow wants the message too. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "uflow/pool.h"
#include "uflow/simulate.h"

#include "taking.h"

typedef struct await {
    const char *name;
    uf_status (*start)(Owner *owner);
    bool of_job;
    bool upsets_itself;
} await;

static const await awaits[] = {
    {"Message", Owner_start_Message, false, false},
    {"After_the_run", Owner_start_After_the_run, false, false},
    {"Conditional", Owner_start_Conditional, false, false},
    {"Several", Owner_start_Several, false, false},
    {"Polling", Owner_start_Polling, false, false},
    {"Other_task", Owner_start_Other_task, false, false},
    {"By_an_argument", Owner_start_By_an_argument, false, true},
    {"Value", Owner_start_Value, true, false},
    {"Value_of_many", Owner_start_Value_of_many, true, false},
};
enum { AWAITS = sizeof awaits / sizeof *awaits };

typedef struct situation {
    const await *of;
    upset how;
    rival other;
    int messages; /* messages that are there when the await is reached */
    bool later;   /* the message or the end of the job comes while the flow waits */
    bool observed;
} situation;

static Owner owner;
static Thief thief;
static Witness witness;

static void begin_scene(const situation *now)
{
    static uf_seeded_pool pool;
    static uf_work works[4];
    uf_pump_config const config = {.pool = now->later ? &pool.pool : uf_pool_inline()};

    counts = (struct counts){0};
    assert_int_equal(uf_pool_seeded(&pool, works, 4, 1, UF_S(2)), UF_OK);
    assert_int_equal(uf_pump_init(&pump, &config), UF_OK);
    log_clear();
    if (now->observed) note_events();
    uf_signal_init(&witnessed, "witnessed");
    assert_int_equal(Owner_init(&owner, &pump, "owner", now->how), UF_OK);
    assert_int_equal(Thief_init(&thief, &pump, "thief", &owner, now->other), UF_OK);
    assert_int_equal(Witness_init(&witness, &pump, "witness"), UF_OK);
    assert_int_equal(Witness_start_Wait(&witness), UF_OK);
    rounds(2);
}

static void end_scene(void)
{
    uf_pump_cancel_all(&pump);
    rounds(2);
    assert_int_equal(Witness_destroy(&witness), UF_OK);
    assert_int_equal(Thief_destroy(&thief), UF_OK);
    assert_int_equal(Owner_destroy(&owner), UF_OK);
    uf_signal_destroy(&witnessed);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

static bool fails_owner(upset how)
{
    return how == FAIL || how == FAIL_AND_CLEAR;
}

static uf_outcome expected_outcome(const situation *now)
{
    if (now->how == NOTHING || now->how == RECEIVE || now->how == CLEAR) return UF_DONE;
    if (!now->later && !now->of->upsets_itself) return UF_DONE;
    return now->how == CANCEL ? UF_CANCELLED : UF_FAILED;
}

static const char *expected_reason(const situation *now)
{
    if (expected_outcome(now) != UF_FAILED) return expected_outcome(now) == UF_DONE ? "" : "cancelled";
    return fails_owner(now->how) ? "cannot close" : "hurried";
}

/* Each token is taken or dropped once, and the owner ends as it must. A failure before the message is received leaves
 * the message in the mailbox. */
static unsigned try(const situation *now)
{
    int const sent = now->of->of_job || now->later ? 1 : now->messages;
    int const taken = now->later && fails_owner(now->how) ? 0 : 1, runs = now->later && !now->of->upsets_itself ? 1 : 0;

    begin_scene(now);
    for (int i = 0; i < now->messages; i++) assert_int_equal(Owner_box_send(&owner, 1), UF_OK);
    assert_int_equal(now->of->start(&owner), UF_OK);
    if (now->other != NOBODY) assert_int_equal(Thief_start_Steal(&thief), UF_OK);
    rounds(3);
    if (now->later && !now->of->of_job) assert_int_equal(Owner_box_send(&owner, 1), UF_OK);
    assert_int_equal(uf_simulate_until(&pump, UF_S(5)), UF_OK); /* the step that takes something waits for 10 s */
    bool const in_time = uf_flow_running(&owner.uf) == (expected_outcome(now) == UF_DONE);
    assert_int_equal(uf_simulate_until(&pump, UF_S(15)), UF_OK);
    bool const ended = in_time && uf_flow_outcome(&owner.uf) == expected_outcome(now) &&
                       strcmp(uf_flow_reason(&owner.uf), expected_reason(now)) == 0;
    bool const alike = ended && counts.taken == taken && counts.runs == runs && uf_flow_outcome(&thief.uf) != UF_FAILED;
    struct counts const then = counts;
    uf_outcome const outcome = uf_flow_outcome(&owner.uf);
    char reason[UF_REASON_SIZE];
    snprintf(reason, sizeof reason, "%s", uf_flow_reason(&owner.uf));
    end_scene();
    if (alike && counts.taken + counts.dropped == sent) return 0;
    print_error("%s, upset %d, rival %d, %d messages, %s, %s: %s \"%s\", %d taken, %d runs; %d of %d dropped\n",
                now->of->name, (int)now->how, (int)now->other, now->messages, now->later ? "later" : "at once",
                now->observed ? "observed" : "not observed", uf_outcome_text(outcome), reason, then.taken, then.runs,
                counts.dropped, sent);
    return 1;
}

CASE(what_is_taken_is_never_lost)
{
    unsigned wrong = 0;

    for (int i = 0; i < 2 * AWAITS; i++) {
        await const *const of = &awaits[i / 2];
        for (int how = 0; how < UPSETS; how++) {
            /* The argument would have the message, and had to release it. */
            if (fails_owner((upset)how) && of->upsets_itself) continue;
            situation now = {.of = of, .how = (upset)how, .observed = i % 2};
            now.later = true;
            wrong += try(&now);
            now.later = false;
            if (of->of_job) wrong += try(&now);
            for (int other = 0; other < RIVALS && !of->of_job; other++) {
                now.other = (rival)other;
                for (now.messages = 1; now.messages <= 4; now.messages++) wrong += try(&now);
            }
        }
    }
    assert_int_equal(wrong, 0);
}

/* The message that is kept for the next turn is then the newest one. */
CASE(a_clear_leaves_the_newest_message)
{
    situation const now = {.of = &awaits[0], .how = NOTHING, .other = CLEARS};

    begin_scene(&now);
    for (int token = 1; token <= 3; token++) assert_int_equal(Owner_box_send(&owner, token), UF_OK);
    assert_int_equal(now.of->start(&owner), UF_OK);
    assert_int_equal(Thief_start_Steal(&thief), UF_OK);
    assert_int_equal(uf_simulate_until(&pump, UF_S(5)), UF_OK);
    assert_int_equal(counts.taken, 3);
    assert_int_equal(uf_mailbox_count(&owner.box), 0);
    end_scene();
}
