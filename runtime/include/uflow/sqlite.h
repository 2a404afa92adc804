/* SPDX-License-Identifier: MIT */
/* sqlite.h - a store of durable flows (store.h) in a file of SQLite. Link the library uflow_sqlite.
 *
 *   uf_store *store;
 *   if (uf_sqlite_open(&store, "plant.db", NULL) != UF_OK) return 1;      says on stderr what and where
 *   uf_runtime_new(&runtime, &(uf_runtime_config){.store = store});
 *   ...
 *   uf_runtime_free(runtime);
 *   uf_store_close(store);
 */
#ifndef UFLOW_SQLITE_H
#define UFLOW_SQLITE_H

#include "uflow/store.h"

UF_C_BEGIN

/* The configuration of such a store. A zeroed member selects its default. */
typedef struct uf_sqlite_config {
    uf_store_config store;
    char *error; /* room for UF_STORE_TEXT_SIZE bytes: why uf_sqlite_open() has failed, or ""; NULL: it is printed */
} uf_sqlite_config;

/* Opens a store in the file `path`, which is created with mode 0600 if it is missing. The files beside it, whose names
 * end with -wal, -shm and -owner, belong to it. The table `flow` has a row for each durable flow; `sqlite3` can read it
 * meanwhile. A commit is on the disk before a step begins. All records of a round, and of the rounds while a commit is
 * under way, are one commit, on a thread of the store: the pump never waits for the disk. NULL for the configuration:
 * the defaults. Not for files on other machines.
 * Thread: any.
 * Returns: UF_OK; UF_BUSY: a process has opened it, or locks it; UF_STORE: it cannot be opened or written, is no file
 * of such a store, or is damaged, or a newer uflow has written it; UF_NO_THREAD: no thread, with the reason in errno;
 * UF_NO_MEMORY; UF_INVALID. After an error `*store` is NULL.
 * Lifetime: until uf_store_close(), which commits what was put. If the disk does not answer for `limit`, the thread is
 * left behind, with the file. */
uf_status uf_sqlite_open(uf_store **store, const char *path, const uf_sqlite_config *config);

UF_C_END
#endif
