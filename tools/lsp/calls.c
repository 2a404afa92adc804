/* SPDX-License-Identifier: MIT */
/* calls.c - the call hierarchy: what runs, spawns, becomes or starts a task, and what that task uses. Of a signal,
 * checkpoint or mailbox: what waits for it, and what fires it, resumes it or sends to it. */
#include <ctype.h>
#include <string.h>

#include "lsp.h"
#include "memory.h"

/* -- items --------------------------------------------------------------------------------------------------------- */

static bool is_called(name_kind kind)
{
    return kind == NAME_TASK || kind == NAME_SIGNAL || kind == NAME_CHECKPOINT || kind == NAME_MAILBOX;
}

static json_t *item(const server *s, const char *name, int kind, const char *detail, span whole, span own)
{
    json_t *const place = json_location(s, own.in, own.begin, own.end);
    json_t *const json =
        json_pack("{s:s, s:i, s:s, s:O, s:o, s:O}", "name", name, "kind", kind, "detail", detail, "uri",
                  json_object_get(place, "uri"), "range", json_range(s, whole.in, whole.begin, whole.end),
                  "selectionRange", json_object_get(place, "range"));
    json_decref(place);
    return json;
}

static json_t *item_of(const server *s, const named *of, const char *detail)
{
    buffer name = {0};
    span const own = of->ident->at;
    span whole = own;
    if (of->kind == NAME_TASK) whole = of->task->at;
    if (of->kind == NAME_TEST || of->kind == NAME_FLOW) whole = of->flow->at;
    if (of->flow && of->kind != NAME_TEST && of->kind != NAME_FLOW) BUFFER_PUT(&name, of->flow->name.name, ".");
    buffer_puts(&name, of->ident->name);
    json_t *const json = item(s, name.text, name_infos[of->kind].symbol, detail, span_join(whole, own), own);
    buffer_free(&name);
    return json;
}

/* The task, the test, or, in a handler of a flow, the flow around a place; the file, where none is. */
static json_t *item_around(const server *s, const ast_file *file, const source *in, uint32_t offset, const char *detail)
{
    enum { FILE_KIND = 1 };
    surrounding const at = file ? surrounding_of(file, offset) : (surrounding){0};
    if (at.flow && at.flow->test)
        return item_of(s, &(named){NAME_TEST, &at.flow->test->name, at.flow, NULL, NULL, at.flow}, detail);
    if (at.task) return item_of(s, &(named){NAME_TASK, &at.task->name, at.flow, at.task, NULL, at.task}, detail);
    if (at.flow) return item_of(s, &(named){NAME_FLOW, &at.flow->name, at.flow, NULL, NULL, at.flow}, detail);
    const char *const slash = strrchr(in->name, '/');
    return item(s, slash ? slash + 1 : in->name, FILE_KIND, detail, (span){in, 0, in->size}, (span){in, 0, 0});
}

/* -- uses ---------------------------------------------------------------------------------------------------------- */

static bool has_word(const char *text, uint32_t end, const char *word)
{
    size_t const length = strlen(word);
    bool const is_it = end >= length && memcmp(text + end - length, word, length) == 0;
    return is_it &&
           (end == length || !(isalnum((unsigned char)text[end - length - 1]) || text[end - length - 1] == '_'));
}

static uint32_t word_begin(const char *text, uint32_t at)
{
    while (at > 0 && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_')) at--;
    return at;
}

/* The words before a task say what becomes of it; in C, the generated name around it does. */
static const struct {
    const char *word, *part, *use;
} task_uses[] = {
    {"run", "_call_", "runs"},
    {"spawn", "_spawn_", "spawns"},
    {"become", "_become_", "becomes"},
    {"start", "_start_", "starts"},
};

static const char *use_of_task(const source *in, uint32_t begin)
{
    const char *const text = in->text;
    uint32_t at = word_begin(text, begin);
    bool const is_generated = at < begin;
    buffer before = {0};
    buffer_append(&before, text + at, begin - at);
    buffer_puts(&before, "");
    if (at > 0 && text[at - 1] == '.') at = word_begin(text, at - 1);
    while (at > 0 && isspace((unsigned char)text[at - 1])) at--;
    const char *use = "uses";
    for (size_t i = 0; i < sizeof task_uses / sizeof *task_uses; i++) {
        bool const is_it =
            is_generated ? strstr(before.text, task_uses[i].part) != NULL : has_word(text, at, task_uses[i].word);
        if (is_it) use = task_uses[i].use;
    }
    buffer_free(&before);
    return use;
}

static const char *use_at(const named *of, const source *in, uint32_t begin, uint32_t end)
{
    if (of->kind == NAME_TASK) return use_of_task(in, begin);
    name_use const use = use_of_name(in, begin, end);
    if (use == USE_AWAITS) return "waits for";
    if (use != USE_FIRES) return "uses";
    return of->kind == NAME_SIGNAL ? "fires" : of->kind == NAME_MAILBOX ? "sends to" : "resumes";
}

/* -- requests ------------------------------------------------------------------------------------------------------ */

json_t *request_prepare_calls(request *r)
{
    project p = project_of(r->server);
    named of = {.ident = NULL};
    bool found = named_at(r, &p, &of) && is_called(of.kind);
    if (!found && r->of) {
        surrounding const at = surrounding_of(r->of->file, r->offset);
        found = at.task && !at.flow->test;
        if (found) of = (named){NAME_TASK, &at.task->name, at.flow, at.task, NULL, at.task};
    }
    json_t *const list = found ? json_pack("[o]", item_of(r->server, &of, name_infos[of.kind].noun)) : NULL;
    project_free(&p);
    return list;
}

typedef struct calls {
    const request *r;
    const project *p;
    const named *of;
    const char *key; /* of the other end: "from" or "to" */
    json_t *list;
} calls;

static const analysis *analysis_with(const project *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->items[i]->file->in->name, name) == 0) return p->items[i];
    return NULL;
}

/* Adds a range to the entry of the other end. Takes the reference to `other`. */
static void add_call(const calls *c, json_t *other, json_t *range)
{
    for (size_t i = 0; i < json_array_size(c->list); i++) {
        const json_t *const one = json_array_get(c->list, i);
        if (!json_equal(json_object_get(one, c->key), other)) continue;
        json_array_append_new(json_object_get(one, "fromRanges"), range);
        json_decref(other);
        return;
    }
    json_array_append_new(c->list, json_pack("{s:o, s:[o]}", c->key, other, "fromRanges", range));
}

static void take_incoming(const source *in, uint32_t begin, uint32_t end, bool declares, void *context)
{
    const calls *const c = context;
    const analysis *const of = analysis_with(c->p, in->name);
    if (declares) return;
    add_call(c, item_around(c->r->server, of ? of->file : NULL, in, begin, use_at(c->of, in, begin, end)),
             json_range(c->r->server, in, begin, end));
}

/* The .uflow file that an item is in; NULL: another one, such as a C source. */
static const analysis *file_of_item(const request *r, const project *p, uint32_t *begin, uint32_t *end)
{
    const json_t *const given = json_object_get(r->params, "item"), *const range = json_object_get(given, "range");
    const char *const uri = text_member(given, "uri");
    const document *const d = document_find(r->server, uri);
    char *const path = uri_to_path(uri);
    const analysis *const of = d || path ? analysis_with(p, d ? d->name : path) : NULL;
    memory_free(path);
    if (!of) return NULL;
    const source *const in = of->file->in;
    *begin = offset_of_position(r->server, in->text, in->size, json_object_get(range, "start"));
    *end = offset_of_position(r->server, in->text, in->size, json_object_get(range, "end"));
    return of;
}

json_t *request_incoming_calls(request *r)
{
    project p = project_of(r->server);
    calls c = {r, &p, NULL, "from", json_array()};
    uint32_t begin, end;
    const analysis *const of = file_of_item(r, &p, &begin, &end);
    const json_t *const own = json_object_get(json_object_get(r->params, "item"), "selectionRange");
    const source *const in = of ? of->file->in : NULL;
    const mention *const m =
        of ? mention_at(of, offset_of_position(r->server, in->text, in->size, json_object_get(own, "start"))) : NULL;
    if (m && is_called(m->of.kind)) {
        c_sources sources = sources_of(r->server);
        c.of = &m->of;
        places_each(&p, &sources, &m->of, take_incoming, &c);
        sources_free(&sources);
    }
    project_free(&p);
    return c.list;
}

json_t *request_outgoing_calls(request *r)
{
    project p = project_of(r->server);
    calls const c = {r, &p, NULL, "to", json_array()};
    uint32_t begin, end;
    const analysis *const of = file_of_item(r, &p, &begin, &end);
    bool const is_whole = of && begin == 0 && end == of->file->in->size; /* a file has none */
    for (size_t i = 0; of && !is_whole && i < of->mentions.count; i++) {
        const mention *const m = &of->mentions.items[i];
        if (m->begin < begin || m->end > end || m->declares || !is_called(m->of.kind)) continue;
        add_call(&c, item_of(r->server, &m->of, use_at(&m->of, of->file->in, m->begin, m->end)),
                 json_range(r->server, of->file->in, m->begin, m->end));
    }
    project_free(&p);
    return c.list;
}
