/* SPDX-License-Identifier: MIT */
/* example_hal.h - the machine of the example, simulated. */
#ifndef EXAMPLE_HAL_H
#define EXAMPLE_HAL_H

#include <stdbool.h>

void hal_grip(int force);
bool scale_read(int channel, double *grams); /* on a pool thread */

#endif
