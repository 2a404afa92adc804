/* SPDX-License-Identifier: MIT */
/* report.c - TAP version 14. */
#include "report.h"

#include "sanitizers.h"
#include "texts.h"

#include <string.h>

/* A name: TAP gives a meaning to `#` and the backslash. */
static void put_name(const char *name)
{
    for (const char *at = name; *at; at++) {
        if (*at == '#' || *at == '\\') putchar('\\');
        putchar(*at == '\n' ? ' ' : *at);
    }
}

/* -- lists --------------------------------------------------------------------------------------------------------- */

static void put_item(const char *key, bool *any, const char *text, size_t size)
{
    if (*any) printf(",\n   %*s", (int)strlen(key) + 2, "");
    else printf("  %s: [", key);
    *any = true;
    uft_put_quoted(stdout, text, size);
}

static void end_list(bool any)
{
    if (any) printf("]\n");
}

static size_t line_length(const char *text, size_t size)
{
    const char *const end = memchr(text, '\n', size);
    return end ? (size_t)(end - text) : size;
}

/* Puts up to `most` lines of a text as items of a list. Returns: the bytes that they and their ends have. */
static size_t put_some(const char *key, bool *any, const char *text, size_t size, size_t most)
{
    size_t at = 0;

    for (size_t i = 0; at < size && i < most; i++) {
        size_t const length = line_length(text + at, size - at);
        put_item(key, any, text + at, length);
        at += length + (at + length < size);
    }
    return at;
}

/* Puts the lines of a text as a list. */
static void put_lines(const char *key, const char *text, size_t size)
{
    bool any = false;

    (void)put_some(key, &any, text, size, SIZE_MAX);
    end_list(any);
}

/* How many lines of the output are shown. */
#define FIRST_LINES 10
#define LAST_LINES  20

/* Where the last lines of a text begin. */
static size_t begin_of_last(const char *text, size_t size, unsigned lines)
{
    size_t at = size;

    for (unsigned ends = 0; at > 0; at--) {
        ends += text[at - 1] == '\n' && at < size;
        if (ends == lines) break;
    }
    return at;
}

/* Puts the output: of much, the first and the last lines. The report of a sanitizer is shown as a whole. */
static void put_output(const uft_options *options, const uft_result *result)
{
    size_t const size = result->output_size, last = size ? begin_of_last(result->output, size, LAST_LINES) : 0;
    size_t const lines = result->output_ends + (size && result->output[size - 1] != '\n');
    bool const is_much = !options->is_verbose && !uft_is_sanitized() && lines > FIRST_LINES + LAST_LINES;
    char text[TEST_LINE_SIZE];
    bool any = false;

    size_t at = put_some("output", &any, result->output, size, is_much ? FIRST_LINES : SIZE_MAX);
    if (is_much && at < last) {
        unsigned const left_out = (unsigned)(lines - FIRST_LINES - LAST_LINES);
        put_item("output", &any, text, uft_left_out_text(left_out, text, sizeof text));
        at = last;
    }
    if (is_much) (void)put_some("output", &any, result->output + at, size - at, SIZE_MAX);
    end_list(any);
}

static void put_history(const uft_slot *slot)
{
    bool any = false;
    char text[TEST_LINE_SIZE];
    const uft_entry *line;

    for (uint32_t i = 0; (line = uft_history_line(slot, i)) != NULL; i++) {
        if (line->left_out) put_item("history", &any, text, uft_left_out_text(line->left_out, text, sizeof text));
        put_item("history", &any, text, uft_line_text(line, text, sizeof text));
    }
    end_list(any);
}

/* -- results ------------------------------------------------------------------------------------------------------- */

static void put_schedule(const uft_slot *slot)
{
    static char text[TEST_SCHEDULE_SIZE];
    bool any = false;

    if (slot->happened.count == 0) return;
    (void)uft_write_schedule(&slot->happened, &slot->sites, text, sizeof text);
    printf("  schedule: \"%s\"\n", text);
    for (uint32_t i = 0; i < slot->disturbances; i++)
        put_item("disturbances", &any, slot->disturbance[i], strlen(slot->disturbance[i]));
    end_list(any);
}

static void put_replay(const uft_options *options, const uft_case *of, const uft_slot *slot)
{
    static char text[TEST_SCHEDULE_SIZE + 4096], schedule[TEST_SCHEDULE_SIZE];

    (void)uft_write_schedule(&slot->happened, &slot->sites, schedule, sizeof schedule);
    int const length = snprintf(text, sizeof text, "%s --only %s:%u%s%s", options->program, of->shown,
                                (unsigned)of->test->line, *schedule ? " --replay " : "", schedule);

    printf("  replay: ");
    uft_put_quoted(stdout, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
    putchar('\n');
}

static void put_failure(const uft_options *options, const uft_result *result)
{
    uft_slot const *const slot = result->failure;
    char time[TEST_TIME_SIZE];

    printf("  ---\n  at: %s:%u\n", slot->at.file, (unsigned)slot->at.line);
    if (*slot->cause) printf("  cause: %s\n", slot->cause);
    printf("  message: ");
    uft_put_quoted(stdout, slot->message, strlen(slot->message));
    printf("\n  time: %s\n", uft_time_text(slot->time, time));
    put_schedule(slot);
    put_history(slot);
    put_lines("waits", slot->waits, strlen(slot->waits));
    put_output(options, result);
    put_replay(options, result->of, slot);
    printf("  ...\n");
}

void uft_report_begin(const uft_options *options, unsigned count)
{
    if (!options->is_quiet) printf("TAP version 14\n1..%u%s\n", count, count ? "" : " # there are no tests");
}

void uft_report(const uft_options *options, unsigned number, const uft_result *result)
{
    char time[TEST_TIME_SIZE];

    if (options->is_quiet && result->passed) return;
    printf("%s %u - ", result->passed ? "ok" : "not ok", number);
    put_name(result->of->test->name);
    if (result->passed) {
        printf(" # time %s, %u schedule%s\n", uft_measured_text(result->took, time), (unsigned)result->schedules,
               result->schedules == 1 ? "" : "s");
        if (options->is_verbose && result->output_size) {
            printf("  ---\n");
            put_lines("output", result->output, result->output_size);
            printf("  ...\n");
        }
        if (result->never_at)
            printf("# %s:%u: this `at` has never come: the test was over before\n", result->of->shown,
                   (unsigned)result->never_at);
        if (result->updated) printf("# %s is written\n", result->of->test->history);
    } else {
        putchar('\n');
        put_failure(options, result);
    }
    if (result->is_apart)
        printf("# each schedule in a process of its own: one failed only after others, not in a fresh process\n");
    (void)fflush(stdout);
}

/* How many schedules the tests with `explore` have run. */
static void put_explored(const uft_options *options, const uft_result *results, unsigned count)
{
    unsigned schedules = 0, random = 0, stopped_at = 0;

    for (unsigned i = 0; i < count; i++) {
        uft_result const *const result = &results[i];
        uint32_t const wanted = result->of->test->schedules;
        if (!result->is_known || wanted == UF_TEST_PLAIN) continue;
        schedules += result->schedules;
        random += wanted != UF_TEST_EXPLORES;
        if (wanted != UF_TEST_EXPLORES || result->is_all || result->schedules < stopped_at) continue;
        stopped_at = result->schedules;
    }
    if (schedules == 0 || options->replay) return;
    printf("# explored %u schedule%s", schedules, schedules == 1 ? "" : "s");
    if (stopped_at) printf(", stopped at %u", stopped_at);
    else if (!random) printf(", all");
    if (random) printf(", seed %u", (unsigned)options->seed);
    putchar('\n');
}

void uft_report_end(const uft_options *options, const uft_result *results, unsigned count)
{
    unsigned passed = 0, failed = 0;

    for (unsigned i = 0; i < count; i++) {
        passed += results[i].is_known && results[i].passed;
        failed += results[i].is_known && !results[i].passed;
    }
    if (!options->is_quiet || failed) put_explored(options, results, count);
    if (failed) printf("# %u passed, %u failed\n", passed, failed);
    else if (!options->is_quiet && count) printf("# %u passed\n", passed);
}
