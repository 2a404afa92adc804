#include "scope.h"

#include <stdint.h>
#include <string.h>

static uint32_t hash(const char *text, size_t length)
{
    uint32_t h = UINT32_C(2166136261);
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * UINT32_C(16777619);
    return h;
}

/* The entry of the name, or the free one where it belongs. */
static scope_entry *probe(const scope *in, const char *text, size_t length)
{
    size_t at = hash(text, length) & (in->capacity - 1);
    for (;;) {
        scope_entry *entry = &in->entries[at];
        if (!entry->name || (entry->length == length && memcmp(entry->name, text, length) == 0)) return entry;
        at = (at + 1) & (in->capacity - 1);
    }
}

static void grow(arena *a, scope *in)
{
    scope const old = *in;
    in->capacity = old.capacity ? old.capacity * 2 : 16;
    in->entries = ARENA_ARRAY(a, scope_entry, in->capacity);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.entries[i].name) *probe(in, old.entries[i].name, old.entries[i].length) = old.entries[i];
    }
}

static scope_entry *entry_of(arena *a, scope *in, const char *name)
{
    if (in->count * 4 >= in->capacity * 3) grow(a, in);
    size_t const length = strlen(name);
    scope_entry *entry = probe(in, name, length);
    if (!entry->name) {
        entry->name = name;
        entry->length = length;
        in->count++;
    }
    return entry;
}

void *scope_set(arena *a, scope *in, const char *name, void *value)
{
    scope_entry *entry = entry_of(a, in, name);
    void *const former = entry->value;
    entry->value = value;
    return former;
}

void *scope_add(arena *a, scope *in, const char *name, void *value)
{
    scope_entry *entry = entry_of(a, in, name);
    if (entry->value) return entry->value;
    entry->value = value;
    return NULL;
}

void *scope_find_text(const scope *in, const char *text, size_t length)
{
    return in->count ? probe(in, text, length)->value : NULL;
}

void *scope_find(const scope *in, const char *name)
{
    return scope_find_text(in, name, strlen(name));
}
