/* SPDX-License-Identifier: MIT */
/* disturb.c - the rows of `explore`: what they ask, and what they do.
 *
 * `anytime` asks after each round: 1 is a round of its own, 2 is the next round, before its messages and timers. So
 * does `sometime`, which happens after the first round if the schedule has no moment for it. Its moments are those of
 * the plain run: in that run it goes on asking. */
#include "disturb.h"

#include "deadlines.h"
#include "run.h"
#include "texts.h"

#include "uflow/priv/pump.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- rows ---------------------------------------------------------------------------------------------------------- */

/* The kinds of rows that ask. */
static const struct row_kind {
    const char *word;
    bool is_named_by_it; /* else by its line */
    bool has_moments;    /* it begins at a moment */
    uint32_t most;       /* disturbances of one schedule; 0: it is no such kind */
} kinds[] = {
    [UF_TEST_HOOK_ANYTIME] = {"anytime", false, true, 1},
    [UF_TEST_HOOK_SOMETIME] = {"sometime", false, true, 1},
    [UF_TEST_HOOK_FROM_THREAD] = {"from_thread", false, true, 1},
    [UF_TEST_HOOK_STOPS] = {"stops", true, true, 1},
    [UF_TEST_HOOK_LATE] = {"late", true, false, 3},
    [UF_TEST_HOOK_ORDER] = {"order", true, false, UF_TEST_CHOICES},
};

static const struct row_kind *kind_of(const uf_test_hook *hook)
{
    static const struct row_kind none = {.word = ""};
    return hook->kind < sizeof kinds / sizeof kinds[0] ? &kinds[hook->kind] : &none;
}

unsigned uft_rows_before(const uft_disturber *disturber, uint32_t line, uint8_t kind)
{
    unsigned before = 0;

    for (uint32_t i = 0; i < disturber->row_count; i++) {
        uf_test_hook const *const row = &disturber->test->hooks[disturber->rows[i].hook];
        before += line ? row->line == line && !kind_of(row)->is_named_by_it : row->kind == kind;
    }
    return before;
}

/* A site's name is its line, and `LINE.2` for the second one of a line; or its word. */
static uint32_t new_site(uft_disturber *disturber, const uf_test_hook *hook)
{
    struct row_kind const *const kind = kind_of(hook);
    unsigned const before = uft_rows_before(disturber, kind->is_named_by_it ? 0 : hook->line, hook->kind);
    char name[TEST_SITE_NAME];

    if (kind->is_named_by_it) (void)snprintf(name, sizeof name, "%s", kind->word);
    else (void)snprintf(name, sizeof name, "%u", (unsigned)hook->line);
    size_t const length = strlen(name);
    if (before) (void)snprintf(name + length, sizeof name - length, ".%u", before + 1);
    return uft_find_site(disturber->sites, name);
}

bool uft_find_rows(uft_disturber *disturber, const uf_test *test, uft_sites *sites)
{
    disturber->test = test;
    disturber->sites = sites;
    disturber->row_count = 0;
    disturber->loud_until = UF_FOREVER;
    for (uint32_t i = 0; i < test->hook_count; i++) {
        uf_test_hook const *const hook = &test->hooks[i];
        struct row_kind const *const kind = kind_of(hook);
        if (!kind->most) continue;
        if (disturber->row_count == TEST_ROWS) return false;
        uint32_t const site = new_site(disturber, hook);
        if (site == TEST_SITES) return false;
        sites->list[site].most = kind->most;
        sites->list[site].has_moments = kind->has_moments;
        disturber->rows[disturber->row_count++] =
            (uft_row){.hook = i, .site = site, .kind = hook->kind, .has_moments = kind->has_moments};
    }
    return true;
}

static const uf_test_hook *hook_of(const uft_disturber *disturber, const uft_row *row)
{
    return &disturber->test->hooks[row->hook];
}

uft_row *uft_find_row(uft_disturber *disturber, uint8_t kind)
{
    for (uint32_t i = 0; i < disturber->row_count; i++)
        if (disturber->rows[i].kind == kind) return &disturber->rows[i];
    return NULL;
}

/* D of `quiet D`, the longest one of several rows; below 0: there is none. */
static uf_time quiet_of(const uf_test *test)
{
    uf_time quiet = -1;

    for (uint32_t i = 0; i < test->hook_count; i++)
        if (test->hooks[i].kind == UF_TEST_HOOK_QUIET && test->time(i) > quiet) quiet = test->time(i);
    return quiet;
}

bool uft_has_quiet(const uft_disturber *disturber)
{
    uf_test const *const test = disturber->test;
    uint32_t at = 0;

    while (at < test->hook_count && test->hooks[at].kind != UF_TEST_HOOK_QUIET) at++;
    return at < test->hook_count;
}

bool uft_learn_end(uft_disturber *disturber)
{
    uf_test const *const test = disturber->test;
    uf_time const within = test->time(test->hook_count), end = disturber->end, quiet = quiet_of(test);

    if (quiet >= 0) disturber->loud_until = (end < within ? end : within) - quiet;
    return quiet >= 0;
}

void uft_learn_moments(uft_disturber *disturber)
{
    for (uint32_t i = 0; i < disturber->row_count; i++) {
        uft_row const *const row = &disturber->rows[i];
        if (row->kind == UF_TEST_HOOK_SOMETIME) disturber->answers[i] = row->answers;
    }
}

/* Reads the rows `jobs`. */
static void find_ways(uft_disturber *disturber)
{
    uf_test const *const test = disturber->test;
    uft_ways *const ways = &disturber->ways;

    *ways = (uft_ways){.fail = false};
    for (uint32_t i = 0; i < test->hook_count; i++) {
        uint8_t const kind = test->hooks[i].kind;
        ways->fail |= kind == UF_TEST_HOOK_JOBS_FAIL;
        ways->reject |= kind == UF_TEST_HOOK_JOBS_REJECT;
        if (kind != UF_TEST_HOOK_JOBS_LATE) continue;
        ways->late = true;
        if (test->time(i) > ways->delay) ways->delay = test->time(i);
    }
}

void uft_disturb_begin(uft_disturber *disturber)
{
    find_ways(disturber);
    disturber->due_count = 0;
    for (uint32_t i = 0; i < disturber->row_count; i++) {
        uft_row *const row = &disturber->rows[i];
        row->is_due = row->is_past = row->is_set = false;
        row->answers = 0;
        if (row->kind == UF_TEST_HOOK_LATE) row->delay = disturber->test->time(row->hook);
        if (row->kind != UF_TEST_HOOK_SOMETIME) continue;
        row->is_set = uft_ask_moment(&disturber->choices, row->site, disturber->answers[i]);
    }
}

/* -- texts --------------------------------------------------------------------------------------------------------- */

/* `in_list`: with the round and its time; `in_history`: behind the time. */
static void tell(const uft_disturber *disturber, uf_time time, const char *in_list, const char *in_history)
{
    uft_slot *const slot = disturber->slot;

    if (slot->disturbances == TEST_DISTURBANCES) return;
    char *const text = slot->disturbance[slot->disturbances++];
    (void)snprintf(text, sizeof slot->disturbance[0], "%s", in_list);
    uft_note(time, in_history, true);
    if (disturber->recorder) disturber->note(disturber->recorder, text);
}

void uft_tell(const uft_disturber *disturber, const char *format, ...)
{
    char time[TEST_TIME_SIZE], text[TEST_LINE_SIZE / 2], in_list[sizeof text + sizeof time + 8];
    va_list arguments;

    if (!disturber->slot) return;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    uf_time const now = uf_pump_now(disturber->pump);
    (void)snprintf(in_list, sizeof in_list, "at %s, %s", uft_time_text(now, time), text);
    tell(disturber, now, in_list, text);
}

/* -- moments ------------------------------------------------------------------------------------------------------- */

static void happen(uft_disturber *disturber, uft_row *row)
{
    row->is_past = true;
    disturber->due_count -= row->is_due;
    row->is_due = false;
    disturber->call(row->hook);
}

/* The line of a row, as its site or its place has it. */
static const char *line_of(const uft_disturber *disturber, const uft_row *row, char line[TEST_SITE_NAME])
{
    uf_test_hook const *const hook = hook_of(disturber, row);

    if (!kind_of(hook)->is_named_by_it) return disturber->sites->list[row->site].name;
    (void)snprintf(line, TEST_SITE_NAME, "%u", (unsigned)hook->line);
    return line;
}

static void tell_moment(const uft_disturber *disturber, const uft_row *row, bool is_with_next)
{
    unsigned const round = disturber->choices.asked[row->site] + is_with_next;
    uf_time const now = uf_pump_now(disturber->pump);
    char line[TEST_SITE_NAME], time[TEST_TIME_SIZE], what[TEST_LINE_SIZE / 2], text[TEST_LINE_SIZE];

    if (!disturber->slot) return;
    (void)snprintf(what, sizeof what, "%s, line %s", kind_of(hook_of(disturber, row))->word,
                   line_of(disturber, row, line));
    (void)snprintf(text, sizeof text, "%s round %u (%s)%s: %s", is_with_next ? "with" : "after", round,
                   uft_time_text(now, time), is_with_next ? ", before its timers" : "", what);
    tell(disturber, now, text, what);
}

void uft_disturb_round(uft_disturber *disturber)
{
    for (uint32_t i = 0; disturber->due_count > 0; i++)
        if (disturber->rows[i].is_due) {
            tell_moment(disturber, &disturber->rows[i], true);
            happen(disturber, &disturber->rows[i]);
        }
}

/* How many answers a moment has: 1 if it is quiet, 2 if the next round is. */
static uint32_t options_of(const uft_disturber *disturber, const uf_pump *pump, uf_time next)
{
    return pump->clock.logical > disturber->loud_until ? 1 : next > disturber->loud_until ? 2 : 3;
}

/* Returns: the block was run, or the stop has begun. */
static inline bool ask_moment(uft_disturber *disturber, uft_row *row, uf_pump *pump, uint32_t options)
{
    uint32_t const number = uft_ask(&disturber->choices, row->site, options, pump->advanced);
    bool const is_undisturbed = row->kind == UF_TEST_HOOK_SOMETIME && !row->is_set && !row->is_past;

    row->answers += options - 1;
    if (number == 0 && !is_undisturbed) return false;
    if (number == 1) tell_moment(disturber, row, false);
    if (number == 2) {
        row->is_due = true;
        disturber->due_count++;
    }
    if (number != 1 && !is_undisturbed) return false;
    happen(disturber, row);
    return true;
}

bool uft_disturb_after(uft_disturber *disturber, uf_pump *pump, uf_time next)
{
    bool was_run = false;

    for (uint32_t i = 0; i < disturber->row_count; i++) {
        uft_row *const row = &disturber->rows[i];
        if (row->has_moments) was_run |= ask_moment(disturber, row, pump, options_of(disturber, pump, next));
    }
    return was_run;
}

bool uft_disturb_at_last(uft_disturber *disturber)
{
    bool was_run = false;

    for (uint32_t i = 0; i < disturber->row_count; i++) {
        uft_row *const row = &disturber->rows[i];
        if (!row->is_set || row->is_past) continue;
        happen(disturber, row);
        was_run = true;
    }
    return was_run;
}

/* -- delays -------------------------------------------------------------------------------------------------------- */

static void tell_delay(const uft_disturber *disturber, unsigned round, uf_time moment, uf_time delay,
                       unsigned deadlines)
{
    char time[TEST_TIME_SIZE], late[TEST_TIME_SIZE];
    char what[TEST_LINE_SIZE / 2], text[TEST_LINE_SIZE], line[TEST_LINE_SIZE];

    if (!disturber->slot) return;
    (void)snprintf(what, sizeof what, "is %s late: %u deadline%s at once", uft_duration_text(delay, late), deadlines,
                   deadlines == 1 ? "" : "s");
    (void)snprintf(text, sizeof text, "round %u (%s) %s", round, uft_time_text(moment, time), what);
    (void)snprintf(line, sizeof line, "round %u %s", round, what);
    tell(disturber, moment, text, line);
}

static uf_time ask_delay(uft_disturber *disturber, uft_row *row, uf_pump *pump, uf_time moment)
{
    uft_deadlines pending;

    uft_find_deadlines(&pending, pump, disturber->test->flow, moment, uf_time_add(moment, row->delay));
    if (moment > disturber->loud_until) pending.count = 0;
    uint32_t const number = uft_ask(&disturber->choices, row->site, pending.count + 1, pump->advanced);
    if (number == 0) return 0;
    uf_time const delay = pending.at[number - 1] - moment;
    tell_delay(disturber, disturber->choices.asked[row->site], moment, delay, number);
    return delay;
}

uf_time uft_disturb_time(uft_disturber *disturber, uf_pump *pump, uf_time now)
{
    uf_time late = 0;

    for (uint32_t i = 0; i < disturber->row_count; i++) {
        uft_row *const row = &disturber->rows[i];
        if (row->kind != UF_TEST_HOOK_LATE) continue;
        late += ask_delay(disturber, row, pump, pump->clock.logical + (now - pump->clock.real) + late);
    }
    if (late) uft_move_deadlines(pump, disturber->test->flow, late);
    return late;
}
