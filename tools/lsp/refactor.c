/* SPDX-License-Identifier: MIT */
/* refactor.c - changes that one may want though nothing is wrong: of an await and its arms, and of a local. Each is
 * tried, and offered if the file has no more errors with it. */
#include <stdlib.h>
#include <string.h>

#include "lsp.h"
#include "memory.h"
#include "uflow_parse.h"
#include "walk.h"
#include "words.h"

typedef struct offers {
    request *r;
    json_t *list;
    uint32_t begin, end; /* what is selected */
    const ast_step *step;
    const ast_statement *await; /* the innermost one around it */
    const ast_statement *local; /* the declaration of the local under the cursor, */
    const ast_declarator *declarator;
    const char *name; /* and the word there */
} offers;

static const source *text_of(const offers *o)
{
    return o->r->of->file->in;
}

static void offer(const offers *o, const char *title, const char *kind, edits *change)
{
    analysis *const then = edits_try(o->r->server, change, text_of(o));
    bool const is_good = diag_error_count(then->diagnostics) <= diag_error_count(o->r->of->diagnostics);
    analysis_free(then);
    if (!is_good) return;
    json_array_append_new(
        o->list, json_pack("{s:s, s:s, s:o}", "title", title, "kind", kind, "edit", edits_json(o->r->server, change)));
}

/* The blanks at the start of the line of a place. */
static const char *indent_at(const offers *o, uint32_t place)
{
    const source *const in = text_of(o);
    uint32_t const begin = in->lines[source_line(in, place) - 1];
    uint32_t end = begin;
    while (end < in->size && (in->text[end] == ' ' || in->text[end] == '\t')) end++;
    return arena_copy(o->r->arena, in->text + begin, end - begin);
}

/* -- arms ---------------------------------------------------------------------------------------------------------- */

static void find_await(ast_statement *s, void *context)
{
    offers *const o = context;
    if (s->kind == STATEMENT_AWAIT && s->at.begin <= o->begin && s->at.end >= o->end) o->await = s;
}

static uint32_t behind_blanks(const offers *o, uint32_t at)
{
    while (at < text_of(o)->size && strchr(" \t\r\n", text_of(o)->text[at])) at++;
    return at;
}

/* Where the `;` of an arm is. */
static uint32_t end_of_arm(const offers *o, const ast_arm *arm)
{
    const char *const text = text_of(o)->text;
    uint32_t at = arm->at.end;
    if (at > 0 && text[at - 1] == ';') return at - 1;
    at = behind_blanks(o, at);
    return text[at] == ';' ? at : 0;
}

static bool has_timeout(const ast_statement *await)
{
    for (const ast_arm *arm = await->arms; arm; arm = arm->next)
        if (arm->event->kind == ARM_TIMEOUT) return true;
    return false;
}

static bool has_block(const offers *o)
{
    enum { WORD = 5 }; /* await */
    return text_of(o)->text[behind_blanks(o, o->await->at.begin + WORD)] == '{';
}

static void add_timeout(const offers *o)
{
    static const char arm[] = "timeout 5s -> fail \"no answer\";";
    enum { WORD = 5 };
    arena *const a = o->r->arena;
    const source *const in = text_of(o);
    const char *const indent = indent_at(o, o->await->at.begin);
    edits change = {.arena = a};
    if (has_timeout(o->await) || !o->await->arms || o->await->at.end < 2) return;
    uint32_t const end = o->await->at.end;
    if (has_block(o)) {
        uint32_t place = end - 1;
        if (in->text[place] != '}') return;
        while (place > 0 && (in->text[place - 1] == ' ' || in->text[place - 1] == '\t')) place--;
        bool const is_own_line = place > 0 && in->text[place - 1] == '\n';
        const char *const text = is_own_line ? arena_printf(a, "%s    %s\n", indent, arm)
                                             : arena_printf(a, place < end - 1 ? " %s" : " %s ", arm);
        edits_add(&change, in, place, place, text);
    } else {
        uint32_t const begin = o->await->at.begin + WORD, first = behind_blanks(o, begin);
        edits_add(&change, in, begin, first, arena_printf(a, " {\n%s    ", indent));
        edits_add(&change, in, end, end, arena_printf(a, "\n%s    %s\n%s}", indent, arm, indent));
    }
    offer(o, "Add a timeout", "refactor.rewrite", &change);
}

static bool can_fail(arm_kind kind)
{
    static const arm_kind kinds[] = {ARM_RUN, ARM_JOB, ARM_ALL, ARM_IDLE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i] == kind) return true;
    return false;
}

static void add_else(const offers *o)
{
    for (const ast_arm *arm = o->await->arms; arm; arm = arm->next) {
        uint32_t const place = end_of_arm(o, arm);
        edits change = {.arena = o->r->arena};
        if (arm->otherwise || !place || !can_fail(arm->event->kind)) continue;
        if (arm->at.begin > o->end || place < o->begin) continue;
        edits_add(&change, text_of(o), place, place, " else fail");
        offer(o, "Add `else`", "refactor.rewrite", &change);
    }
}

/* Timeouts behind all other arms: what has happened counts before the time that has passed. */
typedef struct row {
    const ast_arm *arm;
    uint32_t index;
    int64_t time; /* -1: another arm */
} row;

static int by_time(const void *left, const void *right)
{
    const row *const a = left, *const b = right;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static void sort_arms(const offers *o)
{
    arena *const a = o->r->arena;
    const source *const in = text_of(o);
    uint32_t count = 0;
    for (const ast_arm *arm = o->await->arms; arm; arm = arm->next, count++)
        if (arm->guard) return; /* of `#if`: it stays where it is */
    row *const rows = ARENA_ARRAY(a, row, count + 1);
    count = 0;
    for (const ast_arm *arm = o->await->arms; arm; arm = arm->next, count++) {
        const ast_event *const e = arm->event;
        bool const is_timeout = e->kind == ARM_TIMEOUT;
        rows[count] = (row){arm, count, !is_timeout ? -1 : e->duration.literal ? e->duration.ns : INT64_MAX};
    }
    if (count > 1) qsort(rows, count, sizeof *rows, by_time);
    edits change = {.arena = a};
    const ast_arm *to = o->await->arms;
    for (uint32_t i = 0; i < count; i++, to = to->next) {
        const span from = rows[i].arm->at;
        if (rows[i].arm == to) continue;
        edits_add(&change, in, to->at.begin, to->at.end, arena_copy(a, in->text + from.begin, from.end - from.begin));
    }
    if (change.count) offer(o, "Sort arms: timeouts last", "refactor.rewrite", &change);
}

/* -- a local becomes a field --------------------------------------------------------------------------------------- */

static void find_local(ast_statement *s, void *context)
{
    offers *const o = context;
    const ast_declaration *const d = s->kind == STATEMENT_DECLARATION ? s->declaration : NULL;
    if (!d || d->next || !d->first || d->first->next || s->at.begin > o->begin) return; /* one at a time */
    if (!d->first->name.name || strcmp(d->first->name.name, o->name) != 0) return;
    o->local = s;
    o->declarator = d->first;
}

/* The uses of the local in its step become `self->NAME`. */
static void replace_uses(const offers *o, edits *change)
{
    const token_list *const list = &o->r->of->file->tokens;
    for (uint32_t i = 0; i < list->count && list->items[i].begin < o->step->at.end; i++) {
        bool const is_behind = list->items[i].begin >= o->local->at.end;
        if (!is_behind || !token_is_name(list, i) || !token_is(list, i, o->name)) continue;
        if (i > 0 && token_has(list, i - 1, IS_ACCESS | IS_TAG)) continue;
        edits_add(change, text_of(o), list->items[i].begin, list->items[i].begin, "self->");
    }
}

/* Where the fields of a task may stand: behind its `{`. */
static uint32_t place_of_fields(const offers *o)
{
    const token_list *const list = &o->r->of->file->tokens;
    const ast_task *const task = o->step->task;
    uint32_t at = 0;
    while (at < list->count && list->items[at].begin < task->name.at.end) at++;
    while (at < list->count && token_kind(list, at) != T_LBRACE) at++;
    return at < list->count && list->items[at].end < task->at.end ? list->items[at].end : 0;
}

static void make_field(const offers *o)
{
    arena *const a = o->r->arena;
    const source *const in = text_of(o);
    const ast_declarator *const d = o->declarator;
    span const type = range_span(d->specifiers), shape = range_span(d->declarator);
    uint32_t const place = place_of_fields(o);
    edits change = {.arena = a};
    if (d->is_array || d->braced || !place || range_empty(d->specifiers)) return;
    const char *const field =
        arena_printf(a, "\n%s    %.*s %.*s;", indent_at(o, place), (int)(type.end - type.begin), in->text + type.begin,
                     (int)(shape.end - shape.begin), in->text + shape.begin);
    edits_add(&change, in, place, place, field);
    if (range_empty(d->initializer)) {
        edits_add(&change, in, o->local->at.begin, behind_blanks(o, o->local->at.end), "");
    } else {
        span const value = range_span(d->initializer);
        edits_add(&change, in, o->local->at.begin, value.begin, arena_printf(a, "self->%s = ", o->name));
    }
    replace_uses(o, &change);
    offer(o, arena_printf(a, "Make `%s` a field of the task", o->name), "refactor.extract", &change);
}

/* -- all ----------------------------------------------------------------------------------------------------------- */

/* The name at the beginning of the selection; NULL: there is none. */
static const char *word_at(const offers *o)
{
    const token_list *const list = &o->r->of->file->tokens;
    for (uint32_t i = 0; i < list->count && list->items[i].begin <= o->begin; i++) {
        if (list->items[i].end < o->begin || !token_is_name(list, i)) continue;
        if (i > 0 && token_has(list, i - 1, IS_ACCESS)) continue;
        return token_intern(o->r->arena, list, i);
    }
    return NULL;
}

void offer_refactorings(request *r, json_t *list, uint32_t begin, uint32_t end)
{
    surrounding const around = surrounding_of(r->of->file, begin);
    offers o = {r, list, begin, end, around.step, NULL, NULL, NULL, NULL};
    if (!around.step) return;
    walk_statements(around.step->body.first, find_await, &o);
    if (o.await) {
        add_timeout(&o);
        add_else(&o);
        sort_arms(&o);
    }
    o.name = around.flow->test ? NULL : word_at(&o);
    if (!o.name) return;
    walk_statements(around.step->body.first, find_local, &o);
    if (o.local) make_field(&o);
}
