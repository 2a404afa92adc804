/* Builds durations, events and the arms of an await. */
#include <string.h>

#include "ast_build.h"
#include "times.h"
#include "uflow_parse.h"

/* -- durations --------------------------------------------------------------------------------------------------- */

#define UNITS "ns, us, ms, s, min and h"

ast_duration no_duration(const parser *p)
{
    return (ast_duration){.text = range_none(p)};
}

static token_range inside(token_range brackets)
{
    return (token_range){brackets.list, brackets.first + 1, brackets.end - 1};
}

ast_duration build_duration(parser *p, uint32_t literal)
{
    span const at = token_at(p, literal);
    p->file->tokens.items[literal].flags |= TOKEN_WAIT;
    return (ast_duration){.text = range_one(p, literal),
                          .at = at,
                          .literal = true,
                          .ns = time_of_literal(at.in->text + at.begin, at.end - at.begin)};
}

/* Returns the unit of a text that is one macro call, as in `UF_MS(3)`; NULL for other texts. */
static const char *macro_of_time(token_range text)
{
    const token_list *const list = text.list;
    unsigned depth = 0;
    if (text.end - text.first < 4 || list->items[text.first + 1].kind != T_LPAREN) return NULL;
    for (uint32_t i = text.first + 1; i < text.end; i++) {
        if (list->items[i].kind == T_LPAREN) depth++;
        if (list->items[i].kind == T_RPAREN && --depth == 0 && i + 1 < text.end) return NULL;
    }
    for (size_t i = 0; i < TIME_UNITS && depth == 0; i++) {
        if (token_is(list, text.first, time_units[i].macro)) return time_units[i].name;
    }
    return NULL;
}

/* Suggests `3ms` for `UF_MS(3)`, and `(n) ms` for `UF_MS(n)`. */
static void help_with_macro(diag_report *r, token_range text)
{
    const char *const unit = macro_of_time(text);
    token_range const count = {text.list, text.first + 2, text.end - 1};
    span const at = range_span(count);
    const char *const words = at.in->text + at.begin;
    int const length = (int)(at.end - at.begin);
    bool const is_literal = count.end - count.first == 1 && time_number_length(words, (size_t)length) == (size_t)length;
    diag_help(r, is_literal ? "write `%.*s%s`" : "write `(%.*s) %s`", length, words, unit);
}

/* Reports a time with a unit: `(UF_MS(3)) ms` would be three million milliseconds. */
static void report_time_with_unit(parser *p, ast_duration d)
{
    span const macro = token_at(p, d.text.first);
    diag_report *r = diag_at(p->diagnostics, UF0205, d.at, "`%.*s(…)` is a number of nanoseconds, and not of %s",
                             (int)(macro.end - macro.begin), macro.in->text + macro.begin, d.unit);
    help_with_macro(r, d.text);
}

static bool is_literal(token_range text)
{
    return text.end == text.first + 1 && token_kind(text.list, text.first) == T_DURATION;
}

static void report_literal_with_unit(parser *p, ast_duration d)
{
    span const at = range_span(d.text);
    int const length = (int)(at.end - at.begin);
    diag_report *r = diag_at(p->diagnostics, UF0205, d.at, "`%.*s` is a time already, and not a number of %s", length,
                             at.in->text + at.begin, d.unit);
    diag_help(r, "write `%.*s`", length, at.in->text + at.begin);
}

ast_duration build_computed_duration(parser *p, token_range parens, uint32_t unit)
{
    ast_duration d = {.text = {parens.list, parens.first + 1, parens.end - 1}, .unit = "ms"};
    span const at = token_at(p, unit);
    d.at = span_join(range_span(parens), at);
    if (range_empty(d.text)) {
        diag_report *r =
            diag_at(p->diagnostics, UF0205, range_span(parens), "there is nothing between these parentheses");
        diag_help(r, "a duration is `250us`, `50ms`, `2s`, `1.5s`, `5min`, `1h`, or `(expression) ms`");
        return d;
    }
    for (uint32_t i = d.text.first; i < d.text.end; i++) {
        if (!token_is_directive(d.text.list, i)) continue;
        diag_report *r = diag_at(p->diagnostics, UF0205, token_at(p, i), "a duration cannot depend on a directive");
        diag_help(r, "write the arm or the statement in each branch, or compute the duration before");
        return d;
    }
    for (size_t i = 0; i < TIME_UNITS; i++) {
        if (!token_is(p->tokens, unit, time_units[i].name)) continue;
        d.unit = time_units[i].name;
        if (i > 0 && macro_of_time(d.text)) report_time_with_unit(p, d);
        else if (i > 0 && is_literal(d.text)) report_literal_with_unit(p, d);
        return d;
    }
    diag_report *r = diag_at(p->diagnostics, UF0205, at, "`%.*s` is no unit of time", (int)(at.end - at.begin),
                             at.in->text + at.begin);
    diag_help(r, "units are " UNITS);
    return d;
}

/* Reports an unknown unit, as in `5sec`. */
static bool report_unknown_unit(parser *p, span at, uint16_t kind, uint32_t tokens)
{
    const char *const text = at.in->text + at.begin;
    size_t const length = at.end - at.begin;
    size_t const digits = time_number_length(text, length);
    bool const has_radix = length > 1 && text[0] == '0' && strchr("xXbB", text[1]); /* 0x10 has no unit */
    if (kind != T_NUMBER || tokens != 1 || digits == length || has_radix) return false;
    diag_report *r =
        diag_at(p->diagnostics, UF0205, at, "`%.*s` is no unit of time", (int)(length - digits), text + digits);
    diag_help(r, "units are " UNITS);
    return true;
}

/* Is this `->` the arrow of an arm, followed by an outcome, and not part of the operand? */
static bool is_arrow_of_arm(const token_list *list, uint32_t at)
{
    if (at + 2 >= list->count || list->items[at].kind != T_ARROW) return false;
    uint16_t const next = list->items[at + 1].kind, after = list->items[at + 2].kind;
    if (next == T_DONE || next == T_FAIL || next == T_BECOME || next == T_NEXT) return true;
    return kind_is(next, IS_NAME) &&
           (after == T_SEMICOLON || after == T_ELSE || after == T_LPAREN || after == T_RBRACE);
}

token_range range_of_operand(const parser *p, uint32_t first)
{
    const token_list *const list = p->tokens;
    unsigned depth = 0;
    uint32_t at = first;
    for (; at < list->count; at++) {
        uint16_t const kind = list->items[at].kind;
        if (kind == T_SEMICOLON || kind == T_LBRACE || kind == T_RBRACE) break;
        if (kind == T_LPAREN || kind == T_LBRACKET) depth++;
        if ((kind == T_RPAREN || kind == T_RBRACKET) && depth-- == 0) break;
        if (depth > 0 || at == first) continue;
        if (kind == T_COMMA || kind == T_ELSE || kind == T_TIMEOUT) break;
        bool const is_access = token_is(list, at - 1, "flow") || token_is(list, at - 1, "self");
        if (is_arrow_of_arm(list, at) && !is_access) break;
    }
    return (token_range){list, first, at};
}

bool begins_with_time(token_range operand)
{
    for (size_t i = 0; i < TIME_UNITS; i++) {
        if (!range_empty(operand) && token_is(operand.list, operand.first, time_units[i].macro)) return true;
    }
    return false;
}

bool ends_with_unit(token_range operand)
{
    if (operand.end - operand.first < 2 || !kind_is(operand.list->items[operand.end - 1].kind, IS_NAME)) return false;
    bool is_unit = false;
    for (size_t i = 0; i < TIME_UNITS; i++)
        is_unit = is_unit || token_is(operand.list, operand.end - 1, time_units[i].name);
    if (!is_unit) return false;
    uint16_t const before = operand.list->items[operand.end - 2].kind;
    return kind_is(before, IS_NAME) || before == T_NUMBER || before == T_RPAREN || before == T_RBRACKET;
}

/* Do the words of an expression suggest that it is a uf_time? */
static bool holds_time(token_range text)
{
    static const char *const words[] = {"UF_NS", "UF_US", "UF_MS", "UF_S", "UF_FOREVER", "uf_time", "uf_flow_now"};
    for (uint32_t i = text.first; i < text.end; i++) {
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            if (token_is(text.list, i, words[k])) return true;
        }
    }
    return false;
}

/* Reports an expression without the parentheses that a duration needs. */
static ast_duration report_bare_expression(parser *p, token_range operand, ast_duration bad)
{
    const token_list *const list = operand.list;
    bool const has_unit = ends_with_unit(operand);
    bad.at = range_span(operand);
    diag_report *r =
        diag_at(p->diagnostics, UF0205, bad.at, "a duration is a number with a unit, or `(expression) ms`");
    span const words = range_span((token_range){list, operand.first, operand.end - (has_unit ? 1 : 0)});
    span const unit = token_at(p, operand.end - 1);
    bool const is_line = !memchr(words.in->text + words.begin, '\n', words.end - words.begin);
    int const length = is_line && words.end - words.begin < 60 ? (int)(words.end - words.begin) : 0;
    const char *const name = has_unit ? unit.in->text + unit.begin : holds_time(operand) ? "ns" : "ms";
    if (macro_of_time(operand)) help_with_macro(r, operand);
    else if (length == 0) diag_help(r, "for something computed write `(expression) ms`");
    else
        diag_help(r, "for something computed write `(%.*s) %.*s`", length, words.in->text + words.begin,
                  has_unit ? (int)(unit.end - unit.begin) : 2, name);
    return bad;
}

ast_duration build_bad_duration(parser *p, token_range text)
{
    span const at = range_span(text);
    uint16_t const kind = text.list->items[text.first].kind;
    ast_duration const bad = {.text = text, .at = at, .unit = "ms"};
    if (is_explained(p, at) || syntax_is_behind_error(p, text.first)) return bad;
    if (report_unknown_unit(p, at, kind, text.end - text.first)) return bad;
    token_range const operand = range_of_operand(p, text.first);
    if (kind != T_LPAREN && (kind != T_NUMBER || operand.end > text.first + 2))
        return report_bare_expression(p, operand, bad);
    diag_report *r = diag_at(p->diagnostics, UF0205, at, "a duration is a number with a unit, or `(expression) ms`");
    if (kind == T_NUMBER && text.end - text.first == 2)
        diag_help(r, "write number and unit as one word, as in `50ms`; units are " UNITS);
    else if (kind == T_NUMBER) diag_help(r, "units are " UNITS ", as in `50ms`");
    else if (macro_of_time(inside(text))) help_with_macro(r, inside(text));
    else diag_help(r, "add the unit after the parentheses: ns, us, ms, s, min or h; a condition is `until (…)`");
    return bad;
}

/* -- events ------------------------------------------------------------------------------------------------------ */

static ast_event *new_event(parser *p, arm_kind kind, uint32_t word, span last)
{
    ast_event *e = ARENA_NEW(p->arena, ast_event);
    e->kind = kind;
    e->at = span_join(token_at(p, word), last);
    e->condition = e->target = range_none(p);
    e->duration = no_duration(p);
    return e;
}

ast_event *build_until(parser *p, uint32_t word, token_range parens, ast_duration held)
{
    ast_event *e = new_event(p, ARM_UNTIL, word, range_span(parens));
    e->condition = inside(parens);
    if (held.at.in) {
        e->duration = held;
        e->has_duration = true;
        e->at = span_join(e->at, held.at);
    }
    if (range_empty(e->condition)) {
        diag_report *r = diag_at(p->diagnostics, UF0201, range_span(parens), "`until` has no condition");
        diag_help(r, "write one between the parentheses");
    }
    return e;
}

ast_event *build_timeout(parser *p, uint32_t word, ast_duration duration)
{
    ast_event *e = new_event(p, ARM_TIMEOUT, word, duration.at);
    e->duration = duration;
    e->has_duration = true;
    return e;
}

ast_event *build_bare_timeout(parser *p, ast_duration duration)
{
    ast_event *e = build_timeout(p, duration.text.first, duration);
    e->at = duration.at;
    return e;
}

ast_event *build_run(parser *p, uint32_t word, uint32_t flow, uint32_t task, ast_args args)
{
    ast_event *e = new_event(p, ARM_RUN, word, args.at);
    e->flow = build_ident(p, flow);
    e->task = build_ident(p, task);
    if (args.count > 0) {
        e->target = args.items[0];
        args.items++;
        args.count--;
    } else {
        diag_report *r =
            diag_at(p->diagnostics, UF0201, args.at, "the first argument of a run is the flow that runs the task");
        diag_help(r, "write `run %s.%s(&flow->…)`", e->flow.name, e->task.name);
    }
    e->args = args;
    return e;
}

ast_event *build_all(parser *p, uint32_t word, event_list events, uint32_t end)
{
    ast_event *e = new_event(p, ARM_ALL, word, token_at(p, end));
    e->all = events.first;
    return e;
}

ast_event *build_named_event(parser *p, uint32_t name)
{
    ast_event *e = new_event(p, ARM_NAME, name, token_at(p, name));
    e->name = build_ident(p, name);
    return e;
}

static arm_kind kind_of_arm(const parser *p, uint32_t word)
{
    span const at = token_at(p, word);
    return arm_of_word(at.in->text + at.begin, at.end - at.begin);
}

ast_event *build_operand_event(parser *p, uint32_t word, token_range parens)
{
    ast_event *e = new_event(p, kind_of_arm(p, word), word, range_span(parens));
    const arm_info *const arm = &arm_infos[e->kind];
    e->target = inside(parens);
    if (range_empty(e->target)) {
        diag_report *r = diag_at(p->diagnostics, UF0201, range_span(parens), "`%s` names no %s", arm->word,
                                 operand_infos[arm->operand].noun);
        diag_help(r, "write `%s`", arm->form);
    } else if (arm->operand == OPERAND_CHECKPOINT && e->target.end - e->target.first == 1 &&
               token_is_name(e->target.list, e->target.first)) {
        e->name = build_ident(p, e->target.first);
        e->target = range_none(p);
    }
    return e;
}

ast_event *build_bare_event(parser *p, uint32_t word)
{
    return new_event(p, kind_of_arm(p, word), word, token_at(p, word));
}

event_list no_events(void)
{
    return (event_list){NULL, NULL};
}

event_list add_event(event_list list, ast_event *one)
{
    if (list.last) list.last->next = one;
    else list.first = one;
    list.last = one;
    return list;
}

/* -- arms -------------------------------------------------------------------------------------------------------- */

arm_list no_arms(void)
{
    return (arm_list){NULL, NULL, false};
}

static arm_list join_arms(arm_list first, arm_list last, bool certain)
{
    if (first.last && last.first) first.last->next = last.first;
    return (arm_list){first.first ? first.first : last.first, last.last ? last.last : first.last, certain};
}

arm_list add_arm(arm_list list, ast_arm *one)
{
    return join_arms(list, (arm_list){one, one, true}, true);
}

ast_arm *build_arm(parser *p, ast_event *event, ast_outcome *outcome, ast_outcome *otherwise)
{
    ast_arm *made = ARENA_NEW(p->arena, ast_arm);
    made->event = event;
    made->outcome = outcome;
    made->otherwise = otherwise;
    made->guard = p->guard;
    made->at = span_join(event->at, otherwise ? otherwise->at : outcome->at);
    return made;
}

ast_statement *build_await(parser *p, uint32_t word, arm_list arms, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_AWAIT, word, end);
    s->arms = arms.first;
    s->may_lack_arms = !arms.certain;
    p->guard = NULL; /* an error may have left branches open */
    if (!arms.first && !diag_error_within(p->diagnostics, s->at)) {
        diag_report *r = diag_at(p->diagnostics, UF0201, s->at, "there is nothing to wait for in this await");
        diag_help(r,
                  "write at least one arm: until (…), timeout, run, idle, all, a signal, job, mailbox or checkpoint");
    }
    return s;
}

ast_statement *build_await_arm(parser *p, uint32_t word, ast_arm *one, uint32_t end)
{
    return build_await(p, word, add_arm(no_arms(), one), end);
}

static ast_guard *new_guard(parser *p, const ast_guard *outer, const ast_guard *former, uint32_t word)
{
    ast_guard *guard = ARENA_NEW(p->arena, ast_guard);
    uint32_t const count = former ? former->count : 0;
    guard->outer = outer;
    guard->list = p->tokens;
    guard->directives = ARENA_ARRAY(p->arena, uint32_t, (size_t)count + 1);
    if (count) memcpy(guard->directives, former->directives, count * sizeof *guard->directives);
    guard->directives[count] = word;
    guard->count = count + 1;
    return guard;
}

void begin_arm_branches(parser *p, uint32_t word)
{
    p->guard = new_guard(p, p->guard, NULL, word);
}

void next_arm_branch(parser *p, uint32_t word)
{
    if (p->guard && p->guard->count == BRANCH_LIMIT && !p->too_deep) {
        p->too_deep = true;
        diag_report *r = diag_at(p->diagnostics, UF0108, token_at(p, word),
                                 "this #if has more than %u branches with arms", BRANCH_LIMIT);
        diag_help(r, "choose in a function what the arm waits for");
    }
    if (p->too_deep) return;
    p->guard = new_guard(p, p->guard ? p->guard->outer : NULL, p->guard, word);
}

static const token *directive_of_branch(const parser *p)
{
    return p->guard ? &p->tokens->items[p->guard->directives[p->guard->count - 1]] : NULL;
}

arm_list end_arm_branch(const parser *p, arm_list arms)
{
    const token *const directive = directive_of_branch(p);
    if (directive && (directive->flags & TOKEN_SKIPS)) arms.certain = true; /* `#if 0` */
    return arms;
}

arm_list join_arm_branches(arm_list first, arm_list last)
{
    return join_arms(first, last, first.certain && last.certain);
}

arm_list end_arm_branches(parser *p, arm_list before, arm_list branches)
{
    const token *const last = directive_of_branch(p);
    bool const in_any_case = branches.certain && last && last->kind == T_HASH_ELSE;
    p->guard = p->guard ? p->guard->outer : NULL;
    return join_arms(before, branches, before.certain || in_any_case);
}
