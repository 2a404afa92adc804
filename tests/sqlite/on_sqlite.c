/* SPDX-License-Identifier: MIT */
/* on_sqlite.c - see on_sqlite.h. A crash is a copy of the files while the store rests or hangs. */
#include "on_sqlite.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "faults.h"
#include "uflow/sqlite.h"

typedef struct opened {
    uf_store *store; /* NULL: this place is free */
    faults *of;
    char path[200];
    uint64_t commits; /* before */
} opened;

static opened places[4];
static unsigned last;

static opened *place_of(const uf_store *store)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i].store == store) return &places[i];
    }
    abort();
}

static void remove_files(const char *path)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-owner"};
    char name[256];

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        (void)unlink(name);
    }
}

static void copy_file(const char *from, const char *to, const char *end)
{
    char name[256], buffer[4096];
    size_t length;

    snprintf(name, sizeof name, "%s%s", from, end);
    FILE *const in = fopen(name, "rb");
    snprintf(name, sizeof name, "%s%s", to, end);
    FILE *const out = in ? fopen(name, "wb") : NULL;
    while (in && out && (length = fread(buffer, 1, sizeof buffer, in)) > 0) (void)fwrite(buffer, 1, length, out);
    if (in) fclose(in);
    if (out) fclose(out);
}

static uf_status open_copy(uf_store **store, const opened *from, const uf_store_config *config)
{
    opened *const place = place_of(NULL);
    uf_sqlite_config own = {.error = NULL};

    if (!getcwd(place->path, sizeof place->path - 40)) abort();
    snprintf(place->path + strlen(place->path), 40, "/on-sqlite-%ld-%u.db", (long)getpid(), last++);
    remove_files(place->path);
    if (from) {
        copy_file(from->path, place->path, "");
        copy_file(from->path, place->path, "-wal");
    }
    place->of = faults_open(place->path);
    if (config) own.store = *config;
    uf_status const status = uf_sqlite_open(store, place->path, &own);
    place->store = *store;
    place->commits = faults_commits(place->of);
    return status;
}

uf_status on_sqlite_open(uf_store **store, const uf_store_config *config)
{
    return open_copy(store, NULL, config);
}

uf_status on_sqlite_copy(uf_store **store, const uf_store *of, const uf_store_config *config)
{
    return open_copy(store, place_of(of), config);
}

uint64_t on_sqlite_commits(const uf_store *store)
{
    const opened *const place = place_of(store);
    return faults_commits(place->of) - place->commits;
}

uf_status on_sqlite_stop(uf_store *store, uint64_t commits, const char *failure)
{
    faults_after(place_of(store)->of, commits, failure ? SQLITE_FULL : 0);
    return UF_OK;
}

uf_status on_sqlite_close(uf_store *store)
{
    opened *const place = place_of(store);

    if (faults_hangs(place->of)) {
        store->pump = NULL; /* the memory of the process is gone, and nothing is woken */
        faults_release(place->of, SQLITE_IOERR);
    }
    uf_status const status = uf_store_close(store);
    faults_close(place->of);
    remove_files(place->path);
    place->store = NULL;
    return status;
}

static bool must_wait(const uf_store *store)
{
    return store && !store->is_failed && store->kept < store->puts && !faults_hangs(place_of(store)->of);
}

uf_time on_sqlite_round(uf_pump *pump, uf_time now)
{
    uf_time sleep = uf_pump_round(pump, now);

    while (must_wait(pump->store)) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
        sleep = uf_pump_round(pump, now);
    }
    return sleep;
}
