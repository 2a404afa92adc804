/* SPDX-License-Identifier: MIT */
/* main_sends.c - writes the trace of a runtime in which flows wake each other: sends STREAM. */
#include "uflow/recorder_file.h"
#include "uflow/runtime.h"

#include "sends.h"

#include <stdlib.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1);                     \
    } while (0)

int main(int argc, char **argv)
{
    static uf_recorder recorder;
    static unsigned char memory[100000];
    static Boss boss;
    static Keeper keeper;
    uf_runtime *runtime;

    CHECK(argc == 2 && uf_runtime_new(&runtime, NULL) == UF_OK);
    CHECK(uf_recorder_init(&recorder, uf_runtime_pump(runtime), memory, sizeof memory, 50) == UF_OK);
    CHECK(uf_runtime_add_observer(runtime, &recorder.observer) == UF_OK);
    CHECK(Boss_init(&boss, uf_runtime_pump(runtime), "boss") == UF_OK);
    CHECK(Listener_start_Listen(&boss.listener) == UF_OK && Clerk_start_Serve(&boss.clerk) == UF_OK);
    CHECK(Keeper_init(&keeper, uf_runtime_pump(runtime), "keeper") == UF_OK && Keeper_start_Keep(&keeper) == UF_OK);
    CHECK(Boss_start_Work(&boss) == UF_OK && uf_runtime_wait(runtime, UF_S(60)) == UF_OK);
    CHECK(uf_recorder_save(&recorder, argv[1]));
    CHECK(uf_runtime_stop(runtime, 0, NULL) == UF_OK && uf_runtime_free(runtime) == UF_OK);
    return 0;
}
