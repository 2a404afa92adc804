/* SPDX-License-Identifier: MIT */
/* Collects the `#line` directives of the user in bodies and blocks. Each directive holds up to the end of its body. */
#include <stdlib.h>
#include <string.h>

#include "scan.h"
#include "tables.h"

bool branch_is(const token *t, const char *name)
{
    return strcmp(token_name(t->kind), name) == 0;
}

/* Reads `line 12 "name"` or `12 "name"`. Returns false if it is something else. `line` is the directive before it, or
 * zero; its name remains in effect. */
static bool read_directive(arena *a, const source *in, const token *t, ir_user_line *line)
{
    span const whole = {in, t->begin, t->end};
    scanner scan = scan_inside(whole);
    token digits, name;
    bool const has_word = scan_directive_is(whole, "line") && scan_next_inside(&scan, whole, &digits);
    const char *const text = in->text;
    if (!scan_next_inside(&scan, whole, &digits) || !(has_word || strchr("0123456789", text[digits.begin])))
        return false;
    char *behind;
    uint32_t const number = (uint32_t)strtoul(text + digits.begin, &behind, 10);
    bool const has_name = scan_next_inside(&scan, whole, &name), is_string = has_name && text[name.begin] == '"';
    line->offset = number - ir_line((span){in, t->end, t->end}) - 1;
    line->is_unknown = behind != text + digits.end || (has_name ? !is_string : line->is_unknown);
    if (is_string) line->name = arena_copy(a, text + name.begin, name.end - name.begin);
    return true;
}

void lower_user_line(user_lines *state, const source *in, const token *t)
{
    bool const is_branch = kind_is(t->kind, IS_BRANCH), enters = branch_is(t, "#if");
    state->depth += enters;
    ir_user_line line = state->last;
    line.at = (span){in, t->end, state->end};
    bool const is_line = !is_branch && read_directive(state->l->arena, in, t, &line);
    if (is_line) state->is_conditional = state->depth > 0;
    if (is_line || (is_branch && !enters && state->is_conditional)) {
        line.is_unknown |= !is_line;
        TABLE_ADD(state->l, user_lines, user_line_count, state->last = line);
    }
    if (branch_is(t, "#endif") && state->depth > 0) state->depth--;
}

void lower_user_lines(lowering *l, token_range body)
{
    user_lines state = {.l = l, .end = range_span(body).end};
    for (uint32_t i = body.first; i < body.end; i++) {
        if (token_is_directive(body.list, i)) lower_user_line(&state, body.list->in, &body.list->items[i]);
    }
}

static int compare(const void *a, const void *b)
{
    uint32_t const first = ((const ir_user_line *)a)->at.begin, second = ((const ir_user_line *)b)->at.begin;
    return (first > second) - (first < second);
}

void sort_user_lines(ir_unit *unit)
{
    if (unit->user_line_count > 1) qsort(unit->user_lines, unit->user_line_count, sizeof *unit->user_lines, compare);
}
