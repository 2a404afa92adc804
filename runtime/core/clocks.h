/* clocks.h - arithmetic on time, and a clock's move to a given logical time. */
#ifndef UFLOW_CLOCKS_H
#define UFLOW_CLOCKS_H

#include "uflow/clock.h"

/* a - b, saturating. */
uf_time ufi_time_sub(uf_time a, uf_time b);

/* Moves logical time forward to exactly `logical`, and real time as far as that takes.
 * Returns: false, and nothing changes, if the clock is frozen or its scale is 0. */
bool ufi_clock_move_to(uf_clock *clock, uf_time logical);

#endif
