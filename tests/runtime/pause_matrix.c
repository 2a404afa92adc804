/* SPDX-License-Identifier: MIT */
/* pause_matrix.c - each task of pause_matrix.uflow, paused at each millisecond, once and twice. What comes after a
 * pause is what comes without it, as much later as the pause lasted. No two timers of different flows are due at
 * once: the resume sets them in its own order. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "pause_matrix.h"

enum { LAST = 130, LASTS = 1000 };

static Inner inner;
static Outer outer;
static uf_pause hold;

typedef struct scene {
    const char *name;
    uf_status (*inner)(Inner *flow);
    uf_status (*outer)(Outer *flow);
} scene;

static const scene scenes[] = {
    {"Time", Inner_start_Time, NULL},       {"Often", Inner_start_Often, NULL}, {"Both", Inner_start_Both, NULL},
    {"Guarded", Inner_start_Guarded, NULL}, {"Chain", Inner_start_Chain, NULL}, {"First", Inner_start_First, NULL},
    {"Runs", NULL, Outer_start_Runs},       {"Keeps", NULL, Outer_start_Keeps},
};

/* Runs a scene up to its end; it stands from each of these times of its own for LASTS. -1: no pause. */
static void play(const scene *of, int first, int second, char *to, size_t size)
{
    uf_flow *const flow = of->inner ? &inner.uf : &outer.uf;
    int const pauses[] = {first, second};

    hold = (uf_pause){0};
    log_clear();
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(Inner_init(&inner, &pump, "inner"), UF_OK);
    assert_int_equal(Outer_init(&outer, &pump, "outer"), UF_OK);
    assert_int_equal(of->inner ? of->inner(&inner) : of->outer(&outer), UF_OK);
    for (int i = 0; i < 2; i++) {
        if (pauses[i] < 0) continue;
        assert_int_equal(uf_simulate_until(&pump, UF_MS(pauses[i] + i * LASTS)), UF_OK);
        if (!uf_flow_running(flow)) continue;
        assert_int_equal(uf_flow_pause(flow, &hold), UF_OK);
        assert_int_equal(uf_simulate_until(&pump, UF_MS(pauses[i] + (i + 1) * LASTS)), UF_OK);
        assert_int_equal(uf_flow_resume(&hold), UF_OK);
    }
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(100)), UF_OK);
    snprintf(to, size, "%s", log_text());
}

/* The log without the pauses: `what@TIME`, and what is at the time of a pause or later came later. */
static void shift(const char *log, int first, int second, char *to, size_t size)
{
    size_t length = 0;
    char what[32];
    int at, read;

    for (; sscanf(log, " %31[^@]@%d%n", what, &at, &read) == 2; log += read) {
        int const shifted = at + (first >= 0 && at >= first ? LASTS : 0) + (second >= 0 && at >= second ? LASTS : 0);
        length += (size_t)snprintf(to + length, size - length, "%s%s@%d", length ? " " : "", what, shifted);
    }
}

static void compare(const scene *of, int first, int second)
{
    char plain[1024], expected[1024] = "", seen[1024];

    play(of, -1, -1, plain, sizeof plain);
    shift(plain, first, second, expected, sizeof expected);
    play(of, first, second, seen, sizeof seen);
    if (strcmp(expected, seen) != 0)
        fail_msg("%s, paused at %d and %d:\n%s\ninstead of\n%s", of->name, first, second, seen, expected);
}

CASE(a_pause_at_each_moment)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        for (int at = 1; at < LAST; at++) compare(&scenes[i], at, -1);
    }
}

CASE(two_pauses)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        for (int at = 1; at < LAST; at += 7) {
            for (int then = at + 1; then < LAST; then += 4) compare(&scenes[i], at, then);
        }
    }
}
