/* SPDX-License-Identifier: MIT */
/* Diagnostics for programs: a JSON array. Columns count bytes from 1; an end is the column after the last byte. */
#include "diag_report.h"
#include "json_text.h"

static const char *severity(const diag_report *r)
{
    return r->is_error ? "error" : "warning";
}

static void put_json_place(buffer *out, span where)
{
    if (!where.in) return;
    position const begin = source_position(where.in, where.begin), end = source_position(where.in, where.end);
    json_text(out, ", \"file\": ", where.in->name);
    buffer_printf(out, ", \"line\": %u, \"column\": %u, \"end_line\": %u, \"end_column\": %u", (unsigned)begin.line,
                  (unsigned)begin.column, (unsigned)end.line, (unsigned)end.column);
}

static void put_json_report(buffer *out, const diag_report *r)
{
    const diag_info *info = diag_describe(r->code);
    buffer_printf(out, "  {\"code\": \"%s\", \"severity\": \"%s\"", info->code, severity(r));
    if (info->name[0]) buffer_printf(out, ", \"option\": \"-W%s\"", info->name);
    json_text(out, ", \"message\": ", r->text);
    put_json_place(out, r->where);
    buffer_puts(out, ", \"notes\": [");
    for (const diag_line *note = r->notes; note; note = note->next) {
        json_text(out, note == r->notes ? "{\"message\": " : ", {\"message\": ", note->text);
        put_json_place(out, note->where);
        buffer_putc(out, '}');
    }
    buffer_puts(out, "], \"help\": [");
    for (const diag_line *help = r->help; help; help = help->next)
        json_text(out, help == r->help ? "" : ", ", help->text);
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
}
