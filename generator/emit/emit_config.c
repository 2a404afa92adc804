/* SPDX-License-Identifier: MIT */
/* Generates uf_config.h: the switches of a core that has what the flows of a program use, and what its C code uses. */
#include <string.h>

#include "emit.h"
#include "uses.h"

static const struct {
    const char *name, *text;
} features[FEATURES] = {
#define FEATURE(name, text) {#name, text},
    UF_FEATURES(FEATURE)
#undef FEATURE
};

static const struct {
    uint32_t name, other;
} implications[] = {
#define IMPLIES(name, other) {FEATURE_##name, FEATURE_##other},
    UF_IMPLICATIONS(IMPLIES)
#undef IMPLIES
};
#define IMPLICATIONS (sizeof implications / sizeof *implications)

/* Adds the features that core needs for these. */
static uint32_t with_implied(uint32_t uses)
{
    uint32_t before;
    do {
        before = uses;
        for (size_t i = 0; i < IMPLICATIONS; i++) {
            if (uses & UINT32_C(1) << implications[i].name) uses |= UINT32_C(1) << implications[i].other;
        }
    } while (uses != before);
    return uses;
}

static void put_feature(buffer *out, uint32_t feature, const char *value)
{
    BUFFER_PUT(out, "#define UF_USES_", features[feature].name, value, " /* ", features[feature].text, " */\n");
}

/* The value of a feature that other ones imply: 1 if the program has one of these. */
static void put_implied(buffer *out, uint32_t feature)
{
    const char *before = "#if UF_USES_";
    for (size_t i = 0; i < IMPLICATIONS; i++) {
        if (implications[i].other != feature) continue;
        BUFFER_PUT(out, before, features[implications[i].name].name);
        before = " || UF_USES_";
    }
    bool const is_implied = *before == ' ';
    if (is_implied) {
        BUFFER_PUT(out, "\n");
        put_feature(out, feature, " 1");
        BUFFER_PUT(out, "#else\n");
    }
    put_feature(out, feature, " 0");
    if (is_implied) BUFFER_PUT(out, "#endif\n");
}

/* Writes a feature that is not in `*done`, after those that imply it. */
static void put_unused(buffer *out, uint32_t feature, uint32_t *done)
{
    if (*done & UINT32_C(1) << feature) return;
    *done |= UINT32_C(1) << feature;
    for (size_t i = 0; i < IMPLICATIONS; i++) {
        if (implications[i].other == feature) put_unused(out, implications[i].name, done);
    }
    BUFFER_PUT(out, "#ifndef UF_USES_", features[feature].name, "\n");
    put_implied(out, feature);
    BUFFER_PUT(out, "#endif\n");
}

void emit_config(const ir_unit *unit, const emit_options *options, buffer *out)
{
    uint32_t uses = uses_of(unit);
    for (size_t i = 0; i < options->unit_count; i++) uses |= uses_of(options->units[i]);
    uses = with_implied(uses);

    BUFFER_PUT(out, EMIT_MARK UFC_VERSION,
               ". Compile core, and all files of the program that include uflow, with\n"
               " * -DUF_CONFIG_FILE='\"uf_config.h\"': core then has only what this file says. */\n"
               "#define UF_CONFIG_ABI ",
               (unsigned long)EMIT_ABI, "\n\n/* The flows use: */\n");
    for (uint32_t i = 0; i < FEATURES; i++) {
        if (uses & UINT32_C(1) << i) put_feature(out, i, " 1");
    }
    BUFFER_PUT(
        out, "\n/* The flows do not use these. If C code does, define UF_USES_… as 1 before this file, as by -D. */\n");
    for (uint32_t i = 0; i < FEATURES; i++) put_unused(out, i, &uses);
}
