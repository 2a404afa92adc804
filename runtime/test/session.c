/* SPDX-License-Identifier: MIT */
/* session.c - the plain schedule runs twice. The first run is compared with the `history` file, the second one with the
 * first: by a number, and in the repeat of a failure by its lines. The first one has no observer unless lines are
 * wanted: so it is as fast as the schedules that follow. */
#include "session.h"

#include "history.h"
#include "jobs.h"
#include "never.h"
#include "processes.h"
#include "sanitizers.h"
#include "texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Questions that an explorer has room for, over all levels of a search. They use memory only as they are asked. */
#define QUESTIONS (1u << 20)

/* What the runs of a test share in this process. */
typedef struct exploration {
    uft_explorer explorer;
    uft_disturber disturber;
} exploration;

static void watch_lines(uft_watch *watch, uft_lines *lines)
{
    bool const wants = lines->slot || lines->keeps || lines->compares;

    watch->observes |= wants;
    watch->line = wants ? uft_take_line : NULL;
    watch->note = lines->slot ? uft_take_note : NULL;
    watch->context = lines;
}

/* The path of a `history` file, to be freed. */
static char *path_of(const uft_session *session)
{
    const char *const name = session->of->test->history, *const directory =
                                                             session->directory ? session->directory : "";
    size_t const size = strlen(directory) + strlen(name) + 2;
    bool const is_absolute = name[0] == '/' || !*directory;
    char *const path = malloc(size);

    if (path) (void)snprintf(path, size, "%s%s%s", is_absolute ? "" : directory, is_absolute ? "" : "/", name);
    return path;
}

static void report_history(const uft_session *session, const uft_lines *lines)
{
    const char *const name = session->of->test->history;

    if (!*lines->is)
        uft_fail(uft_head(session->of), "history: %s goes on in line %u: %s", name, lines->line, lines->was);
    else if (!*lines->was)
        uft_fail(uft_head(session->of), "history: %s ends before line %u: %s", name, lines->line, lines->is);
    else
        uft_fail(uft_head(session->of), "history: line %u of %s is \"%s\", now it is \"%s\"", lines->line, name,
                 lines->was, lines->is);
}

static void update_history(const uft_session *session, uft_slot *slot, const char *path, const uft_lines *lines)
{
    size_t size;
    char *const old = uft_read_file(path, &size);
    bool const is_same = old && size == lines->size && memcmp(old, lines->text, size) == 0;

    free(old);
    if (is_same) return;
    if (lines->out_of_memory) errno = ENOMEM;
    if (!lines->out_of_memory && uft_write_file(path, lines->text, lines->size)) slot->updated = true;
    else uft_fail(uft_head(session->of), "history: %s cannot be written: %s", path, strerror(errno));
}

/* Prepares the first run of a test with a `history` file. Returns: what it is compared with, to be freed. */
static char *prepare_history(const uft_session *session, uft_lines *lines, const char *path)
{
    char *const expected = session->updates || !path ? NULL : uft_read_file(path, &lines->expected_size);

    lines->keeps |= session->updates;
    lines->compares = expected != NULL;
    lines->expected = expected;
    return expected;
}

static void run_first(const uft_session *session, uft_runs *runs, uft_watch *watch, uft_lines *lines)
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
    uft_run_schedule(runs, watch);
    runs->slot->states = watch->states;
    uft_end_lines(lines, uf_pump_now(runs->pump));
    if (lines->differs) report_history(session, lines);
    else if (path && !session->updates && !expected)
        uft_fail(uft_head(session->of), "history: %s cannot be read: %s; --update writes it", path, strerror(error));
    if (path && session->updates && !runs->slot->failed) update_history(session, runs->slot, path, lines);
    free(expected);
    free(path);
}

/* Fails the test with what the second run has done otherwise. */
static void report_difference(const uft_session *session, uft_slot *slot, const uft_lines *lines)
{
    if (slot->failed)
        uft_prepend(slot->message, sizeof slot->message,
                    "not repeatable: the first run passes, the second one fails: ");
    else if (!lines->differs) uft_fail(uft_head(session->of), "not repeatable: the second run has another history");
    else {
        uft_fail(uft_head(session->of), "not repeatable: the first run has \"%s\", the second one \"%s\"",
                 *lines->was ? lines->was : "ended", *lines->is ? lines->is : "ended");
        slot->time = lines->differs_at;
    }
}

/* Many flows: a third run, with an observer. Returns: its transitions are others. */
static bool has_others(uft_runs *runs, const uft_watch *before)
{
    uft_watch watch = {.observes = true};

    uft_run_schedule(runs, &watch);
    return runs->slot->failed || watch.transitions != before->transitions;
}

static void run_second(const uft_session *session, uft_runs *runs, const uft_watch *first, const uft_lines *before)
{
    uft_slot *const slot = runs->slot;
    uft_watch watch = {.observes = true};
    uft_lines lines = {.slot = session->is_repeat ? slot : NULL,
                       .compares = session->is_repeat,
                       .expected = before->text,
                       .expected_size = before->size};

    uft_clear_history(slot);
    watch_lines(&watch, &lines);
    uft_run_schedule(runs, &watch);
    uft_end_lines(&lines, uf_pump_now(runs->pump));
    bool const differs =
        watch.states != first->states ||
        (first->observes ? watch.transitions != first->transitions : watch.is_partial && has_others(runs, &watch));
    if (slot->failed || differs || lines.differs) report_difference(session, slot, &lines);
}

static void run_twice(const uft_session *session, uft_runs *runs)
{
    uft_slot *const slot = runs->slot;
    uft_watch watch = {.observes = runs->recorder != NULL};
    uft_lines lines = {.slot = session->is_repeat ? slot : NULL, .keeps = session->is_repeat};

    slot->schedules = 1;
    run_first(session, runs, &watch, &lines);
    if (!slot->failed) {
        runs->recorder = NULL;
        if (runs->disturber) uft_learn(runs);
        run_second(session, runs, &watch, &lines);
    }
    free(lines.text);
}

/* -- apart --------------------------------------------------------------------------------------------------------- */

/* A part of the runs, as what a fork calls. What it changes and others read is in memory that processes share. */
typedef struct part {
    const uft_session *session;
    uft_runs *runs;
    void (*run)(const uft_session *session, uft_runs *runs);
} part;

static void run_part(void *context)
{
    part const *const p = context;

    p->run(p->session, p->runs);
    if (!p->runs->slot->failed && uft_has_leaks()) uft_fail(uft_head(p->session->of), "memory leaks");
    uft_never_note();
}

static bool is_apart(const uft_session *session)
{
    return session->is_apart && !session->replays;
}

static void fail_before(uft_slot *slot, const uft_session *session, const char *message)
{
    slot->failed = true;
    slot->at = uft_head(session->of);
    (void)snprintf(slot->message, sizeof slot->message, "%s", message);
}

/* Runs a part, in a process of its own if the schedules do. */
static void run_here_or_apart(const uft_session *session, uft_runs *runs,
                              void (*run)(const uft_session *session, uft_runs *runs))
{
    part p = {session, runs, run};

    if (!is_apart(session)) run(session, runs);
    else if (!uft_process_apart(runs->slot, run_part, &p)) fail_before(runs->slot, session, strerror(errno));
}

/* -- schedules ----------------------------------------------------------------------------------------------------- */

static void run_one(const uft_session *session, uft_runs *runs)
{
    uft_watch watch = {.line = NULL};

    (void)session;
    uft_run_schedule(runs, &watch);
}

/* The disturbed schedules, after the plain one. */
static void explore(const uft_session *session, uft_runs *runs)
{
    uint32_t const most = uft_most_schedules(session->of->test, session->schedules, session->limit);
    uft_explorer *const explorer = runs->explorer;
    uft_slot *const slot = runs->slot;
    bool goes_on = true;

    if (session->mutes) uft_process_mute();
    while (!slot->failed && slot->schedules < most &&
           (goes_on = uft_explore_next(explorer, &runs->disturber->choices)) == true) {
        slot->schedule = explorer->schedule;
        slot->schedules++;
        run_here_or_apart(session, runs, run_one);
    }
    if (slot->failed) return;
    slot->is_all = !goes_on && !explorer->is_cut;
    slot->schedule.count = slot->happened.count = 0;
}

/* A schedule that names a site which the run has not asked is of another test, or of an older one. */
static void check_asked(const uft_session *session, const uft_runs *runs)
{
    uft_schedule const *const schedule = &session->schedule;

    for (uint32_t i = 0; runs->disturber && i < schedule->count; i++) {
        uint32_t const site = schedule->choices[i].site;
        if (runs->disturber->choices.asked[site] > 0) continue;
        uft_fail(uft_head(session->of), "--replay: the test does not ask at %s", runs->slot->sites.list[site].name);
        runs->slot->happened = *schedule;
        return;
    }
}

/* A part: the plain run, only for its end. */
static void run_for_quiet(const uft_session *session, uft_runs *runs)
{
    uft_watch watch = {.line = NULL};

    if (session->mutes) uft_process_mute();
    uft_run_schedule(runs, &watch);
    if (!runs->slot->failed) (void)uft_learn_quiet(runs);
}

/* Finds out what is quiet, for a replay: in a process of its own, so that the replay's is as before.
 * Returns: false: the plain run has failed. */
static bool find_quiet(const uft_session *session, uft_runs *runs)
{
    static const char prefix[] = "without disturbances: ";
    uf_observer *const recorder = runs->recorder;
    uft_slot *const slot = runs->slot;
    part p = {session, runs, run_for_quiet};

    slot->knows_quiet = session->knows_quiet;
    slot->loud_until = session->loud_until;
    if (!slot->knows_quiet && uft_has_quiet(runs->disturber)) {
        runs->recorder = NULL;
        if (!session->mutes) run_for_quiet(session, runs);
        else if (!uft_process_apart(slot, run_part, &p)) fail_before(slot, session, strerror(errno));
        runs->recorder = recorder;
    }
    if (slot->knows_quiet) runs->disturber->loud_until = slot->loud_until;
    if (slot->failed) uft_prepend(slot->message, sizeof slot->message, prefix);
    return !slot->failed;
}

/* Runs the one schedule of a replay. */
static void replay(const uft_session *session, uft_runs *runs)
{
    uft_lines lines = {.slot = runs->slot};
    uft_watch watch = {.observes = true};

    runs->slot->schedules = 1;
    runs->explorer = NULL;
    if (runs->disturber && !find_quiet(session, runs)) return;
    runs->slot->schedule = session->schedule;
    watch_lines(&watch, &lines);
    uft_run_schedule(runs, &watch);
    check_asked(session, runs);
}

static void run_all(const uft_session *session, uft_runs *runs)
{
    if (session->replays) {
        replay(session, runs);
        return;
    }
    run_here_or_apart(session, runs, run_twice);
    if (!runs->slot->failed && runs->disturber) explore(session, runs);
    if (!runs->slot->failed) uft_check_seen(runs);
}

/* Prepares the exploration of a test that has one. Returns: NULL; else what is wrong. */
static const char *prepare_exploration(const uft_session *session, uft_runs *runs, exploration *e,
                                       uft_question *questions)
{
    uint32_t const schedules = session->of->test->schedules;

    runs->slot->sites = session->sites;
    if (schedules == UF_TEST_PLAIN) return NULL;
    if (!uft_find_rows(&e->disturber, session->of->test, &runs->slot->sites)) return "explore: too many rows";
    if (schedules == UF_TEST_EXPLORES) uft_explore_all(&e->explorer, questions, QUESTIONS);
    else uft_explore_random(&e->explorer, questions, QUESTIONS, session->seed);
    e->disturber.call = uft_call_row;
    e->disturber.pump = session->pump;
    e->disturber.slot = session->replays ? runs->slot : NULL;
    e->disturber.recorder = session->recorder;
    e->disturber.note = uf_recorder_note; /* a runner without files does not link it */
    runs->disturber = &e->disturber;
    runs->explorer = &e->explorer;
    return NULL;
}

/* Memory of the runs: zeroed. It is never freed if forks write to it, since the process ends after them. */
static void *room_for(const uft_session *session, size_t size)
{
    return is_apart(session) ? uft_share(size) : calloc(1, size);
}

static void give_back(const uft_session *session, void *room)
{
    if (!is_apart(session)) free(room);
}

void uft_session_run(uft_slot *slot, const void *context)
{
    uft_session const *const session = context;
    size_t const hooks = session->of->test->hook_count + 1;
    uf_time const began = uft_real_now();
    uft_runs runs = {.of = session->of,
                     .slot = slot,
                     .rounds_at_once = session->rounds_at_once,
                     .is_repeat = session->is_repeat,
                     .pump = session->pump};
    bool const explores = session->of->test->schedules != UF_TEST_PLAIN;
    exploration *const e = room_for(session, sizeof *e);
    uft_question *const questions = explores ? room_for(session, QUESTIONS * sizeof *questions) : NULL;

    runs.seen = room_for(session, hooks * sizeof *runs.seen);
    runs.next = room_for(session, hooks * sizeof *runs.next);
    if (session->recorder &&
        uf_recorder_init(session->recorder, session->pump, session->memory, session->memory_size, 1000) == UF_OK)
        runs.recorder = &session->recorder->observer;
    bool const has_memory = runs.seen && runs.next && e && (questions || !explores);
    const char *const wrong = has_memory ? prepare_exploration(session, &runs, e, questions) : "out of memory";
    if (wrong) fail_before(slot, session, wrong);
    else {
        uft_begin_runs(&runs);
        run_all(session, &runs);
        if (!slot->failed && !is_apart(session) && uft_has_leaks()) uft_fail(uft_head(session->of), "memory leaks");
    }
    uft_jobs_free();
    uft_never_note();
    give_back(session, runs.seen);
    give_back(session, runs.next);
    give_back(session, questions);
    give_back(session, e);
    slot->took = uft_real_now() - began;
}
