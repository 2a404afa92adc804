/* SPDX-License-Identifier: MIT */
/* inspecting.h - how a process is inspected.
 *
 * | file         | what it does                                                                              |
 * |--------------|-------------------------------------------------------------------------------------------|
 * | snapshot.c   | copies the state of flows on the runtime's thread, part by part, for the server's thread  |
 * | events.c     | reads a recorder's ring: time in steps, failures, transitions                             |
 * | recorded.c   | makes a snapshot of what a recorder knows, if the runtime never answers                    |
 * | steps.c      | counts visits of steps, also those that have not ended                                    |
 * | cycles.c     | finds flows that wait for each other in a snapshot                                        |
 * | document.c   | a snapshot as JSON                                                                        |
 * | prometheus.c | a snapshot as metrics                                                                     |
 * | viewers.c    | the connections                                                                           |
 * | server.c     | the server's thread, and the public functions                                             |
 * | buffer.c     | a text that grows                                                                         |
 *
 * Everything belongs to the server's thread, except a `part` that is being copied: the runtime's thread has it. */
#ifndef UFLOW_INSPECTING_H
#define UFLOW_INSPECTING_H

#include <string.h> /* before core declares functions of this header */

#include "uflow/inspect.h"

#include "host.h"
#include "port_socket.h"
#include "recorder_states.h"

#include <stdarg.h>

/* -- buffer.c: a text that grows ------------------------------------------------------------------------------- */

typedef struct ufi_buffer {
    char *data;
    size_t length, capacity;
    bool failed; /* an allocation failed: the text is incomplete */
} ufi_buffer;

void ufi_buffer_add(ufi_buffer *text, const void *bytes, size_t length);
void ufi_buffer_print(ufi_buffer *text, const char *format, ...) UF_FORMAT(2, 3);
void ufi_buffer_free(ufi_buffer *text);

/* JSON: a string; a time in seconds. Metrics: a label. A text may be cut anywhere, but what is written is UTF-8. */
void ufi_buffer_string(ufi_buffer *text, const char *string);
void ufi_buffer_label(ufi_buffer *text, const char *name, const char *value);
void ufi_buffer_seconds(ufi_buffer *text, uf_time time);

/* -- snapshot.c ---------------------------------------------------------------------------------------------------- */

#define UFI_PART_FLOWS 64
#define UFI_PART_WAITS 256
#define UFI_POOLS      4
#define UFI_GIVEN_UP   8
#define UFI_PATH_SIZE  128
#define UFI_WAIT_SIZE  224

typedef struct ufi_wait {
    uf_arm_kind kind;
    const uf_flow *flow;      /* that must end or receive first; an address only. NULL: none */
    uf_time deadline;         /* UF_FOREVER: it has none, or never comes */
    char text[UFI_WAIT_SIZE]; /* without the time until the deadline */
} ufi_wait;

typedef struct ufi_members {
    const char *name;
    uint32_t busy, most, count;
} ufi_members;

/* A flow at one moment. */
typedef struct ufi_seen {
    const uf_flow *flow, *row; /* addresses only */
    const uf_flow_type *type;
    uf_flow_view view;
    uf_time now;        /* logical time of the moment */
    uf_time paused_for; /* -1: it does not stand */
    uf_keeping keeping;
    uf_time keeping_lasts; /* real time; -1: not known */
    uint32_t step, ticks;
    bool polls;
    uint16_t parent_length; /* of the parent's path in `path`; 0: none */
    uint16_t wait_count, waits_left_out, pool_count, pools_left_out;
    uint32_t first_wait; /* among the waits of its part, or of its snapshot */
    ufi_members pools[UFI_POOLS];
    char path[UFI_PATH_SIZE];
} ufi_seen;

/* A worker function that still runs although its job was abandoned or has timed out. */
typedef struct ufi_given_up {
    const char *worker;
    uf_time passed;           /* real time since its submit */
    char path[UFI_PATH_SIZE]; /* of its flow; "" if that is gone */
} ufi_given_up;

/* The pump at one moment. */
typedef struct ufi_seen_pump {
    uint64_t round;
    uf_time now;
    uint64_t scale; /* times 2^32 */
    uint32_t running, jobs_in_flight, jobs_ended, refused, given_up_count;
    ufi_given_up given_up[UFI_GIVEN_UP];
    bool frozen, stopping;
} ufi_seen_pump;

/* The part of the flows that the runtime's thread copies in one round. `seen` has room for UFI_PART_FLOWS, `waits` for
 * UFI_PART_WAITS. A flow whose waits find no room begins the next part. If it is the first, some are left out. */
typedef struct ufi_part {
    uf_message message; /* first */
    uint32_t asked;     /* atomic. Not 0: it belongs to the runtime's thread */
    uf_pump *pump;
    uf_recorder *recorder; /* to be added by the first part, and to note the flows; NULL: none */
    uf_observer *remove;   /* NULL: none */
    uint32_t first, most;  /* the flows from this number on, in the order of attachment */
    uint32_t count;
    bool is_last;
    ufi_seen_pump seen_pump;
    ufi_seen *seen;
    ufi_wait *waits;
    uint32_t wait_count;
} ufi_part;

/* Has the runtime's thread copy a part; at once, if no thread drives the runtime. */
void ufi_part_ask(ufi_part *part, uf_runtime *runtime);
static inline bool ufi_part_is_asked(const ufi_part *part)
{
    return ufp_load_acquire(&part->asked) != 0;
}

typedef struct ufi_by_address {
    const uf_flow *flow;
    uint32_t at;
} ufi_by_address;

/* All parts together. */
typedef struct ufi_snapshot {
    ufi_seen_pump pump; /* at the first part */
    ufi_seen *flows;
    ufi_wait *waits; /* of all flows */
    uint32_t count, wait_count;
    size_t capacity, wait_capacity;
    ufi_by_address *index; /* sorted */
    bool is_cut;           /* there are more flows */
    bool is_recorded;      /* by a recorder: data that only the runtime has is missing */
    uf_time taken;         /* real time; 0: there is none yet */
} ufi_snapshot;

static inline bool ufi_is_taken(const ufi_snapshot *snapshot)
{
    return snapshot->taken != 0;
}

/* The first part begins anew. Returns: false if an allocation failed. */
bool ufi_snapshot_add(ufi_snapshot *snapshot, const ufi_part *part);
void ufi_snapshot_finish(ufi_snapshot *snapshot, bool is_cut);
void ufi_snapshot_free(ufi_snapshot *snapshot);

static inline const ufi_wait *ufi_waits_of(const ufi_snapshot *snapshot, const ufi_seen *seen)
{
    return snapshot->waits + seen->first_wait;
}

/* The flow with this address, after the snapshot was finished; NULL: none. */
const ufi_seen *ufi_snapshot_find(const ufi_snapshot *snapshot, const uf_flow *flow);

/* -- cycles.c ------------------------------------------------------------------------------------------------------ */

/* Calls `member` for each flow of each cycle of waits, `first` for the first one of a cycle. Returns: the number of
 * cycles. `member` may be NULL. */
typedef void ufi_in_cycle(void *context, bool first, const ufi_seen *flow, const ufi_wait *wait);
uint32_t ufi_cycles(const ufi_snapshot *snapshot, ufi_in_cycle *member, void *context);

/* -- events.c ------------------------------------------------------------------------------------------------------ */

/* Visits of a step; `running` of them have not ended. */
typedef struct ufi_step_counts {
    const uf_flow_type *type;
    uint32_t step;
    uint64_t visits, running, ticks;
    uf_time total, longest;
} ufi_step_counts;

/* The data that the events give about a flow. */
typedef struct ufi_history {
    uint64_t done, failed, cancelled;
    uf_time failed_at;
    const char *task, *step; /* of the last failure; NULL: none */
    uint32_t line;
    char reason[UF_REASON_SIZE];
    const uf_trace_state *state; /* where the recorder keeps its last start, step or end; NULL: it has none */
} ufi_history;

typedef struct ufi_events ufi_events;

/* A transition as a line of text. `path`: that of the flow. */
typedef void ufi_on_line(void *context, const char *path, const char *line, size_t length);

ufi_events *ufi_events_new(const uf_recorder *recorder, ufi_on_line *on_line, void *context);
void ufi_events_free(ufi_events *events);
/* `lines`: somebody follows. */
void ufi_events_read(ufi_events *events, bool lines);

/* Returns: NULL if no event of this flow was seen. */
const ufi_history *ufi_events_of(const ufi_events *events, const char *path);
/* Logical time at which the flow ended last. Returns: -1: it runs, or that is not known. */
uf_time ufi_end_of(const ufi_history *history);
/* The path of the flow with this number, or the text of the name; "" if it has none. */
const char *ufi_events_name(const ufi_events *events, uint32_t number);

/* A flow, from the data of a recorder. */
typedef struct ufi_recorded {
    uint32_t number;
    const uf_flow_type *type;
    const uf_trace_state *state; /* may be changing */
    const char *path;
    size_t parent_length; /* of the parent's path in `path`; 0: none */
} ufi_recorded;

typedef void ufi_on_recorded(void *context, const ufi_recorded *flow);
void ufi_events_flows(const ufi_events *events, ufi_on_recorded *flow, void *context);
static inline uf_time ufi_entered_by(const uf_trace_state *state)
{
    return (uf_time)((uint64_t)state->entered_high << 32 | state->entered);
}

/* The path of the flow that has armed the checkpoint with this name. Returns: NULL if that is not known. */
const char *ufi_events_armer(const ufi_events *events, const char *checkpoint, size_t length);
/* Runs of all flows that failed. */
uint64_t ufi_events_failures(const ufi_events *events);
uint64_t ufi_events_lost(const ufi_events *events);
uf_time ufi_events_since(const ufi_events *events); /* -1: there was none */
/* Calls `step` with the visits that have ended, of each step that has any. */
typedef void ufi_on_step(void *context, const ufi_step_counts *step);
void ufi_events_steps(const ufi_events *events, ufi_on_step *step, void *context);

/* -- recorded.c ---------------------------------------------------------------------------------------------------- */

/* Fills in a snapshot from the states of flows that the recorder has. `now`: logical time. Returns: false if it has
 * none, or an allocation failed. */
bool ufi_snapshot_of_recorder(ufi_snapshot *snapshot, const ufi_events *events, uf_time now);

/* -- steps.c ------------------------------------------------------------------------------------------------------- */

/* Fills in up to `most` steps, the busiest first: visits that have ended, by the events, and present ones, by the flows
 * in the snapshot. `events` may be NULL. Returns: their number. */
uint32_t ufi_steps(const ufi_snapshot *snapshot, const ufi_events *events, ufi_step_counts *steps, uint32_t most);

/* -- document.c, prometheus.c -------------------------------------------------------------------------------------- */

typedef struct ufi_view {
    const ufi_snapshot *snapshot;
    const ufi_events *events;    /* NULL: none */
    const uf_counters *counters; /* NULL: none */
    uf_runtime *runtime;
    bool responds;
    uf_time silent; /* if it does not respond: real time since it was asked */
} ufi_view;

void ufi_document(const ufi_view *view, ufi_buffer *text);
void ufi_metrics(const ufi_view *view, ufi_buffer *text);

/* -- viewers.c ----------------------------------------------------------------------------------------------------- */

#define UFI_VIEWERS 128
#define UFI_REQUEST 256

typedef enum ufi_request { UFI_ASKS_NOTHING, UFI_ASKS_JSON, UFI_ASKS_METRICS, UFI_ASKS_TRACE, UFI_FOLLOWS } ufi_request;

/* An answer, which several viewers may share. */
typedef struct ufi_answer {
    uint32_t references;
    ufi_buffer text;
} ufi_answer;

typedef struct ufi_viewer {
    int fd; /* -1: free */
    ufi_request asks;
    bool answered; /* `answer` is its answer; NULL: there was no memory for it */
    char request[UFI_REQUEST];
    size_t received;
    ufi_answer *answer;
    size_t sent;
    ufi_buffer queue; /* of a viewer that follows */
    uint64_t lost;
    uf_time progress; /* real time */
} ufi_viewer;

typedef struct ufi_viewers {
    ufi_viewer all[UFI_VIEWERS];
    uint32_t count;
} ufi_viewers;

void ufi_viewers_init(ufi_viewers *viewers);
/* Tells it that there is no room, and ends it, if there is none. */
void ufi_viewers_add(ufi_viewers *viewers, int fd);
void ufi_viewers_end(ufi_viewers *viewers);
void ufi_viewer_end(ufi_viewers *viewers, ufi_viewer *viewer);
/* Reads its request and sends what is there, as far as the socket allows. */
void ufi_viewer_serve(ufi_viewers *viewers, ufi_viewer *viewer, int ready);
/* The events that a viewer's socket is waited for: UFP_READABLE, UFP_WRITABLE or 0. */
int ufi_viewer_wants(const ufi_viewer *viewer);
/* How many viewers wait for an answer of this kind, which can be given now. */
uint32_t ufi_viewers_ask(const ufi_viewers *viewers, ufi_request kind);
/* Answers them. The text is moved. */
void ufi_viewers_answer(ufi_viewers *viewers, ufi_request kind, ufi_buffer *text);
/* A line for the viewers that follow this flow; of type ufi_on_line. */
void ufi_viewers_line(void *viewers, const char *path, const char *line, size_t length);

#endif
