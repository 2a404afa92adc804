/* SPDX-License-Identifier: MIT */
/* table.h - numbers by key: a hash table. */
#ifndef UFLOW_TOOL_TABLE_H
#define UFLOW_TOOL_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed, it is empty. */
typedef struct tool_table {
    struct tool_entry *entries;
    size_t count, room;
} tool_table;

/* The number of a key; 0: it is new. It can be set until the next call. */
size_t *tool_table_at(tool_table *table, uint64_t key);

/* Empties it. */
void tool_table_free(tool_table *table);

#endif
