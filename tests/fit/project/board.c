/* SPDX-License-Identifier: MIT */
#include "app.h"

size_t size_in_board(void)
{
    return sizeof(app);
}
