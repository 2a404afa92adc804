/* traffic.h - the positions of all cars, and the traffic rules. Units as in streets.h. */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include <stdint.h>

#include "streets.h"
#include "uflow/base.h"

enum { CARS = 15 };

enum {
    CRUISE_SPEED = 550000,
    TURN_SPEED = 260000,
    ACCELERATION = 700000,
    GAP = 150000,                /* minimum gap between the cars of a lane */
    STOP_LINE = STREET - 320000, /* where cars wait for the light */
    BEND = 120000,               /* cars drive slowly this far before and after a corner */
    EXIT_ROOM = 270000,          /* of the next lane that must be free before a car crosses */
    ACROSS = 250000,             /* a car has left a crossing this far after it */
};

typedef struct vehicle {
    char name[2];
    int lane, exit; /* its lane, and its next lane */
    int place;      /* in the lane: 0 to STREET */
    int speed;
    bool turned; /* it came into this lane round a corner */
    uf_time moved;
} vehicle;

typedef struct lamp {
    axis green; /* the axis with green or yellow; the other one has red */
    bool yellow;
} lamp;

typedef struct traffic {
    vehicle cars[CARS];
    lamp lamps[LIGHTS];
    int followed[LANES]; /* the next lane of the last car in this lane; -1: no car so far */
    uint32_t random;     /* state of the generator that determines the turns; not 0 */
} traffic;

/* Puts cars and lights at their initial places. Seed 0 means 1. */
void traffic_begin(traffic *city, uint32_t seed);

/* Each light has different times. */
axis lamp_begins_with(int light);
int lamp_green_ms(int light);
int lamp_yellow_ms(int light);

/* Moves the car to the present time, at most a tenth of a second: a longer time was a stop. */
void traffic_approach(traffic *city, vehicle *me, uf_time now); /* ... but not beyond the stop line */
void traffic_cross(traffic *city, vehicle *me, uf_time now);

/* Is the car at the stop line, or approaching it, and free to cross? The light must be green, the other axis must be
 * clear, and the first part of its next lane must be free and not claimed. So no car ever stops on a crossing. */
bool traffic_may_cross(const traffic *city, const vehicle *me);

bool vehicle_at_line(const vehicle *me);
bool vehicle_at_bend(const vehicle *me);     /* the corner where it will turn begins */
bool vehicle_is_across(const vehicle *me);   /* the crossing is behind it, the next stop line ahead */
bool vehicle_is_crossing(const vehicle *me); /* it is between the stop line and the middle of a crossing with a light */

#endif
