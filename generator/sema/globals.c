/* SPDX-License-Identifier: MIT */
/* What the blocks of a file declare at file scope. Their declarations are recognised by their shape. */
#include <ctype.h>
#include <string.h>

#include "checks.h"
#include "declare.h"
#include "reserved.h"
#include "scan.h"
#include "words.h"

const token_list *block_tokens(sema *s, ast_text_block *block)
{
    if (block->tokens) return block->tokens;
    span const text = block->inside;
    const unsigned char *const all = (const unsigned char *)text.in->text;
    scanner scan = {.text = all, .cursor = all + text.begin, .limit = all + text.in->size, .line_start = true};
    token_list *const list = block->tokens = ARENA_NEW(s->arena, token_list);
    size_t capacity = 0;
    list->in = text.in;
    for (token t; scan_next(&scan, &t) && t.begin < text.end;) {
        bool const is_member = list->count > 0 && token_has(list, list->count - 1, IS_ACCESS | IS_TAG);
        if (kind_is(t.kind, IS_WORD) && !is_member) t.flags |= TOKEN_FREE;
        list->items = arena_reserve(s->arena, list->items, &capacity, (size_t)list->count + 1, sizeof(token));
        list->items[list->count++] = t;
        if (token_is_directive(list, list->count - 1) && scan_is_if(text.in, &t, '0')) scan_skipped(&scan, false);
    }
    return list;
}

static global *global_at(sema *s, span name)
{
    const char *const text = name.in->text + name.begin;
    size_t const length = name.end - name.begin;
    global *found = scope_find_text(&s->globals, text, length);
    if (found) return found;
    found = ARENA_NEW(s->arena, global);
    scope_add_text(s->arena, &s->globals, text, length, found);
    return found;
}

static void add_kind(global *to, global_kind kind)
{
    if (kind > to->kind) to->kind = kind;
}

/* Branches of #if may declare the same name in several forms: then any may be meant. */
static void add_formed(sema *s, global *to, const ast_declarator *d, global_kind kind)
{
    uint32_t at;
    type_form form = d ? form_of(s, d, 0) : FORM_VALUE;
    if (form == FORM_VALUE && d && find_qualifier(d, "const", &at)) form = FORM_CONSTANT;
    to->form = to->kind == kind && to->form != form ? FORM_VALUE : form;
    add_kind(to, kind);
}

static void look_at(const declared *one, void *context)
{
    sema *const s = context;
    if (one->kind == DECLARED_TAG) return;
    global *const found = global_at(s, one->name.at);
    bool const is_noted = one->kind == DECLARED_TYPE || one->kind == DECLARED_ENUMERATOR;
    if (is_noted && s->reads_source_block) found->is_of_source = true;
    if (is_noted && !s->reads_source_block) found->is_of_header = true;
    if (one->kind == DECLARED_TYPE) add_formed(s, found, one->declarator, GLOBAL_TYPE);
    else if (one->if_type && !is_type_name(s, one->if_type)) add_kind(found, GLOBAL_UNKNOWN);
    else add_formed(s, found, one->declarator, GLOBAL_VALUE);
}

/* Notes all names outside of braces, also those of parameters. A macro may declare what it likes: `LIST(item)`,
 * `static LIST(int, item)`. */
static void look_at_names(sema *s, token_range text)
{
    const token_list *const list = text.list;
    for (uint32_t i = text.first; i < text.end; i++) {
        if (token_is(list, i, "{")) i = token_after_brackets(list, i) - 1;
        if (range_has(text, i, IS_NAME)) global_at(s, token_span(list, i))->is_in_text = true;
        if (!range_is(text, i, "(") || !range_has(text, i - 1, IS_NAME)) continue;
        if (i - 1 > text.first && !token_in_capitals(list, i - 1)) continue;
        token_range const inside = {list, i + 1, closing_bracket(text, i)};
        for (uint32_t at = inside.first; next_name(inside, &at);)
            add_kind(global_at(s, token_span(list, at - 1)), GLOBAL_UNKNOWN);
        i = inside.end;
    }
}

/* Looks at a declaration without its `;`, or at the head of a function. Members and parameters are no globals. */
static void look_at_declaration(sema *s, token_range text)
{
    if (range_empty(text)) return;
    const ast_declaration *const declaration = declare_locals(s->arena, text);
    declare_each(s->arena, text, declaration, true, look_at, s);
    look_at_names(s, text);
}

/* Does a directive include a header of C, POSIX or uflow, as in `#include <sys/types.h>`? */
static bool is_of_system(const char *text, size_t length)
{
    const char *const begin = memchr(text, '<', length);
    const char *const end = begin ? memchr(begin, '>', length - (size_t)(begin - text)) : NULL;
    if (!end) return false;
    size_t const name = (size_t)(end - begin) - 1;
    const char *const slash = memchr(begin, '/', name);
    size_t const folder = slash ? (size_t)(slash - begin) - 1 : 0;
    return text_is_one_of(begin + 1, folder, "sys arpa netinet net linux uflow") || is_system_header(begin + 1, name);
}

static bool is_part_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

bool next_word(span *rest, span *word)
{
    const char *const text = rest->in->text;
    while (rest->begin < rest->end && !is_part_of_word(text[rest->begin])) rest->begin++;
    *word = (span){rest->in, rest->begin, rest->begin};
    while (word->end < rest->end && is_part_of_word(text[word->end])) word->end++;
    rest->begin = word->end;
    return word->end > word->begin;
}

static void look_at_directive(sema *s, span at)
{
    bool is_include = false;
    for (span rest = at, word; next_word(&rest, &word);) {
        global_at(s, word)->is_in_directives = true;
        is_include =
            is_include || text_is_one_of(at.in->text + word.begin, word.end - word.begin, "include include_next");
    }
    if (is_include && !is_of_system(at.in->text + at.begin, at.end - at.begin)) s->has_unknown_headers = true;
}

uint32_t behind_directives(const token_list *list, uint32_t at)
{
    while (at < list->count && token_is_directive(list, at)) at++;
    return at;
}

static void look_at_declarations(sema *s, const token_list *list)
{
    for (uint32_t i = behind_directives(list, 0); i < list->count; i = behind_directives(list, i)) {
        uint32_t const first = i;
        bool const is_language = i + 2 < list->count && token_is(list, i, "extern") && token_is_string(list, i + 1) &&
                                 token_is(list, i + 2, "{");
        if (is_language || token_is(list, i, "}")) {
            i += is_language ? 3 : 1;
            continue;
        }
        bool has_value = false, has_tag = false;
        while (i < list->count && !token_is_one_of(list, i, "; }")) {
            has_value = has_value || token_is(list, i, "=");
            has_tag = has_tag || token_has(list, i, IS_TAG);
            bool const is_body = !has_value && token_is(list, i, "{") && (!has_tag || token_is(list, i - 1, ")"));
            if (is_body) break;
            bool const opens = token_is_one_of(list, i, "{ ( [");
            i = opens ? token_after_brackets(list, i) : i + 1;
        }
        look_at_declaration(s, (token_range){list, first, i});
        if (i < list->count) i = token_is(list, i, "{") ? token_after_brackets(list, i) : i + 1;
    }
}

/* `of_import`: generated C does not see its other blocks, except that macros of them are taken for known ones. */
static void look_into_blocks(sema *s, ast_text_block *block, bool of_import)
{
    for (; block; block = block->next) {
        const token_list *const list = block_tokens(s, block);
        for (uint32_t i = 0; i < list->count; i++) {
            if (token_is_directive(list, i)) look_at_directive(s, token_span(list, i));
        }
        s->reads_source_block = block->kind == BLOCK_SOURCE;
        if (!of_import || block->kind == BLOCK_HEADER) look_at_declarations(s, list);
    }
}

static void look_into_all_blocks(sema *s)
{
    if (s->globals_are_known) return;
    s->globals_are_known = true;
    for (const ast_import *import = s->file->imports; import; import = import->next) {
        if (!import->file || import->file->imports) s->has_unknown_headers = true;
        if (import->file) look_into_blocks(s, import->file->blocks, true);
    }
    look_into_blocks(s, s->file->blocks, false);
}

const global *find_global(sema *s, const char *name)
{
    static const global absent = {.kind = GLOBAL_ABSENT};
    look_into_all_blocks(s);
    const global *const found = scope_find(&s->globals, name);
    return found ? found : &absent;
}

bool may_be_global(sema *s, const char *name)
{
    const global *const found = find_global(s, name);
    return found->kind != GLOBAL_ABSENT || found->is_in_directives || found->is_in_text;
}

type_form form_of(sema *s, const ast_declarator *d, unsigned dimensions)
{
    const token_list *const list = d->declarator.list;
    uint32_t const end = d->declarator.end;
    uint32_t first = d->name_token, at = first + 1;
    for (; at < end; at++) {
        if (token_is(list, at, ")") && first > d->declarator.first && token_is(list, first - 1, "(")) first--;
        else if (token_is(list, at, "[") && dimensions > 0) {
            at = token_after_brackets(list, at) - 1;
            dimensions--;
        } else break;
    }
    if (at < end && token_is(list, at, "(")) return FORM_FUNCTION;
    if (at + 1 < end && token_is(list, at, "[") && !token_is(list, at + 1, "[")) return FORM_ARRAY;
    for (at = d->declarator.first; at < first; at++) {
        if (token_is(list, at, "*")) return FORM_VALUE;
    }
    return form_of_type(s, d->specifiers);
}

/* Is the type itself const, rather than its target? */
static bool is_const(token_range type, uint32_t place)
{
    for (uint32_t i = place; i-- > type.first && !token_is(type.list, i, "*");) {
        if (token_is(type.list, i, "const")) return true;
    }
    return false;
}

/* Does a type end there, not a variable or function? It does for `int *` and `three`, not for `table` and `call`. */
static bool is_type(sema *s, token_range type, uint32_t place)
{
    if (place - type.first > 1 || (type.list->items[type.first].flags & TOKEN_WORDS_OF_C)) return true;
    return is_type_name(s, token_intern(s->arena, type.list, type.first));
}

/* For the text in the parentheses of a `typeof`: a type without a name, `int (*)[3]`, or an expression. */
static type_form form_of_whole(sema *s, token_range type)
{
    uint32_t const place = declare_place(type);
    if (type.end == type.first + 1 && token_is_string(type.list, type.first)) return FORM_ARRAY;
    if (place == type.first || !token_is_word(type.list, type.first)) return FORM_VALUE; /* `*table` */
    bool const is_pointer = token_is(type.list, place - 1, "*");
    if (place < type.end && !is_type(s, type, place)) return FORM_VALUE; /* `table[0]`, `call(1)` */
    if (range_is(type, place, "[")) return FORM_ARRAY;
    if (range_is(type, place, "(") && !is_pointer) return FORM_FUNCTION;
    type_form const form = place == type.end ? form_of_type(s, type) : FORM_VALUE;
    return form == FORM_VALUE && is_const(type, place) ? FORM_CONSTANT : form;
}

/* For `typeof(…)`, if the type begins with it. */
static type_form form_of_typeof(sema *s, token_range type)
{
    uint32_t at = type.first;
    while (at < type.end && !(type.list->items[at].flags & TOKEN_TYPEOF)) at++;
    if (!range_is(type, at + 1, "(")) return FORM_VALUE;
    token_range const inside = {type.list, at + 2, closing_bracket(type, at + 1)};
    if (range_empty(inside)) return FORM_VALUE;
    type_form const form = form_of_whole(s, inside);
    bool const is_unqualified = form == FORM_CONSTANT && !token_is_one_of(type.list, at, "typeof __typeof__ __typeof");
    return is_unqualified ? FORM_VALUE : form;
}

type_form form_of_type(sema *s, token_range type)
{
    uint32_t last = type.end;
    while (last > type.first && (type.list->items[last - 1].flags & TOKEN_SPECIFIER)) last--;
    bool const is_tag = range_has(type, last - 2, IS_TAG);
    if (range_is(type, last - 1, "void")) return FORM_VOID;
    if (range_is(type, last - 1, ")")) return form_of_typeof(s, (token_range){type.list, type.first, last});
    if (is_tag || !range_has(type, last - 1, IS_NAME)) return FORM_VALUE;
    const global *const found = find_global(s, token_intern(s->arena, type.list, last - 1));
    bool const is_of_c = found->kind == GLOBAL_ABSENT; /* if at all */
    return is_of_c && token_is_one_of(type.list, last - 1, "jmp_buf sigjmp_buf va_list") ? FORM_ARRAY : found->form;
}

bool includes_unknown_headers(sema *s)
{
    look_into_all_blocks(s);
    return s->has_unknown_headers;
}
