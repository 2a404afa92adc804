/* SPDX-License-Identifier: MIT */
/* Splits declarations: a type into the texts before and after the name, a field into a line of a struct. */
#include <string.h>

#include "buffer.h"
#include "declare.h"
#include "tables.h"
#include "times.h"
#include "words.h"

/* The qualifiers of the variable itself that are removed. Stored parameters are assigned more than once; a result is a
 * value. */
typedef enum stripping { STRIP_NONE, STRIP_CONST, STRIP_ALL } stripping;

static bool is_stripped(const token_list *list, uint32_t index, stripping strip)
{
    if (strip != STRIP_NONE && token_is_one_of(list, index, "const restrict")) return true;
    if (strip != STRIP_ALL) return false;
    return token_is(list, index, "volatile") || (token_is(list, index, "_Atomic") && !token_is(list, index + 1, "("));
}

/* Returns the index after the type that begins at `at`: words of C, a tag or a name. Returns `at` if there is none. */
static uint32_t behind_type(token_range in, uint32_t at)
{
    uint32_t end = at;
    while (end < in.end && (in.list->items[end].flags & TOKEN_TYPE)) end++;
    if (end > at || at >= in.end) return end;
    if (token_has(in.list, at, IS_TAG)) return at + 1 < in.end && token_is_name(in.list, at + 1) ? at + 2 : at;
    bool const is_name = token_is_name(in.list, at) && !(in.list->items[at].flags & TOKEN_WORDS_OF_C);
    return is_name ? at + 1 : at;
}

static uint32_t append_token(buffer *out, token_range in, uint32_t at);

/* Appends `_Atomic`, of a pointer, before a type, or with a type in parentheses. Returns its last token. */
static uint32_t append_atomic(buffer *out, token_range in, uint32_t at)
{
    const token_list *const list = in.list;
    bool const is_pointer = at > 0 && token_is_one_of(list, at - 1, "* const");
    uint32_t first = at + 1;
    if (is_pointer || (first < list->count && token_is(list, first, "("))) {
        buffer_printf(out, "%s", is_pointer ? "UF_ATOMIC" : "UF_ATOMIC_OF");
        return at;
    }
    while (first < in.end && token_is_one_of(list, first, "const volatile")) first++;
    uint32_t const end = behind_type(in, first);
    if (end == first) {
        buffer_printf(out, "_Atomic");
        return at;
    }
    for (uint32_t i = at + 1; i < end; i++) {
        if (i == first) buffer_printf(out, "UF_ATOMIC_OF(");
        append_token(out, in, i);
        if (i + 1 < end) buffer_putc(out, ' ');
    }
    buffer_putc(out, ')');
    return end - 1;
}

/* Appends a token in the spelling that the header needs, since C++ reads it too. Returns its last token. */
static uint32_t append_token(buffer *out, token_range in, uint32_t at)
{
    static const struct {
        const char *word, *spelling;
    } words[] = {{"_Alignas", "UF_ALIGNAS"},
                 {"_Static_assert", "UF_STATIC_ASSERT"},
                 {"restrict", "UF_RESTRICT"},
                 {"_Bool", "uf_bool"}};
    size_t length;
    const char *text = token_text(in.list, at, &length);
    if (token_is_time(in.list, at)) {
        time_append_operand(out, time_of_literal(text, length));
        return at;
    }
    bool const is_word = in.list->items[at].flags & TOKEN_WORDS_OF_C;
    if (is_word && token_is(in.list, at, "_Atomic")) return append_atomic(out, in, at);
    for (size_t i = 0; is_word && i < sizeof words / sizeof words[0]; i++) {
        if (!token_is(in.list, at, words[i].word)) continue;
        text = words[i].spelling;
        length = strlen(text);
    }
    buffer_append(out, text, length);
    return at;
}

/* Appends tokens, with one blank for any space, comment or line end between them. */
static void append_tokens(buffer *out, token_range tokens, stripping strip)
{
    int depth = 0;
    for (uint32_t i = tokens.first; i < tokens.end; i++) {
        if (token_has(tokens.list, i, OPENS_BRACKET)) depth++;
        if (token_has(tokens.list, i, CLOSES_BRACKET)) depth--;
        if (depth == 0 && is_stripped(tokens.list, i, strip)) continue;
        bool const apart = i > tokens.first && tokens.list->items[i - 1].end != tokens.list->items[i].begin;
        if (apart && out->length) buffer_putc(out, ' ');
        i = append_token(out, tokens, i);
    }
}

static const char *finish(lowering *l, buffer *text)
{
    const char *const copy = arena_copy(l->arena, text->text ? text->text : "", text->length);
    buffer_free(text);
    return copy;
}

/* Splits a declarator at `place`, where its name stands or could stand. Removes qualifiers of the variable itself:
 * those between a `*` and the name, or, for a plain name, those of the specifiers. */
static ir_variable take_apart(lowering *l, token_range specifiers, token_range declarator, uint32_t place,
                              uint32_t behind, bool is_array, stripping strip)
{
    const token_list *const list = specifiers.list;
    uint32_t pointer_end = place;
    while (pointer_end > declarator.first && is_stripped(list, pointer_end - 1, strip)) pointer_end--;
    bool const is_pointer = pointer_end > declarator.first && token_is(list, pointer_end - 1, "*");
    bool const is_plain = place == declarator.first && !is_array;

    buffer before = {0}, after = {0};
    append_tokens(&before, specifiers, is_plain ? strip : STRIP_NONE);
    token_range const left = {list, declarator.first, is_pointer ? pointer_end : place};
    if (!range_empty(left)) {
        buffer_putc(&before, ' ');
        append_tokens(&before, left, STRIP_NONE);
    }
    append_tokens(&after, (token_range){list, behind, declarator.end}, STRIP_NONE);
    return (ir_variable){.before = finish(l, &before), .after = finish(l, &after)};
}

/* Drops parentheses around the name, as in `(x)`, to make room for `const`. */
ir_variable lower_variable(lowering *l, const ast_declarator *d, span at)
{
    const token_list *const list = d->declarator.list;
    uint32_t first = d->name_token, behind = d->name_token + 1;
    while (first > d->declarator.first && behind < d->declarator.end && token_is(list, first - 1, "(") &&
           token_is(list, behind, ")")) {
        first--;
        behind++;
    }
    ir_variable v = take_apart(l, d->specifiers, d->declarator, first, behind, d->is_array, STRIP_CONST);
    v.name = d->name.name;
    v.at = at;
    return v;
}

ir_range lower_variables(lowering *l, const ast_declaration *list)
{
    ir_range range = {l->unit->variable_count, 0};
    for (const ast_declaration *declaration = list; declaration; declaration = declaration->next) {
        for (const ast_declarator *d = declaration->first; d; d = d->next) {
            ir_variable const v = lower_variable(l, d, range_span(declaration->text));
            TABLE_ADD(l, variables, variable_count, v);
            range.count++;
        }
    }
    return range;
}

/* Returns the type of a mailbox's items. The brackets after the name hold the capacity. */
ir_variable lower_item(lowering *l, const ast_mailbox *mailbox)
{
    const ast_declarator *const d = mailbox->item;
    ir_variable v =
        take_apart(l, d->specifiers, d->declarator, d->name_token, mailbox->capacity.end + 1, false, STRIP_CONST);
    v.name = d->name.name;
    v.at = range_span(d->declarator);
    return v;
}

/* Splits a type without a name: the place of the name is the end, or after the `*` of `int (*)(int)`. */
ir_variable lower_type(lowering *l, token_range type)
{
    if (range_empty(type)) return (ir_variable){.before = "", .after = ""};
    uint32_t place = declare_place(type), pointers = type.first;
    if (place < type.end && !token_is(type.list, place, ")")) place = type.end; /* the type is a macro call */
    while (pointers < place && !token_is_one_of(type.list, pointers, "* (")) pointers++;
    token_range const specifiers = {type.list, type.first, pointers}, declarator = {type.list, pointers, type.end};
    ir_variable v = take_apart(l, specifiers, declarator, place, place, false, STRIP_ALL);
    v.name = "";
    v.at = range_span(type);
    return v;
}

/* Returns a ` // …` comment after the `;` of a declaration at the end of its line; it documents the field in the
 * struct. */
static const char *trailing_comment(lowering *l, span declaration)
{
    const char *p = declaration.in->text + declaration.end;
    p += strspn(p, " \t");
    if (*p != ';') return "";
    p += 1 + strspn(p + 1, " \t");
    size_t const length = strcspn(p, "\r\n");
    bool const is_comment = length > 2 && p[0] == '/' && p[1] == '/' && p[length - 1] != '\\' && p[length - 1] != '/';
    return is_comment ? arena_printf(l->arena, " %.*s", (int)length, p) : "";
}

static bool is_alignment(const token_list *list, uint32_t index)
{
    return token_is_one_of(list, index, "_Alignas alignas");
}

/* Returns the index after the parentheses of an alignment. */
static uint32_t behind_alignment(const token_list *list, uint32_t index, uint32_t end)
{
    unsigned depth = 0;
    for (index++; index < end; index++) {
        if (token_is(list, index, "(")) depth++;
        if (token_is(list, index, ")") && --depth == 0) return index + 1;
    }
    return end;
}

/* Puts alignments first, the only place where C++ accepts them. */
static void move_alignments(buffer *out, token_range specifiers)
{
    const token_list *const list = specifiers.list;
    for (uint32_t i = specifiers.first + 1; i < specifiers.end; i++) {
        if (!is_alignment(list, i)) continue;
        append_tokens(out, (token_range){list, i, behind_alignment(list, i, specifiers.end)}, STRIP_NONE);
        buffer_putc(out, ' ');
    }
}

/* A member of a struct as written, with comments and line ends but without initialisers. `from` is the next source
 * byte to copy. */
typedef struct line {
    buffer text;
    const token_list *list;
    uint32_t from;
} line;

static void append_gap(line *out, uint32_t end)
{
    if (end > out->from) buffer_append(&out->text, out->list->in->text + out->from, end - out->from);
    out->from = end;
}

static void append_written(line *out, uint32_t first, uint32_t end, token_range moved)
{
    for (uint32_t i = first; i < end; i++) {
        append_gap(out, out->list->items[i].begin);
        if (i > moved.first && i < moved.end && is_alignment(out->list, i)) {
            i = behind_alignment(out->list, i, moved.end) - 1;
            out->from = out->list->items[i].end;
            continue;
        }
        /* Specifiers contain types; names follow only in declarators. */
        i = append_token(&out->text, i < moved.end ? moved : (token_range){out->list, first, end}, i);
        out->from = out->list->items[i].end;
    }
}

/* Does the declaration add a member? Unnamed bit-fields and static assertions do not. */
static bool declares_name(const ast_declaration *declaration)
{
    for (const ast_declarator *d = declaration->first; d; d = d->next) {
        if (d->name.name) return true;
    }
    token_range const text = declaration->text;
    return !declaration->first && !token_is_one_of(text.list, text.first, "_Static_assert static_assert");
}

/* Cuts out the initialisers, but keeps their line ends if something follows. */
/* `uf_pause hold`, but no pointer to one. */
static bool declares_record(const ast_declaration *declaration)
{
    const ast_declarator *const first = declaration->first;
    if (!first || first->specifiers.end - first->specifiers.first != 1) return false;
    for (const ast_declarator *d = first; d; d = d->next) {
        if (token_is(d->declarator.list, d->declarator.first, "*")) return false;
    }
    return token_is(first->specifiers.list, first->specifiers.first, "uf_pause");
}

static const ast_declarator *last_of(const ast_declarator *d)
{
    while (d->next) d = d->next;
    return d;
}

ir_field lower_field(lowering *l, const ast_declaration *declaration)
{
    span const whole = range_span(declaration->text);
    token_range const all = declaration->text;
    token_range const specifiers = declaration->first ? declaration->first->specifiers : (token_range){all.list, 0, 0};
    line out = {.list = all.list, .from = whole.begin};
    uint32_t next = all.first;
    move_alignments(&out.text, specifiers);
    for (const ast_declarator *d = declaration->first; d; d = d->next) {
        if (range_empty(d->initializer)) continue;
        append_written(&out, next, range_empty(d->bits) ? d->declarator.end : d->bits.end, specifiers);
        uint32_t const end = range_span(d->initializer).end;
        for (; d->next && out.from < end; out.from++) {
            if (whole.in->text[out.from] == '\n') buffer_putc(&out.text, '\n');
        }
        out.from = end;
        next = d->initializer.end;
    }
    append_written(&out, next, all.end, specifiers);
    bool const is_record = declares_record(declaration);
    return (ir_field){.text = finish(l, &out.text),
                      .first_record = is_record ? declaration->first->name.name : NULL,
                      .last_record = is_record ? last_of(declaration->first)->name.name : NULL,
                      .comment = trailing_comment(l, whole),
                      .at = whole,
                      .has_name = declares_name(declaration)};
}
