/* SPDX-License-Identifier: MIT */
/* cover.h - the counters of `--coverage`. Without the option, nothing here writes text.
 *
 * A file has one array of counters: a block per kind, each with an element per item of a table of the IR. Some elements
 * are never used; the table of points names those that are. */
#ifndef UFC_COVER_H
#define UFC_COVER_H

#include "writer.h"

/* COUNTED(kind, table): the items that have a counter of this kind. */
#define COVER_KINDS                                                                                                    \
    COUNTED(INITS, flow) /* calls of a flow's init */                                                                  \
    COUNTED(ON_INIT, flow)                                                                                             \
    COUNTED(ON_END, flow)                                                                                              \
    COUNTED(TASK, task) /* times a task was entered */                                                                 \
    COUNTED(ON_ENTER, task)                                                                                            \
    COUNTED(ON_EXIT, task)                                                                                             \
    COUNTED(DONE, task) /* how a task was left; in the order of uf_outcome */                                          \
    COUNTED(FAILED, task)                                                                                              \
    COUNTED(CANCELLED, task)                                                                                           \
    COUNTED(BECAME, task)                                                                                              \
    COUNTED(GROUP_ENTER, group) /* `on enter` and `on exit` of a group */                                              \
    COUNTED(GROUP_EXIT, group)                                                                                         \
    COUNTED(PREEMPT, preempt)                                                                                          \
    COUNTED(STEP, step)   /* times a step was entered */                                                               \
    COUNTED(AGAIN, step)  /* times its body ran again */                                                               \
    COUNTED(PAUSE, pause) /* times an await or a stay with a timeout was reached */                                    \
    COUNTED(EDGE, edge)                                                                                                \
    COUNTED(TRUE, arm) /* results of the condition of an arm */                                                        \
    COUNTED(FALSE, arm)                                                                                                \
    COUNTED(ON_PAUSE, task)                                                                                            \
    COUNTED(ON_RESUME, task)                                                                                           \
    COUNTED(GROUP_PAUSE, group)                                                                                        \
    COUNTED(GROUP_RESUME, group)

typedef enum cover_kind {
#define COUNTED(kind, table) COVER_##kind,
    COVER_KINDS
#undef COUNTED
        COVER_COUNT
} cover_kind;

bool covers(const writer *w);

cover_kind cover_of_handler(handler_kind on, bool is_of_group);

/* Has the flow a function that is called when a task is left? Then it counts the endings too. */
bool has_on_exit(const writer *w, const ir_flow *flow);

/* put_counter() writes the address of a counter: `&uf_Picker_counts[12]`. put_count() writes a call and a comma, before
 * an expression; put_count_statement() writes a line. `index` is that of the item; IR_NONE: nothing is written. */
void put_counter(writer *w, cover_kind kind, uint32_t index);
void put_count(writer *w, cover_kind kind, uint32_t index);
void put_count_statement(writer *w, cover_kind kind, uint32_t index);
/* The call itself, between two texts. */
void put_count_call(writer *w, cover_kind kind, uint32_t index, const char *before, const char *end);

/* Counts an item of the unit's tables. */
#define put_count_of(w, kind, table, item) put_count(w, kind, (uint32_t)((item) - (w)->unit->table))

/* The parts of the C file: the counters before their first use, and the table of what they count. */
void emit_counters(writer *w);
void emit_coverage(writer *w);

#endif
