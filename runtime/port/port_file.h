/* port_file.h - the platform functions for coverage: a file that several processes change. */
#ifndef UFLOW_PORT_FILE_H
#define UFLOW_PORT_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* One lock for the whole process. It may be held for as long as it takes to write a file. A fork() waits for it; then
 * `in_child` runs in the child, on the only thread. */
void ufp_file_lock(void);
void ufp_file_unlock(void);
void ufp_file_on_fork(void (*in_child)(void));

/* Returns: the path from the root, allocated; if that is not known, a copy of `path`; NULL: there is no memory. */
char *ufp_file_absolute(const char *path);

/* Makes the new contents of a file. It may be called again.
 * Returns: allocated by ufp_allocate(); NULL: the file must stay as it is, and errno is set. */
typedef char *ufp_file_edit(void *context, const char *old, size_t old_length, size_t *length);

/* Replaces the contents of a file, which is created if it is missing. Other processes that use this function wait
 * meanwhile. The file has either the old contents or the new ones, whatever happens to the process. What is no regular
 * file is only written to.
 * Returns: false: nothing changed; errno is set. */
bool ufp_file_update(const char *path, ufp_file_edit *edit, void *context);

#endif
