/* SPDX-License-Identifier: MIT */
/* chip.c - the runner for bare metal: uf_test_main() without processes, files, arguments and a heap. The program has
 * uf_test_write(), which gets the report.
 *
 * The choices of schedules lie in static arrays, one after the other for all tests. The other runner has this file's
 * part in runner.c, session.c and report.c. */
#include "disturb.h"
#include "mutants.h"
#include "run.h"
#include "texts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifndef UF_TEST_QUESTIONS /* over all levels of a search: 8 bytes each */
#define UF_TEST_QUESTIONS 4096
#endif
#ifndef UF_TEST_HOOKS /* `always`, `at` and rows of `explore` of one test: 9 bytes each */
#define UF_TEST_HOOKS 32
#endif
#ifndef UF_TEST_LIMIT /* schedules of an `explore all` */
#define UF_TEST_LIMIT 1000
#endif

#define SEED           1
#define ROUNDS_AT_ONCE 10000
#define ATTEMPTS       500 /* of shrinking */

static struct {
    uft_case of;
    uft_runs runs;
    uft_slot slot;
    uft_explorer explorer;
    uft_disturber disturber;
    uft_question questions[UF_TEST_QUESTIONS];
    bool seen[UF_TEST_HOOKS];
    uf_time next[UF_TEST_HOOKS];
    uf_pump pump;
    uint32_t attempts;
    uft_failure failure; /* that is being shrunk */
} chip;

/* -- output -------------------------------------------------------------------------------------------------------- */

static void put(const char *format, ...) UF_FORMAT(1, 2);
static void put(const char *format, ...)
{
    static char text[TEST_MESSAGE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    int const length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0) uf_test_write(text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

/* As a string of YAML. */
static void put_quoted(const char *text)
{
    put("\"");
    for (; *text; text++) {
        bool const is_control = (unsigned char)*text < 0x20 || *text == 0x7f;
        if (is_control) put("\\x%02x", (unsigned char)*text);
        else put("%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    }
    put("\"");
}

static void put_list(const char *key, const char *(*item)(uint32_t at))
{
    const char *text;

    for (uint32_t i = 0; (text = item(i)) != NULL; i++) {
        if (i == 0) put("  %s: [", key);
        else put(",\n   %*s", (int)strlen(key) + 2, "");
        put_quoted(text);
    }
    if (item(0)) put("]\n");
}

static const char *disturbance(uint32_t at)
{
    return at < chip.slot.disturbances ? chip.slot.disturbance[at] : NULL;
}

/* A line, and before it how many are left out. */
static const char *history_item(uint32_t at)
{
    static char text[TEST_LINE_SIZE];
    const uft_entry *line = NULL;
    uint32_t i = 0;

    for (uint32_t item = 0; item <= at && (line = uft_history_line(&chip.slot, i)) != NULL; i++) {
        if (line->left_out && item++ == at) return uft_left_out_text(line->left_out, text, sizeof text) ? text : NULL;
        if (item++ == at) return uft_line_text(line, text, sizeof text) ? text : NULL;
    }
    return NULL;
}

static void put_failure(void)
{
    static char schedule[TEST_SCHEDULE_SIZE];
    uft_slot const *const slot = &chip.slot;
    char time[TEST_TIME_SIZE];

    put("  ---\n  at: %s:%u\n  message: ", slot->at.file, (unsigned)slot->at.line);
    put_quoted(slot->message);
    put("\n  time: %s\n", uft_time_text(slot->time, time));
    (void)uft_write_schedule(&slot->happened, &slot->sites, schedule, sizeof schedule);
    if (*schedule) {
        put("  schedule: \"");
        uf_test_write(schedule, strlen(schedule));
        put("\"\n");
    }
    put_list("disturbances", disturbance);
    put_list("history", history_item);
    put("  ...\n");
}

static void put_result(uint32_t number)
{
    uint32_t const schedules = chip.slot.schedules;

    put("%s %u - %s", chip.slot.failed ? "not ok" : "ok", (unsigned)number, chip.of.test->name);
    if (!chip.slot.failed) put(" # %u schedule%s", (unsigned)schedules, schedules == 1 ? "" : "s");
    put("\n");
    if (chip.slot.failed) put_failure();
}

/* -- runs ---------------------------------------------------------------------------------------------------------- */

/* There are no files. */
void uft_read_waits(uft_slot *slot, uf_pump *pump, const uf_flow *root)
{
    (void)slot;
    (void)pump;
    (void)root;
}

/* There is no environment that chooses one. */
const uf_mutant_file *uft_next_mutants(const uf_mutant_file *after)
{
    (void)after;
    return NULL;
}

static void fail_before(const char *message)
{
    chip.slot.failed = true;
    chip.slot.at = uft_head(&chip.of);
    (void)snprintf(chip.slot.message, sizeof chip.slot.message, "%s", message);
}

/* Prepares the runs of a test. Returns: NULL; else what it has too much of. */
static const char *begin(void)
{
    uf_test const *const test = chip.of.test;
    bool const explores = test->schedules != UF_TEST_PLAIN;

    memset(&chip.slot, 0, sizeof chip.slot);
    memset(&chip.disturber, 0, sizeof chip.disturber);
    memset(chip.seen, 0, sizeof chip.seen);
    chip.runs = (uft_runs){.of = &chip.of,
                           .slot = &chip.slot,
                           .rounds_at_once = ROUNDS_AT_ONCE,
                           .seen = chip.seen,
                           .next = chip.next,
                           .pump = &chip.pump};
    if (test->hook_count > UF_TEST_HOOKS) return "it has more than UF_TEST_HOOKS parts";
    if (!explores) return NULL;
    if (!uft_find_rows(&chip.disturber, test, &chip.slot.sites)) return "explore: too many rows";
    if (test->schedules == UF_TEST_EXPLORES) uft_explore_all(&chip.explorer, chip.questions, UF_TEST_QUESTIONS);
    else uft_explore_random(&chip.explorer, chip.questions, UF_TEST_QUESTIONS, SEED);
    chip.disturber.call = uft_call_row;
    chip.disturber.pump = &chip.pump;
    chip.runs.disturber = &chip.disturber;
    chip.runs.explorer = &chip.explorer;
    return NULL;
}

static void run_plain_twice(void)
{
    uft_watch first = {.line = NULL}, second = {.line = NULL};

    chip.slot.schedules = 1;
    uft_run_schedule(&chip.runs, &first);
    if (chip.slot.failed) return;
    if (chip.runs.disturber) uft_learn(&chip.runs);
    uft_run_schedule(&chip.runs, &second);
    if (!chip.slot.failed && first.states == second.states) return;
    if (!chip.slot.failed) fail_before("the second run has another history");
    uft_prepend(chip.slot.message, sizeof chip.slot.message, "not repeatable: ");
}

static void explore(void)
{
    uint32_t const most = uft_most_schedules(chip.of.test, 0, UF_TEST_LIMIT);
    uft_watch watch = {.line = NULL};

    while (!chip.slot.failed && chip.slot.schedules < most &&
           uft_explore_next(&chip.explorer, &chip.disturber.choices)) {
        chip.slot.schedule = chip.explorer.schedule;
        chip.slot.schedules++;
        uft_run_schedule(&chip.runs, &watch);
    }
    if (!chip.slot.failed) chip.slot.schedule.count = 0;
}

/* -- failures ------------------------------------------------------------------------------------------------------ */

static void keep_line(void *context, uf_time time, const char *text)
{
    uft_add_line(context, time, text);
}

/* Runs the schedule of the slot once more, with the texts of a report. */
static void run_again(void)
{
    uft_watch watch = {.observes = true, .line = keep_line, .note = keep_line, .context = &chip.slot};

    chip.slot.failed = chip.slot.has_reason = false;
    chip.slot.at.file = NULL;
    uft_clear_history(&chip.slot);
    uft_run_schedule(&chip.runs, &watch);
}

static bool fails_alike(void *context, const uft_schedule *schedule)
{
    (void)context;
    chip.attempts++;
    chip.slot.schedule = *schedule;
    run_again();
    return uft_is_same_failure(&chip.failure, &chip.slot);
}

static bool has_attempts(void *context)
{
    (void)context;
    return chip.attempts < ATTEMPTS;
}

/* Shrinks the schedule that has failed, and makes the texts of the report. */
static void repeat(void)
{
    uft_schedule schedule = chip.slot.schedule;
    uint32_t const schedules = chip.slot.schedules;

    chip.runs.explorer = NULL;
    chip.disturber.choices.draw = NULL;
    run_again(); /* only its observer knows the line of an arm */
    uft_note_failure(&chip.failure, &chip.slot);
    chip.attempts = 0;
    if (chip.slot.failed && schedule.count > 0) uft_shrink(&schedule, fails_alike, has_attempts, NULL);
    chip.slot.schedule = schedule;
    if (chip.runs.disturber) chip.disturber.slot = &chip.slot;
    run_again();
    chip.slot.schedules = schedules;
}

static void run_test(void)
{
    const char *const wrong = begin();

    if (wrong) {
        fail_before(wrong);
        return;
    }
    uft_begin_runs(&chip.runs);
    run_plain_twice();
    bool const is_odd = chip.slot.failed && strncmp(chip.slot.message, "not repeatable", 14) == 0;
    if (!chip.slot.failed && chip.runs.disturber) explore();
    bool const fails_in_run = chip.slot.failed;
    if (!chip.slot.failed) uft_check_seen(&chip.runs);
    if (!fails_in_run || is_odd) return;
    repeat();
    if (!chip.slot.failed) fail_before("not repeatable: it fails, and passes when it is run again");
}

int uf_test_main(int argc, char **argv)
{
    uint32_t number = 0, failed = 0, count = 0;

    (void)argc;
    (void)argv;
    for (const uf_test_file *file = NULL; (file = uft_next_file(file)) != NULL;) count += file->count;
    put("TAP version 14\n1..%u\n", (unsigned)count);
    for (const uf_test_file *file = NULL; (file = uft_next_file(file)) != NULL;) {
        for (uint32_t i = 0; i < file->count; i++) {
            chip.of = (uft_case){&file->tests[i], file, uft_shown(file->file)};
            run_test();
            put_result(++number);
            failed += chip.slot.failed;
        }
    }
    put("# %u passed, %u failed\n", (unsigned)(count - failed), (unsigned)failed);
    return failed > 0;
}
