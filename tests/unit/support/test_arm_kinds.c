/* SPDX-License-Identifier: MIT */
/* test_arm_kinds.c - the arms of the language, arms.def, and the kinds of arms at run time, arm_kinds.h, agree. */
#include <string.h>

#include "../../cases.h"

#include "arms.h"
#include "uflow/arm_kinds.h"

typedef struct row {
    const char *name; /* name of the function that sets it */
    uf_arm_target target;
    uf_arm_lifetime lifetime;
} row;

static const row rows[] = {
#define ROW_OF_KIND(name, number, key, words, target, lifetime)                                                        \
    [number] = {#name, UF_TARGET_##target, UF_LIFETIME_##lifetime},
    UF_ARM_KINDS(ROW_OF_KIND)};

static bool is_called(const char *capitals, const char *name)
{
    size_t i = 0;
    for (; name[i] && (name[i] == '_' ? '_' : name[i] - 'a' + 'A') == capitals[i]; i++) {}
    return name[i] == '\0' && capitals[i] == '\0';
}

/* Returns: UF_ARM_UNUSED if the function sets an arm of another name. */
static uf_arm_kind kind_set_by(const char *function)
{
    for (int kind = 0; kind < UF_ARM_KIND_COUNT; kind++)
        if (is_called(rows[kind].name, function)) return (uf_arm_kind)kind;
    return UF_ARM_UNUSED;
}

static bool fits(arm_operand operand, uf_arm_target target)
{
    static const struct {
        arm_operand operand;
        uf_arm_target target;
    } pairs[] = {{OPERAND_CONDITION, UF_TARGET_CONDITION},
                 {OPERAND_DURATION, UF_TARGET_TIME},
                 {OPERAND_DURATION, UF_TARGET_REAL_TIME},
                 {OPERAND_TIME, UF_TARGET_TIME},
                 {OPERAND_RUN, UF_TARGET_FLOW},
                 {OPERAND_FLOW, UF_TARGET_FLOW},
                 {OPERAND_SIGNAL, UF_TARGET_SIGNAL},
                 {OPERAND_CHECKPOINT, UF_TARGET_ARRIVAL},
                 {OPERAND_MAILBOX, UF_TARGET_ROOM},
                 {OPERAND_POOL, UF_TARGET_POOL},
                 {OPERAND_JOBS, UF_TARGET_JOBS},
                 {OPERAND_DESCRIPTOR, UF_TARGET_DESCRIPTOR},
                 {OPERAND_NONE, UF_TARGET_STOP},
                 {OPERAND_NAME, UF_TARGET_SIGNAL},
                 {OPERAND_NAME, UF_TARGET_CHECKPOINT},
                 {OPERAND_NAME, UF_TARGET_MAILBOX},
                 {OPERAND_NAME, UF_TARGET_JOB},
                 {OPERAND_NAME, UF_TARGET_JOBS}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].operand == operand && pairs[i].target == target) return true;
    return false;
}

CASE(an_arm_sets_a_kind_with_its_operand_and_traits)
{
    for (arm_kind arm = (arm_kind)0; arm < ARM_ALL; arm++) {
        uf_arm_kind const kind = kind_set_by(arm_infos[arm].function);
        if (kind == UF_ARM_UNUSED) continue;
        uf_arm_target const target = rows[kind].target;
        bool const is_evaluated = kind >= UF_ARM_SIGNAL && kind <= UF_ARM_STOPPING;
        bool const has_two_slots = target == UF_TARGET_ROOM || target == UF_TARGET_POOL;
        if (!fits(arm_infos[arm].operand, target)) fail_msg("the operand of %s is another one", arm_infos[arm].word);
        if (arm_has(arm, EVALUATED) != is_evaluated) fail_msg("EVALUATED of %s", arm_infos[arm].word);
        if (arm_has(arm, TWO_SLOTS) != has_two_slots) fail_msg("TWO_SLOTS of %s", arm_infos[arm].word);
    }
}

CASE(each_kind_of_an_await_has_an_arm)
{
    for (int kind = 0; kind < UF_ARM_KIND_COUNT; kind++) {
        bool const is_of_stay = kind == UF_ARM_INTERVAL;
        bool found = is_of_stay || rows[kind].lifetime == UF_LIFETIME_TASK || rows[kind].target == UF_TARGET_NOTHING;
        for (arm_kind arm = (arm_kind)0; arm < ARM_ALL; arm++)
            found |= is_called(rows[kind].name, arm_infos[arm].function);
        if (!found) fail_msg("no arm sets the kind %s", rows[kind].name);
    }
}
