/* SPDX-License-Identifier: MIT */
/* Durable flows inside members of a pool, in virtual time: a process crashes at each commit, and each member that goes
 * on has its parts where they were, while the next one in its place has nothing of them. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "crashes.h"
#include "kept_parts.h"

/* -- the world outlives processes ---------------------------------------------------------------------------------- */

enum { SECOND_WAVE = 2, AFTER_CRASH = 4, LAST = 5, ENTRIES = 800 };

/* A body of a step of the part of one spawn. */
typedef struct entry {
    char path[48], token[UF_TOKEN_SIZE];
    int number;
    int64_t at;
    uint32_t run, ordinal;
} entry;

static entry entries[ENTRIES];
static int entry_count;
static unsigned exits;

static bool is_same_part(const entry *a, const entry *b)
{
    return a->number == b->number && strcmp(a->path, b->path) == 0;
}

/* No body runs after a later one had begun, a repeated one has its token, and no other one has that. A step of an owner
 * has one run of a part. */
static void check_entry(const entry *of)
{
    bool is_known = false;

    for (int i = 0; i < entry_count; i++) {
        entry const *const other = &entries[i];
        bool const has_token = strcmp(other->token, of->token) == 0;
        if (!is_same_part(other, of)) {
            if (has_token) fail_msg("%s and %s: %s", of->path, other->path, of->token);
            continue;
        }
        bool const is_same = other->run == of->run && other->ordinal == of->ordinal;
        is_known |= is_same;
        if (is_same != has_token) fail_msg("%s: %s, and before %s", of->path, of->token, other->token);
        if (of->run < other->run || (of->run == other->run && of->ordinal < other->ordinal))
            fail_msg("%s: run %u after run %u", of->path, (unsigned)of->run, (unsigned)other->run);
        if (of->at >= 0 && other->at == of->at && other->run != of->run)
            fail_msg("%s: run %u, and before %u", of->path, (unsigned)of->run, (unsigned)other->run);
    }
    if (is_known) return;
    assert_true(entry_count < ENTRIES);
    entries[entry_count++] = *of;
}

int64_t world_entry(uf_flow *flow)
{
    return (int64_t)uf_flow_this_run(flow).number << 32 | uf_flow_ordinal(flow);
}

void world_body(uf_flow *flow, int number, int64_t at)
{
    entry of = {
        .number = number, .at = at, .run = uf_flow_this_run(flow).number, .ordinal = (uint32_t)uf_flow_ordinal(flow)};

    (void)uf_flow_path(flow, of.path, sizeof of.path);
    assert_int_equal(uf_flow_token(flow, of.token), UF_OK);
    check_entry(&of);
}

void world_left(int number)
{
    (void)number;
    exits++;
}

/* -- processes ----------------------------------------------------------------------------------------------------- */

typedef struct process {
    uf_pump pump;
    Hall hall;
    uf_store *store;
    unsigned done, lost, spawned; /* in this process */
} process;

static void see_end(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    process *const p = context;

    p->lost += strcmp(end->reason, "owner lost") == 0;
    if (end->outcome == UF_FAILED) fail_msg("%s: %s", flow->name, end->reason);
    if (strcmp(flow->type->name, "Mix") != 0) return;
    if (end->outcome == UF_DONE) assert_int_equal(((const Mix *)(const void *)flow)->got, 10);
    p->done += end->outcome == UF_DONE;
}

static process *open_process(uf_store *store)
{
    static uf_observer observer;
    process *const p = calloc(1, sizeof *p);

    assert_non_null(p);
    p->store = store;
    assert_int_equal(uf_pump_init(&p->pump, NULL), UF_OK);
    observer = (uf_observer){.context = p, .flow_ended = see_end};
    assert_int_equal(uf_pump_add_observer(&p->pump, &observer), UF_OK);
    assert_int_equal(uf_store_attach(store, &p->pump), UF_OK);
    assert_int_equal(Hall_init(&p->hall, &p->pump, "hall"), UF_OK);
    return p;
}

static process *first_process(void)
{
    uf_store *store;

    memset(entries, 0, sizeof entries);
    entry_count = 0;
    exits = 0;
    assert_int_equal(uf_store_memory_open(&store, NULL), UF_OK);
    process *const p = open_process(store);
    assert_int_equal(uf_store_restore(store, NULL), UF_OK);
    return p;
}

static void run_for(process *p, uf_time span)
{
    pump_run_to(&p->pump, p->pump.clock.real + span);
}

static process *crash(process *p, uf_restore_report *report)
{
    uf_store *const store = pump_crash(&p->pump, p->store, NULL);

    free(p);
    process *const next = open_process(store);
    if (uf_store_restore(store, report) != UF_OK) fail_msg("%s", report->text);
    assert_int_equal(report->lost, 0);
    return next;
}

static void close_process(process *p)
{
    uf_pump_cancel_all(&p->pump);
    run_for(p, UF_S(60));
    assert_int_equal(uf_pump_running(&p->pump), 0);
    assert_int_equal(Hall_destroy(&p->hall), UF_OK);
    assert_int_equal(uf_pump_destroy(&p->pump), UF_OK);
    assert_int_equal(uf_store_close(p->store), UF_OK);
    free(p);
}

static void spawn(process *p, int first, int count)
{
    for (int i = first; i < first + count; i++) p->spawned += Hall_mixes_spawn_Make(&p->hall, i) == UF_OK;
}

/* Until the store answers no more: at once, or after everything that does not wait for it has happened. */
static void run_to_commit(process *p, uint64_t at, bool early)
{
    uint64_t const last = uf_store_memory_commits(p->store) + at;

    assert_int_equal(uf_store_memory_stop(p->store, at, NULL), UF_OK);
    for (int i = 0; i < 150 && uf_store_memory_commits(p->store) < last; i++) run_for(p, UF_MS(10));
    if (!early) run_for(p, UF_S(2));
}

/* Two at first. When they have ended, two others take the places. */
static void spawn_two_waves(process *p)
{
    spawn(p, 0, 2);
    run_for(p, UF_S(1));
    assert_int_equal(p->done, 2);
    spawn(p, SECOND_WAVE, 2);
}

static uint64_t commits_of_second_wave(void)
{
    process *const p = first_process();

    spawn_two_waves(p);
    uint64_t const before = uf_store_memory_commits(p->store);
    run_for(p, UF_S(2));
    assert_int_equal(p->done, 4);
    assert_int_equal(p->lost, 0);
    assert_int_equal(exits, 8); /* a companion and a drain of each */
    uint64_t const commits = uf_store_memory_commits(p->store) - before;
    close_process(p);
    return commits;
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

/* A free place is used by a further mix, before the others go on. */
static void goes_on(process *p, unsigned done, unsigned kept)
{
    unsigned const busy = Hall_mixes_busy(&p->hall);

    assert_int_equal(p->done, 0);
    assert_int_equal(done + busy, kept);
    spawn(p, LAST, 1);
    assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
    run_for(p, UF_S(3));
    assert_int_equal(p->done, busy + p->spawned);
    assert_int_equal(Hall_mixes_busy(&p->hall), 0);
    assert_int_equal(uf_pump_running(&p->pump), 0);
}

TEST(goes_on_at_each_commit)
{
    uint64_t const commits = commits_of_second_wave();

    assert_true(commits > 20);
    for (uint64_t at = 0; at <= commits; at++) {
        for (int early = 0; early < 2; early++) {
            uf_restore_report report;
            process *p = first_process();
            spawn_two_waves(p);
            run_to_commit(p, at, early);
            unsigned const done = p->done;
            p = crash(p, &report);
            goes_on(p, done, at == 0 ? 2 : 4);
            close_process(p);
        }
    }
}

TEST(goes_on_at_each_pair_of_commits)
{
    uint64_t const commits = commits_of_second_wave();

    for (uint64_t at = 0; at <= commits; at++) {
        for (uint64_t next = 0; next <= commits - at + 4; next++) {
            uf_restore_report report;
            process *p = first_process();
            spawn_two_waves(p);
            run_to_commit(p, at, next % 2);
            unsigned done = p->done;
            p = crash(p, &report);
            spawn(p, AFTER_CRASH, 1);
            unsigned const spawned = next == 0 ? 0 : p->spawned;
            assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
            run_to_commit(p, next, at % 2);
            done += p->done;
            p = crash(p, &report);
            goes_on(p, done, (at == 0 ? 2 : 4) + spawned);
            close_process(p);
        }
    }
}

/* Also in the next process: the parts of a member are suspended with it. */
TEST(a_stop_suspends_parts)
{
    for (int ms = 5; ms < 400; ms += 15) {
        uf_restore_report report;
        uf_stop stop;
        process *p = first_process();
        spawn_two_waves(p);
        run_for(p, UF_MS(1) * ms);
        exits = 0;
        assert_int_equal(uf_pump_stop(&p->pump, &stop, UF_S(10)), UF_OK);
        for (int i = 0; i < 20 && !uf_pump_stopped(&p->pump); i++) (void)uf_pump_round(&p->pump, p->pump.clock.real);
        assert_true(uf_pump_stopped(&p->pump));
        assert_int_equal(stop.report.cancelled, 0);
        assert_int_equal(exits, 0);
        unsigned const done = p->done;
        p = crash(p, &report);
        goes_on(p, done, 4);
        assert_int_equal(p->lost, 0);
        close_process(p);
    }
}

/* A part is held, released and forgotten by its path. A member that is forgotten leaves nothing to the next one. */
TEST(parts_have_paths)
{
    uf_restore_report report;

    process *p = first_process();
    spawn(p, 0, 1);
    run_for(p, UF_MS(30)); /* in Seat.Close */
    p = crash(p, &report);
    assert_int_equal(report.restored, 4); /* with the companion, whose lamp is dark again */
    assert_int_equal(uf_store_forget(p->store, "hall.mixes[0].inlet"), UF_BUSY);
    assert_int_equal(uf_store_release(p->store, "hall.mixes[0].inlet.seat"), UF_OK);
    assert_int_equal(uf_store_release(p->store, "hall.mixes[0].inlet.seat"), UF_STALE);
    assert_int_equal(uf_store_release(p->store, "hall.mixes[1].inlet"), UF_STALE);
    assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
    run_for(p, UF_S(1));
    assert_int_equal(p->done, 1);
    assert_int_equal(uf_store_release(p->store, "hall.mixes[0].inlet"), UF_STALE);
    close_process(p);

    p = first_process();
    spawn(p, 0, 1);
    run_for(p, UF_MS(30));
    uf_store *const left = pump_crash(&p->pump, p->store, NULL);
    free(p);
    p = open_process(left);
    assert_int_equal(uf_store_forget(left, "hall.mixes[0]"), UF_OK);
    run_for(p, UF_MS(1));
    assert_int_equal(uf_store_restore(left, &report), UF_OK);
    assert_int_equal(report.restored, 0);
    assert_int_equal(Hall_mixes_busy(&p->hall), 0);
    spawn(p, 1, 1);
    run_for(p, UF_MS(1)); /* in Fill: the child is still to begin */
    p = crash(p, &report);
    assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
    run_for(p, UF_S(2));
    assert_int_equal(p->done, 1);
    close_process(p);
}

/* A cancel ends the parts, too. */
TEST(a_cancel_ends_parts)
{
    for (int ms = 10; ms < 400; ms += 20) {
        uf_restore_report report;
        process *p = first_process();
        spawn_two_waves(p);
        run_for(p, UF_MS(1) * ms);
        if (ms % 40 == 10) p = crash(p, &report); /* they are held */
        assert_int_equal(Hall_mixes_cancel_all(&p->hall), UF_OK);
        run_for(p, UF_MS(10));
        assert_int_equal(Hall_mixes_busy(&p->hall), 0);
        assert_int_equal(uf_pump_running(&p->pump), 0);
        p = crash(p, &report);
        assert_int_equal(report.restored, 0);
        spawn(p, LAST, 1);
        run_for(p, UF_S(2));
        assert_int_equal(p->done, 1);
        close_process(p);
    }
}
