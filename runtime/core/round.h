/* round.h - one round at the clock's time, for what drives a pump. */
#ifndef UFLOW_ROUND_H
#define UFLOW_ROUND_H

#include "uflow/pump.h"

void ufi_round(uf_pump *pump);

#endif
