/* SPDX-License-Identifier: MIT */
/* token.h - the tokens of a file: preprocessing tokens of C, including the words of the language. */
#ifndef UFC_TOKEN_H
#define UFC_TOKEN_H

#include <string.h>

#include "source.h"

/* Kinds are lemon's terminal numbers (uflow_parse.h); token_name() spells them. Blanks and comments are no tokens. */
typedef struct token {
    uint16_t kind;
    uint16_t flags; /* TOKEN_FIRST_ON_LINE, ... */
    uint32_t begin, end;
} token;

#define TOKEN_FIRST_ON_LINE 1u
#define TOKEN_OPEN_QUOTE    2u  /* an unterminated string or character */
#define TOKEN_SKIPS         8u  /* a directive whose branch the preprocessor skips */
#define TOKEN_SYNTHETIC     16u /* inserted for a missing bracket */
/* Words of C that are names to the grammar: complete types; storage classes and qualifiers; attributes; words that make
 * a type with parentheses; words that cannot begin a declarator. */
#define TOKEN_TYPE       32u
#define TOKEN_SPECIFIER  64u
#define TOKEN_ATTRIBUTE  128u
#define TOKEN_TYPEOF     256u
#define TOKEN_EXPRESSION 512u
/* A word that is used as a name, and does not follow `.`, `->` or a tag. */
#define TOKEN_FREE       1024u
#define TOKEN_TIME       2048u /* a literal of a duration in C, as in `x = 40ms`; not in its clause, `timeout 40ms` */
#define TOKEN_STORAGE    4096u /* a word that a declaration has and a value has not: `static`, `inline`, `auto` */
#define TOKEN_WORDS_OF_C (TOKEN_TYPE | TOKEN_SPECIFIER | TOKEN_ATTRIBUTE | TOKEN_TYPEOF | TOKEN_EXPRESSION)

#define KIND_LIMIT       128 /* greater than the largest kind */

/* Classes of kinds, from words.def. */
#define IS_WORD        1u    /* a word of C or of the language */
#define IS_NAME        2u    /* a word that may be a name in C */
#define IS_MEMBER      4u    /* begins a part of a file, flow or task */
#define IS_HEAD        8u    /* flow, group, task, step */
#define IS_HANDLER     16u   /* follows `on` */
#define IS_INTENT      32u   /* begins an intent */
#define IS_EVENT       64u   /* begins an arm */
#define IS_STATEMENT   128u  /* begins a statement of C */
#define IS_CONDITION   256u  /* takes parentheses and a statement */
#define IS_TAG         512u  /* struct, union, enum */
#define IS_ACCESS      1024u /* `.`, `->` */
#define OPENS_BRACKET  2048u
#define CLOSES_BRACKET 4096u
#define IS_DIRECTIVE   8192u
#define IS_BRANCH      16384u /* a conditional directive */
#define ENDS_PATH      32768u /* an intent that ends its path */
#define IS_CALL        65536u /* begins an arm only before `(`; elsewhere it is a name, also in arms */

extern const uint32_t kind_classes[KIND_LIMIT];
static inline bool kind_is(uint16_t kind, unsigned classes)
{
    return (kind_classes[kind] & classes) != 0;
}

typedef struct token_list {
    const source *in;
    token *items;
    uint32_t count;
} token_list;

/* A run of tokens: [first, end) of a list. Its text is copied byte for byte, from its first token to its last, with the
 * comments in between. An empty run may lack its list. */
typedef struct token_range {
    const token_list *list;
    uint32_t first, end;
} token_range;

static inline bool range_empty(token_range r)
{
    return r.first >= r.end;
}
static inline token_range range_inside(token_range brackets)
{
    return (token_range){brackets.list, brackets.first + 1, brackets.end - 1};
}
span range_span(token_range r);

const char *token_name(uint16_t kind);

/* Inline, so that the compiler knows the length of a literal. A digraph is the bracket that it stands for. */
static inline bool token_is(const token_list *list, uint32_t index, const char *text)
{
    const token *const t = &list->items[index];
    size_t const length = strlen(text), own = t->end - t->begin;
    if (length == 1 && own == 2 && kind_is(t->kind, OPENS_BRACKET | CLOSES_BRACKET))
        return *token_name(t->kind) == *text;
    return own == length && memcmp(list->in->text + t->begin, text, length) == 0;
}
/* Is the text one of these, which blanks separate: "int char"? The token: "* ( [" */
bool text_is_one_of(const char *text, size_t length, const char *texts);
bool token_is_one_of(const token_list *list, uint32_t index, const char *texts);
static inline uint16_t token_kind(const token_list *list, uint32_t index) /* 0 after the end */
{
    return index < list->count ? list->items[index].kind : 0;
}
static inline bool token_has(const token_list *list, uint32_t index, unsigned classes)
{
    return kind_is(list->items[index].kind, classes);
}
/* The same about a token that may be outside of the text: then the answer is no. `at - 1` may be before the first. */
static inline bool range_is(token_range in, uint32_t at, const char *text)
{
    return at >= in.first && at < in.end && token_is(in.list, at, text);
}
static inline bool range_is_one_of(token_range in, uint32_t at, const char *texts)
{
    return at >= in.first && at < in.end && token_is_one_of(in.list, at, texts);
}
static inline bool range_has(token_range in, uint32_t at, unsigned classes)
{
    return at >= in.first && at < in.end && token_has(in.list, at, classes);
}
static inline bool token_is_name(const token_list *list, uint32_t index)
{
    return token_has(list, index, IS_NAME);
}
static inline bool token_is_word(const token_list *list, uint32_t index)
{
    return token_has(list, index, IS_WORD);
}
static inline bool token_is_time(const token_list *list, uint32_t index)
{
    return (list->items[index].flags & TOKEN_TIME) != 0;
}
static inline bool token_is_directive(const token_list *list, uint32_t index)
{
    return token_has(list, index, IS_DIRECTIVE);
}
bool token_is_format_macro(const token_list *list, uint32_t index); /* PRId64 and similar macros of <inttypes.h> */
uint32_t token_from(const token_list *list, uint32_t offset); /* the first one that does not begin before that byte */
/* The token after the partner of the bracket or #if that opens there. The same place if none opens; the end if it has
 * no partner. */
uint32_t token_after_brackets(const token_list *list, uint32_t index);
/* The first conditional directive of a range whose partner is outside of the range; its end: none. */
uint32_t token_dividing(token_range in);
uint16_t token_partner(uint16_t opener); /* the kind that closes a bracket or an #if */

/* Sets the kind and the flags of a word, which the scanner has classified as a name. */
void token_classify(token *t, const char *text, size_t length);

/* Is the text spelled so, perhaps with line splices in it? */
bool token_spells(const char *text, size_t length, const char *spelling);

/* The kind of a conditional directive with that name; 0: there is none. */
uint16_t token_directive(const char *text, size_t length);

/* The spellings of a class of words, in the order of words.def. Returns their number, at most WORDS_LIMIT. */
#define WORDS_LIMIT 64
size_t token_spellings(unsigned classes, const char *words[WORDS_LIMIT]);

/* The kind of the word with that spelling. */
uint16_t token_kind_of(const char *text, size_t length);
bool token_is_c(const char *text, size_t length); /* a reserved word of C */

/* The text of a name, interned, without its line splices. */
const char *token_intern(arena *a, const token_list *list, uint32_t index);

#endif
