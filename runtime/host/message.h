/* message.h - a cancel on its way to the pump. */
#ifndef UFLOW_MESSAGE_H
#define UFLOW_MESSAGE_H

#include "host.h"

typedef struct ufh_cancel_message {
    uf_message message;
    uf_run run;
} ufh_cancel_message;

/* On its way, and the pump has to be woken after that. Freed by the pump. */
void ufh_push_cancel(ufh_cancel_message *cancel, uf_run run);

#endif
