/* SPDX-License-Identifier: MIT */
/* store_memory.c - a store of durable flows in the memory of the process, for tests: what it has committed is what a
 * crash leaves. */
#include <string.h>

#include "port_host.h"
#include "uflow/store.h"

typedef struct record {
    struct record *next;
    void *bytes; /* NULL: the path is forgotten */
    size_t size;
    char path[];
} record;

typedef struct memory {
    uf_store store; /* first */
    record *kept;   /* committed, by path */
    record *put;    /* not yet, the last one first */
    void *room;     /* for the next record */
    size_t room_size;
    uint64_t commits, left;
    bool is_limited; /* only `left` more commits */
    bool fails;
    char failure[UF_REASON_SIZE];
} memory;

static const uf_store_kind kind;

static bool is_memory(const uf_store *store)
{
    return store && store->kind == &kind;
}

static void free_record(record *one)
{
    ufp_free(one->bytes);
    ufp_free(one);
}

static void free_records(record *list)
{
    while (list) {
        record *const next = list->next;
        free_record(list);
        list = next;
    }
}

static record *new_record(const char *path, const void *bytes, size_t size)
{
    size_t const length = strlen(path) + 1;
    record *const one = ufp_allocate(sizeof *one + length);

    if (!one) return NULL;
    memcpy(one->path, path, length);
    one->size = size;
    one->bytes = size ? ufp_allocate(size) : NULL;
    if (size && !one->bytes) {
        ufp_free(one);
        return NULL;
    }
    if (size) memcpy(one->bytes, bytes, size);
    return one;
}

static void *room(uf_store *store, size_t size)
{
    memory *const m = (memory *)store;

    if (size <= m->room_size) return m->room;
    void *const more = ufp_allocate(size);
    if (!more) return NULL;
    ufp_free(m->room);
    m->room = more;
    m->room_size = size;
    return more;
}

static uf_status put(uf_store *store, const char *path, const void *bytes, size_t size)
{
    memory *const m = (memory *)store;
    record *const one = new_record(path, bytes, size);

    if (!one) return UF_NO_MEMORY;
    one->next = m->put;
    m->put = one;
    return UF_OK;
}

/* The record takes the place of an earlier one. */
static void keep(memory *m, record *one)
{
    record **place = &m->kept;

    while (*place && strcmp((*place)->path, one->path) != 0) place = &(*place)->next;
    record *const old = *place;
    if (old) {
        *place = old->next;
        free_record(old);
    }
    if (!one->size) {
        free_record(one);
        return;
    }
    one->next = m->kept;
    m->kept = one;
}

static uf_status committed(uf_store *store, uint64_t *count)
{
    memory *const m = (memory *)store;
    record *oldest = NULL;

    if (!m->put) {
        *count = store->puts;
        return UF_OK;
    }
    if (m->is_limited && m->left == 0) {
        if (m->fails) uf_store_fail(store, m->failure);
        return m->fails ? UF_STORE : UF_OK; /* without a failure: no answer */
    }
    while (m->put) {
        record *const one = m->put;
        m->put = one->next;
        one->next = oldest;
        oldest = one;
    }
    while (oldest) {
        record *const one = oldest;
        oldest = one->next;
        keep(m, one);
    }
    m->commits++;
    if (m->is_limited) m->left--;
    *count = store->puts;
    return UF_OK;
}

static uf_status load(uf_store *store, void (*row)(void *context, const char *path, const void *bytes, size_t size),
                      void *context)
{
    for (const record *one = ((memory *)store)->kept; one; one = one->next)
        row(context, one->path, one->bytes, one->size);
    return UF_OK;
}

static void close_memory(uf_store *store)
{
    memory *const m = (memory *)store;

    free_records(m->kept);
    free_records(m->put);
    ufp_free(m->room);
    ufp_free(m);
}

static const uf_store_kind kind = {
    .room = room, .put = put, .committed = committed, .load = load, .close = close_memory};

uf_status uf_store_memory_open(uf_store **store, const uf_store_config *config)
{
    if (!store) return UF_INVALID;
    memory *const m = ufp_allocate(sizeof *m);
    *store = NULL;
    if (!m) return UF_NO_MEMORY;
    memset(m, 0, sizeof *m);
    uf_status const status = uf_store_init(&m->store, &kind, config, "memory");
    if (status == UF_OK) *store = &m->store;
    else ufp_free(m);
    return status;
}

uf_status uf_store_memory_copy(uf_store **store, const uf_store *of, const uf_store_config *config)
{
    if (!store || !is_memory(of)) return UF_INVALID;
    uf_status const status = uf_store_memory_open(store, config);
    if (status != UF_OK) return status;
    memory *const m = (memory *)*store;
    for (const record *one = ((const memory *)of)->kept; one; one = one->next) {
        record *const copy = new_record(one->path, one->bytes, one->size);
        if (!copy) {
            close_memory(*store);
            *store = NULL;
            return UF_NO_MEMORY;
        }
        copy->next = m->kept;
        m->kept = copy;
    }
    return UF_OK;
}

uint64_t uf_store_memory_commits(const uf_store *store)
{
    return is_memory(store) ? ((const memory *)store)->commits : 0;
}

uf_status uf_store_memory_stop(uf_store *store, uint64_t commits, const char *failure)
{
    if (!is_memory(store)) return UF_INVALID;
    memory *const m = (memory *)store;

    m->is_limited = true;
    m->left = commits;
    m->fails = failure != NULL;
    if (failure) strncpy(m->failure, failure, sizeof m->failure - 1);
    return UF_OK;
}
