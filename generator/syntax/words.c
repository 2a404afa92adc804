/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <string.h>

span token_span(const token_list *list, uint32_t index)
{
    return (span){list->in, list->items[index].begin, list->items[index].end};
}

bool token_in_capitals(const token_list *list, uint32_t index)
{
    span const at = token_span(list, index);
    for (uint32_t i = at.begin; i < at.end; i++) {
        if (at.in->text[i] >= 'a' && at.in->text[i] <= 'z') return false;
    }
    return true;
}

bool token_is_string(const token_list *list, uint32_t index)
{
    size_t length;
    const char *text = token_text(list, index, &length);
    return length >= 2 && text[length - 1] == '"';
}

bool next_name(token_range in, uint32_t *index)
{
    const token *const items = in.list->items;
    uint32_t at = *index;
    while (at < in.end && !(items[at].flags & TOKEN_FREE)) at++;
    *index = at + 1;
    return at < in.end;
}

bool find_name(token_range in, const char *name, uint32_t *index)
{
    for (uint32_t i = in.first; next_name(in, &i);) {
        if (!token_is(in.list, i - 1, name)) continue;
        *index = i - 1;
        return true;
    }
    return false;
}

uint32_t closing_bracket(token_range in, uint32_t open)
{
    unsigned depth = 0;
    for (uint32_t i = open; i < in.end; i++) {
        if (token_has(in.list, i, OPENS_BRACKET)) depth++;
        if (token_has(in.list, i, CLOSES_BRACKET) && --depth == 0) return i;
    }
    return in.end;
}

uint32_t find_outside(token_range in, const char *mark)
{
    uint32_t at = in.first;
    while (at < in.end && !token_is(in.list, at, mark))
        at = token_has(in.list, at, OPENS_BRACKET) ? closing_bracket(in, at) + 1 : at + 1;
    return at < in.end ? at : in.end;
}
