/* timely_hooks.h - what the flows of timely.uflow call. */
#ifndef TIMELY_HOOKS_H
#define TIMELY_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

int64_t timely_now(void);          /* real time, in ns */
bool timely_spin(int ms);          /* keeps the thread busy */
bool timely_stamp(int64_t *stamp); /* notes the time */
int timely_labour(int ms);         /* of a worker: until it is cancelled, or so long */

#endif
