/* SPDX-License-Identifier: MIT */
/* sink.h - the outputs of uflow-trace. Each gets the events that pass the filter, in order. */
#ifndef TRACE_SINK_H
#define TRACE_SINK_H

#include <stdio.h>

#include "reader.h"

/* The flow of the event is still at its position before the event. */
typedef struct trace_sink {
    void (*event)(struct trace_sink *sink, trace_reader *reader, const trace_event *event);
    /* After the last event. `time` is the time of the last event. */
    void (*end)(struct trace_sink *sink, trace_reader *reader, uint64_t time);
} trace_sink;

/* Constants of the program; one of each is in use. `out` must be open until the end. */
trace_sink *trace_text(FILE *out);
trace_sink *trace_summary(FILE *out);
trace_sink *trace_perfetto(FILE *out);
trace_sink *trace_chrome(FILE *out);
trace_sink *trace_replay(FILE *out);

/* Writes what the text output says of an event, without its time and flow. */
void trace_event_text(FILE *out, trace_reader *reader, const trace_object *flow, const trace_event *event);

/* Writes which handler has decided, such as "  (on estop, line 12)"; nothing if none has. */
void trace_decided_text(FILE *out, trace_reader *reader, const trace_object *flow);

/* Writes the flows that wait for each other at a time, as uf_pump_dump() does. */
void trace_print_cycles(FILE *out, trace_reader *reader, uint64_t time);

/* The word of an event, such as "waits". */
const char *trace_event_word(uf_cell_kind kind);

/* The words of a uf_keeping, such as "held". */
const char *trace_keeping_word(uint32_t keeping);

#endif
