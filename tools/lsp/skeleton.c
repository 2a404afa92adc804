/* SPDX-License-Identifier: MIT */
/* skeleton.c - what clangd sees of a document: C of which ufc knows each byte that the user wrote. */
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "lower.h"
#include "memory.h"

/* -- changes of a text --------------------------------------------------------------------------------------------- */

typedef struct change {
    uint32_t begin, old_end, new_end;
} change;

static change change_between(const source *old, const source *new)
{
    uint32_t const most = old->size < new->size ? old->size : new->size;
    uint32_t begin = 0, same = 0;
    while (begin < most && old->text[begin] == new->text[begin]) begin++;
    while (same < most - begin && old->text[old->size - 1 - same] == new->text[new->size - 1 - same]) same++;
    return (change){begin, old->size - same, new->size - same};
}

/* Where a byte of the new text was in the old one. */
static uint32_t offset_before(const change *c, uint32_t offset)
{
    if (offset >= c->new_end) return offset - c->new_end + c->old_end;
    return offset < c->begin ? offset : c->begin;
}

/* -- making one ---------------------------------------------------------------------------------------------------- */

/* The files that `file` imports, each behind those that it imports itself. Returns false if one has errors. */
static bool add_imports(const server *s, skeleton *k, const ast_file *file)
{
    for (const ast_import *import = file->imports; import; import = import->next) {
        bool is_known = !import->file || import->file == file;
        for (size_t i = 1; import->file && i < k->file_count; i++)
            is_known = is_known || strcmp(k->files[i]->file->in->name, import->file->in->name) == 0;
        if (is_known) continue;
        if (!add_imports(s, k, import->file)) return false;
        analysis *const of = analysis_of(s, import->file->in->name, NULL, 0);
        if (!of) return false;
        k->files = memory_grow(k->files, k->file_count + 1, sizeof *k->files);
        k->files[k->file_count++] = of;
        if (diag_error_count(of->diagnostics)) return false;
    }
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    size_t const length = strlen(text), most = strlen(end);
    return length >= most && strcmp(text + length - most, end) == 0;
}

/* Two files may have the same name. */
static bool is_taken(const server *s, const char *path)
{
    for (const document *d = s->documents; d; d = d->next)
        if (d->skeleton && strcmp(d->skeleton->name, path) == 0) return true;
    return false;
}

/* The C file that the build writes, by its name in a compile_commands.json: `/door.c`. NULL: there is none. */
static char *find_command(const server *s, arena *a, const char *base)
{
    static const char *const places[] = {"", "build/"};
    char *found = NULL;
    for (size_t i = 0; i < 2 * s->folder_count && !found; i++) {
        json_t *const commands =
            json_load_file(arena_printf(a, "%s/%scompile_commands.json", s->folders[i / 2], places[i % 2]), 0, NULL);
        for (size_t n = 0; n < json_array_size(commands) && !found; n++) {
            const json_t *const one = json_array_get(commands, n);
            const char *const file = text_member(one, "file");
            char *const path = *file == '/' ? arena_printf(a, "%s", file)
                                            : arena_printf(a, "%s/%s", text_member(one, "directory"), file);
            if (ends_with(path, base) && !is_taken(s, path)) found = path;
        }
        json_decref(commands);
    }
    return found;
}

static void name(const server *s, skeleton *k, const document *d)
{
    const char *const slash = strrchr(d->name, '/'), *const dot = strrchr(slash, '.');
    size_t const length = dot ? (size_t)(dot - d->name) : strlen(d->name);
    char *const beside = arena_printf(k->arena, "%.*s.c", (int)length, d->name);
    const skeleton *const old = d->skeleton;
    char *const built = old ? NULL : find_command(s, k->arena, beside + (slash - d->name));
    k->name = old ? arena_printf(k->arena, "%s", old->name) : built ? built : beside;
    k->whole.uri = old ? NULL : path_to_uri(k->name);
}

static void emit(skeleton *k, span flow)
{
    const ir_unit **const units = ARENA_ARRAY(k->arena, const ir_unit *, k->file_count);
    for (size_t i = 0; i < k->file_count; i++)
        units[i] = lower_unit(k->arena, k->files[i]->file, i == 0 ? LOWER_TESTS : 0u);
    emit_skeleton of = {.arena = k->arena, .flow = flow};
    emit_options const how = {.header_name = k->name,
                              .output_name = k->name,
                              .units = units + 1,
                              .unit_count = k->file_count - 1,
                              .skeleton = &of};
    buffer text = {0};
    emit_c(units[0], &how, &text);
    k->good = source_from_text(k->arena, k->name, text.text, text.length);
    k->good_copies = of.copies;
    k->good_count = of.count;
    k->good_declared = of.declared;
    buffer_free(&text);
}

void skeleton_free(skeleton *k)
{
    if (!k) return;
    for (size_t i = 0; i < k->file_count; i++) analysis_free(k->files[i]);
    memory_free(k->files);
    memory_free(k->whole.uri);
    memory_free(k->whole.text);
    brief_free(k);
    json_decref(k->problems);
    if (k->now) arena_free(k->now);
    arena_free(k->arena);
}

/* Of the last text without errors; `offset` is in the present one. */
static skeleton *make(const server *s, const document *d, uint32_t offset, bool is_whole)
{
    arena *const a = arena_new();
    skeleton *const k = ARENA_NEW(a, skeleton);
    analysis *const of = analysis_of(s, d->name, d->good.text, d->good.length);
    k->arena = a;
    k->changes = d->changes - 1; /* follow() comes next */
    k->files = memory_zeroed(sizeof *k->files);
    k->files[k->file_count++] = of;
    if (diag_error_count(of->diagnostics) || !add_imports(s, k, of->file)) {
        skeleton_free(k);
        return NULL;
    }
    const source *const present = source_in_place(a, d->name, d->text.text, d->text.length);
    change const c = change_between(of->file->in, present);
    const ast_flow *const flow = surrounding_of(of->file, offset_before(&c, offset)).flow;
    span const none = {of->file->in, 0, 0}, all = {of->file->in, 0, of->file->in->size};
    k->is_whole = is_whole;
    k->flow = flow ? flow->at.begin : UINT32_MAX;
    name(s, k, d);
    emit(k, is_whole ? all : flow ? flow->at : none);
    return k;
}

/* -- following the text -------------------------------------------------------------------------------------------- */

/* Bytes [from, to) of the C become those of the present text: its own change, up to the next bytes that are copied. */
typedef struct splice {
    change at;
    uint32_t from, to, added, body;
} splice;

static bool is_of(const skeleton *k, const emit_copy *copy)
{
    return copy->from.in == k->files[0]->file->in;
}

static bool splice_from(const emit_copy *p, const emit_copy *q, const change *c, splice *result)
{
    uint32_t const begin = c->begin < p->from.end ? c->begin : p->from.end;
    uint32_t const end = c->old_end > q->from.begin ? c->old_end : q->from.begin;
    *result = (splice){{begin, end, c->new_end + (end - c->old_end)},
                       (uint32_t)p->to + (begin - p->from.begin),
                       (uint32_t)q->to + (end - q->from.begin),
                       c->new_end + (end - c->old_end) - begin,
                       p->body};
    return result->from <= result->to;
}

/* The change is in one copy, or in one body, between copies or across them. Otherwise it is outside of C. */
static bool find_splice(const skeleton *k, const change *c, splice *result)
{
    for (size_t i = 0; i < k->good_count; i++) {
        const emit_copy *const copy = &k->good_copies[i];
        if (is_of(k, copy) && copy->from.begin <= c->begin && c->old_end <= copy->from.end)
            return splice_from(copy, copy, c, result);
    }
    const emit_copy *before = NULL;
    for (size_t i = 0; i < k->good_count; i++) {
        const emit_copy *const copy = &k->good_copies[i];
        if (!copy->body || !is_of(k, copy)) continue;
        if (before && before->body != copy->body) before = NULL;
        if (copy->from.begin <= c->begin) before = copy;
        if (before && copy->from.end >= c->old_end && copy->from.begin >= before->from.begin)
            return splice_from(before, copy, c, result);
    }
    return false;
}

static void add_copy(skeleton *k, uint32_t begin, uint32_t end, size_t to, uint32_t body)
{
    if (begin < end) k->copies[k->count++] = (emit_copy){{k->document, begin, end}, to, body};
}

/* The parts of a copy that did not change. */
static void keep_copy(skeleton *k, const emit_copy *copy, const splice *p)
{
    const change *const c = &p->at;
    uint32_t const removed = p->to - p->from;
    bool const is_behind = copy->to >= p->to;
    size_t const to = is_behind ? copy->to - removed + p->added : copy->to;
    span const from = copy->from;
    if (!is_of(k, copy)) {
        k->copies[k->count++] = (emit_copy){from, to, copy->body};
        return;
    }
    if (from.begin < c->begin && (is_behind || to < p->from))
        add_copy(k, from.begin, from.end < c->begin ? from.end : c->begin, to, copy->body);
    if (from.end <= c->old_end) return;
    uint32_t const begin = from.begin > c->old_end ? from.begin : c->old_end;
    size_t const rest = copy->to + (begin - from.begin);
    if (rest >= p->from && rest < p->to) return;
    add_copy(k, begin - c->old_end + c->new_end, from.end - c->old_end + c->new_end,
             rest >= p->to ? rest - removed + p->added : rest, copy->body);
}

static int by_place(const void *left, const void *right)
{
    size_t const a = ((const emit_copy *)left)->to, b = ((const emit_copy *)right)->to;
    return (a > b) - (a < b);
}

static void join_copies(skeleton *k)
{
    size_t count = 0;
    qsort(k->copies, k->count, sizeof *k->copies, by_place);
    for (size_t i = 0; i < k->count; i++) {
        emit_copy *const last = count ? &k->copies[count - 1] : NULL, *const next = &k->copies[i];
        bool const is_joined = last && last->from.in == next->from.in && last->from.end == next->from.begin &&
                               last->to + (last->from.end - last->from.begin) == next->to;
        if (is_joined) last->from.end = next->from.end;
        else k->copies[count++] = *next;
    }
    k->count = count;
}

/* Brings `now` up to date with the text of the document. */
static void follow(skeleton *k, const document *d)
{
    if (k->now) arena_free(k->now);
    k->now = arena_new();
    k->changes = d->changes;
    k->document = source_from_text(k->now, d->name, d->text.text, d->text.length);
    change const c = change_between(k->files[0]->file->in, k->document);
    splice p;
    k->is_exact = c.begin == c.old_end && c.begin == c.new_end;
    bool const is_spliced = !k->is_exact && find_splice(k, &c, &p);
    if (!is_spliced) p = (splice){c, k->good->size, k->good->size, 0, 0};
    k->declared = p.from < k->good_declared ? 0 : k->good_declared;
    buffer text = {0};
    buffer_append(&text, k->good->text, p.from);
    buffer_append(&text, k->document->text + p.at.begin, p.added);
    buffer_append(&text, k->good->text + p.to, k->good->size - p.to);
    k->text = source_from_text(k->now, k->name, text.text, text.length);
    buffer_free(&text);
    k->copies = ARENA_ARRAY(k->now, emit_copy, 2 * k->good_count + 1);
    k->count = 0;
    for (size_t i = 0; i < k->good_count; i++) keep_copy(k, &k->good_copies[i], &p);
    if (is_spliced) add_copy(k, p.at.begin, p.at.new_end, p.from, p.body);
    join_copies(k);
}

/* Is the place in another flow than the one whose bodies are there? */
static bool is_other_flow(const skeleton *k, uint32_t offset)
{
    const source *const good = k->files[0]->file->in;
    change const c = change_between(good, k->document);
    const ast_flow *const flow = surrounding_of(k->files[0]->file, offset_before(&c, offset)).flow;
    return flow && flow->at.begin != k->flow;
}

static bool is_made_of(const skeleton *k, const buffer *text)
{
    const source *const good = k->files[0]->file->in;
    return good->size == text->length && memcmp(good->text, text->text, text->length) == 0;
}

/* What clangd has of it. */
static void take_over(skeleton *k, skeleton *old)
{
    k->whole = old->whole, old->whole = (opened){0};
    k->brief = old->brief, old->brief = (opened){0};
    k->brief_path = old->brief_path, old->brief_path = NULL;
    k->is_brief_present = old->is_brief_present && k->good_declared == old->good_declared &&
                          memcmp(k->good->text, old->good->text, k->good_declared) == 0;
    k->problems = old->problems, old->problems = NULL;
    k->of_version = old->of_version;
    skeleton_free(old);
}

skeleton *skeleton_at(const server *s, document *d, uint32_t offset, bool is_whole)
{
    skeleton *const old = d->skeleton;
    const analysis *const of = analysis_of_document(s, d);
    if (!of || d->name[0] != '/' || !d->good.length) return old;
    bool const has_errors = diag_error_count(of->diagnostics) > 0;
    bool const is_fresh = old && old->changes == d->changes;
    if (old && !is_fresh && has_errors) follow(old, d);
    bool const is_new = !old || (!is_fresh && !has_errors) || !is_made_of(old, &d->good) || old->is_whole != is_whole ||
                        is_other_flow(old, offset);
    skeleton *const made = is_new ? make(s, d, offset, is_whole) : NULL;
    if (made && old) take_over(made, old);
    if (made) d->skeleton = made;
    if (d->skeleton && d->skeleton->changes != d->changes) follow(d->skeleton, d);
    return d->skeleton;
}

/* -- places -------------------------------------------------------------------------------------------------------- */

bool skeleton_place(const skeleton *k, uint32_t offset, uint32_t *at)
{
    const emit_copy *found = NULL;
    for (size_t i = 0; i < k->count; i++) {
        const emit_copy *const copy = &k->copies[i];
        if (copy->from.in != k->document || offset < copy->from.begin || offset > copy->from.end) continue;
        bool const is_better = !found || (found->from.end == offset && copy->from.end > offset);
        if (is_better) found = copy;
    }
    if (found) *at = (uint32_t)found->to + (offset - found->from.begin);
    return found != NULL;
}

const emit_copy *skeleton_origin(const skeleton *k, uint32_t begin, uint32_t end, span *origin)
{
    for (size_t i = 0; i < k->count; i++) {
        const emit_copy *const copy = &k->copies[i];
        size_t const length = copy->from.end - copy->from.begin;
        if (begin < copy->to || end > copy->to + length) continue;
        uint32_t const shift = copy->from.begin + (begin - (uint32_t)copy->to);
        *origin = (span){copy->from.in, shift, shift + (end - begin)};
        return copy;
    }
    return NULL;
}
