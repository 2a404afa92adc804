/* utf8.h - is it UTF-8, and how long is a character. */
#ifndef UFC_UTF8_H
#define UFC_UTF8_H

#include <stddef.h>

/* The number of bytes of the character that begins there, 1 to 4; 0 if it is none, is not the shortest form, is a
 * surrogate or lies beyond U+10FFFF. */
size_t utf8_length(const char *text, size_t available);

#endif
