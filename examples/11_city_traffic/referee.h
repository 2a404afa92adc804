/* referee.h - checks the traffic rules: an observer of the pump that reads the trace of all steps, and a poll of the
 * streets. Thread: the pump's, or any after the pump has ended. */
#ifndef REFEREE_H
#define REFEREE_H

#include "traffic.h"
#include "uflow/observer.h"

typedef enum rule {
    GREEN_ONLY,     /* a car crosses only when the light is green for its axis, and not yellow */
    WAY_CLEAR,      /* ... and its way and the place after the crossing are free */
    LIGHTS_TURN,    /* green, yellow, and then green for the other axis */
    IN_THE_STREETS, /* cars are between the beginning and the end of a lane */
    SPEED_LIMIT,    /* not faster than CRUISE_SPEED, and not backward */
    DISTANCE,       /* a car keeps the gap to the one ahead in its lane */
    NOBODY_FAILS,   /* no car fails */
    RULES
} rule;

typedef struct referee {
    uf_observer observer; /* to be added to the pump */
    const traffic *city;
    lamp shown[LIGHTS]; /* from the trace */
    int changed[LIGHTS];
    int crossed[CARS];
    uf_time crossed_at[CARS]; /* the last time */
    uf_time longest[CARS];    /* the longest time without one */
    int broken[RULES];        /* number of times */
} referee;

/* Call it before the lights are switched on. */
void referee_begin(referee *judge, const traffic *city);

void referee_look(referee *judge);

/* Prints the number of violations of each rule at the end, and returns their sum. */
int referee_verdict(const referee *judge);

/* Prints how often each light changed and each car crossed so far. Returns: true if all did, and if no car waited
 * longer than `cycles` cycles of the slowest light to cross. */
bool referee_statistics(const referee *judge, uf_time now, int cycles);

#endif
