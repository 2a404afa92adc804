/* coverage.c - adds the counters of generated code to a data file, which docs/uflow-cov.md describes. */
#include "uflow/coverage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port_file.h"
#include "port_host.h"

#define MAGIC  "uflow-coverage 1 "
#define END    "end\n" /* of a record */
#define DIGITS 16      /* of a count; all counts have the same width, so that a file is changed in place */

/* The lock of port_file.h protects these. */
static uf_coverage_unit *units;
static char *data_path;
static bool is_written; /* units without counts are in the file too */

/* -- text ---------------------------------------------------------------------------------------------------------- */

typedef struct text {
    char *bytes;
    size_t length, room;
    bool failed; /* there was no memory */
} text;

static bool reserve(text *t, size_t more)
{
    if (t->bytes && t->room - t->length >= more) return true;
    size_t const room = (t->length + more) * 2;
    char *const bytes = t->failed ? NULL : ufp_allocate(room);
    if (!bytes) {
        t->failed = true;
        return false;
    }
    if (t->length) memcpy(bytes, t->bytes, t->length);
    ufp_free(t->bytes);
    t->bytes = bytes;
    t->room = room;
    return true;
}

static void append(text *t, const char *bytes, size_t length)
{
    if (length == 0 || !reserve(t, length)) return;
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
}

static void append_header(text *t, const uf_coverage_unit *unit)
{
    char line[96];
    int const length = snprintf(line, sizeof line, MAGIC "%016" PRIx64 " %zu ", unit->checksum, unit->point_count);
    append(t, line, (size_t)length);
    append(t, unit->source, strlen(unit->source));
    append(t, "\n", 1);
}

/* Appends what follows the count in the line of a point. */
static void append_point(text *t, const uf_coverage_point *point)
{
    const char *const parts[] = {point->kind, point->label, point->target};
    char numbers[40];
    int const length = snprintf(numbers, sizeof numbers, "\t%" PRIu32 "\t%" PRIu32, point->counter, point->line);
    append(t, numbers, (size_t)length);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        append(t, "\t", 1);
        append(t, parts[i], strlen(parts[i]));
    }
    append(t, "\n", 1);
}

static void put_count(char *digits, uint64_t count)
{
    for (int i = DIGITS; i-- > 0; count >>= 4) digits[i] = "0123456789abcdef"[count & 15];
}

static bool get_count(const char *digits, uint64_t *count)
{
    *count = 0;
    for (int i = 0; i < DIGITS; i++) {
        const char *const known = "0123456789abcdef", *const digit = memchr(known, digits[i], 16);
        if (!digit) return false;
        *count = *count << 4 | (uint64_t)(digit - known);
    }
    return true;
}

static void append_count(text *t, uint64_t count)
{
    char digits[DIGITS];
    put_count(digits, count);
    append(t, digits, sizeof digits);
}

/* -- merging ------------------------------------------------------------------------------------------------------- */

/* A record as it would be with all counts 0. */
static void append_empty_record(text *t, const uf_coverage_unit *unit)
{
    append_header(t, unit);
    for (size_t i = 0; i < unit->point_count; i++) {
        append_count(t, 0);
        append_point(t, &unit->points[i]);
    }
    append(t, END, sizeof END - 1);
}

/* Is the record at `at` the same as `wanted`, but for its counts? */
static bool is_record(const char *at, size_t rest, const text *wanted)
{
    const char *const header_end = memchr(wanted->bytes, '\n', wanted->length);
    uint64_t count;

    if (!header_end || rest < wanted->length) return false;
    size_t from = (size_t)(header_end - wanted->bytes) + 1;
    if (memcmp(at, wanted->bytes, from) != 0) return false;
    while (from < wanted->length - (sizeof END - 1)) {
        size_t const tail = from + DIGITS;
        const char *const end = memchr(wanted->bytes + tail, '\n', wanted->length - tail);
        if (!end || !get_count(at + from, &count)) return false;
        size_t const next = (size_t)(end - wanted->bytes) + 1;
        if (memcmp(at + tail, wanted->bytes + tail, next - tail) != 0) return false;
        from = next;
    }
    return memcmp(at + from, END, sizeof END - 1) == 0;
}

/* Returns: the offset of the record, which is appended if it is missing or damaged. */
static size_t find_record(text *t, const text *wanted)
{
    for (size_t at = 0; at < t->length;) {
        if (is_record(t->bytes + at, t->length - at, wanted)) return at;
        const char *const end = memchr(t->bytes + at, '\n', t->length - at);
        at = end ? (size_t)(end - t->bytes) + 1 : t->length;
    }
    size_t const at = t->length;
    append(t, wanted->bytes, wanted->length);
    return at;
}

/* Adds the counts to the record that begins here. */
static void add_counts(char *record, const uf_coverage_unit *unit, const uint64_t *counts)
{
    char *at = record;
    for (size_t i = 0; i < unit->point_count; i++) {
        uint64_t before;
        at = strchr(at, '\n') + 1;
        (void)get_count(at, &before);
        put_count(at, before > UINT64_MAX - counts[i] ? UINT64_MAX : before + counts[i]);
    }
}

/* A ufp_file_edit. `context`: the counts to add, of all units. */
static char *merge(void *context, const char *old, size_t old_length, size_t *length)
{
    size_t const magic = sizeof MAGIC - 1;
    const uint64_t *counts = context;
    text t = {0};

    if (memcmp(old, MAGIC, old_length < magic ? old_length : magic) != 0) {
        errno = EINVAL;
        return NULL;
    }
    if (old_length < magic) old_length = 0; /* a cut file that holds nothing yet */
    append(&t, old, old_length);
    if (old_length && old[old_length - 1] != '\n') append(&t, "\n", 1); /* the end of the file is missing */
    for (uf_coverage_unit const *unit = units; unit; unit = unit->next) {
        text wanted = {0};
        append_empty_record(&wanted, unit);
        if (wanted.failed) t.failed = true;
        if (!t.failed) {
            size_t const at = find_record(&t, &wanted);
            if (!t.failed) add_counts(t.bytes + at, unit, counts);
        }
        counts += unit->point_count;
        ufp_free(wanted.bytes);
    }
    if (t.failed) {
        ufp_free(t.bytes);
        errno = ENOMEM;
        return NULL;
    }
    *length = t.length;
    return t.bytes;
}

/* -- the data file ------------------------------------------------------------------------------------------------- */

static size_t count_points(void)
{
    size_t count = 0;
    for (uf_coverage_unit const *unit = units; unit; unit = unit->next) count += unit->point_count;
    return count;
}

/* Returns: whether any is not 0. */
static bool read_counts(uint64_t *counts)
{
    bool any = false;
    for (uf_coverage_unit const *unit = units; unit; unit = unit->next) {
        for (size_t i = 0; i < unit->point_count; i++) {
            *counts = uf_counter_read(&unit->counts[unit->points[i].counter]);
            any |= *counts++ != 0;
        }
    }
    return any;
}

/* The counters may have grown meanwhile. */
static void subtract_counts(const uint64_t *counts)
{
    for (uf_coverage_unit const *unit = units; unit; unit = unit->next) {
        for (size_t i = 0; i < unit->point_count; i++) {
            uf_counter_subtract(&unit->counts[unit->points[i].counter], (uf_counter)*counts++);
        }
    }
}

/* With the lock. */
static bool write_counts(void)
{
    size_t const points = count_points();
    if (points == 0 || (data_path && !*data_path)) return true;
    uint64_t *const counts = data_path ? ufp_allocate(points * sizeof *counts) : NULL;
    if (!counts) {
        errno = ENOMEM;
        return false;
    }
    bool const needed = read_counts(counts) || !is_written;
    bool const well = !needed || ufp_file_update(data_path, merge, counts);
    int const error = errno;
    if (needed && well) {
        subtract_counts(counts);
        is_written = true;
    }
    ufp_free(counts);
    errno = error;
    return well;
}

bool uf_coverage_write(void)
{
    ufp_file_lock();
    bool const well = write_counts();
    int const error = errno;
    ufp_file_unlock();
    errno = error;
    return well;
}

/* The counts so far are the parent's. */
static void forget_counts(void)
{
    for (uf_coverage_unit const *unit = units; unit; unit = unit->next) {
        for (size_t i = 0; i < unit->point_count; i++) unit->counts[unit->points[i].counter] = 0;
    }
}

/* The program may change its directory later. */
static void begin(const char *path)
{
    const char *const chosen = getenv("UFLOW_COVERAGE_FILE");
    const char *const wanted = chosen ? chosen : path ? path : "uflow.cov";
    data_path = *wanted ? ufp_file_absolute(wanted) : ufp_allocate(1);
    ufp_file_on_fork(forget_counts);
}

void uf_coverage_add(uf_coverage_unit *unit, const char *path)
{
    static bool has_begun;
    ufp_file_lock();
    bool const is_first = !has_begun;
    has_begun = true;
    unit->next = units;
    units = unit;
    is_written = false;
    if (is_first) begin(path);
    ufp_file_unlock();
}

/* After write_counts() has failed. EINVAL: the file is another one. */
static void complain(void)
{
    char line[512];
    int const length =
        snprintf(line, sizeof line, "uflow: coverage is not written: %s: %s\n", data_path ? data_path : "data file",
                 errno == EINVAL ? "is no coverage data" : strerror(errno));
    size_t const size = length < (int)sizeof line ? (size_t)length : sizeof line - 1;
    if (length > 0) ufp_print_error(line, size);
}

void uf_coverage_remove(uf_coverage_unit *unit)
{
    static bool has_complained;
    ufp_file_lock();
    if (!write_counts() && !has_complained) {
        has_complained = true;
        complain();
    }
    uf_coverage_unit **link = &units;
    while (*link && *link != unit) link = &(*link)->next;
    if (*link) *link = unit->next;
    ufp_file_unlock();
}
