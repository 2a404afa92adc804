/* SPDX-License-Identifier: MIT */
/* text.c - the list of flows, and all that is kept of one, for people. */
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory.h"
#include "store.h"
#include "uflow/priv/duration.h"
#include "uflow/store.h"

static const char *ago_text(const store_row *row, char text[UF_DURATION_SIZE + 4])
{
    int64_t const age = store_age(row);

    if (age < 0) return strcpy(text, "-");
    (void)uf_duration_text((uint64_t)age, text);
    return strcat(text, " ago");
}

/* -- the list ------------------------------------------------------------------------------------------------------ */

enum { PATH, TYPE, STEP, RUN, OUTCOME, KEPT, REASON, COLUMNS };

typedef struct line {
    char *cells[COLUMNS];
} line;

static char *cell_of(const store_text *text)
{
    return tool_copy_printable(text->at ? text->at : "", text->at ? text->length : 0);
}

static line line_of(const store_row *row)
{
    char run[24], ago[UF_DURATION_SIZE + 4];
    char *const task = cell_of(&row->task), *const step = cell_of(&row->step);
    size_t const size = strlen(task) + strlen(step) + 2;
    char *const place = tool_resize(NULL, size, 1);

    tool_format(run, sizeof run, "%" PRId64, row->run);
    tool_format(place, size, "%s.%s", task, step);
    free(task);
    free(step);
    return (line){{cell_of(&row->path), cell_of(&row->type), place, tool_copy(run, strlen(run)), cell_of(&row->outcome),
                   tool_copy(ago, strlen(ago_text(row, ago))), cell_of(&row->reason)}};
}

static size_t width_of(const char *cell)
{
    size_t width = 0;
    for (; *cell; cell++) width += (*cell & 0xc0) != 0x80; /* characters, not bytes */
    return width;
}

static void print_spaces(FILE *out, size_t count)
{
    while (count-- > 0) fputc(' ', out);
}

/* Numbers are at the right of their column. A line has no spaces at its end. */
static void print_line(FILE *out, char *const cells[COLUMNS], const size_t widths[COLUMNS])
{
    int last = COLUMNS - 1;

    while (last > 0 && !*cells[last]) last--;
    for (int i = 0; i <= last; i++) {
        size_t const gap = widths[i] - width_of(cells[i]);
        if (i == RUN) print_spaces(out, gap);
        fputs(cells[i], out);
        if (i < last) print_spaces(out, (i == RUN ? 0 : gap) + 2);
    }
    fputc('\n', out);
}

static void print_table(FILE *out, const line *lines, size_t count)
{
    static char *const titles[COLUMNS] = {"PATH", "TYPE", "STEP", "RUN", "OUTCOME", "KEPT", "REASON"};
    size_t widths[COLUMNS];

    for (int i = 0; i < COLUMNS; i++) {
        widths[i] = strlen(titles[i]);
        for (size_t k = 0; k < count; k++) {
            size_t const width = width_of(lines[k].cells[i]);
            if (width > widths[i]) widths[i] = width;
        }
    }
    print_line(out, titles, widths);
    for (size_t k = 0; k < count; k++) print_line(out, lines[k].cells, widths);
}

bool store_list(const store_data *data, FILE *out)
{
    line *const lines = tool_resize(NULL, data->count + 1, sizeof *lines);
    size_t count = 0, running = 0;
    bool is_whole = true;

    for (size_t i = 0; i < data->count; i++) {
        const store_row *const row = &data->rows[i];
        store_record record;
        bool const is_right = store_record_open(&record, row);
        if (row->path.length && !store_is_starts(row)) lines[count++] = line_of(row);
        if (is_right) running += store_record_uint(&record, "runs") != 0;
        else is_whole = store_is_damaged(data, row);
    }
    fprintf(out, "%zu flow%s, %zu running; identity %s\n", count, count == 1 ? "" : "s", running, data->identity);
    if (count) print_table(out, lines, count);
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < COLUMNS; k++) free(lines[i].cells[k]);
    }
    free(lines);
    return is_whole;
}

/* -- one flow ------------------------------------------------------------------------------------------------------ */

#define INDENT 15

static void print_name(FILE *out, const char *name)
{
    fprintf(out, "%-*s", INDENT, name);
}

/* Without quotes, so without escapes. */
static void print_text(FILE *out, const store_text *text)
{
    char *const cell = cell_of(text);
    fputs(cell, out);
    free(cell);
}

static void print_duration(FILE *out, int64_t time)
{
    char text[UF_DURATION_SIZE];
    fprintf(out, "%s%s", time < 0 ? "-" : "", uf_duration_text(time < 0 ? 0 - (uint64_t)time : (uint64_t)time, text));
}

static void print_date(FILE *out, int64_t nanoseconds)
{
    time_t const seconds = (time_t)(nanoseconds / 1000000000);
    struct tm day;
    char text[40];

    if (nanoseconds >= 0 && gmtime_r(&seconds, &day) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &day))
        fputs(text, out);
    else fprintf(out, "%" PRId64, nanoseconds);
}

/* Rows of a place, its number there, whether the time is real, the time. Returns: false if they are others. */
static bool print_timeouts(FILE *out, ufi_cbor_in in)
{
    ufi_cbor_item const list = ufi_cbor_take(&in);

    for (uint64_t i = 0; i < list.number; i++) {
        ufi_cbor_item const row = ufi_cbor_take(&in), place = ufi_cbor_take(&in), number = ufi_cbor_take(&in);
        ufi_cbor_item const is_real = ufi_cbor_take(&in), time = ufi_cbor_take(&in);
        bool const is_known = row.kind == UFI_CBOR_ARRAY && row.number == 4 && place.kind == UFI_CBOR_TEXT &&
                              number.kind == UFI_CBOR_UINT && is_real.kind == UFI_CBOR_BOOL &&
                              (time.kind == UFI_CBOR_UINT || time.kind == UFI_CBOR_NEGATIVE);
        if (!is_known) return false;
        if (i) fputs(", ", out);
        store_print_key(out, &place, false);
        fputs(is_real.number ? ": in " : ": at ", out);
        if (store_int(&time) == INT64_MAX) fputs("never", out);
        else print_duration(out, store_int(&time));
        fputs(is_real.number ? " of real time" : " of logical time", out);
    }
    if (!list.number) fputs("none", out);
    return true;
}

/* A map has a line for each of its names. */
static void print_map(FILE *out, ufi_cbor_in *in)
{
    ufi_cbor_item const map = ufi_cbor_take(in);

    if (!map.number) fputs("none", out);
    for (uint64_t i = 0; i < map.number; i++) {
        if (i) fputc('\n', out);
        if (i) print_spaces(out, INDENT);
        ufi_cbor_item const name = ufi_cbor_take(in);
        store_print_key(out, &name, false);
        fputs(": ", out);
        store_print_value(out, in, false);
    }
}

/* What is empty says nothing; nor do the numbers of an owner, if there is none. */
static bool is_shown(const store_record *record, const ufi_cbor_item *key, ufi_cbor_in in)
{
    static const char of_owner[] = "owner";
    ufi_cbor_item const item = ufi_cbor_take(&in), owner = store_record_find(record, of_owner);
    bool const is_of_owner = key->number >= strlen(of_owner) && memcmp(key->at, of_owner, strlen(of_owner)) == 0;

    return (item.kind != UFI_CBOR_TEXT || item.number) && (!is_of_owner || owner.number);
}

static void print_pair(FILE *out, const ufi_cbor_item *key, ufi_cbor_in in)
{
    store_look const look = store_record_look(key);
    ufi_cbor_in next = in;
    ufi_cbor_item const item = ufi_cbor_take(&next);

    if (look == LOOK_OUTCOME) {
        fputs(uf_outcome_text((uf_outcome)item.number), out);
    } else if (look == LOOK_LOGICAL) {
        print_duration(out, store_int(&item));
        fputs(" of logical time", out);
    } else if (look == LOOK_DATE) {
        print_date(out, store_int(&item));
    } else if (item.kind == UFI_CBOR_MAP) {
        print_map(out, &in);
    } else if (item.kind == UFI_CBOR_TEXT) {
        print_text(out, &(store_text){(char *)(uintptr_t)item.at, (size_t)item.number});
    } else if (look != LOOK_TIMEOUTS || !print_timeouts(out, in)) {
        store_print_value(out, &in, false);
    }
}

/* Of each target: how many were begun, and the run of the last one. */
static bool show_starts(const store_data *data, const store_row *row, FILE *out)
{
    ufi_cbor_in in;
    store_record record;

    if (!row) return true;
    if (!store_record_open(&record, row)) return store_is_damaged(data, row);
    (void)ufi_cbor_find(&record.map, record.pairs, "starts", &in);
    print_name(out, "starts");
    print_map(out, &in);
    fputc('\n', out);
    return true;
}

bool store_show(const store_data *data, const store_row *row, FILE *out)
{
    char ago[UF_DURATION_SIZE + 4];
    store_record record;

    print_name(out, "path");
    print_text(out, &row->path);
    fputc('\n', out);
    print_name(out, "kept");
    print_text(out, &row->time);
    fprintf(out, ", %s\n", ago_text(row, ago));
    if (!store_record_open(&record, row)) return store_is_damaged(data, row);
    ufi_cbor_in in = record.map;
    for (uint64_t i = 0; i < record.pairs; i++) {
        ufi_cbor_item const key = ufi_cbor_take(&in);
        if (is_shown(&record, &key, in)) {
            store_print_key(out, &key, false);
            print_spaces(out, key.number < INDENT ? INDENT - (size_t)key.number : 1);
            print_pair(out, &key, in);
            fputc('\n', out);
        }
        (void)ufi_cbor_skip(&in);
    }
    return show_starts(data, store_starts_of(data, row), out);
}

bool store_is_damaged(const store_data *data, const store_row *row)
{
    char *const path = cell_of(&row->path);

    fflush(stdout);
    fprintf(stderr, "%s: %s: the record of %s%s%s is damaged\n", tool_name, data->name, *path ? "`" : "",
            *path ? path : "the time", *path ? "`" : "");
    free(path);
    return false;
}
