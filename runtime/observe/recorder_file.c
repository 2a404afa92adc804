/* SPDX-License-Identifier: MIT */
/* recorder_file.c - a recorder's events and definitions as a stream; trace_format.h describes it. */
#include "uflow/recorder_file.h"
#include "uflow/generated.h"

#include <string.h>

#include "port_host.h"
#include "recorder_states.h"

#define CHUNK     256  /* cells copied at once */
#define GAPS_MOST 8    /* in a call: a small ring and a busy pump may make more all the time */
#define PATIENCE  1000 /* tries, for a state that is being changed */

static void put_cells(FILE *out, const uf_trace_cell *cells, size_t count)
{
    (void)fwrite(cells, sizeof *cells, count, out); /* the caller asks ferror() */
}

static void put_definition(FILE *out, unsigned kind, uint32_t object, uint32_t a, uint32_t b, const char *text)
{
    static const char padding[sizeof(uf_trace_cell)];
    size_t const length = strlen(text), rest = length % sizeof padding;
    uf_trace_cell const cell = {.time = (uint32_t)length, .what = UF_CELL_WHAT(kind, object), .a = a, .b = b};

    put_cells(out, &cell, 1);
    (void)fwrite(text, 1, length, out);
    if (rest) (void)fwrite(padding, 1, sizeof padding - rest, out);
}

/* The number of tasks and groups. The last group holds a task. */
static uint32_t row_count(const uf_flow_type *type)
{
    uint32_t rows = type->task_count;

    for (uint32_t i = 0; i < type->task_count; i++) {
        if (type->tasks[i].group > rows) rows = type->tasks[i].group;
    }
    return rows;
}

/* The data of a descriptor, directly after the definition of its type. */
static void put_type(FILE *out, uint32_t object, const uf_flow_type *type)
{
    for (uint32_t i = 0, rows = row_count(type); i < rows; i++) {
        put_definition(out, UF_DEFINE_TASK, object, i, type->tasks[i].line, type->tasks[i].name);
    }
    for (uint32_t i = 0; i < type->step_count; i++) {
        uf_step_info const *const step = &type->steps[i];
        put_definition(out, UF_DEFINE_PLACE, object, i | (uint32_t)step->task << 16, step->line, step->name);
    }
    for (uint32_t i = 0; i < type->edge_count; i++) {
        uf_edge_info const *const edge = &type->edges[i];
        uint32_t const line = edge->line < UF_CELL_OBJECT ? edge->line : UF_CELL_OBJECT;
        put_definition(out, UF_DEFINE_EDGE, object, edge->from | (uint32_t)edge->to << 16,
                       line | (uint32_t)edge->kind << 24, "");
    }
    uf_preempt_info const *handler = type->preempts;
    for (uint32_t i = 0; i < type->preempt_count; i++) {
        if (type->preempts[i].line) handler = &type->preempts[i]; /* else a further element of an array */
        put_definition(out, UF_DEFINE_HANDLER, object, i | (uint32_t)handler->task << 16, handler->line, "");
    }
    for (uint32_t i = 0; i < type->job_count; i++) {
        uf_job_info const *const job = &type->jobs[i];
        put_definition(out, UF_DEFINE_JOB, object, i | (uint32_t)job->task << 16, 0, job->name);
    }
}

/* Definitions never change, except states, which put_states() writes. So all definitions that `defined` covers may be
 * read. An address is no part of a stream. */
static void put_definitions(FILE *out, const uf_recorder *recorder, uf_recorder_cursor *cursor)
{
    uint32_t const defined = ufp_load_acquire(&recorder->header->defined);

    while (cursor->defined < defined) {
        uf_trace_cell const *const at = &recorder->definitions[cursor->defined];
        unsigned const kind = UF_CELL_KIND(at->what);
        uf_trace_cell first = *at;
        uint64_t const address = (uint64_t)at->b << 32 | at->a;

        cursor->defined += (uint32_t)UF_DEFINITION_CELLS(at->time);
        if (kind == UF_DEFINE_STATE) continue;
        if (kind == UF_DEFINE_TYPE) first.a = first.b = 0;
        put_cells(out, &first, 1);
        put_cells(out, at + 1, UF_DEFINITION_CELLS(at->time) - 1);
        if (kind == UF_DEFINE_TYPE) put_type(out, at->what & UF_CELL_OBJECT, (const uf_flow_type *)(uintptr_t)address);
    }
}

/* -- states -------------------------------------------------------------------------------------------------------- */

static size_t size_of(const uf_trace_state *state)
{
    uint32_t const arms = UF_STATE_CELL_ARMS(state->what);
    return sizeof *state + (arms < UF_STATE_CELL_MOST ? arms : UF_STATE_CELL_MOST) * 2 * sizeof(uint32_t);
}

bool ufi_copy_state(const uf_trace_state *state, ufi_state_copy *copy)
{
    uint32_t *const to = (uint32_t *)copy;
    uint32_t const *const from = (const uint32_t *)state;

    for (unsigned tries = 0; tries < PATIENCE; tries++) {
        uint32_t const version = to[0] = ufp_load_acquire(&state->version);
        for (size_t i = 1; i < sizeof *state / sizeof *to; i++) to[i] = ufp_load_acquire(&from[i]);
        for (size_t i = sizeof *state / sizeof *to; i < size_of(&copy->state) / sizeof *to; i++)
            to[i] = ufp_load_acquire(&from[i]);
        if (version % 2 == 0 && version == ufp_load_acquire(&state->version)) return true;
        ufp_spin_pause();
    }
    return false;
}

/* All states, after the definitions. While the ring is not full, only of flows that ran before the recorder. */
static void put_states(FILE *out, const uf_recorder *recorder, uint32_t defined, bool full)
{
    ufi_state_copy copy;

    for (uint32_t i = 0; i < defined; i += (uint32_t)UF_DEFINITION_CELLS(recorder->definitions[i].time)) {
        uf_trace_cell cell = recorder->definitions[i];
        if (UF_CELL_KIND(cell.what) != UF_DEFINE_STATE) continue;
        if (!ufi_copy_state((const uf_trace_state *)(const void *)(&recorder->definitions[i] + 1), &copy)) continue;
        if (copy.state.what == 0 || !(full || copy.state.what & UF_STATE_CELL_EARLY)) continue;
        cell.time = (uint32_t)size_of(&copy.state);
        memset((char *)&copy + cell.time, 0, sizeof cell);
        put_cells(out, &cell, 1);
        put_cells(out, (const uf_trace_cell *)(const void *)&copy, UF_DEFINITION_CELLS(cell.time) - 1);
    }
}

/* The end of a stream has the time up to which pending waits have lasted, and the time of day. In a simulation, times
 * are not those of the machine. */
static void put_now(FILE *out, const uf_recorder *recorder)
{
#if defined(UFP_BARE) || !__STDC_HOSTED__
    (void)out;
    (void)recorder;
#else
    uint64_t const now = (uint64_t)ufp_monotonic_now(), wall = (uint64_t)ufp_time_of_day();
    if (!ufp_load_acquire(&recorder->is_real) || wall == 0) return;
    uf_trace_cell const cells[] = {
        {.time = 2 * sizeof(uint32_t),
         .what = UF_CELL_WHAT(UF_DEFINE_NOW, 0),
         .a = (uint32_t)now,
         .b = (uint32_t)(now >> 32)},
        {.time = (uint32_t)wall, .what = (uint32_t)(wall >> 32)},
    };
    put_cells(out, cells, 2);
#endif
}

/* -- the stream ---------------------------------------------------------------------------------------------------- */

static void put_header(FILE *out, const uf_recorder *recorder)
{
    uf_trace_header header = {
        .order = UF_TRACE_ORDER,
        .version = UF_TRACE_VERSION,
        .kind = UF_TRACE_STREAM,
        .full = 1, /* its states count */
        .undefined = ufp_load_acquire(&recorder->header->undefined),
    };
    memcpy(header.magic, UF_TRACE_MAGIC, sizeof header.magic);
    (void)fwrite(&header, sizeof header, 1, out);
}

/* Reads events first: the objects that they refer to are defined by then. Where events are missing, the states come
 * before them. The states are newer than these events. So it reads on to the events that were there by then, or a
 * little later, since a running pump adds more all the time. */
bool uf_recorder_write(const uf_recorder *recorder, uf_recorder_cursor *cursor, FILE *out)
{
    uf_trace_cell cells[CHUNK];
    unsigned gaps = 0;

    if (!recorder || !recorder->header || !cursor || !out) return false;
    if (!cursor->began) {
        put_header(out, recorder);
        put_now(out, recorder); /* for the times of day in what follows */
    }
    for (uint32_t left = recorder->header->capacity; left > 0;) {
        uint64_t const lost = cursor->lost;
        bool const begins = !cursor->began;
        size_t const count = uf_recorder_read(recorder, cursor, cells, left < CHUNK ? left : CHUNK);
        bool const lapped = cursor->lost != lost || ufp_load_acquire(&recorder->header->full);

        put_definitions(out, recorder, cursor);
        if (begins || cursor->lost != lost) {
            put_states(out, recorder, cursor->defined, lapped);
            if (gaps++ < GAPS_MOST) left = recorder->header->capacity;
        }
        if (count == 0) break;
        put_cells(out, cells, count);
        left -= (uint32_t)count;
    }
    put_now(out, recorder);
    return fflush(out) == 0 && !ferror(out);
}

bool uf_recorder_save(const uf_recorder *recorder, const char *path)
{
    uf_recorder_cursor cursor = {.began = false};
    FILE *const out = recorder && path ? fopen(path, "wb") : NULL;

    if (!out) return false;
    bool const written = uf_recorder_write(recorder, &cursor, out);
    return (fclose(out) == 0) && written;
}
