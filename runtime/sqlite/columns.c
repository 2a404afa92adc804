/* SPDX-License-Identifier: MIT */
/* columns.c - reads of a record what people want to see beside it. They are the first pairs of its map. */
#include "durable/cbor.h"

#include "database.h"

static struct ufi_column_text text_of(const ufi_cbor_item *item)
{
    bool const is_text = item->kind == UFI_CBOR_TEXT || item->kind == UFI_CBOR_BYTES;
    return (struct ufi_column_text){is_text ? (const char *)item->at : "", is_text ? (int)item->number : 0};
}

/* The keys in the order in which they are written. */
static const char *const names[] = {"type", "run", "task", "step", "outcome", "reason"};

enum { TYPE, RUN, TASK, STEP, OUTCOME, REASON, COLUMNS };

/* The column of a key: the one that is next, as a rule. COLUMNS: it is none. */
static unsigned column_of(const ufi_cbor_item *key, unsigned next)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        unsigned const which = (next + i) % COLUMNS;
        if (ufi_cbor_is_name(key, names[which])) return which;
    }
    return COLUMNS;
}

static void take(ufi_columns *columns, unsigned which, const ufi_cbor_item *value)
{
    switch (which) {
    case TYPE: columns->type = text_of(value); break;
    case TASK: columns->task = text_of(value); break;
    case STEP: columns->step = text_of(value); break;
    case REASON: columns->reason = text_of(value); break;
    case RUN: columns->run = (sqlite3_int64)value->number; break;
    default: columns->outcome = uf_outcome_text((uf_outcome)value->number); break;
    }
}

void ufi_columns_read(ufi_columns *columns, const void *bytes, size_t size)
{
    ufi_cbor_in in = {bytes, (const uint8_t *)bytes + size};
    ufi_cbor_item const map = ufi_cbor_take(&in);
    uint64_t pairs = map.kind == UFI_CBOR_MAP ? map.number : 0;

    *columns = (ufi_columns){.type = {"", 0}, .task = {"", 0}, .step = {"", 0}, .reason = {"", 0}, .outcome = ""};
    for (unsigned found = 0; pairs > 0 && found < COLUMNS; pairs--) {
        ufi_cbor_item const key = ufi_cbor_take(&in);
        unsigned const which = column_of(&key, found);
        if (which == COLUMNS) {
            if (!ufi_cbor_skip(&in)) return;
            continue;
        }
        ufi_cbor_item const value = ufi_cbor_take(&in);
        take(columns, which, &value);
        found++;
    }
}
