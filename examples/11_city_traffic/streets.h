/* streets.h - the map. Nine crossings, twelve streets of the same length between them, with a lane in each direction:
 *
 *     NW -- N -- NE
 *     |     |     |      X, N, W, E and S have a traffic light, the corners have none.
 *     W --- X --- E      Traffic drives on the right.
 *     |     |     |
 *     SW -- S -- SE
 *
 * Places, speeds and accelerations are integers, in millionths of a street (per second, per second squared). So the
 * results are the same with every compiler and on every machine. */
#ifndef STREETS_H
#define STREETS_H

#include <stdbool.h>

enum { LIGHTS = 5, NODES = 9, STREETS = 12, LANES = 2 * STREETS };
enum { STREET = 1000000 }; /* its length */

typedef enum axis { NORTH_SOUTH, EAST_WEST } axis;
typedef enum direction { NORTH, EAST, SOUTH, WEST } direction; /* clockwise */

typedef struct node {
    const char *name;
    int row, column;
} node;

typedef struct lane {
    int from, to; /* nodes */
    direction heading;
} lane;

extern const node nodes[NODES]; /* the first LIGHTS of them have a light */

/* Lane 2n goes along street n, eastward or southward; lane 2n + 1 comes back. */
lane street_lane(int number);

axis street_axis(int number);
axis across(axis one);
bool street_has_light(int number); /* at its end */

/* The lanes that may follow a lane: never back, and left only if there is no other way. So cars that have green at the
 * same time never cross each other's way. Returns: their number, 1 or 2. */
int street_exits(int number, int exits[2]);

#endif
