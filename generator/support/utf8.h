/* utf8.h - validates UTF-8 and measures characters. */
#ifndef UFC_UTF8_H
#define UFC_UTF8_H

#include <stddef.h>

/* The number of bytes of the character at the start, 1 to 4. 0: it is not valid UTF-8, not the shortest form, a
 * surrogate or beyond U+10FFFF. */
size_t utf8_length(const char *text, size_t available);

#endif
