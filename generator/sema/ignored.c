/* SPDX-License-Identifier: MIT */
/* Statements that ignore the result of a generated function which can refuse: a warning. */
#include "checks.h"
#include "walk.h"
#include "words.h"

/* Does an expression begin here with such a call, and end after the call or go on behind a comma? */
static void check_call(sema *s, token_range text, uint32_t at)
{
    if (!range_is(text, at + 1, "(")) return;
    const char *const word = token_intern(s->arena, text.list, at);
    const call *const called = scope_find(&s->calls, word);
    uint32_t const end = closing_bracket(text, at + 1), after = end + 1;
    if (!called || !called->done || end == text.end) return;
    if (after < text.end && !token_is_one_of(text.list, after, ", ;")) return;
    diag_report *r = report_at(s, UF0828, token_span(text.list, at),
                               "the result of `%s` is ignored: only `UF_OK` means that %s", word, called->done);
    diag_help(r, "test the result, or ignore it on purpose: `(void)%s(…)`", word);
}

static void check_statement(ast_statement *statement, void *context)
{
    if (statement->kind == STATEMENT_TEXT) check_call(context, statement->text, statement->text.first);
    if (statement->kind != STATEMENT_FOR) return;
    token_range const head = statement->condition;
    uint32_t clause = 0;
    for (uint32_t i = head.first; i < head.end; i++) {
        bool const begins = i == head.first || token_is(head.list, i - 1, ";");
        clause += begins;
        if (begins && clause != 2) check_call(context, head, i);
    }
}

void check_ignored(sema *s, const body_site *site)
{
    walk_statements(site->body->first, check_statement, s);
}
