/* Literals of durations in C, such as `40ms`: each fits into a uf_time, and is a decimal number. */
#include <stdint.h>

#include "checks.h"
#include "times.h"
#include "words.h"

/* The C compiler would see an unknown suffix. */
static void check_number(sema *s, const token_list *tokens, uint32_t i)
{
    size_t length;
    const char *const text = token_text(tokens, i, &length);
    const char *const help = time_help(text, length);
    size_t const unit = help ? 0 : time_misspelled(text, length);
    if ((!help && !unit)) return;
    if (unit) {
        diag_report *r = diag_at(s->diagnostics, UF0205, token_span(tokens, i), "`%.*s` is no unit of time", (int)unit,
                                 text + length - unit);
        diag_help(r, "units are ns, us, ms, s, min and h");
        return;
    }
    diag_report *r = diag_at(s->diagnostics, UF0205, token_span(tokens, i), "`%.*s` is no duration", (int)length, text);
    diag_help(r, "%s", help);
}

void check_times(sema *s)
{
    const token_list *const tokens = &s->file->tokens;
    for (uint32_t i = 0; i < tokens->count; i++) {
        if (!token_is_time(tokens, i)) {
            check_number(s, tokens, i);
            continue;
        }
        size_t length;
        const char *const text = token_text(tokens, i, &length);
        if (time_fits(text, length)) continue;
        diag_report *r = diag_at(s->diagnostics, UF0205, token_span(tokens, i),
                                 "`%.*s` does not fit into a `uf_time`: the most is 2562047h", (int)length, text);
        diag_help(r, "`UF_FOREVER` is a time without limit");
    }
}
