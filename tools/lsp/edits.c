/* SPDX-License-Identifier: MIT */
/* edits.c - changes of several files: as JSON, and tried before they are proposed. */
#include <stdlib.h>
#include <string.h>

#include "lsp.h"
#include "memory.h"

void edits_add(edits *list, const source *in, uint32_t begin, uint32_t end, const char *text)
{
    list->items = arena_reserve(list->arena, list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = (edit){in, begin, end, text};
}

/* The URI of a file, as the editor spells it if it is open. */
static json_t *uri_of(const server *s, const char *name)
{
    for (const document *d = s->documents; d; d = d->next)
        if (strcmp(d->name, name) == 0) return json_string(d->uri);
    char *const uri = path_to_uri(name);
    json_t *const json = json_string(uri);
    memory_free(uri);
    return json;
}

static int by_place(const void *left, const void *right)
{
    const edit *const a = left, *const b = right;
    int const files = strcmp(a->in->name, b->in->name);
    return files ? files : (a->begin > b->begin) - (a->begin < b->begin);
}

static void sort(edits *list)
{
    if (list->count > 1) qsort(list->items, list->count, sizeof *list->items, by_place);
}

json_t *edits_json(const server *s, edits *list)
{
    json_t *const changes = json_object();
    sort(list);
    for (size_t i = 0; i < list->count; i++) {
        const edit *const e = &list->items[i];
        json_t *const uri = uri_of(s, e->in->name);
        json_t *of_file = json_object_get(changes, json_string_value(uri));
        if (!of_file) json_object_set_new(changes, json_string_value(uri), of_file = json_array());
        json_array_append_new(
            of_file, json_pack("{s:o, s:s}", "range", json_range(s, e->in, e->begin, e->end), "newText", e->text));
        json_decref(uri);
    }
    return json_pack("{s:o}", "changes", changes);
}

static void put_edited(const edits *list, const source *in, buffer *out)
{
    uint32_t at = 0;
    for (size_t i = 0; i < list->count; i++) {
        const edit *const e = &list->items[i];
        if (strcmp(e->in->name, in->name) != 0) continue;
        buffer_append(out, in->text + at, e->begin - at);
        buffer_puts(out, e->text);
        at = e->end;
    }
    buffer_append(out, in->text + at, in->size - at);
}

/* A copy of the server in which the edited texts are open documents. */
analysis *edits_try(const server *s, edits *list, const source *in)
{
    server changed = *s;
    document *const documents = ARENA_ARRAY(list->arena, document, list->count + 1);
    size_t count = 0;
    sort(list);
    for (size_t i = 0; i < list->count; i++) {
        if (i && strcmp(list->items[i].in->name, list->items[i - 1].in->name) == 0) continue;
        document *const d = &documents[count++];
        const source *const of = list->items[i].in;
        *d = (document){.next = changed.documents, .is_flow = true};
        d->name = arena_copy(list->arena, of->name, strlen(of->name));
        put_edited(list, of, &d->text);
        changed.documents = d;
    }
    buffer text = {0};
    put_edited(list, in, &text);
    buffer_puts(&text, "");
    analysis *const of = analysis_of(&changed, in->name, text.text, text.length);
    buffer_free(&text);
    while (count) buffer_free(&documents[--count].text);
    return of;
}
