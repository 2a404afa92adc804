/* SPDX-License-Identifier: MIT */
/* beside_kept.h - a restart of many durable flows: the cost is that of each. */
#ifndef BESIDE_KEPT_H
#define BESIDE_KEPT_H

#include "uflow/store.h"

#include "beside_scene.h"

static Cart *carts;
static int cart_count;
static uf_store *kept_store;
static char (*cart_names)[24];

static inline void init_carts(void)
{
    CHECK(uf_store_attach(kept_store, pump) == UF_OK);
    for (int i = 0; i < cart_count; i++) CHECK(Cart_init(&carts[i], pump, cart_names[i]) == UF_OK);
}

static inline void restart_carts(void)
{
    uf_restore_report report;

    init_carts();
    CHECK(uf_store_restore(kept_store, &report) == UF_OK && report.restored == (uint32_t)cart_count);
    for (int i = 0; i < cart_count; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "%s.box", cart_names[i]);
        CHECK(uf_store_release(kept_store, path) == UF_OK);
    }
}

/* The first process. */
static inline void keep_carts(int count)
{
    cart_count = count;
    carts = memory((size_t)count, sizeof *carts);
    cart_names = memory((size_t)count, sizeof *cart_names);
    for (int i = 0; i < count; i++) (void)snprintf(cart_names[i], sizeof cart_names[i], "cart-%06d", i);
    CHECK(uf_pump_init(pump, NULL) == UF_OK);
    CHECK(uf_store_memory_open(&kept_store, NULL) == UF_OK);
    init_carts();
    CHECK(uf_store_restore(kept_store, NULL) == UF_OK);
    for (int i = 0; i < count; i++) CHECK(Box_start_Keep(&carts[i].box) == UF_OK);
    rounds(3);
    CHECK(uf_store_memory_commits(kept_store) == 1);
}

static inline int restart_of_durable(int count)
{
    static uf_pump next;
    uf_store *copy;

    keep_carts(count);
    CHECK(uf_store_memory_copy(&copy, kept_store, NULL) == UF_OK);
    kept_store = copy;
    carts = memory((size_t)count, sizeof *carts);
    pump = &next;
    CHECK(uf_pump_init(pump, NULL) == UF_OK);
    measured(restart_carts);
    return count;
}

#endif
