/* SPDX-License-Identifier: MIT */
/* vessel.h - a vessel on a scale, below a valve. It is a file, because the world does not end with the process. The
 * valve has a spring: it closes by itself 100 ms after it was last opened. */
#ifndef VESSEL_H
#define VESSEL_H

#include <stdbool.h>

typedef struct vessel vessel;

/* Opens the file, and finds the vessel of a station: this plant has one. */
bool vessel_place(const char *path);
vessel *vessel_of(int number);

int vessel_grams(const vessel *from);
void vessel_let_in(vessel *into);
void vessel_shut(vessel *into);

#endif
