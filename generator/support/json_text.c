/* SPDX-License-Identifier: MIT */
#include "json_text.h"

#include "utf8.h"

void json_quote(buffer *out, const char *text, size_t length)
{
    buffer_putc(out, '"');
    for (size_t i = 0; i < length;) {
        unsigned char const c = (unsigned char)text[i];
        size_t const size = utf8_length(text + i, length - i);
        if (size == 0) buffer_puts(out, "\\ufffd");
        else if (c == '"' || c == '\\') buffer_printf(out, "\\%c", c);
        else if (c == '\n') buffer_puts(out, "\\n");
        else if (c == '\t') buffer_puts(out, "\\t");
        else if (c < 0x20 || c == 0x7F) buffer_printf(out, "\\u%04x", (unsigned)c);
        else buffer_append(out, text + i, size);
        i += size ? size : 1;
    }
    buffer_putc(out, '"');
}
