/* referee.h - sees to it that the rules of the road are kept: an observer of the pump, who reads the trace of all steps
 * and looks at the streets in between. On the pump's thread, until the pump has come to rest. */
#ifndef REFEREE_H
#define REFEREE_H

#include "traffic.h"
#include "uflow/observer.h"

typedef enum rule {
    GREEN_ONLY,     /* a car crosses only when the light is green for its axis, and not yellow */
    WAY_CLEAR,      /* ... and nobody is in its way, nor stands where it goes on to */
    LIGHTS_TURN,    /* green, yellow, and then green for the other axis */
    IN_THE_STREETS, /* cars are between the beginning and the end of a lane */
    SPEED_LIMIT,    /* not faster than CRUISE_SPEED, nor backward */
    DISTANCE,       /* a car keeps the gap to the one ahead in its lane */
    NOBODY_FAILS,   /* no car gives up */
    RULES
} rule;

typedef struct referee {
    uf_observer observer; /* to be given to the pump */
    const traffic *traffic;
    lamp shown[LIGHTS]; /* as the trace has it */
    int changed[LIGHTS];
    int crossed[CARS];
    uf_time crossed_at[CARS]; /* for the last time */
    uf_time longest[CARS];    /* that it went without */
    int broken[RULES];        /* how often */
} referee;

/* Before the lights are switched on. */
void referee_begin(referee *judge, const traffic *city);

void referee_look(referee *judge);

/* The match is over. Prints how often each rule was broken, and returns how often any was. */
int referee_verdict(const referee *judge);

/* Prints how often each light changed and each car crossed, up to now. Returns whether all did, and no car went without
 * crossing for longer than so many cycles of the slowest light. */
bool referee_statistics(const referee *judge, uf_time now, int cycles);

#endif
