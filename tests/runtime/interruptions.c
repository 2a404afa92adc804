/* SPDX-License-Identifier: MIT */
/* interruptions.c - every ending of a body against every interruption of a flow: cancels and preemptions. The flow's
 * own body causes the interruption, or another flow earlier in the round, or it comes between two rounds.
 *
 * Each takes effect at the flow's next turn, which comes at once, without time passing. A cancel comes before a
 * preemption, a task's handler before its flow's. Neither arms nor body run before them. */
#include "harness.h"

#include "interruptions.h"

#include <stdio.h>
#include <string.h>

typedef enum moment { BY_ITSELF, EARLIER_IN_THE_ROUND, BETWEEN_ROUNDS, BEFORE_THE_FIRST_TURN, MOMENTS } moment;

static Victim victim;
static Causer causer;

static bool ends(ending end)
{
    return end == DONE || end == FAIL;
}

static bool is_nudged(ending end)
{
    return end == AWAIT_SIGNALS || end == AWAIT_UNTIL || end == AWAIT_HELD || end == AWAIT_RUN;
}

/* The victim's log after its first body, and the state of its run an instant later. */
static const char *expected(ending end, unsigned events, moment when, uf_outcome *outcome)
{
    *outcome = UF_RUNNING;
    if (ends(end)) { /* an ending that comes first is kept */
        *outcome = end == DONE ? UF_DONE : UF_FAILED;
        return "";
    }
    if (end == BECOME) events &= ~(unsigned)DRILL; /* a task's handler is removed with the task */
    if (events & CANCEL) {
        *outcome = UF_CANCELLED;
        return "";
    }
    if (events == DRILL) return " drilled";
    if (events) {
        *outcome = UF_DONE;
        return events & DRILL ? " drilled park" : " park";
    }
    if (end == NEXT) return " second";
    if (end == BECOME) return " other";
    return when == EARLIER_IN_THE_ROUND && is_nudged(end) ? " nudged" : "";
}

/* A body that stays runs again in each round in which another flow has work. Such repetitions do not matter. */
static void drop_repetitions(char *text)
{
    char *to = text;
    for (char *word = text, *last = NULL, *next; *word; word = next) {
        size_t const length = strcspn(word, " ");
        next = word + length + strspn(word + length, " ");
        if (last && strncmp(last, word, length) == 0 && (last[length] == ' ' || last + length == to)) continue;
        if (last) *to++ = ' ';
        last = memmove(to, word, length);
        to += length;
    }
    *to = '\0';
}

/* The victim's whole log. */
static void expect(char *text, size_t size, ending end, unsigned events, moment when, uf_outcome *outcome)
{
    if (when != BEFORE_THE_FIRST_TURN || !events) {
        snprintf(text, size, "enter first%s", expected(end, events, when, outcome));
        return;
    }
    *outcome = events & CANCEL ? UF_CANCELLED : events & ALARM ? UF_DONE : UF_RUNNING;
    bool const drilled = events & DRILL && !(events & CANCEL); /* enters the task, and goes to that step */
    bool const parks = events & ALARM && !(events & CANCEL);
    snprintf(text, size, "%s%s%s", drilled ? "enter drilled" : "", drilled && parks ? " " : "", parks ? "park" : "");
}

static unsigned try(ending end, unsigned events, moment when)
{
    char text[200], noted[200];
    uf_outcome outcome;

    expect(text, sizeof text, end, events, when, &outcome);
    assert_int_equal(begin(NULL), 0);
    assert_int_equal(Causer_init(&causer, &pump, "causer"), UF_OK);
    assert_int_equal(Victim_init(&victim, &pump, "victim"), UF_OK);
    if (when == EARLIER_IN_THE_ROUND || when == BEFORE_THE_FIRST_TURN)
        assert_int_equal(Causer_start_Cause(&causer, &victim, events), UF_OK);
    if (when == BEFORE_THE_FIRST_TURN) rounds(1);
    assert_int_equal(Victim_start_Run(&victim, end, when == BY_ITSELF ? events : 0), UF_OK);
    rounds(1);
    if (when == EARLIER_IN_THE_ROUND) {
        (void)Victim_nudges_send(&victim, 1); /* so that it has its turn in that round */
    } else if (when == BETWEEN_ROUNDS) {
        if (events & CANCEL) (void)uf_flow_cancel(&victim.uf);
        if (events & ALARM) (void)uf_signal_fire(&victim.alarm);
        if (events & DRILL) (void)uf_signal_fire(&victim.drill);
    }
    assert_int_equal(uf_simulate_until(&pump, uf_pump_now(&pump) + 1), UF_OK); /* all rounds of this instant */

    uf_outcome const became = uf_flow_outcome(&victim.uf);
    snprintf(noted, sizeof noted, "%s", log_text());
    if (became == UF_RUNNING) drop_repetitions(noted);
    bool const alike = strcmp(noted, text) == 0 && became == outcome;
    if (!alike)
        print_error("ending %d, events %u, moment %d: \"%s\", %s; expected \"%s\", %s\n", (int)end, events, (int)when,
                    log_text(), uf_outcome_text(became), text, uf_outcome_text(outcome));
    (void)uf_flow_cancel(&victim.uf);
    rounds(2);
    assert_int_equal(Victim_destroy(&victim), UF_OK);
    assert_int_equal(Causer_destroy(&causer), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    return !alike;
}

CASE(test_every_ending_against_every_interruption)
{
    unsigned wrong = 0;

    for (unsigned end = 0; end < ENDINGS; end++) {
        for (unsigned events = 0; events <= ALL_EVENTS; events++) {
            for (unsigned when = 0; when < MOMENTS; when++) wrong += try((ending)end, events, (moment)when);
        }
    }
    assert_int_equal(wrong, 0);
}

CASE(test_a_shutdown_task_is_left_alone)
{
    Closer closer;

    assert_int_equal(begin(NULL), 0);
    assert_int_equal(Closer_init(&closer, &pump, "closer"), UF_OK);
    assert_int_equal(Closer_start_Run(&closer), UF_OK);
    assert_int_equal(uf_simulate_until(&pump, UF_S(1)), UF_OK);
    assert_int_equal(uf_signal_fire(&closer.alarm), 0);
    assert_int_equal(uf_simulate_until(&pump, UF_S(2)), UF_OK);
    assert_string_equal(log_text(), "first closing"); /* the interval is completed */
    closer.again = true;
    assert_int_equal(uf_simulate_until(&pump, UF_S(3601)), UF_OK);
    assert_string_equal(log_text(), "first closing closing first closing"); /* fires in the meantime are forgotten */
    assert_int_equal(uf_flow_cancel(&closer.uf), UF_OK);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(9000)), UF_OK);
    assert_int_equal(Closer_destroy(&closer), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}
