/* Words that were meant to be words of structure: misspelled, or of another language. */
#include <string.h>
#include <strings.h>

#include "shape_state.h"
#include "uflow_parse.h"

/* What begins a part of a file, a flow or a task, and what has to follow if another word is to be taken for it. */
typedef enum shape_of_part {
    PART_HEAD,   /* NAME {, NAME (...) { */
    PART_RESULT, /* the same, or NAME -> */
    PART_TASK,   /* `task` */
    PART_WORKER, /* TYPE NAME (...) { */
    PART_BLOCK,  /* { */
    PART_PATH,   /* a string */
    PART_NAMES   /* NAME; or NAME, */
} shape_of_part;

static const struct {
    level where;
    uint16_t kind;
    const char *word;
    shape_of_part has;
} part_words[] = {{LEVEL_FILE, T_FLOW, "flow", PART_HEAD},
                  {LEVEL_FILE, T_WORKER, "worker", PART_WORKER},
                  {LEVEL_FILE, T_HEADER, "header", PART_BLOCK},
                  {LEVEL_FILE, T_SOURCE, "source", PART_BLOCK},
                  {LEVEL_FILE, T_IMPORT, "import", PART_PATH},
                  {LEVEL_FILE, T_SIGNAL, "signal", PART_NAMES},
                  {LEVEL_FILE, T_CHECKPOINT, "checkpoint", PART_NAMES},
                  {LEVEL_FLOW, T_TASK, "task", PART_RESULT},
                  {LEVEL_FLOW, T_FLOW, "flow", PART_HEAD},
                  {LEVEL_FLOW, T_FOREVER, "forever", PART_TASK},
                  {LEVEL_FLOW, T_SHUTDOWN, "shutdown", PART_TASK},
                  {LEVEL_TASK, T_STEP, "step", PART_HEAD}};
#define PART_WORDS (sizeof part_words / sizeof part_words[0])

static bool can_be_part(const shape *s, uint32_t at, shape_of_part part)
{
    uint16_t const after = shape_kind(s, at + 1), then = shape_kind(s, at + 2);
    switch (part) {
    case PART_HEAD: return shape_is_definition(s, at, false);
    case PART_RESULT: return shape_is_definition(s, at, true);
    case PART_TASK: return after == T_TASK && shape_is_definition(s, at + 1, true);
    case PART_WORKER: {
        uint32_t const params = shape_params_of_worker(s, at);
        return params && shape_kind(s, shape_behind_params(s, params)) == T_LBRACE;
    }
    case PART_BLOCK: return after == T_LBRACE;
    case PART_PATH: return after == T_STRING;
    case PART_NAMES: return kind_is(after, IS_NAME) && (then == T_SEMICOLON || then == T_COMMA);
    }
    return false;
}

/* NAME NAME {, or with what may stand before the brace, and then what only the body of a flow or task begins with. */
static bool holds_parts(const shape *s, level where)
{
    uint32_t const behind = shape_behind_params(s, s->next + 2);
    if (!kind_is(shape_kind(s, s->next + 1), IS_NAME)) return false;
    if (behind == s->next + 2 && shape_kind(s, behind) == T_LBRACE) return true;
    if (where == LEVEL_TASK) return false;
    uint32_t at = behind;
    while (at < behind + 8 && shape_kind(s, at) != T_LBRACE) at++;
    unsigned depth = 0;
    for (; at < s->in.count; at++) {
        uint16_t const kind = shape_kind(s, at);
        if (kind == T_LBRACE) depth++;
        if (kind == T_RBRACE && --depth == 0) break;
        bool const is_head = (kind == T_STEP || kind == T_TASK) && shape_is_definition(s, at, true);
        if (depth == 1 && is_head && shape_is_boundary[shape_kind(s, at - 1)]) return true;
    }
    return false;
}

/* A near miss of a word that begins a part; or any word, where what follows cannot be C. */
void shape_correct_word(shape *s, token *t, level where)
{
    const char *words[PART_WORDS];
    uint16_t kinds[PART_WORDS];
    size_t count = 0;
    for (size_t i = 0; i < PART_WORDS; i++) {
        if (part_words[i].where != where || !can_be_part(s, s->next, part_words[i].has)) continue;
        words[count] = part_words[i].word;
        kinds[count++] = part_words[i].kind;
    }
    if (count == 0) return;
    const char *text = arena_copy(s->arena, s->in.in->text + t->begin, t->end - t->begin);
    const char *near = diag_nearest(text, words, count);
    if (!near && !(t->flags & TOKEN_WORDS_OF_C) && holds_parts(s, where)) near = words[0];
    if (!near && where == LEVEL_FLOW && shape_kind(s, s->next + 1) == T_TASK) near = "forever";
    if (!near) return;
    if (t->flags & TOKEN_TYPE) { /* `int task Weigh { … }` */
        diag_report *r = diag_at(s->diagnostics, UF0201, shape_place(s, t), "`%s` is not expected here", text);
        diag_help(r, "the type of a result stands behind: `task Name -> %s`", text);
        t->kind = T_FOREVER;
        return;
    }
    diag_report *r = diag_at(s->diagnostics, UF0201, shape_place(s, t), "`%s` is no word of the language", text);
    diag_help(r, "did you mean `%s`?", near);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], near) == 0) t->kind = kinds[i];
    }
}

/* Does a `{` come before the statement ends? */
static bool has_body(const shape *s)
{
    uint32_t at = s->next;
    while (at < s->in.count && shape_kind(s, at) != T_LBRACE && shape_kind(s, at) != T_RBRACE &&
           shape_kind(s, at) != T_SEMICOLON)
        at++;
    return shape_kind(s, at) == T_LBRACE;
}

/* `on_exit {`, `onExit {`: the kind of the second word, or 0. */
static uint16_t handler_in_one_word(const shape *s, const token *t)
{
    static const char *const words[] = {"init", "enter", "exit"};
    static const uint16_t kinds[] = {T_INIT, T_ENTER, T_EXIT};
    const char *const text = s->in.in->text + t->begin;
    size_t const length = t->end - t->begin;
    if (shape_kind(s, s->next + 1) != T_LBRACE || length < 6 || strncasecmp(text, "on", 2) != 0) return 0;
    size_t const begin = text[2] == '_' ? 3 : 2;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t const rest = strlen(words[i]);
        if (rest == length - begin && strncasecmp(text + begin, words[i], rest) == 0) return kinds[i];
    }
    return 0;
}

/* `x signal -> ...` and `signal -> ...` are pre-emptions. */
void shape_correct_on(shape *s, token *t)
{
    uint16_t const after = shape_kind(s, s->next + 1), then = shape_kind(s, s->next + 2);
    uint16_t const handler = handler_in_one_word(s, t);
    if (handler) {
        diag_report *r = diag_at(s->diagnostics, UF0201, shape_place(s, t), "`%.*s` is no word of the language",
                                 (int)(t->end - t->begin), s->in.in->text + t->begin);
        diag_help(r, "did you mean `on %s`?", token_name(handler));
        shape_put_missing(s, T_ON);
        t->kind = handler;
    } else if (after == T_ARROW && !has_body(s)) {
        shape_add_missing(s, T_ON, "on");
    } else if ((kind_is(after, IS_NAME) && then == T_ARROW && !has_body(s)) ||
               ((after == T_INIT || after == T_ENTER || after == T_EXIT) && then == T_LBRACE)) {
        diag_report *r = diag_at(s->diagnostics, UF0201, shape_place(s, t), "`%.*s` is no word of the language",
                                 (int)(t->end - t->begin), s->in.in->text + t->begin);
        diag_help(r, "did you mean `on`?");
        t->kind = T_ON;
    }
}

/* `on entre { ...`: no signal, since a block follows. */
void shape_correct_handler(shape *s)
{
    static const char *const words[] = {"init", "enter", "exit"};
    static const uint16_t kinds[] = {T_INIT, T_ENTER, T_EXIT};
    token *const t = &s->in.items[s->next + 1];
    if (shape_kind(s, s->next + 1) != T_IDENT || shape_kind(s, s->next + 2) != T_LBRACE) return;
    const char *text = arena_copy(s->arena, s->in.in->text + t->begin, t->end - t->begin);
    const char *near = diag_nearest(text, words, sizeof words / sizeof words[0]);
    if (!near) return;
    diag_report *r = diag_at(s->diagnostics, UF0201, shape_place(s, t), "`%s` is no word of the language", text);
    diag_help(r, "did you mean `%s`?", near);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i] == near) t->kind = kinds[i];
    }
}

/* `awiat { until (...) ...`: it looks like a block of C, but its first words are an arm, which no C statement begins with. */
void shape_correct_await(shape *s, token *t)
{
    static const char *const word[] = {"await"};
    if (shape_kind(s, s->next + 1) != T_LBRACE || !shape_begins_arm(s, s->next + 2, false)) return;
    const char *text = arena_copy(s->arena, s->in.in->text + t->begin, t->end - t->begin);
    if (!shape_begins_arm(s, s->next + 2, true) && !diag_nearest(text, word, 1)) return;
    diag_report *r = diag_at(s->diagnostics, UF0507, shape_place(s, t), "`%s` is no intent", text);
    diag_help(r, "did you mean `await`?");
    t->kind = T_AWAIT;
}

/* `fail "busy"` and on the next line `await {`: the brace would be one of an expression. After a name alone or parentheses it
 * may be what a macro or an `if` holds. */
bool shape_swallows_await(const shape *s, const token *t)
{
    if (!(t->flags & TOKEN_FIRST_ON_LINE) || shape_kind(s, s->next + 1) != T_LBRACE || s->out.count < 2) return false;
    if (s->out.items[s->open[s->depth - 1].at].kind != T_LBRACE) return false;
    uint16_t const before = s->out.items[s->out.count - 1].kind, joint = s->out.items[s->out.count - 2].kind;
    bool const is_member = kind_is(before, IS_NAME) && (joint == T_ARROW || joint == T_DOT);
    return is_member || before == T_STRING || before == T_NUMBER || before == T_CHARACTER || before == T_RBRACKET ||
           before == T_COMMA;
}

bool shape_follows_comma(const shape *s, const token *t)
{
    return (t->flags & TOKEN_FIRST_ON_LINE) && s->out.count > 0 && s->out.items[s->out.count - 1].kind == T_COMMA;
}

void shape_end_statement(shape *s, const token *t)
{
    token *const before = &s->out.items[s->out.count - 1];
    bool const is_comma = before->kind == T_COMMA;
    span const where = is_comma ? shape_place(s, before) : (span){s->in.in, before->end, before->end};
    diag_report *r = is_comma ? diag_at(s->diagnostics, UF0201, where, "`,` is not expected here, but `;`")
                              : diag_at(s->diagnostics, UF0201, where, "there is no `;` before `%.*s`",
                                        (int)(t->end - t->begin), s->in.in->text + t->begin);
    diag_help(r, is_comma ? "what follows is no part of this statement" : "end the statement before it with `;`");
    if (is_comma) before->kind = T_SEMICOLON;
    else shape_put_missing(s, T_SEMICOLON);
}
