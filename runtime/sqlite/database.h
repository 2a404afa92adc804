/* SPDX-License-Identifier: MIT */
/* database.h - the file of SQLite in which records are. One thread at a time uses it. */
#ifndef UFLOW_DATABASE_H
#define UFLOW_DATABASE_H

#include "uflow/store.h"

#include <sqlite3.h>

/* -- batch.c: records, from their puts to the commit --------------------------------------------------------------- */

/* Zeroed, it is empty. Its memory stays for the next ones, if only its length is reset. */
typedef struct ufi_batch {
    unsigned char *bytes;
    size_t size, length;
} ufi_batch;

/* Memory for the bytes of the next record, up to the next call; NULL: there is none. */
void *ufi_batch_room(ufi_batch *batch, size_t size);

/* Adds the record whose bytes are there; 0 bytes: the path is forgotten. Returns: UF_OK; UF_NO_MEMORY; UF_INVALID: the
 * path is too long. */
uf_status ufi_batch_add(ufi_batch *batch, const char *path, size_t size);

/* A record of a batch. Zeroed, it is before the first one. */
typedef struct ufi_record {
    const char *path;
    int path_length;
    const void *bytes;
    size_t size, end;
} ufi_record;

/* The next one. Returns: false: there is none. */
bool ufi_batch_next(const ufi_batch *batch, ufi_record *record);

/* -- database.c ---------------------------------------------------------------------------------------------------- */

typedef struct ufi_database {
    sqlite3 *connection;
    sqlite3_stmt *begin, *keep, *forget, *commit;
    char identity[17];
    char error[UF_STORE_TEXT_SIZE]; /* of the last function that has failed */
} ufi_database;

/* Opens the file, which exists; it waits for so many milliseconds if another connection locks it. An empty file gets
 * the tables and an identity. Returns: UF_OK; UF_BUSY, UF_STORE, UF_NO_MEMORY, and `error` says why. */
uf_status ufi_database_open(ufi_database *db, const char *path, int wait);
void ufi_database_close(ufi_database *db);

/* Opens such a file beside the process that has it, only to read it: an empty file is refused. The path may be a URI of
 * SQLite. */
uf_status ufi_database_open_to_read(ufi_database *db, const char *path, int wait);

/* Why a function of SQLite has failed. */
const char *ufi_database_why(ufi_database *db);

/* Commits these records in this order, all or none. Returns: false if it fails: `error` says why. */
bool ufi_database_commit(ufi_database *db, const ufi_batch *batch);

/* Gives the file another identity. Returns: false if it fails: `error` says why. */
bool ufi_database_renew(ufi_database *db);

/* Passes each record to `row`. Returns: false if it fails: `error` says why. */
bool ufi_database_load(ufi_database *db, void (*row)(void *context, const char *path, const void *bytes, size_t size),
                       void *context);

/* -- columns.c ----------------------------------------------------------------------------------------------------- */

/* What people see of a record. */
typedef struct ufi_columns {
    struct ufi_column_text {
        const char *at; /* not ended by a NUL */
        int length;
    } type, task, step, reason;
    sqlite3_int64 run;
    const char *outcome;
} ufi_columns;

void ufi_columns_read(ufi_columns *columns, const void *bytes, size_t size);

#endif
