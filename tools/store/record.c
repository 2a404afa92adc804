/* SPDX-License-Identifier: MIT */
/* record.c - the record of a row: a map of CBOR that runtime/core/durable/keep.c has written. */
#include "store.h"

#include <string.h>

#include "uflow/store.h"

#define IS(kind) (1u << UFI_CBOR_##kind)
#define INT      (IS(UINT) | IS(NEGATIVE))
#define STRING   (IS(TEXT) | IS(BYTES))

/* The rows that have a certain key: that of the time; those of flows; those of flows that run; those of what flows have
 * begun. */
enum { OF_TIME = 1, OF_FLOW = 2, OF_RUN = 4, OF_STARTS = 8, OPTIONAL = 16 };

static const struct row {
    const char *key;
    unsigned kinds, in;
    store_look look;
} rows[] = {
    {"type", STRING, OF_FLOW | OF_STARTS, LOOK_PLAIN},
    {"run", IS(UINT), OF_FLOW | OF_STARTS, LOOK_PLAIN},
    {"task", STRING, OF_FLOW, LOOK_PLAIN},
    {"step", STRING, OF_FLOW, LOOK_PLAIN},
    {"outcome", IS(UINT), OF_FLOW, LOOK_OUTCOME},
    {"reason", STRING, OF_FLOW, LOOK_PLAIN},
    {"time", INT, OF_TIME | OF_FLOW, LOOK_LOGICAL},
    {"wall", INT, OF_FLOW | OPTIONAL, LOOK_DATE},
    {"fields", IS(MAP), OF_FLOW, LOOK_PLAIN},
    {"results", IS(MAP), OF_FLOW, LOOK_PLAIN},
    {"owner", STRING, OF_FLOW, LOOK_PLAIN},
    {"owner run", IS(UINT), OF_FLOW, LOOK_PLAIN},
    {"owner ordinal", IS(UINT), OF_FLOW, LOOK_PLAIN},
    {"owner arm", INT, OF_FLOW, LOOK_PLAIN},
    {"within", IS(UINT), OF_FLOW | OF_STARTS | OPTIONAL, LOOK_PLAIN},
    {"runs", IS(BOOL), OF_FLOW, LOOK_PLAIN},
    {"ordinal", IS(UINT), OF_RUN | OF_STARTS, LOOK_PLAIN},
    {"since", INT, OF_RUN, LOOK_LOGICAL},
    {"entered", IS(BOOL), OF_RUN, LOOK_PLAIN},
    {"restored", IS(UINT), OF_RUN, LOOK_PLAIN},
    {"owned", IS(BOOL), OF_RUN, LOOK_PLAIN},
    {"group", STRING, OF_RUN, LOOK_PLAIN},
    {"timeouts", IS(ARRAY), OF_RUN, LOOK_TIMEOUTS},
    {"self", IS(MAP), OF_RUN, LOOK_PLAIN},
    {"arguments", IS(MAP), OF_RUN, LOOK_PLAIN},
    {"starts", IS(MAP), OF_STARTS, LOOK_PLAIN},
};

#define ROWS (sizeof rows / sizeof *rows)

ufi_cbor_item store_record_find(const store_record *record, const char *key)
{
    ufi_cbor_in at;
    return ufi_cbor_find(&record->map, record->pairs, key, &at) ? ufi_cbor_take(&at)
                                                                : (ufi_cbor_item){UFI_CBOR_NONE, 0, NULL};
}

uint64_t store_record_uint(const store_record *record, const char *key)
{
    ufi_cbor_item const item = store_record_find(record, key);
    return item.kind == UFI_CBOR_UINT || item.kind == UFI_CBOR_BOOL ? item.number : 0;
}

bool store_record_is_text(const ufi_cbor_item *item, const char *text, size_t length)
{
    bool const is_text = item->kind == UFI_CBOR_TEXT || item->kind == UFI_CBOR_BYTES;
    return is_text && item->number == length && memcmp(item->at, text, length) == 0;
}

store_look store_record_look(const ufi_cbor_item *key)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (ufi_cbor_is_name(key, rows[i].key)) return rows[i].look;
    }
    return LOOK_PLAIN;
}

/* Are the keys of all maps in this item texts? It was checked with ufi_cbor_skip(), so it is not deep. */
static bool has_names(ufi_cbor_in *in)
{
    ufi_cbor_item const item = ufi_cbor_take(in);

    if (item.kind != UFI_CBOR_MAP && item.kind != UFI_CBOR_ARRAY) return true;
    for (uint64_t i = 0; i < item.number; i++) {
        if (item.kind == UFI_CBOR_MAP && ufi_cbor_take(in).kind != UFI_CBOR_TEXT) return false;
        if (!has_names(in)) return false;
    }
    return true;
}

static bool has_keys(const store_record *record, unsigned in)
{
    for (size_t i = 0; i < ROWS; i++) {
        ufi_cbor_item const item = store_record_find(record, rows[i].key);
        bool const is_missing = item.kind == UFI_CBOR_NONE;
        if (is_missing ? (rows[i].in & in && !(rows[i].in & OPTIONAL)) : !(rows[i].kinds & 1u << item.kind))
            return false;
    }
    return store_record_uint(record, "outcome") <= UF_CANCELLED;
}

bool store_record_open(store_record *record, const store_row *row)
{
    const uint8_t *const bytes = (const uint8_t *)row->record.at;
    ufi_cbor_in in = {bytes, bytes + row->record.length}, all = in, names = in;

    if (!bytes || !ufi_cbor_skip(&all) || all.at != all.end) return false;
    ufi_cbor_item const map = ufi_cbor_take(&in);
    *record = (store_record){in, map.number};
    if (map.kind != UFI_CBOR_MAP || !has_names(&names)) return false;
    if (!row->path.length) return has_keys(record, OF_TIME);
    if (store_is_starts(row)) return has_keys(record, OF_STARTS);
    return has_keys(record, OF_FLOW | (store_record_uint(record, "runs") ? OF_RUN : 0));
}
