/* SPDX-License-Identifier: MIT */
/* complete.c - completion: what fits at the cursor, found from the tokens before it. A half-written text has no tree
 * there, but its tokens and its open braces say enough. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <string.h>

#include "arms.h"
#include "checks.h"
#include "lsp.h"
#include "uflow_parse.h"
#include "words.h"

/* What an open brace holds. AT_BODY: a handler, which has no intents. */
typedef enum level {
    AT_FILE = 1,
    AT_FLOW = 2,
    AT_GROUP = 4,
    AT_TASK = 8,
    AT_STEP = 16,
    AT_BODY = 32,
    AT_WORKER = 64,
    AT_ARMS = 128,
    AT_TEST = 256,
    AT_EXPLORE = 512
} level;

typedef struct place {
    const request *r;
    const token_list *list;
    uint32_t end;   /* tokens from here on are at or behind the cursor */
    uint32_t begin; /* of the statement, arm or member */
    unsigned level;
    surrounding around;
    json_t *items;
} place;

/* -- where --------------------------------------------------------------------------------------------------------- */

static unsigned level_inside(const token_list *list, unsigned outer, uint32_t head, uint32_t brace)
{
    bool const is_task =
        token_is(list, head, "task") || token_is(list, head, "forever") || token_is(list, head, "shutdown");
    if (outer == AT_FILE && token_is(list, head, "flow")) return AT_FLOW;
    if (outer == AT_FILE) return token_is(list, head, "test") ? AT_TEST : AT_WORKER;
    if (outer & (AT_FLOW | AT_GROUP)) return is_task ? AT_TASK : token_is(list, head, "group") ? AT_GROUP : AT_BODY;
    if (outer == AT_TEST && token_is(list, head, "explore")) return AT_EXPLORE;
    if (outer == AT_TEST && token_is(list, head, "stub")) return AT_WORKER;
    if (outer & (AT_TASK | AT_TEST)) return token_is(list, head, "step") ? AT_STEP : AT_BODY;
    return outer == AT_STEP && brace > 0 && token_is(list, brace - 1, "await") ? AT_ARMS : outer;
}

static void find_place(place *p)
{
    enum { DEEPEST = 256 };
    unsigned levels[DEEPEST] = {AT_FILE}, depth = 0;
    for (uint32_t i = 0; i < p->end; i++) {
        uint16_t const kind = p->list->items[i].kind;
        if (kind == T_LBRACE && depth + 1 < DEEPEST) {
            levels[depth + 1] = level_inside(p->list, levels[depth], p->begin, i);
            depth++;
        }
        if (kind == T_RBRACE && depth) depth--;
        if (kind == T_LBRACE || kind == T_RBRACE || kind == T_SEMICOLON || kind_is(kind, IS_DIRECTIVE))
            p->begin = i + 1;
        if (kind == T_BLOCK_TEXT) p->begin = i + 1;
    }
    p->level = levels[depth];
}

static bool is_at(const place *p, uint32_t back, const char *text)
{
    return p->end >= back && p->end - back >= p->begin && token_is(p->list, p->end - back, text);
}

static bool begins_with(const place *p, const char *word)
{
    return p->begin < p->end && token_is(p->list, p->begin, word);
}

/* Behind `if (…)` or `else`, too. */
static bool has_word(const place *p, const char *word)
{
    for (uint32_t i = p->begin; i < p->end; i++)
        if (token_is(p->list, i, word)) return true;
    return false;
}

/* -- items --------------------------------------------------------------------------------------------------------- */

static void put_item(const place *p, const char *label, int kind, const char *detail, const char *snippet)
{
    json_t *const item = json_pack("{s:s, s:i, s:s}", "label", label, "kind", kind, "detail", detail);
    bool const has_snippet = snippet && p->r->server->has_snippets && strcmp(snippet, label) != 0;
    if (has_snippet) json_object_set_new(item, "insertText", json_string(snippet));
    if (has_snippet) json_object_set_new(item, "insertTextFormat", json_integer(2));
    json_array_append_new(p->items, item);
}

static void put_words(const place *p, const char *const *words)
{
    for (; *words; words++) put_item(p, *words, 14, "word", NULL);
}
#define PUT_WORDS(p, ...) put_words((p), (const char *const[]){__VA_ARGS__, NULL})

typedef struct wanted {
    const place *p;
    unsigned kinds;   /* as bits */
    const char *name; /* only this one; NULL: all */
    named found;
} wanted;

static void offer(const named *one, void *context)
{
    wanted *const w = context;
    if (!(w->kinds & 1u << one->kind) || (w->name && strcmp(w->name, one->ident->name) != 0)) return;
    w->found = *one;
    if (w->name) return;
    buffer detail = {0}, snippet = {0};
    put_signature(one, &detail);
    put_snippet(one, &snippet);
    put_item(w->p, one->ident->name, name_infos[one->kind].completion, detail.text, snippet.text);
    buffer_free(&detail);
    buffer_free(&snippet);
}

#define KIND(kind) (1u << NAME_##kind)
#define SHARED     (KIND(SIGNAL) | KIND(CHECKPOINT) | KIND(MAILBOX) | KIND(JOB))
#define MEMBERS    (SHARED | KIND(FIELD) | KIND(PARAMETER) | KIND(SUBFLOW) | KIND(POOL))

static void put_names(const place *p, unsigned kinds)
{
    wanted w = {.p = p, .kinds = kinds};
    if (p->around.task) names_of_task(p->around.flow, p->around.task, offer, &w);
    if (p->around.flow) names_of_flow(p->around.flow, offer, &w);
    names_each(p->r->of->file, offer, &w);
}

static void put_members(const place *p, const ast_flow *flow, unsigned kinds)
{
    wanted w = {.p = p, .kinds = kinds};
    if (flow) names_of_flow(flow, offer, &w);
}

static named find(const place *p, const ast_flow *flow, uint32_t at, unsigned kinds)
{
    wanted w = {.p = p, .kinds = kinds, .name = token_intern(p->r->arena, p->list, at)};
    if (flow) names_of_flow(flow, offer, &w);
    else names_each(p->r->of->file, offer, &w);
    return w.found;
}

/* -- after a word or a mark ---------------------------------------------------------------------------------------- */

/* The flow of `flow->motor.` or `flow->zones[2].`, whose access mark is at `at`; NULL: it is not that. */
static const ast_flow *flow_of_chain(const place *p, uint32_t at)
{
    uint32_t name = at;
    if (name < 2) return NULL;
    name--;
    while (name > p->begin && p->list->items[name].kind == T_RBRACKET) {
        while (name > p->begin && p->list->items[name].kind != T_LBRACKET) name--;
        name--;
    }
    if (token_is(p->list, name, "flow")) return p->around.flow;
    if (name < 2 || !token_has(p->list, name - 1, IS_ACCESS)) return NULL;
    const ast_flow *const outer = flow_of_chain(p, name - 1);
    named const found = outer ? find(p, outer, name, KIND(SUBFLOW)) : (named){.ident = NULL};
    return found.ident ? type_of_subflow(outer, found.node) : NULL;
}

static void put_targets(const place *p)
{
    if (p->around.task) put_names(p, KIND(STEP));
    PUT_WORDS(p, "done", "fail", "become");
}

/* After `.` or `->`. */
static void after_access(const place *p)
{
    const ast_flow *const flow = flow_of_chain(p, p->end - 1);
    bool const is_dot = is_at(p, 1, ".");
    if (is_dot && is_at(p, 3, "run")) {
        put_members(p, find(p, NULL, p->end - 2, KIND(FLOW)).flow, KIND(TASK));
    } else if (is_dot && is_at(p, 3, "spawn")) {
        named const pool = find(p, p->around.flow, p->end - 2, KIND(POOL));
        put_members(p, pool.ident ? type_of_subflow(p->around.flow, pool.node) : NULL, KIND(TASK));
    } else if (flow) {
        put_members(p, flow, MEMBERS);
    } else if (is_at(p, 2, "self")) {
        wanted w = {.p = p, .kinds = MEMBERS};
        if (p->around.task) names_of_task(p->around.flow, p->around.task, offer, &w);
    } else if (!is_dot &&
               (p->level == AT_ARMS || has_word(p, "await") || begins_with(p, "on") || begins_with(p, "stay"))) {
        put_targets(p);
    }
}

/* After a word that says what follows. Returns false if it is none. */
static bool after_word(const place *p)
{
    bool const in_step = p->level & (AT_STEP | AT_ARMS);
    if (is_at(p, 1, "next")) put_names(p, KIND(STEP));
    else if (is_at(p, 1, "become")) put_members(p, p->around.flow, KIND(TASK));
    else if (is_at(p, 1, "run")) put_names(p, KIND(FLOW));
    else if (in_step && is_at(p, 1, "submit")) put_names(p, KIND(JOB));
    else if (in_step && is_at(p, 1, "spawn")) put_names(p, KIND(POOL));
    else if (in_step && is_at(p, 1, "stay")) PUT_WORDS(p, "every", "timeout");
    else if (is_at(p, 1, "timeout")) PUT_WORDS(p, "real");
    else if (is_at(p, 1, "forever") || is_at(p, 1, "shutdown")) PUT_WORDS(p, "task");
    else if (is_at(p, 1, "with")) PUT_WORDS(p, "run");
    else if ((p->level & (AT_FLOW | AT_TEST)) && (is_at(p, 1, "flow") || is_at(p, 1, "pool"))) put_names(p, KIND(FLOW));
    else if ((p->level & (AT_TASK | AT_TEST)) && is_at(p, 1, ":")) put_names(p, KIND(WORKER));
    else if ((p->level == AT_ARMS || begins_with(p, "spawn") || begins_with(p, "with")) && is_at(p, 1, "else"))
        put_targets(p);
    else return false;
    return true;
}

static void after_on(const place *p)
{
    if (p->level & (AT_FLOW | AT_TEST)) PUT_WORDS(p, "init", "end");
    if (p->level != AT_FLOW) PUT_WORDS(p, "enter", "exit", "pause", "resume", "timeout");
    PUT_WORDS(p, "suspend", "restore");
    put_names(p, KIND(SIGNAL));
}

/* `room(|`: the name of an operand. */
static bool in_event(const place *p)
{
    static const struct {
        const char *word;
        unsigned kinds;
    } rows[] = {
        {"room", KIND(MAILBOX)}, {"vacant", KIND(POOL)}, {"ended", KIND(POOL)},
        {"idle", KIND(POOL)},    {"any", KIND(JOB)},     {"arrived", KIND(CHECKPOINT)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!is_at(p, 1, "(") || !is_at(p, 2, rows[i].word)) continue;
        put_names(p, rows[i].kinds);
        return true;
    }
    return false;
}

/* -- at the start of a part ---------------------------------------------------------------------------------------- */

static void put_arms(const place *p)
{
    for (int kind = 0; kind < ARM_NAME; kind++) {
        const char *const form = arm_infos[kind].form;
        if (!*form) continue;
        buffer snippet = {0};
        const char *const gap = strstr(form, "…");
        buffer_append(&snippet, form, gap ? (size_t)(gap - form) : strlen(form));
        if (gap) BUFFER_PUT(&snippet, "$1", gap + strlen("…"));
        buffer_puts(&snippet, " -> $0;");
        put_item(p, arm_infos[kind].word, 14, form, snippet.text);
        buffer_free(&snippet);
    }
    put_names(p, SHARED);
}

static void put_starts(const place *p)
{
    static const struct {
        const char *word;
        unsigned levels;
        const char *snippet;
    } rows[] = {
#define WORD(word, levels, snippet) {word, levels, snippet},
#include "complete.def"
#undef WORD
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].levels & p->level) put_item(p, rows[i].word, 14, "word", rows[i].snippet);
    if (p->level == AT_ARMS) put_arms(p);
}

/* In an expression of a body. */
static void put_values(const place *p)
{
    if (!(p->level & (AT_STEP | AT_BODY | AT_ARMS))) return;
    PUT_WORDS(p, "flow");
    if (p->around.task) PUT_WORDS(p, "self");
    for (const ast_declaration *d = p->around.step ? p->around.step->params : NULL; d; d = d->next)
        if (d->first && d->first->name.name) put_item(p, d->first->name.name, 6, "parameter", NULL);
}

/* `import "|`: the files beside this one. */
static void put_files(const place *p)
{
    const char *const name = p->r->document->name, *const slash = strrchr(name, '/');
    const char *const folder = arena_copy(p->r->arena, name, slash ? (size_t)(slash - name) : 0);
    DIR *const directory = slash ? opendir(folder) : NULL;
    if (!directory) return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *const end = strrchr(entry->d_name, '.');
        if (end && strcmp(end, ".uflow") == 0 && strcmp(entry->d_name, slash + 1) != 0)
            put_item(p, entry->d_name, 17, "file", NULL);
    }
    (void)closedir(directory);
}

/* Does a comment that begins between the two places last up to the second one? */
static bool is_in_comment(const char *text, uint32_t at, uint32_t end)
{
    while (at + 1 < end) {
        bool const is_line = text[at] == '/' && text[at + 1] == '/', is_block = text[at] == '/' && text[at + 1] == '*';
        if (!is_line && !is_block) {
            at++;
            continue;
        }
        const char *const last = strstr(text + at + 2, is_line ? "\n" : "*/");
        if (!last || last + (is_line ? 0 : 1) >= text + end) return true;
        at = (uint32_t)(last - text) + 2;
    }
    return false;
}

/* Is the cursor in a comment, a string or a block of C? *end: the tokens before the word at the cursor. */
static bool is_in_text(const request *r, uint32_t *end, bool *in_import)
{
    const token_list *const list = &r->of->file->tokens;
    uint32_t at = 0;
    while (at < list->count && list->items[at].end < r->offset) at++;
    *end = at;
    const token *const t = at < list->count && list->items[at].begin < r->offset ? &list->items[at] : NULL;
    *in_import = t && t->kind == T_STRING && at > 0 && token_is(list, at - 1, "import");
    if (t &&
        (t->kind == T_STRING || t->kind == T_BLOCK_TEXT || t->kind == T_NUMBER || t->kind == T_DURATION ||
         t->kind == T_CHARACTER) &&
        (t->end > r->offset || t->kind != T_BLOCK_TEXT))
        return true;
    if (t && !token_is_word(list, at)) *end = at + 1; /* a mark: a word may follow */
    return !t && is_in_comment(r->of->file->in->text, *end ? list->items[*end - 1].end : 0, r->offset);
}

json_t *request_completion(request *r)
{
    place p = {.r = r, .items = json_array()};
    bool in_import = false;
    if (!r->of) return p.items;
    bool const is_text = is_in_text(r, &p.end, &in_import);
    p.list = &r->of->file->tokens;
    p.around = surrounding_of(r->of->file, r->offset);
    if (in_import) put_files(&p);
    if (is_text) return p.items;
    find_place(&p);
    if (p.end == p.begin) put_starts(&p), put_values(&p);
    else if (token_has(p.list, p.end - 1, IS_ACCESS)) r->fits = C_FIELDS, after_access(&p);
    else if (is_at(&p, 1, "on") && p.end - p.begin == 1) r->fits = C_NONE, after_on(&p);
    else if (after_word(&p) || in_event(&p)) r->fits = C_NONE;
    else if (!token_is_word(p.list, p.end - 1)) put_values(&p);
    return p.items;
}
