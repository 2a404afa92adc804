/* SPDX-License-Identifier: MIT */
/* blocks.h - the kinds of blocks of C that a file may hold. */
#ifndef UFC_BLOCKS_H
#define UFC_BLOCKS_H

typedef enum block_kind {
    BLOCK_PROLOGUE, /* in the C file, before its includes */
    BLOCK_HEADER,   /* in the header */
    BLOCK_INCLUDES, /* a part of a `header` block: in the header, outside of its extern "C" */
    BLOCK_SOURCE    /* in the C file, after its includes */
} block_kind;

static inline const char *block_word(block_kind kind)
{
    static const char *const words[] = {"prologue", "header", "includes", "source"};
    return words[kind];
}

#endif
