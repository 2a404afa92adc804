/* SPDX-License-Identifier: MIT */
/* crashed.h - the store of a process that has crashed. Include it behind CHECK() and the header of a flow Ledger. */
#ifndef CRASHED_H
#define CRASHED_H

/* A store with the run of an earlier process, which crashed at its second step. */
static inline uf_store *crashed(void)
{
    static uf_pump pump_before;
    static Ledger ledger;
    uf_store *store, *left;

    CHECK(uf_store_memory_open(&store, NULL) == UF_OK && uf_pump_init(&pump_before, NULL) == UF_OK);
    CHECK(uf_store_attach(store, &pump_before) == UF_OK && Ledger_init(&ledger, &pump_before, "ledger") == UF_OK);
    CHECK(uf_store_restore(store, NULL) == UF_OK && Ledger_start_Note(&ledger) == UF_OK);
    (void)uf_simulate_until(&pump_before, UF_MS(30));
    CHECK(uf_store_memory_copy(&left, store, NULL) == UF_OK);
    uf_pump_cancel_all(&pump_before);
    (void)uf_simulate_until_idle(&pump_before, UF_S(1));
    CHECK(Ledger_destroy(&ledger) == UF_OK && uf_pump_destroy(&pump_before) == UF_OK);
    CHECK(uf_store_close(store) == UF_OK);
    return left;
}

#endif
