/* SPDX-License-Identifier: MIT */
/* coverage.c - appends the counts of generated code to a data file, which docs/uflow-cov.md describes. */
#include "uflow/coverage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port_host.h"

static uint32_t has_begun;
static ufp_mutex mutex; /* since then. It protects what follows */
static uf_coverage_unit *units;
static char *data_path;

static void lock(void)
{
    ufp_mutex_lock(&mutex);
}

static void unlock(void)
{
    ufp_mutex_unlock(&mutex);
}

/* The counts so far are the parent's. */
static void begin_child(void)
{
    for (uf_coverage_unit *unit = units; unit; unit = unit->next)
        memset(unit->counts, 0, 2 * unit->count * sizeof *unit->counts);
    unlock();
}

/* The program may change its directory later. The loader runs constructors one at a time. */
static void begin(const char *path)
{
    const char *const chosen = getenv("UFLOW_COVERAGE_FILE");
    if (ufp_mutex_init(&mutex) != 0) return;
    data_path = ufp_absolute(chosen ? chosen : path ? path : "uflow.cov");
    ufp_on_fork(lock, unlock, begin_child);
    ufp_store_release(&has_begun, true);
}

/* -- writing ------------------------------------------------------------------------------------------------------- */

/* Returns: whether there is anything to write. */
static bool take_counts(const uf_coverage_unit *unit)
{
    bool any = !unit->is_written;
    for (size_t i = 0; i < unit->count; i++) {
        unit->counts[unit->count + i] += uf_counter_take(&unit->counts[i]);
        any |= unit->counts[unit->count + i] != 0;
    }
    return any;
}

/* Begins with an empty line: the record before it may be cut. Returns: allocated, or NULL. */
static char *make_record(const uf_coverage_unit *unit, size_t *length)
{
    size_t room = 64 + strlen(unit->source), at;
    for (size_t i = 0; i < unit->count; i++) room += unit->points[i] ? 24 + strlen(unit->points[i]) : 0;
    char *const record = ufp_allocate(room);
    if (!record) return NULL;
    at = (size_t)snprintf(record, room, "\nuflow-coverage 2 %016" PRIx64 " %s\n", unit->checksum, unit->source);
    for (size_t i = 0; i < unit->count; i++) {
        uint64_t const count = unit->counts[unit->count + i];
        if (unit->points[i]) at += (size_t)snprintf(record + at, room - at, "%" PRIu64 " %s\n", count, unit->points[i]);
    }
    *length = at + (size_t)snprintf(record + at, room - at, "end\n");
    return record;
}

/* With the mutex. Returns: 0, or errno. */
static int write_unit(uf_coverage_unit *unit)
{
    size_t length = 0;
    if (!take_counts(unit) || (data_path && !*data_path)) return 0;
    char *const record = data_path ? make_record(unit, &length) : NULL;
    int const error = record ? ufp_append(data_path, record, length) : ENOMEM;
    ufp_free(record);
    if (error) return error;
    memset(unit->counts + unit->count, 0, unit->count * sizeof *unit->counts);
    unit->is_written = true;
    return 0;
}

bool uf_coverage_write(void)
{
    int error = 0;
    if (!ufp_load_acquire(&has_begun)) return true;
    lock();
    for (uf_coverage_unit *unit = units; unit && !error; unit = unit->next) error = write_unit(unit);
    unlock();
    if (error) errno = error;
    return error == 0;
}

/* -- units --------------------------------------------------------------------------------------------------------- */

void uf_coverage_add(uf_coverage_unit *unit, const char *path)
{
    if (!ufp_load_acquire(&has_begun)) begin(path);
    if (!ufp_load_acquire(&has_begun)) return;
    lock();
    unit->next = units;
    units = unit;
    unlock();
}

const uf_coverage_unit *uf_coverage_next(const uf_coverage_unit *after)
{
    return after ? after->next : units;
}

static void complain(int error)
{
    char line[512];
    int const length = snprintf(line, sizeof line, "uflow: coverage is not written: %s: %s\n",
                                data_path ? data_path : "data file", strerror(error));
    size_t const size = length < (int)sizeof line ? (size_t)length : sizeof line - 1;
    if (length > 0) ufp_print_error(line, size);
}

void uf_coverage_remove(uf_coverage_unit *unit)
{
    static bool has_complained;
    if (!ufp_load_acquire(&has_begun)) return;
    lock();
    int const error = write_unit(unit);
    if (error && !has_complained) complain(error);
    has_complained |= error != 0;
    uf_coverage_unit **link = &units;
    while (*link && *link != unit) link = &(*link)->next;
    if (*link) *link = unit->next;
    unlock();
}
