/* SPDX-License-Identifier: MIT */
/* annotate_helgrind.c - the annotations of port_words.h, for helgrind, in a build with UFP_ANNOTATED. Outside of
 * valgrind a request is a few instructions without effect. */
#include "annotate.h"

#include <valgrind/helgrind.h>

void ufp_helgrind_release(const void *word)
{
    ANNOTATE_HAPPENS_BEFORE(word);
}

void ufp_helgrind_acquire(const void *word)
{
    ANNOTATE_HAPPENS_AFTER(word);
}

void ufp_helgrind_shared(const void *word, size_t size)
{
    VALGRIND_HG_DISABLE_CHECKING(word, size);
}
