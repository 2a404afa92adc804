/* SPDX-License-Identifier: MIT */
/* json_text.h - strings in JSON. */
#ifndef UFC_JSON_TEXT_H
#define UFC_JSON_TEXT_H

#include "buffer.h"

/* Appends the text as a JSON string, with quotes. Bytes that are not valid UTF-8 become U+FFFD. Jansson, which the
 * language server links too, has json_string(). */
void json_quote(buffer *out, const char *text, size_t length);

/* The same for a text that ends with a NUL, after what stands before it: `"name": `. */
static inline void json_text(buffer *out, const char *before, const char *text)
{
    buffer_puts(out, before);
    json_quote(out, text, strlen(text));
}

#endif
