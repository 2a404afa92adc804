/* SPDX-License-Identifier: MIT */
/* coverage.h - the counters of C files that `ufc --coverage` has made.
 *
 * Counters only grow. Pumps of several threads may count at once, so an increment is atomic, with relaxed order. */
#ifndef UFLOW_GENERATED_COVERAGE_H
#define UFLOW_GENERATED_COVERAGE_H

#include "uflow/generated/words.h"

UF_C_BEGIN

#if defined(__GCC_ATOMIC_LLONG_LOCK_FREE) && __GCC_ATOMIC_LLONG_LOCK_FREE == 2
typedef uint64_t uf_counter;
#else
typedef uint32_t uf_counter;
#endif

/* What a counter counts, as the data file has it: `PLACE LINE KIND LABEL -> TARGET`. The place is that among all points
 * of the file in source order, where the points of a step follow it, and so on.
 *
 * | kind                                        | label            | target           |
 * |---------------------------------------------|------------------|------------------|
 * | flow: calls of its init                     | its name         |                  |
 * | task: times that it was entered             | its name         |                  |
 * | ending: times that it was left              | the outcome      |                  |
 * | handler: runs of a body                     | `on exit`        |                  |
 * | preempt: times that it decided              | `on estop`       | as of an edge    |
 * | step: times that it was entered             | its name         |                  |
 * | again: further runs of the step's body      |                  |                  |
 * | wait: an await, or a stay with a timeout    |                  |                  |
 * | next, stay, await, timeout, else: an edge   | `run Axis.Home`  | a step, `become Park`, `done`, `fail` |
 * | failure: without `else`, it fails the task  | as of an edge    | `fail`           |
 * | true, false: the condition of the last edge | as of that edge  | as of that edge  | */
typedef struct uf_coverage_unit {
    const char *source;        /* the .uflow file, as named to ufc */
    uint64_t checksum;         /* of its text */
    const char *const *points; /* by counter; NULL: it counts nothing */
    uf_counter *counts;        /* twice `count`: behind the counters is what of them is not in the data file yet */
    size_t count;
    bool is_written; /* points without counts are in the file too */
    struct uf_coverage_unit *next;
} uf_coverage_unit;

/* Announces counters before main() and after exit(), or when a shared library is loaded and unloaded. `path`: the data
 * file, if the environment names none; or NULL. */
void uf_coverage_add(uf_coverage_unit *unit, const char *path);
void uf_coverage_remove(uf_coverage_unit *unit);

/* The units of the program, for the runner of tests; NULL after the last. No library may be loaded meanwhile. */
const uf_coverage_unit *uf_coverage_next(const uf_coverage_unit *after);

/* The C files need the constructors and atomic operations of GCC or Clang. */
#if defined(__GNUC__) && !defined(__TINYC__)

#if !defined(UF_COVERAGE_FILE)
#define UF_COVERAGE_FILE 0
#endif
#define UF_COVERAGE_REGISTER(function, unit)                                                                           \
    __attribute__((__constructor__)) static void function(void)                                                        \
    {                                                                                                                  \
        uf_coverage_add(&unit, UF_COVERAGE_FILE);                                                                      \
    }                                                                                                                  \
    __attribute__((__destructor__)) static void function##_end(void)                                                   \
    {                                                                                                                  \
        uf_coverage_remove(&unit);                                                                                     \
    }

static inline void uf_count(uf_counter *counter)
{
    (void)__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* For the runtime. */
static inline uf_counter uf_counter_take(uf_counter *counter)
{
    return __atomic_exchange_n(counter, 0, __ATOMIC_RELAXED);
}

/* Counts a run of a step's body: the first one after the step was entered. */
static inline void uf_count_body(const uf_flow *flow, uf_counter *entries, uf_counter *again)
{
    uf_count(__atomic_load_n(&flow->ticks, __ATOMIC_RELAXED) == 0 ? entries : again);
}

#endif

UF_C_END
#endif
