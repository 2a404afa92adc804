/* machine.h - the sensors and actuators of a washing machine, as variables. plant.c is a model of what lies behind. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>

enum { COLD, HOT, INLETS };

typedef struct machine {
    /* Sensors: plant.c and the tests write them. */
    bool closed;
    int litres_in[INLETS]; /* what has flowed through each inlet so far */
    int litres, degrees;   /* of the water in the drum */
    /* Actuators: washer.uflow writes them. */
    bool lamp, lock, heater, pump, valve[INLETS];
    int rpm; /* negative: the other way round */
} machine;

typedef struct wash_program {
    const char *name;
    int litres[INLETS]; /* of the main wash; a rinse takes as much of cold water */
    int degrees, minutes, rinses, rpm;
} wash_program;

#endif
