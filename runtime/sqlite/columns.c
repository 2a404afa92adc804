/* SPDX-License-Identifier: MIT */
/* columns.c - reads of a record what people want to see beside it. */
#include "durable/cbor.h"

#include "database.h"

typedef struct pairs {
    ufi_cbor_in map;
    uint64_t count;
} pairs;

static ufi_cbor_item find(const pairs *all, const char *key)
{
    ufi_cbor_in at;
    return ufi_cbor_find(&all->map, all->count, key, &at) ? ufi_cbor_take(&at)
                                                          : (ufi_cbor_item){UFI_CBOR_NONE, 0, NULL};
}

static struct ufi_column_text text_of(const pairs *all, const char *key)
{
    ufi_cbor_item const item = find(all, key);
    bool const is_text = item.kind == UFI_CBOR_TEXT || item.kind == UFI_CBOR_BYTES;
    return (struct ufi_column_text){is_text ? (const char *)item.at : "", is_text ? (int)item.number : 0};
}

void ufi_columns_read(ufi_columns *columns, const void *bytes, size_t size)
{
    ufi_cbor_in whole = {bytes, (const uint8_t *)bytes + size};
    ufi_cbor_item const map = ufi_cbor_take(&whole);
    pairs const all = {whole, map.kind == UFI_CBOR_MAP ? map.number : 0};

    *columns = (ufi_columns){.type = text_of(&all, "type"),
                             .task = text_of(&all, "task"),
                             .step = text_of(&all, "step"),
                             .reason = text_of(&all, "reason"),
                             .run = (sqlite3_int64)find(&all, "run").number,
                             .outcome = uf_outcome_text((uf_outcome)find(&all, "outcome").number)};
}
