/* SPDX-License-Identifier: MIT */
#include "token.h"

#include <string.h>

#include "arms.h"
#include "uflow_parse.h"

span range_span(token_range r)
{
    if (range_empty(r)) return (span){r.list ? r.list->in : NULL, 0, 0};
    return (span){r.list->in, r.list->items[r.first].begin, r.list->items[r.end - 1].end};
}

/* -- the table of words ------------------------------------------------------------------------------------------- */

const uint32_t kind_classes[KIND_LIMIT] = {
#define WORD(kind, spelling, classes) [kind] = IS_WORD | classes,
#define MARK(kind, name, classes)     [kind] = classes,
#define C_WORDS(kind, flags, spellings)
#include "words.def"
};

static const char *const names[KIND_LIMIT] = {
#define WORD(kind, spelling, classes) [kind] = spelling,
#define MARK(kind, name, classes)     [kind] = name,
#define C_WORDS(kind, flags, spellings)
#include "words.def"
};

/* The words, with blanks between those that are alike. */
static const struct {
    const char *spellings;
    uint16_t kind, flags;
} rows[] = {
#define WORD(kind, spelling, classes) {spelling, kind, 0},
#define MARK(kind, name, classes)
#define C_WORDS(kind, flags, spellings) {spellings, kind, flags},
#include "words.def"
};
#define ROW_COUNT (sizeof rows / sizeof rows[0])

typedef struct word {
    const char *spelling;
    size_t length;
    uint16_t kind, flags;
} word;

/* Returns the text after the splice that begins there, a backslash up to the end of its line; `\u00e9` is no splice. */
static const char *behind_splice(const char *p, const char *end)
{
    if (*p != '\\' || p + 1 == end || !strchr(" \t\v\f\r\n", p[1])) return p;
    while (*p != '\n') p++;
    return p + 1;
}

bool token_spells(const char *text, size_t length, const char *spelling)
{
    const char *const end = text + length;
    while (text < end) {
        const char *const next = behind_splice(text, end);
        if (next == text && *text != *spelling++) return false;
        text = next > text ? next : text + 1;
    }
    return !*spelling;
}

enum { MOST_WORDS = 256 };

/* The place of a word in a table by hash, most of which is free: a name rarely meets a word. */
static const word **place_of(const char *text, size_t length)
{
    static const word *table[MOST_WORDS * 4];
    size_t at = ((unsigned char)text[0] * 13u + (unsigned char)text[length / 2] * 5u + length) % (MOST_WORDS * 4);
    while (table[at] && (table[at]->length != length || memcmp(table[at]->spelling, text, length) != 0))
        at = (at + 1) % (MOST_WORDS * 4);
    return &table[at];
}

static void fill_table(void)
{
    static word words[MOST_WORDS];
    size_t count = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        for (const char *at = rows[i].spellings; *at && count < MOST_WORDS; at += strspn(at, " ")) {
            words[count] = (word){at, strcspn(at, " "), rows[i].kind, rows[i].flags};
            *place_of(at, words[count].length) = &words[count];
            at += words[count++].length;
        }
    }
}

void token_classify(token *t, const char *text, size_t length)
{
    static bool is_filled;
    if (!is_filled) fill_table();
    is_filled = true;
    const word *const found = *place_of(text, length);
    t->kind = found ? found->kind : T_IDENT;
    if (found) t->flags |= found->flags;
}

uint16_t token_directive(const char *text, size_t length)
{
    char name[sizeof "#elifndef"] = "#";
    size_t kept = 1;
    const char *const end = text + length;
    for (const char *next; text < end && kept < sizeof name; text = next) {
        next = behind_splice(text, end);
        if (next == text) name[kept++] = *next++;
    }
    uint16_t const kind = token_kind_of(name, kept);
    return text == end && kind_is(kind, IS_BRANCH) ? kind : 0;
}

size_t token_spellings(unsigned classes, const char *found[WORDS_LIMIT])
{
    size_t count = 0;
    for (size_t i = 0; i < ROW_COUNT && count < WORDS_LIMIT; i++) {
        if (kind_is(rows[i].kind, IS_WORD) && kind_is(rows[i].kind, classes) && rows[i].kind != T_IDENT)
            found[count++] = rows[i].spellings;
    }
    return count;
}

uint16_t token_kind_of(const char *text, size_t length)
{
    token t = {0};
    token_classify(&t, text, length);
    return t.kind;
}

bool token_is_c(const char *text, size_t length)
{
    token t = {0};
    token_classify(&t, text, length);
    return t.flags || (kind_is(t.kind, IS_WORD | IS_TAG) && !kind_is(t.kind, IS_NAME | IS_MEMBER));
}

const char *token_name(uint16_t kind)
{
    return kind < KIND_LIMIT && names[kind] ? names[kind] : "end";
}

/* -- tokens ------------------------------------------------------------------------------------------------------- */

uint16_t token_partner(uint16_t opener)
{
    return opener == T_LBRACE     ? T_RBRACE
           : opener == T_LPAREN   ? T_RPAREN
           : opener == T_LBRACKET ? T_RBRACKET
                                  : T_HASH_ENDIF;
}

uint32_t token_from(const token_list *list, uint32_t offset)
{
    uint32_t first = 0, end = list->count;
    while (first < end) {
        uint32_t const middle = first + (end - first) / 2;
        if (list->items[middle].begin < offset) first = middle + 1;
        else end = middle;
    }
    return first;
}

uint32_t token_after_brackets(const token_list *list, uint32_t index)
{
    unsigned depth = 0;
    for (uint32_t i = index; i < list->count; i++) {
        uint16_t const kind = list->items[i].kind;
        if (kind_is(kind, OPENS_BRACKET) || kind == T_HASH_IF) depth++;
        if ((kind_is(kind, CLOSES_BRACKET) || kind == T_HASH_ENDIF) && depth > 0) depth--;
        if (depth == 0) return i == index ? index : i + 1;
    }
    return list->count;
}

uint32_t token_dividing(token_range in)
{
    uint32_t depth = 0, opening = in.end;
    for (uint32_t i = in.first; i < in.end; i++) {
        uint16_t const kind = in.list->items[i].kind;
        if (!kind_is(kind, IS_BRANCH)) continue;
        if (kind == T_HASH_IF && depth++ == 0) opening = i;
        if (kind != T_HASH_IF && depth == 0) return i;
        if (kind == T_HASH_ENDIF) depth--;
    }
    return depth > 0 ? opening : in.end;
}

bool text_is_one_of(const char *text, size_t length, const char *texts)
{
    if (length == 0 || *text == '\0') return false;
    for (const char *at = texts; (at = strchr(at, *text)) != NULL; at++) {
        if ((at != texts && at[-1] != ' ') || strncmp(at, text, length) != 0) continue;
        if (memchr(text, '\0', length)) return false; /* a source may hold any byte */
        if (at[length] == ' ' || at[length] == '\0') return true;
    }
    return false;
}

bool token_is_one_of(const token_list *list, uint32_t index, const char *texts)
{
    const token *const t = &list->items[index];
    bool const is_bracket = kind_is(t->kind, OPENS_BRACKET | CLOSES_BRACKET); /* see token_is() */
    const char *const own = is_bracket ? token_name(t->kind) : list->in->text + t->begin;
    size_t const length = is_bracket ? 1 : t->end - t->begin;
    return text_is_one_of(own, length, texts);
}

bool token_is_format_macro(const token_list *list, uint32_t index)
{
    const token *const t = &list->items[index];
    const char *const text = list->in->text + t->begin;
    size_t const length = t->end - t->begin;
    return length >= 5 && memcmp(text, "PRI", 3) == 0 && memchr("dioxXu", text[3], 6) &&
           text_is_one_of(text + 4, length - 4,
                          "8 16 32 64 LEAST8 LEAST16 LEAST32 LEAST64 FAST8 FAST16 FAST32 FAST64 MAX PTR");
}

const char *token_intern(arena *a, const token_list *list, uint32_t index)
{
    const token *t = &list->items[index];
    const char *text = list->in->text + t->begin;
    uint32_t length = t->end - t->begin;
    if (!memchr(text, '\n', length)) return arena_intern(a, text, length);
    char *clean = arena_copy(a, text, length);
    uint32_t kept = 0;
    for (const char *p = text, *const end = text + length; p < end;) {
        const char *const next = behind_splice(p, end);
        if (next == p) clean[kept++] = *p++;
        else p = next;
    }
    return arena_intern(a, clean, kept);
}
