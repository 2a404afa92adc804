/* recorder_file.c - a recorder's events and definitions as a stream; trace_format.h describes it. */
#include "uflow/recorder_file.h"
#include "uflow/generated.h"

#include <string.h>

#include "port.h"

#define CHUNK 256 /* cells copied at once */

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

/* What a descriptor knows, right after the definition of its type. */
static void put_type(FILE *out, uint32_t object, const uf_flow_type *type)
{
    for (uint32_t i = 0; i < type->task_count; i++) {
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
    for (uint32_t i = 0; i < type->job_count; i++) {
        uf_job_info const *const job = &type->jobs[i];
        put_definition(out, UF_DEFINE_JOB, object, i | (uint32_t)job->task << 16, 0, job->name);
    }
}

/* Definitions never change, so all that `defined` covers may be read. An address is no part of a stream. */
static void put_definitions(FILE *out, const uf_recorder *recorder, uf_recorder_cursor *cursor)
{
    uint32_t const defined = ufp_load_acquire(&recorder->header->defined);

    while (cursor->defined < defined) {
        uf_trace_cell const *const at = &recorder->definitions[cursor->defined];
        size_t const cells = 1 + (at->time + sizeof *at - 1) / sizeof *at;
        bool const is_type = UF_CELL_KIND(at->what) == UF_DEFINE_TYPE;
        uf_trace_cell first = *at;
        uint64_t const address = (uint64_t)at->b << 32 | at->a;

        if (is_type) first.a = first.b = 0;
        put_cells(out, &first, 1);
        put_cells(out, at + 1, cells - 1);
        if (is_type) put_type(out, at->what & UF_CELL_OBJECT, (const uf_flow_type *)(uintptr_t)address);
        cursor->defined += (uint32_t)cells;
    }
}

static void put_header(FILE *out, const uf_recorder *recorder)
{
    uf_trace_header header = {
        .order = UF_TRACE_ORDER,
        .version = UF_TRACE_VERSION,
        .kind = UF_TRACE_STREAM,
        .undefined = ufp_load_acquire(&recorder->header->undefined),
    };
    memcpy(header.magic, UF_TRACE_MAGIC, sizeof header.magic);
    (void)fwrite(&header, sizeof header, 1, out);
}

/* Reads events first: what they refer to is defined by then. Ends at the events that were there at the beginning, or a
 * little later, since a pump that runs adds more all the time. */
bool uf_recorder_write(const uf_recorder *recorder, uf_recorder_cursor *cursor, FILE *out)
{
    uf_trace_cell cells[CHUNK];

    if (!recorder || !recorder->header || !cursor || !out) return false;
    if (!cursor->began) put_header(out, recorder);
    for (uint32_t left = recorder->header->capacity; left > 0;) {
        size_t const count = uf_recorder_read(recorder, cursor, cells, left < CHUNK ? left : CHUNK);
        if (count == 0) break;
        put_definitions(out, recorder, cursor);
        put_cells(out, cells, count);
        left -= (uint32_t)count;
    }
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
