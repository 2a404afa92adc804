/* annotate.h - between the two files that talk to valgrind's tools. */
#ifndef UFLOW_ANNOTATE_H
#define UFLOW_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>

/* Inside of the system's wait for a condition: when it times out, the C library may signal the condition once more without
 * the lock, which is its own affair. */
void ufp_note_waiting(bool waiting);

void ufp_helgrind_release(const void *word);
void ufp_helgrind_acquire(const void *word);
void ufp_helgrind_shared(const void *word, size_t size);

#endif
