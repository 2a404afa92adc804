/* annotate_drd.c - the annotations of port_words.h, for drd; annotate_helgrind.c has the helgrind half. */
#include "annotate.h"

#include "port.h"

#include <valgrind/drd.h>

void ufp_note_release(const void *word)
{
    ANNOTATE_HAPPENS_BEFORE(word);
    ufp_helgrind_release(word);
}

void ufp_note_acquire(const void *word)
{
    ANNOTATE_HAPPENS_AFTER(word);
    ufp_helgrind_acquire(word);
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
