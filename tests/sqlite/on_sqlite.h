/* SPDX-License-Identifier: MIT */
/* on_sqlite.h - the functions of the store in memory, with a store in a file: so the same tests are run with both.
 * tests/sqlite/CMakeLists.txt gives them the names that the tests use. */
#ifndef ON_SQLITE_H
#define ON_SQLITE_H

#include "uflow/uflow.h"

uf_status on_sqlite_open(uf_store **store, const uf_store_config *config);
uf_status on_sqlite_copy(uf_store **store, const uf_store *of, const uf_store_config *config);
uint64_t on_sqlite_commits(const uf_store *store);
uf_status on_sqlite_stop(uf_store *store, uint64_t commits, const char *failure);
uf_status on_sqlite_close(uf_store *store);

/* A round, and all others until the store has committed what was put: virtual time stands still for the disk. */
uf_time on_sqlite_round(uf_pump *pump, uf_time now);

#endif
