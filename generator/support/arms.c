/* SPDX-License-Identifier: MIT */
#include "arms.h"

#include <string.h>

const arm_info arm_infos[] = {
#define ARM(kind, word, form, operand, function, noun, feature, traits)                                                \
    [ARM_##kind] = {word, form, function, noun, OPERAND_##operand, traits},
#include "arms.def"
};

const operand_info operand_infos[] = {
#define OPERAND(kind, type, noun) [OPERAND_##kind] = {type, noun},
#include "arms.def"
};

arm_kind arm_of_word(const char *text, size_t length)
{
    for (size_t i = 0; i < ARM_NAME; i++) {
        if (*arm_infos[i].form && strlen(arm_infos[i].word) == length && memcmp(arm_infos[i].word, text, length) == 0)
            return (arm_kind)i;
    }
    return ARM_NAME;
}
