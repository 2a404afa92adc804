/* Builds intents and targets. */
#include <string.h>

#include "ast_build.h"
#include "uflow_parse.h"

target build_target(parser *p, uint32_t name, ast_args args)
{
    target to = {name, build_ident(p, name), args};
    if (!args.at.in) to.args.at = (span){to.name.at.in, to.name.at.end, to.name.at.end};
    return to;
}

ast_outcome *build_outcome(parser *p, outcome_kind kind, uint32_t word)
{
    ast_outcome *o = BUILD_NODE(p, ast_outcome, outcomes);
    o->kind = kind;
    o->at = token_at(p, word);
    o->value = range_none(p);
    return o;
}

static ast_outcome *with_target(ast_outcome *o, target to)
{
    o->target = to.name;
    o->args = to.args;
    o->at = span_join(o->at, span_join(to.name.at, to.args.at));
    return o;
}

ast_outcome *build_go(parser *p, target to)
{
    return with_target(build_outcome(p, OUTCOME_STEP, to.word), to);
}

ast_outcome *build_become(parser *p, uint32_t word, target to)
{
    return with_target(build_outcome(p, OUTCOME_BECOME, word), to);
}

ast_outcome *build_redundant_next(parser *p, uint32_t word, target to)
{
    diag_report *r = diag_at(p->diagnostics, UF0211, token_at(p, word), "there is no `next` after `->` and `else`");
    diag_help(r, "write the step alone: `%s`", to.name.name);
    return build_go(p, to);
}

/* Reports a word that was meant as a variable, as in `done = 1;` or `fail += x;`. Returns false for an intent. */
static bool is_variable(parser *p, uint32_t word, token_range value)
{
    static const char *const prefixes[] = {"+", "-", "!", "~", "*", "&", "&&"};
    if (range_empty(value) || p->tokens->items[value.first].kind != T_OPERATOR) return false;
    uint32_t const count = value.end - value.first;
    if (token_is(p->tokens, value.first, "++") || token_is(p->tokens, value.first, "--")) {
        if (count > 1) return false;
    } else {
        for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
            if (count > 1 && token_is(p->tokens, value.first, prefixes[i])) return false;
        }
    }
    span const at = token_at(p, word);
    if (is_explained(p, at)) return true;
    int const length = (int)(at.end - at.begin);
    const char *text = at.in->text + at.begin;
    diag_report *r = diag_at(p->diagnostics, UF0202, at, "`%.*s` is an intent here", length, text);
    diag_help(r, "for a variable of that name write `(%.*s)`", length, text);
    return true;
}

/* Is the text an intent, which C cannot parse? Two operands are adjacent: `next Foo`, `await (n) ms -> Foo`. */
static bool holds_intent(const parser *p, token_range text)
{
    const token *const first = &p->tokens->items[text.first];
    if (text.end - text.first < 2) return false;
    uint16_t const second = first[1].kind;
    if (second != T_LPAREN && syntax_begins_arm(p->tokens, text.first)) return true; /* `room(q)->left` is C */
    if (!kind_is(first->kind, IS_INTENT)) return false;
    if (kind_is(second, IS_NAME) || second == T_LBRACE || second == T_DURATION || second == T_STRING) return true;
    for (uint32_t i = text.first + 1; second == T_LPAREN && i + 1 < text.end; i++) {
        if (p->tokens->items[i].kind == T_RPAREN && kind_is(p->tokens->items[i + 1].kind, IS_NAME)) return true;
    }
    return false;
}

static bool ends_operand(uint16_t kind)
{
    return kind_is(kind, IS_NAME) || kind == T_NUMBER || kind == T_STRING || kind == T_CHARACTER || kind == T_RPAREN ||
           kind == T_RBRACKET;
}

/* Does the `)` end the head of an `if` or a loop? */
static bool ends_condition(const parser *p, uint32_t first, uint32_t at)
{
    unsigned depth = 0;
    for (; at > first; at--) {
        if (kind_at(p, at) == T_RPAREN) depth++;
        if (kind_at(p, at) == T_LPAREN && --depth == 0) return kind_is(kind_at(p, at - 1), IS_CONDITION);
    }
    return false;
}

uint32_t find_swallowed_intent(const parser *p, token_range text)
{
    for (uint32_t i = text.first + 1; i < text.end; i++) {
        const token *const t = &p->tokens->items[i];
        if (!(t->flags & TOKEN_FIRST_ON_LINE) || !kind_is(t->kind, IS_INTENT) || !ends_operand(t[-1].kind)) continue;
        /* After a cast or `sizeof`, the word can be a variable. */
        if (t[-1].kind == T_RPAREN && ends_condition(p, text.first, i - 1)) continue;
        bool const may_be_operand = t[-1].kind == T_RPAREN || (t[-1].flags & TOKEN_WORDS_OF_C);
        uint16_t const after = i + 1 < text.end ? t[1].kind : 0;
        bool const has_operand =
            kind_is(after, IS_NAME) || after == T_STRING || after == T_DURATION || after == T_LBRACE;
        if (!may_be_operand || has_operand) return i;
    }
    return text.end;
}

void report_swallowed(parser *p, uint32_t intent)
{
    uint32_t last = intent - 1;
    while (last > 0 && kind_is(p->tokens->items[last].kind, IS_DIRECTIVE)) last--;
    span const before = token_at(p, last), at = token_at(p, intent);
    if (p->tokens->items[last].kind == T_COMMA) {
        diag_report *r = diag_at(p->diagnostics, UF0201, before, "expected `;`, found `,`");
        diag_help(r, "what follows is no part of this statement");
        return;
    }
    diag_report *r = diag_at(p->diagnostics, UF0201, (span){before.in, before.end, before.end},
                             "there is no `;` before `%.*s`", (int)(at.end - at.begin), at.in->text + at.begin);
    diag_help(r, "end the statement before it with `;`");
}

/* Does a line begin there, or the next argument? */
static bool is_apart(const parser *p, uint32_t at)
{
    return (p->tokens->items[at].flags & TOKEN_FIRST_ON_LINE) || (at > 0 && kind_at(p, at - 1) == T_COMMA);
}

/* `done` or `fail "busy"`, and on the next line `stopping -> Step`: returns the arm; the end if there is none. In C,
 * the first text may begin a line with `x->y`. */
static uint32_t find_swallowed_arm(const parser *p, token_range text, bool may_be_first)
{
    for (uint32_t i = text.first; i < text.end; i++) {
        const token *const t = &p->tokens->items[i];
        bool const is_name = kind_is(t->kind, IS_NAME);
        if (!(t->flags & TOKEN_FIRST_ON_LINE) || (!is_name && t->kind != T_DURATION)) continue;
        if (i == text.first ? !may_be_first : !ends_operand(t[-1].kind) || t[-1].kind == T_RPAREN) continue;
        uint32_t const next = i + 1 < text.end && kind_at(p, i + 1) == T_DURATION ? i + 2 : i + 1;
        uint32_t const after = kind_at(p, next) == T_LPAREN ? token_after_brackets(p->tokens, next) : next;
        if (after < text.end && kind_at(p, after) == T_ARROW) return i;
    }
    return text.end;
}

/* Cuts off an intent, arm or part that a missing `;` made part of `text`, and reports it. */
static bool end_before_swallowed(parser *p, token_range *text, bool may_be_arm)
{
    if (!p->step && report_swallowed_part(p, text->first - 1, text->end)) {
        text->end = p->repair.at;
        return true;
    }
    bool const is_first = is_apart(p, text->first) && holds_intent(p, *text);
    uint32_t found = is_first ? text->first : find_swallowed_intent(p, *text);
    if (found == text->end) found = find_swallowed_arm(p, *text, may_be_arm);
    if (found == text->end) return false;
    report_swallowed(p, found);
    text->end = found;
    return true;
}

/* Cuts off an intent that a missing `;` made part of a format's arguments. */
static ast_args end_format(parser *p, ast_args format)
{
    for (uint32_t i = 0; i < format.count; i++) {
        if (end_before_swallowed(p, &format.items[i], i == 0)) format.count = range_empty(format.items[i]) ? i : i + 1;
    }
    return format;
}

ast_outcome *build_done(parser *p, uint32_t word, token_range value)
{
    ast_outcome *o = build_outcome(p, OUTCOME_DONE, word);
    if (range_empty(value) || is_variable(p, word, value)) return o;
    bool const is_bare = p->task && range_empty(p->task->result);
    if (end_before_swallowed(p, &value, is_bare) && range_empty(value)) return o;
    if (is_bare && kind_is(kind_at(p, value.first), ENDS_PATH)) { /* `done stay;` */
        report_swallowed(p, value.first);
        return o;
    }
    o->value = value;
    o->at = span_join(o->at, range_span(value));
    return o;
}

/* `fail "%s" reason`: literals, and text in which no literal follows, unless it can be a macro that is one. If the
 * format takes no value, a statement can follow: on the next line, or one of ours. */
static bool report_missing_mark(parser *p, uint32_t word, token_range format)
{
    enum { LONGEST = 60 };
    uint32_t end = format.first;
    bool has_conversion = false;
    for (; end < format.end && (kind_at(p, end) == T_STRING || token_is_format_macro(p->tokens, end)); end++) {
        span const at = token_at(p, end);
        has_conversion = has_conversion || memchr(at.in->text + at.begin, '%', at.end - at.begin);
    }
    if (end == format.first || end == format.end || kind_at(p, end) == T_OPERATOR) return false;
    bool const is_ours = kind_is(kind_at(p, end), ENDS_PATH), may_be_macro = end + 1 == format.end && !is_ours;
    if (!has_conversion && may_be_macro) return false;
    for (uint32_t i = end; i < format.end;) {
        if (kind_at(p, i) == T_STRING) return false;
        uint32_t const after = token_after_brackets(p->tokens, i);
        i = after > i ? after : i + 1;
    }
    bool const is_first = p->tokens->items[end].flags & TOKEN_FIRST_ON_LINE;
    if (!has_conversion && (is_first || is_ours)) {
        report_swallowed(p, end);
        return true;
    }
    span const at = token_at(p, word), last = token_at(p, end - 1), all = range_span(format);
    int const length = (int)(at.end - at.begin);
    const char *const text = at.in->text, *const name = text + at.begin;
    diag_report *r = diag_at(p->diagnostics, UF0206, (span){last.in, last.end, last.end},
                             "there is no `,` after the format of `%.*s`", length, name);
    const char *const hint = has_conversion ? "" : ", with a conversion such as %s in the format";
    if (all.end - all.begin > LONGEST || memchr(text + all.begin, '\n', all.end - all.begin)) {
        diag_help(r, "a value follows its format after a comma: `%.*s \"…\", value`%s", length, name, hint);
        return true;
    }
    uint32_t const rest = token_at(p, end).begin;
    diag_help(r, "a value follows its format after a comma: `%.*s %.*s, %.*s`%s", length, name,
              (int)(last.end - all.begin), text + all.begin, (int)(all.end - rest), text + rest, hint);
    return true;
}

/* Checks that a format is a literal. Returns false after reporting a fault. */
static bool check_format(parser *p, uint32_t word, token_range format)
{
    bool literal = p->tokens->items[format.first].kind == T_STRING;
    for (uint32_t i = format.first; i < format.end; i++) {
        if (!token_is_directive(format.list, i)) continue;
        diag_report *r = diag_at(p->diagnostics, UF0206, range_span((token_range){format.list, i, i + 1}),
                                 "a format cannot depend on a directive");
        diag_help(r, "write the whole statement in each branch, or make what differs an argument of the format");
        return false;
    }
    for (uint32_t i = format.first; i < format.end; i++)
        literal = literal && (p->tokens->items[i].kind == T_STRING || token_is_format_macro(p->tokens, i));
    span const at = token_at(p, word);
    if (literal) return true;
    if (is_explained(p, at) || is_variable(p, word, format)) return false;
    if (report_missing_mark(p, word, format)) return false;
    int const length = (int)(at.end - at.begin);
    const char *text = at.in->text + at.begin;
    span const where = range_span(format);
    diag_report *r = diag_at(p->diagnostics, UF0206, where, "the format of `%.*s` is a string literal", length, text);
    bool const in_parens = p->tokens->items[format.first].kind == T_LPAREN && format.end - format.first > 2;
    if (in_parens && p->tokens->items[format.first + 1].kind == T_STRING) {
        diag_help(r, "write it without parentheses: `%.*s \"…\", …`", length, text);
    } else if (format.end - format.first == 1 && token_is(p->tokens, format.first, "reason")) {
        diag_help(r,
                  "after `else` write `fail \"%%s\", reason`; elsewhere there is no reason yet: `fail \"…\"` says one");
    } else if (where.end - where.begin < 60 && !memchr(where.in->text + where.begin, '\n', where.end - where.begin)) {
        diag_help(r, "for a text write `%.*s \"%%s\", %.*s`", length, text, (int)(where.end - where.begin),
                  where.in->text + where.begin);
    } else {
        diag_help(r, "for a text write `%.*s \"%%s\", …`", length, text);
    }
    return false;
}

/* Returns the arguments after the format. */
static ast_args arguments_of(ast_args format)
{
    ast_args args = {format.items + 1, format.count - 1, {NULL, 0, 0}};
    span const last = range_span(format.items[format.count - 1]);
    args.at = (span){last.in, last.end, last.end};
    if (args.count) args.at = span_join(range_span(args.items[0]), last);
    return args;
}

ast_outcome *build_fail(parser *p, uint32_t word, ast_args format)
{
    ast_outcome *o = build_outcome(p, OUTCOME_FAIL, word);
    o->args.at = (span){o->at.in, o->at.end, o->at.end};
    format = end_format(p, format);
    if (format.count == 0) return o;
    o->at = span_join(o->at, range_span(format.items[format.count - 1]));
    if (!check_format(p, word, format.items[0])) return o;
    o->value = format.items[0];
    o->args = arguments_of(format);
    return o;
}

ast_statement *build_outcome_statement(parser *p, uint32_t word, ast_outcome *outcome, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_OUTCOME, word, end);
    s->outcome = outcome;
    return s;
}

ast_statement *build_stay(parser *p, uint32_t word, ast_duration every, stay_timeout timeout, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_STAY, word, end);
    ast_operands *const operands = add_operands(p, s);
    operands->every = every;
    operands->has_every = every.at.in != NULL;
    operands->timeout = timeout.duration;
    operands->has_timeout = timeout.outcome != NULL;
    s->outcome = timeout.outcome;
    return s;
}

ast_statement *build_done_statement(parser *p, uint32_t word, token_range value, uint32_t end)
{
    if (is_variable(p, word, value)) return new_statement(p, STATEMENT_TEXT, word, end);
    return build_outcome_statement(p, word, build_done(p, word, value), end);
}

ast_statement *build_fail_statement(parser *p, uint32_t word, ast_args format, uint32_t end)
{
    if (format.count > 0 && is_variable(p, word, format.items[0])) return new_statement(p, STATEMENT_TEXT, word, end);
    return build_outcome_statement(p, word, build_fail(p, word, format), end);
}

ast_statement *build_describe(parser *p, uint32_t word, ast_args format, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_DESCRIBE, word, end);
    format = end_format(p, format);
    if (format.count == 0 || !check_format(p, word, format.items[0])) {
        s->kind = STATEMENT_TEXT;
        return s;
    }
    ast_operands *const operands = add_operands(p, s);
    operands->format = format.items[0];
    operands->args = arguments_of(format);
    return s;
}

ast_statement *build_submit(parser *p, uint32_t word, target job, ast_duration timeout, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_SUBMIT, word, end);
    ast_operands *const operands = add_operands(p, s);
    operands->name = job.name;
    operands->args = job.args;
    operands->timeout = timeout;
    operands->has_timeout = timeout.at.in != NULL;
    return s;
}

ast_statement *build_submit_element(parser *p, uint32_t word, target job, token_range brackets, ast_duration timeout,
                                    uint32_t end)
{
    ast_statement *s = build_submit(p, word, job, timeout, end);
    s->operands->index = index_between(p, brackets);
    return s;
}

ast_statement *build_spawn(parser *p, uint32_t word, uint32_t pool, target task, ast_outcome *otherwise, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_SPAWN, word, end);
    ast_operands *const operands = add_operands(p, s);
    operands->name = build_ident(p, pool);
    operands->task_name = task.name;
    operands->args = task.args;
    s->outcome = otherwise;
    return s;
}

stay_timeout no_stay_timeout(const parser *p)
{
    return (stay_timeout){no_duration(p), NULL};
}

stay_timeout build_stay_timeout(ast_duration duration, ast_outcome *outcome)
{
    return (stay_timeout){duration, outcome};
}
