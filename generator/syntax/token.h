/* token.h - the tokens of a file: preprocessing tokens of C, the words of the language among them. */
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
#define TOKEN_OPEN_QUOTE    2u  /* a string or character without an end */
#define TOKEN_OPEN_COMMENT  4u  /* a directive with a comment without an end in it */
#define TOKEN_SKIPS         8u  /* a directive whose branch the preprocessor skips */
#define TOKEN_SYNTHETIC     16u /* not in the text: a bracket that was missing */
/* Words of C that are names to the grammar: what makes a type by itself; what stands beside one, as storage classes and
 * qualifiers do; attributes; what makes a type of what follows in parentheses; what begins no declarator. */
#define TOKEN_TYPE       32u
#define TOKEN_SPECIFIER  64u
#define TOKEN_ATTRIBUTE  128u
#define TOKEN_TYPEOF     256u
#define TOKEN_EXPRESSION 512u
/* Set by shape.c: a word that stands for something by itself, not behind `.`, `->` or a tag. */
#define TOKEN_FREE       1024u
#define TOKEN_WORDS_OF_C (TOKEN_TYPE | TOKEN_SPECIFIER | TOKEN_ATTRIBUTE | TOKEN_TYPEOF | TOKEN_EXPRESSION)

#define KIND_LIMIT       128 /* there are fewer kinds: tables that tell them apart have so many entries */

typedef struct token_list {
    const source *in;
    token *items;
    uint32_t count;
} token_list;

/* A run of tokens: [first, end) of a list. Its text, from the first one's first byte to the last one's last, is copied
 * byte for byte, comments in between included. */
typedef struct token_range {
    const token_list *list;
    uint32_t first, end;
} token_range;

static inline bool range_empty(token_range r)
{
    return r.first >= r.end;
}
span range_span(token_range r);

/* Inline, so that the length of a literal is known. */
static inline bool token_is(const token_list *list, uint32_t index, const char *text)
{
    const token *const t = &list->items[index];
    size_t const length = strlen(text);
    return t->end - t->begin == length && memcmp(list->in->text + t->begin, text, length) == 0;
}
bool token_is_name(const token_list *list, uint32_t index); /* words of the language included, words of C not */
bool kind_is_name(uint16_t kind);
extern const bool kind_is_no_word[KIND_LIMIT];
static inline bool kind_is_word(uint16_t kind)
{
    return !kind_is_no_word[kind];
}
bool token_is_access(const token_list *list, uint32_t index);            /* `.` or `->` */
bool token_is_tag(const token_list *list, uint32_t index);               /* struct, union, enum */
static inline bool token_is_word(const token_list *list, uint32_t index) /* of C and of the language */
{
    return kind_is_word(list->items[index].kind);
}
bool token_is_directive(const token_list *list, uint32_t index);
bool token_is_format_macro(const token_list *list, uint32_t index); /* PRId64 and its like, of <inttypes.h> */
/* The first conditional directive of a range that opens a branch without its end, or goes on with one that began before; its end: none. */
uint32_t token_dividing(token_range in);
bool token_is_line(const token_list *list, uint32_t index); /* a directive that is not conditional */
const char *token_name(uint16_t kind);

/* The text of a name, interned, without the line splices in it. */
const char *token_intern(arena *a, const token_list *list, uint32_t index);

#endif
