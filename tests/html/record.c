/* SPDX-License-Identifier: MIT */
/* record.c - records an example for its replay. The example is compiled with -Duf_pump_init=init_recorded, so its pump
 * gets a recorder. At the end, its content is written to the file that the environment variable TRACE names. */
#include "uflow/recorder_file.h"

#include <stdlib.h>

enum { NAMES = 100 };

uf_status init_recorded(uf_pump *pump, const uf_pump_config *config);

static uf_recorder recorder;
static unsigned char memory[1 << 20];

static void save(void)
{
    char const *const path = getenv("TRACE");
    if (!path || !uf_recorder_save(&recorder, path)) fputs("the trace was not written\n", stderr), _Exit(1);
}

uf_status init_recorded(uf_pump *pump, const uf_pump_config *config)
{
    uf_status const status = uf_pump_init(pump, config);
    if (status != UF_OK) return status;
    if (atexit(save) != 0) return UF_NO_MEMORY;
    return uf_recorder_attach(&recorder, pump, memory, sizeof memory, NAMES);
}
