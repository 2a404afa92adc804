/* Diagnostics for programs: ufc's own JSON array, and SARIF 2.1.0. */
#include <string.h>

#include "diag_report.h"
#include "json_text.h"
#include "memory.h"
#include "utf8.h"

static void put_string(buffer *out, const char *text)
{
    json_string(out, text, strlen(text));
}

static const char *severity(const diag_report *r)
{
    return r->is_error ? "error" : "warning";
}

/* -- JSON: columns count bytes from 1; an end is the column after the last byte ------------------------------------ */

static void put_json_place(buffer *out, span where)
{
    if (!where.in) return;
    position const begin = source_position(where.in, where.begin), end = source_position(where.in, where.end);
    buffer_puts(out, ", \"file\": ");
    put_string(out, where.in->name);
    buffer_printf(out, ", \"line\": %u, \"column\": %u, \"end_line\": %u, \"end_column\": %u", (unsigned)begin.line,
                  (unsigned)begin.column, (unsigned)end.line, (unsigned)end.column);
}

static void put_json_report(buffer *out, const diag_report *r)
{
    const diag_info *info = diag_describe(r->code);
    buffer_printf(out, "  {\"code\": \"%s\", \"severity\": \"%s\"", info->code, severity(r));
    if (info->name[0]) buffer_printf(out, ", \"option\": \"-W%s\"", info->name);
    buffer_puts(out, ", \"message\": ");
    put_string(out, r->text);
    put_json_place(out, r->where);
    buffer_puts(out, ", \"notes\": [");
    for (const diag_line *note = r->notes; note; note = note->next) {
        buffer_puts(out, note == r->notes ? "{\"message\": " : ", {\"message\": ");
        put_string(out, note->text);
        put_json_place(out, note->where);
        buffer_putc(out, '}');
    }
    buffer_puts(out, "], \"help\": [");
    for (const diag_line *help = r->help; help; help = help->next) {
        if (help != r->help) buffer_puts(out, ", ");
        put_string(out, help->text);
    }
    buffer_puts(out, "]}");
}

void diag_print_json(const diagnostics *d, buffer *out)
{
    const diag_report **all = diag_sorted(d);
    buffer_puts(out, "[");
    for (size_t i = 0; i < d->count; i++) {
        buffer_puts(out, i ? ",\n" : "\n");
        put_json_report(out, all[i]);
    }
    buffer_puts(out, d->count ? "\n]\n" : "]\n");
    memory_free(all);
}

/* -- SARIF ------------------------------------------------------------------------------------------------------- */

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

static void put_sarif_rules(buffer *out)
{
    for (unsigned i = 0; i < DIAG_CODE_COUNT; i++) {
        const diag_info *info = diag_describe((diag_code)i);
        buffer_printf(out, "%s\n        {\"id\": \"%s\"", i ? "," : "", info->code);
        if (info->name[0]) {
            buffer_puts(out, ", \"name\": ");
            put_string(out, info->name);
        }
        buffer_puts(out, ", \"shortDescription\": {\"text\": ");
        put_string(out, info->title);
        buffer_puts(out, "}, \"fullDescription\": {\"text\": ");
        put_string(out, info->explanation);
        buffer_printf(out, "}, \"defaultConfiguration\": {\"level\": \"%s\"}}", info->is_error ? "error" : "warning");
    }
}

static void put_sarif_result(buffer *out, const diag_report *r)
{
    buffer_printf(out, "      {\"ruleId\": \"%s\", \"ruleIndex\": %u, \"level\": \"%s\", \"message\": {\"text\": ",
                  diag_describe(r->code)->code, (unsigned)r->code, severity(r));
    buffer text = {0};
    buffer_puts(&text, r->text);
    for (const diag_line *help = r->help; help; help = help->next) buffer_printf(&text, "\nhelp: %s", help->text);
    put_string(out, text.text);
    buffer_free(&text);
    buffer_puts(out, "}");
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
            buffer_puts(out, "\"message\": {\"text\": ");
            put_string(out, note->text);
            buffer_puts(out, "}}");
        }
        buffer_puts(out, "]");
    }
    buffer_puts(out, "}");
}

void diag_print_sarif(const diagnostics *d, buffer *out)
{
    const diag_report **all = diag_sorted(d);
    buffer_puts(
        out, "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n  "
             "\"runs\": [{\n"
             "    \"columnKind\": \"unicodeCodePoints\",\n    \"tool\": {\"driver\": {\"name\": \"ufc\", \"rules\": [");
    put_sarif_rules(out);
    buffer_puts(out, "\n    ]}},\n    \"results\": [");
    for (size_t i = 0; i < d->count; i++) {
        buffer_puts(out, i ? ",\n" : "\n");
        put_sarif_result(out, all[i]);
    }
    buffer_puts(out, d->count ? "\n    ]\n  }]\n}\n" : "]\n  }]\n}\n");
    memory_free(all);
}
