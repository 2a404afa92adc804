/* SPDX-License-Identifier: MIT */
/* Values that ufc has to know, such as sizes of arrays of signals: integer literals, and enumerators of a block. */
#include <stdlib.h>

#include "checks.h"
#include "scan.h"
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
static bool find_in_enum(scanner *scan, const source *in, const char *name, uint32_t *value)
{
    token t;
    token_list const one = {in, &t, 1};
    bool is_known = true, more = true;
    for (uint32_t next = 0; more && scan_next(scan, &t) && !token_is(&one, 0, "}"); next++) {
        bool const is_it = token_is(&one, 0, name);
        more = scan_next(scan, &t);
        if (more && token_is(&one, 0, "=")) {
            is_known = scan_next(scan, &t) && read_number(&one, 0, &next);
            while ((more = scan_next(scan, &t)) && !token_is(&one, 0, ",") && !token_is(&one, 0, "}")) is_known = false;
        }
        *value = next;
        if (is_it) return is_known;
        more = more && token_is(&one, 0, ",");
    }
    return false;
}

static bool find_enumerator(span block, const char *name, uint32_t *value)
{
    const unsigned char *const all = (const unsigned char *)block.in->text;
    scanner scan = {.text = all, .cursor = all + block.begin, .limit = all + block.in->size, .line_start = true};
    token t;
    token_list const one = {block.in, &t, 1};
    bool is_enum = false;
    while (scan_next(&scan, &t) && t.begin < block.end) {
        if (is_enum && token_is(&one, 0, "{") && find_in_enum(&scan, block.in, name, value)) return true;
        is_enum = token_is(&one, 0, "enum") || (is_enum && token_kind(&one, 0) == T_IDENT);
    }
    return false;
}

bool known_constant(sema *s, const ast_file *file, token_range text, uint32_t *value)
{
    if (range_empty(text) || text.end - text.first != 1) return false;
    if (read_number(text.list, text.first, value)) return true;
    const char *const name = token_intern(s->arena, text.list, text.first);
    for (const ast_text_block *b = file->blocks; b; b = b->next) {
        if (token_is_name(text.list, text.first) && find_enumerator(b->inside, name, value)) return true;
    }
    return false;
}
