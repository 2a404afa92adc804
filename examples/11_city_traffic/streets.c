/* streets.c - see streets.h. */
#include "streets.h"

enum { X, N, W, E, S, NW, NE, SW, SE };

const node nodes[NODES] = {
    [X] = {"X", 1, 1},   [N] = {"N", 0, 1},   [W] = {"W", 1, 0},   [E] = {"E", 1, 2},   [S] = {"S", 2, 1},
    [NW] = {"NW", 0, 0}, [NE] = {"NE", 0, 2}, [SW] = {"SW", 2, 0}, [SE] = {"SE", 2, 2},
};

static const int streets[STREETS][2] = {
    {NW, N}, {N, NE}, {W, X}, {X, E}, {SW, S}, {S, SE}, /* eastward */
    {NW, W}, {W, SW}, {N, X}, {X, S}, {NE, E}, {E, SE}, /* southward */
};

lane street_lane(int number)
{
    const int *const street = streets[number / 2];
    bool const back = number % 2 != 0, level = nodes[street[0]].row == nodes[street[1]].row;

    return (lane){street[back], street[!back], level ? (back ? WEST : EAST) : (back ? NORTH : SOUTH)};
}

axis across(axis one)
{
    return one == NORTH_SOUTH ? EAST_WEST : NORTH_SOUTH;
}

axis street_axis(int number)
{
    direction const it = street_lane(number).heading;
    return it == EAST || it == WEST ? EAST_WEST : NORTH_SOUTH;
}

bool street_has_light(int number)
{
    return street_lane(number).to < LIGHTS;
}

int street_exits(int number, int exits[2])
{
    enum { STRAIGHT, RIGHT, BACK, LEFT };
    lane const here = street_lane(number);
    int count = 0, left = -1;

    for (int other = 0; other < LANES; other++) {
        lane const it = street_lane(other);
        if (it.from != here.to) continue;
        int const turn = ((int)it.heading - (int)here.heading + 4) % 4;
        if (turn == STRAIGHT || turn == RIGHT) exits[count++] = other;
        else if (turn == LEFT) left = other;
    }
    if (count == 0) exits[count++] = left;
    return count;
}
