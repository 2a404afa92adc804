/* picture.h - the city from above, as text: letters are cars, | and - show the green direction of a light, ! is
 * yellow. */
#ifndef PICTURE_H
#define PICTURE_H

#include "traffic.h"

void picture_print(const traffic *city);

#endif
