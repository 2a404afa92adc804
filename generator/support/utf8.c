#include "utf8.h"

size_t utf8_length(const char *text, size_t available)
{
    if (available == 0) return 0;
    unsigned char const first = (unsigned char)text[0];
    if (first < 0x80) return 1;
    size_t const length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || available < length) return 0;
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80) return 0;
    }
    unsigned char const second = (unsigned char)text[1];
    if (first == 0xE0 && second < 0xA0) return 0; /* not the shortest form */
    if (first == 0xED && second > 0x9F) return 0; /* a surrogate */
    if (first == 0xF0 && second < 0x90) return 0;
    if (first == 0xF4 && second > 0x8F) return 0; /* beyond U+10FFFF */
    return length;
}
