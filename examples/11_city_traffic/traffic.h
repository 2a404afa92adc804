/* traffic.h - who is where in the streets, and the rules of the road. Units as in streets.h. */
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
    GAP = 150000,                /* between the cars of a lane, at least */
    STOP_LINE = STREET - 320000, /* where one waits for the light */
    BEND = 120000,               /* so far before and behind a corner one drives slowly */
    EXIT_ROOM = 270000,          /* of the next lane has to be free for one to cross */
    ACROSS = 250000,             /* so far behind a crossing one has left it */
};

typedef struct vehicle {
    char name[2];
    int lane, exit; /* the lane that it is in, and the one that it will go on to */
    int place;      /* in the lane: 0 to STREET */
    int speed;
    bool turned; /* it came into this lane round a corner */
    uf_time moved;
} vehicle;

typedef struct lamp {
    axis green; /* for whom it is green, or was until it turned yellow: red for the others */
    bool yellow;
} lamp;

typedef struct traffic {
    vehicle cars[CARS];
    lamp lamps[LIGHTS];
    int followed[LANES]; /* the way that the last car in this lane goes on; -1: none was there */
    uint32_t random;     /* state of the generator that says who turns where; not 0 */
} traffic;

/* Puts cars and lights where they begin. Seed 0 is 1. */
void traffic_begin(traffic *city, uint32_t seed);

/* No two lights are alike. */
axis lamp_begins_with(int light);
int lamp_green_ms(int light);
int lamp_yellow_ms(int light);

/* Drives on to the present time, a tenth of a second's way at most: what is longer was a rest. */
void traffic_approach(traffic *city, vehicle *me, uf_time now); /* ... but not beyond the stop line */
void traffic_cross(traffic *city, vehicle *me, uf_time now);

/* At the stop line, or coming to it: the light is green, nobody of the other axis is in the way, and nobody is on, or
 * on the way to, the first part of the lane that it will go on to. So nobody ever has to stop on a crossing. */
bool traffic_may_cross(const traffic *city, const vehicle *me);

bool vehicle_at_line(const vehicle *me);
bool vehicle_at_bend(const vehicle *me);     /* the corner that it will turn round begins */
bool vehicle_is_across(const vehicle *me);   /* the crossing is behind it, the next stop line ahead */
bool vehicle_is_crossing(const vehicle *me); /* it is between the stop line and the middle of a crossing with a light */

#endif
