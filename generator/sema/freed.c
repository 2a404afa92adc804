/* SPDX-License-Identifier: MIT */
/* `free(flow)` in the flow's own code, which the runtime still uses: a warning. */
#include "checks.h"
#include "words.h"

void check_freed(sema *s, const body_site *site)
{
    token_range const text = site->body->text;
    for (uint32_t i = text.first; next_name(text, &i);) {
        if (!token_is(text.list, i - 1, "free") || !range_is(text, i, "(")) continue;
        uint32_t const end = closing_bracket(text, i);
        if (end == text.end || !token_is(text.list, end - 1, "flow")) continue;
        if (end - 2 > i && !token_is(text.list, end - 2, ")")) continue; /* `free(self->flow)`; a cast may precede */
        diag_report *report =
            report_at(s, UF0826, token_span(text.list, end - 1), "the flow is in use until its run is over");
        diag_help(report, "note the end in `on end`, on a list for example, and let the owner free the flow later");
    }
}
