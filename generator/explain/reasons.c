/* SPDX-License-Identifier: MIT */
/* The reports of reasons.def. */
#include <string.h>

#include "explainer.h"
#include "scan.h"
#include "uflow_parse.h"
#include "utf8.h"

static const char *text_of(token_range where)
{
    span const at = range_span(where);
    return at.in->text + at.begin;
}

static size_t length_of(token_range where)
{
    span const at = range_span(where);
    return at.end - at.begin;
}

static const char *code_point(parser *p, token_range where)
{
    return TEXT("U+%04X", (unsigned)utf8_decode(text_of(where), length_of(where)));
}

#define SAY(report, code, what, help)                                                                                  \
    void report(parser *p, token_range where)                                                                          \
    {                                                                                                                  \
        diag_help(report_at(p, code, range_span(where), "%s", what), "%s", help);                                      \
    }
#include "reasons.def"
