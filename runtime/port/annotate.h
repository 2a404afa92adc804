/* SPDX-License-Identifier: MIT */
/* annotate.h - common macros of the two files with valgrind annotations. The headers of helgrind and drd define the
 * same macros, so each needs a file of its own. */
#ifndef UFLOW_ANNOTATE_H
#define UFLOW_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>

/* Mutes the tools inside of a condition wait: after a timeout the C library may signal the condition without the
 * lock. */
void ufp_note_waiting(bool waiting);

void ufp_helgrind_release(const void *word);
void ufp_helgrind_acquire(const void *word);
void ufp_helgrind_shared(const void *word, size_t size);

#endif
