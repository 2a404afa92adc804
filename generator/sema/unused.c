/* Fields, sub-flows and parameters that nothing in the file mentions. Members are known by name alone, wherever the name
 * stands: `flow->x`, a macro, C in a source block. So of two fields of one name a use of either counts for both. */
#include <ctype.h>

#include "checks.h"
#include "words.h"

typedef struct unused {
    sema *sema;
    scope members; /* of bool: mentioned */
    const ast_step *step;
} unused;

static void expect(unused *u, const char *name)
{
    if (name && !scope_find(&u->members, name))
        scope_add(u->sema->arena, &u->members, name, ARENA_NEW(u->sema->arena, bool));
}

static void expect_all(unused *u, const ast_declaration *list)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) expect(u, d->name.name);
    }
}

static void mention(unused *u, const char *word, size_t length)
{
    bool *mentioned = scope_find_text(&u->members, word, length);
    if (mentioned) *mentioned = true;
}

static bool is_mentioned(const unused *u, const char *name)
{
    const bool *mentioned = scope_find(&u->members, name);
    return mentioned && *mentioned;
}

static void mention_text(unused *u, token_range text)
{
    for (uint32_t i = text.first; i < text.end; i++) {
        if (!token_is_word(text.list, i)) continue;
        size_t length;
        const char *word = token_text(text.list, i, &length);
        bool const is_member = i > 0 && (token_is(text.list, i - 1, "->") || token_is(text.list, i - 1, "."));
        bool is_parameter = false; /* of the step: no mention of a member */
        for (ast_declaration *p = u->step && !is_member ? u->step->params : NULL; p; p = p->next) {
            for (ast_declarator *d = p->first; d; d = d->next) {
                if (!d->name.name || !token_is(text.list, i, d->name.name)) continue;
                d->used = is_parameter = true;
            }
        }
        if (!is_parameter) mention(u, word, length);
    }
}

static void mention_declarators(unused *u, ast_declaration *list)
{
    for (; list; list = list->next) {
        for (ast_declarator *d = list->first; d; d = d->next) mention_text(u, d->initializer);
    }
}

static void mention_block(unused *u, const ast_text_block *block)
{
    const char *text = block->inside.in->text;
    for (uint32_t i = block->inside.begin; i < block->inside.end;) {
        uint32_t const begin = i;
        while (i < block->inside.end &&
               (isalnum((unsigned char)text[i]) || text[i] == '_' || (unsigned char)text[i] >= 0x80))
            i++;
        if (i > begin) mention(u, text + begin, i - begin);
        else i++;
    }
}

static void mention_body(unused *u, const ast_body *body, const ast_step *step)
{
    u->step = step;
    if (body) mention_text(u, body->text);
    u->step = NULL;
}

static void mention_flow(unused *u, ast_flow *flow)
{
    for (ast_member *member = flow->members; member; member = member->next) {
        if (member->kind == MEMBER_FIELD) {
            for (ast_declarator *d = member->field->first; d; d = d->next) mention_text(u, d->initializer);
        } else if (member->kind == MEMBER_SUBFLOW) {
            for (uint32_t i = 0; i < member->subflow->args.count; i++) mention_text(u, member->subflow->args.items[i]);
        }
    }
    mention_body(u, flow->on_init, NULL);
    for (ast_task *task = flow->tasks; task; task = task->next) {
        mention_declarators(u, task->fields);
        mention_body(u, task->on_enter, NULL);
        mention_body(u, task->on_exit, NULL);
        for (ast_step *step = task->steps; step; step = step->next) mention_body(u, &step->body, step);
    }
}

static void expect_flow(unused *u, const ast_flow *flow)
{
    expect_all(u, flow->params);
    for (const ast_member *member = flow->members; member; member = member->next) {
        if (member->kind == MEMBER_SUBFLOW) {
            expect(u, member->subflow->name.name);
            continue;
        }
        if (member->kind != MEMBER_FIELD) continue;
        for (const ast_declarator *d = member->field->first; d; d = d->next) expect(u, d->name.name);
    }
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        expect_all(u, task->params);
        expect_all(u, task->fields);
    }
}

static void report(unused *u, diag_code code, const ast_ident *name, const char *what)
{
    diag_report *r = diag_at(u->sema->diagnostics, code, name->at, "%s `%s` is never used", what, name->name);
    diag_help(r, "take it out");
}

static void report_declaration(unused *u, ast_declaration *declaration, diag_code code, const char *what)
{
    for (ast_declarator *d = declaration->first; d; d = d->next) {
        if (!d->name.name) continue;
        d->used = is_mentioned(u, d->name.name);
        if (!d->used) report(u, code, &d->name, what);
    }
}

static void report_task(unused *u, ast_task *task)
{
    for (ast_declaration *p = task->params; p; p = p->next) report_declaration(u, p, UF0806, "parameter");
    for (ast_declaration *field = task->fields; field; field = field->next)
        report_declaration(u, field, UF0805, "field");
    for (ast_step *step = task->steps; step; step = step->next) {
        for (ast_declaration *p = step->params; p; p = p->next) {
            for (ast_declarator *d = p->first; d; d = d->next) {
                if (d->name.name && !d->used) report(u, UF0806, &d->name, "parameter");
            }
        }
    }
}

void check_unused(sema *s)
{
    if (is_damaged(s, (span){s->file->in, 0, s->file->in->size})) return; /* what would use it may be missing */
    unused u = {.sema = s};
    for (ast_flow *flow = s->file->flows; flow; flow = flow->next) expect_flow(&u, flow);
    for (ast_text_block *block = s->file->blocks; block; block = block->next) mention_block(&u, block);
    for (ast_flow *flow = s->file->flows; flow; flow = flow->next) mention_flow(&u, flow);
    for (ast_flow *flow = s->file->flows; flow; flow = flow->next) {
        for (ast_declaration *p = flow->params; p; p = p->next) report_declaration(&u, p, UF0806, "parameter");
        for (ast_member *member = flow->members; member; member = member->next) {
            if (member->kind == MEMBER_FIELD) {
                report_declaration(&u, member->field, UF0805, "field");
                continue;
            }
            if (member->kind != MEMBER_SUBFLOW) continue;
            member->subflow->used = is_mentioned(&u, member->subflow->name.name);
            if (!member->subflow->used) report(&u, UF0805, &member->subflow->name, "sub-flow");
        }
        for (ast_task *task = flow->tasks; task; task = task->next) report_task(&u, task);
    }
}
