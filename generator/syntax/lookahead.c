/* SPDX-License-Identifier: MIT */
/* Looks ahead at tokens, where a builder must know what a text means. */
#include "ast_build.h"
#include "uflow_parse.h"

bool ends_operand(uint16_t kind)
{
    return kind_is(kind, IS_NAME) || kind == T_NUMBER || kind == T_STRING || kind == T_CHARACTER || kind == T_RPAREN ||
           kind == T_RBRACKET;
}

uint32_t syntax_after_params(const token_list *list, uint32_t at)
{
    return token_kind(list, at) == T_LPAREN ? token_after_brackets(list, at) : at;
}

bool syntax_begins_arm(const token_list *list, uint32_t at)
{
    uint16_t const kind = token_kind(list, at), next = token_kind(list, at + 1);
    uint32_t const after = syntax_after_params(list, at + 1);
    bool const is_call = after > at + 1, has_arrow = token_kind(list, after) == T_ARROW;
    if (kind == T_TIMEOUT && next == T_REAL) return token_kind(list, at + 2) == T_DURATION;
    if (kind == T_TIMEOUT) return next == T_DURATION || (is_call && token_kind(list, after + 1) == T_ARROW);
    if (kind == T_RUN) return kind_is(next, IS_NAME) && token_kind(list, at + 2) == T_DOT;
    if (kind == T_DURATION) return next == T_ARROW;
    if (!kind_is(kind, IS_EVENT) || !is_call) return false;
    uint16_t const outcome = token_kind(list, after + 1), end = token_kind(list, after + 2);
    bool const is_ending = kind_is(outcome, ENDS_PATH) && (kind_is(end, IS_NAME) || end == T_STRING || end == T_NUMBER);
    return token_kind(list, after) == T_FOR ||
           (has_arrow && kind_is(outcome, IS_NAME) && (end == T_SEMICOLON || end == T_ELSE || is_ending));
}

/* Returns true if a part of a flow or task begins there: at the begin of a line, or `task Name {` or similar. */
static bool begins_part(const parser *p, uint32_t at)
{
    uint16_t const kind = kind_at(p, at), after = kind_at(p, at + 1), third = kind_at(p, at + 2);
    uint16_t const before = kind_at(p, at - 1), earlier = kind_at(p, at - 2);
    bool const is_task = (kind == T_FOREVER || kind == T_SHUTDOWN) && after == T_TASK;
    bool const has_body =
        (kind == T_GROUP || kind == T_TASK || kind == T_STEP) && (third == T_LBRACE || third == T_LPAREN);
    bool const is_behind_member = ends_operand(before) && !kind_is(before, IS_MEMBER) && earlier != T_LBRACE &&
                                  earlier != T_RBRACE && earlier != T_SEMICOLON;
    bool const is_first = p->tokens->items[at].flags & TOKEN_FIRST_ON_LINE;
    if (!is_first && !(is_behind_member && (is_task || has_body))) return false;
    if (kind == T_ON) return kind_is(after, IS_HANDLER) || kind_at(p, at + 2) == T_ARROW;
    if (kind == T_FOREVER || kind == T_SHUTDOWN) return after == T_TASK;
    bool const is_shared = kind == T_SIGNAL || kind == T_CHECKPOINT || kind == T_MAILBOX || kind == T_JOB;
    return (kind_is(kind, IS_HEAD) || is_shared) && kind_is(after, IS_NAME);
}

/* `int n` and on the next line `task NAME {` */
uint32_t syntax_swallowed_part(const parser *p, uint32_t begin, uint32_t at)
{
    uint32_t found = begin + 1;
    while (found < at && !begins_part(p, found)) found++;
    return found < at ? found : at;
}
