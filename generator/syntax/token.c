#include "token.h"

#include <string.h>

bool range_empty(token_range r)
{
    return r.first >= r.end;
}

span range_span(token_range r)
{
    if (range_empty(r)) return (span){r.list ? r.list->in : NULL, 0, 0};
    return (span){r.list->in, r.list->items[r.first].begin, r.list->items[r.end - 1].end};
}

bool token_is(const token_list *list, uint32_t index, const char *text)
{
    const token *t = &list->items[index];
    size_t const length = strlen(text);
    return t->end - t->begin == length && memcmp(list->in->text + t->begin, text, length) == 0;
}

const char *token_name(uint16_t kind)
{
    (void)kind;
    return "token";
}
