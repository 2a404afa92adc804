/* SPDX-License-Identifier: MIT */
/* publish.c - diagnostics: those of `ufc --check`, as the protocol shows them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lsp.h"

/* Tags: what nothing uses, which editors show faded. */
static bool is_unused(diag_code code)
{
    static const diag_code codes[] = {UF0801, UF0805, UF0806, UF0807, UF0808, UF0809, UF0810};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == code) return true;
    return false;
}

/* The section of the code in errors.md, whose anchor is made of its heading: `#uf0301-unknown-step`. */
static void put_link(const server *s, const diag_info *info, json_t *json)
{
    if (!s->errors) return;
    buffer link = {0};
    BUFFER_PUT(&link, s->errors, "#");
    for (const char *parts[] = {info->code, " ", info->title, NULL}, **part = parts; *part; part++) {
        for (const char *c = *part; *c; c++) {
            if (isalnum((unsigned char)*c) || *c == '_') buffer_putc(&link, (char)tolower((unsigned char)*c));
            else if (*c == ' ' || *c == '-') buffer_putc(&link, '-');
        }
    }
    json_object_set_new(json, "codeDescription", json_pack("{s:s}", "href", link.text));
    buffer_free(&link);
}

static json_t *json_uri(const document *d, const source *in)
{
    if (strcmp(in->name, d->name) == 0) return json_string(d->uri);
    char *const uri = path_to_uri(in->name);
    json_t *const json = json_string(uri);
    free(uri);
    return json;
}

static json_t *related(const server *s, const document *d, span where, const char *text)
{
    return json_pack("{s:{s:o, s:o}, s:o}", "location", "uri", json_uri(d, where.in), "range",
                     json_range(s, where.in, where.begin, where.end), "message", json_text_of(text, strlen(text)));
}

static bool imports(const ast_file *file, const source *in, unsigned depth)
{
    if (file->in == in) return true;
    for (const ast_import *import = file->imports; import && depth < 64; import = import->next) {
        if (import->file && imports(import->file, in, depth + 1)) return true;
    }
    return false;
}

/* Where the document shows a report about an import: at the import that leads there. */
static span place_in_document(const analysis *of, span where)
{
    if (where.in == of->file->in) return where;
    for (const ast_import *import = of->file->imports; import; import = import->next) {
        if (import->file && where.in && imports(import->file, where.in, 0)) return import->at;
    }
    return (span){of->file->in, 0, 0};
}

static void put_text(const analysis *of, const diag_report *r, buffer *out)
{
    if (r->where.in && r->where.in != of->file->in) {
        position const at = source_position(r->where.in, r->where.begin);
        const char *const slash = strrchr(r->where.in->name, '/');
        BUFFER_PUT(out, slash ? slash + 1 : r->where.in->name, ":", at.line, ":", at.column, ": ");
    }
    buffer_puts(out, r->text);
    for (const diag_line *help = r->help; help; help = help->next) BUFFER_PUT(out, "\nhelp: ", help->text);
}

static json_t *diagnostic(const server *s, const document *d, const analysis *of, const diag_report *r)
{
    const diag_info *const info = diag_describe(r->code);
    span const at = place_in_document(of, r->where);
    json_t *const notes = json_array();
    buffer text = {0};
    put_text(of, r, &text);
    if (r->where.in && r->where.in != of->file->in) json_array_append_new(notes, related(s, d, r->where, r->text));
    for (const diag_line *note = r->notes; note; note = note->next) {
        if (note->where.in) json_array_append_new(notes, related(s, d, note->where, note->text));
        else BUFFER_PUT(&text, "\nnote: ", note->text);
    }
    json_t *const json = json_pack("{s:o, s:i, s:s, s:s, s:o, s:o}", "range", json_range(s, at.in, at.begin, at.end),
                                   "severity", r->is_error ? 1 : 2, "source", "ufc", "code", info->code, "message",
                                   json_text_of(text.text, text.length), "relatedInformation", notes);
    buffer_free(&text);
    if (is_unused(r->code)) json_object_set_new(json, "tags", json_pack("[i]", 1));
    if (info->name[0]) json_object_set_new(json, "data", json_pack("{s:s}", "option", info->name));
    put_link(s, info, json);
    return json;
}

json_t *diagnostics_of(const server *s, const document *d, const analysis *of)
{
    json_t *const list = json_array();
    const diag_report **const all = diag_sorted(of->diagnostics);
    for (size_t i = 0; i < of->diagnostics->count; i++) json_array_append_new(list, diagnostic(s, d, of, all[i]));
    return list;
}

void publish_document(const server *s, document *d)
{
    if (!d->is_stale || !d->is_flow) return;
    const analysis *const of = analysis_of_document(s, d);
    json_t *const list = of ? diagnostics_of(s, d, of) : json_array();
    json_t *const inside = json_array_size(list) ? NULL : inside_problems(s, d);
    if (inside) json_array_extend(list, inside);
    json_decref(inside);
    char *const text = json_dumps(list, JSON_COMPACT);
    bool const is_new = !d->published || !text || strcmp(text, d->published) != 0;
    d->is_stale = false;
    if (!is_new) {
        free(text);
        json_decref(list);
        return;
    }
    free(d->published);
    d->published = text;
    transport_notify("textDocument/publishDiagnostics",
                     json_pack("{s:s, s:I, s:o}", "uri", d->uri, "version", d->version, "diagnostics", list));
}

void publish_stale(const server *s)
{
    for (document *d = s->documents; d; d = d->next) publish_document(s, d);
}
