/* SPDX-License-Identifier: MIT */
/* recorder.c - the flight recorder: events as numbers, in a ring.
 *
 * The pump's thread is the only writer. Every store of a cell is a release, and so is the store of `head` after it.
 * So a reader that has loaded a word of a newer cell also sees that the cell before it is complete; see
 * uf_recorder_read(). Definitions are only appended: a reader that has loaded `defined` may read all before it. Among
 * them, the states of flows change; each has a version, by which a reader detects a change.
 *
 * The ring loses the oldest events, and with them the steps and waits of the flows that are stuck. The ring does not
 * hold the states, so no number of laps loses them. */
#include "recording.h"

#define CELLS_PER_NAME 6 /* of a flow: two for its name, four for its state with two arms or handlers */
#define FEWEST_EVENTS  64

/* -- the ring ------------------------------------------------------------------------------------------------------ */

static void store_cell(uf_trace_cell *cell, uint32_t time, uint32_t what, uint32_t a, uint32_t b)
{
    ufp_store_release(&cell->time, time);
    ufp_store_release(&cell->what, what);
    ufp_store_release(&cell->a, a);
    ufp_store_release(&cell->b, b);
}

/* Numbers of cells wrap here, so that a number determines the index. */
static uint32_t limit_of(uint32_t capacity)
{
    return (UINT32_C(1) << 31) / capacity * capacity;
}

UF_NOINLINE static void begin_lap(uf_recorder *recorder)
{
    uf_trace_header *const header = recorder->header;
    uint32_t const head = header->head + 1;

    recorder->at = 0;
    ufp_store_release(&header->full, 1);
    ufp_store_release(&header->head, head == limit_of(header->capacity) ? 0 : head);
}

static inline void append(uf_recorder *recorder, uint32_t time, uint32_t what, uint32_t a, uint32_t b)
{
    uf_trace_header *const header = recorder->header;

    store_cell(&recorder->events[recorder->at], time, what, a, b);
    if (++recorder->at == header->capacity) begin_lap(recorder);
    else ufp_store_release(&header->head, header->head + 1);
}

UF_NOINLINE static void append_time(uf_recorder *recorder, uf_time now)
{
    uint32_t const before = recorder->high;

    ufi_note_clock(recorder);
    recorder->high = (uint32_t)((uint64_t)now >> 32);
    recorder->synced = recorder->header->head;
    append(recorder, (uint32_t)now, UF_CELL_WHAT(UF_CELL_TIME, 0), recorder->high, before);
}

UF_NOINLINE static void append_round(uf_recorder *recorder, uint32_t time)
{
    uint64_t const round = recorder->round = recorder->pump->round;

    if (recorder->without_rounds) return;
    append(recorder, time, UF_CELL_WHAT(UF_CELL_ROUND, 0), (uint32_t)round, (uint32_t)(round >> 32));
}

void ufi_record(uf_recorder *recorder, uint32_t kind, uint32_t object, uint32_t a, uint32_t b)
{
    uf_time const now = recorder->pump->clock.logical;
    uint32_t const high = (uint32_t)((uint64_t)now >> 32);

    if (high != recorder->high || recorder->header->head - recorder->synced >= recorder->sync)
        append_time(recorder, now);
    if (recorder->round != recorder->pump->round) append_round(recorder, (uint32_t)now);
    append(recorder, (uint32_t)now, UF_CELL_WHAT(kind, object), a, b);
}

/* A pump's thread that runs behind a runtime, and has never frozen or scaled its clock. */
void ufi_note_clock(uf_recorder *recorder)
{
    uf_pump const *const pump = recorder->pump;
    ufp_store_release(&recorder->is_real, ufi_host(pump) && ufi_real_time(pump) == pump->clock.logical);
}

/* Bytes of a text as a number, the first one lowest, so that the byte order of the machine does not matter. */
static uint32_t bytes_of(const char **text)
{
    uint32_t word = 0;

    for (unsigned i = 0; i < sizeof word && **text; i++) word |= (uint32_t)(unsigned char)*(*text)++ << 8 * i;
    return word;
}

/* A text as one cell per 8 bytes. */
void ufi_record_text(uf_recorder *recorder, uint32_t kind, uint32_t object, const char *text)
{
    for (uint32_t position = 0; *text; position++) {
        uint32_t const a = bytes_of(&text), b = bytes_of(&text);
        append(recorder, position, UF_CELL_WHAT(kind, object), a, b);
    }
}

/* -- definitions --------------------------------------------------------------------------------------------------- */

/* Appends a definition with one or two texts. Returns: false if there is no room. */
static bool append_definition(uf_recorder *recorder, uint32_t what, uint32_t a, uint32_t b, const char *first,
                              const char *second)
{
    uf_trace_header *const header = recorder->header;
    size_t const one = ufi_length(first), two = second ? 1 + ufi_length(second) : 0, length = one + two;
    size_t const cells = UF_DEFINITION_CELLS(length);
    uf_trace_cell *const cell = &recorder->definitions[header->defined];
    unsigned char *const text = (unsigned char *)(cell + 1);

    if (cells > header->definitions_capacity - header->defined) return false;
    *cell = (uf_trace_cell){.time = (uint32_t)length, .what = what, .a = a, .b = b};
    memset(text, 0, (cells - 1) * sizeof *cell);
    memcpy(text, first, one);
    if (second) memcpy(text + one + 1, second, two - 1);
    ufp_store_release(&header->defined, header->defined + (uint32_t)cells);
    return true;
}

static uint32_t undefined(const uf_recorder *recorder)
{
    ufp_store_release(&recorder->header->undefined, recorder->header->undefined + 1);
    return UFI_NO_OBJECT;
}

/* The slot of an object, or the free slot for it: a hash table with linear probing, which is never full. */
static uf_recorder_slot *find_slot(const uf_recorder *recorder, const void *key, const uf_flow_type *type,
                                   const char *name)
{
    uint32_t const hash = (uint32_t)((uintptr_t)key >> 3) * UINT32_C(2654435769);
    uint32_t at = (uint32_t)((uint64_t)hash * recorder->slot_count >> 32);

    for (;;) {
        uf_recorder_slot *const slot = &recorder->slots[at];
        if (!slot->key || (slot->key == key && slot->type == type && slot->name == name)) return slot;
        if (++at == recorder->slot_count) at = 0;
    }
}

/* Numbers an object. Returns: its number; UFI_NO_OBJECT: there is no room for its definition. */
static uint32_t add_object(uf_recorder *recorder, uf_recorder_slot *slot, const uf_recorder_slot *as, uint32_t kind,
                           uint32_t a, uint32_t b, const char *first, const char *second)
{
    uint32_t const object = recorder->objects + 1;

    if (recorder->objects == recorder->objects_most) return undefined(recorder);
    if (!append_definition(recorder, UF_CELL_WHAT(kind, object), a, b, first, second)) return undefined(recorder);
    recorder->objects = object;
    *slot = *as;
    slot->object = object;
    return object;
}

static uint32_t number_of_type(uf_recorder *recorder, const uf_flow_type *type)
{
    uf_recorder_slot *const slot = find_slot(recorder, type, NULL, NULL);
    uint64_t const address = (uintptr_t)type;

    if (slot->key) return slot->object;
    return add_object(recorder, slot, &(uf_recorder_slot){.key = type}, UF_DEFINE_TYPE, (uint32_t)address,
                      (uint32_t)(address >> 32), type->name, type->source);
}

/* Appends the state of a flow, with room for the longest wait of its type: all arms, a condition and all handlers.
 * Returns: its index; 0: there is no room. */
static uint32_t add_state(uf_recorder *recorder, const uf_flow *flow, uint32_t object)
{
    uf_trace_header *const header = recorder->header;
    uint32_t const arms = flow->type->arm_count + 1u + ufi_preempt_count(flow);
    uint32_t const most = arms < UF_STATE_CELL_MOST ? arms : UF_STATE_CELL_MOST;
    uint32_t const length = (uint32_t)sizeof(uf_trace_state) + most * 2 * (uint32_t)sizeof(uint32_t);
    uint32_t const at = header->defined, cells = (uint32_t)UF_DEFINITION_CELLS(length);

    if (object == UFI_NO_OBJECT) return 0;
    if (cells > header->definitions_capacity - at) return undefined(recorder);
    recorder->definitions[at] = (uf_trace_cell){.time = length, .what = UF_CELL_WHAT(UF_DEFINE_STATE, object)};
    memset(recorder->definitions + at + 1, 0, (cells - 1) * sizeof(uf_trace_cell));
    ufp_note_shared(recorder->definitions + at + 1, (cells - 1) * sizeof(uf_trace_cell));
    ufp_store_release(&header->defined, at + cells);
    return at;
}

static uf_recorder_slot *slot_of_flow(const uf_recorder *recorder, const uf_flow *flow)
{
    return find_slot(recorder, flow, flow->type, flow->name);
}

/* Defines one flow. The flows that contain it are defined already, or have no room. */
static uint32_t define_flow(uf_recorder *recorder, const uf_flow *flow)
{
    uf_flow const *const container = ufi_container(flow);
    uint32_t const parent = container ? slot_of_flow(recorder, container)->object : UFI_NO_OBJECT;
    uint32_t const type = number_of_type(recorder, flow->type);

    uf_recorder_slot *const slot = slot_of_flow(recorder, flow);
    uint32_t const object =
        add_object(recorder, slot, &(uf_recorder_slot){.key = flow, .type = flow->type, .name = flow->name},
                   UF_DEFINE_FLOW, type, parent, flow->name, NULL);

    if (object != UFI_NO_OBJECT) slot->state = add_state(recorder, flow, object);
    return object;
}

/* From the outermost flow on, without recursion. */
UF_NOINLINE static const uf_recorder_slot *define_flows(uf_recorder *recorder, const uf_flow *flow)
{
    static const uf_recorder_slot none = {.object = UFI_NO_OBJECT};

    for (;;) {
        uf_flow const *outermost = flow;
        for (const uf_flow *at = flow; at; at = ufi_container(at)) {
            if (!slot_of_flow(recorder, at)->key) outermost = at;
        }
        uint32_t const object = define_flow(recorder, outermost);
        if (object == UFI_NO_OBJECT) return &none;
        if (outermost == flow) return slot_of_flow(recorder, flow);
    }
}

const uf_recorder_slot *ufi_slot_of(uf_recorder *recorder, const uf_flow *flow)
{
    uf_recorder_slot const *const slot = slot_of_flow(recorder, flow);
    return slot->key ? slot : define_flows(recorder, flow);
}

uint32_t ufi_number_of(uf_recorder *recorder, const uf_flow *flow)
{
    return ufi_slot_of(recorder, flow)->object;
}

/* The address of a name identifies it. */
uint32_t ufi_number_of_name(uf_recorder *recorder, const char *name)
{
    if (!name) return UFI_NO_OBJECT;
    uf_recorder_slot *const slot = find_slot(recorder, name, NULL, name);
    if (slot->key) return slot->object;
    return add_object(recorder, slot, &(uf_recorder_slot){.key = name, .name = name}, UF_DEFINE_NAME, 0, 0, name, NULL);
}

/* -- states -------------------------------------------------------------------------------------------------------- */

/* Each store has release order: a reader that sees one of them also sees that the version was odd. */
static void put_time(uint32_t *low, uint32_t *high, uf_time time)
{
    ufp_store_release(low, (uint32_t)(uint64_t)time);
    ufp_store_release(high, (uint32_t)((uint64_t)time >> 32));
}

static void change_version(uf_trace_state *state)
{
    ufp_store_release(&state->version, state->version + 1);
}

uf_trace_state *ufi_state_of(const uf_recorder *recorder, const uf_recorder_slot *slot)
{
    return slot->state ? (uf_trace_state *)(void *)(recorder->definitions + slot->state + 1) : NULL;
}

void ufi_state_step(uf_trace_state *state, uint32_t what, uf_time entered, uint32_t a, uint32_t b)
{
    if (!state) return;
    change_version(state);
    ufp_store_release(&state->what, what);
    put_time(&state->entered, &state->entered_high, entered);
    ufp_store_release(&state->a, a);
    ufp_store_release(&state->b, b);
    change_version(state);
}

void ufi_state_wait(uf_trace_state *state, uf_time since)
{
    if (!state) return;
    change_version(state);
    ufp_store_release(&state->what, state->what & UINT32_C(0xffff));
    put_time(&state->since, &state->since_high, since);
}

void ufi_state_add_arm(uf_trace_state *state, uint32_t a, uint32_t b)
{
    if (!state) return;
    uint32_t const count = UF_STATE_CELL_ARMS(state->what);
    uint32_t *const arm = (uint32_t *)(state + 1) + 2 * count;

    if (count == UF_STATE_CELL_MOST) return;
    ufp_store_release(&arm[0], a);
    ufp_store_release(&arm[1], b);
    ufp_store_release(&state->what, state->what + (UINT32_C(1) << 16));
}

void ufi_state_arms_end(uf_trace_state *state)
{
    if (state) change_version(state);
}

uint64_t ufi_state_operand(const uf_trace_state *state, uint32_t kind, uint32_t index)
{
    uint32_t const count = state ? UF_STATE_CELL_ARMS(state->what) : 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t const *const arm = (const uint32_t *)(state + 1) + 2 * i;
        if (UF_ARM_CELL_KIND(arm[0]) == kind && UF_ARM_CELL_INDEX(arm[0]) == index) return arm[1];
    }
    return 0;
}

void ufi_state_pause(uf_trace_state *state, bool is_paused)
{
    uint32_t const mark = is_paused ? UF_STATE_CELL_PAUSED : 0;
    if (state) ufp_store_release(&state->what, (state->what & ~UF_STATE_CELL_PAUSED) | mark);
}

void ufi_state_keeping(uf_trace_state *state, uf_keeping keeping)
{
    uint32_t const now = UF_AS(uint32_t, keeping) << UF_STATE_CELL_KEEPING_AT;
    if (state) ufp_store_release(&state->what, (state->what & ~UF_STATE_CELL_KEEPING_MASK) | now);
}

/* One word needs no version. */
void ufi_state_woken(uf_trace_state *state)
{
    if (state) ufp_store_release(&state->what, state->what & UINT32_C(0xffff));
}

/* -- life ---------------------------------------------------------------------------------------------------------- */

/* Where the parts are in the memory: header, definitions, events, slots. */
typedef struct layout {
    unsigned char *base;                 /* aligned */
    uint32_t definitions, events, slots; /* in cells */
} layout;

static bool lay_out(void *memory, size_t size, uint32_t objects, layout *parts)
{
    uint64_t const skipped = -(uintptr_t)memory & (sizeof(uf_trace_cell) - 1), whole = size;
    uint64_t const slots = (uint64_t)objects + objects / 2 + 1, definitions = (uint64_t)objects * CELLS_PER_NAME;
    uint64_t const fixed =
        skipped + sizeof(uf_trace_header) + definitions * sizeof(uf_trace_cell) + slots * sizeof(uf_recorder_slot);

    if (!memory || objects == 0 || objects > UF_CELL_OBJECT || whole > UINT32_MAX) return false;
    if (whole < fixed + FEWEST_EVENTS * sizeof(uf_trace_cell)) return false;
    parts->base = (unsigned char *)memory + skipped;
    parts->definitions = (uint32_t)definitions;
    parts->slots = (uint32_t)slots;
    parts->events = (uint32_t)((whole - fixed) / sizeof(uf_trace_cell));
    return true;
}

uf_status uf_recorder_init(uf_recorder *recorder, uf_pump *pump, void *memory, size_t size, uint32_t objects)
{
    layout parts;

    if (!recorder || !pump || !lay_out(memory, size, objects, &parts)) return UF_INVALID;
    uf_trace_header *const header = (uf_trace_header *)(void *)parts.base;
    uf_trace_cell *const definitions = (uf_trace_cell *)(void *)(header + 1);
    uf_trace_cell *const events = definitions + parts.definitions;
    *recorder = (uf_recorder){
        .observer = ufi_recorder_callbacks,
        .pump = pump,
        .header = header,
        .definitions = definitions,
        .events = events,
        .slots = (uf_recorder_slot *)(void *)(events + parts.events),
        .slot_count = parts.slots,
        .objects_most = objects,
        .sync = parts.events / 4 < UF_TRACE_SYNC ? parts.events / 4 : UF_TRACE_SYNC,
        .synced = (uint32_t)0 - UF_TRACE_SYNC, /* due */
    };
    recorder->observer.context = recorder;
    memset(recorder->slots, 0, parts.slots * sizeof *recorder->slots);
    *header = (uf_trace_header){
        .order = UF_TRACE_ORDER,
        .version = UF_TRACE_VERSION,
        .kind = UF_TRACE_IMAGE,
        .definitions = sizeof *header,
        .definitions_capacity = parts.definitions,
        .events = (uint32_t)((uintptr_t)events - (uintptr_t)header),
        .capacity = parts.events,
    };
    memcpy(header->magic, UF_TRACE_MAGIC, sizeof header->magic); /* last: an image without it is none */
    ufp_note_shared(header, sizeof *header);
    ufp_note_shared(events, parts.events * sizeof *events);
    return UF_OK;
}

/* Initialises after adding, so that a recorder that is attached already is not overwritten. */
uf_status uf_recorder_attach(uf_recorder *recorder, uf_pump *pump, void *memory, size_t size, uint32_t objects)
{
    layout parts;

    if (!recorder || !pump || !lay_out(memory, size, objects, &parts)) return UF_INVALID;
    uf_status const added = uf_pump_add_observer(pump, &recorder->observer);
    if (added != UF_OK) return added;
    uf_observer *const next = recorder->observer.next;
    (void)uf_recorder_init(recorder, pump, memory, size, objects);
    recorder->observer.next = next;
    uf_recorder_catch_up(recorder);
    return UF_OK;
}

uf_status uf_recorder_detach(uf_recorder *recorder, uf_pump *pump)
{
    return recorder ? uf_pump_remove_observer(pump, &recorder->observer) : UF_INVALID;
}

/* -- reading ------------------------------------------------------------------------------------------------------- */

static void load_cell(const uf_trace_cell *cell, uf_trace_cell *copy)
{
    copy->time = ufp_load_acquire(&cell->time);
    copy->what = ufp_load_acquire(&cell->what);
    copy->a = ufp_load_acquire(&cell->a);
    copy->b = ufp_load_acquire(&cell->b);
}

/* How many cells the reader is behind; or, from a count of cells, the number of the cell so many before `head`. */
static uint32_t distance(uint32_t from, uint32_t head, uint32_t capacity)
{
    return head >= from ? head - from : limit_of(capacity) - from + head;
}

static uint32_t after(uint32_t number, uint32_t count, uint32_t capacity)
{
    uint32_t const left = limit_of(capacity) - number;
    return count < left ? number + count : count - left;
}

/* A cell `capacity` before the head is being overwritten. Returns: how many cells were lost by now. */
static uint32_t lost_by(uint32_t behind, uint32_t capacity)
{
    return behind < capacity ? 0 : behind - capacity + 1;
}

static void copy_cells(const uf_recorder *recorder, uint32_t number, uf_trace_cell *cells, size_t count)
{
    uint32_t const capacity = recorder->header->capacity;
    uint32_t at = number % capacity;

    for (size_t i = 0; i < count; i++) {
        load_cell(&recorder->events[at], &cells[i]);
        if (++at == capacity) at = 0;
    }
}

/* Copies first, and then drops the cells that may have been overwritten meanwhile. */
size_t uf_recorder_read(const uf_recorder *recorder, uf_recorder_cursor *cursor, uf_trace_cell *cells, size_t count)
{
    if (!recorder || !recorder->header || !cursor || !cells) return 0;
    uf_trace_header const *const header = recorder->header;
    uint32_t const capacity = header->capacity;

    for (;;) {
        uint32_t const full = ufp_load_acquire(&header->full);
        uint32_t const head = ufp_load_acquire(&header->head);
        if (!cursor->began) {
            cursor->began = true;
            cursor->next = full ? distance(capacity - 1, head, capacity) : 0;
        }
        uint32_t const behind = distance(cursor->next, head, capacity), skipped = lost_by(behind, capacity);
        uint32_t const first = after(cursor->next, skipped, capacity);
        size_t const copied = count < behind - skipped ? count : behind - skipped;

        copy_cells(recorder, first, cells, copied);
        uint32_t const lost = lost_by(distance(first, ufp_load_acquire(&header->head), capacity), capacity);
        size_t const gone = lost < copied ? lost : copied;
        cursor->next = after(first, (uint32_t)copied, capacity);
        cursor->lost += skipped + gone;
        if (gone == copied && copied > 0) continue; /* the writer is faster: from the oldest cell again */
        for (size_t i = gone; i < copied && gone; i++) cells[i - gone] = cells[i];
        return copied - gone;
    }
}
