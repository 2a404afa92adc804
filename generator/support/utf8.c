/* SPDX-License-Identifier: MIT */
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

uint32_t utf8_decode(const char *text, size_t length)
{
    uint32_t character = (unsigned char)text[0] & (length == 1 ? 0x7Fu : 0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) character = character << 6 | ((unsigned char)text[i] & 0x3Fu);
    return character;
}

static const struct unseen {
    uint32_t first, last;
    const char *name;
} unseen[] = {
    {0x01, 0x08, "a control character"},
    {0x0e, 0x1f, "a control character"},
    {0x7f, 0x9f, "a control character"},
    {0xa0, 0xa0, "a no-break space"},
    {0xad, 0xad, "a soft hyphen"},
    {0x034f, 0x034f, "a joiner without width"},
    {0x061c, 0x061c, "a mark of direction"},
    {0x115f, 0x1160, "a filler"},
    {0x1680, 0x1680, "a space that is not ASCII"},
    {0x180e, 0x180e, "a separator without width"},
    {0x2000, 0x200a, "a space that is not ASCII"},
    {0x200b, 0x200b, "a space without width"},
    {0x200c, 0x200d, "a joiner without width"},
    {0x200e, 0x200f, "a mark of direction"},
    {0x2028, 0x2029, "a separator of lines"},
    {0x202a, 0x202e, "a mark of direction"},
    {0x202f, 0x202f, "a no-break space"},
    {0x205f, 0x205f, "a space that is not ASCII"},
    {0x2060, 0x2065, "a character without width"},
    {0x2066, 0x206f, "a mark of direction"},
    {0x3000, 0x3000, "a space that is not ASCII"},
    {0x3164, 0x3164, "a filler"},
    {0xfe00, 0xfe0f, "a variation selector"},
    {0xfeff, 0xfeff, "a byte order mark"},
    {0xffa0, 0xffa0, "a filler"},
    {0xe0000, 0xe0fff, "a tag without width"},
};

char utf8_quote(const char *text, size_t length)
{
    uint32_t const character = utf8_decode(text, length);
    if ((character >= 0x201c && character <= 0x201f) || character == 0xab || character == 0xbb) return '"';
    return character >= 0x2018 && character <= 0x201b ? '\'' : '\0';
}

const char *utf8_unseen(const char *text, size_t length)
{
    uint32_t const character = utf8_decode(text, length);
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        if (unseen[i].first <= character && character <= unseen[i].last) return unseen[i].name;
    }
    return NULL;
}
