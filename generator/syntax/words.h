/* SPDX-License-Identifier: MIT */
/* words.h - searches for names in C text that ufc copies. */
#ifndef UFC_WORDS_H
#define UFC_WORDS_H

#include "bindings.h"
#include "token.h"

/* Returns the text of a token, not terminated. */
static inline const char *token_text(const token_list *list, uint32_t index, size_t *length)
{
    *length = list->items[index].end - list->items[index].begin;
    return list->in->text + list->items[index].begin;
}
/* Has the token no small letter, as names of macros have? */
bool token_in_capitals(const token_list *list, uint32_t index);
span token_span(const token_list *list, uint32_t index);

bool token_is_string(const token_list *list, uint32_t index); /* a string literal, with any prefix */
bool token_is_number(const token_list *list, uint32_t index); /* also a duration, `50ms` */

/* Finds the next word of a range that is not after `.` or `->`, nor a tag. Start with *index = range.first. Returns:
 * false at the end; otherwise the word is at *index - 1. */
static inline bool next_name(token_range in, uint32_t *index)
{
    uint32_t at = *index;
    while (at < in.end && !(in.list->items[at].flags & TOKEN_FREE)) at++;
    *index = at + 1;
    return at < in.end;
}

/* Finds such a word with the spelling `name`. Returns: false if there is none. */
bool find_name(token_range in, const char *name, uint32_t *index);

/* The name of bindings.def that the token is; BINDING_COUNT: none. Those that next_name() finds in the text. */
binding_kind binding_at(const token_list *list, uint32_t index);
binding_set bindings_in(token_range text);

/* Returns the index of the bracket that closes the one at `open`; the end if there is none. */
uint32_t closing_bracket(token_range in, uint32_t open);
/* That of the bracket that opens the one at `close`; the first token if there is none. */
uint32_t opening_bracket(token_range in, uint32_t close);

/* Returns the first token outside of brackets with that spelling; the end if there is none. */
uint32_t find_outside(token_range in, const char *mark);

#endif
