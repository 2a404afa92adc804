/* SPDX-License-Identifier: MIT */
/* navigate.c - from a name to its declaration and its uses, in .uflow files and in C sources; rename. */
#include <ctype.h>
#include <string.h>

#include "lsp.h"
#include "memory.h"
#include "token.h"

/* -- places of a name ---------------------------------------------------------------------------------------------- */

typedef struct search {
    const named *of;
    const project *in;
    const source *source;
    place_visitor *visit;
    void *context;
    uint32_t offset; /* of_word(): where it looks for a name */
    bool has_found;
    named found;
} search;

static bool in_flow(search *s, const ast_flow *flow, const char *word, uint32_t begin, uint32_t length)
{
    name_part parts[NAME_PARTS];
    size_t const own = strlen(flow->name.name ? flow->name.name : "");
    size_t count = generated_parts(flow, word, length, parts);
    if (!count && own && own == length && memcmp(word, flow->name.name, own) == 0)
        parts[count++] = (name_part){{NAME_FLOW, &flow->name, flow, NULL, NULL, flow}, 0, (uint32_t)own};
    for (size_t i = 0; i < count; i++) {
        uint32_t const at = begin + parts[i].at;
        if (!s->of) s->found = parts[i].of; /* the last one, unless the offset is before it */
        else if (named_is_same(s->of, &parts[i].of)) s->visit(s->source, at, at + parts[i].length, false, s->context);
        if (!s->of && s->offset <= at + parts[i].length) break;
    }
    return count > 0;
}

/* The flows that a project declares make the names in C. */
static void in_word(const char *word, uint32_t begin, uint32_t length, void *context)
{
    search *const s = context;
    if (begin && (word[-1] == '.' || word[-1] == '>')) return; /* a member */
    if (!s->of && (s->has_found || s->offset < begin || s->offset > begin + length)) return;
    for (size_t i = 0; i < s->in->count; i++) {
        const ast_file *const file = s->in->items[i]->file;
        for (const ast_flow *flow = file->flows; flow; flow = flow->next) {
            if (!in_flow(s, flow, word, begin, length)) continue;
            s->has_found = true;
            return;
        }
    }
}

void places_each(const project *p, const c_sources *sources, const named *of, place_visitor *visit, void *context)
{
    for (size_t i = 0; i < p->count; i++) {
        const analysis *const a = p->items[i];
        for (size_t k = 0; k < a->mentions.count; k++) {
            const mention *const m = &a->mentions.items[k];
            if (named_is_same(&m->of, of)) visit(a->file->in, m->begin, m->end, m->declares, context);
        }
    }
    for (size_t i = 0; sources && i < sources->count; i++) {
        search s = {.of = of, .in = p, .source = sources->items[i].in, .visit = visit, .context = context};
        words_each(s.source->text, s.source->size, in_word, &s);
    }
}

bool named_at(const request *r, const project *p, named *of)
{
    if (r->of) {
        const mention *const m = mention_at(r->of, r->offset);
        if (m) *of = m->of;
        return m != NULL;
    }
    search s = {.in = p, .offset = r->offset};
    words_each(r->document->text.text, (uint32_t)r->document->text.length, in_word, &s);
    if (s.has_found) *of = s.found;
    return s.has_found;
}

/* -- places in JSON ------------------------------------------------------------------------------------------------ */

json_t *json_location(const server *s, const source *in, uint32_t begin, uint32_t end)
{
    const document *d = s->documents;
    while (d && strcmp(d->name, in->name) != 0) d = d->next;
    char *const uri = d ? NULL : path_to_uri(in->name);
    json_t *const json = json_pack("{s:s, s:o}", "uri", d ? d->uri : uri, "range", json_range(s, in, begin, end));
    memory_free(uri);
    return json;
}

static json_t *import_at(const request *r)
{
    for (const ast_import *i = r->of ? r->of->file->imports : NULL; i; i = i->next) {
        if (i->file && r->offset >= i->at.begin && r->offset <= i->at.end)
            return json_location(r->server, i->file->in, 0, 0);
    }
    return NULL;
}

json_t *request_definition(request *r)
{
    json_t *result = import_at(r);
    if (result) return result;
    project p = r->of ? (project){0} : project_of(r->server);
    named of;
    if (named_at(r, &p, &of)) result = json_location(r->server, of.ident->at.in, of.ident->at.begin, of.ident->at.end);
    project_free(&p);
    return result;
}

typedef struct listing {
    const request *r;
    json_t *list;
    bool has_declarations;
} listing;

static void list_place(const source *in, uint32_t begin, uint32_t end, bool declares, void *context)
{
    const listing *const l = context;
    if (declares && !l->has_declarations) return;
    json_array_append_new(l->list, json_location(l->r->server, in, begin, end));
}

json_t *request_references(request *r)
{
    project p = project_of(r->server);
    listing l = {r, json_array(), false};
    named of;
    l.has_declarations = json_is_true(json_object_get(json_object_get(r->params, "context"), "includeDeclaration"));
    if (named_at(r, &p, &of)) {
        c_sources sources = sources_of(r->server);
        places_each(&p, &sources, &of, list_place, &l);
        sources_free(&sources);
    }
    project_free(&p);
    return l.list;
}

json_t *request_highlights(request *r)
{
    const mention *const here = r->of ? mention_at(r->of, r->offset) : NULL;
    json_t *const list = json_array();
    for (size_t i = 0; here && i < r->of->mentions.count; i++) {
        const mention *const m = &r->of->mentions.items[i];
        if (!named_is_same(&m->of, &here->of)) continue;
        json_array_append_new(list,
                              json_pack("{s:o, s:i}", "range", json_range(r->server, r->of->file->in, m->begin, m->end),
                                        "kind", m->declares ? 3 : 2));
    }
    return list;
}

/* -- rename -------------------------------------------------------------------------------------------------------- */

json_t *request_prepare_rename(request *r)
{
    project p = r->of ? (project){0} : project_of(r->server);
    named of;
    json_t *result = NULL;
    const mention *const m = r->of ? mention_at(r->of, r->offset) : NULL;
    if (m) {
        result = json_pack("{s:o, s:s}", "range", json_range(r->server, r->of->file->in, m->begin, m->end),
                           "placeholder", m->of.ident->name);
    } else if (named_at(r, &p, &of)) {
        result = json_pack("{s:b}", "defaultBehavior", 1);
    } else {
        r->error = "only names that a .uflow file declares can be renamed here";
    }
    project_free(&p);
    return result;
}

static bool is_identifier(const char *name)
{
    size_t const length = strlen(name);
    if (!length || length > 255 || isdigit((unsigned char)*name) || token_is_c(name, length)) return false;
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_') return false;
    return true;
}

typedef struct renaming {
    edits edits;
    const char *name;
} renaming;

static void rename_place(const source *in, uint32_t begin, uint32_t end, bool declares, void *context)
{
    renaming *const to = context;
    (void)declares;
    edits_add(&to->edits, in, begin, end, to->name);
}

static const diag_report *first_error(const analysis *of, bool is_syntax)
{
    for (const diag_report *r = of->diagnostics->first; r; r = r->next)
        if (r->is_error && (!is_syntax || r->code < UF0301)) return r;
    return NULL;
}

static size_t count_of(const analysis *of, uint32_t begin)
{
    const mention *const at = mention_at(of, begin + 1);
    size_t count = 0;
    for (size_t i = 0; at && i < of->mentions.count; i++) count += named_is_same(&of->mentions.items[i].of, &at->of);
    return count;
}

/* Tries the new text of one file: it must have no new errors, and as many uses of the name as before. */
static void check_file(request *r, renaming *to, const analysis *of)
{
    const char *const slash = strrchr(of->file->in->name, '/'), *const name = slash ? slash + 1 : of->file->in->name;
    size_t first = 0, count = 0;
    for (size_t i = to->edits.count; i-- > 0;) {
        if (strcmp(to->edits.items[i].in->name, of->file->in->name) != 0) continue;
        first = i;
        count++;
    }
    const diag_report *const wrong = count ? first_error(of, true) : NULL;
    if (wrong) {
        r->error = arena_printf(r->arena, "%s has a syntax error, so a use may be missed: %s", name, wrong->text);
        return;
    }
    analysis *const then = edits_try(r->server, &to->edits, of->file->in);
    const diag_report *const fault = first_error(then, false);
    if (diag_error_count(then->diagnostics) > diag_error_count(of->diagnostics) && fault)
        r->error = arena_printf(r->arena, "%s would not compile: %s", name, fault->text);
    else if (count && count_of(then, to->edits.items[first].begin) != count)
        r->error = arena_printf(r->arena, "in %s, `%s` has another meaning already", name, to->name);
    analysis_free(then);
}

static bool is_member(name_kind kind)
{
    return kind != NAME_FLOW && kind != NAME_TASK && kind != NAME_STEP && kind != NAME_GROUP && kind != NAME_WORKER;
}

/* `door.position` in C: without the types, ufc does not know whose member it is. */
static void find_member(const char *word, uint32_t begin, uint32_t length, void *context)
{
    search *const s = context;
    const char *const name = s->of->ident->name;
    bool const is_access = begin && (word[-1] == '.' || word[-1] == '>');
    if (s->has_found || !is_access || strlen(name) != length || memcmp(word, name, length) != 0) return;
    s->has_found = true;
    s->offset = begin;
}

static void warn_of_members(const request *r, const c_sources *sources, const named *of)
{
    for (size_t i = 0; is_member(of->kind) && !of->step && i < sources->count; i++) {
        search s = {.of = of, .source = sources->items[i].in};
        words_each(s.source->text, s.source->size, find_member, &s);
        if (!s.has_found) continue;
        const char *const text =
            arena_printf(r->arena, "%s:%u may use `%s` too: it is not renamed there", s.source->name,
                         (unsigned)source_line(s.source, s.offset), of->ident->name);
        transport_notify("window/showMessage",
                         json_pack("{s:i, s:o}", "type", 2, "message", json_text_of(text, strlen(text))));
    }
}

json_t *request_rename(request *r)
{
    renaming to = {.edits = {.arena = r->arena}, .name = text_member(r->params, "newName")};
    project p = project_of(r->server);
    c_sources sources = sources_of(r->server);
    named of = {.ident = NULL};
    json_t *result = NULL;
    if (!is_identifier(to.name)) r->error = arena_printf(r->arena, "`%s` is no name", to.name);
    else if (!named_at(r, &p, &of)) r->error = "only names that a .uflow file declares can be renamed here";
    if (!r->error) places_each(&p, &sources, &of, rename_place, &to);
    for (size_t i = 0; i < p.count && !r->error && to.edits.count; i++) check_file(r, &to, p.items[i]);
    if (!r->error) {
        warn_of_members(r, &sources, &of);
        result = edits_json(r->server, &to.edits);
    }
    sources_free(&sources);
    project_free(&p);
    return result;
}
