/* blocks.h - the kinds of blocks of C that a file may hold. */
#ifndef UFC_BLOCKS_H
#define UFC_BLOCKS_H

typedef enum block_kind {
    BLOCK_PROLOGUE, /* in the C file, before its includes */
    BLOCK_HEADER,   /* in the header */
    BLOCK_SOURCE    /* in the C file, after its includes */
} block_kind;

static inline const char *block_word(block_kind kind)
{
    return kind == BLOCK_PROLOGUE ? "prologue" : kind == BLOCK_HEADER ? "header" : "source";
}

#endif
