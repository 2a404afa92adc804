/* What to say about a token that the grammar does not take. */
#include <string.h>

#include "ast_build.h"
#include "uflow_parse.h"

#define ERRORS_LIMIT    100u
#define STATEMENT_LIMIT 1000u /* further ahead nothing is looked for */

static bool is_synthetic(const parser *p, uint32_t at)
{
    return at < p->tokens->count && (p->tokens->items[at].flags & TOKEN_SYNTHETIC);
}

static uint16_t kind_at(const parser *p, uint32_t at)
{
    return at < p->tokens->count ? p->tokens->items[at].kind : 0;
}

static bool is_intent(uint16_t kind)
{
    return kind == T_NEXT || kind == T_STAY || kind == T_AWAIT || kind == T_DONE || kind == T_FAIL ||
           kind == T_BECOME || kind == T_DESCRIBE;
}

static bool is_directive(uint16_t kind)
{
    return kind == T_HASH_IF || kind == T_HASH_ELIF || kind == T_HASH_ELSE || kind == T_HASH_ENDIF ||
           kind == T_HASH_LINE;
}

static void open_paren(surroundings *s)
{
    if (s->parens < NESTING_LIMIT) s->outer[s->parens++] = s->begin;
}

static void begin_anew(surroundings *s, uint32_t begin)
{
    s->begin = begin;
    s->parens = 0;
}

/* Goes on to a token: errors come in the order of the file. */
static const surroundings *look_around(parser *p, uint32_t at)
{
    surroundings *const s = &p->around;
    for (; s->at < at; s->at++) {
        uint16_t const kind = kind_at(p, s->at);
        if (kind == T_LPAREN || kind == T_LBRACKET) open_paren(s);
        if ((kind == T_RPAREN || kind == T_RBRACKET) && s->parens > 0) s->begin = s->outer[--s->parens];
        if (kind == T_SEMICOLON) s->begin = s->at + 1;
        if (kind == T_LBRACE || kind == T_RBRACE || is_directive(kind)) begin_anew(s, s->at + 1);
        if (kind == T_LBRACE && s->braces < NESTING_LIMIT)
            s->awaits[s->braces++] = s->at > 0 && kind_at(p, s->at - 1) == T_AWAIT;
        if (kind == T_RBRACE && s->braces > 0) s->braces--;
        if (p->tokens->items[s->at].flags & TOKEN_OPEN_QUOTE) s->open_quote = s->at + 1;
    }
    return s;
}

unsigned syntax_braces_open(parser *p, uint32_t at)
{
    return look_around(p, at)->braces;
}

/* A string without an end takes the rest of its line with it, and is fault enough. */
static bool has_open_quote(const parser *p)
{
    return p->around.open_quote > p->around.begin;
}

/* What the grammar would take there, of what is worth naming: "`;` or `->`". NULL if nothing is. */
static const char *expected(parser *p, const void *state, uint32_t begin)
{
    /* Where text can go on, nearly anything can: only its end is worth naming. */
    if (lemon_accepts(state, T_SEMICOLON)) return "`;`";
    bool const is_case = kind_at(p, begin) == T_CASE || kind_at(p, begin) == T_DEFAULT;
    if (is_case && lemon_accepts(state, T_COLON)) return "`:`";
    if (lemon_accepts(state, T_OPERATOR)) return NULL;
    static const struct {
        uint16_t kind;
        const char *name;
    } terminals[] = {{T_ARROW, "`->`"},          {T_LPAREN, "`(`"},   {T_LBRACE, "`{`"},      {T_DOT, "`.`"},
                     {T_DURATION, "a duration"}, {T_IDENT, "a name"}, {T_STRING, "a string"}, {T_RPAREN, "`)`"}};
    const char *found[3];
    size_t count = 0;
    for (size_t i = 0; i < sizeof terminals / sizeof terminals[0] && count < 3; i++) {
        if (lemon_accepts(state, terminals[i].kind)) found[count++] = terminals[i].name;
    }
    if (count == 0) return NULL;
    if (count == 1) return found[0];
    if (count == 2) return arena_printf(p->arena, "%s or %s", found[0], found[1]);
    return arena_printf(p->arena, "%s, %s or %s", found[0], found[1], found[2]);
}

static const char *spelled(parser *p, uint32_t at)
{
    if (at >= p->tokens->count) return "the end of the file";
    span const where = token_at(p, at);
    uint32_t length = where.end - where.begin;
    const char *newline = memchr(where.in->text + where.begin, '\n', length);
    if (newline) length = (uint32_t)(newline - (where.in->text + where.begin));
    if (length > 40) return arena_printf(p->arena, "`%.*s…`", 37, where.in->text + where.begin);
    return arena_printf(p->arena, "`%.*s`", (int)length, where.in->text + where.begin);
}

/* Does nothing of a statement follow? */
static bool ends_line(const parser *p, uint32_t at)
{
    return kind_at(p, at + 1) == T_RBRACE || at + 1 >= p->tokens->count ||
           (p->tokens->items[at + 1].flags & TOKEN_FIRST_ON_LINE);
}

/* `next = p;` and its like. */
static bool report_variable(parser *p, uint32_t at)
{
    if (at == 0) return false;
    uint32_t const begin = at - 1;
    uint16_t const kind = kind_at(p, at);
    if (kind == T_COMMA && ends_line(p, at)) return false; /* `done,`: a `;` was meant */
    bool const is_use = kind == T_OPERATOR || kind == T_ARROW || kind == T_DOT || kind == T_LBRACKET ||
                        kind == T_QUESTION || kind == T_COMMA || (kind == T_LPAREN && kind_at(p, begin) != T_AWAIT);
    span const word = token_at(p, begin);
    if (!is_intent(kind_at(p, begin)) || !is_use || is_explained(p, word)) return false;
    int const length = (int)(word.end - word.begin);
    const char *text = word.in->text + word.begin;
    diag_report *r = diag_at(p->diagnostics, UF0202, word, "`%.*s` is an intent here", length, text);
    if (kind == T_LPAREN) diag_help(r, "for a function of that name write `(%.*s)(…)`", length, text);
    else diag_help(r, "for a variable of that name write `(%.*s)`", length, text);
    return true;
}

static bool is_asm(const parser *p, uint32_t at)
{
    return token_is(p->tokens, at, "asm") || token_is(p->tokens, at, "__asm__") || token_is(p->tokens, at, "__asm");
}

/* `asm volatile goto (...)`, at the `goto`. */
static bool report_asm_goto(parser *p, uint32_t at)
{
    uint32_t word = at;
    if (kind_at(p, at) != T_GOTO) return false;
    while (word > 0 && (p->tokens->items[word - 1].flags & TOKEN_SPECIFIER)) word--;
    if (word == 0 || !is_asm(p, word - 1)) return false;
    diag_report *r = diag_at(p->diagnostics, UF0518, span_join(token_at(p, word - 1), token_at(p, at)),
                             "`asm goto` may leave the body where ufc cannot see it");
    diag_help(r, "put it into a function in `source { … }`, which returns what the step is to do");
    return true;
}

static bool in_await(const parser *p, uint32_t begin)
{
    const surroundings *s = &p->around;
    return kind_at(p, begin) == T_AWAIT || (s->braces > 0 && s->awaits[s->braces - 1]);
}

/* Before the `->` of an arm, and in no parentheses? */
static bool is_in_event(const parser *p, uint32_t first, uint32_t at)
{
    unsigned depth = 0;
    for (uint32_t i = first; i < at; i++) {
        uint16_t const kind = kind_at(p, i);
        if (kind == T_LPAREN) depth++;
        if (kind == T_RPAREN && depth > 0) depth--;
        if (kind == T_ARROW && depth == 0) return false;
    }
    return depth == 0;
}

static void help_with_arm(parser *p, diag_report *r, uint32_t begin, uint32_t at)
{
    static const char *const words[] = {"until", "timeout", "run",      "idle",     "all",
                                        "fired", "arrived", "readable", "writable", "stopping"};
    uint32_t const first = kind_at(p, begin) == T_AWAIT ? begin + 1 : begin;
    if (at > first && kind_at(p, at - 1) == T_ARROW) {
        diag_help(r, "behind `->` stands a step, `done`, `fail` or `become Task`");
        return;
    }
    if (kind_at(p, first + 1) == T_ARROW && kind_at(p, at) == T_OPERATOR) {
        diag_help(r, "a condition is written `until (…)`");
        return;
    }
    if (!is_in_event(p, first, at)) return;
    span const word = token_at(p, first);
    const char *text = arena_copy(p->arena, word.in->text + word.begin, word.end - word.begin);
    const char *near = kind_at(p, first) == T_IDENT && at == first + 1
                           ? diag_nearest(text, words, sizeof words / sizeof words[0])
                           : NULL;
    if (near) diag_help(r, "did you mean `%s`?", near);
    else if (kind_at(p, first) == T_UNTIL && at == first + 1)
        diag_help(r, "the condition stands in parentheses: until (…)");
    else
        diag_help(r,
                  "an arm is the name of a signal, job, checkpoint or mailbox, `fired(&flow->…)`, `arrived(&flow->…)`, "
                  "`until (…)`, `timeout D`, `run Flow.Task(&flow->…)`, `idle(&flow->…)`, `readable(fd)`, "
                  "`writable(fd)`, `stopping` or `all(…)`, "
                  "then `->` and what follows");
}

static void help(parser *p, diag_report *r, uint32_t begin, uint32_t at)
{
    uint16_t const kind = kind_at(p, at);
    if (!p->flow && !p->task && !p->worker) {
        diag_help(r, "a file holds flows, imports, and C in `header { … }` and `source { … }` blocks");
    } else if (p->step == NULL && kind == T_FLOW && p->task) {
        diag_help(r, "sub-flows are members of the flow, outside of its tasks");
    } else if (is_directive(kind) && p->step && in_await(p, begin)) {
        diag_help(r,
                  "a branch of #if holds whole arms, or stands inside of one argument: write the arm in each branch");
    } else if (p->step && in_await(p, begin)) {
        help_with_arm(p, r, begin, at);
    } else if ((kind == T_ARROW || kind == T_DOT) && at == begin + 2 && kind_at(p, begin) == T_SUBMIT) {
        diag_help(r, "a job is one of this task, and named alone: `submit weigh(…)`");
    } else if (kind == T_ELSE) {
        diag_help(
            r,
            "the `if` that it belongs to has to stand in the same branch of #if, with one statement before the `else`");
    } else if (is_directive(kind)) {
        diag_help(r, "a branch of #if holds whole statements or arms: put braces around the statement");
    } else if (at > 0 && kind_at(p, at - 1) == T_RBRACE && p->step == NULL) {
        diag_help(r, "C functions stand in `source { … }` blocks");
    }
}

/* A bracket too many, or one without its end, in the same statement has been reported: this follows from it. */
static bool follows_from_another(const parser *p, uint32_t begin, uint32_t at)
{
    uint32_t end = at;
    while (end < p->tokens->count && end < at + STATEMENT_LIMIT) {
        uint16_t const kind = kind_at(p, end++);
        if (kind == T_SEMICOLON || kind == T_LBRACE || kind == T_RBRACE) break;
    }
    bool const is_doubled = begin > 0 && kind_at(p, begin) == T_LBRACE && kind_at(p, begin - 1) == T_LBRACE;
    span const first = token_at(p, is_doubled ? begin - 1 : begin);
    span const last = token_at(p, end > begin ? end - 1 : begin);
    return diag_error_within(p->diagnostics, (span){first.in, first.begin, last.end});
}

void syntax_error(parser *p, uint32_t at, const void *state)
{
    p->failed = true;
    /* A bracket that was missing has been reported, and the end of the file with what was open there. */
    if (p->too_deep || is_synthetic(p, at) || (at > 0 && is_synthetic(p, at - 1))) return;
    /* What comes directly behind a place that was left out follows from it. */
    if (p->has_resumed && at == p->resumed_at) return;
    uint32_t const begin = look_around(p, at)->begin;
    if (has_open_quote(p) || follows_from_another(p, begin, at) || report_variable(p, at) || report_asm_goto(p, at))
        return;
    if (diag_error_count(p->diagnostics) > ERRORS_LIMIT) { /* it is counted, and that is all */
        diag_at(p->diagnostics, UF0201, token_at(p, at), "%s is not expected here", spelled(p, at));
        return;
    }

    bool const is_behind_block = at > 0 && kind_at(p, at - 1) == T_BLOCK_TEXT;
    const char *wanted = at == begin || is_behind_block ? NULL : expected(p, state, begin);
    bool const same_line = at > 0 && !(at < p->tokens->count && (p->tokens->items[at].flags & TOKEN_FIRST_ON_LINE));
    span where = token_at(p, at);
    diag_report *r;
    if (wanted && strcmp(wanted, "`;`") == 0 && !same_line && at > 0) {
        /* What is missing is missing at the end of the line before. */
        uint32_t const end = token_at(p, at - 1).end;
        where = (span){where.in, end, end};
        r = diag_at(p->diagnostics, UF0201, where, "there is no `;` after %s", spelled(p, at - 1));
    } else if (wanted) {
        r = diag_at(p->diagnostics, UF0201, where, "%s is not expected here, but %s", spelled(p, at), wanted);
    } else {
        r = diag_at(p->diagnostics, UF0201, where, "%s is not expected here", spelled(p, at));
    }
    help(p, r, begin, at);
}
