/* SPDX-License-Identifier: MIT */
/* outline.c - the structure of a file: symbols, folds, selections, colours; and its layout. */
#include <string.h>

#include "format.h"
#include "lsp.h"
#include "uflow_parse.h"
#include "words.h"

/* -- symbols ------------------------------------------------------------------------------------------------------- */

typedef struct outline {
    const request *r;
    json_t *list; /* of the present parent */
} outline;

static span whole(const named *one)
{
    if (one->kind == NAME_FLOW || one->kind == NAME_TEST) return one->flow->at;
    if (one->kind == NAME_TASK) return one->task->at;
    if (one->kind == NAME_STEP) return one->step->at;
    if (one->kind == NAME_GROUP) return ((const ast_group *)one->node)->at;
    if (one->kind == NAME_WORKER) return ((const ast_worker *)one->node)->at;
    return one->ident->at;
}

static void add_symbol(const named *one, void *context)
{
    outline *const o = context;
    const ast_file *const file = o->r->of->file;
    if (one->ident->at.in != file->in) return; /* an import's */
    span const at = span_join(whole(one), one->ident->at), name = one->ident->at;
    outline inner = {o->r, json_array()};
    if (one->kind == NAME_FLOW || one->kind == NAME_TEST) names_of_flow(one->flow, add_symbol, &inner);
    if (one->kind == NAME_TEST) names_of_task(one->flow, one->flow->tasks, add_symbol, &inner);
    if (one->kind == NAME_TASK) names_of_task(one->flow, one->task, add_symbol, &inner);
    json_array_append_new(o->list,
                          json_pack("{s:s, s:s, s:i, s:o, s:o, s:o}", "name", one->ident->name, "detail",
                                    name_infos[one->kind].noun, "kind", name_infos[one->kind].symbol, "range",
                                    json_range(o->r->server, file->in, at.begin, at.end), "selectionRange",
                                    json_range(o->r->server, file->in, name.begin, name.end), "children", inner.list));
}

json_t *request_symbols(request *r)
{
    outline o = {r, json_array()};
    if (r->of) names_each(r->of->file, add_symbol, &o);
    for (const ast_flow *t = r->of ? r->of->file->tests : NULL; t; t = t->next)
        add_symbol(&(named){NAME_TEST, &t->test->name, t, NULL, NULL, t}, &o);
    return o.list;
}

/* -- folds and selections ------------------------------------------------------------------------------------------ */

json_t *request_folding(request *r)
{
    json_t *const list = json_array();
    const token_list *const tokens = r->of ? &r->of->file->tokens : NULL;
    for (uint32_t i = 0; tokens && i < tokens->count; i++) {
        if (tokens->items[i].kind != T_LBRACE && tokens->items[i].kind != T_BLOCK_TEXT) continue;
        bool const is_block = tokens->items[i].kind == T_BLOCK_TEXT;
        uint32_t const end = is_block ? i + 1 : token_after_brackets(tokens, i);
        uint32_t const first = source_line(tokens->in, tokens->items[i].begin);
        uint32_t const last = source_line(tokens->in, tokens->items[end - 1].end);
        if (end > i && last > first + 1)
            json_array_append_new(list, json_pack("{s:i, s:i}", "startLine", (int)first - 1, "endLine", (int)last - 2));
    }
    return list;
}

/* From the word outwards: each pair of brackets, with and without them, and the file. */
static json_t *selection(const request *r, uint32_t offset)
{
    const token_list *const list = &r->of->file->tokens;
    uint32_t open[64], depth = 0;
    json_t *around = json_pack("{s:o}", "range", json_range(r->server, list->in, 0, list->in->size));
    token word = {0};
    for (uint32_t i = 0; i < list->count && list->items[i].begin <= offset; i++) {
        word = list->items[i];
        if (kind_is(word.kind, OPENS_BRACKET) && word.begin < offset && depth < 64) open[depth++] = i;
        if (kind_is(word.kind, CLOSES_BRACKET) && word.end <= offset && depth) depth--;
    }
    for (uint32_t i = 0; i < depth; i++) {
        uint32_t const end = token_after_brackets(list, open[i]) - 1;
        span const with = {list->in, list->items[open[i]].begin, list->items[end].end};
        span const inside = {list->in, list->items[open[i]].end, list->items[end].begin};
        if (end <= open[i] || offset > inside.end) continue;
        around =
            json_pack("{s:o, s:o}", "range", json_range(r->server, list->in, with.begin, with.end), "parent", around);
        around = json_pack("{s:o, s:o}", "range", json_range(r->server, list->in, inside.begin, inside.end), "parent",
                           around);
    }
    if (word.end < offset || kind_is(word.kind, OPENS_BRACKET | CLOSES_BRACKET)) return around;
    return json_pack("{s:o, s:o}", "range", json_range(r->server, list->in, word.begin, word.end), "parent", around);
}

json_t *request_selection(request *r)
{
    const json_t *const positions = json_object_get(r->params, "positions");
    json_t *const list = json_array();
    for (size_t i = 0; r->of && i < json_array_size(positions); i++) {
        const buffer *const text = &r->document->text;
        json_array_append_new(
            list, selection(r, offset_of_position(r->server, text->text, text->length, json_array_get(positions, i))));
    }
    return list;
}

/* -- semantic tokens ----------------------------------------------------------------------------------------------- */

typedef struct colours {
    const request *r;
    json_t *data;
    json_int_t line, column; /* of the last token */
} colours;

static void add_colour(colours *c, uint32_t begin, uint32_t end, int type, int modifiers)
{
    const source *const in = c->r->of->file->in;
    json_t *const from = json_position(c->r->server, in, begin), *const to = json_position(c->r->server, in, end);
    json_int_t const line = json_integer_value(json_object_get(from, "line"));
    json_int_t const column = json_integer_value(json_object_get(from, "character"));
    json_int_t const last = json_integer_value(json_object_get(to, "character"));
    bool const is_one_line = json_equal(json_object_get(from, "line"), json_object_get(to, "line"));
    json_int_t const row[] = {line - c->line, line == c->line ? column - c->column : column, last - column, type,
                              modifiers};
    for (size_t i = 0; is_one_line && i < sizeof row / sizeof *row; i++)
        json_array_append_new(c->data, json_integer(row[i]));
    if (is_one_line) c->line = line, c->column = column;
    json_decref(from);
    json_decref(to);
}

/* A word is coloured where the grammar has it as a word, which a pattern of an editor cannot know. */
json_t *request_tokens(request *r)
{
    colours c = {r, json_array(), 0, 0};
    const mentions *const all = r->of ? &r->of->mentions : NULL;
    const token_list *const list = r->of ? &r->of->file->tokens : NULL;
    unsigned const words = IS_MEMBER | IS_HANDLER | IS_INTENT | IS_EVENT;
    size_t next = 0;
    for (uint32_t i = 0; list && i < list->count; i++) {
        const token *const t = &list->items[i];
        bool has_name = false;
        for (; next < all->count && all->items[next].begin < t->end; next++) {
            const mention *const m = &all->items[next];
            add_colour(&c, m->begin, m->end, (int)m->of.kind, m->declares);
            has_name = true;
        }
        bool const is_member = i > 0 && token_has(list, i - 1, IS_ACCESS);
        bool const is_self = t->kind == T_FLOW && token_kind(list, i + 1) == T_ARROW;
        if (!has_name && !is_member && !is_self && kind_is(t->kind, words))
            add_colour(&c, t->begin, t->end, NAME_KINDS, 0);
    }
    return json_pack("{s:o}", "data", c.data);
}

/* -- layout -------------------------------------------------------------------------------------------------------- */

static bool has_syntax_error(const analysis *of)
{
    for (const diag_report *d = of->diagnostics->first; d; d = d->next)
        if (d->is_error && d->code < UF0301 && d->where.in == of->file->in) return true;
    return false;
}

json_t *request_formatting(request *r)
{
    if (!r->of) return NULL;
    const source *const in = r->of->file->in;
    if (has_syntax_error(r->of)) {
        r->error = "the file has a syntax error";
        return NULL;
    }
    buffer text = {0};
    format_file(r->arena, r->of->file, &text);
    bool const is_same = text.length == in->size && memcmp(text.text, in->text, in->size) == 0;
    json_t *const list = json_array();
    if (!is_same && text.length)
        json_array_append_new(list, json_pack("{s:o, s:o}", "range", json_range(r->server, in, 0, in->size), "newText",
                                              json_text_of(text.text, text.length)));
    buffer_free(&text);
    return list;
}
