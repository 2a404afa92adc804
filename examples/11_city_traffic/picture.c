/* picture.c - see picture.h. */
#include "picture.h"

#include <stdio.h>
#include <string.h>

/* A crossing is two characters wide and high, a lane one character wide. */
enum { BLOCK_WIDTH = 22, BLOCK_HEIGHT = 8, WIDTH = 2 * BLOCK_WIDTH + 2, HEIGHT = 2 * BLOCK_HEIGHT + 2 };

typedef struct canvas {
    char text[HEIGHT][WIDTH];
} canvas;

/* The character at `place` in a lane, from the middle of one crossing to the middle of the next. */
static char *at(canvas *picture, int number, int place)
{
    lane const it = street_lane(number);
    int const row = nodes[it.from].row * BLOCK_HEIGHT, column = nodes[it.from].column * BLOCK_WIDTH;
    int const along = (int)((int64_t)place * (BLOCK_WIDTH - 1) / STREET);
    int const down = (int)((int64_t)place * (BLOCK_HEIGHT - 1) / STREET);

    switch (it.heading) {
    case NORTH: return &picture->text[row - down][column + 1];
    case EAST: return &picture->text[row + 1][column + 1 + along];
    case SOUTH: return &picture->text[row + 1 + down][column];
    case WEST: return &picture->text[row][column - along];
    }
    return NULL;
}

static void paint_crossing(canvas *picture, int number, const lamp *light)
{
    char const colour = !light ? '+' : light->yellow ? '!' : light->green == NORTH_SOUTH ? '|' : '-';
    int const row = nodes[number].row * BLOCK_HEIGHT, column = nodes[number].column * BLOCK_WIDTH;

    for (int i = 0; i < 4; i++) picture->text[row + i / 2][column + i % 2] = colour;
}

void picture_print(const traffic *city)
{
    canvas picture;

    memset(&picture, ' ', sizeof picture);
    for (int i = 0; i < LANES; i++) {
        for (int place = 0; place <= STREET; place += STREET / BLOCK_WIDTH) *at(&picture, i, place) = '.';
    }
    for (int i = 0; i < NODES; i++) paint_crossing(&picture, i, i < LIGHTS ? &city->lamps[i] : NULL);
    for (const vehicle *it = city->cars; it < city->cars + CARS; it++) *at(&picture, it->lane, it->place) = it->name[0];
    for (int i = 0; i < HEIGHT; i++) printf("  %.*s\n", WIDTH, picture.text[i]);
}
