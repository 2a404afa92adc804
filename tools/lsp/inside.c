/* SPDX-License-Identifier: MIT */
/* inside.c - C inside the bodies: requests that clangd answers, with its places brought back to the .uflow files. */
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "memory.h"

/* clangd counts bytes. */
static const server in_bytes = {.is_utf8 = true};

/* A request, the C that it is about, and the server's own answer. */
typedef struct inside {
    request *r;
    skeleton *k;
    json_t *own;
    uint32_t at;      /* in the C */
    const opened *in; /* which clangd is asked about */
} inside;

/* -- the skeleton in clangd ---------------------------------------------------------------------------------------- */

static bool show_whole(server *s, skeleton *k)
{
    return clangd_show(s, &k->whole, k->text->text, k->text->size);
}

/* Where the place of the last request is now: a change before it moves it. */
static uint32_t asked_place(const skeleton *k, const document *d)
{
    size_t same = 0;
    while (same < k->asked && same < d->text.length && k->document->text[same] == d->text.text[same]) same++;
    size_t const behind = k->document->size - k->asked; /* bytes up to the end */
    return same == k->asked || d->text.length < same + behind ? (uint32_t)same : (uint32_t)(d->text.length - behind);
}

void inside_refresh(server *s)
{
    for (document *d = s->documents; d && clangd_handle(s) >= 0; d = d->next) {
        skeleton *k = d->skeleton;
        if (!k || !k->whole.version) continue;
        if (k->changes != d->changes) {
            uint32_t const asked = asked_place(k, d);
            k = skeleton_at(s, d, asked, false);
            k->asked = asked;
        }
        if (!k->is_exact || !show_whole(s, k)) continue;
        d->is_stale = true;
        publish_document(s, d);
    }
}

void inside_close(server *s, const document *d)
{
    skeleton *const k = d->skeleton;
    if (k) clangd_hide(s, &k->whole), clangd_hide(s, &k->brief);
}

/* -- places -------------------------------------------------------------------------------------------------------- */

/* A text that clangd knows under a URI: the skeleton, or a file. NULL: it cannot be read. */
static const source *text_of(const inside *i, const char *uri)
{
    if (strcmp(uri, i->in->uri) == 0) return i->k->text;
    char *const path = uri_to_path(uri);
    const source *const in = path ? source_of_file(i->r->arena, path) : NULL;
    memory_free(path);
    return in;
}

/* The place of a range in the user's files. False: it is in generated text, or in a file that cannot be read. */
static bool origin_of(const skeleton *k, const source *in, const json_t *range, span *origin)
{
    if (!in || !range) return false;
    uint32_t const begin = offset_of_position(&in_bytes, in->text, in->size, json_object_get(range, "start"));
    uint32_t const end = offset_of_position(&in_bytes, in->text, in->size, json_object_get(range, "end"));
    if (in == k->text) return skeleton_origin(k, begin, end, origin) != NULL;
    *origin = (span){in, begin, end};
    return true;
}

static json_t *range_of(const server *s, span at)
{
    return json_range(s, at.in, at.begin, at.end);
}

static json_t *params_of(const inside *i)
{
    json_t *const params = json_pack("{s:{s:s}, s:o}", "textDocument", "uri", i->in->uri, "position",
                                     json_position(&in_bytes, i->k->text, i->at));
    for (const char *const keys[] = {"newName", "context", NULL}, *const *key = keys; *key; key++) {
        json_t *const value = json_object_get(i->r->params, *key);
        if (value) json_object_set(params, *key, value);
    }
    return params;
}

/* A range of the skeleton in the document; NULL: it is elsewhere. */
static json_t *range_in_document(const inside *i, const json_t *range)
{
    span at;
    bool const is_there = origin_of(i->k, i->k->text, range, &at) && at.in == i->k->document;
    return is_there ? range_of(i->r->server, at) : NULL;
}

/* -- answers ------------------------------------------------------------------------------------------------------- */

static bool offers(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(text_member(json_array_get(list, i), "label"), name) == 0) return true;
    return false;
}

/* The word that an item stands for. Labels of clangd begin with a blank or a dot. */
static const char *word_of(const json_t *item)
{
    const char *const word = text_member(item, "filterText");
    return *word ? word : text_member(item, "label");
}

/* Behind `.` or `->` of an unknown type, clangd offers all names that it knows. */
static bool fits(const inside *i, const json_t *item)
{
    enum { FIELD = 5 };
    bool const is_field = json_integer_value(json_object_get(item, "kind")) == FIELD;
    return is_field ? strncmp(word_of(item), "uf_", 3) != 0 : i->r->fits == C_ALL;
}

static void add_item(const inside *i, json_t *list, const json_t *item)
{
    if (!fits(i, item) || offers(list, word_of(item))) return; /* clangd's index has a typedef and its tag */
    json_t *const copy = json_deep_copy(item), *const place = json_object_get(copy, "textEdit");
    json_t *const range = range_in_document(i, json_object_get(place, "range"));
    const char *label = text_member(item, "label");
    while (*label == ' ' || (unsigned char)*label >= 0x80) label++;
    json_object_set_new(copy, "label", json_string(label));
    /* Behind the own items, which clients sort by their labels. */
    json_object_set_new(copy, "sortText", json_pack("s+", "~", text_member(item, "sortText")));
    json_object_del(copy, "additionalTextEdits");
    if (range) json_object_set_new(place, "range", range);
    else json_object_del(copy, "textEdit");
    json_array_append_new(list, copy);
}

static json_t *take_completion(inside *i, const json_t *answer)
{
    const json_t *const items = json_is_array(answer) ? answer : json_object_get(answer, "items");
    json_t *const list = json_copy(i->own);
    for (size_t n = 0; n < json_array_size(items); n++) add_item(i, list, json_array_get(items, n));
    if (!json_is_true(json_object_get(answer, "isIncomplete"))) return list;
    return json_pack("{s:b, s:o}", "isIncomplete", 1, "items", list);
}

static json_t *take_hover(inside *i, const json_t *answer)
{
    json_t *const range = range_in_document(i, json_object_get(answer, "range"));
    json_t *const copy = json_copy((json_t *)answer);
    if (range) json_object_set_new(copy, "range", range);
    else json_object_del(copy, "range");
    return copy;
}

static json_t *take_signatures(inside *i, const json_t *answer)
{
    (void)i;
    return json_array_size(json_object_get(answer, "signatures")) ? json_incref((json_t *)answer) : NULL;
}

static json_t *take_places(inside *i, const json_t *answer)
{
    json_t *const list = json_array();
    for (size_t n = 0; n < json_array_size(answer); n++) {
        const json_t *const one = json_array_get(answer, n);
        span at;
        if (origin_of(i->k, text_of(i, text_member(one, "uri")), json_object_get(one, "range"), &at))
            json_array_append_new(list, json_location(i->r->server, at.in, at.begin, at.end));
    }
    return list;
}

static json_t *take_highlights(inside *i, const json_t *answer)
{
    json_t *const list = json_array();
    for (size_t n = 0; n < json_array_size(answer); n++) {
        json_t *const one = json_array_get(answer, n);
        json_t *const range = range_in_document(i, json_object_get(one, "range"));
        if (!range) continue;
        json_array_append_new(list, json_pack("{s:o, s:O}", "range", range, "kind", json_object_get(one, "kind")));
    }
    return list;
}

/* Is the name under the cursor declared in a body or `source` of the document? Other files may use all else. */
static bool is_own_name(const inside *i)
{
    const char *refusal = NULL;
    json_t *const places = clangd_ask(i->r->server, "textDocument/definition", params_of(i), &refusal, i->r->arena);
    bool is_own = json_array_size(places) > 0;
    for (size_t n = 0; n < json_array_size(places); n++) {
        const json_t *const one = json_array_get(places, n);
        const source *const in = text_of(i, text_member(one, "uri"));
        span at;
        is_own = is_own && in == i->k->text && origin_of(i->k, in, json_object_get(one, "range"), &at) &&
                 at.in == i->k->document;
        for (const ast_text_block *b = is_own ? i->r->of->file->blocks : NULL; b; b = b->next)
            if (b->kind == BLOCK_HEADER && at.begin >= b->inside.begin && at.begin < b->inside.end) is_own = false;
    }
    json_decref(places);
    return is_own;
}

static json_t *take_prepared(inside *i, const json_t *answer)
{
    const json_t *const inner = json_object_get(answer, "range");
    json_t *const range = is_own_name(i) ? range_in_document(i, inner ? inner : answer) : NULL;
    if (range) i->r->error = NULL;
    return range;
}

/* All edits are in the user's files, and the new text has no errors, or nothing is changed. */
static json_t *take_edits(inside *i, const json_t *answer)
{
    edits list = {.arena = i->r->arena};
    if (!is_own_name(i)) {
        i->r->error = "this name is declared elsewhere, so not all of its uses are known";
        return NULL;
    }
    const char *uri;
    json_t *changes;
    json_object_foreach(json_object_get(answer, "changes"), uri, changes)
    {
        const source *const in = text_of(i, uri);
        for (size_t n = 0; n < json_array_size(changes); n++) {
            const json_t *const one = json_array_get(changes, n);
            span at;
            if (!origin_of(i->k, in, json_object_get(one, "range"), &at)) {
                i->r->error = "this name is used in generated text, so it cannot be renamed";
                return NULL;
            }
            const char *const text = text_member(one, "newText");
            edits_add(&list, at.in, at.begin, at.end, arena_copy(i->r->arena, text, strlen(text)));
        }
    }
    if (!list.count) return NULL;
    analysis *const then = edits_try(i->r->server, &list, i->r->of->file->in);
    bool const is_good = then && !diag_error_count(then->diagnostics);
    analysis_free(then);
    i->r->error = is_good ? NULL : "the file would not compile with that name";
    return is_good ? edits_json(i->r->server, &list) : NULL;
}

/* -- requests ------------------------------------------------------------------------------------------------------ */

static const struct row {
    const char *method;
    json_t *(*take)(inside *i, const json_t *answer);
    bool at_names; /* also where ufc knows the name. The answer is about what is typed, and names no place elsewhere */
    bool in_all;   /* the bodies of all flows count */
} rows[] = {
    {"textDocument/completion", take_completion, true, false},
    {"textDocument/hover", take_hover, false, false},
    {"textDocument/definition", take_places, false, false},
    {"textDocument/references", take_places, false, true},
    {"textDocument/documentHighlight", take_highlights, false, false},
    {"textDocument/signatureHelp", take_signatures, true, false},
    {"textDocument/prepareRename", take_prepared, false, false},
    {"textDocument/rename", take_edits, false, true},
};

static const struct row *row_of(const request *r, const char *method, const json_t *own)
{
    if (!r->of || r->fits == C_NONE || !clangd_is_wanted(r->server)) return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].method, method) != 0) continue;
        bool const is_open = (!own || json_is_array(own)) && !json_array_size(own) && !mention_at(r->of, r->offset);
        return rows[i].at_names || is_open ? &rows[i] : NULL;
    }
    return NULL;
}

/* Asks again if clangd ended meanwhile. */
static json_t *ask(const inside *i, const char *method, const char **refusal)
{
    server *const s = i->r->server;
    json_t *answer = NULL;
    for (int times = 0; times < 2 && !answer && !*refusal; times++) {
        if (times && clangd_handle(s) >= 0) break; /* it has nothing to say */
        if (!clangd_start(s)) break;
        if (i->in == &i->k->brief) brief_show(s, i->k);
        if (i->in == &i->k->whole || !i->k->whole.version) (void)show_whole(s, i->k);
        if (clangd_handle(s) >= 0) answer = clangd_ask(s, method, params_of(i), refusal, i->r->arena);
    }
    return answer;
}

json_t *inside_answer(request *r, const char *method, json_t *own)
{
    const struct row *const row = row_of(r, method, own);
    inside i = {.r = r, .own = own};
    if (row) i.k = skeleton_at(r->server, r->document, r->offset, row->in_all);
    if (!i.k || !skeleton_place(i.k, r->offset, &i.at)) return own;
    if (row->take == take_edits && !i.k->is_exact) return own;
    i.k->asked = r->offset;
    bool const is_brief = row->at_names && brief_is_wanted(i.k, i.at), is_present = is_brief && brief_is_present(i.k);
    i.in = is_present ? &i.k->brief : &i.k->whole;
    const char *refusal = NULL;
    json_t *const answer = ask(&i, method, &refusal);
    if (is_brief && !is_present) brief_prepare(r->server, i.k);
    if (refusal && r->error) r->error = arena_printf(r->arena, "clangd: %s", refusal);
    if (!answer || json_is_null(answer)) {
        json_decref(answer);
        return own;
    }
    json_t *const result = row->take(&i, answer);
    json_decref(answer);
    json_decref(own);
    return result;
}

json_t *request_signature(request *r)
{
    (void)r; /* clangd knows it */
    return NULL;
}

/* -- diagnostics --------------------------------------------------------------------------------------------------- */

/* Without the headers, clang would only find fault with what it does not know. NULL: it has found them. */
static const char *missing_header(const skeleton *k)
{
    for (size_t n = 0; n < json_array_size(k->problems); n++) {
        const json_t *const one = json_array_get(k->problems, n);
        if (strcmp(text_member(one, "code"), "pp_file_not_found") == 0) return text_member(one, "message");
    }
    return NULL;
}

void inside_take(server *s, const json_t *params)
{
    for (document *d = s->documents; d; d = d->next) {
        skeleton *const k = d->skeleton;
        if (!k || strcmp(k->whole.uri, text_member(params, "uri")) != 0) continue;
        json_decref(k->problems);
        k->problems = json_incref(json_object_get(params, "diagnostics"));
        k->of_version = json_integer_value(json_object_get(params, "version"));
        d->is_stale = true;
        if (missing_header(k)) clangd_misses(s, missing_header(k));
    }
}

/* What other flows use would seem unused, since their bodies are not there. */
static bool is_seeming(const emit_copy *copy, const char *code)
{
    return !copy->body && (strstr(code, "unused") || strstr(code, "unneeded"));
}

static void add_problem(const server *s, const skeleton *k, json_t *list, const json_t *one)
{
    const json_t *const range = json_object_get(one, "range");
    const source *const in = k->text;
    span at;
    const emit_copy *const copy =
        skeleton_origin(k, offset_of_position(&in_bytes, in->text, in->size, json_object_get(range, "start")),
                        offset_of_position(&in_bytes, in->text, in->size, json_object_get(range, "end")), &at);
    if (!copy || at.in != k->document || is_seeming(copy, text_member(one, "code"))) return;
    const char *const text = text_member(one, "message"), *const fix = strstr(text, " (fix available)");
    json_array_append_new(list, json_pack("{s:o, s:i, s:s, s:s, s:o}", "range", range_of(s, at), "severity",
                                          (int)json_integer_value(json_object_get(one, "severity")), "source", "clangd",
                                          "code", text_member(one, "code"), "message",
                                          json_text_of(text, fix ? (size_t)(fix - text) : strlen(text))));
}

json_t *inside_problems(const server *s, const document *d)
{
    const skeleton *const k = d->skeleton;
    bool const is_present =
        k && k->problems && k->is_exact && k->changes == d->changes && k->of_version == k->whole.version;
    if (!is_present || missing_header(k)) return NULL;
    json_t *const list = json_array();
    for (size_t n = 0; n < json_array_size(k->problems); n++) add_problem(s, k, list, json_array_get(k->problems, n));
    return list;
}
