/* hash.h - a hash of a text, eight bytes at a time. It may differ between machines, so use it only for tables. */
#ifndef UFC_HASH_H
#define UFC_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t hash_of(const char *text, size_t length)
{
    uint64_t const factor = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = length * factor;
    for (; length > 8; text += 8, length -= 8) {
        uint64_t part;
        memcpy(&part, text, 8);
        hash = (hash ^ part) * factor;
        hash ^= hash >> 32;
    }
    /* For the last one to eight bytes; from four on, it reads the first four and the last four. */
    uint32_t first = 0, last = 0;
    if (length >= 4) {
        memcpy(&first, text, 4);
        memcpy(&last, text + length - 4, 4);
    } else if (length > 0) {
        first = (unsigned char)text[0];
        last = (uint32_t)(unsigned char)text[length / 2] << 8 | (unsigned char)text[length - 1];
    }
    hash = (hash ^ ((uint64_t)last << 32 | first)) * factor;
    return (uint32_t)(hash >> 32);
}

#endif
