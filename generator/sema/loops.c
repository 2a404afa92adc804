/* SPDX-License-Identifier: MIT */
/* Loops whose conditions are constants. */
#include "checks.h"
#include "words.h"

/* Is the condition `1` or `true`, possibly in parentheses? */
static bool always_true(token_range condition)
{
    while (condition.end - condition.first >= 3 && token_is(condition.list, condition.first, "(") &&
           token_is(condition.list, condition.end - 1, ")")) {
        condition.first++;
        condition.end--;
    }
    return condition.end - condition.first == 1 && (token_is_one_of(condition.list, condition.first, "1 true"));
}

/* Is the second clause of a `for` empty or always true? */
static bool for_ever(token_range head)
{
    for (uint32_t i = head.first; i < head.end; i++) {
        if (token_is_directive(head.list, i)) return false; /* directives make several heads */
    }
    token_range condition = {head.list, find_outside(head, ";") + 1, head.end};
    condition.end = find_outside(condition, ";");
    return condition.end < head.end && (range_empty(condition) || always_true(condition));
}

bool is_endless(const ast_statement *loop)
{
    return loop->kind == STATEMENT_FOR ? for_ever(loop->condition) : always_true(loop->condition);
}
