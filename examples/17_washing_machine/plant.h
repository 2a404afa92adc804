/* plant.h - a model of the drum, of the water and of the door, for tests. */
#ifndef PLANT_H
#define PLANT_H

#include <stdint.h>

#include "machine.h"

typedef struct plant {
    machine io;
    bool has_water[INLETS];
    bool clogged; /* the pump moves nothing */
    int millilitres, flowed[INLETS], millidegrees;
} plant;

/* Puts cold water at each inlet, and closes the door. */
void plant_begin(plant *it);

/* What happens in 100 ms. */
void plant_step(plant *it);

#endif
