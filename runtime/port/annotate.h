/* annotate.h - between the two files that talk to valgrind's tools. */
#ifndef UFLOW_ANNOTATE_H
#define UFLOW_ANNOTATE_H

#include <stddef.h>

void ufp_helgrind_release(const void *word);
void ufp_helgrind_acquire(const void *word);
void ufp_helgrind_shared(const void *word, size_t size);

#endif
