/* SPDX-License-Identifier: MIT */
/* slots.h - a store of durable flows (store.h) in memory that takes rewriting: FRAM, MRAM, RAM with a battery.
 *
 *   static uint8_t image[4096];                                   working memory; nothing is allocated
 *   static uf_store_slots slots;
 *   uf_store_slots_config const config = {.read = fram_read, .write = fram_write, .size = 8192,
 *                                         .image = image, .image_size = sizeof image, .identity = serial_number};
 *   if (uf_store_slots_open(&slots, &config) != UF_OK) ...        uf_store_failure(&slots.store) says why
 *   uf_store_attach(&slots.store, &pump);
 *
 * The memory has two slots. A commit writes the records of all flows to the older one, and its head last. So after a
 * power cut at any byte, one of the two is whole: the one of before, or the new one. Each commit writes all records:
 * flash, which takes some ten thousand of them, wears out in hours. */
#ifndef UFLOW_SLOTS_H
#define UFLOW_SLOTS_H

#include "uflow/store.h"

UF_C_BEGIN

/* The configuration of a store in two slots. */
typedef struct uf_store_slots_config {
    uf_store_config store;
    /* Read and write bytes of the memory, from `offset` on, and return when that is done; false: it has failed. They
     * are called on the pump's thread. */
    bool (*read)(void *context, uint32_t offset, void *bytes, uint32_t size);
    bool (*write)(void *context, uint32_t offset, const void *bytes, uint32_t size);
    void *context;        /* of both */
    uint32_t size;        /* of the memory; each slot has a half of it */
    void *image;          /* working memory for the records of all flows, and once more for the longest one */
    uint32_t image_size;  /* more than half of `size` is not used */
    const char *identity; /* a text of up to 16 bytes that no other board has, for tokens */
} uf_store_slots_config;

/* Two slots. The members are private.
 * Lifetime: you own it. It must stay valid until uf_store_close(). */
typedef struct uf_store_slots {
    uf_store store; /* first */
    uf_store_slots_config config;
    uint32_t generation; /* of the last commit; the slot is its lowest bit */
    uint32_t length;     /* of the records in the image */
    uint32_t at, end;    /* of a load: the next record, and the last one of those there were */
    bool is_changed;     /* since the last commit */
} uf_store_slots;

/* Opens a store: reads the newer slot that is whole. Memory that was never written is empty, if it reads as zeros
 * or ones.
 * Thread: any.
 * Returns: UF_OK; UF_STORE: the memory cannot be read, or is damaged, which a power cut cannot do; UF_NO_MEMORY: a
 * slot or the image has no room for the records; UF_INVALID. uf_store_failure() of its store says more.
 * Lifetime: until uf_store_close(), which frees nothing. */
uf_status uf_store_slots_open(uf_store_slots *slots, const uf_store_slots_config *config);

/* Forgets all that is kept in a memory, whatever it holds. Not while it is open.
 * Thread: any.
 * Returns: UF_OK; UF_STORE: a write has failed; UF_NO_MEMORY: the memory is too small; UF_INVALID. */
uf_status uf_store_slots_erase(const uf_store_slots_config *config);

UF_C_END
#endif
