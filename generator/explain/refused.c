/* SPDX-License-Identifier: MIT */
/* Reports of tokens that the grammar refuses, apart from those in an await. */
#include <string.h>

#include "brackets.h"
#include "explainer.h"
#include "uflow_parse.h"

static bool is_synthetic(const parser *p, uint32_t at)
{
    return at < p->tokens->count && (p->tokens->items[at].flags & TOKEN_SYNTHETIC);
}

bool is_reported(parser *p, uint32_t begin, uint32_t at)
{
    if (begin >= p->tokens->count) return false;
    uint32_t const end = end_of_part(p, begin, at, STATEMENT_LIMIT);
    span part = range_span((token_range){p->tokens, begin, end > begin ? end : begin + 1});
    if (p->step && kind_at(p, at) == T_ELSE) part.begin = p->step->at.begin;
    return diag_error_within(p->diagnostics, part);
}

/* A test inside of a flow or test, a task or group inside of a test: a whole part that stands elsewhere. */
bool refused_misplaced_part(parser *p, const refusal *r)
{
    uint16_t const head = kind_at(p, r->text);
    bool const is_test = head == T_TEST && kind_at(p, r->text + 1) == T_STRING;
    bool const is_task = head == T_TASK || head == T_GROUP || head == T_FOREVER || head == T_SHUTDOWN;
    if (!p->flow || r->is_in_body || !(is_test || (is_task && is_in_test(p)))) return false;
    uint32_t brace = r->text;
    while (brace < p->tokens->count && kind_at(p, brace) != T_LBRACE && kind_at(p, brace) != T_SEMICOLON) brace++;
    if (kind_at(p, brace) != T_LBRACE) return false;
    const char *const what = is_test ? "test" : head == T_GROUP ? "group" : "task";
    const char *const whose = is_in_test(p) || p->task || p->group ? part_around(p) : "flow";
    diag_report *const report =
        report_at(p, UF0208, range_span(range_of(p, r->text, r->text + 1)), "a %s holds no %s", whose, what);
    diag_help(report, is_test ? "move it out of the braces around it"
                              : "move it into a flow of this file: a test has steps, and starts tasks");
    mend_hole(p, r->text, token_after_brackets(p->tokens, brace));
    return true;
}

bool refused_part(parser *p, const refusal *r)
{
    return !r->is_in_body && kind_at(p, r->begin) != T_TEST && repair_part(p, r->begin);
}

/* Reports a function among the members, up to the part that the parser read as its text. */
bool refused_function(parser *p, const refusal *r)
{
    if (r->is_in_body || !r->is_in_text) return false;
    uint32_t const part = syntax_swallowed_part(p, r->begin, r->at);
    token_range const text = range_of(p, r->begin, part < r->at ? part - 1 : r->at);
    if (!syntax_function(p, text)) return false;
    report_function_of_flow(p, text);
    return true;
}

/* An unterminated string contains the rest of its line, so it is the only error reported there. */
bool refused_already(parser *p, const refusal *r)
{
    return explainer_of(p)->around.open_quote > explainer_of(p)->around.begin || is_reported(p, r->begin, r->at);
}

/* Does one of the statements of the block begin as an arm? */
static bool holds_arm(const parser *p, uint32_t brace)
{
    bool begins = true;
    for (uint32_t at = brace + 1; at < p->tokens->count && kind_at(p, at) != T_RBRACE;) {
        bool const is_guarded = begins && kind_at(p, at) == T_IF && kind_at(p, at + 1) == T_LPAREN;
        if (begins && syntax_begins_arm(p->tokens, is_guarded ? syntax_after_params(p->tokens, at + 1) : at))
            return true;
        uint32_t const behind = token_after_brackets(p->tokens, at);
        begins = kind_at(p, at) == T_SEMICOLON;
        at = behind > at ? behind : at + 1;
    }
    return false;
}

/* Does the block there contain arms, without an `await` before it? */
static bool holds_arms(const parser *p, uint32_t brace)
{
    static const char *const await[] = {"await"};
    uint16_t const before = brace > 0 ? kind_at(p, brace - 1) : 0;
    bool const is_behind_word = before == T_IDENT && syntax_ends_statement(p->tokens, brace - 1);
    if (kind_at(p, brace) != T_LBRACE || (!syntax_ends_statement(p->tokens, brace) && !is_behind_word)) return false;
    if (holds_arm(p, brace)) return true;
    bool const may_be_arm = kind_is(kind_at(p, brace + 1), IS_NAME) && kind_at(p, brace + 2) == T_ARROW;
    return is_behind_word && may_be_arm && diag_nearest(token_intern(p->arena, p->tokens, brace - 1), await, 1);
}

/* The block around the token holds arms, but no `await` precedes it: the parser skips it. */
bool refused_arms_of_block(parser *p, const refusal *r)
{
    uint32_t const brace = around_brace(p, r->at);
    if (!p->step || !holds_arms(p, brace)) return false;
    if (syntax_ends_statement(p->tokens, brace)) report_missing_word(p, brace, T_AWAIT);
    else report_no_intent(p, brace - 1, "await");
    mend_hole(p, brace + 1, token_after_brackets(p->tokens, brace) - 1);
    return true;
}

/* Does a line or a block end before it? */
static bool ends_text(const parser *p, uint32_t at)
{
    return at >= p->tokens->count || begins_line(p->tokens, at) || kind_at(p, at) == T_RBRACE;
}

/* `next = p;` and similar text. */
bool refused_variable(parser *p, const refusal *r)
{
    uint32_t const at = r->at, begin = at - 1;
    uint16_t const kind = r->kind;
    if (!kind_is(r->before, IS_INTENT)) return false;
    if (kind == T_COMMA && ends_text(p, at + 1)) return false; /* `done,`: should be a `;` */
    bool const is_use = kind == T_OPERATOR || kind == T_ARROW || kind == T_DOT || kind == T_LBRACKET ||
                        kind == T_QUESTION || kind == T_COMMA || (kind == T_LPAREN && r->before != T_AWAIT);
    bool const is_prefix = kind == T_OPERATOR && token_is_one_of(p->tokens, at, "& !");
    bool const is_arm = is_prefix && r->before == T_AWAIT && kind_at(p, range_of_operand(p, at + 1).end) == T_ARROW;
    if (!is_use || is_arm) return false;
    report_variable_of_word(p, range_one(p, begin));
    return true;
}

/* `asm volatile goto (...)`, at the `goto`. */
bool refused_asm_goto(parser *p, const refusal *r)
{
    uint32_t word = r->at;
    if (r->kind != T_GOTO) return false;
    while (word > 0 && (p->tokens->items[word - 1].flags & TOKEN_SPECIFIER)) word--;
    if (word == 0 || !token_is_one_of(p->tokens, word - 1, "asm __asm__ __asm")) return false;
    diag_report *report = report_at(p, UF0518, span_join(token_at(p, word - 1), token_at(p, r->at)),
                                    "`asm goto` may leave the body where ufc cannot see it");
    diag_help(report, "put it into a function in `source { … }`, which returns what the step is to do");
    return true;
}

/* `stay 100ms;`, `stay (n) ms;` */
bool refused_stay(parser *p, const refusal *r)
{
    token_range const operand = range_of_operand(p, r->at);
    bool const is_computed = r->kind == T_LPAREN && ends_with_unit(operand);
    if (r->before != T_STAY || (r->kind != T_DURATION && r->kind != T_NUMBER && !is_computed)) return false;
    const char *duration = words_between(p, operand.first, operand.end);
    const char *word = kind_at(p, operand.end) == T_ARROW ? "timeout" : "every";
    diag_report *report = report_at(p, UF0201, token_at(p, r->at), "there is no `%s` after `stay`", word);
    diag_help(report, "write `stay %s %s`", word, *duration && r->kind != T_NUMBER ? duration : "50ms");
    return true;
}

/* `flow Light lamps[2][3];`, `pool Line lines[2][3];` */
bool refused_dimension(parser *p, const refusal *r)
{
    bool const is_pool = r->head == T_POOL;
    if (r->kind != T_LBRACKET || (r->head != T_FLOW && !is_pool) || r->at <= r->begin + 2) return false;
    if (r->before != T_RBRACKET) return false;
    diag_report *report = report_at(p, UF0201, token_at(p, r->at),
                                    is_pool ? "a pool has one size" : "an array of flows has one dimension");
    diag_help(report, "write the product of both, and compute the place: `[2 * 3]`");
    return true;
}

/* `int n` and on the next line `task NAME {`: the parser goes on with the part. */
bool refused_swallowed_part(parser *p, const refusal *r)
{
    if (p->step || r->is_in_body) return false;
    uint32_t const found = syntax_swallowed_part(p, r->text, r->at);
    if (found < r->at) report_part(p, range_one(p, found));
    return found < r->at;
}

/* `fail "busy"` and on the next line `await { … }`: the grammar detects it later. */
bool refused_swallowed_intent(parser *p, const refusal *r)
{
    if (!p->step) return false;
    uint32_t const found = find_swallowed_intent(p, (token_range){p->tokens, r->text > 0 ? r->text - 1 : 0, r->at});
    if (found < r->at) report_swallowed(p, range_one(p, found));
    return found < r->at;
}

/* `flow->n++,` followed by a statement or the end of the block. */
bool refused_comma_at_end(parser *p, const refusal *r)
{
    if (r->before != T_COMMA || !ends_text(p, r->at)) return false;
    if (r->kind == T_RPAREN || r->kind == T_RBRACKET || kind_is(r->kind, IS_DIRECTIVE)) return false;
    report_comma(p, r->at - 1);
    return true;
}

/* -- the general report -------------------------------------------------------------------------------------------- */

/* The terminals that the grammar accepts there and that help the user: "`;` or `->`". NULL if there are none. */
static const char *expected(parser *p, const refusal *r)
{
    /* Where text can continue, nearly any token is accepted: only its end helps. */
    if (lemon_accepts(r->state, T_SEMICOLON)) return "`;`";
    bool const is_case = r->head == T_CASE || r->head == T_DEFAULT;
    if (is_case && lemon_accepts(r->state, T_COLON)) return "`:`";
    if (lemon_accepts(r->state, T_OPERATOR)) return NULL;
    static const struct {
        uint16_t kind;
        const char *name;
    } terminals[] = {{T_ARROW, "`->`"},          {T_LPAREN, "`(`"},   {T_LBRACE, "`{`"},      {T_DOT, "`.`"},
                     {T_DURATION, "a duration"}, {T_IDENT, "a name"}, {T_STRING, "a string"}, {T_RPAREN, "`)`"}};
    const char *found[3];
    size_t count = 0;
    for (size_t i = 0; i < sizeof terminals / sizeof terminals[0] && count < 3; i++) {
        if (lemon_accepts(r->state, terminals[i].kind)) found[count++] = terminals[i].name;
    }
    if (count == 0) return NULL;
    if (count == 1) return found[0];
    if (count == 2) return arena_printf(p->arena, "%s or %s", found[0], found[1]);
    return arena_printf(p->arena, "%s, %s or %s", found[0], found[1], found[2]);
}

/* Does a trial leave out the row? */
static bool is_left_out(parser *p, const refusal *r, row_table table, size_t row)
{
    const row_trial *const trial = explainer_of(p)->trial;
    return table == trial->table && r->at == trial->at && (trial->left_out >> row & 1);
}

static void note_taken(parser *p, const refusal *r, row_table table, size_t row)
{
    row_trial *const trial = explainer_of(p)->trial;
    if (table != trial->table || trial->taken >= 0 || r->at < trial->from) return;
    if (trial->at >= 0 && r->at != trial->at) return;
    trial->at = r->at;
    trial->taken = (int)row;
}

const char *first_help(parser *p, const refusal *r, row_table table, refusal_help *const *rows, size_t count)
{
    const char *help = NULL;
    for (size_t i = 0; !help && i < count; i++) {
        if (is_left_out(p, r, table, i)) continue;
        help = rows[i](p, r);
        if (help) note_taken(p, r, table, i);
    }
    return help;
}

static void report_unexpected(parser *p, const refusal *r)
{
    bool const is_on_new_line = begins_line(p->tokens, r->at);
    bool const is_behind_block = r->before == T_BLOCK_TEXT;
    const char *const wanted = r->at == r->begin || is_behind_block ? NULL : expected(p, r);
    bool const lacks_end = wanted && strcmp(wanted, "`;`") == 0 && r->at > 0 && !kind_is(r->before, IS_DIRECTIVE);
    bool const is_else = r->kind == T_ELSE && around_is_after_if(p, r->at);
    bool const is_next = lacks_end && is_on_new_line && !kind_is(r->kind, IS_DIRECTIVE);
    bool const is_part = lacks_end && !p->step && kind_is(r->kind, IS_MEMBER);
    span const where = token_at(p, r->at);
    diag_report *report;
    if (lacks_end && (is_on_new_line || is_else || is_part)) report = report_no_semicolon(p, r->at - 1);
    else if (wanted) report = report_at(p, UF0201, where, "expected %s, found %s", wanted, spelled(p, r->at));
    else report = report_at(p, UF0201, where, "%s is not expected here", spelled(p, r->at));
    if (is_else || is_next || is_part) return;
    const char *const help = help_of_refusal(p, r);
    if (help && *help) diag_help(report, "%s", help);
}

/* -- all of them --------------------------------------------------------------------------------------------------- */

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

static refusal refusal_of(parser *p, uint32_t at, const void *state)
{
    bool const is_in_text = p->text != NO_TEXT && is_one_text(p, p->text, at);
    uint32_t const behind_braces = look_around(p, at)->begin;
    uint32_t const begin = is_in_text && p->text < behind_braces ? p->text : behind_braces;
    bool const in_await = p->step && (kind_at(p, begin) == T_AWAIT || around_is_among_arms(p, at));
    return (refusal){.at = at,
                     .begin = begin,
                     .text = is_in_text ? p->text : begin,
                     .kind = kind_at(p, at),
                     .before = at > 0 ? kind_at(p, at - 1) : 0,
                     .head = kind_at(p, begin),
                     .is_in_text = is_in_text,
                     .is_in_body = around_is_in_body(p, at),
                     .in_await = in_await,
                     .event = in_await ? event_of(p, begin) : 0,
                     .state = state};
}

void explain_token(parser *p, uint32_t at, const void *state)
{
    static refusal_report *const rows[] = {
#define REPORT(name, example, precedes) refused_##name,
#include "refusals.def"
#undef REPORT
    };
    explainer *const x = explainer_of(p);
    x->refused = true;
    /* A missing bracket was reported, so the end of the file is a consequence. */
    if (p->too_deep || x->mended || is_synthetic(p, at) || (at > 0 && is_synthetic(p, at - 1))) return;
    /* An error directly after a hole is a consequence. */
    if (x->hole_end && at >= x->hole_first && at <= x->hole_end) return;
    refusal const r = refusal_of(p, at, state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (is_left_out(p, &r, ROWS_REPORT, i) || !rows[i](p, &r)) continue;
        note_taken(p, &r, ROWS_REPORT, i);
        return;
    }
    if (diag_error_count(p->diagnostics) > DIAG_HELPED_ERRORS) /* counted, and not reported */
        report_at(p, UF0201, token_at(p, at), "%s is not expected here", spelled(p, at));
    else report_unexpected(p, &r);
}
