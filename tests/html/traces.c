/* traces.c - writes traces in virtual time.
 *
 *   traces stuck TRACE    two flows that wait for each other
 *   traces crowd TRACE    200 flows, more than 100 000 events */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uflow/recorder_file.h"
#include "uflow/uflow.h"

#include "html/crowd.h"
#include "stuck/cell.h"

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1);                     \
    } while (0)

int main(int argc, char **argv)
{
    static Cell cell;
    static Crowd crowd;
    static uf_pump pump;
    static uf_recorder recorder;
    static unsigned char memory[5000000];

    CHECK(argc == 3);
    CHECK(uf_pump_init(&pump, &(uf_pump_config){.pool = NULL}) == UF_OK);
    CHECK(uf_recorder_attach(&recorder, &pump, memory, sizeof memory, 300) == UF_OK);
    if (strcmp(argv[1], "stuck") == 0) {
        CHECK(Cell_init(&cell, &pump, "cell") == UF_OK && Cell_start_Work(&cell) == UF_OK);
        (void)uf_simulate_until(&pump, UF_S(2));
    } else {
        CHECK(Crowd_init(&crowd, &pump, "crowd") == UF_OK && Crowd_start_Watch(&crowd) == UF_OK);
        (void)uf_simulate_until(&pump, UF_MS(700));
    }
    CHECK(uf_recorder_save(&recorder, argv[2]));
    return 0;
}
