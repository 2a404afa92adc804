/* SPDX-License-Identifier: MIT */
/* columns.c - reads of a record what people want to see beside it. They are the first pairs of its map. */
#include "durable/cbor.h"

#include "database.h"

static struct ufi_column_text text_of(const ufi_cbor_item *item)
{
    bool const is_text = item->kind == UFI_CBOR_TEXT || item->kind == UFI_CBOR_BYTES;
    return (struct ufi_column_text){is_text ? (const char *)item->at : "", is_text ? (int)item->number : 0};
}

/* Takes the value of a key, if that is a column. */
static bool read_pair(ufi_columns *columns, const ufi_cbor_item *key, ufi_cbor_in *in)
{
    struct {
        const char *name;
        struct ufi_column_text *text;
    } const texts[] = {
        {"type", &columns->type}, {"task", &columns->task}, {"step", &columns->step}, {"reason", &columns->reason}};
    bool const is_run = ufi_cbor_is_name(key, "run"), is_outcome = !is_run && ufi_cbor_is_name(key, "outcome");
    size_t which = 0;

    while (which < sizeof texts / sizeof *texts && !ufi_cbor_is_name(key, texts[which].name)) which++;
    bool const is_text = which < sizeof texts / sizeof *texts;
    if (!is_text && !is_run && !is_outcome) return false;
    ufi_cbor_item const value = ufi_cbor_take(in);
    if (is_text) *texts[which].text = text_of(&value);
    else if (is_run) columns->run = (sqlite3_int64)value.number;
    else columns->outcome = uf_outcome_text((uf_outcome)value.number);
    return true;
}

#define COLUMNS 6

void ufi_columns_read(ufi_columns *columns, const void *bytes, size_t size)
{
    ufi_cbor_in in = {bytes, (const uint8_t *)bytes + size};
    ufi_cbor_item const map = ufi_cbor_take(&in);
    uint64_t pairs = map.kind == UFI_CBOR_MAP ? map.number : 0;

    *columns = (ufi_columns){.type = {"", 0}, .task = {"", 0}, .step = {"", 0}, .reason = {"", 0}, .outcome = ""};
    for (unsigned found = 0; pairs > 0 && found < COLUMNS; pairs--) {
        ufi_cbor_item const key = ufi_cbor_take(&in);
        if (read_pair(columns, &key, &in)) found++;
        else if (!ufi_cbor_skip(&in)) return;
    }
}
