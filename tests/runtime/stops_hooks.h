/* stops_hooks.h - what flows of stops.uflow call: the test that uses them says what it does. */
#ifndef STOPS_HOOKS_H
#define STOPS_HOOKS_H

#include "uflow/uflow.h"

int stops_work(int ms);
bool stops_enough(void);
void stops_in_a_step(uf_flow *flow);

#endif
