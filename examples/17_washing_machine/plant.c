/* plant.c - see plant.h. */
#include "plant.h"

enum { INLET = 15, PUMP = 25, COLD_WATER = 15000, HOT_WATER = 40000, HEATING = 90000 }; /* ml, m°C; m°C ml per step */

void plant_begin(plant *it)
{
    *it = (plant){.io = {.closed = true}, .has_water = {true, true}, .millidegrees = COLD_WATER};
}

/* Mixes the water in the drum with what comes in. */
static void take(plant *it, int inlet)
{
    int const millidegrees = inlet == HOT ? HOT_WATER : COLD_WATER;

    it->millidegrees = (it->millidegrees * it->millilitres + millidegrees * INLET) / (it->millilitres + INLET);
    it->millilitres += INLET;
    it->flowed[inlet] += INLET;
    it->io.litres_in[inlet] = it->flowed[inlet] / 1000;
}

void plant_step(plant *it)
{
    for (int i = 0; i < INLETS; i++) {
        if (it->io.valve[i] && it->has_water[i]) take(it, i);
    }
    if (it->io.heater && it->millilitres > 0) it->millidegrees += HEATING / it->millilitres;
    if (it->io.pump && !it->clogged) it->millilitres = it->millilitres > PUMP ? it->millilitres - PUMP : 0;
    it->io.litres = (it->millilitres + 999) / 1000;
    it->io.degrees = it->millidegrees / 1000;
}
