/* SPDX-License-Identifier: MIT */
#include "handlers.h"

#define ON "on "

const char *const handler_words[] = {
#define HANDLER(kind, word) ON word,
    HANDLERS(HANDLER)
#undef HANDLER
};

const char *handler_name(handler_kind kind)
{
    return handler_words[kind] + sizeof ON - 1;
}
