/* cell.h - places, parts and the seeded generator of the cell. One pump drives all machines, so that they need no
 * lock. */
#ifndef CELL_H
#define CELL_H

#include <stdint.h>

/* Places on the rail in mm: raw parts at A, the machining stage at B, finished parts at C. */
#define ZONE_A        200.0
#define ZONE_B        700.0
#define ZONE_C        1200.0
#define ZONE_B_REACH  250.0 /* closer than this to B is inside the zone */
#define WAIT_LOAD     (ZONE_B - ZONE_B_REACH)
#define WAIT_UNLOAD   (ZONE_B + ZONE_B_REACH)

#define Z_UP          0.0
#define Z_DOWN        120.0
#define FINGER_OPEN   24.0
#define FINGER_CLOSED 0.0

typedef enum part { RAW_PART, MACHINED_PART } part;

typedef struct cell_common {
    uint32_t random; /* state of the seeded generator that determines the latch's delays */
    int latch_ms;    /* how long the clamp takes to close; 0: random, 200 to 700 ms */
} cell_common;

/* The next random number of the cell, in [low, high]. */
int cell_random(cell_common *shared, int low, int high);

/* Waits for the drive for `ms` of the cell's time. main.c and live.c implement it differently. */
void drive_wait(int ms);

#endif
