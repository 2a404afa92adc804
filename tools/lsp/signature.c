/* SPDX-License-Identifier: MIT */
/* signature.c - a name as it is declared, and as it is used: with its parameters. */
#include <string.h>

#include "lsp.h"
#include "words.h"

static void put_range(token_range text, buffer *out)
{
    if (range_empty(text)) return;
    span const at = range_span(text);
    bool was_blank = false;
    for (uint32_t i = at.begin; i < at.end; i++) {
        bool const is_blank = strchr(" \t\r\n", at.in->text[i]) != NULL;
        if (!is_blank || !was_blank) buffer_putc(out, is_blank ? ' ' : at.in->text[i]);
        was_blank = is_blank;
    }
}

static const ast_declaration *params_of(const named *one)
{
    if (one->kind == NAME_FLOW) return one->flow->params;
    if (one->kind == NAME_TASK) return one->task->params;
    if (one->kind == NAME_STEP) return one->step->params;
    return one->kind == NAME_WORKER ? ((const ast_worker *)one->node)->params : NULL;
}

static void put_params(const named *one, bool is_snippet, buffer *out)
{
    const ast_declaration *d = params_of(one);
    if (d) buffer_putc(out, '(');
    for (unsigned n = 1; d; d = d->next, n++) {
        if (is_snippet) BUFFER_PUT(out, "${", n, ":", d->first && d->first->name.name ? d->first->name.name : "", "}");
        else put_range(d->text, out);
        buffer_puts(out, d->next ? ", " : ")");
    }
}

void put_snippet(const named *one, buffer *out)
{
    buffer_puts(out, one->ident->name);
    if (one->kind == NAME_TASK || one->kind == NAME_STEP) put_params(one, true, out);
}

/* The declaration of a field, a parameter or a mailbox: its words of C. */
static void put_declarator(const ast_declarator *d, buffer *out)
{
    put_range(d->specifiers, out);
    buffer_putc(out, ' ');
    put_range(d->declarator, out);
}

static void put_owner(const named *one, buffer *out)
{
    bool const is_in_test = one->flow && one->flow->test;
    if (one->flow && one->kind != NAME_FLOW && !is_in_test) BUFFER_PUT(out, one->flow->name.name, ".");
    if (!is_in_test && one->task && one->kind != NAME_TASK) BUFFER_PUT(out, one->task->name.name, ".");
    if (one->step && one->kind != NAME_STEP) BUFFER_PUT(out, one->step->name.name, ".");
}

void put_signature(const named *one, buffer *out)
{
    const ast_subflow *const subflow = one->kind == NAME_SUBFLOW || one->kind == NAME_POOL ? one->node : NULL;
    if (one->kind == NAME_TASK && one->task->forever) buffer_puts(out, "forever ");
    if (one->kind == NAME_TASK && one->task->shutdown) buffer_puts(out, "shutdown ");
    BUFFER_PUT(out, name_infos[one->kind].noun, " ");
    if (subflow && subflow->type.name) BUFFER_PUT(out, subflow->type.name, " ");
    put_owner(one, out);
    buffer_puts(out, one->ident->name);
    put_params(one, false, out);
    if (one->kind == NAME_TASK && !range_empty(one->task->result)) {
        buffer_puts(out, " -> ");
        put_range(one->task->result, out);
    }
    const ast_declarator *d = NULL;
    if (one->kind == NAME_FIELD || one->kind == NAME_PARAMETER) d = one->node;
    if (one->kind == NAME_MAILBOX) d = ((const ast_mailbox *)one->node)->item;
    if (d) buffer_puts(out, ": "), put_declarator(d, out);
    if (one->kind == NAME_JOB) {
        const ast_job *const job = one->node;
        if (job->worker_name.name) BUFFER_PUT(out, ": ", job->worker_name.name);
    }
}
