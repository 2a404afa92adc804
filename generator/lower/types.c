/* Declarations of the user, taken apart: a type, around the place of a name; a line of a struct, without initialisers. */
#include <string.h>

#include "buffer.h"
#include "tables.h"
#include "words.h"

static bool is_qualifier(const token_list *list, uint32_t index)
{
    return token_is(list, index, "const") || token_is(list, index, "restrict");
}

/* Appends tokens with one blank where there was anything between them: no comments, no line ends. */
static void append_tokens(buffer *out, token_range tokens, bool strip)
{
    int depth = 0;
    for (uint32_t i = tokens.first; i < tokens.end; i++) {
        if (token_is(tokens.list, i, "{")) depth++;
        if (token_is(tokens.list, i, "}")) depth--;
        if (strip && depth == 0 && is_qualifier(tokens.list, i)) continue;
        size_t length;
        const char *const text = token_text(tokens.list, i, &length);
        bool const apart = i > tokens.first && tokens.list->items[i - 1].end != tokens.list->items[i].begin;
        if (apart && out->length) buffer_putc(out, ' ');
        buffer_append(out, text, length);
    }
}

static const char *finish(lowering *l, buffer *text)
{
    const char *const copy = arena_copy(l->arena, text->text ? text->text : "", text->length);
    buffer_free(text);
    return copy;
}

/* `place` is where a name stands or could stand. On top of the type are the qualifiers directly before it if they follow a
 * `*`, else, for a plain name, those of the specifiers. */
static ir_variable take_apart(lowering *l, token_range specifiers, token_range declarator, uint32_t place,
                              uint32_t behind, bool is_array)
{
    const token_list *const list = specifiers.list;
    uint32_t pointer_end = place;
    while (pointer_end > declarator.first && is_qualifier(list, pointer_end - 1)) pointer_end--;
    bool const is_pointer = pointer_end > declarator.first && token_is(list, pointer_end - 1, "*");
    bool const is_plain = place == declarator.first && !is_array;

    buffer before = {0}, after = {0};
    append_tokens(&before, specifiers, is_plain);
    token_range const left = {list, declarator.first, is_pointer ? pointer_end : place};
    if (!range_empty(left)) {
        buffer_putc(&before, ' ');
        append_tokens(&before, left, false);
    }
    append_tokens(&after, (token_range){list, behind, declarator.end}, false);
    return (ir_variable){.before = finish(l, &before), .after = finish(l, &after)};
}

ir_variable lower_variable(lowering *l, const ast_declarator *d, span at)
{
    ir_variable v = take_apart(l, d->specifiers, d->declarator, d->name_token, d->name_token + 1, d->is_array);
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
            uint32_t const index = TABLE_ADD(l, variables, variable_count);
            l->unit->variables[index] = v;
            range.count++;
        }
    }
    return range;
}

/* What one place of a mailbox holds: the brackets of its capacity stand behind its name. */
ir_variable lower_item(lowering *l, const ast_mailbox *mailbox)
{
    const ast_declarator *const d = mailbox->item;
    ir_variable v = take_apart(l, d->specifiers, d->declarator, d->name_token, mailbox->capacity.end + 1, false);
    v.name = d->name.name;
    v.at = range_span(d->declarator);
    return v;
}

/* A type without a name: the name would stand behind all, or behind the `*` of `int (*)(int)`. */
ir_variable lower_type(lowering *l, token_range type)
{
    if (range_empty(type)) return (ir_variable){.before = "", .after = ""};
    uint32_t place = type.end, pointers = type.first;
    for (uint32_t i = type.first; i + 1 < type.end; i++) {
        if (!token_is(type.list, i, "(") || !token_is(type.list, i + 1, "*")) continue;
        place = i + 2;
        while (place < type.end && (token_is(type.list, place, "*") || is_qualifier(type.list, place))) place++;
        break;
    }
    while (pointers < place && !token_is(type.list, pointers, "*") && !token_is(type.list, pointers, "(")) pointers++;
    token_range const specifiers = {type.list, type.first, pointers}, declarator = {type.list, pointers, type.end};
    ir_variable v = take_apart(l, specifiers, declarator, place, place, false);
    v.name = "";
    v.at = range_span(type);
    return v;
}

/* ` // …` behind the `;` of a declaration, if its line ends with that: it tells readers of the struct what the field is. */
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

/* The initialisers are cut out; line ends in them stay if something follows. */
ir_field lower_field(lowering *l, const ast_declaration *declaration)
{
    span const whole = range_span(declaration->text);
    uint32_t from = whole.begin;
    buffer text = {0};
    for (const ast_declarator *d = declaration->first; d; d = d->next) {
        if (range_empty(d->initializer)) continue;
        span const value = range_span(d->initializer);
        uint32_t const end = range_span(range_empty(d->bits) ? d->declarator : d->bits).end;
        buffer_append(&text, whole.in->text + from, end - from);
        for (uint32_t i = end; d->next && i < value.end; i++) {
            if (whole.in->text[i] == '\n') buffer_putc(&text, '\n');
        }
        from = value.end;
    }
    buffer_append(&text, whole.in->text + from, whole.end - from);
    return (ir_field){.text = finish(l, &text), .comment = trailing_comment(l, whole), .at = whole};
}
