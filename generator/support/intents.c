/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "intents.h"

const outcome_info outcome_infos[] = {
#define OUTCOME(kind, word, name, operand, function)                                                                   \
    [OUTCOME_##kind] = {word, name, function, "UF_EDGE_" #kind, TAKES_##operand},
#include "intents.def"
};

const char *outcome_help(const char *word)
{
    /* clang-format off */
    static const struct {
        const char *word, *help;
    } ends[] = {
#define END(word, outcome) {word, "in a task, `on exit { … }` runs at each end: `if (outcome == " outcome ") …`"},
        END("fail", "UF_FAILED") END("failed", "UF_FAILED") END("failure", "UF_FAILED") END("done", "UF_DONE")
        END("cancel", "UF_CANCELLED") END("cancelled", "UF_CANCELLED") END("canceled", "UF_CANCELLED")
#undef END
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (strcmp(word, ends[i].word) == 0) return ends[i].help;
    }
    return NULL;
}
