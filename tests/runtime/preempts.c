/* SPDX-License-Identifier: MIT */
/* preempts.c - handlers of a task (a signal, a timeout, a companion) and of its flow: each source order, each set at
 * one turn, each moment of the task. The task's come first, in source order, one per turn. The
 * flow's follows, also if a subtask that the first one cancels has fired its signal. Observers are notified of the one
 * that decided, after the start of the run and before the step that it leads to. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "preempts.h"

uf_signal *fired_at_exit; /* by a subtask that is cancelled; NULL: none */

/* The orders of itertools.permutations(). */
static const unsigned orders[6][3] = {
    {SIGNAL, TIMEOUT, COMPANION}, {SIGNAL, COMPANION, TIMEOUT}, {TIMEOUT, SIGNAL, COMPANION},
    {TIMEOUT, COMPANION, SIGNAL}, {COMPANION, SIGNAL, TIMEOUT}, {COMPANION, TIMEOUT, SIGNAL},
};

static void append(char *text, size_t size, const char *word)
{
    size_t const length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length ? " " : "", word);
}

/* The log of the task. Before the entry, only signals can be pending; other handlers begin with the entry. */
static void expect(char *text, size_t size, const unsigned *order, moment when, unsigned causes, bool unentered)
{
    bool const by_flow_alone = unentered && !(causes & SIGNAL) && causes & OF_FLOW;

    *text = '\0';
    if (!by_flow_alone) append(text, size, "enter");
    if (unentered && causes & SIGNAL) append(text, size, "signal");
    if (causes && (when == IN_A_RUN || when == IN_A_RUN_THAT_FIRES)) append(text, size, "-child");
    for (int i = 0; i < 3 && !by_flow_alone; i++) {
        if (!(causes & order[i]) || (unentered && order[i] == SIGNAL)) continue;
        append(text, size, order[i] == SIGNAL ? "signal" : order[i] == TIMEOUT ? "timeout" : "companion");
    }
    if (causes & OF_FLOW) append(text, size, "park");
}

/* The events that an observer has seen: s: a start, a digit: a handler, >: a step. */
static char seen[32];

static void see(char what)
{
    size_t const length = strlen(seen);
    if (length + 1 < sizeof seen) seen[length] = what, seen[length + 1] = '\0';
}

static void on_start(void *context, const uf_flow *flow)
{
    (void)context;
    if (strcmp(flow->type->name, "Aide") != 0 && strcmp(flow->type->name, "Child") != 0) see('s');
}

static void on_handler(void *context, const uf_flow *flow, uint32_t handler)
{
    (void)context;
    (void)flow;
    see((char)('0' + handler));
}

static void on_step(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context;
    (void)flow;
    if (*change->to) see('>');
}

/* Handlers are numbered in source order, those of the task first. */
static void expect_seen(char *text, const unsigned *order)
{
    char words[128];

    snprintf(words, sizeof words, "%s", log_text());
    *text++ = 's';
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        unsigned const cause = strcmp(word, "signal") == 0      ? SIGNAL
                               : strcmp(word, "timeout") == 0   ? TIMEOUT
                               : strcmp(word, "companion") == 0 ? COMPANION
                               : strcmp(word, "park") == 0      ? OF_FLOW
                                                                : 0;
        unsigned number = 0;
        while (number < 3 && order[number] != cause) number++;
        if (cause) *text++ = (char)('0' + number), *text++ = '>';
    }
    *text = '\0';
}

static bool is_observed;
static int faults;

static void compare(const char *expected, unsigned order, moment when, unsigned causes, bool unentered)
{
    char wanted[32];

    expect_seen(wanted, orders[order]);
    if (is_observed && strcmp(seen, wanted) != 0) {
        print_error("order %u, moment %d, causes %u: seen %s instead of %s\n", order, (int)when, causes, seen, wanted);
        faults++;
    }
    if (strcmp(log_text(), expected) == 0) return;
    print_error("order %u, moment %d%s, causes %u: \"%s\" instead of \"%s\"\n", order, (int)when,
                unentered ? ", before the first turn" : "", causes, log_text(), expected);
    faults++;
}

static void advance(uf_time to, int count)
{
    while (count-- > 0) uf_pump_round(&pump, to);
}

static void observe(void)
{
    static uf_observer observer;

    *seen = '\0';
    observer = (uf_observer){.flow_started = on_start, .handler_decided = on_handler, .step_changed = on_step};
    if (is_observed) assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
}

/* All causes take effect at one turn: the companion, woken first, fails earlier in the round. At the entry, the timeout
 * is of no length and the companion is busy. */
#define DEFINE_ORDER(number)                                                                                           \
    static void try_##number(moment when, unsigned causes, bool unentered)                                             \
    {                                                                                                                  \
        static Order##number flow;                                                                                     \
        char expected[128];                                                                                            \
        bool const at_once = when == AT_ENTRY || unentered;                                                            \
        log_clear();                                                                                                   \
        assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);                                                            \
        observe();                                                                                                     \
        assert_int_equal(Order##number##_init(&flow, &pump, "flow"), UF_OK);                                           \
        if (at_once && causes & COMPANION) assert_int_equal(Aide_start_Help(&flow.aide), UF_OK);                       \
        uf_time const after = at_once ? (causes & TIMEOUT ? 0 : UF_S(60)) : UF_MS(10);                                 \
        assert_int_equal(Order##number##_start_Run(&flow, when, causes, after), UF_OK);                                \
        if (unentered && causes & SIGNAL) uf_signal_fire(&flow.drill);                                                 \
        if (unentered && causes & OF_FLOW) uf_signal_fire(&flow.alarm);                                                \
        if (!at_once) {                                                                                                \
            advance(0, 5);                                                                                             \
            bool const later = when == IN_A_RUN_THAT_FIRES && causes & OF_FLOW && causes != OF_FLOW;                   \
            fired_at_exit = later ? &flow.alarm : NULL;                                                                \
            if (causes & COMPANION) uf_signal_fire(&flow.aide.give_up);                                                \
            if (causes & SIGNAL) uf_signal_fire(&flow.drill);                                                          \
            if (causes & OF_FLOW && !fired_at_exit) uf_signal_fire(&flow.alarm);                                       \
        }                                                                                                              \
        advance(causes &TIMEOUT ? UF_MS(10) : UF_MS(6), 12);                                                           \
        expect(expected, sizeof expected, orders[number], when, causes, unentered);                                    \
        compare(expected, number, when, causes, unentered);                                                            \
        uf_pump_cancel_all(&pump);                                                                                     \
        advance(UF_MS(10), 2);                                                                                         \
        assert_int_equal(uf_pump_running(&pump), 0);                                                                   \
        fired_at_exit = NULL;                                                                                          \
        assert_true(uf_pump_next_deadline(&pump) == UF_FOREVER);                                                       \
        assert_int_equal(Order##number##_destroy(&flow), UF_OK);                                                       \
        assert_int_equal(uf_pump_destroy(&pump), UF_OK);                                                               \
    }

DEFINE_ORDER(0)
DEFINE_ORDER(1)
DEFINE_ORDER(2)
DEFINE_ORDER(3)
DEFINE_ORDER(4)
DEFINE_ORDER(5)

static void (*const tries[6])(moment when, unsigned causes, bool unentered) = {try_0, try_1, try_2,
                                                                               try_3, try_4, try_5};

static void try_all(bool observed)
{
    is_observed = observed;
    for (unsigned order = 0; order < 6; order++) {
        for (unsigned causes = 0; causes <= ALL_CAUSES; causes++) {
            for (int when = 0; when < MOMENTS; when++) tries[order]((moment)when, causes, false);
            tries[order](PARKED, causes, true);
        }
    }
    assert_int_equal(faults, 0);
}

CASE(every_order_at_every_moment)
{
    try_all(false);
}

CASE(the_same_with_an_observer)
{
    try_all(true);
}
