/* SPDX-License-Identifier: MIT */
/* file.c - the file of SQLite. It is read as `sqlite3` does it, and written as the owner of it, under its lock. */
#include "store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "database.h"
#include "durable/store.h"
#include "memory.h"
#include "port_file.h"
#include "port_host.h"
#include "text.h"

#define WAIT 3000 /* ms for another program that locks the file */

static const char *name; /* of the file, as it was given */
static char *real;       /* behind links */

static _Noreturn void die_of(ufi_database *db, uf_status status)
{
    tool_die("%s: %s", name, *db->error ? db->error : uf_status_text(status));
}

/* Nothing is created in place of a file that is missing. */
static void find(const char *path)
{
    struct stat found;

    name = path;
    if (stat(path, &found) != 0) tool_die("%s: %s", path, strerror(errno));
    if (S_ISDIR(found.st_mode)) tool_die("%s: %s", path, strerror(EISDIR));
    if (!S_ISREG(found.st_mode)) tool_die("%s: is no file of a store", path);
    if (access(path, R_OK) != 0) tool_die("%s: %s", path, strerror(errno));
    real = ufp_file_real(path);
    if (!real) tool_die("out of memory");
}

static char *beside(const char *end)
{
    char *const path = tool_resize(NULL, strlen(real) + strlen(end) + 1, 1);
    strcpy(path, real);
    return strcat(path, end);
}

/* A log has what a program has kept and has not moved into the file. */
static bool is_there(const char *end)
{
    struct stat found;
    char *const path = beside(end);
    bool const is_there = stat(path, &found) == 0 && found.st_size > 0;

    free(path);
    return is_there;
}

static bool may_write_beside(void)
{
    char *const directory = beside(""), *const slash = strrchr(directory, '/');

    if (slash) slash[slash == directory] = '\0';
    bool const may = access(directory, W_OK) == 0;
    free(directory);
    return may;
}

/* Where nothing can be written, SQLite reads a file without a log if it counts as one that never changes. */
static char *unchanging(void)
{
    char *const uri = tool_resize(NULL, strlen("file:?immutable=1") + 3 * strlen(real) + 1, 1), *to = uri;

    to += sprintf(to, "file:");
    for (const char *at = real; *at; at++) {
        if (strchr("%?#", *at)) to += sprintf(to, "%%%02x", (unsigned)*at);
        else *to++ = *at;
    }
    strcpy(to, "?immutable=1");
    return uri;
}

static void open_to_read(ufi_database *db)
{
    bool const has_log = is_there("-wal"), may_write = may_write_beside();

    if (has_log && !may_write && !is_there("-shm"))
        tool_die("%s: its log, %s-wal, cannot be read here: copy both to where you may write", name, name);
    char *const path = has_log || (may_write && access(real, W_OK) == 0) ? beside("") : unchanging();
    uf_status const status = ufi_database_open_to_read(db, path, WAIT);
    free(path);
    if (status != UF_OK) die_of(db, status);
}

/* -- rows ---------------------------------------------------------------------------------------------------------- */

static store_text copy_column(sqlite3_stmt *all, int column)
{
    bool const is_missing = sqlite3_column_type(all, column) == SQLITE_NULL;
    const void *const bytes = sqlite3_column_blob(all, column);
    size_t const length = (size_t)sqlite3_column_bytes(all, column);

    return (store_text){is_missing ? NULL : tool_copy(bytes ? bytes : "", length), length};
}

static void take_row(store_data *data, sqlite3_stmt *all)
{
    store_row row = {.run = sqlite3_column_int64(all, 0)};
    store_text *const texts[] = {&row.path,    &row.type,   &row.task, &row.step,
                                 &row.outcome, &row.reason, &row.time, &row.record};

    for (int i = 0; i < (int)(sizeof texts / sizeof *texts); i++) *texts[i] = copy_column(all, i + 1);
    data->rows = tool_grow(data->rows, data->count, sizeof *data->rows);
    data->rows[data->count++] = row;
}

/* All at once: a reader that waits for its output would let the log grow. */
void store_read(store_data *data, const char *path)
{
    ufi_database db;
    sqlite3_stmt *all = NULL;
    int code = SQLITE_OK;

    find(path);
    open_to_read(&db);
    *data = (store_data){.name = path};
    memcpy(data->identity, db.identity, sizeof data->identity);
    (void)tool_make_printable(data->identity);
    code = sqlite3_prepare_v2(db.connection,
                              "SELECT run, path, type, task, step, outcome, reason, time, record FROM flow "
                              "ORDER BY path",
                              -1, &all, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(all);
        if (code == SQLITE_ROW) take_row(data, all);
    }
    if (code != SQLITE_DONE) tool_die("%s: %s", name, ufi_database_why(&db));
    sqlite3_finalize(all);
    ufi_database_close(&db);
    free(real);
}

void store_free(store_data *data)
{
    for (size_t i = 0; i < data->count; i++) {
        store_row *const row = &data->rows[i];
        char *const texts[] = {row->path.at,    row->type.at,   row->task.at, row->step.at,
                               row->outcome.at, row->reason.at, row->time.at, row->record.at};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) free(texts[k]);
    }
    free(data->rows);
}

/* -- what a flow has begun ----------------------------------------------------------------------------------------- */

bool store_is_starts(const store_row *row)
{
    size_t const length = strlen(UFI_STARTS);
    return row->path.length > length && memcmp(row->path.at + row->path.length - length, UFI_STARTS, length) == 0;
}

const store_row *store_starts_of(const store_data *data, const store_row *row)
{
    size_t const length = row->path.length;

    for (size_t i = 0; length && i < data->count; i++) {
        const store_row *const at = &data->rows[i];
        bool const is_behind = at->path.length == length + strlen(UFI_STARTS) && store_is_starts(at);
        if (is_behind && memcmp(at->path.at, row->path.at, length) == 0) return at;
    }
    return NULL;
}

/* -- ages ---------------------------------------------------------------------------------------------------------- */

int64_t store_age(const store_row *row)
{
    struct tm day = {0};
    struct timespec now;
    unsigned part = 0;

    if (!row->time.at || clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (sscanf(row->time.at, "%4d-%2d-%2dT%2d:%2d:%2d.%3uZ", &day.tm_year, &day.tm_mon, &day.tm_mday, &day.tm_hour,
               &day.tm_min, &day.tm_sec, &part) != 7)
        return -1;
    day.tm_year -= 1900;
    day.tm_mon -= 1;
    int64_t const then = (int64_t)timegm(&day) * 1000 + part;
    int64_t const age = ((int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000) - then;
    return age < 0 || age > INT64_MAX / 1000000 ? -1 : age * 1000000;
}

/* -- writing ------------------------------------------------------------------------------------------------------- */

/* The file that locks has the owner of the store, so that its program can lock it, too. */
static void give_away(const char *lock_path)
{
    struct stat store, lock;

    if (geteuid() != 0 || stat(real, &store) != 0 || stat(lock_path, &lock) != 0) return;
    if (lock.st_uid != store.st_uid && chown(lock_path, store.st_uid, store.st_gid) != 0)
        tool_die("%s: %s", lock_path, strerror(errno));
}

/* The file was read before, so that none of another program gets a lock. */
static int own(const char *path)
{
    int lock;
    long owner;

    find(path);
    if (access(real, W_OK) != 0) tool_die("%s: cannot be written: %s", path, strerror(errno));
    char *const lock_path = beside("-owner");
    int const error = ufp_file_own(lock_path, &lock, &owner);
    if (error == EWOULDBLOCK) {
        fprintf(stderr, "%s: %s: process %ld has opened it: stop it first\n", tool_name, path, owner);
        exit(STORE_IN_USE);
    }
    if (error) tool_die("%s: %s", lock_path, strerror(error));
    give_away(lock_path);
    free(lock_path);
    return lock;
}

static void open_to_write(ufi_database *db)
{
    uf_status const status = ufi_database_open(db, real, WAIT);
    if (status != UF_OK) die_of(db, status);
}

static void finish(ufi_database *db, int lock, bool is_done)
{
    if (!is_done) die_of(db, UF_STORE);
    ufi_database_close(db);
    ufp_file_release(lock);
    free(real);
}

void store_forget(const char *path, const store_text *row)
{
    int const lock = own(path);
    ufi_batch batch = {.length = 0};
    ufi_database db;
    char starts[UF_STORE_PATH_SIZE];

    if (row->length + sizeof UFI_STARTS > sizeof starts) tool_die("%s: the path is too long", path);
    snprintf(starts, sizeof starts, "%s" UFI_STARTS, row->at);
    if (ufi_batch_add(&batch, row->at, 0) != UF_OK || ufi_batch_add(&batch, starts, 0) != UF_OK)
        tool_die("out of memory");
    open_to_write(&db);
    finish(&db, lock, ufi_database_commit(&db, &batch));
    ufp_free(batch.bytes);
}

void store_renew(store_data *data, const char *path)
{
    int const lock = own(path);
    ufi_database db;

    open_to_write(&db);
    bool const is_done = ufi_database_renew(&db);
    memcpy(data->identity, db.identity, sizeof data->identity);
    finish(&db, lock, is_done);
}
