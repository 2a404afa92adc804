/* SPDX-License-Identifier: MIT */
/* utf8.h - validates UTF-8 and measures characters. */
#ifndef UFC_UTF8_H
#define UFC_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The number of bytes of the character at the start, 1 to 4. 0: it is not valid UTF-8, not the shortest form, a
 * surrogate or beyond U+10FFFF. */
size_t utf8_length(const char *text, size_t available);

/* The code point of a valid character. */
uint32_t utf8_decode(const char *text, size_t length);

/* The name of a character that looks like a blank or is invisible, such as "a no-break space"; NULL: it is another
 * character, or white space of C. */
const char *utf8_unseen(const char *text, size_t length);

/* The quote of C that a quotation mark of typesetting stands for, as in “text”; NUL: it is none. */
char utf8_quote(const char *text, size_t length);

#endif
