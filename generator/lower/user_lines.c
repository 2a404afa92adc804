/* Collects the `#line` directives of the user in bodies and blocks. Each holds up to the end of its body. */
#include <stdlib.h>
#include <string.h>

#include "tables.h"

bool directive_is(const source *in, const token *t, const char *name)
{
    const char *p = in->text + t->begin;
    while (*p && strchr("#%: \t", *p)) p++;
    return strncmp(p, name, strlen(name)) == 0;
}

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t");
}

/* Reads `line 12 "name"` or `12 "name"`. Returns false if it is something else. `line` is the directive before it, or
 * zero; its name remains in effect. */
static bool read_directive(arena *a, const source *in, const token *t, ir_user_line *line)
{
    const char *p = in->text + t->begin, *const end = in->text + t->end;
    p = skip_blanks(p + strspn(p, "#%:"));
    if (strncmp(p, "line", 4) == 0) p = skip_blanks(p + 4);
    else if (*p < '0' || *p > '9') return false;
    char *behind;
    uint32_t const number = (uint32_t)strtoul(p, &behind, 10);
    const char *const name = skip_blanks(behind);
    bool const is_number = behind > p && strchr("\"/\r\n", *name);
    line->offset = number - ir_line((span){in, t->end, t->end}) - 1;
    line->is_unknown = !is_number || (*name != '"' && line->is_unknown);
    if (*name != '"') return true;
    for (p = name + 1; p < end && *p != '"'; p++) p += *p == '\\';
    line->name = arena_copy(a, name, (size_t)(p + 1 - name));
    return true;
}

void lower_user_line(user_lines *state, const source *in, const token *t)
{
    if (!kind_is(t->kind, IS_DIRECTIVE)) return;
    bool const is_branch = kind_is(t->kind, IS_BRANCH), enters = is_branch && directive_is(in, t, "if");
    state->depth += enters;
    ir_user_line line = state->last;
    line.at = (span){in, t->end, state->end};
    bool const is_line = !is_branch && read_directive(state->l->arena, in, t, &line);
    if (is_line) state->is_conditional = state->depth > 0;
    if (is_line || (is_branch && !enters && state->is_conditional)) {
        line.is_unknown |= !is_line;
        uint32_t const index = TABLE_ADD(state->l, user_lines, user_line_count);
        state->l->unit->user_lines[index] = state->last = line;
    }
    if (is_branch && directive_is(in, t, "endif") && state->depth > 0) state->depth--;
}

void lower_user_lines(lowering *l, token_range body)
{
    user_lines state = {.l = l, .end = range_span(body).end};
    for (uint32_t i = body.first; i < body.end; i++) lower_user_line(&state, body.list->in, &body.list->items[i]);
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
