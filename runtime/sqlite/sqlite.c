/* SPDX-License-Identifier: MIT */
/* sqlite.c - a store in a file of SQLite: see uflow/sqlite.h.
 *
 * The pump collects records. `committed` gives all of them to the thread of the store, if that rests; when it has
 * committed them, it wakes the pump. What that wakes runs before the next commit begins, so that a flow takes part in
 * each of them. A thread that the disk does not let go is left behind, and frees the store when it returns. */
#include "uflow/sqlite.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "basics/format.h"
#include "database.h"
#include "port_file.h"
#include "port_host.h"
#include "port_poller.h"

#define OWNER "-owner"

typedef struct sqlite_store {
    uf_store store;  /* first */
    ufi_database db; /* of the thread while there is a batch, else of the pump */
    int lock;
    ufp_thread thread;

    /* of the pump's thread */
    ufi_batch next;            /* for the next commit */
    uint64_t collected, known; /* puts; `known` are committed */
    unsigned rounds;           /* before the next commit begins */

    ufp_mutex mutex; /* the rest */
    ufp_condition work, rest;
    ufi_batch batch; /* that the thread commits; it is empty if that rests */
    uint64_t count;  /* puts that are committed */
    uint64_t sought; /* `count` after this batch */
    bool wakes;      /* the pump is there */
    bool has_failed, is_closing, is_over, is_left;
} sqlite_store;

static void free_store(sqlite_store *s)
{
    ufi_database_close(&s->db);
    ufp_file_release(s->lock);
    ufp_free(s->next.bytes);
    ufp_free(s->batch.bytes);
    ufp_condition_destroy(&s->rest);
    ufp_condition_destroy(&s->work);
    ufp_mutex_destroy(&s->mutex);
    ufp_free(s);
}

/* -- the thread ---------------------------------------------------------------------------------------------------- */

/* With the mutex, which it lets go meanwhile. */
static void commit(sqlite_store *s)
{
    ufp_mutex_unlock(&s->mutex);
    bool const is_committed = ufi_database_commit(&s->db, &s->batch);
    ufp_mutex_lock(&s->mutex);
    s->batch.length = 0;
    if (is_committed) s->count = s->sought;
    else s->has_failed = true;
    if (s->wakes) uf_store_wake(&s->store);
    ufp_condition_signal(&s->rest);
}

static void run(void *argument)
{
    sqlite_store *const s = argument;

    ufp_thread_name("uflow-store");
    ufp_mutex_lock(&s->mutex);
    while (s->batch.length || !s->is_closing) {
        if (s->batch.length) commit(s);
        else (void)ufp_condition_wait(&s->work, &s->mutex, UF_FOREVER);
    }
    bool const is_left = s->is_left;
    s->is_over = true;
    ufp_condition_signal_and_unlock(&s->rest, &s->mutex);
    if (is_left) free_store(s);
}

/* With the mutex: all that was collected is the next batch. Its memory and that of the last one take turns. */
static void give(sqlite_store *s)
{
    ufi_batch const empty = s->batch;

    if (!s->next.length) return;
    s->batch = s->next;
    s->next = empty;
    s->sought = s->collected;
    ufp_condition_signal(&s->work);
}

/* With the mutex: waits until the thread rests, or `deadline`. */
static bool wait_for_rest(sqlite_store *s, uf_time deadline)
{
    while (s->batch.length) {
        if (!ufp_condition_wait(&s->rest, &s->mutex, deadline)) return !s->batch.length;
    }
    return true;
}

static uf_time deadline_of(const sqlite_store *s)
{
    return uf_time_add(ufp_monotonic_now(), s->store.config.limit);
}

/* -- the kind of store --------------------------------------------------------------------------------------------- */

static void *room(uf_store *store, size_t size)
{
    return ufi_batch_room(&((sqlite_store *)store)->next, size);
}

static uf_status put(uf_store *store, const char *path, const void *bytes, size_t size)
{
    sqlite_store *const s = (sqlite_store *)store;

    (void)bytes; /* they are in the room */
    uf_status const status = ufi_batch_add(&s->next, path, size);
    if (status == UF_OK) s->collected++;
    return status;
}

/* What a commit wakes runs in this round, and its next steps put in the next one. */
#define ROUNDS 2

static uf_status committed(uf_store *store, uint64_t *count)
{
    sqlite_store *const s = (sqlite_store *)store;

    ufp_mutex_lock(&s->mutex);
    bool const has_failed = s->has_failed;
    if (s->count != s->known) s->rounds = ROUNDS;
    *count = s->known = s->count;
    if (!has_failed && !s->rounds && !s->batch.length) give(s);
    ufp_mutex_unlock(&s->mutex);
    if (has_failed) uf_store_fail(store, s->db.error);
    if (has_failed || !s->rounds) return has_failed ? UF_STORE : UF_OK;
    s->rounds--;
    if (s->next.length) uf_store_wake(store);
    return UF_OK;
}

static uf_status wait(uf_store *store)
{
    sqlite_store *const s = (sqlite_store *)store;

    int const state = ufp_begin_uncancelled();
    ufp_mutex_lock(&s->mutex);
    bool const rests = wait_for_rest(s, deadline_of(s));
    ufp_mutex_unlock(&s->mutex);
    ufp_end_uncancelled(state);
    return rests ? UF_OK : UF_TIMED_OUT;
}

static uf_status load(uf_store *store, void (*row)(void *context, const char *path, const void *bytes, size_t size),
                      void *context)
{
    sqlite_store *const s = (sqlite_store *)store;

    bool const rests = wait(store) == UF_OK;
    int const state = ufp_begin_uncancelled();
    bool const is_loaded = rests && ufi_database_load(&s->db, row, context);
    ufp_end_uncancelled(state);
    if (is_loaded) return UF_OK;
    uf_store_fail(store, rests ? s->db.error : "no answer");
    return UF_STORE;
}

static void detach(uf_store *store)
{
    sqlite_store *const s = (sqlite_store *)store;

    ufp_mutex_lock(&s->mutex);
    s->wakes = false;
    ufp_mutex_unlock(&s->mutex);
}

static void close_store(uf_store *store)
{
    sqlite_store *const s = (sqlite_store *)store;
    uf_time const deadline = deadline_of(s);
    int const state = ufp_begin_uncancelled();

    ufp_mutex_lock(&s->mutex);
    s->wakes = false;
    if (wait_for_rest(s, deadline) && !s->has_failed && !store->is_failed) give(s);
    s->is_closing = true;
    ufp_condition_signal(&s->work);
    while (!s->is_over && ufp_condition_wait(&s->rest, &s->mutex, deadline)) {}
    bool const is_left = s->is_left = !s->is_over;
    if (is_left) ufp_thread_detach(&s->thread);
    ufp_mutex_unlock(&s->mutex);
    if (!is_left) {
        ufp_thread_join(&s->thread);
        free_store(s);
    }
    ufp_end_uncancelled(state);
}

static const uf_store_kind kind = {.room = room,
                                   .put = put,
                                   .committed = committed,
                                   .load = load,
                                   .wait = wait,
                                   .detach = detach,
                                   .close = close_store};

/* -- opening ------------------------------------------------------------------------------------------------------- */

/* Of a long path, the end. */
static void explain(char *text, const char *path, const char *why)
{
    size_t const length = strlen(path), most = UF_STORE_TEXT_SIZE / 2;
    ufi_join(text, UF_STORE_TEXT_SIZE, UFI_PARTS(length > most ? path + length - most : path, ": ", why));
}

static void explain_system(char *text, const char *path, int error)
{
    char why[128];
    ufp_error_text(error, why, sizeof why);
    explain(text, path, why);
}

static uf_status own(sqlite_store *s, const char *path, char *text)
{
    size_t const size = strlen(path) + sizeof OWNER;
    char *const name = ufp_allocate(size);
    char why[64];
    long owner;

    if (!name) return UF_NO_MEMORY;
    snprintf(name, size, "%s" OWNER, path);
    int const error = ufp_file_own(name, &s->lock, &owner);
    if (error == EWOULDBLOCK) {
        snprintf(why, sizeof why, "process %ld has opened it", owner);
        explain(text, path, why);
    } else if (error == ENOENT) {
        explain(text, path, "its directory does not exist: create it first");
    } else if (error) {
        explain_system(text, name, error);
    }
    ufp_free(name);
    return error == EWOULDBLOCK ? UF_BUSY : error ? UF_STORE : UF_OK;
}

/* In milliseconds: another program that locks the file is named before the store has not answered for too long. */
static int wait_of(const sqlite_store *s)
{
    uf_time const limit = s->store.config.limit;
    return (int)((limit < UF_S(3600) ? limit : UF_S(3600)) / UF_MS(1) / 4 * 3);
}

/* The lock on the owner comes first: if this process has the file open already, another open and close of it would
 * release the locks of that connection. */
static uf_status open_file(sqlite_store *s, const char *path, char *text)
{
    uf_status status = own(s, path, text);
    if (status != UF_OK) return status;
    int const error = ufp_file_create(path);
    if (error) {
        explain_system(text, path, error);
        status = UF_STORE;
    } else {
        status = ufi_database_open(&s->db, path, wait_of(s));
        if (status != UF_OK) explain(text, path, s->db.error);
    }
    if (status != UF_OK) ufp_file_release(s->lock);
    return status;
}

static int start(sqlite_store *s)
{
    int error = ufp_mutex_init(&s->mutex);
    if (error) return error;
    error = ufp_condition_init(&s->work);
    if (error) goto no_work;
    error = ufp_condition_init(&s->rest);
    if (error) goto no_rest;
    error = ufp_thread_start(&s->thread, (ufp_thread_options){.stack_size = 0}, run, s);
    if (!error) return 0;

    ufp_condition_destroy(&s->rest);
no_rest:
    ufp_condition_destroy(&s->work);
no_work:
    ufp_mutex_destroy(&s->mutex);
    return error;
}

/* `path` is that of the file behind links, so that all its names have the same lock. */
static uf_status open_store(sqlite_store *s, const char *path, const uf_store_config *config, char *text)
{
    uf_status status = uf_store_init(&s->store, &kind, config, s->db.identity);
    if (status != UF_OK) return status;
    status = open_file(s, path, text);
    if (status != UF_OK) return status;
    s->wakes = true;
    int const error = start(s);
    if (!error) return UF_OK;
    explain_system(text, path, error);
    ufi_database_close(&s->db);
    ufp_file_release(s->lock);
    ufp_set_error(error);
    return UF_NO_THREAD;
}

static void print(const char *text)
{
    char line[UF_STORE_TEXT_SIZE + sizeof "uflow: \n"];
    ufp_print_error(line, ufi_join(line, sizeof line, UFI_PARTS("uflow: ", text, "\n")));
}

uf_status uf_sqlite_open(uf_store **store, const char *path, const uf_sqlite_config *config)
{
    char own_text[UF_STORE_TEXT_SIZE], *const text = config && config->error ? config->error : own_text;

    if (!store || !path || !*path) return UF_INVALID;
    *store = NULL;
    *text = '\0';
    int const state = ufp_begin_uncancelled();
    sqlite_store *const s = ufp_allocate(sizeof *s);
    char *const real = s ? ufp_file_real(path) : NULL;
    uf_status const status = real ? open_store(s, real, config ? &config->store : NULL, text) : UF_NO_MEMORY;
    if (status == UF_OK) *store = &s->store;
    else ufp_free(s);
    if (status != UF_OK && status != UF_INVALID && !*text) explain(text, path, uf_status_text(status));
    if (text == own_text && *text) print(text);
    ufp_free(real);
    ufp_end_uncancelled(state);
    return status;
}
