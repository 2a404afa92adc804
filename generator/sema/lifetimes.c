/* SPDX-License-Identifier: MIT */
/* Targets and `until` conditions are evaluated after the body has ended: its locals no longer exist then. The names
 * of bindings.def exist only where an arm binds them. The target of a pointer argument is read later still. */
#include "bindings.h"
#include "checks.h"
#include "walk.h"
#include "words.h"

/* A local in scope. A later local of the same name hides it until its block ends. */
typedef struct local {
    struct local *outer;           /* the local declared before it, of any name */
    struct local *hidden;          /* the local that this one hides */
    declared is;                   /* tags have a name space of their own */
    const ast_statement *reported; /* the await that reported it: one report per await */
} local;

/* The head of a macro block, `EACH(index, n) { … }`: it may declare each name that it mentions. */
typedef struct macro_head {
    const struct macro_head *outer;
    token_range text;
} macro_head;

typedef struct lifetimes {
    sema *sema;
    const body_site *site; /* NULL: a handler or companion */
    scope names, tags;     /* of local */
    local *last;
    const macro_head *macros; /* of the blocks around the statement */
    /* The text being checked: */
    const ast_statement *wait;
    const ast_event *event; /* the event before the target; NULL: none */
    binding_set bound;      /* without the bit BINDING_COUNT */
    const char *place;
} lifetimes;

/* Returns the local of that name; NULL if there is none. */
static local *find_local(lifetimes *l, const char *name)
{
    local *found = scope_find(&l->names, name);
    while (found && found->is.if_type && !is_type_name(l->sema, found->is.if_type)) found = found->hidden;
    return found;
}

/* -- pointers to locals -------------------------------------------------------------------------------------------- */

/* Strips casts before a text and parentheses around it. */
static token_range bare(sema *s, token_range text)
{
    while (text.end - text.first > 2 && token_is(text.list, text.first, "(")) {
        uint32_t const close = closing_bracket(text, text.first);
        if (close == text.end || close == text.first + 1) break;
        const char *const last = token_intern(s->arena, text.list, close - 1);
        if (close + 1 == text.end) text = (token_range){text.list, text.first + 1, close};
        else if (token_is(text.list, close - 1, "*") || is_type_name(s, last)) text.first = close + 1;
        else break;
    }
    return text;
}

/* Is the text `.member.member` up to its end? */
static bool only_members(token_range text)
{
    while (text.end - text.first >= 2 && token_is(text.list, text.first, ".")) text.first += 2;
    return range_empty(text);
}

static const ast_declarator *find_parameter(const lifetimes *l, const char *name)
{
    return l->site ? find_declarator(l->site->step->params, name) : NULL;
}

/* Is it automatic storage, unlike functions and static variables? */
static bool ends_with_body(const ast_declarator *d)
{
    const token_list *const list = d->declarator.list;
    for (uint32_t i = d->specifiers.first; i < d->specifiers.end; i++) {
        if (token_is_one_of(list, i, "static extern _Thread_local thread_local __thread")) return false;
    }
    return d->name_token + 1 >= d->declarator.end || !token_is(list, d->name_token + 1, "(");
}

/* Is it `(T[]){ … }` or, behind `&`, `(T){ … }`, whose type bare() may have left out? */
static bool is_literal(token_range text, bool has_address)
{
    if (range_empty(text) || !token_is(text.list, text.end - 1, "}")) return false;
    if (token_is(text.list, text.first, "{")) return has_address;
    uint32_t const close = token_is(text.list, text.first, "(") ? closing_bracket(text, text.first) : text.end;
    if (close + 1 >= text.end || !token_is(text.list, close + 1, "{")) return false;
    uint32_t size = text.first;
    while (size < close && !token_is(text.list, size, "[")) size++;
    return has_address || (size < close && !token_is(text.list, size - 1, ")"));
}

/* Takes parentheses, casts and one `&` off an argument, and reports it if a compound literal is left. */
static token_range pointed_to(sema *s, token_range text, bool *has_address)
{
    text = bare(s, text);
    *has_address = !range_empty(text) && token_is(text.list, text.first, "&");
    if (*has_address) text = bare(s, (token_range){text.list, text.first + 1, text.end});
    if (!is_literal(text, *has_address)) return text;
    diag_report *r = report_at(s, UF0609, token_span(text.list, text.first),
                               "this compound literal is gone when the pointer to it is used");
    diag_help(r, "hand it over by value, or keep it in a field");
    return (token_range){text.list, text.end, text.end};
}

void check_initial_pointer(sema *s, token_range text)
{
    bool has_address;
    (void)pointed_to(s, text, &has_address);
}

/* Reports an argument that is a local array, or the address of a local or of a part of a local. Allows several indices
 * and an index after a member: they may go through a pointer. */
static void check_pointer(token_range text, void *context)
{
    lifetimes *const l = context;
    const token_list *const list = text.list;
    bool has_address;
    text = pointed_to(l->sema, text, &has_address);
    if (range_empty(text) || !token_is_name(list, text.first)) return;
    const char *const name = token_intern(l->sema->arena, list, text.first);
    const local *const found = find_local(l, name);
    if (found && found->is.kind != DECLARED_VARIABLE) return;
    const ast_declarator *const d = found ? found->is.declarator : find_parameter(l, name);
    if (!d || !ends_with_body(d)) return;
    token_range rest = {list, text.first + 1, text.end};
    bool const has_index = has_address && d->is_array && !range_empty(rest) && token_is(list, rest.first, "[");
    if (has_index) rest.first = closing_bracket(rest, rest.first) + 1;
    if (has_address ? !only_members(rest) : !d->is_array || !range_empty(rest)) return;
    diag_report *r =
        report_at(l->sema, UF0609, token_span(list, text.first), "%s `%s` is gone when this pointer to it is used",
                  found ? "local" : "parameter", d->name.name);
    diag_note(r, d->name.at, "it is declared here, and ends with the body");
    diag_help(r, "hand it over by value, or keep it in the task's state: a field of task %s, used as `self->%s`",
              l->site->task->name.name, d->name.name);
}

/* Checks an operand that is a name, unless the body declares that name. */
static void check_event_name(lifetimes *l, const ast_event *event)
{
    token_range const text = event->target;
    uint32_t const at = text.first + token_is(text.list, text.first, "&");
    if (at >= text.end || !token_is_name(text.list, at)) return;
    const char *const name = token_intern(l->sema->arena, text.list, at);
    if (!find_local(l, name) && !find_parameter(l, name)) check_bare_operand(l->sema, l->sema->names->flow, event, at);
}

static void check_event_pointers(lifetimes *l, const ast_event *event)
{
    arm_operand const operand = arm_infos[event->kind].operand;
    bool const may_name = event->kind == ARM_ROOM || operand == OPERAND_SIGNAL || operand == OPERAND_CHECKPOINT ||
                          operand == OPERAND_RUN || operand == OPERAND_FLOW;
    if (may_name && !range_empty(event->target)) check_event_name(l, event);
    check_pointer(event->target, l);
    for (uint32_t i = 0; i < event->args.count; i++) check_pointer(event->args.items[i], l);
}

/* Checks the texts that see locals, which excludes targets of waits. `fail` formats its arguments at once. */
static void check_pointers_to_locals(lifetimes *l, ast_statement *s)
{
    bool const is_handed_on = s->outcome && s->kind != STATEMENT_STAY && !outcome_takes(s->outcome->kind, TAKES_FORMAT);
    if (is_handed_on) outcome_texts(s->outcome, check_pointer, l);
    if (s->kind != STATEMENT_SUBMIT && s->kind != STATEMENT_SPAWN) return;
    for (uint32_t i = 0; i < s->operands->args.count; i++) check_pointer(s->operands->args.items[i], l);
}

/* -- scope of targets and conditions ------------------------------------------------------------------------------- */

static void report_local(lifetimes *l, local *found, span at)
{
    static const char *const words[] = {
        [DECLARED_TYPE] = "type", [DECLARED_ENUMERATOR] = "constant", [DECLARED_TAG] = "tag"};
    if (found->reported == l->wait) return;
    found->reported = l->wait;
    const char *name = found->is.name.name;
    if (found->is.kind != DECLARED_VARIABLE) {
        diag_report *r = report_at(l->sema, UF0601, at, "%s `%s` of the body is not declared in this %s",
                                   words[found->is.kind], name, l->place);
        diag_note(r, found->is.name.at,
                  "it is declared in the body; conditions and targets are functions that stand above it");
        diag_help(r, "declare it in a `source` block");
        return;
    }
    diag_report *r = report_at(l->sema, UF0601, at, "local `%s` does not live across the wait", name);
    diag_note(r, found->is.name.at, "`%s` is declared in the body, which has ended when this %s is evaluated", name,
              l->place);
    diag_help(r, "keep it in the task's state: a field of task %s, used as `self->%s`", l->site->task->name.name, name);
}

/* Reports a tag of the body: `struct s` in the target would be a different type. */
static void check_tags(lifetimes *l, token_range text)
{
    if (l->tags.count == 0) return;
    for (uint32_t i = text.first; i + 1 < text.end; i++) {
        if (!token_has(text.list, i, IS_TAG)) continue;
        const char *const word = token_intern(l->sema->arena, text.list, i + 1);
        local *const found = scope_find(&l->tags, word);
        if (found) report_local(l, found, token_span(text.list, i + 1));
    }
}

/* Where an arm binds one of these, no parameter of the step has its name; elsewhere, no global has it. `result` and
 * `reason` hide parameters. */
enum { ONLY_BOUND = BINDS_ITEM | BINDS_INDEX };

/* Returns which of the names that arms bind this is; BINDING_COUNT: none. */
static binding_kind binding_named(token_range text, uint32_t at)
{
    binding_kind const kind = binding_at(text.list, at);
    return kind == BINDING_PAUSED ? BINDING_COUNT : kind;
}

/* The help where the event suggests more than the name alone does; NULL: there is none. */
static const char *help_of_event(lifetimes *l, binding_kind binding)
{
    const ast_event *const event = l->event;
    if (!event) return NULL;
    if (binding == BINDING_RESULT && event->kind == ARM_MAILBOX)
        return arena_printf(l->sema->arena, "the message is called `item`: `%s -> Step(item)`",
                            event->mailbox->item->name.name);
    if (binding == BINDING_RESULT && event->kind == ARM_ENDED && event->pool)
        return arena_printf(l->sema->arena, "read it in the step: `%s_%s_result_Task(flow, (uint32_t)index, &value)`",
                            l->site->flow->name.name, event->pool->name.name);
    if (binding == BINDING_INDEX && event->kind == ARM_RUN)
        return event->is_first
                   ? "all of them have failed: `reason` is that of the last one"
                   : "a run is of one flow; `first(run …)`, over an array, has the `index` of the one that is done";
    if (binding == BINDING_ITEM && event->kind == ARM_ALL)
        return arena_printf(l->sema->arena, "`all` receives nothing: a step receives with `%s_…_receive(flow, &value)`",
                            l->site->flow->name.name);
    if (binding == BINDING_ITEM && event->kind == ARM_MAILBOX)
        return "the message is received when the arm has won: look at it in the step";
    return NULL;
}

static void report_unbound(lifetimes *l, binding_kind binding, token_range text, uint32_t at)
{
    if ((ONLY_BOUND & (1U << binding)) && may_be_no_value(l->sema, text, at)) return;
    report_unbound_name(l->sema, binding, token_span(text.list, at), arena_printf(l->sema->arena, "this %s", l->place),
                        help_of_event(l, binding));
}

/* Reports a parameter or local with the name of what is bound: the name would mean one or the other. */
static void report_second_meaning(lifetimes *l, span at, const ast_ident *one, const char *what, const char *binder)
{
    diag_report *r =
        report_at(l->sema, UF0660, at, "`%s` is a %s of the step and what %s binds", one->name, what, binder);
    diag_note(r, one->at, "the %s is declared here", what);
    diag_help(r, "rename it: the %s needs another name", what);
}

/* Reports the address of what the arm binds, or of a part of it: that ends with the decision. */
static void check_bound_pointer(token_range text, void *context)
{
    lifetimes *const l = context;
    bool has_address;
    text = pointed_to(l->sema, text, &has_address);
    if (!has_address || range_empty(text) || !only_members((token_range){text.list, text.first + 1, text.end})) return;
    binding_kind const binding = binding_named(text, text.first);
    if (!(l->bound & (1U << binding))) return;
    diag_report *r = report_at(l->sema, UF0609, token_span(text.list, text.first),
                               "`%s` is gone when this pointer to it is used", binding_names[binding]);
    diag_help(r, "hand it over by value");
}

static void check_text(token_range text, void *context)
{
    lifetimes *l = context;
    check_tags(l, text);
    for (uint32_t i = text.first; next_name(text, &i);) {
        const char *const word = token_intern(l->sema->arena, text.list, i - 1);
        span const at = token_span(text.list, i - 1);
        binding_kind const binding = binding_named(text, i - 1);
        if (l->bound & (1U << binding)) {
            const ast_declarator *const other = ONLY_BOUND & (1U << binding) ? find_parameter(l, word) : NULL;
            if (other) report_second_meaning(l, at, &other->name, "parameter", "this arm");
            continue;
        }
        local *found = find_local(l, word);
        if (found) report_local(l, found, at);
        else if (binding != BINDING_COUNT && !find_parameter(l, word)) report_unbound(l, binding, text, i - 1);
    }
}

static void check_outcome(lifetimes *l, const ast_outcome *outcome, binding_set bound)
{
    l->bound = bound;
    l->place = "target";
    outcome_texts(outcome, check_text, l);
    if (!outcome_takes(outcome->kind, TAKES_FORMAT)) outcome_texts(outcome, check_bound_pointer, l);
}

static bool may_be_of_macro(const lifetimes *l, binding_kind binding)
{
    uint32_t at;
    const macro_head *head = l->macros;
    while (head && !find_name(head->text, binding_names[binding], &at)) head = head->outer;
    return head != NULL;
}

/* Text that is evaluated in the body may use locals and parameters of the names that an arm or a declaration binds. */
static void check_text_of_body(token_range text, void *context)
{
    lifetimes *const l = context;
    for (uint32_t i = text.first; next_name(text, &i);) {
        binding_kind const binding = binding_named(text, i - 1);
        bool const is_call = i < text.end && token_is(text.list, i, "(");
        if (binding == BINDING_COUNT || (l->bound & (1U << binding)) || is_call) continue;
        const char *const name = binding_names[binding];
        if (!find_local(l, name) && !find_parameter(l, name) && !may_be_of_macro(l, binding))
            report_unbound(l, binding, text, i - 1);
    }
}

/* There a global may be called `result` or `reason`. */
static void check_operand(lifetimes *l, token_range text, const char *place)
{
    l->bound = BINDS_RESULT | BINDS_REASON | (l->event && l->event->each ? (binding_set)BINDS_INDEX : 0);
    l->place = place;
    check_text_of_body(text, l);
}

/* Where none is written, its text is empty. */
static void check_duration(lifetimes *l, const ast_duration *duration)
{
    if (!duration->literal) check_operand(l, duration->text, "duration");
}

static void check_event(ast_event *event, void *context)
{
    lifetimes *const l = context;
    l->bound = 0;
    l->place = "condition";
    check_text(event->condition, l);
    l->event = event;
    check_operand(l, event->target, "operand");
    for (uint32_t i = 0; i < event->args.count; i++) check_operand(l, event->args.items[i], "argument");
    check_duration(l, &event->duration);
    l->event = NULL;
    check_event_pointers(l, event);
}

/* Locals are in scope there, so a local `reason` would be one of two. */
static void check_text_of_spawn(token_range text, void *context)
{
    lifetimes *l = context;
    check_text_of_body(text, l);
    for (uint32_t i = text.first; next_name(text, &i);) {
        const char *const name = binding_names[BINDING_REASON];
        const local *const found = token_is(text.list, i - 1, name) ? find_local(l, name) : NULL;
        if (found) report_second_meaning(l, token_span(text.list, i - 1), &found->is.name, "local", "`spawn`");
    }
}

/* Its arguments are evaluated in the body, where nothing binds a name. A global may be called `result` or `reason`. The
 * target of a spawn that failed is evaluated at once. */
static void check_spawn(lifetimes *l, const ast_statement *s)
{
    const ast_args *const args = &s->operands->args;
    l->place = "argument";
    l->bound = 0;
    for (size_t kind = 0; kind < BINDING_COUNT; kind++) {
        bool const is_of_elements = (ONLY_BOUND & (1U << kind)) != 0;
        if (!is_of_elements && may_be_global(l->sema, binding_names[kind])) l->bound |= 1U << kind;
    }
    for (uint32_t i = 0; i < args->count; i++) check_text_of_body(args->items[i], l);
    if (!s->outcome) return;
    l->bound = BINDS_REASON;
    l->place = "target";
    outcome_texts(s->outcome, check_text_of_spawn, l);
}

/* Is there a result? An unknown run or worker may have one. */
static bool has_result(const ast_event *event)
{
    const ast_task *const task = event->run_task;
    if (event->job) return !event->job->worker || worker_returns(event->job->worker);
    return event->kind != ARM_RUN || !task || !range_empty(task->result);
}

/* Names that an arm binds in its target. */
static binding_set bound_in_target(const ast_event *event)
{
    binding_set bound = 0;
    if (event->kind == ARM_NAME) return (1U << BINDING_COUNT) - 1; /* the name was reported */
    if (arm_has(event->kind, HAS_ITEM)) bound |= BINDS_ITEM;
    if (arm_has(event->kind, HAS_INDEX) || event->is_first) bound |= BINDS_INDEX;
    if (event->kind == ARM_ENDED) bound |= BINDS_INDEX | BINDS_REASON;
    if (arm_has(event->kind, HAS_RESULT) && has_result(event)) bound |= BINDS_RESULT;
    return bound;
}

/* Is an element of an array the only thing that can fail? */
static bool fails_by_element(const ast_event *event)
{
    const ast_event *failing = NULL;
    for (const ast_event *one = event->all; one; one = one->next) {
        if (!arm_has(one->kind, CAN_FAIL)) continue;
        if (failing) return false;
        failing = one;
    }
    return failing && failing->each;
}

/* Names that an arm binds in its `else`. */
static binding_set bound_in_else(const ast_event *event)
{
    bool const has_index = arm_has(event->kind, HAS_INDEX) || fails_by_element(event);
    return BINDS_REASON | (has_index ? (binding_set)BINDS_INDEX : 0);
}

static void check_wait(lifetimes *l, ast_statement *s)
{
    l->wait = s;
    if (s->kind == STATEMENT_STAY) {
        check_duration(l, &s->operands->every);
        check_duration(l, &s->operands->timeout);
        if (s->outcome) check_outcome(l, s->outcome, 0);
    }
    walk_events(s, check_event, l);
    for (const ast_arm *arm = s->arms; arm; arm = arm->next) {
        l->event = arm->event;
        check_operand(l, arm->condition, "condition");
        check_outcome(l, arm->outcome, bound_in_target(arm->event));
        if (arm->otherwise) check_outcome(l, arm->otherwise, bound_in_else(arm->event));
    }
    l->event = NULL;
}

static void declare_local(const declared *made, void *context)
{
    lifetimes *const l = context;
    local *one = ARENA_NEW(l->sema->arena, local);
    one->outer = l->last;
    one->is = *made;
    one->hidden = scope_set(l->sema->arena, made->kind == DECLARED_TAG ? &l->tags : &l->names, made->name.name, one);
    l->last = one;
}

static void leave_block(lifetimes *l, local *outer)
{
    for (; l->last != outer; l->last = l->last->outer) {
        scope *const names = l->last->is.kind == DECLARED_TAG ? &l->tags : &l->names;
        scope_set(l->sema->arena, names, l->last->is.name.name, l->last->hidden);
    }
}

static void look_through(lifetimes *l, ast_statement *list);

static void look_into(lifetimes *l, ast_statement *s)
{
    local *const outer = l->last;
    const macro_head head = {l->macros, s->condition};
    /* Branches of #if share the block around them; every other nested body is a block. */
    bool const keeps = s->kind == STATEMENT_DECLARATION || s->kind == STATEMENT_TEXT ||
                       s->kind == STATEMENT_DIRECTIVES || s->kind == STATEMENT_DIRECTIVE;
    each_local(l->sema, s, declare_local, l);
    if (s->kind == STATEMENT_STAY || s->kind == STATEMENT_AWAIT) check_wait(l, s);
    if (s->kind == STATEMENT_SPAWN) check_spawn(l, s);
    check_pointers_to_locals(l, s);
    if (s->kind == STATEMENT_MACRO_BLOCK) l->macros = &head;
    look_through(l, s->body);
    l->macros = head.outer;
    if (s->otherwise && !ast_else_if(s)) {
        leave_block(l, outer);
        look_through(l, s->otherwise);
    }
    for (ast_branch *branch = s->branches; branch; branch = branch->next) {
        if (!branch->skipped) look_through(l, branch->body);
    }
    if (!keeps) leave_block(l, outer);
}

static void look_through(lifetimes *l, ast_statement *list)
{
    for (; list; list = list->next) {
        for (ast_statement *s = list; s; s = ast_else_if(s)) look_into(l, s);
    }
}

void check_lifetimes(sema *s, const body_site *site)
{
    if (!site->step) return;
    lifetimes l = {.sema = s, .site = site};
    look_through(&l, site->body->first);
}

/* A handler is taken outside of any body, so it sees no locals. */
void check_lifetimes_outside(sema *s, ast_preempt *preempt)
{
    lifetimes l = {.sema = s, .place = preempt->run ? "argument" : "duration", .event = preempt->run};
    binding_set const index = preempt->run && preempt->run->each ? (binding_set)BINDS_INDEX : 0;
    if (preempt->run) check_event_name(&l, preempt->run);
    l.bound = index;
    preempt_texts(preempt, check_text, &l);
    preempt_texts(preempt, check_bound_pointer, &l);
    l.event = NULL;
    if (!preempt->is_handed_on) check_outcome(&l, preempt->outcome, preempt->run ? BINDS_REASON | index : 0);
}
