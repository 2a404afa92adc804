/* SPDX-License-Identifier: MIT */
/* Durable flows in a file of SQLite, beside SQLite alone with the same rows and as many of them in a transaction.
 *
 * usage: durable_sqlite [FLOWS [TRANSITIONS [PAIRS]]]     in the current directory
 *
 * The two take turns. The ratios are the medians of all pairs: of real time, which waits for the disk and for other
 * programs, and of the time of all threads on a CPU. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kept.h"
#include "uflow/runtime.h"
#include "uflow/sqlite.h"

#define MOST  10000
#define PAIRS 100

typedef struct measured {
    double seconds, on_cpu;
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

static double of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static double on_cpu(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return of(usage.ru_utime) + of(usage.ru_stime);
}

static measured begin(void)
{
    return (measured){-now(), -on_cpu(), -__atomic_load_n(&syncs, __ATOMIC_RELAXED)};
}

static void end(measured *one)
{
    one->seconds += now();
    one->on_cpu += on_cpu();
    one->syncs += __atomic_load_n(&syncs, __ATOMIC_RELAXED);
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

static measured run_flows(order size)
{
    uf_store *store;
    uf_runtime *runtime;

    must(uf_sqlite_open(&store, "bench.db", NULL) == UF_OK, "no store");
    must(uf_runtime_new(&runtime, &(uf_runtime_config){.store = store}) == UF_OK, "no runtime");
    for (int i = 0; i < size.flows; i++) {
        snprintf(names[i], sizeof names[i], "flow-%d", i % MOST);
        must(Kept_init(&flows[i], uf_runtime_pump(runtime), names[i]) == UF_OK, "no flow");
    }
    must(uf_store_restore(store, NULL) == UF_OK, "not restored");
    measured result = begin();
    must(uf_post_wait(runtime, start, &size) == UF_OK, "no post");
    for (int i = 0; i < size.flows; i++) must(uf_flow_wait(&flows[i].uf, UF_FOREVER, NULL) == UF_OK, "not done");
    end(&result);
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

static measured run_sqlite(order size)
{
    sqlite3 *const db = open_database();
    sqlite3_stmt *keep;

    must(sqlite3_prepare_v2(db,
                            "REPLACE INTO flow VALUES (?1, 'Kept', 'Run', 'Even', 1, 'running', '', "
                            "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?2)",
                            -1, &keep, NULL) == SQLITE_OK,
         "no statement");
    measured result = begin();
    for (int i = 0; i <= size.transitions; i++) write_rows(db, keep, size.flows); /* each step, and the end */
    end(&result);
    sqlite3_finalize(keep);
    sqlite3_close(db);
    return result;
}

static int compare(const void *one, const void *other)
{
    double const a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

static void print(const char *name, measured all, double records)
{
    printf("%s  %9.0f records/s  %7.2f us of CPU each  %6ld syncs\n", name, records / all.seconds,
           all.on_cpu / records * 1e6, all.syncs);
}

static void add(measured *to, measured one)
{
    to->seconds += one.seconds;
    to->on_cpu += one.on_cpu;
    to->syncs += one.syncs;
}

int main(int count, char *arguments[])
{
    order const size = {count > 1 ? atoi(arguments[1]) : 100, count > 2 ? atoi(arguments[2]) : 300};
    int const pairs = count > 3 ? atoi(arguments[3]) : 1;
    double const records = (double)pairs * size.flows * (size.transitions + 1);
    measured own = {0, 0, 0}, alone = {0, 0, 0};
    double real[PAIRS], cpu[PAIRS];

    must(size.flows > 0 && size.flows <= MOST && size.transitions > 0 && pairs > 0 && pairs <= PAIRS,
         "usage: durable_sqlite [FLOWS [TRANSITIONS [PAIRS]]]");
    remove_files();
    for (int i = 0; i < pairs; i++) {
        measured const one = run_flows(size);
        if (i == 0) read_rows(size.flows);
        measured const other = run_sqlite(size);
        real[i] = other.seconds / one.seconds;
        cpu[i] = other.on_cpu / one.on_cpu;
        add(&own, one);
        add(&alone, other);
    }
    remove_files();
    printf("%d flows, %d commits, %d pairs\n", size.flows, size.transitions + 1, pairs);
    print("durable flows", own, records);
    print("SQLite alone ", alone, records);
    printf("SQLite / flows: %.2f of real time, %.2f of CPU; syncs: %.2f\n", median(real, pairs), median(cpu, pairs),
           (double)own.syncs / (double)alone.syncs);
    return 0;
}
