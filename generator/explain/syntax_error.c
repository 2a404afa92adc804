/* Error messages for tokens that the grammar refuses. */
#include <string.h>

#include "explainer.h"
#include "intents.h"
#include "uflow_parse.h"

#define ERRORS_LIMIT 100u

static bool is_synthetic(const parser *p, uint32_t at)
{
    return at < p->tokens->count && (p->tokens->items[at].flags & TOKEN_SYNTHETIC);
}

/* An unterminated string contains the rest of its line, so it is the only error reported there. */
static bool has_open_quote(parser *p)
{
    return explainer_of(p)->around.open_quote > explainer_of(p)->around.begin;
}

/* The terminals that the grammar accepts there and that help the user: "`;` or `->`". NULL if there are none. */
static const char *expected(parser *p, const void *state, uint32_t begin)
{
    /* Where text can continue, nearly any token is accepted: only its end helps. */
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

/* Is there no further text of a statement? */
static bool ends_line(const parser *p, uint32_t at)
{
    return kind_at(p, at + 1) == T_RBRACE || at + 1 >= p->tokens->count ||
           (p->tokens->items[at + 1].flags & TOKEN_FIRST_ON_LINE);
}

/* `next = p;` and similar text. */
static bool report_variable(parser *p, uint32_t at)
{
    if (at == 0) return false;
    uint32_t const begin = at - 1;
    uint16_t const kind = kind_at(p, at);
    if (kind == T_COMMA && ends_line(p, at)) return false; /* `done,`: should be a `;` */
    bool const is_use = kind == T_OPERATOR || kind == T_ARROW || kind == T_DOT || kind == T_LBRACKET ||
                        kind == T_QUESTION || kind == T_COMMA || (kind == T_LPAREN && kind_at(p, begin) != T_AWAIT);
    bool const is_prefix = kind == T_OPERATOR && (token_is(p->tokens, at, "&") || token_is(p->tokens, at, "!"));
    bool const is_arm =
        is_prefix && kind_at(p, begin) == T_AWAIT && kind_at(p, range_of_operand(p, at + 1).end) == T_ARROW;
    if (!kind_is(kind_at(p, begin), IS_INTENT) || !is_use || is_arm) return false;
    report_variable_of_word(p, range_one(p, begin));
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

/* `stay 100ms;`, `stay (n) ms;` */
static bool report_stay(parser *p, uint32_t at)
{
    if (at == 0 || kind_at(p, at - 1) != T_STAY) return false;
    token_range const operand = range_of_operand(p, at);
    uint16_t const kind = kind_at(p, at);
    bool const is_computed = kind == T_LPAREN && ends_with_unit(operand);
    if (kind != T_DURATION && kind != T_NUMBER && !is_computed) return false;
    const char *duration = words_between(p, operand.first, operand.end);
    const char *word = kind_at(p, operand.end) == T_ARROW ? "timeout" : "every";
    diag_report *r = diag_at(p->diagnostics, UF0201, token_at(p, at), "there is no `%s` after `stay`", word);
    diag_help(r, "write `stay %s %s`", word, *duration && kind != T_NUMBER ? duration : "50ms");
    return true;
}

/* `flow Light lamps[2][3];`, `pool Line lines[2][3];` */
static bool report_dimension(parser *p, uint32_t begin, uint32_t at)
{
    bool const is_pool = kind_at(p, begin) == T_POOL;
    if (kind_at(p, at) != T_LBRACKET || (kind_at(p, begin) != T_FLOW && !is_pool) || at <= begin + 2) return false;
    if (kind_at(p, at - 1) != T_RBRACKET) return false;
    diag_report *r = diag_at(p->diagnostics, UF0201, token_at(p, at),
                             is_pool ? "a pool has one size" : "an array of flows has one dimension");
    diag_help(r, "write the product of both, and compute the place: `[2 * 3]`");
    return true;
}

/* `int n` and on the next line `task NAME {`: the parser goes on with the part. */
static bool report_swallowed_part(parser *p, uint32_t begin, uint32_t at)
{
    uint32_t const found = syntax_swallowed_part(p, begin, at);
    if (found < at) report_part(p, range_one(p, found));
    return found < at;
}

/* `fail "busy"` and on the next line `await { … }`: the grammar detects it later. */
static bool report_swallowed_intent(parser *p, uint32_t begin, uint32_t at)
{
    uint32_t const found = find_swallowed_intent(p, (token_range){p->tokens, begin > 0 ? begin - 1 : 0, at});
    if (found < at) report_swallowed(p, range_one(p, found));
    return found < at;
}

/* `flow->n++,` followed by a statement or the end of the block. */
static bool report_comma_at_end(parser *p, uint32_t at)
{
    uint16_t const kind = kind_at(p, at);
    bool const is_end =
        at >= p->tokens->count || kind == T_RBRACE || (p->tokens->items[at].flags & TOKEN_FIRST_ON_LINE);
    if (at == 0 || kind_at(p, at - 1) != T_COMMA || !is_end) return false;
    if (kind == T_RPAREN || kind == T_RBRACKET || kind_is(kind, IS_DIRECTIVE)) return false;
    report_comma(p, at - 1);
    return true;
}

static bool has_arrow(const parser *p, uint32_t first, uint32_t end)
{
    while (first < end && kind_at(p, first) != T_ARROW) first++;
    return first < end;
}

static bool is_else_of_spawn(const parser *p, uint32_t begin, uint32_t at)
{
    return kind_at(p, begin) == T_SPAWN && kind_at(p, at) == T_ELSE;
}

static bool is_companion(const parser *p, uint32_t begin)
{
    return p->task && !p->step && token_is(p->tokens, begin, "with");
}

/* `on estop become Close;`, `on timeout 5s next Late;` */
static void help_with_arrow(parser *p, diag_report *r, uint32_t begin, uint32_t at)
{
    if (kind_is(kind_at(p, begin + 1), IS_HANDLER)) {
        const char *const handler = words_between(p, begin, begin + 2);
        diag_help(r, "`%s` runs C: write `%s { … }`", handler, handler);
        return;
    }
    uint32_t const first = kind_at(p, at) == T_NEXT ? at + 1 : at;
    uint32_t const named = kind_at(p, first) == T_BECOME ? first + 2 : first + 1;
    uint32_t const end = kind_at(p, named) == T_LPAREN ? token_after_brackets(p->tokens, named) : named;
    const char *const cause = words_between(p, begin, at), *const outcome = words_between(p, first, end);
    if (*cause && *outcome) diag_help(r, "write `%s -> %s`", cause, outcome);
}

/* `=>`, `- >`, `-->`, `<-`, `:` */
static bool is_other_arrow(const parser *p, uint32_t at)
{
    static const char *const parts[][2] = {{"=", ">"}, {"-", ">"}, {"--", ">"}, {"<", "-"}};
    if (kind_at(p, at) != T_OPERATOR || kind_at(p, at + 1) != T_OPERATOR) return kind_at(p, at) == T_COLON;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (token_is(p->tokens, at, parts[i][0]) && token_is(p->tokens, at + 1, parts[i][1])) return true;
    }
    return false;
}

/* `for (…) await 1s;`: the `await` of the substatement in which the token is; the token itself: there is none. */
static uint32_t await_within(const parser *p, uint32_t begin, uint32_t at)
{
    uint32_t word = at;
    while (word > begin && kind_at(p, word) != T_AWAIT) word--;
    return kind_at(p, word) == T_AWAIT ? word : at;
}

static void help_with_loop(parser *p, diag_report *r, const void *state, uint32_t begin, uint32_t word, uint32_t at)
{
    uint16_t const kind = kind_at(p, begin);
    if (kind != T_FOR && kind != T_WHILE && kind != T_DO) help_with_arm(p, r, state, word, at);
    else
        diag_help(r, "a loop of C cannot wait: count in a field, and let the step that follows decide, `%s -> Step;`",
                  words_between(p, word, at));
}

static void help(parser *p, diag_report *r, const void *state, uint32_t begin, uint32_t at)
{
    uint16_t const kind = kind_at(p, at);
    uint32_t const inner = p->step ? await_within(p, begin, at) : at;
    if (is_other_arrow(p, at) && lemon_accepts(state, T_ARROW)) {
        diag_help(r, "the arrow is `->`");
    } else if (inner < at && inner > begin && !in_await(p, begin)) {
        help_with_loop(p, r, state, begin, inner, at);
    } else if (!p->flow && !p->task && !p->worker) {
        diag_help(r,
                  "a file holds flows, imports, and C in `prologue { … }`, `header { … }` and `source { … }` blocks");
    } else if (p->step == NULL && kind == T_FLOW && p->task) {
        diag_help(r, "sub-flows are members of the flow, outside of its tasks");
    } else if (kind_is(kind, IS_DIRECTIVE) && p->step && in_await(p, begin)) {
        diag_help(r, kind == T_HASH_LINE
                         ? "put it before the await, or into `source { … }`: an await holds no directive but #if"
                         : "a branch of #if holds whole arms, or a part of one argument: write the arm in each branch");
    } else if (p->step && in_await(p, begin)) {
        help_with_arm(p, r, state, begin, at);
    } else if (at > 0 && kind_at(p, at - 1) == T_ARROW && kind_at(p, begin) == T_ON) {
        diag_help(r, "`->` takes `become Task` or `fail`, in a task also a step or `done`");
    } else if (at > 0 && p->step && (kind_at(p, at - 1) == T_ARROW || is_else_of_spawn(p, begin, at - 1))) {
        help_with_target(p, r, at - 1);
    } else if (kind_at(p, begin) == T_SIGNAL && at == begin + 2 && kind_is(kind, IS_NAME)) {
        diag_help(r, "a signal carries no value; values go into a mailbox: `mailbox %s[16];`",
                  words_between(p, begin + 1, at + 1));
    } else if (kind_at(p, begin) == T_ON && at == begin + 2 && kind == T_LPAREN) {
        diag_help(r, "`on` takes the name of a signal alone: `on stop -> fail;`; `%s(…)` is an arm of an await",
                  words_between(p, begin + 1, at));
    } else if (kind_at(p, begin) == T_STAY && kind == T_ARROW) {
        token_range const to = range_of_operand(p, at + 1);
        const char *const outcome = words_between(p, to.first, to.end);
        diag_help(r, "`stay` comes back to this step; write `next %s`, or `stay … timeout 1s -> %s`",
                  *outcome ? outcome : "Step", *outcome ? outcome : "Step");
    } else if (kind_at(p, begin) == T_STAY && kind == T_SEMICOLON && lemon_accepts(state, T_ARROW)) {
        diag_help(r, "say what follows then: `%s -> Step;`", words_between(p, begin, at));
    } else if (kind == T_DOT && at == begin + 2 && (kind_at(p, begin) == T_NEXT || kind_at(p, begin) == T_BECOME)) {
        help_with_task(p, r, at);
    } else if (kind_is(kind, IS_NAME) && at > begin + 1 && kind_at(p, begin) == T_ON && lemon_accepts(state, T_ARROW)) {
        help_with_arrow(p, r, begin, at);
    } else if (kind_is(kind, IS_NAME) && kind_at(p, begin) == T_SPAWN) {
        diag_help(r, "what follows if no member is vacant stands after `else`: `spawn pool.Task(…) else Step;`");
    } else if (kind == T_ARROW && kind_at(p, begin) == T_SPAWN) {
        token_range const to = range_of_operand(p, at + 1);
        const char *const outcome = words_between(p, to.first, to.end);
        diag_help(r,
                  "a member runs beside the task: write `next %s` as the next statement; `else Step` says what follows "
                  "if no member is vacant",
                  *outcome ? outcome : "Step");
    } else if (kind == T_DROP && kind_at(p, begin) == T_JOB) {
        diag_help(r, "a `drop` is of the worker, for all jobs that run it: `worker type name(…) drop %s { … }`",
                  kind_is(kind_at(p, at + 1), IS_NAME) ? words_between(p, at + 1, at + 2) : "function");
    } else if (kind == T_LBRACE && at == begin + 2 && kind_at(p, begin) == T_ON) {
        const char *const name = words_between(p, begin + 1, at), *const of_end = outcome_help(name);
        if (of_end) diag_help(r, "%s", of_end);
        else
            diag_help(r, "say what follows: `on %s -> become Task;`, or `-> %s`", name,
                      p->task ? "Step`, `-> done` or `-> fail" : "fail");
    } else if ((kind == T_ARROW || kind == T_DOT) && at == begin + 2 && kind_at(p, begin) == T_SUBMIT) {
        diag_help(r, "a job is one of this task, and named alone: `submit weigh(…)`");
    } else if (kind == T_ELSE && kind_at(p, begin) == T_SUBMIT) {
        diag_help(r, "a job that is refused has failed: `await job -> Step else Failed(reason)`");
    } else if (kind == T_COMMA && kind_at(p, begin) == T_POOL) {
        diag_help(r, "declare each pool on its own: `pool Type name[N];`");
    } else if (is_companion(p, begin) && kind == T_COMMA) {
        diag_help(r, "each companion is a statement of its own, with its own `with run`");
    } else if (is_companion(p, begin) && kind == T_IF) {
        diag_help(r, "a companion has no condition: it runs as long as its task; let its steps look at the condition, "
                     "or `run` the task in an await");
    } else if (is_companion(p, begin) && kind == T_ELSE) {
        diag_help(r, "a companion is written `with run Flow.Task(&flow->name) else Step;`");
    } else if (kind == T_ELSE && !around_is_after_if(p, at) && has_arrow(p, begin, at)) {
        diag_help(r, "an arm, with its target and its `else`, belongs in an `await`");
    } else if (kind == T_ELSE) {
        diag_help(
            r,
            "the `if` that it belongs to has to stand in the same branch of #if, with one statement before the `else`");
    } else if (kind == T_HASH_LINE) {
        diag_help(r, "a directive must be between whole statements: put braces around it and what follows");
    } else if (kind_is(kind, IS_DIRECTIVE)) {
        diag_help(r, "a branch of #if holds whole statements or arms: put braces around the statement");
    } else if (at > 0 && kind_at(p, at - 1) == T_RBRACE && p->step == NULL) {
        diag_help(r, "C functions stand in `source { … }` blocks");
    }
}

bool is_reported(parser *p, uint32_t begin, uint32_t at)
{
    if (begin >= p->tokens->count) return false;
    uint32_t const end = end_of_part(p, begin, at);
    span part = range_span((token_range){p->tokens, begin, end > begin ? end : begin + 1});
    if (p->step && kind_at(p, at) == T_ELSE) part.begin = p->step->at.begin;
    return diag_error_within(p->diagnostics, part);
}

/* The `}` of the block that contains the token. */
static uint32_t end_of_block(const parser *p, uint32_t at)
{
    unsigned depth = 0;
    for (; at < p->tokens->count; at++) {
        if (kind_at(p, at) == T_LBRACE) depth++;
        if (kind_at(p, at) == T_RBRACE && depth-- == 0) break;
    }
    return at;
}

/* The block around the token holds arms, but no `await` precedes it: the parser skips it. */
static bool report_arms_of_block(parser *p, uint32_t at)
{
    const surroundings *const s = &explainer_of(p)->around;
    uint32_t const brace = s->braces > 0 ? s->openers[s->braces - 1] : 0;
    if (!p->step || s->braces == 0 || s->awaits[s->braces - 1] || !syntax_holds_arms(p, brace)) return false;
    report_arms(p, range_one(p, brace));
    mend_hole(p, brace + 1, end_of_block(p, at));
    return true;
}

/* Can one statement or member begin with it? */
static bool is_one_text(const parser *p, uint32_t begin, uint32_t end)
{
    unsigned depth = 0;
    for (uint32_t i = begin; i < end; i++) {
        uint16_t const kind = kind_at(p, i);
        if (depth == 0 && (kind == T_SEMICOLON || kind_is(kind, CLOSES_BRACKET))) return false;
        if (kind_is(kind, OPENS_BRACKET)) depth++;
        if (kind_is(kind, CLOSES_BRACKET)) depth--;
    }
    return depth == 0;
}

/* A function among the members is reported, without the part that became text of it. */
static bool report_function_text(parser *p, uint32_t begin, uint32_t at)
{
    uint32_t const part = syntax_swallowed_part(p, begin, at);
    token_range const text = range_of(p, begin, part < at ? part - 1 : at);
    if (!syntax_function(p, text)) return false;
    report_function_of_flow(p, text);
    return true;
}

void explain_token(parser *p, uint32_t at, const void *state)
{
    explainer *const x = explainer_of(p);
    x->refused = true;
    /* A missing bracket was reported, so the end of the file is a consequence. */
    if (p->too_deep || x->mended || is_synthetic(p, at) || (at > 0 && is_synthetic(p, at - 1))) return;
    /* An error directly after a hole is a consequence. */
    if (x->hole_end && at >= x->hole_first && at <= x->hole_end) return;
    bool const is_in_text = p->text != NO_TEXT && is_one_text(p, p->text, at);
    uint32_t const behind_braces = look_around(p, at)->begin;
    uint32_t const begin = is_in_text && p->text < behind_braces ? p->text : behind_braces;
    bool const is_in_body = around_is_in_body(p, at);
    if (!is_in_body && repair_part(p, begin)) return;
    if (!is_in_body && is_in_text && report_function_text(p, begin, at)) return;
    if (has_open_quote(p) || is_reported(p, begin, at)) return;
    if (report_arms_of_block(p, at)) return;
    if (report_stay(p, at) || report_variable(p, at) || report_asm_goto(p, at) || report_dimension(p, begin, at))
        return;
    if (report_bare_operand(p, begin, at) || report_event(p, begin, at)) return;
    if (report_awaited_value(p, begin, at) || report_else_of_await(p, at)) return;
    if (report_else_of_arm(p, begin, at)) return;
    if (report_time(p, begin, at) || report_held(p, begin, at)) return;
    uint32_t const first = is_in_text ? p->text : begin;
    if (report_comma_at_end(p, at) || (p->step && report_swallowed_intent(p, first, at))) return;
    if (!p->step && !is_in_body && report_swallowed_part(p, first, at)) return;
    if (diag_error_count(p->diagnostics) > ERRORS_LIMIT) { /* counted, and not reported */
        diag_at(p->diagnostics, UF0201, token_at(p, at), "%s is not expected here", spelled(p, at));
        return;
    }

    bool const is_behind_block = at > 0 && kind_at(p, at - 1) == T_BLOCK_TEXT;
    const char *wanted = at == begin || is_behind_block ? NULL : expected(p, state, begin);
    bool const same_line = at > 0 && !(at < p->tokens->count && (p->tokens->items[at].flags & TOKEN_FIRST_ON_LINE));
    span where = token_at(p, at);
    diag_report *r;
    bool const lacks_end = wanted && strcmp(wanted, "`;`") == 0 && at > 0 && !kind_is(kind_at(p, at - 1), IS_DIRECTIVE);
    bool const is_else = kind_at(p, at) == T_ELSE && around_is_after_if(p, at);
    bool const is_next = lacks_end && !same_line && !kind_is(kind_at(p, at), IS_DIRECTIVE);
    bool const is_part = lacks_end && !p->step && kind_is(kind_at(p, at), IS_MEMBER);
    if (lacks_end && (!same_line || is_else || is_part)) {
        /* A missing token is reported at the end of the text before it. */
        uint32_t const end = token_at(p, at - 1).end;
        where = (span){where.in, end, end};
        r = diag_at(p->diagnostics, UF0201, where, "there is no `;` after %s", spelled(p, at - 1));
    } else if (wanted) {
        r = diag_at(p->diagnostics, UF0201, where, "expected %s, found %s", wanted, spelled(p, at));
    } else {
        r = diag_at(p->diagnostics, UF0201, where, "%s is not expected here", spelled(p, at));
    }
    if (!is_else && !is_next && !is_part) help(p, r, state, begin, at);
}
