/* SPDX-License-Identifier: MIT */
/* consequences.c - hides reports that may follow from an error that is shown. So no check asks whether the text that it
 * reads is damaged. */
#include "checks.h"

/* Where a syntax error may hide what a report says is not there. */
typedef enum lookup_part { NOWHERE, IN_FLOW, IN_FILE } lookup_part;

/* Codes of lookups that find nothing. */
static const struct {
    diag_code code;
    lookup_part part;
} lookups[] = {
    {UF0301, IN_FLOW}, {UF0302, IN_FLOW}, {UF0303, IN_FLOW}, {UF0304, IN_FLOW}, {UF0305, IN_FLOW},
    {UF0306, IN_FILE}, {UF0307, IN_FILE}, {UF0310, IN_FILE}, {UF0312, IN_FILE}, {UF0313, IN_FILE},
    {UF0315, IN_FILE}, {UF0319, IN_FILE}, {UF0380, IN_FILE}, {UF0401, IN_FILE}, {UF0402, IN_FLOW},
    {UF0408, IN_FLOW}, {UF0501, IN_FLOW}, {UF0511, IN_FILE}, {UF0602, IN_FILE},
};

static lookup_part part_of(diag_code code)
{
    for (size_t i = 0; i < sizeof lookups / sizeof lookups[0]; i++) {
        if (lookups[i].code == code) return lookups[i].part;
    }
    return NOWHERE;
}

static bool has_error(const sema *s, span part)
{
    return diag_error_within(s->diagnostics, part);
}

static bool is_within(span where, span part)
{
    return where.in == part.in && where.begin >= part.begin && where.begin < part.end;
}

static span line_of(span at)
{
    uint32_t const first = source_line(at.in, at.begin), last = source_line(at.in, at.end);
    uint32_t const end = last < at.in->line_count ? at.in->lines[last] : at.in->size;
    return (span){at.in, at.in->lines[first - 1], end};
}

static const ast_flow *flow_around(const sema *s, span where)
{
    const ast_flow *flow = ast_next_flow(s->file, NULL);
    while (flow && !is_within(where, flow->at)) flow = ast_next_flow(s->file, flow);
    return flow;
}

/* The flow, up to the next flow: a stray brace may have ended this one too early. */
static span with_what_follows(const sema *s, const ast_flow *flow)
{
    return (span){flow->at.in, flow->at.begin, flow->next ? flow->next->at.begin : s->file->in->size};
}

/* A text without its closing brace was cut off, and the error may be after it. */
static bool is_cut_off(span part)
{
    return part.end == part.begin || part.in->text[part.end - 1] != '}';
}

static bool lacks_text(const sema *s, span part)
{
    return is_cut_off(part) || has_error(s, part);
}

static bool is_in_damaged_body(const sema *s, span where)
{
    const damaged_body *body = s->damaged_bodies;
    while (body && !is_within(where, body->at)) body = body->next;
    return body != NULL;
}

/* Is the report possible only because of a syntax error in the file? */
static bool may_follow_syntax_error(const sema *s, diag_code code, span where)
{
    if (part_of(code) == IN_FILE || has_error(s, line_of(where)) || is_in_damaged_body(s, where)) return true;
    const ast_flow *const flow = flow_around(s, where);
    return !flow || (part_of(code) == IN_FLOW && (is_cut_off(flow->at) || has_error(s, with_what_follows(s, flow))));
}

static bool is_consequence(const void *context, diag_code code, span where)
{
    const sema *const s = context;
    bool const is_warning = !diag_describe(code)->is_error;
    if (is_warning && (s->has_syntax_errors || s->has_broken_imports)) return true;
    if (is_warning) return s->names && has_error(s, s->names->flow->at);
    if (s->has_broken_imports && part_of(code) == IN_FILE) return true;
    return s->has_syntax_errors && where.in == s->file->in && may_follow_syntax_error(s, code, where);
}

static void add_body(sema *s, span at)
{
    if (!lacks_text(s, at)) return;
    damaged_body *const body = ARENA_NEW(s->arena, damaged_body);
    *body = (damaged_body){s->damaged_bodies, at};
    s->damaged_bodies = body;
}

static void add_site(sema *s, const body_site *site)
{
    add_body(s, site->step ? site->step->at : range_span(site->body->text));
}

void hide_consequences(sema *s)
{
    diag_hide(s->diagnostics, is_consequence, s);
    if (!s->has_syntax_errors) return;
    for (ast_worker *worker = s->file->workers; worker; worker = worker->next) add_body(s, worker->at);
    for (ast_flow *flow = NULL; (flow = ast_next_flow(s->file, flow)) != NULL;) {
        if (lacks_text(s, flow->at)) for_each_body(s, flow, add_site);
    }
}
