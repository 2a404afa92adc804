/* SPDX-License-Identifier: MIT */
/* annotate_drd.c - the annotations of port_words.h, for drd; annotate_helgrind.c has the helgrind half. */
#include "annotate.h"

#include "port.h"

#include <valgrind/drd.h>

/* A place that stands for a word. At the word itself, drd would refuse a condition that lies there later: it never
 * forgets words on a stack. Words that share a place only make drd see less. */
static const void *place_of(const void *word)
{
    enum { PLACES = 1 << 20 };
    static const char places[PLACES];
    return &places[((uintptr_t)word >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> 40 & (PLACES - 1)];
}

void ufp_note_release(const void *word)
{
    ANNOTATE_HAPPENS_BEFORE(place_of(word));
    ufp_helgrind_release(place_of(word)); /* drd reads helgrind's annotations, too */
}

void ufp_note_acquire(const void *word)
{
    ANNOTATE_HAPPENS_AFTER(place_of(word));
    ufp_helgrind_acquire(place_of(word));
}

void ufp_note_waiting(bool waiting)
{
    if (waiting) VALGRIND_DISABLE_ERROR_REPORTING;
    else VALGRIND_ENABLE_ERROR_REPORTING;
}

void ufp_note_shared(const void *word, size_t size)
{
    ANNOTATE_BENIGN_RACE_SIZED(word, size, "words of port_words.h");
    ufp_helgrind_shared(word, size);
}
