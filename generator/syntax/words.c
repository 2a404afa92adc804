/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <ctype.h>
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

bool token_is_number(const token_list *list, uint32_t index)
{
    return isdigit((unsigned char)list->in->text[list->items[index].begin]);
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

binding_kind binding_at(const token_list *list, uint32_t index)
{
#define BINDING(kind, name, code, help)                                                                                \
    if (token_is(list, index, name)) return BINDING_##kind;
#include "bindings.def"
    return BINDING_COUNT;
}

binding_set bindings_in(token_range text)
{
    binding_set found = 0;
    for (uint32_t i = text.first; next_name(text, &i);) found |= 1U << binding_at(text.list, i - 1);
    return found & ~(1U << BINDING_COUNT);
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

uint32_t opening_bracket(token_range in, uint32_t close)
{
    unsigned depth = 0;
    for (uint32_t i = close + 1; i-- > in.first;) {
        if (token_has(in.list, i, CLOSES_BRACKET)) depth++;
        if (token_has(in.list, i, OPENS_BRACKET) && --depth == 0) return i;
    }
    return in.first;
}

uint32_t find_outside(token_range in, const char *mark)
{
    uint32_t at = in.first;
    while (at < in.end && !token_is(in.list, at, mark))
        at = token_has(in.list, at, OPENS_BRACKET) ? closing_bracket(in, at) + 1 : at + 1;
    return at < in.end ? at : in.end;
}
