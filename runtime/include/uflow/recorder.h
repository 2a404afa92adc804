/* SPDX-License-Identifier: MIT */
/* recorder.h - a flight recorder: an observer that keeps the newest events of a pump in a ring, in binary form.
 *
 *   static unsigned char memory[1 << 20];
 *   static uf_recorder recorder;
 *   uf_recorder_attach(&recorder, &pump, memory, sizeof memory, 100);
 *   ...
 *   uf_recorder_save(&recorder, "cell.uftrace");              then: uflow-trace cell.uftrace
 *
 * An event takes 16 bytes and holds numbers only. The newest events overwrite the oldest. The step and the waits of
 * each flow, with their times, are kept apart from the events, so no trace lacks a stuck flow. Any thread can copy the
 * events while the pump runs. uflow-trace also reads the memory itself: a dump of it, or the core dump of the process.
 * Times are logical, so a simulation records the same bytes each time. trace_format.h describes the bytes. */
#ifndef UFLOW_RECORDER_H
#define UFLOW_RECORDER_H

#include "uflow/pump.h"
#include "uflow/trace_format.h"

UF_C_BEGIN

/* A recorder. `observer` and `without_rounds` are public, the other members are private.
 * Lifetime: you own it. It must stay valid until it is detached, and while other threads copy events. */
typedef struct uf_recorder {
    uf_observer observer;
    bool without_rounds; /* set it after the initialisation to save one event per round in which something happens */
    const uf_pump *pump;
    uf_trace_header *header; /* at the beginning of the memory */
    uf_trace_cell *definitions, *events;
    struct uf_recorder_slot *slots;
    uint32_t slot_count, objects, objects_most;
    uint32_t at;      /* index of the next cell */
    uint32_t high;    /* upper half of the last recorded time */
    uint32_t synced;  /* number of the last cell that has it */
    uint32_t sync;    /* after this many cells, the next one has it */
    uint32_t is_real; /* times are those of the machine's clock. Atomic */
    uint64_t round;
} uf_recorder;

/* The position of a reader. Zero it before the first call. The members are private except `lost`. */
typedef struct uf_recorder_cursor {
    uint32_t next;
    uint32_t defined;
    bool began;
    uint64_t lost; /* events that were overwritten before this reader copied them */
} uf_recorder_cursor;

/* Initialises a recorder without adding it to a pump. Add `recorder->observer` with uf_runtime_add_observer()
 * afterwards. `objects`: how many flows, types of flows, and names of signals, mailboxes and checkpoints it can
 * distinguish. The events of others have no name. Each takes about 150 bytes of the memory; the ring gets the rest. The
 * pump may be initialised later.
 * Thread: one at a time, while it is not attached.
 * Returns: UF_OK; UF_INVALID: a pointer is NULL, or the memory is too small for 64 events, or larger than 4 GiB.
 * Lifetime: `memory` must stay valid as long as the recorder. Copies of names are kept in it. */
uf_status uf_recorder_init(uf_recorder *recorder, uf_pump *pump, void *memory, size_t size, uint32_t objects);

/* Initialises a recorder and adds it to a pump.
 * Thread: the pump's.
 * Returns: UF_OK; UF_BUSY: it is attached already; UF_INVALID: as uf_recorder_init(), or the pump was never
 * initialised.
 * Lifetime: see uf_recorder_init(). */
uf_status uf_recorder_attach(uf_recorder *recorder, uf_pump *pump, void *memory, size_t size, uint32_t objects);

/* Notes the step and the wait of each running flow that had no event yet, such as a stuck one. uf_recorder_attach()
 * does so, too. Call it after uf_runtime_add_observer() if flows run by then.
 * Thread: the pump's, in no step and in no observer. */
void uf_recorder_catch_up(uf_recorder *recorder);

/* Records a text of your own as an event of the present time, for example what a test has changed. The first 255 bytes
 * are shown, and drawn as a mark on the time axis of a replay. NULL: nothing is recorded.
 * Thread: the pump's. */
void uf_recorder_note(uf_recorder *recorder, const char *text);

/* Detaches a recorder. Its events can still be read.
 * Thread: the pump's.
 * Returns: UF_OK; UF_INVALID: it is not attached to this pump. */
uf_status uf_recorder_detach(uf_recorder *recorder, uf_pump *pump);

/* Copies up to `count` cells from the position of the cursor on, and moves it. Cells that are overwritten meanwhile are
 * counted in `cursor->lost`. So each copied cell is whole, and the cells are in order.
 * Thread: any. One thread per cursor.
 * Returns: the number of cells; 0: there are no new ones, or an argument is NULL or not initialised. */
size_t uf_recorder_read(const uf_recorder *recorder, uf_recorder_cursor *cursor, uf_trace_cell *cells, size_t count);

UF_GUARDED(OBSERVERS, uf_recorder_init)
UF_GUARDED(OBSERVERS, uf_recorder_attach)

UF_C_END
#endif
