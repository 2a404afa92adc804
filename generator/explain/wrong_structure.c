/* SPDX-License-Identifier: MIT */
/* Reports what the builders of files, flows, tasks and steps refuse, and of what other threads can reach. */
#include "explainer.h"
#include "uflow_parse.h"

/* -- the file, flows, tasks and steps ------------------------------------------------------------------------------ */

void report_directive_outside(parser *p, token_range where)
{
    const token *const t = &p->tokens->items[where.first], *const before = where.first > 0 ? t - 1 : t;
    bool const is_conditional = kind_is(t->kind, IS_BRANCH);
    bool const follows_another = before < t && kind_is(before->kind, IS_DIRECTIVE);
    if (!follows_another && !(is_conditional && explainer_of(p)->has_directive_outside)) {
        diag_report *r = report_at(p, UF0204, range_span(where),
                                   "a directive outside of a body and of a `header` or `source` block");
        if (is_conditional)
            diag_help(r,
                      "put it into a body, around whole statements; a part can be left out with `#if 0` and `#endif`");
        else diag_help(r, "put it into `header { … }` or `source { … }`");
    }
    explainer_of(p)->has_directive_outside = explainer_of(p)->has_directive_outside || is_conditional;
}

void report_member(parser *p, token_range where)
{
    (void)repair_part(p, where.first);
}

void report_function_of_flow(parser *p, token_range where)
{
    token_range const head = {where.list, where.first, syntax_function(p, where)};
    if (kind_at(p, where.first) == T_GROUP) {
        diag_report *r = report_at(p, UF0209, range_span(head), "a group has no parameters");
        diag_help(r, "keep what its handlers need in fields of the flow: `flow->…`");
        return;
    }
    diag_report *r = report_at(p, UF0209, range_span(head), "a function cannot be defined here");
    diag_help(r, "put it into a `source { … }` block, outside of the flow");
}

diag_report *report_no_semicolon(parser *p, uint32_t at)
{
    return report_at(p, UF0201, place_behind(p, at), "there is no `;` after %s", spelled(p, at));
}

void report_lacks_semicolon(parser *p, token_range where)
{
    diag_help(report_no_semicolon(p, where.first - 1), "what follows is a member of its own");
}

void report_comma(parser *p, uint32_t at)
{
    diag_report *r = report_at(p, UF0201, token_at(p, at), "expected `;`, found `,`");
    diag_help(r, "what follows is no part of this statement");
}

void report_swallowed(parser *p, token_range where)
{
    uint32_t last = where.first - 1;
    while (last > 0 && kind_is(p->tokens->items[last].kind, IS_DIRECTIVE)) last--;
    span const at = token_at(p, where.first);
    if (p->tokens->items[last].kind == T_COMMA) {
        report_comma(p, last);
        return;
    }
    diag_report *r = report_at(p, UF0201, place_behind(p, last), "there is no `;` before `%.*s`",
                               (int)(at.end - at.begin), at.in->text + at.begin);
    bool const is_block = is_in_test(p) && !p->step && p->tokens->items[last].kind == T_RBRACE;
    diag_help(r, "%s", is_block ? BLOCKS_OF_TEST : "end the statement before it with `;`");
}

void report_part(parser *p, token_range where)
{
    report_swallowed(p, where);
    mend_insert(p, where.first, T_SEMICOLON);
}

void report_misplaced_handler(parser *p, token_range where)
{
    uint16_t const kind = kind_at(p, where.first);
    bool const is_of_flow = kind == T_INIT || kind == T_END;
    diag_report *r = report_at(p, UF0207, range_span(where), "`on %s` belongs into a %s", token_name(kind),
                               is_of_flow ? "flow" : "task");
    if (is_of_flow)
        diag_help(r, "move it out of the %s, or is `on %s` meant?", part_around(p),
                  token_name(kind == T_INIT ? T_ENTER : T_EXIT));
    else if (kind == T_EXIT) diag_help(r, "move it into a task, or is `on end` meant, at the end of each run?");
    else if (kind != T_ENTER) diag_help(r, "move it into each task or group that has something to do then");
    else diag_help(r, "move it into a task; what a flow needs once is done in `on init`");
}

void report_second_handler(parser *p, token_range where)
{
    uint16_t const kind = kind_at(p, where.first);
    const ast_body *const first = *syntax_moment(p, kind);
    diag_report *r = report_at(p, UF0207, range_span(where), "there is an `on %s` already", token_name(kind));
    diag_note(r, range_span(first->text), "the first one is here");
    diag_help(r, "put both into one");
}

void report_missing_task(parser *p, token_range where)
{
    report_missing_word(p, where.first, T_TASK);
}

/* -- what other threads can reach ---------------------------------------------------------------------------------- */

void report_signature(parser *p, token_range where)
{
    uint32_t const open = find_kind(p, where.first + 1, where.end, T_LPAREN);
    uint32_t const behind = token_after_brackets(p->tokens, open);
    if (behind < where.end && token_is_name(p->tokens, behind)) {
        diag_report *r = report_at(p, UF0201, token_at(p, behind),
                                   "after its parameters, a worker has `drop FUNCTION` and `limit N`, or nothing");
        diag_help(r, "write it like this: worker page load(int number) drop page_free limit 2 { … }");
        return;
    }
    bool const has_name = kind_at(p, where.first + 2) == T_LPAREN && token_is_name(p->tokens, where.first + 1) &&
                          token_after_brackets(p->tokens, where.first + 2) == where.end;
    diag_report *r = report_at(p, UF0201, range_span(where),
                               has_name ? "this worker has no type: what does it return?"
                                        : "a worker has a type, a name and parameters");
    diag_help(r, "write it like a function: worker double measure(int channel) { … }");
}

void report_misplaced_companion(parser *p, token_range where)
{
    uint32_t const open = find_kind(p, where.first, where.end, T_LPAREN);
    token_range const call = {where.list, where.first, token_after_brackets(where.list, open)};
    diag_report *r = report_at(p, UF0208, range_span(call), "`with run` belongs to a task or a group");
    diag_help(r, "move it into the task that it accompanies, before its steps");
}
