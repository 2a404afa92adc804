/* SPDX-License-Identifier: MIT */
/* Reports of tokens that the grammar refuses in an await. */
#include "explainer.h"
#include "uflow_parse.h"
#include "words.h"

/* The event of the arm that begins there: after `await` and after `if (…)`. */
uint32_t event_of(const parser *p, uint32_t begin)
{
    uint32_t const first = kind_at(p, begin) == T_AWAIT ? begin + 1 : begin;
    bool const is_conditional = kind_at(p, first) == T_IF && kind_at(p, first + 1) == T_LPAREN;
    return is_conditional ? token_after_brackets(p->tokens, first + 1) : first;
}

/* Is there a `->` between the begin and the refused token? */
bool has_arrow(const parser *p, const refusal *r)
{
    return find_kind(p, r->begin, r->at, T_ARROW) < r->at;
}

bool is_in_event(const parser *p, const refusal *r)
{
    unsigned depth = 0;
    for (uint32_t i = r->event; i < r->at; i++) {
        uint16_t const kind = kind_at(p, i);
        if (kind == T_LPAREN) depth++;
        if (kind == T_RPAREN && depth > 0) depth--;
        if (kind == T_ARROW && depth == 0) return false;
    }
    return depth == 0;
}

/* `flow->n -> Step`, `flow->n ms -> Step`: the grammar takes the first `->` for the arrow of the arm. */
bool refused_bare_operand(parser *p, const refusal *r)
{
    if (!r->in_await || r->at < r->event + 3 || kind_at(p, r->event + 1) != T_ARROW) return false;
    token_range const operand = range_of_operand(p, r->event);
    for (uint32_t i = r->event + 1; i < operand.end; i++) {
        if (p->tokens->items[i].flags & TOKEN_FIRST_ON_LINE) return false;
    }
    if (!kind_is(kind_at(p, r->event), IS_NAME) || operand.end < r->event + 3) return false;
    if (kind_at(p, operand.end) != T_ARROW) return false;
    if (ends_with_unit(operand)) {
        (void)build_bad_duration(p, range_one(p, r->event));
        return true;
    }
    diag_report *report = report_at(p, UF0201, range_span(operand), "there is no event before this `->`");
    diag_help(report, "%s", operand_help(p, operand));
    return true;
}

/* `UF_MS(3) -> Step` */
bool refused_time(parser *p, const refusal *r)
{
    if (!r->in_await || r->at != r->event + 1 || r->kind != T_LPAREN) return false;
    if (!begins_with_time(range_of_operand(p, r->event))) return false;
    (void)build_bad_duration(p, range_one(p, r->event));
    return true;
}

/* `until (cond) 5ms -> Step` */
bool refused_held(parser *p, const refusal *r)
{
    if (!r->in_await || kind_at(p, r->event) != T_UNTIL || r->at < r->event + 4) return false;
    if (r->before != T_RPAREN || !is_in_event(p, r)) return false;
    token_range const operand = range_of_operand(p, r->at);
    bool const is_computed = r->kind == T_LPAREN && ends_with_unit(operand);
    if (r->kind != T_DURATION && !is_computed) return false;
    diag_report *report = report_at(p, UF0201, token_at(p, r->at), "there is no `for` before %s", spelled(p, r->at));
    diag_help(report, "how long a condition has to hold is said by `until (…) for %s`",
              words_between(p, operand.first, operand.end));
    return true;
}

/* `x = await {`, `x = await job -> Step else`: the text that the grammar takes for a value ends later. */
bool refused_awaited_value(parser *p, const refusal *r)
{
    uint32_t word = find_kind(p, r->begin, r->at, T_AWAIT);
    bool const is_behind = r->before == T_RBRACE; /* `x = await { … } }` */
    if (word == r->at && (is_behind || around_is_among_arms(p, r->at))) {
        uint32_t const brace = is_behind ? opening_bracket(range_of(p, 0, r->at), r->at - 1) : around_brace(p, r->at);
        if (brace == 0) return false;
        word = brace - 1;
    }
    uint16_t const before = word > 0 && word < r->at ? kind_at(p, word - 1) : 0;
    if (!p->step || kind_at(p, word) != T_AWAIT) return false;
    if (word > 0 && token_is_one_of(p->tokens, word - 1, "++ --")) {
        report_swallowed(p, range_one(p, word)); /* `n++ await 1s -> Step;` */
        return true;
    }
    if (before != T_OPERATOR && before != T_LPAREN && before != T_COMMA && before != T_RETURN) return false;
    diag_report *report = report_at(p, UF0515, token_at(p, word), "`await` is a statement, and has no value");
    diag_help(report, "say which step follows: `await … -> Step;`");
    return true;
}

/* The `;` or `}` that ends the statement, from its `else` on. */
static uint32_t end_behind_else(const parser *p, uint32_t at)
{
    while (at < p->tokens->count && kind_at(p, at) != T_SEMICOLON && kind_at(p, at) != T_RBRACE) at++;
    return at;
}

/* The parser goes on after the statement. */
static void skip_statement(parser *p, uint32_t begin, uint32_t end)
{
    mend_hole(p, begin, kind_at(p, end) == T_SEMICOLON ? end + 1 : end);
}

/* `await { … } else Step;` */
bool refused_else_of_await(parser *p, const refusal *r)
{
    if (!p->step || r->kind != T_ELSE || r->before != T_RBRACE) return false;
    uint32_t const open = opening_bracket(range_of(p, 0, r->at), r->at - 1), end = end_behind_else(p, r->at);
    if (open == 0 || kind_at(p, open - 1) != T_AWAIT) return false;
    diag_report *report = report_at(p, UF0201, token_at(p, r->at), "an await has no `else`, only an arm has one");
    diag_help(report, "write it behind the arm that can fail: `event -> Step else %s;`",
              words_or(p, r->at + 1, end, "Failed"));
    skip_statement(p, r->at, end);
    return true;
}

/* `spawn flow->server.lines.Talk() else Full;` Without an `else`, it is a statement of C for the parser. */
bool refused_else_of_spawn(parser *p, const refusal *r)
{
    if (!p->step || r->kind != T_ELSE || !token_is(p->tokens, r->begin, "spawn")) return false;
    if (!kind_is(kind_at(p, r->begin + 1), IS_NAME)) return false;
    diag_report *report =
        report_at(p, UF0380, token_at(p, r->begin), "`spawn` names a pool of this flow and a task of its members");
    diag_help(report, "write `spawn pool.Task(…) else Step;`; for a pool of another flow, test the result of "
                      "`Flow_pool_spawn_Task(pointer, …)`");
    skip_statement(p, r->begin, end_behind_else(p, r->at));
    return true;
}

/* `awiat job -> Step else Late;`, `job -> Step else Late;` */
bool refused_else_of_arm(parser *p, const refusal *r)
{
    if (!p->step || r->kind != T_ELSE || r->in_await || around_is_after_if(p, r->at)) return false;
    bool const is_alone = syntax_begins_arm(p->tokens, r->begin);
    if (!is_alone && (r->head != T_IDENT || !kind_is(kind_at(p, r->begin + 1), IS_NAME))) return false;
    if (!has_arrow(p, r)) return false;
    if (is_alone) report_missing_word(p, r->begin, T_AWAIT);
    else report_no_intent(p, r->begin, "await");
    skip_statement(p, r->begin, end_behind_else(p, r->at));
    return true;
}

/* `tiemout 5s -> Step` */
bool refused_event(parser *p, const refusal *r)
{
    if (!r->in_await || kind_at(p, r->event) != T_IDENT || r->at != r->event + 1) return false;
    const char *const text = token_intern(p->arena, p->tokens, r->event);
    const char *words[WORDS_LIMIT];
    const char *const near = diag_nearest(text, words, token_spellings(IS_EVENT, words));
    if (!near) return false;
    diag_report *report = report_at(p, UF0201, token_at(p, r->event), "no arm begins with `%s`", text);
    diag_help(report, "did you mean `%s`?", near);
    return true;
}

/* `go -> donee 3`: the target would be a step of this name, but then an expression follows. */
bool refused_outcome(parser *p, const refusal *r)
{
    if (r->before != T_IDENT || r->at < r->begin + 2 || !kind_is(r->kind, IS_NAME)) return false;
    uint16_t const arrow = kind_at(p, r->at - 2);
    if (arrow != T_ARROW && arrow != T_ELSE) return false;
    const char *const words[] = {token_name(T_DONE), token_name(T_FAIL), token_name(T_BECOME)};
    const char *const text = token_intern(p->arena, p->tokens, r->at - 1);
    const char *const near = diag_nearest(text, words, sizeof words / sizeof *words);
    if (!near) return false;
    report_no_intent(p, r->at - 1, near);
    return true;
}
