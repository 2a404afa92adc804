/* picture.h - the city from above, as text: cars are letters, a light is | or - as it is green, ! when yellow. */
#ifndef PICTURE_H
#define PICTURE_H

#include "traffic.h"

void picture_print(const traffic *city);

#endif
