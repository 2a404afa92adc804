/* SPDX-License-Identifier: MIT */
/* port_file.h - the platform functions for a file that one process owns. */
#ifndef UFLOW_PORT_FILE_H
#define UFLOW_PORT_FILE_H

#include "port.h"

/* Locks a file, which is created if it is missing, until ufp_file_release() or the end of the process. A second lock
 * is refused, also in the same process.
 * Returns: 0 and the lock; or an errno. EWOULDBLOCK: it is locked, by the process `owner` if that is not 0. */
int ufp_file_own(const char *path, int *lock, long *owner);
void ufp_file_release(int lock);

/* Creates an empty file that only its user may read. Returns: 0, also if there is a file; or an errno. */
int ufp_file_create(const char *path);

/* Returns: the path of the file behind links, allocated; of a file that is missing: its path; NULL: no memory. */
char *ufp_file_real(const char *path);

#endif
