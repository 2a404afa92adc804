/* SPDX-License-Identifier: MIT */
#include "scope.h"

#include <stdbool.h>
#include <string.h>

#include "hash.h"

/* Returns the entry of the name, or the free entry where it belongs. */
static scope_entry *probe(const scope *in, const char *text, uint32_t length, uint32_t hash)
{
    size_t at = hash & (in->capacity - 1);
    for (;;) {
        scope_entry *entry = &in->entries[at];
        bool const is_same = entry->hash == hash && entry->length == length;
        if (!entry->name || (is_same && memcmp(entry->name, text, length) == 0)) return entry;
        at = (at + 1) & (in->capacity - 1);
    }
}

static void grow(arena *a, scope *in)
{
    scope const old = *in;
    in->capacity = old.capacity ? old.capacity * 2 : 16;
    in->entries = ARENA_ARRAY(a, scope_entry, in->capacity);
    for (size_t i = 0; i < old.capacity; i++) {
        const scope_entry *const entry = &old.entries[i];
        if (entry->name) *probe(in, entry->name, entry->length, entry->hash) = *entry;
    }
}

static scope_entry *entry_of(arena *a, scope *in, const char *name, uint32_t length)
{
    if (in->count * 2 >= in->capacity) grow(a, in);
    uint32_t const hash = hash_of(name, length);
    scope_entry *entry = probe(in, name, length, hash);
    if (!entry->name) {
        entry->name = name;
        entry->length = length;
        entry->hash = hash;
        in->count++;
    }
    return entry;
}

void *scope_set(arena *a, scope *in, const char *name, void *value)
{
    scope_entry *entry = entry_of(a, in, name, (uint32_t)strlen(name));
    void *const former = entry->value;
    entry->value = value;
    return former;
}

void *scope_add_text(arena *a, scope *in, const char *text, size_t length, void *value)
{
    scope_entry *entry = entry_of(a, in, text, (uint32_t)length);
    if (entry->value) return entry->value;
    entry->value = value;
    return NULL;
}

void *scope_add(arena *a, scope *in, const char *name, void *value)
{
    return scope_add_text(a, in, name, strlen(name), value);
}

void *scope_find_text(const scope *in, const char *text, size_t length)
{
    if (in->count == 0) return NULL;
    return probe(in, text, (uint32_t)length, hash_of(text, (uint32_t)length))->value;
}

void *scope_find(const scope *in, const char *name)
{
    return scope_find_text(in, name, strlen(name));
}
