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

typedef struct constant {
    uint32_t value;
    bool is_known;
} constant;

/* A name that comes twice depends on the preprocessor. */
static void add_constant(sema *s, const char *name, bool is_known, uint32_t value)
{
    constant *const one = ARENA_NEW(s->arena, constant), *first = scope_add(s->arena, &s->constants, name, one);
    if (first) first->is_known = false;
    else *one = (constant){value, is_known};
}

/* Reads an enum from behind its `{`, up to what is no enumerator. */
static void add_enum(sema *s, const token_list *list, uint32_t at)
{
    bool is_known = true;
    for (uint32_t next = 0; at < list->count && token_is_name(list, at); next++) {
        const char *const name = token_intern(s->arena, list, at++);
        if (at < list->count && token_is(list, at, "=")) {
            is_known = ++at < list->count && read_number(list, at, &next);
            while (++at < list->count && !token_is_one_of(list, at, ", }")) is_known = false;
        }
        add_constant(s, name, is_known, next);
        if (at >= list->count || !token_is(list, at++, ",")) break;
    }
}

/* `#define NAME` hides an enumerator of that name. */
static void add_macro(sema *s, span directive)
{
    span name;
    if (!defines_macro(directive, &name)) return;
    add_constant(s, text_at(s, name), false, 0);
}

static void add_block(sema *s, const token_list *list)
{
    bool is_enum = false;
    for (uint32_t i = 0; i < list->count; i++) {
        if (token_is_directive(list, i)) add_macro(s, token_span(list, i));
        else if (is_enum && token_is(list, i, "{")) add_enum(s, list, i + 1);
        is_enum = token_is(list, i, "enum") || (is_enum && token_kind(list, i) == T_IDENT);
    }
}

bool known_constant(sema *s, const ast_file *file, token_range text, uint32_t *value)
{
    if (range_empty(text) || text.end - text.first != 1) return false;
    if (read_number(text.list, text.first, value)) return true;
    if (!token_is_name(text.list, text.first)) return false;
    if (s->constants_of != file) { /* imports are measured one after the other, then the file itself */
        s->constants = (scope){0};
        s->constants_of = file;
        for (ast_text_block *b = file->blocks; b; b = b->next) add_block(s, block_tokens(s, b));
    }
    const constant *const found = scope_find(&s->constants, token_intern(s->arena, text.list, text.first));
    if (!found || !found->is_known) return false;
    *value = found->value;
    return true;
}
