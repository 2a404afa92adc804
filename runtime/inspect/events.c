/* SPDX-License-Identifier: MIT */
/* events.c - what a recorder has recorded: counts of runs and steps, and transitions as lines. See trace_format.h. */
#include "inspecting.h"

#include <inttypes.h>
#include <stdlib.h>

#define CELLS      256 /* copied at once */
#define MOST_CELLS (1u << 20)

/* The object that a number of the recorder denotes. Names are copied: a flow may be gone. */
typedef struct object {
    unsigned kind; /* UF_DEFINE_TYPE, UF_DEFINE_FLOW, UF_DEFINE_NAME; 0: none */
    const uf_flow_type *type;
    uint32_t type_number;   /* of a flow */
    ufi_step_counts *steps; /* of a type */
    char *path;             /* path of a flow, or text of a name */
    size_t parent_length;   /* of the parent's path in `path`; 0: none */
    uint32_t armer;         /* of a checkpoint's name: the flow that has armed it; 0: not known */
    uint32_t step;          /* NO_STEP: not known */
    uf_time entered;
    ufi_history history;
} object;

#define NO_STEP UINT32_MAX

struct ufi_events {
    const uf_recorder *recorder;
    ufi_on_line *on_line;
    void *context;
    uf_recorder_cursor cursor;
    uint32_t defined;
    object *objects;
    uint32_t count;   /* of `objects`, which begins with the number 0 */
    uint32_t *sorted; /* flows by path */
    uint32_t sorted_count;
    size_t capacity, sorted_capacity;
    bool has_time, has_lines;
    uint64_t high, lost;
    uf_time since;
    char text[UF_REASON_SIZE + 8]; /* of the next event: its reason or description */
    bool is_reason;
};

ufi_events *ufi_events_new(const uf_recorder *recorder, ufi_on_line *on_line, void *context)
{
    ufi_events *const events = ufp_allocate(sizeof *events);
    if (events) *events = (ufi_events){.recorder = recorder, .on_line = on_line, .context = context, .since = -1};
    return events;
}

void ufi_events_free(ufi_events *events)
{
    if (!events) return;
    for (uint32_t i = 0; i < events->count; i++) {
        ufp_free(events->objects[i].steps);
        ufp_free(events->objects[i].path);
    }
    ufp_free(events->objects);
    ufp_free(events->sorted);
    ufp_free(events);
}

uint64_t ufi_events_lost(const ufi_events *events)
{
    return events->cursor.lost;
}

uf_time ufi_events_since(const ufi_events *events)
{
    return events->since;
}

uint64_t ufi_events_failures(const ufi_events *events)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < events->count; i++) count += events->objects[i].history.failed;
    return count;
}

/* -- definitions --------------------------------------------------------------------------------------------------- */

static object *object_of(const ufi_events *events, uint32_t number, unsigned kind)
{
    object *const found = number < events->count ? &events->objects[number] : NULL;
    return found && found->kind == kind ? found : NULL;
}

/* Returns: NULL if an allocation failed. */
static object *add_object(ufi_events *events, uint32_t number)
{
    object *const all = ufp_grown(events->objects, &events->capacity, number, sizeof *all);

    if (!all) return NULL;
    events->objects = all;
    if (number >= events->count) events->count = number + 1;
    return &events->objects[number];
}

static void define_type(object *to, const uf_trace_cell *cell)
{
    uf_flow_type const *const type = (const uf_flow_type *)(uintptr_t)((uint64_t)cell->b << 32 | cell->a);

    to->steps = ufp_allocate((type->step_count + 1u) * sizeof *to->steps);
    if (!to->steps) return;
    for (uint32_t i = 0; i < type->step_count; i++) to->steps[i] = (ufi_step_counts){.type = type, .step = i};
    to->type = type;
    to->kind = UF_DEFINE_TYPE;
}

static void define_flow(const ufi_events *events, object *to, const uf_trace_cell *cell)
{
    object const *const type = object_of(events, cell->a, UF_DEFINE_TYPE);
    object const *const parent = object_of(events, cell->b, UF_DEFINE_FLOW);
    char const *const name = (const char *)(cell + 1), *const above = parent ? parent->path : "";
    size_t const upper = strlen(above), length = upper + (upper > 0) + cell->time;

    if (!type) return;
    to->path = ufp_allocate(length + 1);
    if (!to->path) return;
    memcpy(to->path, above, upper);
    if (upper) to->path[upper] = '.';
    memcpy(to->path + upper + (upper > 0), name, cell->time);
    to->type = type->type;
    to->type_number = cell->a;
    to->parent_length = upper;
    to->step = NO_STEP;
    to->kind = UF_DEFINE_FLOW;
}

static void define_name(object *to, const uf_trace_cell *cell)
{
    to->path = ufp_allocate(cell->time + 1);
    if (!to->path) return;
    memcpy(to->path, cell + 1, cell->time);
    to->kind = UF_DEFINE_NAME;
}

/* The place in `sorted` behind all flows with this path or an earlier one. */
static uint32_t place_after(const ufi_events *events, const char *path)
{
    uint32_t from = 0, to = events->sorted_count;

    while (from < to) {
        uint32_t const middle = from + (to - from) / 2;
        if (strcmp(events->objects[events->sorted[middle]].path, path) <= 0) from = middle + 1;
        else to = middle;
    }
    return from;
}

/* Keeps `sorted` in order. New flows are few. */
static void sort_in(ufi_events *events, uint32_t number)
{
    uint32_t const from = place_after(events, events->objects[number].path);

    uint32_t *const all = ufp_grown(events->sorted, &events->sorted_capacity, events->sorted_count, sizeof *all);

    if (!all) return;
    events->sorted = all;
    memmove(events->sorted + from + 1, events->sorted + from, (events->sorted_count - from) * sizeof *events->sorted);
    events->sorted[from] = number;
    events->sorted_count++;
}

/* All that `defined` covers may be read: only the words of states change, of which just the place is noted. */
static void read_definitions(ufi_events *events)
{
    uint32_t const defined = ufp_load_acquire(&events->recorder->header->defined);

    while (events->defined < defined) {
        uf_trace_cell const *const cell = &events->recorder->definitions[events->defined];
        unsigned const kind = UF_CELL_KIND(cell->what);
        uint32_t const number = cell->what & UF_CELL_OBJECT;
        bool const is_state = kind == UF_DEFINE_STATE;
        object *const to = is_state ? NULL : add_object(events, number);
        object *const of = is_state ? object_of(events, number, UF_DEFINE_FLOW) : NULL;
        if (of) of->history.state = (const uf_trace_state *)(const void *)(cell + 1);
        if (to && kind == UF_DEFINE_NAME) define_name(to, cell);
        if (to && kind == UF_DEFINE_TYPE) define_type(to, cell);
        if (to && kind == UF_DEFINE_FLOW) define_flow(events, to, cell);
        if (to && to->kind == UF_DEFINE_FLOW) sort_in(events, number);
        events->defined += (uint32_t)UF_DEFINITION_CELLS(cell->time);
    }
}

/* -- events -------------------------------------------------------------------------------------------------------- */

static const uf_step_info *step_info(const object *flow, uint32_t step)
{
    return step < flow->type->step_count ? &flow->type->steps[step] : NULL;
}

static const char *task_name(const object *flow, const uf_step_info *step)
{
    return step ? flow->type->tasks[step->task].name : "?";
}

static void leave_step(const ufi_events *events, object *flow, uf_time time, uint32_t ticks)
{
    uf_time const took = time - flow->entered;

    if (!step_info(flow, flow->step)) return;
    ufi_step_counts *const counts = &events->objects[flow->type_number].steps[flow->step];
    counts->visits++;
    counts->ticks += ticks;
    counts->total = uf_time_add(counts->total, took);
    if (took > counts->longest) counts->longest = took;
}

static void put_step(ufi_buffer *line, const char *what, const object *flow, uint32_t step)
{
    uf_step_info const *const info = step_info(flow, step);

    if (!info) return;
    ufi_buffer_print(line, ",\"%stask\":", what);
    ufi_buffer_string(line, task_name(flow, info));
    ufi_buffer_print(line, ",\"%sstep\":", what);
    ufi_buffer_string(line, info->name);
    ufi_buffer_print(line, ",\"%sline\":%" PRIu32, what, info->line);
}

/* One line of JSON. */
static void put_line(const ufi_events *events, const object *flow, const char *what, uf_time time, uint32_t next)
{
    ufi_buffer line = {.data = NULL};

    if (!events->has_lines) return;
    ufi_buffer_print(&line, "{\"time\":");
    ufi_buffer_seconds(&line, time);
    ufi_buffer_print(&line, ",\"flow\":");
    ufi_buffer_string(&line, flow->path);
    ufi_buffer_print(&line, ",\"event\":\"%s\"", what);
    put_step(&line, "", flow, flow->step);
    put_step(&line, "to_", flow, next);
    if (flow->step != NO_STEP) {
        ufi_buffer_print(&line, ",\"after\":");
        ufi_buffer_seconds(&line, time - flow->entered);
    }
    if (events->text[0]) {
        ufi_buffer_print(&line, events->is_reason ? ",\"reason\":" : ",\"description\":");
        ufi_buffer_string(&line, events->text);
    }
    ufi_buffer_print(&line, "}\n");
    if (!line.failed) events->on_line(events->context, flow->path, line.data, line.length);
    ufi_buffer_free(&line);
}

static void enter_step(object *flow, uint32_t step, uf_time time)
{
    flow->step = step_info(flow, step) ? step : NO_STEP;
    flow->entered = time;
}

static void end_run(const ufi_events *events, object *flow, const uf_trace_cell *cell, uf_time time)
{
    uf_outcome const outcome = (uf_outcome)(cell->a >> 16);
    ufi_history *const history = &flow->history;
    uf_step_info const *const step = step_info(flow, cell->a & 0xffff);

    leave_step(events, flow, time, 1);
    put_line(events, flow, uf_outcome_text(outcome), time, NO_STEP);
    history->done += outcome == UF_DONE;
    history->cancelled += outcome == UF_CANCELLED;
    history->failed += outcome == UF_FAILED;
    flow->step = NO_STEP;
    if (outcome != UF_FAILED || !step) return;
    history->failed_at = time;
    history->task = task_name(flow, step);
    history->step = step->name;
    history->line = step->line;
    memset(history->reason, 0, sizeof history->reason);
    if (events->is_reason) memcpy(history->reason, events->text, sizeof history->reason - 1);
}

static void collect_text(ufi_events *events, const uf_trace_cell *cell)
{
    size_t const at = (size_t)cell->time * 8;

    if (at == 0) memset(events->text, 0, sizeof events->text);
    if (cell->time >= sizeof events->text / 8) return;
    for (unsigned i = 0; i < 8; i++) events->text[at + i] = (char)((i < 4 ? cell->a : cell->b) >> 8 * (i % 4) & 0xff);
    events->text[sizeof events->text - 1] = '\0';
}

static void apply(ufi_events *events, const uf_trace_cell *cell)
{
    unsigned const kind = UF_CELL_KIND(cell->what);
    uf_time const time = (uf_time)(events->high << 32 | cell->time);
    object *const flow = object_of(events, cell->what & UF_CELL_OBJECT, UF_DEFINE_FLOW);

    if (kind == UF_CELL_DESCRIPTION || kind == UF_CELL_REASON) {
        collect_text(events, cell);
        events->is_reason = kind == UF_CELL_REASON;
        return;
    }
    /* After a resume, a thread may arm the checkpoint again, which no event tells. */
    bool const tells = kind == UF_CELL_ARMS || kind == UF_CELL_RESUMES || kind == UF_CELL_SIGNAL;
    object *const name = tells ? object_of(events, cell->a, UF_DEFINE_NAME) : NULL;
    if (name) name->armer = kind == UF_CELL_ARMS ? cell->what & UF_CELL_OBJECT : 0;
    if (flow && events->has_time) {
        if (events->since < 0) events->since = time;
        if (kind == UF_CELL_STARTED) {
            flow->step = NO_STEP;
            put_line(events, flow, "started", time, cell->a & 0xffff);
            enter_step(flow, cell->a & 0xffff, time);
        } else if (kind == UF_CELL_STEP) {
            leave_step(events, flow, time, cell->a >> 16);
            put_line(events, flow, "step", time, cell->a & 0xffff);
            enter_step(flow, cell->a & 0xffff, time);
        } else if (kind == UF_CELL_PAUSED || kind == UF_CELL_RESUMED) {
            put_line(events, flow, kind == UF_CELL_PAUSED ? "paused" : "resumed", time, NO_STEP);
        } else if (kind == UF_CELL_KEEPING) {
            put_line(events, flow, uf_keeping_text((uf_keeping)cell->a), time, NO_STEP);
        } else if (kind == UF_CELL_ENDED) {
            end_run(events, flow, cell, time);
        }
    }
    events->text[0] = '\0';
    events->is_reason = false;
}

/* After a gap, neither the time nor the steps of flows are known. */
static void note_gap(ufi_events *events)
{
    events->lost = events->cursor.lost;
    events->has_time = false;
    events->text[0] = '\0';
    for (uint32_t i = 0; i < events->count; i++) {
        events->objects[i].step = NO_STEP;
        events->objects[i].armer = 0;
    }
}

void ufi_events_read(ufi_events *events, bool lines)
{
    uf_trace_cell cells[CELLS];
    size_t count;

    events->has_lines = lines && events->on_line;
    for (uint32_t read = 0; read < MOST_CELLS; read += (uint32_t)count) {
        count = uf_recorder_read(events->recorder, &events->cursor, cells, CELLS);
        if (count == 0) return;
        if (events->cursor.lost != events->lost) note_gap(events);
        read_definitions(events);
        for (size_t i = 0; i < count; i++) {
            if (UF_CELL_KIND(cells[i].what) != UF_CELL_TIME) apply(events, &cells[i]);
            else events->high = cells[i].a, events->has_time = true;
        }
    }
}

/* -- answers ------------------------------------------------------------------------------------------------------- */

const ufi_history *ufi_events_of(const ufi_events *events, const char *path)
{
    uint32_t const place = place_after(events, path);
    object const *const found = place > 0 ? &events->objects[events->sorted[place - 1]] : NULL;
    return found && strcmp(found->path, path) == 0 ? &found->history : NULL;
}

uf_time ufi_end_of(const ufi_history *history)
{
    ufi_state_copy copy;

    if (!history->state || !ufi_copy_state(history->state, &copy)) return -1;
    if (UF_STATE_CELL_KIND(copy.state.what) != UF_CELL_ENDED) return -1;
    return ufi_entered_by(&copy.state);
}

const char *ufi_events_name(const ufi_events *events, uint32_t number)
{
    char const *const name = number < events->count ? events->objects[number].path : NULL;
    return name ? name : "";
}

void ufi_events_flows(const ufi_events *events, ufi_on_recorded *flow, void *context)
{
    for (uint32_t i = 0; i < events->count; i++) {
        object const *const of = &events->objects[i];
        if (of->kind != UF_DEFINE_FLOW || !of->history.state) continue;
        flow(context, &(ufi_recorded){.number = i,
                                      .type = of->type,
                                      .state = of->history.state,
                                      .path = of->path,
                                      .parent_length = of->parent_length});
    }
}

const char *ufi_events_armer(const ufi_events *events, const char *checkpoint, size_t length)
{
    for (uint32_t i = 0; i < events->count; i++) {
        object const *const name = &events->objects[i], *const armer = object_of(events, name->armer, UF_DEFINE_FLOW);
        bool const is_checkpoint = name->kind == UF_DEFINE_NAME && armer && strlen(name->path) == length;
        if (is_checkpoint && memcmp(name->path, checkpoint, length) == 0) return armer->path;
    }
    return NULL;
}

void ufi_events_steps(const ufi_events *events, ufi_on_step *step, void *context)
{
    for (uint32_t i = 0; i < events->count; i++) {
        object const *const type = &events->objects[i];
        if (type->kind != UF_DEFINE_TYPE) continue;
        for (uint32_t at = 0; at < type->type->step_count; at++) {
            if (type->steps[at].visits > 0) step(context, &type->steps[at]);
        }
    }
}
