/* SPDX-License-Identifier: MIT */
/* Pools of durable flows, in virtual time: a process crashes at each commit, and the members that ran are there again,
 * at their places and with the numbers of their runs. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "crashes.h"
#include "kept_pools.h"

/* -- the world outlives processes ---------------------------------------------------------------------------------- */

enum { BATCHES = 12, PLACES = 8 };

static struct batch {
    char path[48];
    uint32_t run;
    int64_t ordinal;
} batches[BATCHES]; /* by number: where it was begun, and its latest body */
static unsigned exits;

void world_batch(uf_flow *flow, int place, int scale, int number)
{
    struct batch *const batch = &batches[number];
    uint32_t const run = uf_flow_this_run(flow).number;
    char path[48];

    (void)uf_flow_path(flow, path, sizeof path);
    if (!batch->path[0]) {
        memcpy(batch->path, path, sizeof path);
        batch->run = run;
    }
    assert_string_equal(path, batch->path); /* it has not moved, and is the same run */
    assert_int_equal(run, batch->run);
    assert_true(uf_flow_ordinal(flow) >= batch->ordinal);
    assert_int_equal(scale, place);
    batch->ordinal = uf_flow_ordinal(flow);
}

void world_left(uf_flow *flow, int outcome)
{
    (void)flow;
    (void)outcome;
    exits++;
}

/* -- processes ----------------------------------------------------------------------------------------------------- */

typedef struct process {
    uf_pump pump;
    Hall hall;
    Plant plant;
    uf_store *store;
    unsigned ended, done; /* of the members of this process */
} process;

static void see_end(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    process *const p = context;
    if (strcmp(flow->type->name, "Batch") != 0) return;
    p->ended++;
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
    assert_int_equal(Plant_init(&p->plant, &p->pump, "plant"), UF_OK);
    return p;
}

static process *first_process(void)
{
    uf_store *store;

    memset(batches, 0, sizeof batches);
    exits = 0;
    assert_int_equal(uf_store_memory_open(&store, NULL), UF_OK);
    process *const p = open_process(store);
    assert_int_equal(Hall_batches_spawn_Make(&p->hall, 0), UF_BUSY); /* nothing was restored yet */
    assert_int_equal(Hall_batches_busy(&p->hall), 0);
    assert_int_equal(uf_store_restore(store, NULL), UF_OK);
    return p;
}

static void run_to(process *p, uf_time until)
{
    pump_run_to(&p->pump, until);
}

static process *crash(process *p, uf_restore_report *report)
{
    uf_store *const store = pump_crash(&p->pump, p->store, NULL);

    free(p);
    process *const next = open_process(store);
    if (uf_store_restore(store, report) != UF_OK) fail_msg("%s", report->text);
    return next;
}

static void close_process(process *p)
{
    uf_pump_cancel_all(&p->pump);
    run_to(p, p->pump.clock.real + UF_S(60));
    assert_int_equal(Plant_destroy(&p->plant), UF_OK);
    assert_int_equal(Hall_destroy(&p->hall), UF_OK);
    assert_int_equal(uf_pump_destroy(&p->pump), UF_OK);
    assert_int_equal(uf_store_close(p->store), UF_OK);
    free(p);
}

/* Batches of three pools, in two waves: places are used again. */
static void spawn(process *p, int first)
{
    for (int i = first; i < first + BATCHES / 2; i++) {
        if (i % 3 == 0) assert_int_equal(Hall_batches_spawn_Make(&p->hall, i), UF_OK);
        else if (i % 3 == 1) assert_int_equal(Plant_batches_spawn_Make(&p->plant, i), UF_OK);
        else assert_int_equal(Hall_batches_spawn_Make(&p->plant.hall, i), UF_OK);
    }
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

/* Some of the first wave have ended when the second one begins. Returns: the commits before that. */
static uint64_t spawn_two_waves(process *p)
{
    spawn(p, 0);
    run_to(p, UF_MS(260));
    uint64_t const before = uf_store_memory_commits(p->store);
    spawn(p, BATCHES / 2);
    return before;
}

static uint64_t commits_of_second_wave(void)
{
    process *const p = first_process();
    uint64_t const before = spawn_two_waves(p);

    run_to(p, UF_S(5));
    assert_int_equal(p->done, BATCHES);
    uint64_t const commits = uf_store_memory_commits(p->store) - before;
    close_process(p);
    return commits;
}

TEST(goes_on_at_each_commit)
{
    uint64_t const commits = commits_of_second_wave();

    assert_true(commits > 10);
    for (uint64_t at = 0; at <= commits; at++) {
        for (int times = 1; times < 3; times++) {
            uf_restore_report report;
            process *p = first_process();
            (void)spawn_two_waves(p);
            assert_int_equal(uf_store_memory_stop(p->store, at, NULL), UF_OK);
            run_to(p, UF_S(5));
            unsigned const done = p->done;
            for (int i = 0; i < times; i++) p = crash(p, &report);
            unsigned const busy =
                Hall_batches_busy(&p->hall) + Plant_batches_busy(&p->plant) + Hall_batches_busy(&p->plant.hall);
            assert_int_equal(busy, report.restored);
            assert_int_equal(report.lost, 0);
            run_to(p, UF_S(6)); /* held */
            assert_int_equal(p->ended, 0);
            assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
            run_to(p, UF_S(12));
            assert_int_equal(p->done, report.restored);
            unsigned const kept = at == 0 ? BATCHES / 2 : BATCHES; /* the second wave, with its first commit */
            assert_int_equal(p->done + done, kept);
            assert_int_equal(Hall_batches_busy(&p->hall), 0);
            close_process(p);
        }
    }
}

TEST(places_keep_the_numbers_of_their_runs)
{
    uf_restore_report report;

    process *p = first_process();
    for (int i = 0; i < 3; i++) assert_int_equal(Hall_batches_spawn_Make(&p->hall, i), UF_OK);
    run_to(p, UF_S(1));
    assert_int_equal(Hall_batches_spawn_Make(&p->hall, 3), UF_OK);
    assert_int_equal(Hall_batches_spawn_Make(&p->hall, 4), UF_OK);
    run_to(p, UF_S(1) + UF_MS(110));
    char place[48];
    memcpy(place, batches[4].path, sizeof place);
    p = crash(p, &report);
    assert_int_equal(report.restored, 2);
    assert_int_equal(report.idle, 1);
    assert_int_equal(uf_store_release(p->store, "hall.batches[7]"), UF_STALE);
    assert_int_equal(uf_store_release(p->store, place), UF_OK);
    assert_int_equal(uf_store_forget(p->store, place), UF_BUSY);
    run_to(p, UF_S(1));
    assert_int_equal(p->done, 1);
    assert_int_equal(uf_store_forget(p->store, place), UF_OK);
    assert_int_equal(Hall_batches_busy(&p->hall), 1);
    for (int i = 5; i < 12; i++)
        assert_int_equal(Hall_batches_spawn_Make(&p->hall, i), UF_OK); /* the others are free */
    assert_int_equal(Hall_batches_spawn_Make(&p->hall, 11), UF_FULL);
    run_to(p, UF_S(3));
    for (int i = 5; i < 12; i++) {
        bool const is_again = strcmp(batches[i].path, "hall.batches[3]") < 0; /* of the first three places */
        assert_int_equal(batches[i].run >= 2, is_again);
    }
    close_process(p);
}

TEST(a_failed_restore_frees_all_places)
{
    uf_restore_report report;
    uf_store *store;

    process *p = first_process();
    spawn(p, 0);
    assert_int_equal(Plant_start_Run(&p->plant), UF_OK);
    run_to(p, UF_MS(50));
    assert_int_equal(uf_store_memory_copy(&store, p->store, NULL), UF_OK);
    close_process(p);

    p = calloc(1, sizeof *p); /* a program without the plant */
    assert_non_null(p);
    p->store = store;
    assert_int_equal(uf_pump_init(&p->pump, NULL), UF_OK);
    assert_int_equal(uf_store_attach(store, &p->pump), UF_OK);
    assert_int_equal(Hall_init(&p->hall, &p->pump, "hall"), UF_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(uf_store_restore(store, &report), UF_CHANGED);
        if (strncmp(report.path, "plant", 5) != 0) fail_msg("%s", report.text);
        assert_int_equal(Hall_batches_busy(&p->hall), 0);
        assert_int_equal(Hall_batches_spawn_Make(&p->hall, 0), UF_BUSY);
    }
    while (uf_store_restore(store, &report) == UF_CHANGED) {
        assert_int_equal(uf_store_forget(store, report.path), UF_OK);
        run_to(p, p->pump.clock.real + UF_MS(1));
    }
    assert_int_equal(report.restored, 2);
    assert_int_equal(Hall_batches_busy(&p->hall), 2);
    assert_int_equal(Plant_init(&p->plant, &p->pump, "plant"), UF_OK);
    close_process(p);
}

TEST(a_cancel_ends_members)
{
    uf_restore_report report;

    process *p = first_process();
    spawn(p, 0);
    run_to(p, UF_MS(150)); /* in Second: the tasks were entered */
    p = crash(p, &report);
    exits = 0;
    assert_int_equal(Hall_batches_cancel_all(&p->hall), UF_OK); /* held */
    run_to(p, UF_MS(200));
    assert_int_equal(Hall_batches_busy(&p->hall), 0);
    assert_int_equal(exits, 2);
    p = crash(p, &report);
    assert_int_equal(report.restored, BATCHES / 2 - 2);
    close_process(p);
}
