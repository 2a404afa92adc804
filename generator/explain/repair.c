/* SPDX-License-Identifier: MIT */
/* Repairs parts of a file, flow or task whose first word is misspelled or missing. The parser reads them again with the
 * intended word, so that one mistake gives one report. */
#include <string.h>
#include <strings.h>

#include "brackets.h"
#include "explainer.h"
#include "uflow_parse.h"

/* Forms of the text after the first word of a part. */
typedef enum part_form {
    FORM_HEAD,   /* NAME {, NAME (...) { */
    FORM_RESULT, /* the same, or NAME -> */
    FORM_TASK,   /* `task` and FORM_RESULT */
    FORM_WORKER, /* TYPE NAME (...) { */
    FORM_BLOCK,  /* { */
    FORM_PATH,   /* a string */
    FORM_NAMES   /* NAME; or NAME, */
} part_form;

static const struct {
    level where;
    const char *word;
    part_form form;
} parts[] = {
    {LEVEL_FILE, "flow", FORM_HEAD},    {LEVEL_FILE, "worker", FORM_WORKER},    {LEVEL_FILE, "header", FORM_BLOCK},
    {LEVEL_FILE, "source", FORM_BLOCK}, {LEVEL_FILE, "prologue", FORM_BLOCK},   {LEVEL_FILE, "import", FORM_PATH},
    {LEVEL_FILE, "signal", FORM_NAMES}, {LEVEL_FILE, "checkpoint", FORM_NAMES}, {LEVEL_FLOW, "task", FORM_RESULT},
    {LEVEL_FLOW, "flow", FORM_HEAD},    {LEVEL_FLOW, "forever", FORM_TASK},     {LEVEL_FLOW, "shutdown", FORM_TASK},
    {LEVEL_FLOW, "group", FORM_HEAD},   {LEVEL_TASK, "step", FORM_HEAD}};
#define PART_COUNT (sizeof parts / sizeof parts[0])

static bool is_name_at(const parser *p, uint32_t at)
{
    return kind_is(kind_at(p, at), IS_NAME);
}

static bool has_form(const parser *p, uint32_t at, part_form form)
{
    uint16_t const then = kind_at(p, at + 2);
    switch (form) {
    case FORM_HEAD: return head_is_definition(p->tokens, at, false);
    case FORM_RESULT: return head_is_definition(p->tokens, at, true);
    case FORM_TASK: return kind_at(p, at + 1) == T_TASK && head_is_definition(p->tokens, at + 1, true);
    case FORM_WORKER: {
        uint32_t const params = head_params_of_worker(p->tokens, at);
        return params && kind_at(p, head_behind_signature(p->tokens, params)) == T_LBRACE;
    }
    case FORM_BLOCK: return kind_at(p, at + 1) == T_LBRACE;
    case FORM_PATH: return kind_at(p, at + 1) == T_STRING;
    case FORM_NAMES: return is_name_at(p, at + 1) && (then == T_SEMICOLON || then == T_COMMA);
    }
    return false;
}

/* NAME NAME {, or a body that only a flow or task can have. */
static bool holds_parts(const parser *p, uint32_t word, level where)
{
    uint32_t at = syntax_after_params(p->tokens, word + 2);
    if (!is_name_at(p, word + 1)) return false;
    if (at == word + 2 && kind_at(p, at) == T_LBRACE) return true;
    if (where == LEVEL_TASK) return false;
    at = find_kind(p, at, p->tokens->count, T_LBRACE);
    uint32_t const end = token_after_brackets(p->tokens, at);
    for (uint32_t i = at + 1; i < end;) {
        if ((kind_at(p, i) == T_STEP || kind_at(p, i) == T_TASK) && head_is_definition(p->tokens, i, true)) return true;
        uint32_t const after = token_after_brackets(p->tokens, i);
        i = after > i ? after : i + 1;
    }
    return false;
}

static diag_report *report_word(parser *p, uint32_t at)
{
    const char *const what = kind_at(p, at) == T_IDENT ? "is not a keyword" : "is not expected here";
    return report_at(p, UF0201, token_at(p, at), "`%s` %s", token_intern(p->arena, p->tokens, at), what);
}

static bool is_block_of_c(uint16_t kind)
{
    return kind == T_PROLOGUE || kind == T_HEADER || kind == T_SOURCE;
}

static void skip_block(parser *p, uint32_t word)
{
    uint32_t const end = token_after_brackets(p->tokens, word + 1);
    for (uint32_t i = word; i < end; i++) p->file->tokens.items[i].kind = T_OPERATOR; /* not a part of a body */
    mend_hole(p, word, end);
}

/* The intended word among those that begin a part; NULL: unknown. */
static const char *word_meant(parser *p, uint32_t at, level where)
{
    const char *words[PART_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (parts[i].where == where && token_is(p->tokens, at, parts[i].word)) return NULL;
        if (parts[i].where == where && has_form(p, at, parts[i].form)) words[count++] = parts[i].word;
    }
    if (count == 0) return NULL;
    const char *const near = diag_nearest(token_intern(p->arena, p->tokens, at), words, count);
    if (near) return near;
    bool const is_of_c = p->tokens->items[at].flags & TOKEN_WORDS_OF_C;
    if (where == LEVEL_FLOW && kind_at(p, at + 1) == T_TASK) return "forever";
    return !is_of_c && holds_parts(p, at, where) ? words[0] : NULL;
}

static bool repair_word(parser *p, uint32_t at, level where)
{
    const char *const meant = word_meant(p, at, where);
    if (!meant) return false;
    token *const t = &p->file->tokens.items[at];
    uint16_t const kind = token_kind_of(meant, strlen(meant));
    if (t->flags & TOKEN_TYPE) { /* `int task Weigh { … }` */
        const char *const type = token_intern(p->arena, p->tokens, at);
        diag_report *r = report_at(p, UF0201, token_at(p, at), "`%s` is not expected here", type);
        diag_help(r, "the type of a result comes last: `task Name -> %s`", type);
    } else {
        diag_help(report_word(p, at), "did you mean `%s`?", meant);
    }
    if (is_block_of_c(kind)) {
        skip_block(p, at);
    } else {
        mend_kind(p, at, kind);
    }
    return true;
}

void report_missing_word(parser *p, uint32_t at, uint16_t kind)
{
    const char *const text = token_intern(p->arena, p->tokens, at), *const missing = token_name(kind);
    diag_report *r = report_at(p, UF0201, token_at(p, at), "there is no `%s` before `%s`", missing, text);
    diag_help(r, "write `%s %s`", missing, text);
}

void report_no_intent(parser *p, uint32_t at, const char *meant)
{
    diag_help(report_at(p, UF0507, token_at(p, at), "%s is no intent", spelled(p, at)), "did you mean `%s`?", meant);
}

static bool add_word(parser *p, uint32_t at, uint16_t kind)
{
    report_missing_word(p, at, kind);
    mend_insert(p, at, kind);
    return true;
}

/* `header { … }` within a flow */
static bool repair_block_of_c(parser *p, uint32_t at)
{
    span const word = token_at(p, at); /* the scanner knows it as a keyword only outside of flows */
    if (!is_block_of_c(token_kind_of(word.in->text + word.begin, word.end - word.begin))) return false;
    if (kind_at(p, at + 1) != T_LBRACE) return false;
    diag_report *r = report_at(p, UF0201, word, "`%s` is not expected here", token_intern(p->arena, p->tokens, at));
    diag_help(r, "move the block out of the flow: C belongs to the file");
    skip_block(p, at);
    return true;
}

/* NAME { or NAME (...) {: the word before it is missing. */
static bool repair_missing_word(parser *p, uint32_t at, level where)
{
    static const uint16_t kinds[] = {[LEVEL_FILE] = T_FLOW, [LEVEL_FLOW] = T_TASK, [LEVEL_TASK] = T_STEP};
    uint32_t const after = syntax_after_params(p->tokens, at + 1);
    uint32_t end = after;
    if (kind_is(kind_at(p, at), IS_MEMBER) || kind_at(p, at) == T_AWAIT) return false;
    while (kind_at(p, end) != T_LBRACE && kind_at(p, end) != T_SEMICOLON && kind_at(p, end) != 0) end++;
    bool const has_result = where == LEVEL_FLOW && kind_at(p, after) == T_ARROW && kind_at(p, end) == T_LBRACE;
    return (kind_at(p, after) == T_LBRACE || has_result) && add_word(p, at, kinds[where]);
}

/* `exit` for `on_exit` and `onExit`; 0: neither word. */
static uint16_t handler_in_one_word(const parser *p, uint32_t at)
{
    span const word = token_at(p, at);
    const char *const text = word.in->text + word.begin;
    size_t const length = word.end - word.begin;
    if (kind_at(p, at + 1) != T_LBRACE || length < 6 || strncasecmp(text, "on", 2) != 0) return 0;
    const char *handlers[WORDS_LIMIT];
    size_t const count = token_spellings(IS_HANDLER, handlers);
    size_t const begin = text[2] == '_' ? 3 : 2;
    for (size_t i = 0; i < count; i++) {
        size_t const rest = strlen(handlers[i]);
        if (rest == length - begin && strncasecmp(text + begin, handlers[i], rest) == 0)
            return token_kind_of(handlers[i], rest);
    }
    return 0;
}

/* `on entre {`, `on timout 5s ->`: not a signal, since a block or a time follows. */
static bool repair_handler(parser *p, uint32_t at)
{
    uint16_t const after = kind_at(p, at + 2);
    if (kind_at(p, at + 1) != T_IDENT || (after != T_LBRACE && after != T_DURATION)) return false;
    const char *handlers[WORDS_LIMIT] = {token_name(T_TIMEOUT)};
    size_t const count = after == T_LBRACE ? token_spellings(IS_HANDLER, handlers) : 1;
    const char *const near = diag_nearest(token_intern(p->arena, p->tokens, at + 1), handlers, count);
    if (!near) return false;
    diag_help(report_word(p, at + 1), "did you mean `%s`?", near);
    mend_kind(p, at + 1, token_kind_of(near, strlen(near)));
    return true;
}

/* `forever NAME NAME {`: the first name is meant to be `task`. */
static bool repair_task(parser *p, uint32_t at)
{
    bool const begins_task = kind_at(p, at) == T_FOREVER || kind_at(p, at) == T_SHUTDOWN;
    if (!begins_task || kind_at(p, at + 1) == T_TASK || !head_is_definition(p->tokens, at + 1, true)) return false;
    if (!is_name_at(p, at + 1)) return false;
    diag_help(report_word(p, at + 1), "did you mean `task`?");
    mend_kind(p, at + 1, T_TASK);
    return true;
}

/* `on { … }` */
static bool repair_bare_on(parser *p, uint32_t at, level where)
{
    if (kind_at(p, at + 1) != T_LBRACE) return false;
    diag_report *r = report_at(p, UF0201, token_at(p, at), "this `on` does not say when its block is run");
    diag_help(r, "%s",
              where == LEVEL_FLOW && !p->group ? "write `on init` or `on end`" : "write `on enter` or `on exit`");
    mend_hole(p, at, token_after_brackets(p->tokens, at + 1));
    return true;
}

/* A step or group may have the name of a handler: `stepp exit { … }`. */
static bool is_rather_on(parser *p, uint32_t at)
{
    const char *const words[] = {token_name(T_ON), token_name(T_STEP), token_name(T_GROUP)};
    const char *const near = diag_nearest(token_intern(p->arena, p->tokens, at), words, sizeof words / sizeof *words);
    return !near || near == words[0];
}

/* `exit { … }`, `on_exit { … }`, `onn exit { … }`, `signal -> …`, `x signal -> …` */
static bool repair_on(parser *p, uint32_t at)
{
    uint16_t const after = kind_at(p, at + 1), then = kind_at(p, at + 2);
    uint16_t const handler = handler_in_one_word(p, at);
    if (kind_is(kind_at(p, at), IS_MEMBER)) return false;
    if (handler) {
        diag_help(report_word(p, at), "did you mean `on %s`?", token_name(handler));
        mend_kind(p, at, handler);
        mend_insert(p, at, T_ON);
        return true;
    }
    bool const has_block = kind_is(after, IS_HANDLER) && then == T_LBRACE && is_rather_on(p, at);
    uint32_t end = at;
    while (!kind_is(kind_at(p, end), OPENS_BRACKET) && kind_at(p, end) != T_SEMICOLON && kind_at(p, end) != 0) end++;
    bool const holds_brace = kind_at(p, end) == T_LBRACE;
    if (kind_is(kind_at(p, at), IS_HANDLER) && after == T_LBRACE) return add_word(p, at, T_ON);
    if (after == T_ARROW && !holds_brace) return add_word(p, at, T_ON);
    if (!has_block && !(kind_is(after, IS_NAME) && then == T_ARROW && !holds_brace)) return false;
    diag_help(report_word(p, at), "did you mean `on`?");
    mend_kind(p, at, T_ON);
    return true;
}

/* `flow G { … }` or `group G { … }` in a task */
static bool repair_flow_in_task(parser *p, uint32_t at)
{
    bool const is_group = kind_at(p, at) == T_GROUP;
    if ((!is_group && kind_at(p, at) != T_FLOW) || !head_is_definition(p->tokens, at, false)) return false;
    diag_help(report_word(p, at), "%s are members of the flow, outside of its tasks",
              is_group ? "groups" : "sub-flows");
    mend_hole(p, at, token_after_brackets(p->tokens, syntax_after_params(p->tokens, at + 2)));
    return true;
}

bool repair_part(parser *p, uint32_t at)
{
    level const where = p->task ? LEVEL_TASK : p->flow || p->group ? LEVEL_FLOW : LEVEL_FILE;
    if (!is_name_at(p, at) || explainer_of(p)->mends[at].is_repaired) return false;
    bool const is_on = kind_at(p, at) == T_ON;
    bool const is_repaired =
        (where != LEVEL_FILE && (is_on ? repair_handler(p, at) || repair_bare_on(p, at, where) : repair_on(p, at))) ||
        (where == LEVEL_FLOW && repair_task(p, at)) || (where == LEVEL_TASK && repair_flow_in_task(p, at)) ||
        (where != LEVEL_FILE && repair_block_of_c(p, at)) ||
        (!is_on && (repair_word(p, at, where) || repair_missing_word(p, at, where)));
    explainer_of(p)->mends[at].is_repaired = is_repaired;
    return is_repaired;
}
