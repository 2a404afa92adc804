/* SPDX-License-Identifier: MIT */
/* Values that ufc has to know, such as sizes of arrays of signals: integer literals, and enumerators of a block. */
#include <stdlib.h>

#include "checks.h"
#include "uflow_parse.h"
#include "words.h"

static bool read_number(const token_list *list, uint32_t at, uint32_t *value)
{
    size_t length;
    const char *const text = token_text(list, at, &length);
    char *end;
    unsigned long long const number = strtoull(text, &end, 0);
    while (end < text + length && (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L')) end++;
    *value = (uint32_t)number;
    return token_kind(list, at) == T_NUMBER && end == text + length && number <= INT32_MAX;
}

/* Reads an enum from behind its `{`. Returns true if it has the enumerator, and its value is known. */
static bool find_in_enum(const token_list *list, uint32_t at, const char *name, uint32_t *value)
{
    bool is_known = true;
    for (uint32_t next = 0; at < list->count && !token_is(list, at, "}"); next++) {
        bool const is_it = token_is(list, at++, name);
        if (at < list->count && token_is(list, at, "=")) {
            is_known = ++at < list->count && read_number(list, at, &next);
            while (++at < list->count && !token_is_one_of(list, at, ", }")) is_known = false;
        }
        *value = next;
        if (is_it) return is_known;
        if (at >= list->count || !token_is(list, at++, ",")) break;
    }
    return false;
}

static bool find_enumerator(const token_list *list, const char *name, uint32_t *value)
{
    bool is_enum = false;
    for (uint32_t i = 0; i < list->count; i++) {
        if (is_enum && token_is(list, i, "{") && find_in_enum(list, i + 1, name, value)) return true;
        is_enum = token_is(list, i, "enum") || (is_enum && token_kind(list, i) == T_IDENT);
    }
    return false;
}

bool known_constant(sema *s, const ast_file *file, token_range text, uint32_t *value)
{
    if (range_empty(text) || text.end - text.first != 1) return false;
    if (read_number(text.list, text.first, value)) return true;
    const char *const name = token_intern(s->arena, text.list, text.first);
    for (ast_text_block *b = file->blocks; b; b = b->next) {
        if (token_is_name(text.list, text.first) && find_enumerator(block_tokens(s, b), name, value)) return true;
    }
    return false;
}
