/* SPDX-License-Identifier: MIT */
/* app.h - a pump among other members: all files must agree on its size. */
#ifndef APP_H
#define APP_H

#include "uflow/uflow.h"

typedef struct app {
    uf_pump pump;
    int after;
} app;

size_t size_in_board(void);
size_t size_in_app(void);

#endif
