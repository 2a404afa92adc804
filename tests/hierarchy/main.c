/* SPDX-License-Identifier: MIT */
/* main.c - drives bank.uflow in virtual time: main TRACE. Prints a dump of each moment. */
#include "uflow/dump.h"
#include "uflow/recorder_file.h"
#include "uflow/uflow.h"

#include "bank.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1);                     \
    } while (0)

#include "crashed.h"

static uf_pump pump;

static void pass(int ms)
{
    (void)uf_simulate_until(&pump, uf_pump_now(&pump) + UF_MS(1) * ms);
    uf_pump_dump(&pump, stdout);
}

int main(int argc, char **argv)
{
    static Bank bank;
    static Ledger ledger;
    uf_store *const store = crashed();
    static uf_recorder recorder;
    static unsigned char memory[100000];

    CHECK(argc == 2 && uf_pump_init(&pump, &(uf_pump_config){.pool = uf_pool_inline()}) == UF_OK);
    CHECK(uf_recorder_attach(&recorder, &pump, memory, sizeof memory, 64) == UF_OK);
    CHECK(uf_store_attach(store, &pump) == UF_OK && Ledger_init(&ledger, &pump, "ledger") == UF_OK);
    CHECK(uf_store_restore(store, NULL) == UF_OK && uf_store_memory_stop(store, 2, NULL) == UF_OK);
    CHECK(Bank_init(&bank, &pump, "bank") == UF_OK && uf_checkpoint_try_arm(&bank.gate[1]) == UF_OK);
    CHECK(Bank_start_Serve(&bank) == UF_OK);
    pass(1);
    CHECK(uf_flow_pause(&bank.uf, &bank.hold) == UF_OK);
    pass(30);
    CHECK(uf_flow_resume(&bank.hold) == UF_OK);
    CHECK(uf_store_release(store, NULL) == UF_OK);
    uf_signal_fire(&start[0]);
    for (int ms = 0; ms < 80; ms++) pass(1);
    CHECK(uf_recorder_save(&recorder, argv[1]));
    return 0;
}
