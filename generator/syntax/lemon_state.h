/* SPDX-License-Identifier: MIT */
/* lemon_state.h - functions that need the types of the parser that lemon generates: its last lines include this. */
#ifndef LEMON_STATE_H
#define LEMON_STATE_H

/* Reduces the rule that the last token ended, without waiting for the next token. */
void lemon_settle(void *state)
{
    yyParser *const yypParser = state;
    lemonCTX_FETCH;
    while (yypParser->yytos->stateno >= YY_MIN_REDUCE)
        (void)yy_reduce(yypParser, yypParser->yytos->stateno - YY_MIN_REDUCE, YYNOCODE, 0 lemonCTX_PARAM);
}

/* Would the parser accept that terminal next? Simulates its reductions on a separate stack above the parser's. Only
 * rules with an empty right side make that stack higher, and the grammar has few in a row. */
bool lemon_accepts(const void *state, uint16_t terminal)
{
    enum { MOST = 32 };
    const yyStackEntry *left = ((const yyParser *)state)->yytos;
    YYACTIONTYPE above[MOST];
    size_t count = 0;
    while (count < MOST) {
        YYACTIONTYPE const top = count ? above[count - 1] : left->stateno;
        YYACTIONTYPE const action = yy_find_shift_action((YYCODETYPE)terminal, top);
        if (action == YY_ERROR_ACTION || action == YY_NO_ACTION) return false;
        if (action <= YY_MAX_SHIFTREDUCE || action == YY_ACCEPT_ACTION) return true;
        unsigned const rule = action - YY_MIN_REDUCE;
        size_t const size = (size_t)-yyRuleInfoNRhs[rule], own = size < count ? size : count;
        count -= own;
        left -= size - own;
        /* A state, or another reduction, which is then the default action. */
        above[count] = yy_find_reduce_action(count ? above[count - 1] : left->stateno, yyRuleInfoLhs[rule]);
        count++;
    }
    return false;
}

#endif
