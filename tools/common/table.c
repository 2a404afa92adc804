/* SPDX-License-Identifier: MIT */
/* table.c - see table.h. */
#include "table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct tool_entry {
    bool used;
    uint64_t key;
    size_t number;
};

/* Files choose the keys: the address of the table hides from them which ones collide. */
static size_t place_of(const struct tool_entry *entries, uint64_t key)
{
    uint64_t const mixed = (key ^ (uintptr_t)entries) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)((mixed ^ mixed >> 32) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

/* The entry of a key, or the free one for it. The room is a power of two. */
static struct tool_entry *find(struct tool_entry *entries, size_t room, uint64_t key)
{
    size_t at = place_of(entries, key) & (room - 1);
    while (entries[at].used && entries[at].key != key) at = (at + 1) & (room - 1);
    return &entries[at];
}

static void enlarge(tool_table *table)
{
    size_t const room = table->room ? 2 * table->room : 16;
    struct tool_entry *const larger = tool_resize(NULL, room, sizeof *larger);

    memset(larger, 0, room * sizeof *larger);
    for (size_t i = 0; i < table->room; i++) {
        struct tool_entry const *const entry = &table->entries[i];
        if (entry->used) *find(larger, room, entry->key) = *entry;
    }
    free(table->entries);
    table->entries = larger;
    table->room = room;
}

size_t *tool_table_at(tool_table *table, uint64_t key)
{
    if (2 * table->count >= table->room) enlarge(table);
    struct tool_entry *const entry = find(table->entries, table->room, key);
    if (!entry->used) {
        *entry = (struct tool_entry){.used = true, .key = key};
        table->count++;
    }
    return &entry->number;
}

void tool_table_free(tool_table *table)
{
    free(table->entries);
    *table = (tool_table){0};
}
