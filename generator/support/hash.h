/* SPDX-License-Identifier: MIT */
/* hash.h - a hash of a text (FNV-1a). */
#ifndef UFC_HASH_H
#define UFC_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t hash_of(const char *text, size_t length)
{
    uint32_t hash = UINT32_C(0x811c9dc5);
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * UINT32_C(0x01000193);
    return hash;
}

#endif
