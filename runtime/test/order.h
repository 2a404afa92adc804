/* SPDX-License-Identifier: MIT */
/* order.h - `order;`: what has happened before a round arrives in it in any order. */
#ifndef UFLOW_TEST_ORDER_H
#define UFLOW_TEST_ORDER_H

#include "disturb.h"

/* At the top of a round, when all that arrives with it is known: asks for its order. */
void uft_order(uft_disturber *disturber, uf_pump *pump);

#endif
