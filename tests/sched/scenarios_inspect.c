/* SPDX-License-Identifier: MIT */
/* scenarios_inspect.c - a thread inspects a runtime as the server for viewers does. It copies the state of the flows
 * part by part, and reads the ring of a recorder. */
#include "inspecting.h"

#include "scene.h"

#include "crowd.h"

#define STEPS 3

static uint32_t all_done;

static void run_calls(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        MUST(Worker_call_Count(&workers[i % 2], STEPS, UF_FOREVER, NULL, NULL) == UF_OK);
    }
}

/* -- snapshots ----------------------------------------------------------------------------------------------------- */

static void take_part(ufi_part *part, ufi_snapshot *snapshot)
{
    ufi_part_ask(part, runtime);
    while (ufi_part_is_asked(part)) schedule_pause();
    MUST(ufi_snapshot_add(snapshot, part));
}

/* Two flows per part, so that a snapshot has two parts. Its memory is freed as soon as the parts are there. */
static void take_snapshot(ufi_snapshot *snapshot)
{
    ufi_part *const part = ufp_allocate(sizeof *part);

    part->seen = ufp_allocate(2 * sizeof *part->seen);
    part->waits = ufp_allocate(UFI_PART_WAITS * sizeof *part->waits);
    part->most = 2;
    do {
        part->first = part->count == 0 ? 0 : part->first + part->count;
        take_part(part, snapshot);
    } while (!part->is_last);
    ufi_snapshot_finish(snapshot, false);
    ufp_free(part->waits);
    ufp_free(part->seen);
    ufp_free(part);
}

static void check_snapshot(const ufi_snapshot *snapshot)
{
    MUST(snapshot->count == 3);
    for (uint32_t i = 0; i < 3; i++) {
        ufi_seen const *const seen = ufi_snapshot_find(snapshot, &workers[i].uf);
        MUST(seen && strcmp(seen->path, "worker") == 0 && seen->view.ordinal < STEPS);
        MUST(!seen->view.running || seen->view.ordinal < 0 || strcmp(seen->view.step, "Go") == 0);
    }
}

/* Requests without a pause would delay the stop: the server makes 20 snapshots a second at most. */
static void look_at_flows(void *argument)
{
    ufi_snapshot snapshot = {.flows = NULL};

    (void)argument;
    for (int i = 0; i < 4; i++) {
        take_snapshot(&snapshot);
        check_snapshot(&snapshot);
    }
    while (!ufp_load_seq_cst(&all_done)) schedule_pause();
    take_snapshot(&snapshot);
    check_snapshot(&snapshot);
    ufi_snapshot_free(&snapshot);
}

/* Snapshots go on while the runtime stops and after that. */
static void inspect_snapshots(void)
{
    ufp_store_seq_cst(&all_done, 0);
    begin();
    spawn(look_at_flows, NULL);
    run_calls(8);
    MUST(uf_runtime_stop(runtime, UF_FOREVER, NULL) == UF_OK);
    ufp_store_seq_cst(&all_done, 1);
    end();
}

static uint32_t count_seen(const ufi_snapshot *snapshot, const uf_flow *flow)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < snapshot->count; i++) count += snapshot->flows[i].flow == flow;
    return count;
}

/* Flows that are attached all the time, before and after others, are seen once. */
static void look_for_workers(void *last)
{
    ufi_snapshot snapshot = {.flows = NULL};

    for (int taken = 0; taken < 5; taken++) {
        take_snapshot(&snapshot);
        for (int i = 0; i < 3; i++) MUST(count_seen(&snapshot, &workers[i].uf) == 1);
        MUST(!last || count_seen(&snapshot, last) == 1);
    }
    ufi_snapshot_free(&snapshot);
}

/* Between two parts of a snapshot, flows are attached and detached, also that with which the next part begins. */
static void inspect_changes(void)
{
    static Worker last;
    uf_pump *pump;

    begin();
    pump = uf_runtime_pump(runtime);
    Worker *const others = ufp_allocate(2 * sizeof *others);
    MUST(others);
    for (int i = 0; i < 2; i++) MUST(Worker_init(&others[i], pump, "other") == UF_OK);
    MUST(Worker_init(&last, pump, "last") == UF_OK);
    spawn(look_for_workers, &last.uf);
    for (int i = 0; i < 6; i++) {
        MUST(uf_flow_detach(&others[i % 2].uf) == UF_OK);
        if (i < 4) MUST(Worker_init(&others[i % 2], pump, "other") == UF_OK);
    }
    ufp_free(others);
    join();
    MUST(uf_flow_detach(&last.uf) == UF_OK);
    end();
}

/* The same with members of a pool, which are attached while they run, and are freed with their owner. */
static void inspect_members(void)
{
    begin();
    Inn *const inn = ufp_allocate(sizeof *inn);
    MUST(Inn_init(inn, uf_runtime_pump(runtime), "inn") == UF_OK);
    spawn(look_for_workers, NULL);
    for (int i = 0; i < 5; i++) (void)Inn_guests_spawn_Visit(inn, i, 2 + i);
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    join();
    spawn(look_for_workers, NULL);
    for (int i = 0; i < 2; i++) (void)Inn_guests_spawn_Visit(inn, i, 2 + i);
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(Inn_destroy(inn) == UF_OK);
    ufp_free(inn);
    join();
    end();
}

/* -- a recorder ---------------------------------------------------------------------------------------------------- */

#define OBJECTS 4
#define MEMORY  1792 /* little: the ring has the fewest events, so that old ones are overwritten */
#define CALLS   20   /* about 160 events */

static uf_recorder recorder;

/* The known state of a flow's events: the next step's ordinal; -1: nothing, until a run begins. */
typedef struct reading {
    uf_recorder_cursor cursor;
    uint64_t lost;
    int next[OBJECTS + 1];
    uint32_t ended;
} reading;

static void check_cell(reading *r, const uf_trace_cell *cell)
{
    unsigned const kind = UF_CELL_KIND(cell->what);
    uint32_t const object = cell->what & UF_CELL_OBJECT;
    int *const next = &r->next[object];

    MUST(kind >= UF_CELL_TIME && kind <= UF_CELL_RESUMES && object <= recorder.objects_most);
    if (kind == UF_CELL_STARTED) *next = 0;
    if (kind == UF_CELL_STEP && *next >= 0) MUST((int)cell->b == (*next)++ && *next < STEPS);
    if (kind != UF_CELL_ENDED) return;
    MUST(*next < 0 || (int)cell->b == *next);
    *next = -1;
    r->ended++;
}

/* Returns: false if there was nothing new. */
static bool read_some(reading *r)
{
    uf_trace_cell cells[6];
    size_t const count = uf_recorder_read(&recorder, &r->cursor, cells, 6);

    if (r->cursor.lost != r->lost) memset(r->next, 0xff, sizeof r->next);
    r->lost = r->cursor.lost;
    for (size_t i = 0; i < count; i++) check_cell(r, &cells[i]);
    return count > 0;
}

static void look_at_events(void *argument)
{
    reading r = {.lost = 0};
    bool last;

    (void)argument;
    memset(r.next, 0xff, sizeof r.next);
    do {
        last = ufp_load_seq_cst(&all_done) != 0;
        while (read_some(&r)) {}
        schedule_pause();
    } while (!last);
    MUST(r.ended <= CALLS);
}

/* The ring's memory is freed once the recorder is detached and nobody reads. */
static void inspect_recorder(void)
{
    void *const memory = ufp_allocate(MEMORY);

    ufp_store_seq_cst(&all_done, 0);
    begin();
    MUST(uf_recorder_init(&recorder, uf_runtime_pump(runtime), memory, MEMORY, OBJECTS) == UF_OK);
    MUST(uf_runtime_add_observer(runtime, &recorder.observer) == UF_OK);
    spawn(look_at_events, NULL);
    spawn(look_at_events, NULL);
    run_calls(CALLS);
    MUST(uf_runtime_remove_observer(runtime, &recorder.observer) == UF_OK);
    ufp_store_seq_cst(&all_done, 1);
    join();
    ufp_free(memory);
    end();
}

const scenario inspect_scenarios[] = {
    {"inspect_snapshots", inspect_snapshots},
    {"inspect_changes", inspect_changes},
    {"inspect_members", inspect_members},
    {"inspect_recorder", inspect_recorder},
    {0},
};
