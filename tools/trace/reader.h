/* SPDX-License-Identifier: MIT */
/* reader.h - reads traces in the format of uflow/trace_format.h: streams, images, and core dumps that contain images.
 *
 * Memory grows with the number of flows and types, not with the number of events. Numbers in a trace never decide how
 * much it is. All texts are printable. */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory.h"
#include "table.h"
#include "text.h"
#include "uflow/priv/duration.h"
#include "uflow/trace_format.h"

#define TRACE_UNKNOWN UINT32_MAX /* a step that no event has named yet */
#define TRACE_LOST    UINT64_MAX /* a time */
#define TRACE_ARMS    130        /* a wait has no more */
#define TRACE_TEXT    256
#define TRACE_NAME    1024 /* bytes of a name or a path: longer ones are truncated */

typedef struct trace_task {
    const char *name;
    uint32_t line;
    uint32_t number; /* for the output */
} trace_task;

typedef struct trace_step {
    const char *name;
    uint32_t line, task;
    uint32_t number; /* for the output */
} trace_step;

typedef struct trace_edge {
    uint32_t line, kind;
} trace_edge;

typedef struct trace_handler {
    uint32_t line; /* 0: not known */
    uint32_t of;   /* its task, or its group, which is a task without steps; UINT16_MAX: of the flow */
} trace_handler;

typedef struct trace_type {
    const char *name, *source;
    trace_task *tasks;
    trace_step *steps;
    trace_edge *edges;
    tool_table edge_numbers; /* by both steps, see trace_edge_at(); SIZE_MAX: there are several */
    const char **jobs;
    trace_handler *handlers;
    uint32_t task_count, step_count, edge_count, job_count, handler_count;
    uint32_t number; /* its own, as an object */
} trace_type;

typedef struct trace_arm {
    uf_arm_kind kind;
    bool failed;
    uint32_t index;
    uint64_t operand;
} trace_arm;

/* An object with a number: a flow, a type or a name. A flow's position is that before the current event. */
typedef struct trace_object {
    uf_definition_kind kind; /* 0: not defined */
    char *name;              /* of a flow: its path */
    trace_type *type;        /* of a flow: its type; of a type: itself */
    uint32_t parent;
    bool running;
    uint32_t step; /* or TRACE_UNKNOWN */
    uint32_t run, ordinal;
    uint64_t entered; /* valid unless the step is TRACE_UNKNOWN */
    bool waiting;
    uint64_t waiting_since;
    bool paused;
    uint64_t paused_since;  /* TRACE_LOST: not known */
    uint32_t keeping;       /* a uf_keeping; 0: not durable, or not known */
    uint64_t keeping_since; /* TRACE_LOST: not known */
    uint64_t stood;         /* the time of the pauses of the current wait that have ended */
    uint32_t outcome;       /* of the last run: a uf_outcome */
    uint64_t ended;         /* the time of its end */
    uint32_t ended_in;      /* this step */
    bool end_is_lost;       /* the event: its reason is not known */
    trace_arm *arms;        /* of the current wait */
    unsigned arm_count;
    bool helper_failed;        /* uf_flow_fail() or UF_CHECK() failed the current step */
    trace_arm decided;         /* the handler that leads out of the step; kind 0: none */
    struct trace_state *state; /* the state in the trace; until the next event is read */
    signed char matched;       /* for the filter: 1 or -1; 0: not known yet */
    void *sink;                /* for the output; freed with the reader */
} trace_object;

/* `still`: the event itself is lost, but its flow is still in this step or wait. Such events come before all others, at
 * the times at which they happened; later on, where the trace has a gap, at its end. */
typedef struct trace_event {
    uf_cell_kind kind;
    bool still;
    uint64_t time;  /* ns */
    uint64_t since; /* the time of the event itself */
    uint32_t object;
    uint32_t a, b;
    const char *description, *reason; /* "": none */
    trace_arm arms[TRACE_ARMS];       /* of WAIT and WOKEN */
    unsigned arm_count;
} trace_event;

typedef struct trace_reader trace_reader;

/* pieces.c: the text of the next event of a flow, which comes in cells of 8 bytes. */
typedef struct trace_pieces {
    uint32_t object, next;
    size_t length;
    char text[TRACE_TEXT];
} trace_pieces;

void trace_add_piece(trace_pieces *to, const uf_trace_cell *cell);
const char *trace_take_text(trace_pieces *from, uint32_t object);

/* Opens a trace; "-" is the standard input, which must be a stream. `image`: which one in a core dump, from 1. Ends the
 * program with a message if there is no trace. */
trace_reader *trace_open(const char *path, unsigned image);
void trace_close(trace_reader *reader);

/* Reads an event. Rounds and times are events only with `rounds`. Returns: false at the end. */
bool trace_next(trace_reader *reader, trace_event *event, bool rounds);

/* Moves the flow of the event to its new position. Call it after the event was used. */
void trace_apply(trace_reader *reader, const trace_event *event);

/* What is missing. */
typedef struct trace_facts {
    bool cut;           /* the end of the trace */
    bool is_image;      /* names of steps */
    uint64_t untimed;   /* events that come before the first time of the trace. Number of their cells */
    uint32_t undefined; /* flows and names for which the recorder had no room. Their number */
} trace_facts;

const trace_facts *trace_facts_of(const trace_reader *reader);

/* An object; an undefined one has the name "?" and no type. The number of the last one. */
trace_object *trace_object_of(trace_reader *reader, uint32_t number);
uint32_t trace_object_count(const trace_reader *reader);

/* The names of a step and its task; "?" if they are not known. `line` may be NULL. */
const char *trace_step_name(const trace_object *flow, uint32_t step, uint32_t *line);
const char *trace_task_name(const trace_object *flow, uint32_t step);
const char *trace_job_name(const trace_object *flow, uint32_t job);

/* Adds names and lines of `ufc --emit=json` to the types that have none, including types that are defined later. */
void trace_read_map(trace_reader *reader, const char *path);

/* pieces.c: copies a name, truncated and printable. The path of a nested flow; if it is too long, it begins with "...".
 * So the paths of nested flows are not quadratic in their number. */
char *trace_copy_name(const char *text, size_t length);
char *trace_path_in(const char *parent, const char *name);

/* The number of the only edge from one step to another, or to the end; from 1 on; 0: there is none. */
uint32_t trace_end_by(uint32_t kind); /* `to` for the end by an edge of that kind */
size_t *trace_edge_at(trace_type *type, uint32_t from, uint32_t to);

/* Adds a definition of a part; frees a type. For reader.c. */
void trace_define_part(trace_type *type, const uf_trace_cell *cell, const char *text);
void trace_free_type(trace_type *type);

/* For map.c. `add` returns true if the map knows the type; with NULL for the type, it frees the map. */
void trace_use_map(trace_reader *reader, void *map, bool (*add)(void *map, trace_type *type));
void trace_set_task(trace_type *type, uint32_t index, const char *name, uint32_t line);
void trace_set_step(trace_type *type, uint32_t index, uint32_t task, const char *name, uint32_t line);
void trace_set_job(trace_type *type, uint32_t index, const char *name);
void trace_set_handler(trace_type *type, uint32_t index, trace_handler handler);

/* states.c: the data of the trace about flows whose events it has lost. Takes a state. When the time of the next event
 * is known, makes events of the states that count, and returns them in the order of their times. */
typedef struct trace_states {
    bool full;         /* all states count; otherwise only those from before the recorder */
    bool begun;        /* there were events before */
    bool pending;      /* states were taken */
    uint64_t begin;    /* the time of the first event that is not lost */
    uint64_t now, day; /* the trace is complete up to then, which is this time of day in ns since 1970; 0: not known */
    uint64_t next_time;
    struct trace_still *stills;
    size_t count, next;
    uint32_t *flows; /* that have a state */
    size_t flow_count;
} trace_states;

const trace_states *trace_states_of(const trace_reader *reader);

/* The time at which the trace was saved; 0: not known. */
uint64_t trace_end_time(const trace_reader *reader);

/* The time of day, such as "02:47:12", with a text before and after it; "": not known. */
const char *trace_clock(const trace_reader *reader, const char *before, uint64_t time, const char *after, char *buffer,
                        size_t size);

void trace_take_state(trace_states *states, trace_reader *reader, uint32_t number, const uint32_t *words, size_t count);
void trace_order_states(trace_states *states, trace_reader *reader, uint64_t next_time);
bool trace_next_still(trace_states *states, trace_reader *reader, trace_event *event);
trace_arm trace_arm_of(uint32_t a, uint32_t b);

/* Is it a handler or a companion of a task, no arm of an await? */
bool trace_is_handler(const trace_arm *arm);

/* The text of arms, such as "signal go, timeout in 2s", in a buffer. Without `times`, equal waits have equal texts. */
void trace_arms_text(trace_reader *reader, const trace_object *flow, const trace_arm *arms, unsigned count, bool times,
                     char *buffer, size_t size);

/* The waits of a flow at a time: runs that have ended since are marked, and timeouts have the remaining time, or the
 * time by which they are overdue. */
void trace_waits_text(trace_reader *reader, const trace_object *flow, uint64_t time, char *buffer, size_t size);

/* The same of one arm. */
void trace_wait_text(trace_reader *reader, const trace_object *flow, const trace_arm *arm, uint64_t time, char *buffer,
                     size_t size);

#endif
