/* SPDX-License-Identifier: MIT */
/* Durable flows in a file of SQLite, beside SQLite alone with the same rows and as many of them in a transaction.
 *
 * usage: durable_sqlite [FLOWS [TRANSITIONS]]     in the current directory */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kept.h"
#include "uflow/runtime.h"
#include "uflow/sqlite.h"

#define MOST 10000

typedef struct measured {
    double seconds;
    long syncs;
} measured;

typedef struct row {
    char path[32];
    unsigned char record[1024];
    int size;
} row;

static Kept flows[MOST];
static char names[MOST][16];
static row rows[MOST];
static long syncs; /* atomic */

/* SQLite calls these in place of those of the C library. */
int fdatasync(int fd)
{
    __atomic_add_fetch(&syncs, 1, __ATOMIC_RELAXED);
    return (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
    __atomic_add_fetch(&syncs, 1, __ATOMIC_RELAXED);
    return (int)syscall(SYS_fsync, fd);
}

static void must(bool is_right, const char *what)
{
    if (is_right) return;
    fprintf(stderr, "durable_sqlite: %s\n", what);
    exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void remove_files(void)
{
    (void)!system("rm -f bench.db bench.db-wal bench.db-shm bench.db-owner");
}

/* -- durable flows ------------------------------------------------------------------------------------------------- */

typedef struct order {
    int flows, transitions;
} order;

static void start(void *argument)
{
    order const *const of = argument;
    for (int i = 0; i < of->flows; i++) must(Kept_start_Run(&flows[i], of->transitions) == UF_OK, "no start");
}

static measured run_flows(order of)
{
    uf_store *store;
    uf_runtime *runtime;

    must(uf_sqlite_open(&store, "bench.db", NULL) == UF_OK, "no store");
    must(uf_runtime_new(&runtime, &(uf_runtime_config){.store = store}) == UF_OK, "no runtime");
    for (int i = 0; i < of.flows; i++) {
        snprintf(names[i], sizeof names[i], "flow-%d", i % MOST);
        must(Kept_init(&flows[i], uf_runtime_pump(runtime), names[i]) == UF_OK, "no flow");
    }
    must(uf_store_restore(store, NULL) == UF_OK, "not restored");
    measured result = {-now(), -__atomic_load_n(&syncs, __ATOMIC_RELAXED)};
    must(uf_post_wait(runtime, start, &of) == UF_OK, "no post");
    for (int i = 0; i < of.flows; i++) must(uf_flow_wait(&flows[i].uf, UF_FOREVER, NULL) == UF_OK, "not done");
    result.seconds += now();
    result.syncs += __atomic_load_n(&syncs, __ATOMIC_RELAXED);
    must(uf_runtime_free(runtime) == UF_OK && uf_store_close(store) == UF_OK, "not closed");
    return result;
}

/* -- SQLite alone -------------------------------------------------------------------------------------------------- */

static sqlite3 *open_database(void)
{
    sqlite3 *db;
    must(sqlite3_open("bench.db", &db) == SQLITE_OK, "no database");
    must(sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", 0, 0, 0) == SQLITE_OK, "no WAL");
    return db;
}

/* The rows that the flows have left. */
static void read_rows(int count)
{
    sqlite3 *const db = open_database();
    sqlite3_stmt *all;

    must(sqlite3_prepare_v2(db, "SELECT path, record FROM flow", -1, &all, NULL) == SQLITE_OK, "no rows");
    for (int i = 0; i < count; i++) {
        must(sqlite3_step(all) == SQLITE_ROW, "too few rows");
        rows[i].size = sqlite3_column_bytes(all, 1);
        must(rows[i].size <= (int)sizeof rows[i].record, "a large row");
        snprintf(rows[i].path, sizeof rows[i].path, "%s", (const char *)sqlite3_column_text(all, 0));
        memcpy(rows[i].record, sqlite3_column_blob(all, 1), (size_t)rows[i].size);
    }
    sqlite3_finalize(all);
    sqlite3_close(db);
}

static void write_rows(sqlite3 *db, sqlite3_stmt *keep, int count)
{
    must(sqlite3_exec(db, "BEGIN IMMEDIATE", 0, 0, 0) == SQLITE_OK, "not begun");
    for (int i = 0; i < count; i++) {
        sqlite3_bind_text(keep, 1, rows[i].path, -1, SQLITE_STATIC);
        sqlite3_bind_blob(keep, 2, rows[i].record, rows[i].size, SQLITE_STATIC);
        must(sqlite3_step(keep) == SQLITE_DONE, "not written");
        sqlite3_reset(keep);
    }
    must(sqlite3_exec(db, "COMMIT", 0, 0, 0) == SQLITE_OK, "not committed");
}

static measured run_sqlite(order of)
{
    sqlite3 *const db = open_database();
    sqlite3_stmt *keep;

    must(sqlite3_prepare_v2(db,
                            "REPLACE INTO flow VALUES (?1, 'Kept', 'Run', 'Even', 1, 'running', '', "
                            "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?2)",
                            -1, &keep, NULL) == SQLITE_OK,
         "no statement");
    measured result = {-now(), -__atomic_load_n(&syncs, __ATOMIC_RELAXED)};
    for (int i = 0; i <= of.transitions; i++) write_rows(db, keep, of.flows); /* each step, and the end */
    result.seconds += now();
    result.syncs += __atomic_load_n(&syncs, __ATOMIC_RELAXED);
    sqlite3_finalize(keep);
    sqlite3_close(db);
    return result;
}

int main(int count, char *arguments[])
{
    order const of = {count > 1 ? atoi(arguments[1]) : 100, count > 2 ? atoi(arguments[2]) : 300};
    double const transitions = (double)of.flows * (of.transitions + 1);

    must(of.flows > 0 && of.flows <= MOST && of.transitions > 0, "usage: durable_sqlite [FLOWS [TRANSITIONS]]");
    remove_files();
    measured const own = run_flows(of);
    read_rows(of.flows);
    measured const alone = run_sqlite(of);
    remove_files();
    printf("%d flows, %d commits\n", of.flows, of.transitions + 1);
    printf("durable flows  %9.0f records/s  %6ld syncs\n", transitions / own.seconds, own.syncs);
    printf("SQLite alone   %9.0f records/s  %6ld syncs\n", transitions / alone.seconds, alone.syncs);
    printf("ratio          %9.2f            %6.2f\n", alone.seconds / own.seconds,
           (double)own.syncs / (double)alone.syncs);
    return 0;
}
