/* SPDX-License-Identifier: MIT */
/* main_arms.c - waits by each kind of arm, one after the other, in virtual time. After each step it prints a dump and
 * calls look(), where a debugger stops. */
#include "uflow/dump.h"
#include "uflow/uflow.h"

#include "guard.h"
#include "trace/events.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1);                     \
    } while (0)

#include "crashed.h"

void look(void);

bool events_open;
volatile int looks;
static uf_pump pump;

__attribute__((noinline)) void look(void)
{
    looks++;
}

static void show(void)
{
    CHECK(uf_pump_dump(&pump, stdout) == UF_OK);
    puts("--");
    fflush(stdout);
    look();
}

int main(void)
{
    static uf_seeded_pool pool;
    static uf_work works[8];
    static Cell cell;
    static Ledger ledger;
    uf_store *const store = crashed();
    Guard *const guard = calloc(1, sizeof *guard);
    char const *before = "";
    int item = 3;

    CHECK(guard && uf_pool_seeded(&pool, works, 8, 7, UF_MS(3)) == UF_OK);
    CHECK(uf_pump_init(&pump, &(uf_pump_config){.pool = &pool.pool}) == UF_OK);
    CHECK(uf_store_attach(store, &pump) == UF_OK && Ledger_init(&ledger, &pump, "ledger") == UF_OK);
    CHECK(uf_store_restore(store, NULL) == UF_OK && uf_store_memory_stop(store, 3, NULL) == UF_OK);
    CHECK(Cell_init(&cell, &pump, "cell", 100) == UF_OK && Guard_init(guard, &pump, "guard") == UF_OK);
    CHECK(Cell_start_Serve(&cell) == UF_OK && Guard_start_Watch(guard) == UF_OK);
    for (int ms = 0; ms < 1000 && uf_flow_running(&cell.uf); ms++) {
        char const *const step = uf_flow_step(&cell.uf);
        if (step != before) show();
        before = step;
        if (strcmp(step, "Signal") == 0 || strcmp(step, "Both") == 0) uf_signal_fire(&go);
        if (strcmp(step, "Mail") == 0) (void)uf_mailbox_send(&cell.box, &item);
        if (strcmp(step, "Gate") == 0) uf_checkpoint_resume(&gate);
        if (strcmp(step, "Room") == 0) (void)uf_checkpoint_try_arm(&gate);
        if (strcmp(step, "Hold") == 0) events_open = false;
        if (ms == 60) CHECK(uf_store_release(store, NULL) == UF_OK);
        (void)uf_simulate_until(&pump, UF_MS(ms + 1));
    }
    show();
    return 0;
}
