/* SPDX-License-Identifier: MIT */
/* fuzz.c - a fuzzer answers the questions of a test: the entry of libFuzzer and of those that call it.
 *
 * The first byte chooses a test that explores, if there are several; then there are three bytes for each `sometime`,
 * and one or two for each question, in the order in which the run asks. Where the bytes end, nothing is disturbed. A
 * test that fails aborts. */
#include "jobs.h"
#include "run.h"
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
    uft_case of; /* the test that ran last; `test` NULL: none */
    uft_slot slot;
    uft_disturber disturber;
    uft_runs runs;
    uf_pump pump;
    const uint8_t *at, *end; /* bytes that are left */
} fuzz;

static uint32_t next_byte(void)
{
    return fuzz.at < fuzz.end ? *fuzz.at++ : 0;
}

/* -- answers ------------------------------------------------------------------------------------------------------- */

static uint32_t add_choice(uint32_t site, uint32_t count, uint32_t number)
{
    uft_schedule *const schedule = &fuzz.slot.schedule;

    if (number == 0 || count == 0 || schedule->count == UF_TEST_CHOICES) return 0;
    schedule->choices[schedule->count++] = (uft_choice){(uint16_t)site, (uint16_t)number, count};
    return number;
}

static uint32_t answer(void *context, uint32_t site, uint32_t count, uint32_t options)
{
    uint32_t const byte = next_byte();

    (void)context;
    return add_choice(site, count, (options > 256 ? byte << 8 | next_byte() : byte) % options);
}

/* A `sometime` knows before the run whether it has a moment. */
static void choose_moments(void)
{
    for (uint32_t i = 0; i < fuzz.disturber.row_count; i++) {
        uft_row const *const row = &fuzz.disturber.rows[i];
        if (fuzz.of.test->hooks[row->hook].kind != UF_TEST_HOOK_SOMETIME) continue;
        uint32_t const high = next_byte(), count = high << 8 | next_byte();
        (void)add_choice(row->site, count, 1 + next_byte() % 2);
    }
}

/* -- runs ---------------------------------------------------------------------------------------------------------- */

static _Noreturn void fail(void)
{
    static char schedule[TEST_SCHEDULE_SIZE];
    uft_slot const *const slot = &fuzz.slot;
    char time[TEST_TIME_SIZE];

    (void)uft_write_schedule(&slot->schedule, &slot->sites, schedule, sizeof schedule);
    fprintf(stderr, "%s:%u: %s\nat %s; the program of the tests repeats it with --only %s:%u%s%s\n", slot->at.file,
            (unsigned)slot->at.line, slot->message, uft_time_text(slot->time, time), fuzz.of.shown,
            (unsigned)fuzz.of.test->line, *schedule ? " --replay " : "", schedule);
    abort();
}

static void run_it(bool is_plain)
{
    uft_watch watch = {.line = NULL};

    uft_begin_choices(&fuzz.disturber.choices, &fuzz.slot.schedule, &fuzz.slot.sites, NULL, 0);
    if (!is_plain) fuzz.disturber.choices.draw = answer;
    uft_run(&fuzz.runs, &watch);
    if (fuzz.slot.failed) fail();
}

static void *allocate(size_t count, size_t size)
{
    void *const memory = calloc(count, size);

    if (memory) return memory;
    fprintf(stderr, "out of memory\n");
    exit(1);
}

/* Runs the plain schedule of another test: what is `quiet` depends on its end. */
static void begin_test(const uft_case *of)
{
    size_t const hooks = of->test->hook_count + 1;

    free(fuzz.runs.seen);
    free(fuzz.runs.next);
    memset(&fuzz.slot, 0, sizeof fuzz.slot);
    fuzz.of = *of;
    fuzz.runs = (uft_runs){.of = &fuzz.of,
                           .slot = &fuzz.slot,
                           .rounds_at_once = 10000,
                           .seen = allocate(hooks, sizeof(bool)),
                           .next = allocate(hooks, sizeof(uf_time)),
                           .disturber = &fuzz.disturber,
                           .pump = &fuzz.pump};
    fuzz.disturber.call = uft_call_row;
    fuzz.disturber.pump = &fuzz.pump;
    (void)uft_find_rows(&fuzz.disturber, of->test, &fuzz.slot.sites);
    run_it(true);
    (void)uft_learn_end(&fuzz.disturber);
}

/* The test of that number among those that explore; without one, `test` is NULL. */
static uft_case find_test(uint32_t number, uint32_t *count)
{
    uft_case found = {.test = NULL};

    *count = 0;
    for (const uf_test_file *file = NULL; (file = uft_next_file(file)) != NULL;) {
        for (uint32_t i = 0; i < file->count; i++) {
            if (file->tests[i].schedules == UF_TEST_PLAIN) continue;
            if ((*count)++ == number) found = (uft_case){&file->tests[i], file, uft_shown(file->file)};
        }
    }
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t count;

    uft_case of = find_test(0, &count);
    fuzz.at = data;
    fuzz.end = data + size;
    if (count > 1) of = find_test(next_byte() % count, &count);
    if (!of.test) return 0;
    if (of.test != fuzz.of.test) begin_test(&of);
    fuzz.slot.schedule.count = 0;
    choose_moments();
    run_it(false);
    uft_jobs_free();
    return 0;
}
