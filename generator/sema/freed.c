/* SPDX-License-Identifier: MIT */
/* `free(flow)` in the flow's own code, which the runtime still uses: a warning. */
#include "checks.h"
#include "walk.h"
#include "words.h"

static void check_text(token_range text, void *context)
{
    const sema *const s = context;
    uint32_t end;
    for (uint32_t i = text.first; next_name(text, &i);) {
        if (i >= text.end || !token_is(text.list, i - 1, "free") || !token_is(text.list, i, "(")) continue;
        end = closing_bracket(text, i);
        if (end == text.end || !token_is(text.list, end - 1, "flow")) continue;
        if (end - 2 > i && !token_is(text.list, end - 2, ")")) continue; /* `free(self->flow)`; a cast may precede */
        diag_report *report =
            report_at(s, UF0826, token_span(text.list, end - 1), "the flow is in use until its run is over");
        diag_help(report, "note the end in `on end`, on a list for example, and let the owner free the flow later");
    }
}

void check_freed(sema *s, const body_site *site)
{
    uint32_t at;
    if (find_name(site->body->text, "free", &at)) walk_texts(site->body->first, check_text, s);
}
