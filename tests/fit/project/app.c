/* SPDX-License-Identifier: MIT */
#include "app.h"

size_t size_in_app(void)
{
    return sizeof(app);
}
