/* words.h - looking for names in the C that ufc hands through. */
#ifndef UFC_WORDS_H
#define UFC_WORDS_H

#include "token.h"

/* The text of a token, not terminated. */
static inline const char *token_text(const token_list *list, uint32_t index, size_t *length)
{
    *length = list->items[index].end - list->items[index].begin;
    return list->in->text + list->items[index].begin;
}
span token_span(const token_list *list, uint32_t index);

bool token_is_string(const token_list *list, uint32_t index); /* a string literal, with any prefix */

/* For every word of a range that stands for itself: not what follows `.` or `->`, nor the tag after struct, union or
 * enum. Start with *index = range.first; false at the end. The word found is at *index - 1 afterwards. */
bool next_name(token_range in, uint32_t *index);

/* Finds such a word that is spelled `name`. False: none. */
bool find_name(token_range in, const char *name, uint32_t *index);

#endif
