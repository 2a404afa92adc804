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

static void put_feature(buffer *out, uint32_t feature, const char *value)
{
    BUFFER_PUT(out, "#define UF_USES_", features[feature].name, value, " /* ", features[feature].text, " */\n");
}

void emit_config(const ir_unit *unit, const emit_options *options, buffer *out)
{
    uint32_t uses = uses_of(unit);
    for (size_t i = 0; i < options->unit_count; i++) uses |= uses_of(options->units[i]);
    uses = uses_with_implied(uses);

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
    for (uint32_t i = 0; i < FEATURES; i++) {
        if (uses & UINT32_C(1) << i) continue;
        BUFFER_PUT(out, "#ifndef UF_USES_", features[i].name, "\n");
        put_feature(out, i, " 0");
        BUFFER_PUT(out, "#endif\n");
    }
}
