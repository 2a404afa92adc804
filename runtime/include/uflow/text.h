/* SPDX-License-Identifier: MIT */
/* text.h - a text of limited length as a value: it can be kept, passed by value and be a result.
 *
 *   task Dose(uf_text recipe) -> uf_text { step Begin { done uf_text_of("grams"); } } */
#ifndef UFLOW_TEXT_H
#define UFLOW_TEXT_H

#include "uflow/base.h"

UF_C_BEGIN

/* The size of a uf_text, the terminating NUL included. */
#define UF_TEXT_SIZE 128

/* A text up to its NUL. What comes after the NUL has no meaning. */
typedef struct uf_text {
    char text[UF_TEXT_SIZE];
} uf_text;

/* Makes a value of a text; NULL: "". A text that is too long is cut, between characters of UTF-8.
 * Thread: any, with every pump.
 * Returns: the value. */
uf_text uf_text_of(const char *text);

UF_C_END
#endif
