/* SPDX-License-Identifier: MIT */
/* reader.c - bytes to events; see reader.h. A trace may be cut anywhere, and may be damaged. */
#include "reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART_MOST  3     /* parts of a file: definitions, the older part of the ring, the newer one */
#define TEXT_MOST  65536 /* of a definition */
#define LOOK_AHEAD (2 * UF_TRACE_SYNC)
#define BLOCK      65536
#define KINDS      256

/* A range of cells in the file. */
typedef struct part {
    uint64_t offset, cells;
} part;

struct trace_reader {
    FILE *file;
    const char *path;
    bool swapped, seekable;
    bool is_timed; /* `high` is known */
    bool ends_now; /* the last cell is a NOW: it is the time of the end */
    trace_facts facts;
    part parts[PART_MOST];
    unsigned part, part_count;
    uint64_t read; /* cells of this part */
    /* Cells that were read in search of the first time. */
    uf_trace_cell *ahead;
    unsigned ahead_count, ahead_next;
    uint32_t high;
    trace_object *objects;
    uint32_t object_count, object_room;
    trace_pieces description, reason;
    unsigned arm_count;
    bool in_arms;     /* the first arm of a wait was read */
    uint32_t arms_of; /* its flow and kind */
    trace_object unknown;
    trace_states states;
    uf_trace_cell held; /* the next event, behind the states that precede it */
    bool has_held;
    /* Names of types from elsewhere. */
    void **maps;
    size_t map_count;
    bool (*add_from_map)(void *map, trace_type *type);
};

/* -- helpers ------------------------------------------------------------------------------------------------------- */

static uint32_t swap(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

static void swap_words(void *words, size_t count)
{
    uint32_t *const word = words;
    for (size_t i = 0; i < count; i++) word[i] = swap(word[i]);
}

/* -- the file ------------------------------------------------------------------------------------------------------ */

/* Converts the words to those of this machine. Returns: false if it is no header of a trace. */
static bool take_header(uf_trace_header *header, bool *swapped)
{
    if (memcmp(header->magic, UF_TRACE_MAGIC, sizeof header->magic) != 0) return false;
    *swapped = header->order == swap(UF_TRACE_ORDER);
    if (*swapped) swap_words(&header->order, (sizeof *header - sizeof header->magic) / 4);
    return header->order == UF_TRACE_ORDER;
}

static bool is_image(const uf_trace_header *header)
{
    uint64_t const end = header->definitions + (uint64_t)header->definitions_capacity * sizeof(uf_trace_cell);
    return header->kind == UF_TRACE_IMAGE && header->definitions == sizeof *header && header->events == end &&
           header->defined <= header->definitions_capacity && header->capacity > 0;
}

static void go_to(trace_reader *reader, uint64_t offset)
{
    if (offset > INT64_MAX || fseeko(reader->file, (off_t)offset, SEEK_SET) != 0)
        tool_die("%s: cannot seek: %s", reader->path, strerror(errno));
}

/* Returns: the number of bytes; fewer at the end of the file. */
static size_t read_bytes(trace_reader *reader, void *to, size_t size)
{
    size_t const got = fread(to, 1, size, reader->file);
    if (got < size && ferror(reader->file)) tool_die("%s: %s", reader->path, strerror(errno));
    return got;
}

static void add_part(trace_reader *reader, uint64_t offset, uint64_t cells)
{
    if (cells > 0) reader->parts[reader->part_count++] = (part){offset, cells};
}

/* The ring of an image, from the oldest cell on. If the ring is full, the oldest one may be half overwritten. */
static void add_image(trace_reader *reader, const uf_trace_header *header, uint64_t base)
{
    uint32_t const capacity = header->capacity, at = header->head % capacity;
    uint64_t const ring = base + header->events, size = sizeof(uf_trace_cell);

    add_part(reader, base + header->definitions, header->defined);
    if (header->full) add_part(reader, ring + (at + 1) * size, capacity - at - 1);
    add_part(reader, ring, at);
    reader->facts.undefined = header->undefined;
    reader->states.full = header->full != 0;
    reader->facts.is_image = true;
}

/* Searches a file, such as a core dump or a saved array, for the header of an image. It may be at any byte.
 * Returns: its offset; -1: there is none. */
static int64_t find_image(trace_reader *reader, unsigned image, uf_trace_header *header)
{
    unsigned char *const block = tool_resize(NULL, BLOCK + sizeof *header, 1);
    int64_t found = -1;

    for (uint64_t base = 0; found < 0; base += BLOCK) {
        go_to(reader, base);
        size_t const got = read_bytes(reader, block, BLOCK + sizeof *header);
        for (size_t i = 0; i < BLOCK && i + sizeof *header <= got && found < 0; i++) {
            if (block[i] != UF_TRACE_MAGIC[0]) continue;
            memcpy(header, block + i, sizeof *header);
            if (take_header(header, &reader->swapped) && is_image(header) && --image == 0) found = (int64_t)(base + i);
        }
        if (got <= BLOCK) break;
    }
    free(block);
    return found;
}

static void find_parts(trace_reader *reader, unsigned image)
{
    uf_trace_header header;
    size_t const got = read_bytes(reader, &header, sizeof header);

    if (got == sizeof header && take_header(&header, &reader->swapped) && header.version != UF_TRACE_VERSION)
        tool_die("%s: version %u of the format; this program knows version %u", reader->path, (unsigned)header.version,
                 (unsigned)UF_TRACE_VERSION);
    if (got == sizeof header && take_header(&header, &(bool){false}) && header.kind == UF_TRACE_STREAM) {
        add_part(reader, sizeof header, UINT64_MAX);
        reader->facts.undefined = header.undefined;
        reader->states.full = header.full != 0;
        return;
    }
    if (got < sizeof header && memcmp(header.magic, UF_TRACE_MAGIC, got < 8 ? got : 8) == 0) {
        reader->facts.cut = true; /* a trace, cut in its header */
        return;
    }
    int64_t const found = reader->seekable ? find_image(reader, image, &header) : -1;
    if (found < 0) tool_die("%s: not a trace, and there is none in it", reader->path);
    add_image(reader, &header, (uint64_t)found);
}

static bool read_cell_of_file(trace_reader *reader, void *cell)
{
    while (reader->part < reader->part_count && reader->read == reader->parts[reader->part].cells) {
        reader->part++;
        reader->read = 0;
    }
    if (reader->part == reader->part_count) return false;
    part const *const here = &reader->parts[reader->part];
    if (reader->read == 0 && reader->seekable) go_to(reader, here->offset);
    reader->read++;
    size_t const got = read_bytes(reader, cell, sizeof(uf_trace_cell));
    if (got == sizeof(uf_trace_cell)) return true;
    reader->facts.cut |= got > 0 || here->cells != UINT64_MAX;
    reader->part = reader->part_count; /* what follows is cut too */
    return false;
}

static bool read_raw(trace_reader *reader, uf_trace_cell *cell)
{
    if (reader->ahead_next < reader->ahead_count) {
        *cell = reader->ahead[reader->ahead_next++];
        return true;
    }
    return read_cell_of_file(reader, cell);
}

static bool read_cell(trace_reader *reader, uf_trace_cell *cell)
{
    if (reader->has_held) {
        *cell = reader->held;
        reader->has_held = false;
        return true;
    }
    if (!read_raw(reader, cell)) return false;
    if (reader->swapped) swap_words(cell, sizeof *cell / 4);
    return true;
}

static bool is_definition(uint32_t what)
{
    return UF_CELL_KIND(what) >= UF_CELL_FIRST_DEFINITION;
}

static size_t cells_of_text(uint32_t length)
{
    return length / sizeof(uf_trace_cell) + (length % sizeof(uf_trace_cell) != 0);
}

/* The oldest events of a ring, and those after a gap, have only the lower half of their times. The next TIME has the
 * upper half of the time before it. Without a TIME after them, their times are unknown. */
static void find_first_time(trace_reader *reader)
{
    uf_trace_cell cell;
    size_t events = 0, text = 0, room = reader->ahead_count;
    unsigned at = 0, count = reader->ahead_count - reader->ahead_next;

    reader->is_timed = false;
    if (count) memmove(reader->ahead, reader->ahead + reader->ahead_next, count * sizeof cell);
    for (; events < LOOK_AHEAD; at++) {
        if (count == room) reader->ahead = tool_resize(reader->ahead, room = room * 2 + 64, sizeof cell);
        if (at == count && !read_cell_of_file(reader, &reader->ahead[count])) break;
        if (at == count) count++;
        cell = reader->ahead[at];
        if (text > 0) {
            text--;
            continue;
        }
        if (reader->swapped) swap_words(&cell, sizeof cell / 4);
        if (is_definition(cell.what)) text = cells_of_text(cell.time);
        else events++;
        if (UF_CELL_KIND(cell.what) != UF_CELL_TIME) continue;
        reader->high = events == 1 ? cell.a : cell.b;
        reader->is_timed = true;
        break;
    }
    reader->ahead_count = count;
    reader->ahead_next = 0;
}

trace_reader *trace_open(const char *path, unsigned image)
{
    trace_reader *const reader = calloc(1, sizeof *reader);
    bool const from_stdin = strcmp(path, "-") == 0;

    if (!reader) tool_die("out of memory");
    reader->path = path;
    reader->file = from_stdin ? stdin : fopen(path, "rb");
    if (!reader->file) tool_die("%s: %s", path, strerror(errno));
    reader->seekable = !from_stdin && fseeko(reader->file, 0, SEEK_SET) == 0;
    reader->unknown = (trace_object){.name = "?", .step = TRACE_UNKNOWN};
    find_parts(reader, image ? image : 1);
    find_first_time(reader);
    return reader;
}

void trace_close(trace_reader *reader)
{
    for (uint32_t i = 0; i < reader->object_count; i++) {
        trace_object *const object = &reader->objects[i];
        if (object->kind == UF_DEFINE_TYPE) trace_free_type(object->type);
        free(object->name);
        free(object->arms);
        free(object->state);
        free(object->sink);
    }
    free(reader->objects);
    free(reader->ahead);
    free(reader->states.stills);
    free(reader->states.flows);
    for (size_t i = 0; i < reader->map_count; i++) (void)reader->add_from_map(reader->maps[i], NULL);
    free(reader->maps);
    if (reader->file != stdin) fclose(reader->file);
    free(reader);
}

/* -- definitions --------------------------------------------------------------------------------------------------- */

trace_object *trace_object_of(trace_reader *reader, uint32_t number)
{
    return number > 0 && number <= reader->object_count ? &reader->objects[number - 1] : &reader->unknown;
}

uint32_t trace_object_count(const trace_reader *reader)
{
    return reader->object_count;
}

/* The recorder numbers in order, so another number is damage. */
static trace_object *new_object(trace_reader *reader, uint32_t number, uf_definition_kind kind)
{
    if (number != reader->object_count + 1) return NULL;
    if (reader->object_count == reader->object_room) {
        reader->object_room = reader->object_room * 2 + 16;
        reader->objects = tool_resize(reader->objects, reader->object_room, sizeof *reader->objects);
    }
    trace_object *const object = &reader->objects[reader->object_count++];
    *object = (trace_object){.kind = kind, .step = TRACE_UNKNOWN};
    return object;
}

static void define_type(trace_reader *reader, uint32_t number, const char *text, size_t length)
{
    trace_object *const object = new_object(reader, number, UF_DEFINE_TYPE);
    size_t const name = strlen(text);

    if (!object) return;
    object->type = tool_resize(NULL, 1, sizeof *object->type);
    *object->type = (trace_type){.number = number};
    object->type->source = name < length ? trace_copy_name(text + name + 1, length - name - 1) : tool_copy("", 0);
    object->name = trace_copy_name(text, name);
    object->type->name = object->name;
    for (size_t i = 0; i < reader->map_count; i++) {
        if (reader->add_from_map(reader->maps[i], object->type)) return;
    }
}

/* Before the first event is read, so no type is defined yet. */
void trace_use_map(trace_reader *reader, void *map, bool (*add)(void *map, trace_type *type))
{
    reader->maps = tool_grow(reader->maps, reader->map_count, sizeof *reader->maps);
    reader->maps[reader->map_count++] = map;
    reader->add_from_map = add;
}

static void define_flow(trace_reader *reader, const uf_trace_cell *cell, const char *text)
{
    trace_object *const object = new_object(reader, cell->what & UF_CELL_OBJECT, UF_DEFINE_FLOW);
    if (!object) return;
    trace_object const *const type = trace_object_of(reader, cell->a), *const parent = trace_object_of(reader, cell->b);
    bool const is_inside = parent != object && parent->kind == UF_DEFINE_FLOW;

    object->type = type->kind == UF_DEFINE_TYPE ? type->type : NULL;
    object->parent = is_inside ? cell->b : 0;
    object->name = is_inside ? trace_path_in(parent->name, text) : trace_copy_name(text, strlen(text));
}

/* A definition whose text is words. The first state after events follows a gap. */
static void take_words(trace_reader *reader, const uf_trace_cell *cell, uint32_t *words)
{
    size_t const count = cell->time / sizeof *words;

    if (reader->swapped) swap_words(words, count);
    if (UF_CELL_KIND(cell->what) == UF_DEFINE_NOW) {
        reader->states.now = (uint64_t)cell->b << 32 | cell->a;
        reader->states.day = count == 2 ? (uint64_t)words[1] << 32 | words[0] : 0;
        return;
    }
    if (reader->states.begun && !reader->states.pending) find_first_time(reader);
    trace_take_state(&reader->states, reader, cell->what & UF_CELL_OBJECT, words, count);
}

/* The rest is missing, or damaged. */
static bool end_here(trace_reader *reader)
{
    reader->facts.cut = true;
    reader->part = reader->part_count;
    reader->ahead_next = reader->ahead_count;
    return false;
}

/* Returns: false if the trace ends in it. */
static bool read_definition(trace_reader *reader, const uf_trace_cell *cell)
{
    size_t const cells = cells_of_text(cell->time);
    uint32_t const number = cell->what & UF_CELL_OBJECT;

    if (cell->time > TEXT_MOST) return end_here(reader);
    char *const text = tool_resize(NULL, cells * sizeof *cell + 1, 1);
    for (size_t i = 0; i < cells; i++) {
        if (read_raw(reader, (uf_trace_cell *)(void *)text + i)) continue;
        free(text);
        return end_here(reader);
    }
    text[cell->time] = '\0';
    switch (UF_CELL_KIND(cell->what)) {
    case UF_DEFINE_TYPE: define_type(reader, number, text, cell->time); break;
    case UF_DEFINE_FLOW: define_flow(reader, cell, text); break;
    case UF_DEFINE_NAME: {
        trace_object *const object = new_object(reader, number, UF_DEFINE_NAME);
        if (object) object->name = trace_copy_name(text, strlen(text));
        break;
    }
    case UF_DEFINE_STATE:
    case UF_DEFINE_NOW: take_words(reader, cell, (uint32_t *)(void *)text); break;
    default: {
        trace_object const *const object = trace_object_of(reader, number);
        if (object->kind == UF_DEFINE_TYPE) trace_define_part(object->type, cell, text);
    }
    }
    free(text);
    return true;
}

/* -- events -------------------------------------------------------------------------------------------------------- */

/* Returns: is it the last one? Not if the first ones are lost. */
static bool take_arm(trace_reader *reader, trace_event *event, const uf_trace_cell *cell)
{
    bool const is_first = (cell->a & UF_ARM_CELL_FIRST) != 0, is_last = (cell->a & UF_ARM_CELL_LAST) != 0;
    bool const counts = is_first || (reader->in_arms && cell->what == reader->arms_of);

    if (is_first) reader->arm_count = 0;
    reader->arms_of = cell->what;
    reader->in_arms = counts && !is_last;
    if (reader->arm_count < TRACE_ARMS) event->arms[reader->arm_count++] = trace_arm_of(cell->a, cell->b);
    event->arm_count = reader->arm_count;
    return counts && is_last;
}

static bool has_text(uf_cell_kind kind)
{
    return kind == UF_CELL_STEP || kind == UF_CELL_ENDED || (kind >= UF_CELL_JOB_SUBMITTED && kind <= UF_CELL_JOB_SLOW);
}

/* Returns: false if the event has more cells, or is none. */
static bool take_event(trace_reader *reader, const uf_trace_cell *cell, trace_event *event, bool rounds)
{
    uf_cell_kind const kind = (uf_cell_kind)UF_CELL_KIND(cell->what);

    if (kind == UF_CELL_TIME) reader->high = cell->a, reader->is_timed = true;
    reader->facts.untimed += !reader->is_timed && kind >= UF_CELL_STARTED;
    if (!reader->is_timed) return false;
    if (kind == UF_CELL_DESCRIPTION) trace_add_piece(&reader->description, cell);
    if (kind == UF_CELL_REASON) trace_add_piece(&reader->reason, cell);
    if (kind < UF_CELL_ROUND || kind >= UF_CELL_KIND_COUNT || kind == UF_CELL_DESCRIPTION || kind == UF_CELL_REASON)
        return false;
    if (kind == UF_CELL_ROUND && !rounds) return false;
    event->kind = kind;
    event->still = false;
    event->time = event->since = (uint64_t)reader->high << 32 | cell->time;
    event->object = cell->what & UF_CELL_OBJECT;
    event->a = cell->a;
    event->b = cell->b;
    event->description = event->reason = "";
    event->arm_count = 0;
    if (kind == UF_CELL_STEP || kind == UF_CELL_ENDED || kind == UF_CELL_NOTE)
        event->description = trace_take_text(&reader->description, event->object);
    if (has_text(kind) && kind != UF_CELL_STEP) event->reason = trace_take_text(&reader->reason, event->object);
    if (kind != UF_CELL_WAIT && kind != UF_CELL_WOKEN) return true;
    return take_arm(reader, event, cell);
}

/* With this event, or with the end, it is known which of the states before it count. Returns: false if the cell is none
 * that has a time. */
static bool order_states(trace_reader *reader, const uf_trace_cell *next)
{
    uf_cell_kind const kind = next ? (uf_cell_kind)UF_CELL_KIND(next->what) : UF_CELL_TIME;
    uint64_t const time = next ? (uint64_t)reader->high << 32 | next->time : UINT64_MAX;

    if (kind == UF_CELL_DESCRIPTION || kind == UF_CELL_REASON || (next && kind == UF_CELL_TIME)) return false;
    if (next && !reader->is_timed) return false;
    if (!reader->states.begun) reader->states.begin = next ? time : reader->states.now;
    trace_order_states(&reader->states, reader, time);
    reader->in_arms = false;
    if (next) reader->held = *next, reader->has_held = true;
    return true;
}

bool trace_next(trace_reader *reader, trace_event *event, bool rounds)
{
    uf_trace_cell cell;

    while (true) {
        if (trace_next_still(&reader->states, reader, event)) return true;
        bool const any = read_cell(reader, &cell);
        reader->ends_now = any ? UF_CELL_KIND(cell.what) == UF_DEFINE_NOW : reader->ends_now;
        if (!any) {
            if (!reader->states.pending) return false;
            order_states(reader, NULL);
        } else if (is_definition(cell.what)) {
            if (!read_definition(reader, &cell) && !reader->states.pending) return false;
        } else if (!(reader->states.pending && order_states(reader, &cell)) &&
                   take_event(reader, &cell, event, rounds)) {
            if (!reader->states.begun && !reader->states.begin) reader->states.begin = event->time;
            reader->states.begun = true;
            return true;
        }
    }
}

const trace_states *trace_states_of(const trace_reader *reader)
{
    return &reader->states;
}

uint64_t trace_end_time(const trace_reader *reader)
{
    return reader->ends_now ? reader->states.now : 0;
}

const trace_facts *trace_facts_of(const trace_reader *reader)
{
    return &reader->facts;
}
