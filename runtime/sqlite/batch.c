/* SPDX-License-Identifier: MIT */
/* batch.c - records from their puts to the commit, one behind the other in memory that is used again.
 *
 * A record is its head, its bytes, and its path with a NUL: when the bytes are written, the path is not known yet. */
#include "database.h"

#include <string.h>

#include "port_host.h"

typedef struct head {
    uint32_t size, path_length;
} head;

/* What a record takes beside its bytes. */
#define MORE (sizeof(head) + UF_STORE_PATH_SIZE)

void *ufi_batch_room(ufi_batch *batch, size_t size)
{
    size_t const wanted = batch->length + MORE + size;
    size_t room = batch->size ? batch->size : 4096;

    if (size > UINT32_MAX || wanted < size) return NULL;
    while (room < wanted) room = room > SIZE_MAX / 2 ? wanted : 2 * room;
    if (room > batch->size) {
        unsigned char *const more = ufp_allocate(room);
        if (!more) return NULL;
        if (batch->length) memcpy(more, batch->bytes, batch->length);
        ufp_free(batch->bytes);
        batch->bytes = more;
        batch->size = room;
    }
    return batch->bytes + batch->length + sizeof(head);
}

uf_status ufi_batch_add(ufi_batch *batch, const char *path, size_t size)
{
    head const of = {(uint32_t)size, (uint32_t)strlen(path)};

    if (of.path_length >= UF_STORE_PATH_SIZE) return UF_INVALID;
    if (!ufi_batch_room(batch, size)) return UF_NO_MEMORY;
    unsigned char *const at = batch->bytes + batch->length;
    memcpy(at, &of, sizeof of);
    memcpy(at + sizeof of + size, path, of.path_length + 1u);
    batch->length += sizeof of + size + of.path_length + 1u;
    return UF_OK;
}

bool ufi_batch_next(const ufi_batch *batch, ufi_record *record)
{
    head of;

    if (record->end >= batch->length) return false;
    const unsigned char *const at = batch->bytes + record->end;
    memcpy(&of, at, sizeof of);
    record->bytes = at + sizeof of;
    record->size = of.size;
    record->path = (const char *)record->bytes + of.size;
    record->path_length = (int)of.path_length;
    record->end += sizeof of + of.size + of.path_length + 1u;
    return true;
}
