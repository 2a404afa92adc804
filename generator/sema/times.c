/* Literals of durations in C, such as `40ms`: each fits into a uf_time. */
#include <stdint.h>

#include "checks.h"
#include "times.h"
#include "words.h"

void check_times(sema *s)
{
    const token_list *const tokens = &s->file->tokens;
    for (uint32_t i = 0; i < tokens->count; i++) {
        if (!token_is_time(tokens, i)) continue;
        size_t length;
        const char *const text = token_text(tokens, i, &length);
        if (time_of_literal(text, length) != INT64_MAX) continue;
        diag_report *r = diag_at(s->diagnostics, UF0205, token_span(tokens, i),
                                 "`%.*s` does not fit into a `uf_time`: the most is 2562047h", (int)length, text);
        diag_help(r, "`UF_FOREVER` is a time without limit");
    }
}
