/* cell.c - see cell.h. */
#include "cell.h"

int cell_random(cell_common *shared, int low, int high)
{
    shared->random = shared->random * 1664525u + 1013904223u; /* Numerical Recipes' generator: enough for delays */
    return low + (int)((shared->random >> 16) % (uint32_t)(high - low + 1));
}
