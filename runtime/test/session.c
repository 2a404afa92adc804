/* session.c - the plain schedule runs twice. The first run is compared with the `history` file, the second one with the
 * first: by a number, and in the repeat of a failure by its lines. The first one has no observer unless lines are
 * wanted: so it is as fast as the schedules that follow. */
#include "session.h"

#include "history.h"
#include "processes.h"
#include "sanitizers.h"
#include "texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void watch_lines(test_watch *watch, test_lines *lines)
{
    bool const wants = lines->slot || lines->keeps || lines->compares;

    watch->observes |= wants;
    watch->line = wants ? test_take_line : NULL;
    watch->context = lines;
}

/* The path of a `history` file, to be freed. */
static char *path_of(const test_session *session)
{
    const char *const name = session->of->test->history, *const directory =
                                                             session->directory ? session->directory : "";
    size_t const size = strlen(directory) + strlen(name) + 2;
    bool const is_absolute = name[0] == '/' || !*directory;
    char *const path = malloc(size);

    if (path) (void)snprintf(path, size, "%s%s%s", is_absolute ? "" : directory, is_absolute ? "" : "/", name);
    return path;
}

static void report_history(const test_session *session, const test_lines *lines)
{
    const char *const name = session->of->test->history;

    if (!*lines->is)
        test_fail(test_head(session->of), "history: %s goes on in line %u: %s", name, lines->line, lines->was);
    else if (!*lines->was)
        test_fail(test_head(session->of), "history: %s ends before line %u: %s", name, lines->line, lines->is);
    else
        test_fail(test_head(session->of), "history: line %u of %s is \"%s\", now it is \"%s\"", lines->line, name,
                  lines->was, lines->is);
}

static void update_history(const test_session *session, test_slot *slot, const char *path, const test_lines *lines)
{
    size_t size;
    char *const old = test_read_file(path, &size);
    bool const is_same = old && size == lines->size && memcmp(old, lines->text, size) == 0;

    free(old);
    if (is_same) return;
    if (lines->out_of_memory) errno = ENOMEM;
    if (!lines->out_of_memory && test_write_file(path, lines->text, lines->size)) slot->updated = true;
    else test_fail(test_head(session->of), "history: %s cannot be written: %s", path, strerror(errno));
}

/* Prepares the first run of a test with a `history` file. Returns: what it is compared with, to be freed. */
static char *prepare_history(const test_session *session, test_lines *lines, const char *path)
{
    char *const expected = session->updates || !path ? NULL : test_read_file(path, &lines->expected_size);

    lines->keeps |= session->updates;
    lines->compares = expected != NULL;
    lines->expected = expected;
    return expected;
}

static void run_first(const test_session *session, test_runs *runs, test_watch *watch, test_lines *lines)
{
    char *const path = session->of->test->history ? path_of(session) : NULL;
    char *expected = NULL;
    int error = 0;

    if (path) {
        errno = 0;
        expected = prepare_history(session, lines, path);
        error = errno;
    }
    watch_lines(watch, lines);
    test_run(runs, watch);
    test_end_lines(lines, uf_pump_now(runs->pump));
    if (lines->differs) report_history(session, lines);
    else if (path && !session->updates && !expected)
        test_fail(test_head(session->of), "history: %s cannot be read: %s; --update writes it", path, strerror(error));
    if (path && session->updates && !runs->slot->failed) update_history(session, runs->slot, path, lines);
    free(expected);
    free(path);
}

/* Fails the test with what the second run has done otherwise. */
static void report_difference(const test_session *session, test_slot *slot, const test_lines *lines)
{
    if (slot->failed)
        test_prepend(slot->message, sizeof slot->message,
                     "not repeatable: the first run passes, the second one fails: ");
    else if (!lines->differs) test_fail(test_head(session->of), "not repeatable: the second run has another history");
    else {
        test_fail(test_head(session->of), "not repeatable: the first run has \"%s\", the second one \"%s\"",
                  *lines->was ? lines->was : "ended", *lines->is ? lines->is : "ended");
        slot->time = lines->differs_at;
    }
}

/* Many flows: a third run, with an observer. Returns: its transitions are others. */
static bool has_others(test_runs *runs, const test_watch *before)
{
    test_watch watch = {.observes = true};

    test_run(runs, &watch);
    return runs->slot->failed || watch.transitions != before->transitions;
}

static void run_second(const test_session *session, test_runs *runs, const test_watch *first, const test_lines *before)
{
    test_slot *const slot = runs->slot;
    test_watch watch = {.observes = true};
    test_lines lines = {.slot = session->is_repeat ? slot : NULL,
                        .compares = session->is_repeat,
                        .expected = before->text,
                        .expected_size = before->size};

    slot->transitions = 0;
    watch_lines(&watch, &lines);
    test_run(runs, &watch);
    test_end_lines(&lines, uf_pump_now(runs->pump));
    bool const differs =
        watch.states != first->states ||
        (first->observes ? watch.transitions != first->transitions : watch.is_partial && has_others(runs, &watch));
    if (slot->failed || differs || lines.differs) report_difference(session, slot, &lines);
}

static void check_seen(const test_session *session, const test_runs *runs)
{
    uf_test const *const test = session->of->test;

    for (uint32_t i = 0; i < test->hook_count; i++) {
        if (test->hooks[i].kind != UF_TEST_HOOK_SOMETIMES || runs->seen[i]) continue;
        test_fail((test_place){session->of->shown, test->hooks[i].line}, "sometimes: %s: never in %u schedule%s",
                  test->hooks[i].text, (unsigned)runs->slot->schedules, runs->slot->schedules == 1 ? "" : "s");
    }
}

static void run_twice(const test_session *session, test_runs *runs)
{
    test_slot *const slot = runs->slot;
    test_watch watch = {.observes = runs->recorder != NULL};
    test_lines lines = {.slot = session->is_repeat ? slot : NULL, .keeps = session->is_repeat};

    slot->schedules = 1;
    run_first(session, runs, &watch, &lines);
    if (!slot->failed) {
        runs->recorder = NULL;
        run_second(session, runs, &watch, &lines);
    }
    if (!slot->failed) check_seen(session, runs);
    free(lines.text);
}

void test_session_run(test_slot *slot, const void *context)
{
    test_session const *const session = context;
    size_t const hooks = session->of->test->hook_count + 1;
    uf_time const began = test_real_now();
    test_runs runs = {.of = session->of,
                      .slot = slot,
                      .rounds_at_once = session->rounds_at_once,
                      .is_repeat = session->is_repeat,
                      .pump = session->pump};

    runs.seen = calloc(hooks, sizeof *runs.seen);
    runs.next = calloc(hooks, sizeof *runs.next);
    if (session->recorder &&
        uf_recorder_init(session->recorder, session->pump, session->memory, session->memory_size, 1000) == UF_OK)
        runs.recorder = &session->recorder->observer;
    if (runs.seen && runs.next) {
        run_twice(session, &runs);
        if (!slot->failed && test_has_leaks()) test_fail(test_head(session->of), "memory leaks");
    } else {
        slot->failed = true;
        slot->at = test_head(session->of);
        (void)snprintf(slot->message, sizeof slot->message, "out of memory");
    }
    free(runs.seen);
    free(runs.next);
    slot->took = test_real_now() - began;
}
