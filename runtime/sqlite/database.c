/* SPDX-License-Identifier: MIT */
/* database.c - see database.h.
 *
 * The file is in WAL mode with FULL: a commit has reached the disk when it returns, and readers do not hinder it. The
 * table `flow` has the records, `store` one row with the identity. `application_id` tells such files from others,
 * `user_version` is the version of the tables. */
#if !defined(_GNU_SOURCE) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "port_poller.h"

#define APPLICATION  "1969646455" /* "uflw" */
#define VERSION      "1"

#define NEW_IDENTITY "lower(hex(randomblob(8)))"

#define TABLES                                                                                                         \
    "CREATE TABLE flow (path TEXT PRIMARY KEY, type TEXT, task TEXT, step TEXT, run INTEGER, outcome TEXT, "           \
    "reason TEXT, time TEXT, record BLOB NOT NULL) WITHOUT ROWID; "                                                    \
    "CREATE TABLE store (identity TEXT NOT NULL); "                                                                    \
    "INSERT INTO store VALUES (" NEW_IDENTITY "); "                                                                    \
    "PRAGMA application_id = " APPLICATION "; PRAGMA user_version = " VERSION "; "

/* The columns as they are bound. */
enum { PATH = 1, TYPE, TASK, STEP, RUN, OUTCOME, REASON, TIME, RECORD };

/* -- errors -------------------------------------------------------------------------------------------------------- */

static const struct {
    int code; /* of SQLite */
    uf_status status;
    const char *text; /* NULL: that of SQLite */
} errors[] = {
    {SQLITE_FULL, UF_STORE, "disk full"},
    {SQLITE_BUSY, UF_BUSY, "another program has locked it"},
    {SQLITE_NOTADB, UF_STORE, "is no database of SQLite"},
    {SQLITE_READONLY, UF_STORE, "cannot be written"},
    {SQLITE_CORRUPT, UF_STORE, "is damaged"},
    {SQLITE_NOMEM, UF_NO_MEMORY, NULL},
};

static uf_status fail_with(ufi_database *db, const char *text)
{
    snprintf(db->error, sizeof db->error, "%s", text);
    return UF_STORE;
}

/* What the system has said is more than what SQLite says. */
static uf_status fail_with_system(ufi_database *db, int error)
{
    char text[128];

    if (error == ENOSPC || error == EDQUOT) return fail_with(db, "disk full");
    ufp_error_text(error, text, sizeof text);
    return fail_with(db, text);
}

static uf_status fail(ufi_database *db)
{
    int const code = sqlite3_errcode(db->connection) & 0xff;
    int const system = sqlite3_system_errno(db->connection);

    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code != code) continue;
        (void)fail_with(db, errors[i].text ? errors[i].text : sqlite3_errstr(code));
        return errors[i].status;
    }
    if ((code == SQLITE_IOERR || code == SQLITE_CANTOPEN) && system) return fail_with_system(db, system);
    return fail_with(db, sqlite3_errmsg(db->connection));
}

const char *ufi_database_why(ufi_database *db)
{
    (void)fail(db);
    return db->error;
}

/* -- opening ------------------------------------------------------------------------------------------------------- */

static uf_status run(ufi_database *db, const char *sql)
{
    return sqlite3_exec(db->connection, sql, NULL, NULL, NULL) == SQLITE_OK ? UF_OK : fail(db);
}

/* The first column of the first row, as text, cut to the size. */
static uf_status ask(ufi_database *db, const char *sql, char *answer, size_t size)
{
    sqlite3_stmt *statement = NULL;

    *answer = '\0';
    if (sqlite3_prepare_v2(db->connection, sql, -1, &statement, NULL) != SQLITE_OK) return fail(db);
    int const code = sqlite3_step(statement);
    const char *const text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (text) snprintf(answer, size, "%s", text);
    uf_status const status = code == SQLITE_ROW || code == SQLITE_DONE ? UF_OK : fail(db);
    sqlite3_finalize(statement);
    return status;
}

/* Nothing is written to a file that is not ours. */
static uf_status check_kind(ufi_database *db, bool *is_empty)
{
    char application[24], version[24], tables[24];
    uf_status status = ask(db, "SELECT count(*) FROM sqlite_master", tables, sizeof tables);

    if (status == UF_OK) status = ask(db, "PRAGMA application_id", application, sizeof application);
    if (status == UF_OK) status = ask(db, "PRAGMA user_version", version, sizeof version);
    if (status != UF_OK) return status;
    *is_empty = strcmp(tables, "0") == 0 && strcmp(application, "0") == 0;
    if (*is_empty) return UF_OK;
    if (strcmp(application, APPLICATION) != 0) return fail_with(db, "is a database of another program");
    if (strcmp(version, VERSION) == 0) return UF_OK;
    snprintf(db->error, sizeof db->error, "a newer uflow has written it: its tables have version %s, not " VERSION,
             version);
    return UF_STORE;
}

static uf_status set_up(ufi_database *db, bool is_empty)
{
    char mode[16];

    if (sqlite3_db_readonly(db->connection, "main") == 1) return fail_with(db, "cannot be written");
    uf_status status = ask(db, "PRAGMA journal_mode = WAL", mode, sizeof mode);
    if (status == UF_OK && strcmp(mode, "wal") != 0) status = fail_with(db, "this file system cannot share memory");
    if (status == UF_OK)
        status = run(db, "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1; "
                         "PRAGMA trusted_schema = 0");
    if (status == UF_OK && is_empty) status = run(db, "BEGIN IMMEDIATE; " TABLES "COMMIT");
    return status;
}

static uf_status prepare(ufi_database *db)
{
    const struct {
        const char *sql;
        sqlite3_stmt **to;
    } all[] = {{"BEGIN IMMEDIATE", &db->begin},
               {"REPLACE INTO flow VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", &db->keep},
               {"DELETE FROM flow WHERE path = ?1", &db->forget},
               {"COMMIT", &db->commit}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (sqlite3_prepare_v3(db->connection, all[i].sql, -1, SQLITE_PREPARE_PERSISTENT, all[i].to, NULL) != SQLITE_OK)
            return fail(db);
    }
    return UF_OK;
}

static uf_status connect_to(ufi_database *db, const char *path, int flags, int wait, bool *is_empty)
{
    *db = (ufi_database){.connection = NULL};
    int const code = sqlite3_open_v2(path, &db->connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | flags, NULL);
    if (!db->connection) return UF_NO_MEMORY;
    sqlite3_busy_timeout(db->connection, wait);
    return code == SQLITE_OK ? check_kind(db, is_empty) : fail(db);
}

static uf_status read_identity(ufi_database *db)
{
    return ask(db, "SELECT identity FROM store", db->identity, sizeof db->identity);
}

uf_status ufi_database_open(ufi_database *db, const char *path, int wait)
{
    bool is_empty = false;
    uf_status status = connect_to(db, path, 0, wait, &is_empty);

    if (status == UF_OK) status = set_up(db, is_empty);
    if (status == UF_OK) status = read_identity(db);
    if (status == UF_OK) status = prepare(db);
    if (status != UF_OK) ufi_database_close(db);
    return status;
}

/* The connection is not one that can only read: the last one to close moves the log into the file, and removes it. */
uf_status ufi_database_open_to_read(ufi_database *db, const char *path, int wait)
{
    bool is_empty = false;
    uf_status status = connect_to(db, path, SQLITE_OPEN_URI, wait, &is_empty);

    if (status == UF_OK && is_empty) status = fail_with(db, "is empty: no program has kept flows in it");
    if (status == UF_OK) status = run(db, "PRAGMA query_only = 1; PRAGMA trusted_schema = 0");
    if (status == UF_OK) status = read_identity(db);
    if (status != UF_OK) ufi_database_close(db);
    return status;
}

void ufi_database_close(ufi_database *db)
{
    sqlite3_finalize(db->begin);
    sqlite3_finalize(db->keep);
    sqlite3_finalize(db->forget);
    sqlite3_finalize(db->commit);
    sqlite3_close(db->connection);
    db->connection = NULL;
}

/* -- committing ---------------------------------------------------------------------------------------------------- */

/* What is bound stays valid until the statement is reset. */
static bool bind_text(sqlite3_stmt *statement, int column, struct ufi_column_text text)
{
    return sqlite3_bind_text(statement, column, text.at, text.length, SQLITE_STATIC) == SQLITE_OK;
}

static bool bind_record(sqlite3_stmt *statement, const ufi_record *record)
{
    ufi_columns columns;

    if (!bind_text(statement, PATH, (struct ufi_column_text){record->path, record->path_length})) return false;
    if (!record->size) return true;
    ufi_columns_read(&columns, record->bytes, record->size);
    return bind_text(statement, TYPE, columns.type) && bind_text(statement, TASK, columns.task) &&
           bind_text(statement, STEP, columns.step) && bind_text(statement, REASON, columns.reason) &&
           sqlite3_bind_int64(statement, RUN, columns.run) == SQLITE_OK &&
           sqlite3_bind_text(statement, OUTCOME, columns.outcome, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_bind_blob64(statement, RECORD, record->bytes, record->size, SQLITE_STATIC) == SQLITE_OK;
}

/* Until it is reset, a statement that has failed holds the transaction. */
static bool step(ufi_database *db, sqlite3_stmt *statement)
{
    bool const is_done = sqlite3_step(statement) == SQLITE_DONE;

    if (!is_done) (void)fail(db);
    sqlite3_reset(statement);
    return is_done;
}

static bool write_record(ufi_database *db, const ufi_record *record)
{
    sqlite3_stmt *const statement = record->size ? db->keep : db->forget;

    if (bind_record(statement, record)) return step(db, statement);
    (void)fail(db);
    return false;
}

/* The time of day in UTC, once for all records of a commit. */
static bool bind_time(ufi_database *db, char text[40])
{
    struct timespec now;
    struct tm day;

    if (clock_gettime(CLOCK_REALTIME, &now) != 0 || !gmtime_r(&now.tv_sec, &day))
        return fail_with(db, "no clock") == UF_OK;
    size_t const length = strftime(text, 40, "%Y-%m-%dT%H:%M:%S", &day);
    snprintf(text + length, 40 - length, ".%03uZ", (unsigned)(now.tv_nsec / 1000000));
    return sqlite3_bind_text(db->keep, TIME, text, -1, SQLITE_STATIC) == SQLITE_OK;
}

bool ufi_database_commit(ufi_database *db, const ufi_batch *batch)
{
    char time[40];
    ufi_record one = {.end = 0};
    bool is_written = bind_time(db, time) && step(db, db->begin);

    while (is_written && ufi_batch_next(batch, &one)) is_written = write_record(db, &one);
    if (is_written && step(db, db->commit)) return true;
    if (!sqlite3_get_autocommit(db->connection)) sqlite3_exec(db->connection, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

bool ufi_database_renew(ufi_database *db)
{
    return run(db, "UPDATE store SET identity = " NEW_IDENTITY) == UF_OK && read_identity(db) == UF_OK;
}

bool ufi_database_load(ufi_database *db, void (*row)(void *context, const char *path, const void *bytes, size_t size),
                       void *context)
{
    sqlite3_stmt *statement = NULL;
    int code;

    if (sqlite3_prepare_v2(db->connection, "SELECT path, record FROM flow", -1, &statement, NULL) != SQLITE_OK) {
        (void)fail(db);
        return false;
    }
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        const void *const bytes = sqlite3_column_blob(statement, 1);
        const char *const path = (const char *)sqlite3_column_text(statement, 0);
        if (path) row(context, path, bytes ? bytes : "", (size_t)sqlite3_column_bytes(statement, 1));
    }
    if (code != SQLITE_DONE) (void)fail(db);
    sqlite3_finalize(statement);
    return code == SQLITE_DONE;
}
