/* SPDX-License-Identifier: MIT */
/* json.c - all that the file has, as JSON; docs/uflow-store.md describes it. */
#include "store.h"

#include <inttypes.h>
#include <string.h>

static void print_member(FILE *out, const char *name, const store_text *text)
{
    fprintf(out, ", \"%s\": ", name);
    if (text->at) store_print_string(out, text->at, text->length);
    else fputs("null", out);
}

/* Of a damaged one, the bytes. */
static bool print_record(const store_data *data, const store_row *row, FILE *out)
{
    store_record record;

    fputs(", \"record\": ", out);
    if (store_record_open(&record, row)) {
        ufi_cbor_in in = {(const uint8_t *)row->record.at, (const uint8_t *)row->record.at + row->record.length};
        store_print_value(out, &in, true);
        return true;
    }
    fputs("null, \"damaged\": \"", out);
    for (size_t i = 0; row->record.at && i < row->record.length; i++) fprintf(out, "%02x", (uint8_t)row->record.at[i]);
    fputc('"', out);
    return store_is_damaged(data, row);
}

static bool print_row(const store_data *data, const store_row *row, FILE *out)
{
    fputs("    {\"path\": ", out);
    store_print_string(out, row->path.at, row->path.length);
    print_member(out, "type", &row->type);
    print_member(out, "task", &row->task);
    print_member(out, "step", &row->step);
    fprintf(out, ", \"run\": %" PRId64, row->run);
    print_member(out, "outcome", &row->outcome);
    print_member(out, "reason", &row->reason);
    print_member(out, "time", &row->time);
    bool const is_whole = print_record(data, row, out);
    fputc('}', out);
    return is_whole;
}

/* The row of the time alone has no path, and tells nothing but that. */
bool store_export(const store_data *data, FILE *out)
{
    bool is_whole = true, has_time = false;
    char const *between = "\n";
    int64_t latest = 0;

    fputs("{\"format\": \"uflow-store\", \"version\": 1, \"identity\": ", out);
    store_print_string(out, data->identity, strlen(data->identity));
    fputs(", \"flows\": [", out);
    for (size_t i = 0; i < data->count; i++) {
        const store_row *const row = &data->rows[i];
        store_record record;
        bool const is_right = store_record_open(&record, row);
        ufi_cbor_item const time =
            is_right ? store_record_find(&record, "time") : (ufi_cbor_item){UFI_CBOR_NONE, 0, NULL};
        bool const is_later = time.kind != UFI_CBOR_NONE && (!has_time || store_int(&time) > latest);
        if (is_later) latest = store_int(&time);
        has_time |= is_later;
        if (row->path.length) {
            fputs(between, out);
            between = ",\n";
            is_whole &= print_row(data, row, out);
        } else if (!is_right) {
            is_whole = store_is_damaged(data, row);
        }
    }
    fputs("\n  ], \"logical_time\": ", out);
    if (has_time) fprintf(out, "%" PRId64 "}\n", latest);
    else fputs("null}\n", out);
    return is_whole;
}
