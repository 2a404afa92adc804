/* SPDX-License-Identifier: MIT */
/* test_recorder.c - the ring of a recorder: its sizes, overwritten events, readers on other threads. */
#include "../cases.h"

#include "uflow/recorder_file.h"
#include "uflow/runtime.h"
#include "uflow/uflow.h"

#include "loop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define OBJECTS 8
#define CELL    sizeof(uf_trace_cell)

static uf_pump pump;
static uf_recorder recorder;
static unsigned char memory[65536];

static int begin(void **state)
{
    (void)state;
    return uf_pump_init(&pump, NULL) == UF_OK ? 0 : 1;
}

/* The smallest memory that is enough for these objects. */
static size_t smallest(uint32_t objects)
{
    size_t size = 0;
    while (uf_recorder_init(&recorder, &pump, memory, size, objects) != UF_OK) size++;
    return size;
}

CASE_WITH(test_arguments, begin, NULL)
{
    assert_int_equal(uf_recorder_init(NULL, &pump, memory, sizeof memory, 1), UF_INVALID);
    assert_int_equal(uf_recorder_init(&recorder, NULL, memory, sizeof memory, 1), UF_INVALID);
    assert_int_equal(uf_recorder_init(&recorder, &pump, NULL, sizeof memory, 1), UF_INVALID);
    assert_int_equal(uf_recorder_init(&recorder, &pump, memory, sizeof memory, 0), UF_INVALID);
    assert_int_equal(uf_recorder_init(&recorder, &pump, memory, sizeof memory, UINT32_MAX), UF_INVALID);
    assert_int_equal(uf_recorder_attach(&recorder, &pump, memory, sizeof memory, OBJECTS), UF_OK);
    assert_int_equal(uf_recorder_attach(&recorder, &pump, memory, sizeof memory, OBJECTS), UF_BUSY);
    assert_int_equal(uf_recorder_detach(&recorder, &pump), UF_OK);
    assert_int_equal(uf_recorder_detach(&recorder, &pump), UF_INVALID);
    assert_false(uf_recorder_save(&recorder, "/nowhere/at all"));
    assert_false(uf_recorder_write(&recorder, NULL, stdout));
}

/* Memory of any size and alignment: nothing is written outside. */
CASE_WITH(test_memory, begin, NULL)
{
    size_t const least = smallest(OBJECTS);
    Loop loop;
    for (size_t extra = 0; extra < 40; extra++) {
        size_t const offset = 100 + extra % 17, size = least + extra + 16;
        memset(memory, 0xa5, sizeof memory);
        assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
        assert_int_equal(uf_recorder_attach(&recorder, &pump, memory + offset, size, OBJECTS), UF_OK);
        assert_int_equal(Loop_init(&loop, &pump, "loop"), UF_OK);
        assert_int_equal(Loop_start_Run(&loop, 200), UF_OK);
        assert_int_equal(uf_simulate_until_idle(&pump, UF_S(10)), UF_OK);
        for (size_t i = 0; i < sizeof memory; i++) {
            if (i < offset || i >= offset + size) assert_int_equal(memory[i], 0xa5);
        }
    }
}

/* A reader that comes after each few events has all of them; a reader that comes at the end has the newest. */
CASE_WITH(test_readers, begin, NULL)
{
    static uf_trace_cell all[20000], newest[20000];
    uf_recorder_cursor early = {.lost = 0}, late = {.lost = 0};
    size_t count = 0, more;
    Loop loop;
    assert_int_equal(uf_recorder_attach(&recorder, &pump, memory, 4096, OBJECTS), UF_OK);
    assert_int_equal(Loop_init(&loop, &pump, "loop"), UF_OK);
    assert_int_equal(Loop_start_Run(&loop, 2000), UF_OK);
    for (int ms = 1; uf_flow_running(&loop.uf); ms++) {
        (void)uf_simulate_until(&pump, UF_MS(ms));
        while ((more = uf_recorder_read(&recorder, &early, all + count, 7)) > 0) count += more;
        assert_true(count < sizeof all / sizeof *all - 100);
    }
    assert_int_equal(early.lost, 0);
    more = uf_recorder_read(&recorder, &late, newest, sizeof newest / sizeof *newest);
    assert_int_equal(more, recorder.header->capacity - 1);
    assert_memory_equal(newest, all + count - more, more * CELL);
    assert_int_equal(late.lost, 0);
    assert_int_equal(uf_recorder_read(&recorder, &late, newest, 10), 0);
}

/* Numbers of cells wrap without a gap. */
CASE_WITH(test_wrapped_numbers, begin, NULL)
{
    static uf_trace_cell cells[4096];
    uf_recorder_cursor cursor = {.lost = 0};
    size_t count = 0, more;
    Loop loop;
    assert_int_equal(uf_recorder_attach(&recorder, &pump, memory, 4096, OBJECTS), UF_OK);
    uint32_t const capacity = recorder.header->capacity;
    recorder.header->head = (UINT32_C(1) << 31) / capacity * capacity - capacity;
    recorder.header->full = 1;
    memset(recorder.events, 0, capacity * CELL);
    while (uf_recorder_read(&recorder, &cursor, cells, 100) > 0) continue;
    assert_int_equal(Loop_init(&loop, &pump, "loop"), UF_OK);
    assert_int_equal(Loop_start_Run(&loop, 100), UF_OK);
    for (int ms = 1; uf_flow_running(&loop.uf); ms++) {
        (void)uf_simulate_until(&pump, UF_MS(ms));
        while ((more = uf_recorder_read(&recorder, &cursor, cells + count, 5)) > 0) count += more;
    }
    assert_true(recorder.header->head < capacity * 10);
    assert_int_equal(cursor.lost, 0);
    uint32_t ordinal = 0;
    for (size_t i = 0; i < count; i++) {
        if (UF_CELL_KIND(cells[i].what) == UF_CELL_STEP) assert_int_equal(cells[i].b, ordinal++);
    }
    assert_int_equal(ordinal, 200);
}

/* Flows that find no room have the number 0, and are counted. */
CASE_WITH(test_no_room, begin, NULL)
{
    static char names[40][16];
    static Loop loops[40];
    uf_recorder_cursor cursor = {.lost = 0};
    uf_trace_cell cells[4096];
    unsigned named = 0, started = 0;
    assert_int_equal(uf_recorder_attach(&recorder, &pump, memory, sizeof memory, 10), UF_OK);
    for (int i = 0; i < 40; i++) {
        snprintf(names[i], sizeof names[i], "loop%d", i);
        assert_int_equal(Loop_init(&loops[i], &pump, names[i]), UF_OK);
        assert_int_equal(Loop_start_Run(&loops[i], 3), UF_OK);
    }
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
    size_t const count = uf_recorder_read(&recorder, &cursor, cells, 4096);
    for (size_t i = 0; i < count; i++) {
        if (UF_CELL_KIND(cells[i].what) != UF_CELL_STARTED) continue;
        started++;
        named += (cells[i].what & UF_CELL_OBJECT) != 0;
    }
    assert_int_equal(started, 40);
    assert_int_equal(named, 9); /* and their type */
    assert_true(recorder.header->undefined > 0);
}

/* -- other threads ------------------------------------------------------------------------------------------------- */

static atomic_bool over;

/* Each cell is one that the writer wrote, and they are in order: the writer counts. */
static void *read_all_the_time(void *unused)
{
    static _Thread_local uf_trace_cell cells[300];
    uf_recorder_cursor cursor = {.lost = 0};
    uint64_t before = 0, read = 0;
    (void)unused;
    while (!atomic_load(&over)) {
        size_t const count = uf_recorder_read(&recorder, &cursor, cells, 300);
        for (size_t i = 0; i < count; i++) {
            uint32_t const kind = UF_CELL_KIND(cells[i].what);
            uint64_t const number = cells[i].a;
            if (kind != UF_CELL_STOPPING) continue;
            if (number <= before || cells[i].b != 0) abort();
            before = number;
            read++;
        }
    }
    return (void *)(uintptr_t)read;
}

CASE_WITH(test_no_torn_event, begin, NULL)
{
    enum { READERS = 3, EVENTS = 2000000 };
    pthread_t readers[READERS];
    uf_stop_report report = {.phase = UF_STOP_NONE};
    void *read;
    assert_int_equal(uf_recorder_attach(&recorder, &pump, memory, smallest(1) + 200 * CELL, 1), UF_OK);
    atomic_store(&over, false);
    for (int i = 0; i < READERS; i++) assert_int_equal(pthread_create(&readers[i], NULL, read_all_the_time, NULL), 0);
    for (uint32_t i = 1; i <= EVENTS / (RUNNING_SLOWLY ? 20 : 1); i++) {
        report.phase = (uf_stop_phase)i; /* any number */
        recorder.observer.stopping(recorder.observer.context, &report);
    }
    atomic_store(&over, true);
    for (int i = 0; i < READERS; i++) assert_int_equal(pthread_join(readers[i], &read), 0);
}

static void nothing(void *unused)
{
    (void)unused;
}

/* A runtime, with the events that virtual time does not have, and a thread that writes all the time. */
CASE(test_a_runtime)
{
    static uf_trace_cell cells[60000];
    uf_recorder_cursor cursor = {.lost = 0}, streamed = {.lost = 0};
    FILE *const out = tmpfile();
    bool seen[UF_CELL_FIRST_DEFINITION] = {false};
    uf_runtime *runtime;
    uint64_t last = 0;
    Loop loop;
    assert_non_null(out);
    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.slow_step = 1, .slow_round = 1}), UF_OK);
    assert_int_equal(uf_recorder_init(&recorder, uf_runtime_pump(runtime), memory, sizeof memory, OBJECTS), UF_OK);
    assert_int_equal(uf_runtime_add_observer(runtime, &recorder.observer), UF_OK);
    assert_int_equal(Loop_init(&loop, uf_runtime_pump(runtime), "loop"), UF_OK);
    assert_int_equal(Loop_start_Run(&loop, 50), UF_OK);
    while (uf_flow_running(&loop.uf)) {
        assert_int_equal(uf_post_wait(runtime, nothing, NULL), UF_OK);
        assert_true(uf_recorder_write(&recorder, &streamed, out));
    }
    assert_int_equal(uf_runtime_stop(runtime, UF_S(10), NULL), UF_OK);
    size_t const count = uf_recorder_read(&recorder, &cursor, cells, sizeof cells / sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        uint32_t const kind = UF_CELL_KIND(cells[i].what);
        assert_true(kind < UF_CELL_FIRST_DEFINITION);
        seen[kind] = true;
        if (kind == UF_CELL_TIME) last = (uint64_t)cells[i].a << 32 | cells[i].time;
    }
    assert_true(last > 0 && seen[UF_CELL_POST] && seen[UF_CELL_POST_BEGAN] && seen[UF_CELL_SLOW_STEP] &&
                seen[UF_CELL_SLOW_ROUND]);
    assert_true(seen[UF_CELL_STOPPING] && seen[UF_CELL_STEP] && seen[UF_CELL_WAIT]);
    assert_int_equal(Loop_destroy(&loop), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    fclose(out);
}

/* A flow that waits since long before the ring begins is in each trace that another thread writes. */
static bool has_waiter(FILE *trace)
{
    uf_trace_cell cell;
    bool found = false;

    assert_int_equal(fseek(trace, sizeof(uf_trace_header), SEEK_SET), 0);
    while (fread(&cell, sizeof cell, 1, trace) == 1) {
        uf_trace_state state;
        uint32_t const kind = UF_CELL_KIND(cell.what), length = (cell.time + 15) / 16 * 16;
        if (kind < UF_CELL_FIRST_DEFINITION) continue;
        if (kind == UF_DEFINE_STATE) {
            assert_int_equal(fread(&state, sizeof state, 1, trace), 1);
            assert_int_equal(state.version % 2, 0);
            found |= UF_STATE_CELL_KIND(state.what) == UF_CELL_STARTED && UF_STATE_CELL_ARMS(state.what) == 1;
        }
        assert_int_equal(fseek(trace, (long)(kind == UF_DEFINE_STATE ? length - sizeof state : length), SEEK_CUR), 0);
    }
    return found;
}

CASE(test_states_on_other_threads)
{
    unsigned const traces = RUNNING_SLOWLY ? 30 : 300;
    uf_runtime *runtime;
    Loop loop, waiter;
    unsigned lapped = 0;
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    size_t const size = smallest(OBJECTS);
    assert_int_equal(uf_runtime_new(&runtime, NULL), UF_OK);
    assert_int_equal(uf_recorder_init(&recorder, uf_runtime_pump(runtime), memory, size, OBJECTS), UF_OK);
    assert_int_equal(uf_runtime_add_observer(runtime, &recorder.observer), UF_OK);
    assert_int_equal(Loop_init(&waiter, uf_runtime_pump(runtime), "waiter"), UF_OK);
    assert_int_equal(Loop_init(&loop, uf_runtime_pump(runtime), "loop"), UF_OK);
    assert_int_equal(Loop_start_Hang(&waiter), UF_OK);
    for (unsigned i = 0; i < traces; i++) {
        uf_recorder_cursor cursor = {.lost = 0};
        FILE *const out = tmpfile();
        assert_non_null(out);
        if (!uf_flow_running(&loop.uf)) assert_int_equal(Loop_start_Run(&loop, 1000), UF_OK);
        bool const full = __atomic_load_n(&recorder.header->full, __ATOMIC_ACQUIRE) != 0;
        assert_true(uf_recorder_write(&recorder, &cursor, out));
        if (full) assert_true(has_waiter(out));
        lapped += full;
        fclose(out);
        assert_int_equal(uf_post_wait(runtime, nothing, NULL), UF_OK);
    }
    assert_true(lapped > 0);
    assert_int_equal(uf_runtime_stop(runtime, 0, NULL), UF_OK);
    assert_int_equal(Loop_destroy(&loop), UF_OK);
    assert_int_equal(Loop_destroy(&waiter), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

/* The names of the signals in the arms of these cells. */
static size_t names_of(const uf_trace_cell *cells, size_t count, unsigned kind, uint32_t *names)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        bool const is_signal = UF_ARM_CELL_KIND(cells[i].a) == UF_ARM_SIGNAL;
        if (UF_CELL_KIND(cells[i].what) == kind && is_signal) names[found++] = cells[i].b;
    }
    return found;
}

static void attach(void)
{
    assert_int_equal(uf_recorder_attach(&recorder, &pump, memory, 8192, OBJECTS), UF_OK);
}

static void destroy(uf_signal *signal)
{
    uf_signal_destroy(signal);
    memset(signal, 0xa5, sizeof *signal);
    free(signal);
}

/* A signal that has released a flow may be gone before the flow runs. A recorder has its name since the wait began, and
 * a later one does not read it. */
CASE(test_signals_that_are_gone)
{
    static uf_trace_cell cells[400];
    for (int late = 0; late < 3; late++) { /* attached before the waits, before the fires, after the first fire */
        uf_signal *const bells[] = {malloc(sizeof(uf_signal)), malloc(sizeof(uf_signal))};
        uf_recorder_cursor cursor = {.lost = 0};
        uint32_t names[8], woken[8];
        Listener listener;
        assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
        assert_int_equal(Listener_init(&listener, &pump, "listener"), UF_OK);
        for (int i = 0; i < 2; i++) assert_non_null(bells[i]), uf_signal_init(bells[i], i ? "last" : "bell");
        if (late == 0) attach();
        assert_int_equal(Listener_start_Listen(&listener, bells[0], bells[1]), UF_OK);
        (void)uf_simulate_until(&pump, UF_MS(1));
        if (late == 1) attach();
        assert_int_equal(uf_signal_fire(bells[0]), 1);
        destroy(bells[0]);
        (void)uf_simulate_until(&pump, UF_MS(2));
        if (late == 2) attach();
        uf_recorder_catch_up(&recorder);
        assert_int_equal(uf_signal_fire(bells[1]), 1);
        (void)uf_simulate_until(&pump, UF_MS(3));
        assert_int_equal(uf_signal_fire(bells[1]), 1);
        destroy(bells[1]);
        assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
        size_t const count = uf_recorder_read(&recorder, &cursor, cells, sizeof cells / sizeof *cells);
        assert_int_equal(names_of(cells, count, UF_CELL_WAIT, names), late == 0 ? 3 : 1);
        assert_int_equal(names_of(cells, count, UF_CELL_WOKEN, woken), 3);
        if (late == 0) assert_memory_equal(woken, names, 3 * sizeof *names);
        assert_int_equal(woken[2], names[late == 0 ? 2 : 0]);
        assert_int_not_equal(woken[2], 0);
        assert_int_equal(Listener_destroy(&listener), UF_OK);
        assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    }
}
