/* SPDX-License-Identifier: MIT */
/* slots.c - a durable flow in two slots, without an operating system: the power is cut at each byte that is written. */
#include <stdio.h>

#include "slots_flows.h"

enum { SIZE = 1024, PORTIONS = 3 };

static uint8_t memory[SIZE], image[SIZE / 2];
static uint32_t written, most;
static uf_pump pump;
static uf_store_slots slots;
static Station station;

static bool read_memory(void *context, uint32_t offset, void *bytes, uint32_t size)
{
    (void)context;
    for (uint32_t i = 0; i < size; i++) ((uint8_t *)bytes)[i] = memory[offset + i];
    return true;
}

static bool write_memory(void *context, uint32_t offset, const void *bytes, uint32_t size)
{
    (void)context;
    for (uint32_t i = 0; i < size; i++, written++) {
        if (written == most) return false;
        memory[offset + i] = ((const uint8_t *)bytes)[i];
    }
    return true;
}

/* From a reset until the power is cut, or the run has ended. Returns: false if something is wrong. */
static bool run(void)
{
    uf_store_slots_config const config = {.read = read_memory,
                                          .write = write_memory,
                                          .size = SIZE,
                                          .image = image,
                                          .image_size = sizeof image,
                                          .identity = "board"};

    written = 0;
    pump = (uf_pump){.running = 0};
    if (uf_store_slots_open(&slots, &config) != UF_OK || uf_pump_init(&pump, NULL) != UF_OK) return false;
    if (uf_store_attach(&slots.store, &pump) != UF_OK) return false;
    if (Station_init(&station, &pump, "station") != UF_OK) return false;
    if (uf_store_restore(&slots.store, NULL) != UF_OK || uf_store_release(&slots.store, NULL) != UF_OK) return false;
    if (uf_flow_outcome(&station.uf) == UF_DONE) return true;
    if (!uf_flow_running(&station.uf) && Station_start_Dose(&station, PORTIONS) != UF_OK) return false;
    (void)uf_simulate_until_idle(&pump, UF_S(60));
    return true;
}

int main(void)
{
    uint32_t cut = 0;
    int ended = 0;

    for (bool is_cut = true; is_cut; cut++) {
        for (uint32_t i = 0; i < SIZE; i++) memory[i] = 0xFF;
        most = cut;
        if (!run()) return 1;
        is_cut = uf_flow_outcome(&station.uf) != UF_DONE;
        most = UINT32_MAX;
        if (!run() || uf_flow_outcome(&station.uf) != UF_DONE || station.dosed != 10 * PORTIONS) return 1;
        ended++;
    }
    printf("%s\n", ended > 500 ? "each run ended once, after a cut at each byte" : "too few bytes");
    return 0;
}
