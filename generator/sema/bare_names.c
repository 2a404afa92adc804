/* `item` and `index` in the text of a step, where no arm and no declaration binds them. A macro may declare a local, so
 * the check is silent in a body that could hold such a macro. */
#include <string.h>

#include "checks.h"
#include "walk.h"
#include "words.h"

typedef struct bare_names {
    sema *sema;
    binding_kind binding; /* the name to search for */
    bool is_declared;     /* a declaration in the body, or text that may be one */
    bool may_be_type;     /* a block of the file has the word */
    bool is_used, is_reported;
} bare_names;

static const char *name_of(const bare_names *b)
{
    return binding_names[b->binding];
}

static void look_at_local(const declared *one, void *context)
{
    bare_names *const b = context;
    if (strcmp(one->name.name, name_of(b)) == 0) b->is_declared = true;
}

/* Is it a member or a constant of a type that the text declares, as in `struct { int item, index; } s`? */
static bool is_in_tag(token_range text, uint32_t at)
{
    unsigned inner = 0;
    for (uint32_t i = at; i-- > text.first;) {
        if (token_is(text.list, i, "}")) inner++;
        if (!token_is(text.list, i, "{") || inner-- > 0) continue;
        inner = 0;
        uint32_t before = i; /* what stands between the word and the brace: a tag, attributes, a type */
        while (before > text.first && !token_has(text.list, before - 1, IS_TAG) &&
               (token_has(text.list, before - 1, IS_WORD | IS_NAME) || token_is(text.list, before - 1, ")"))) {
            if (!token_is(text.list, --before, ")")) continue;
            for (unsigned open = 1; before > text.first && open > 0;) {
                before--;
                if (token_is(text.list, before, ")")) open++;
                if (token_is(text.list, before, "(")) open--;
            }
        }
        if (before > text.first && token_has(text.list, before - 1, IS_TAG)) return true;
    }
    return false;
}

/* `asm("…" : [item] "+r"(x))` names an operand. */
static bool is_operand_of_asm(token_range text, uint32_t at)
{
    return at > text.first && at + 2 < text.end && token_is(text.list, at - 1, "[") &&
           token_is(text.list, at + 1, "]") && token_is_string(text.list, at + 2);
}

/* Is it a whole argument, as in `EACH(item, list)`, or behind a type, as in `({ int item = 0; … })`? */
static bool may_declare(token_range text, uint32_t at)
{
    const token_list *const list = text.list;
    if (at == text.first) return false;
    if (token_is_name(list, at - 1) || token_is(list, at - 1, "*")) return true;
    bool const begins = token_is(list, at - 1, "(") || token_is(list, at - 1, ",");
    return begins && at + 1 < text.end && (token_is(list, at + 1, ")") || token_is(list, at + 1, ","));
}

static void look_at_text(token_range text, void *context)
{
    bare_names *const b = context;
    for (uint32_t at = text.first; find_name((token_range){text.list, at, text.end}, name_of(b), &at); at++) {
        if (is_operand_of_asm(text, at)) continue;
        b->is_used = true;
        if (may_declare(text, at) || is_in_tag(text, at)) b->is_declared = true;
    }
}

/* A word of capitals at the beginning of a statement may be a macro that declares what it likes. */
static bool begins_with_macro(token_range text)
{
    size_t length;
    if (range_empty(text)) return false;
    const char *const word = token_text(text.list, text.first, &length);
    for (size_t i = 0; i < length; i++) {
        if (word[i] >= 'a' && word[i] <= 'z') return false;
    }
    return token_is_name(text.list, text.first);
}

/* Arms have a check of their own: lifetimes.c. */
static bool has_arms(const ast_statement *s)
{
    return s->kind == STATEMENT_AWAIT || s->kind == STATEMENT_STAY || s->kind == STATEMENT_SPAWN;
}

static void look_at_statement(ast_statement *s, void *context)
{
    bare_names *const b = context;
    if (s->kind == STATEMENT_LABEL && strcmp(s->operands->name.name, name_of(b)) == 0) b->is_declared = true;
    if (s->kind == STATEMENT_MACRO_BLOCK || s->kind == STATEMENT_DIRECTIVE) b->is_declared = true;
    if (s->kind == STATEMENT_TEXT && begins_with_macro(s->text)) b->is_declared = true;
    each_local(b->sema, s, look_at_local, b);
    if (!has_arms(s)) statement_texts(s, look_at_text, b);
}

/* Is it an operand, and no type? */
static bool is_operand(token_range text, uint32_t at)
{
    static const char *const before[] = {"=",  "+",  "-",  "/",  "%",  "<",  ">",  "!",  "&",  "|", "<=",
                                         ">=", "==", "!=", "&&", "||", "<<", ">>", "+=", "-=", "?"};
    static const char *const after[] = {"=",  "+",  "-",  "/",  "%",  "<",  ">",  "[",  ".", "->", "<=", ">=",
                                        "==", "!=", "&&", "||", "<<", ">>", "+=", "-=", "?", "++", "--"};
    for (size_t i = 0; at > text.first && i < sizeof before / sizeof before[0]; i++) {
        if (token_is(text.list, at - 1, before[i])) return true;
    }
    bool const may_be_type = at > text.first && token_is(text.list, at - 1, "("); /* `sizeof(item[2])` */
    if (may_be_type && token_is(text.list, at + 1, "[")) return false;
    for (size_t i = 0; at + 1 < text.end && i < sizeof after / sizeof after[0]; i++) {
        if (token_is(text.list, at + 1, after[i])) return true;
    }
    return false;
}

static void report_in_text(token_range text, void *context)
{
    bare_names *const b = context;
    uint32_t at;
    if (b->is_reported || !find_name(text, name_of(b), &at)) return;
    if (b->may_be_type && !is_operand(text, at)) return;
    uint32_t const after = at + 1;
    if (after < text.end) {
        bool const may_be_type = at == text.first || token_is(text.list, at - 1, "(");
        if (token_is_name(text.list, after) || token_is(text.list, after, "(")) return;
        if (may_be_type && token_is(text.list, after, "*")) return;
    }
    b->is_reported = true;
    report_unbound_name(b->sema, b->binding, token_span(text.list, at), "this body",
                        b->binding == BINDING_ITEM
                            ? "the arm that receives it hands it to a parameter of the step: `box -> Step(item)`"
                            : "the arm that has it hands it to a parameter of the step: `any(jobs) -> Step(index)`");
}

static void report_in_statement(ast_statement *s, void *context)
{
    if (!has_arms(s)) statement_texts(s, report_in_text, context);
}

static bool is_part_of_word(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_word_at(const char *text, uint32_t at, const char *word, uint32_t length)
{
    return memcmp(text + at, word, length) == 0 && !is_part_of_word(text[at - 1]) &&
           !is_part_of_word(text[at + length]);
}

typedef enum word_place {
    IN_DIRECTIVES = 1,
    AT_FILE_SCOPE = 2 /* outside of braces other than those of an `enum` */
} word_place;

/* Does a block have the word in one of these places? */
static bool is_in_blocks(const ast_text_block *block, const char *name, unsigned places)
{
    uint32_t const length = (uint32_t)strlen(name);
    for (; block; block = block->next) {
        const char *const text = block->inside.in->text;
        unsigned depth = 0;
        bool is_directive = false, is_enum = false;
        for (uint32_t i = block->inside.begin; i + length < block->inside.end; i++) {
            if (text[i] == '\n' && text[i - 1] != '\\') is_directive = false;
            if (text[i] == '#') is_directive = true;
            if (text[i] == '{' && !is_enum) depth++;
            if (text[i] == '}' && depth > 0) depth--;
            if (text[i] == '{' || text[i] == ';' || text[i] == '(') is_enum = false;
            if (i + 4 < block->inside.end && is_word_at(text, i, "enum", 4)) is_enum = true;
            unsigned const place = is_directive ? IN_DIRECTIVES : depth == 0 ? AT_FILE_SCOPE : 0;
            if ((place & places) && is_word_at(text, i, name, length)) return true;
        }
    }
    return false;
}

static bool is_in_files(const sema *s, const char *name, unsigned places)
{
    if (is_in_blocks(s->file->blocks, name, places)) return true;
    for (const ast_import *import = s->file->imports; import; import = import->next) {
        if (import->file && is_in_blocks(import->file->blocks, name, places)) return true;
    }
    return false;
}

bool may_be_global(const sema *s, const char *name)
{
    return is_in_files(s, name, IN_DIRECTIVES | AT_FILE_SCOPE);
}

bool has_operand(token_range text, const char *name)
{
    if (text.end - text.first == 1 && token_is(text.list, text.first, name)) return true;
    for (uint32_t at = text.first; find_name((token_range){text.list, at, text.end}, name, &at); at++) {
        if (is_operand(text, at)) return true;
    }
    return false;
}

static bool is_parameter(const body_site *site, const char *name)
{
    for (const ast_declaration *p = site->step->params; p; p = p->next) {
        if (p->first && p->first->name.name && strcmp(p->first->name.name, name) == 0) return true;
    }
    return false;
}

static void check_body(sema *s, const body_site *site)
{
    static const binding_kind kinds[] = {BINDING_ITEM, BINDING_INDEX};
    if (!site->step) return;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        bare_names b = {.sema = s, .binding = kinds[i], .may_be_type = may_be_global(s, binding_names[kinds[i]])};
        uint32_t at;
        if (!find_name(site->body->text, name_of(&b), &at)) continue;
        if (is_in_files(s, name_of(&b), IN_DIRECTIVES)) continue; /* a macro may declare it */
        walk_statements(site->body->first, look_at_statement, &b);
        if (!b.is_used || b.is_declared || is_damaged(s, range_span(site->body->text))) continue;
        if (!is_parameter(site, name_of(&b))) walk_statements(site->body->first, report_in_statement, &b);
    }
}

void check_bare_names(sema *s, ast_flow *flow)
{
    for_each_body(s, flow, check_body);
}
