#include "intents.h"

const outcome_info outcome_infos[] = {
#define OUTCOME(kind, word, name, operand, function)                                                                   \
    [OUTCOME_##kind] = {word, name, function, "UF_EDGE_" #kind, TAKES_##operand},
#include "intents.def"
};
