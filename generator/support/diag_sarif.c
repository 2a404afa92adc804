/* SPDX-License-Identifier: MIT */
/* Diagnostics in SARIF 2.1.0, for code-scanning services. */
#include <inttypes.h>
#include <string.h>

#include "diag_report.h"
#include "json_text.h"
#include "utf8.h"

/* -- places -------------------------------------------------------------------------------------------------------- */

/* SARIF counts characters; ufc counts bytes. */
static unsigned characters_before(const source *in, position at)
{
    uint32_t length;
    const char *text = source_line_text(in, at.line, &length);
    unsigned count = 1;
    for (size_t i = 0; i + 1 < at.column && i < length; count++) {
        size_t const size = utf8_length(text + i, length - i);
        i += size ? size : 1;
    }
    return count;
}

/* A path as a URI reference. */
static void put_uri(buffer *out, const char *path)
{
    buffer_putc(out, '"');
    for (const char *c = path; *c; c++) {
        static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
        if (strchr(unreserved, *c)) buffer_putc(out, *c);
        else buffer_printf(out, "%%%02X", (unsigned)(unsigned char)*c);
    }
    buffer_putc(out, '"');
}

static void put_sarif_location(buffer *out, span where)
{
    position const begin = source_position(where.in, where.begin), end = source_position(where.in, where.end);
    buffer_puts(out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
    put_uri(out, where.in->name);
    buffer_printf(out, "}, \"region\": {\"startLine\": %u, \"startColumn\": %u, \"endLine\": %u, \"endColumn\": %u}}",
                  (unsigned)begin.line, characters_before(where.in, begin), (unsigned)end.line,
                  characters_before(where.in, end));
}

/* -- fingerprints -------------------------------------------------------------------------------------------------- */

/* A fingerprint identifies a result within its file, and remains when other lines change. It is a hash (FNV-1a) of the
 * code and of the line without white space, and the number of earlier results with the same hash. */

enum { HASHED = 500 }; /* the bytes of a line that count */

static uint64_t hash_more(uint64_t hash, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr(" \t\r\f\v", text[i])) continue;
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

static uint64_t fingerprint(const diag_report *r)
{
    const char *const code = diag_describe(r->code)->code;
    uint64_t const hash = hash_more(UINT64_C(0xCBF29CE484222325), code, strlen(code));
    if (!r->where.in) return hash;
    uint32_t length;
    const char *const line = source_line_text(r->where.in, source_position(r->where.in, r->where.begin).line, &length);
    return hash_more(hash, line, length < HASHED ? length : HASHED);
}

static unsigned equal_before(const diag_report *const *all, const uint64_t *hashes, size_t at)
{
    unsigned count = 0;
    for (size_t i = at; i-- > 0 && all[i]->where.in == all[at]->where.in;) count += hashes[i] == hashes[at];
    return count;
}

/* -- rules and results --------------------------------------------------------------------------------------------- */

/* The explanation, as Markdown, and how to silence a warning. */
static void put_sarif_help(arena *a, buffer *out, const diag_info *info)
{
    const char *text = info->explanation;
    if (!info->is_error)
        text = arena_printf(a, "%s\n\n`-Wno-%s` silences this warning, `-Werror=%s` makes it an error.", text,
                            info->name, info->name);
    json_text(out, "{\"text\": ", text);
    json_text(out, ", \"markdown\": ", text);
    buffer_puts(out, "}");
}

static void put_sarif_rules(arena *a, buffer *out)
{
    for (unsigned i = 0; i < DIAG_CODE_COUNT; i++) {
        const diag_info *info = diag_describe((diag_code)i);
        buffer_printf(out, "%s\n        {\"id\": \"%s\"", i ? "," : "", info->code);
        if (info->name[0]) json_text(out, ", \"name\": ", info->name);
        json_text(out, ", \"shortDescription\": {\"text\": ", info->title);
        json_text(out, "}, \"fullDescription\": {\"text\": ", info->explanation);
        buffer_puts(out, "}, \"help\": ");
        put_sarif_help(a, out, info);
        buffer_printf(out, ", \"defaultConfiguration\": {\"level\": \"%s\"}}", info->is_error ? "error" : "warning");
    }
}

static void put_sarif_result(buffer *out, const diag_report *r, uint64_t hash, unsigned before)
{
    buffer_printf(out, "      {\"ruleId\": \"%s\", \"ruleIndex\": %u, \"level\": \"%s\"", diag_describe(r->code)->code,
                  (unsigned)r->code, r->is_error ? "error" : "warning");
    const char *text = r->text;
    for (const diag_line *help = r->help; help; help = help->next)
        text = arena_printf(r->arena, "%s\nhelp: %s", text, help->text);
    json_text(out, ", \"message\": {\"text\": ", text);
    buffer_printf(out, "}, \"partialFingerprints\": {\"primaryLocationLineHash\": \"%08" PRIx32 "%08" PRIx32 ":%u\"}",
                  (uint32_t)(hash >> 32), (uint32_t)hash, before + 1);
    if (r->where.in) {
        buffer_puts(out, ", \"locations\": [{");
        put_sarif_location(out, r->where);
        buffer_puts(out, "}]");
    }
    if (r->notes) {
        buffer_puts(out, ", \"relatedLocations\": [");
        for (const diag_line *note = r->notes; note; note = note->next) {
            buffer_puts(out, note == r->notes ? "{" : ", {");
            if (note->where.in) {
                put_sarif_location(out, note->where);
                buffer_puts(out, ", ");
            }
            json_text(out, "\"message\": {\"text\": ", note->text);
            buffer_puts(out, "}}");
        }
        buffer_puts(out, "]");
    }
    buffer_puts(out, "}");
}

void diag_print_sarif(const diagnostics *d, buffer *out)
{
    const diag_report **all = diag_sorted(d);
    buffer_puts(out,
                "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n  "
                "\"runs\": [{\n"
                "    \"columnKind\": \"unicodeCodePoints\",\n    \"tool\": {\"driver\": {\"name\": \"ufc\", "
                "\"version\": \"" UFC_VERSION "\", \"semanticVersion\": \"" UFC_VERSION "\", \"rules\": [");
    put_sarif_rules(d->arena, out);
    buffer_puts(out, "\n    ]}},\n    \"results\": [");
    uint64_t *const hashes = ARENA_ARRAY(d->arena, uint64_t, d->count);
    for (size_t i = 0; i < d->count; i++) {
        hashes[i] = fingerprint(all[i]);
        buffer_puts(out, i ? ",\n" : "\n");
        put_sarif_result(out, all[i], hashes[i], equal_before(all, hashes, i));
    }
    buffer_puts(out, d->count ? "\n    ]\n  }]\n}\n" : "]\n  }]\n}\n");
}
