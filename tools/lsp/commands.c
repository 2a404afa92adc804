/* SPDX-License-Identifier: MIT */
/* commands.c - what an editor asks for by name: the page of a file, its C, and to switch a warning off. */
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "lower.h"
#include "lsp.h"
#include "memory.h"

/* A text that ufc would write, of the present text or, if that has errors, of the last one that had none. */
typedef struct written {
    analysis *of;
    buffer text;
    bool is_present;
} written;

typedef void emitter(const ir_unit *unit, const emit_options *options, buffer *out);

static written write_text(request *r, emitter *emit, const char *output, const char *header)
{
    document *const d = r->document;
    bool const is_good = !diag_error_count(r->of->diagnostics);
    const buffer *const from = is_good ? &d->text : &d->good;
    written w = {.is_present = is_good};
    w.of = from->length ? analysis_of(r->server, d->name, from->text, from->length) : NULL;
    if (!w.of || diag_error_count(w.of->diagnostics)) {
        r->error = "the file has errors, and had none at no time";
        return w;
    }
    emit_options const how = {.header_name = header, .output_name = output, .line_directives = true};
    emit(lower_unit(w.of->arena, w.of->file, false), &how, &w.text);
    return w;
}

static void written_free(written *w)
{
    buffer_free(&w->text);
    analysis_free(w->of);
}

/* The second argument of a command is a place in the document. */
static const ast_flow *flow_at(const request *r)
{
    const json_t *const place = json_array_get(json_object_get(r->params, "arguments"), 1);
    const buffer *const text = &r->document->text;
    if (!json_is_object(place)) return NULL;
    return surrounding_of(r->of->file, offset_of_position(r->server, text->text, text->length, place)).flow;
}

static json_t *diagram(request *r)
{
    const ast_flow *const flow = flow_at(r);
    written w = write_text(r, emit_html, "", "");
    json_t *const result = r->error
                               ? NULL
                               : json_pack("{s:o, s:s?, s:b}", "html", json_text_of(w.text.text, w.text.length), "flow",
                                           flow && !flow->test ? flow->name.name : NULL, "isPresent", w.is_present);
    written_free(&w);
    return result;
}

/* Pairs of lines: those of C that come from a line of the document, from the `#line`s in it. */
static json_t *places_of(const buffer *text, const char *name)
{
    json_t *const list = json_array();
    unsigned long line = 0, from = 0;
    bool is_own = false;
    for (const char *at = text->text, *end; at && *at; at = end ? end + 1 : NULL) {
        end = strchr(at, '\n');
        line++;
        if (strncmp(at, "#line ", 6) == 0) {
            char *rest;
            from = strtoul(at + 6, &rest, 10);
            size_t const length = strlen(name);
            is_own = strncmp(rest, " \"", 2) == 0 && strncmp(rest + 2, name, length) == 0 && rest[2 + length] == '"';
        } else if (is_own) {
            json_array_append_new(list, json_pack("[I, I]", (json_int_t)line, (json_int_t)from++));
        }
    }
    return list;
}

static json_t *generated_c(request *r)
{
    arena *const a = r->arena;
    const char *const slash = strrchr(r->document->name, '/'), *const name = slash ? slash + 1 : r->document->name;
    const char *const dot = strrchr(name, '.');
    const char *const base = arena_copy(a, name, dot ? (size_t)(dot - name) : strlen(name));
    written w = write_text(r, emit_c, arena_printf(a, "%s.c", base), arena_printf(a, "%s.h", base));
    json_t *const result = r->error
                               ? NULL
                               : json_pack("{s:o, s:o, s:b}", "text", json_text_of(w.text.text, w.text.length),
                                           "places", places_of(&w.text, r->document->name), "isPresent", w.is_present);
    written_free(&w);
    return result;
}

/* For the life of the server; an editor that can keeps it in its settings. */
static json_t *switch_off(request *r)
{
    server *const s = r->server;
    const char *const name = json_string_value(json_array_get(json_object_get(r->params, "arguments"), 1));
    const diag_info *const info = name ? diag_find(name) : NULL;
    if (!info || strcmp(info->name, name) != 0) {
        r->error = "there is no such warning";
        return NULL;
    }
    json_t *const list = json_is_array(s->arguments) ? json_copy(s->arguments) : json_array();
    json_array_append_new(list, json_string(arena_printf(r->arena, "-Wno-%s", name)));
    json_decref(s->arguments);
    s->arguments = list;
    for (document *d = s->documents; d; d = d->next) document_forget(s, d);
    return NULL;
}

static const struct command {
    const char *name;
    json_t *(*function)(request *);
} commands[] = {
    {"uflow.diagram", diagram},
    {"uflow.generatedC", generated_c},
    {"uflow.switchOff", switch_off},
};

json_t *commands_json(void)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        json_array_append_new(list, json_string(commands[i].name));
    return list;
}

json_t *request_command(request *r)
{
    const char *const name = text_member(r->params, "command");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, name) != 0) continue;
        if (r->of) return commands[i].function(r);
        r->error = "the document is no .uflow file";
        return NULL;
    }
    r->error = arena_printf(r->arena, "there is no command %s", name);
    return NULL;
}
