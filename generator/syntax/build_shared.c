/* SPDX-License-Identifier: MIT */
/* Builds declarations that other threads can reach: signals, checkpoints, mailboxes, workers, jobs and `on SIGNAL`. */
#include "ast_build.h"
#include "declare.h"
#include "uflow_parse.h"
#include "words.h"

/* -- signals and checkpoints ------------------------------------------------------------------------------------- */

void build_point(parser *p, uint32_t word, uint32_t name, token_range brackets)
{
    bool const is_signal = kind_at(p, word) == T_SIGNAL;
    if (is_inside(p) && !is_in_test(p)) return; /* refused as a whole */
    ast_point *one = ARENA_NEW(p->arena, ast_point);
    one->name = build_ident(p, name);
    one->flow = p->flow;
    refuse_directives(p, MISTAKE_DIRECTIVE_INSIDE, brackets);
    one->count = index_between(p, brackets);
    ast_point ***const end = is_signal ? &p->next_signal : &p->next_checkpoint;
    if (p->flow) {
        new_member(p, is_signal ? MEMBER_SIGNAL : MEMBER_CHECKPOINT)->point = one;
    } else {
        LINK(*end, one);
    }
}

/* -- mailboxes --------------------------------------------------------------------------------------------------- */

/* Returns the text between the brackets that begin there. */
static token_range between_brackets(token_range in, uint32_t at)
{
    if (at >= in.end || in.list->items[at].kind != T_LBRACKET) return (token_range){in.list, at, at};
    return (token_range){in.list, at + 1, closing_bracket(in, at)};
}

/* Refuses `drop` behind the bounds of a mailbox if it is not the clause at the end, or is misspelled. */
static void check_drop(parser *p, token_range text)
{
    static const char *const drop[] = {"drop"};
    for (uint32_t i = text.first + 1; i < text.end; i++) {
        if (text.list->items[i - 1].kind != T_RBRACKET) continue;
        const char *const word = token_intern(p->arena, text.list, i);
        bool const is_near = i + 2 == text.end && text.list->items[i].kind == T_IDENT && diag_nearest(word, drop, 1);
        if (!is_near && !token_is(text.list, i, "drop")) continue;
        refuse(p, MISTAKE_DROP, range_one(p, i));
        return;
    }
}

void build_mailbox(parser *p, uint32_t word, token_range text, token_range drop)
{
    token_range const whole = range_join(range_one(p, word), range_empty(drop) ? text : drop);
    p->text = NO_TEXT;
    if (refuse_if(p, !p->flow || is_inside(p), MISTAKE_MAILBOX_MISPLACED, whole)) return;
    refuse_directives(p, MISTAKE_DIRECTIVE_INSIDE, text);
    ast_declaration *declaration = build_members(p, text);
    check_drop(p, text);
    bool has_name = false, has_nameless_bits = false;
    for (ast_declarator *item = declaration->first; item; item = item->next) {
        has_name = has_name || item->name.name;
        has_nameless_bits = has_nameless_bits || (!item->name.name && !range_empty(item->bits));
        if (!item->name.name) continue;
        ast_mailbox *mailbox = ARENA_NEW(p->arena, ast_mailbox);
        mailbox->item = item;
        mailbox->capacity = between_brackets(item->declarator, item->name_token + 1);
        if (!range_empty(drop)) mailbox->drop = build_ident(p, drop.first);
        new_member(p, MEMBER_MAILBOX)->mailbox = mailbox;
    }
    if (!has_name || has_nameless_bits) refuse(p, MISTAKE_MAILBOX_NAMELESS, whole);
}

/* -- workers and jobs -------------------------------------------------------------------------------------------- */

/* Reads the parameters between two parentheses, split at the commas. */
static ast_declaration *split_params(parser *p, uint32_t open, uint32_t close)
{
    declaration_list list = NONE(declaration_list);
    token_range rest = {p->tokens, open + 1, close};
    while (!range_empty(rest)) {
        uint32_t const end = find_outside(rest, ",");
        if (end > rest.first) list = add_param(p, list, (token_range){p->tokens, rest.first, end});
        rest.first = end + 1;
    }
    return list.first;
}

void begin_worker(parser *p, uint32_t word, token_range signature, token_range drop, token_range limit)
{
    ast_worker *worker = ARENA_NEW(p->arena, ast_worker);
    p->worker = worker;
    worker->at = span_join(token_at(p, word), range_span(signature));
    if (!range_empty(drop)) worker->drop = build_ident(p, drop.first);
    worker->limit = limit;
    uint32_t const close = signature.end - 1;
    uint32_t const open =
        p->tokens->items[close].kind == T_RPAREN ? opening_bracket(signature, close) : signature.first;
    token_range const whole = range_join(range_one(p, word), signature);
    bool const has_name = open > signature.first + 1 && token_is_name(p->tokens, open - 1);
    if (refuse_if(p, !has_name, MISTAKE_WORKER_SIGNATURE, whole)) return;
    worker->name = build_ident(p, open - 1);
    worker->result = (token_range){p->tokens, signature.first, open - 1};
    refuse_directives(p, MISTAKE_DIRECTIVE_INSIDE, worker->result);
    worker->params = split_params(p, open, close);
    LINK(p->next_worker, worker);
    if (p->flow) refuse(p, MISTAKE_WORKER_MISPLACED, whole);
}

/* Its parameters and result are those of the worker function. */
void begin_stub(parser *p, uint32_t word, uint32_t name)
{
    ast_worker *const stub = ARENA_NEW(p->arena, ast_worker);
    stub->at = range_span(range_of(p, word, name));
    stub->name = build_ident(p, name);
    stub->stub_in = p->flow;
    p->worker = stub;
    LINK(p->next_worker, stub);
}

void end_worker(parser *p, ast_statement *block)
{
    p->worker->body = (ast_body){block->text, block->body};
    p->worker->at = span_join(p->worker->at, block->at);
    p->worker = NULL;
}

void build_job(parser *p, uint32_t word, uint32_t name, token_range brackets, uint32_t worker)
{
    if (refuse_if(p, !p->task, MISTAKE_JOB_MISPLACED, range_of(p, word, name))) return;
    ast_job *job = ARENA_NEW(p->arena, ast_job);
    job->name = build_ident(p, name);
    refuse_directives(p, MISTAKE_DIRECTIVE_INSIDE, brackets);
    job->count = index_between(p, brackets);
    job->worker_name = build_ident(p, worker);
    LINK(p->next_job, job);
}

/* -- preemption ---------------------------------------------------------------------------------------------------- */

/* Adds it to the task, group or flow. */
static ast_preempt *new_preempt(parser *p, uint32_t word, ast_outcome *outcome, uint32_t end)
{
    ast_preempt *preempt = ARENA_NEW(p->arena, ast_preempt);
    preempt->at = span_join(token_at(p, word), token_at(p, end));
    preempt->outcome = outcome;
    preempt->task = p->task;
    preempt->group = p->task ? NULL : p->group;
    ast_preempt ***const list = is_inside(p) ? &p->next_inner_preempt : &p->next_preempt;
    LINK(*list, preempt);
    return preempt;
}

void build_preempt(parser *p, uint32_t word, uint32_t signal, token_range brackets, ast_outcome *outcome, uint32_t end)
{
    ast_preempt *const preempt = new_preempt(p, word, outcome, end);
    preempt->signal = build_ident(p, signal);
    preempt->element = index_between(p, brackets);
}

void build_on_timeout(parser *p, uint32_t word, uint32_t timeout, ast_duration after, ast_outcome *outcome,
                      uint32_t end)
{
    token_range const words = range_of(p, word, timeout);
    if (refuse_if(p, range_empty(after.text), MISTAKE_TIMEOUT_WITHOUT_TIME, words)) return;
    if (refuse_if(p, !is_inside(p), MISTAKE_TIMEOUT_MISPLACED, words)) return;
    ast_preempt *const preempt = new_preempt(p, word, outcome, end);
    preempt->kind = PREEMPT_TIMEOUT;
    preempt->signal = build_ident(p, timeout);
    preempt->after = after;
    preempt->is_real = token_is(p->tokens, timeout + 1, "real");
    if (preempt->is_real) preempt->signal.name = "timeout real";
}

void build_companion(parser *p, uint32_t word, ast_event *run, ast_outcome *otherwise, uint32_t end)
{
    if (refuse_if(p, !is_inside(p), MISTAKE_COMPANION_MISPLACED, range_of(p, word, end))) return;
    ast_outcome *const outcome = otherwise ? otherwise : build_fail(p, word, NONE(ast_args));
    ast_preempt *const preempt = new_preempt(p, word, outcome, end);
    preempt->kind = PREEMPT_COMPANION;
    preempt->run = run;
    preempt->is_handed_on = !otherwise;
}
