/* SPDX-License-Identifier: MIT */
/* Lowers awaits and stays: arms, events and slots. */
#include <string.h>

#include "body.h"
#include "words.h"

/* The longest text of a condition or operand, or of the members of `all`, in bytes. */
#define LABEL_LIMIT 60u

/* Joins tokens: a label has no comments, line ends or directives. Cuts a long text short. */
static const char *tokens_text(body_context *c, token_range range)
{
    const char *const in = range.list->in->text;
    char text[LABEL_LIMIT + 1];
    size_t length = 0;
    uint32_t i = range.first;
    for (; i < range.end && !token_is_directive(range.list, i); i++) {
        const token *const t = &range.list->items[i];
        size_t const gap = i > range.first && t[-1].end < t->begin, size = t->end - t->begin;
        if (length + gap + size > LABEL_LIMIT) break;
        if (gap) text[length++] = ' ';
        memcpy(text + length, in + t->begin, size);
        length += size;
    }
    text[length] = '\0';
    return ARENA_CONCAT(c->l->arena, text, i < range.end ? "…" : "");
}

const char *lower_timed_label(body_context *c, const char *word, const ast_duration *d)
{
    const char *const text = tokens_text(c, d->text);
    if (d->literal) return ARENA_CONCAT(c->l->arena, word, " ", text);
    return ARENA_CONCAT(c->l->arena, word, " (", text, ") ", d->unit);
}

const char *lower_if_label(body_context *c, token_range condition)
{
    return ARENA_CONCAT(c->l->arena, "if (", tokens_text(c, condition), ")");
}

/* The operand in parentheses, without the `&flow->` of what belongs to the flow. */
static const char *operand_text(body_context *c, token_range operand)
{
    const char *const text = tokens_text(c, operand);
    size_t const skipped = text[0] == '&';
    return strncmp(text + skipped, "flow->", 6) == 0 ? text + skipped + 6 : text;
}

/* `fetch[i]`, with a short index on one line. */
const char *lower_element_label(body_context *c, const char *name, span index)
{
    const char *const text = index.in->text + index.begin;
    size_t const length = index.end - index.begin;
    bool const is_short = length <= 24 && !memchr(text, '\n', length);
    return arena_printf(c->l->arena, "%s[%.*s]", name, is_short ? (int)length : 3, is_short ? text : "...");
}

static const char *until_label(body_context *c, const ast_event *from)
{
    const char *const label = ARENA_CONCAT(c->l->arena, "until (", tokens_text(c, from->condition), ")");
    if (!ast_is_there(&from->duration)) return label;
    return lower_timed_label(c, ARENA_CONCAT(c->l->arena, label, " for"), &from->duration);
}

static const char *run_label(body_context *c, const ast_event *from)
{
    return arena_printf(c->l->arena, "%srun %s.%s(%s)%s", from->is_first ? "first(" : "", from->flow.name,
                        from->task.name, operand_text(c, from->target), from->is_first ? ")" : "");
}

static const char *event_label(body_context *c, const ast_event *from, const ir_event *event)
{
    const ir_unit *const u = c->l->unit;
    const char *const word = arm_infos[event->kind].word, *name = ir_name_of(u, event);
    if (arm_is_timeout(event->kind)) return lower_timed_label(c, word, &from->duration);
    if (event->kind == ARM_RUN) return run_label(c, from);
    if (event->kind == ARM_UNTIL) return until_label(c, from);
    if (!*name && ir_has_text(event->target))
        return arena_printf(c->l->arena, "%s(%s)", word, operand_text(c, from->target));
    if (!*name) return word;
    if (event->kind == ARM_ANY) return arena_printf(c->l->arena, "%s(%s)", word, name);
    bool const has_word =
        event->kind == ARM_ARRIVED || event->kind == ARM_ROOM || arm_infos[event->kind].operand == OPERAND_POOL;
    if (event->is_element) name = lower_element_label(c, name, event->target);
    return has_word ? arena_printf(c->l->arena, "%s %s", word, name) : name;
}

static const char *arm_label(body_context *c, const ir_arm *arm)
{
    const ir_event *const events = &c->l->unit->events[arm->events.first];
    if (!arm->all) return events->label;
    const char *members = events->label;
    for (uint32_t i = 1; i < arm->events.count; i++) {
        const char *const member = events[i].label;
        bool const is_long = strlen(members) + strlen(member) > LABEL_LIMIT;
        members = arena_printf(c->l->arena, "%s, %s", members, is_long ? "…" : member);
        if (is_long) break;
    }
    return arena_printf(c->l->arena, "all(%s)", members);
}

/* -- awaits -------------------------------------------------------------------------------------------------------- */

/* Notes that the step reads the count of a signal on entry, once per signal. */
static void note_since(body_context *c, uint32_t point)
{
    lowering *const l = c->l;
    while (l->noted_room <= point) l->noted = table_grow(l->arena, l->noted, &l->noted_room, sizeof *l->noted);
    if (l->noted[point] == c->step_index + 1) return;
    l->noted[point] = c->step_index + 1;
    TABLE_ADD(l, sinces, since_count, point);
}

/* Polled conditions need a slot only with `for`: for the time since when they hold, and for a computed duration. Or if
 * the arm has a condition: the slot keeps whether the arm is there. */
static void assign_slots(ir_event *event, bool is_conditional, uint32_t *slots)
{
    bool const polls_only = arm_has(event->kind, POLLS) && event->duration.kind == IR_DURATION_NONE;
    event->slot = event->operand_slot = IR_NONE;
    if (!polls_only || is_conditional) event->slot = (*slots)++;
    if (arm_has(event->kind, POLLS) && event->duration.kind == IR_DURATION_EXPRESSION) event->operand_slot = (*slots)++;
    if (arm_has(event->kind, TWO_SLOTS)) (*slots)++;
}

ir_more lower_more(lowering *l, ir_more more, const ir_event *event, uint32_t flow)
{
    if (event->each == IR_NONE || event->kind != ARM_RUN) return more;
    const ir_subflow *const array = &l->unit->members[event->each].subflow;
    bool const is_known = array->size && more.count != IR_NONE;
    return (ir_more){
        .text = arena_printf(l->arena, "%s + UF_MORE(%s, %s)", more.text, l->unit->flows[flow].name, array->name),
        .count = is_known ? more.count + array->size - 1 : IR_NONE};
}

/* The arms of an array's elements lie behind each other. */
static void add_elements(body_context *c, const ir_event *event, ir_pause *pause)
{
    if (event->each == IR_NONE || event->kind != ARM_RUN) return;
    uint32_t count = 1;
    for (uint32_t i = pause->first_event; i < c->l->unit->event_count; i++)
        count += c->l->unit->events[i].kind == ARM_RUN && c->l->unit->events[i].each == event->each;
    ir_subflow *const array = &c->l->unit->members[event->each].subflow;
    if (count > array->in_waits) array->in_waits = count;
    pause->more = lower_more(c->l, pause->more, event, c->flow_index);
}

ir_range lower_values(lowering *l, const ast_args *args)
{
    ir_range const values = {l->unit->text_count, args->count};
    for (uint32_t i = 0; i < args->count; i++) {
        TABLE_ADD(l, texts, text_count, lower_text(args->items[i]));
    }
    return values;
}

static ir_event lower_event(body_context *c, const ast_event *from, bool is_conditional, uint32_t *slots, ir_more more)
{
    lowering *const l = c->l;
    arm_operand const operand = arm_infos[from->kind].operand;
    ir_event event = {.kind = from->kind,
                      .at = from->at,
                      .condition = lower_text(from->condition),
                      .duration = lower_duration(&from->duration),
                      .target = lower_text(from->target),
                      .is_element = from->name.name && !range_empty(from->target),
                      .args = lower_args(&from->args),
                      .values = lower_values(l, &from->args),
                      .more = more,
                      .each = from->each ? place_of(l, from->each) : IR_NONE,
                      .is_first = from->is_first,
                      .uses_index = from->each && bindings_of_args(&from->args) & BINDS_INDEX};
    if (from->run_task) event.flow = lower_flow_index(l, from->run_flow);
    if (from->run_task) event.task = lower_task_index(l, from->run_task);
    if (from->point) event.index = lower_point_index(l, from->point);
    if (from->mailbox) event.index = place_of(l, from->mailbox);
    if (from->job) event.index = place_of(l, from->job);
    if (from->pool) event.index = place_of(l, from->pool);
    assign_slots(&event, is_conditional, slots);
    if (arm_has(from->kind, SINCE_ENTRY)) note_since(c, event.index);
    if (arm_has(from->kind, AWAITS_STOP)) l->unit->tasks[c->task_index].awaits_stop = true;
    /* A null pointer or a destroyed target fails the task. */
    bool const is_pointer = operand == OPERAND_SIGNAL || operand == OPERAND_CHECKPOINT;
    /* The index of an element may be out of range. */
    if ((is_pointer || event.is_element) && ir_has_text(event.target)) body_flow(c)->keeps_reason = true;
    event.label = event_label(c, from, &event);
    return event;
}

static void add_event(body_context *c, const ast_event *from, bool is_conditional, ir_pause *pause)
{
    ir_event const event = lower_event(c, from, is_conditional, &pause->slots, pause->more);
    add_elements(c, &event, pause);
    TABLE_ADD(c->l, events, event_count, event);
}

uint32_t lower_run(body_context *c, const ast_event *from, uint32_t slot, ir_more more)
{
    ir_event const event = lower_event(c, from, false, &slot, more);
    return TABLE_ADD(c->l, events, event_count, event);
}

static void add_directive(lowering *l, span text, bool opens)
{
    TABLE_ADD(l, directives, directive_count, (ir_directive){.text = text, .opens = opens});
}

/* Adds the directives around an arm: outer branches first, and for each `#if` all directives up to the branch. */
static void lower_guard(lowering *l, const ast_guard *guard)
{
    if (!guard) return;
    lower_guard(l, guard->outer);
    for (const ast_guard *one = guard->first; one; one = one->next) {
        add_directive(l, range_span(one->directive), one == guard->first);
        if (one == guard) break;
    }
}

static void lower_branch(lowering *l, const open_branch *open)
{
    if (!open) return;
    lower_branch(l, open->outer);
    for (const ast_branch *branch = open->directives->branches; branch; branch = branch->next) {
        add_directive(l, branch->at, branch == open->directives->branches);
        if (branch == open->branch) break;
    }
}

ir_range lower_directives(body_context *c, const open_branch *branch, const ast_guard *guard)
{
    uint32_t const first = c->l->unit->directive_count;
    lower_branch(c->l, branch);
    lower_guard(c->l, guard);
    return (ir_range){first, c->l->unit->directive_count - first};
}

/* Notes the kinds of arms, and whether all arms of a kind may be left out. */
static void describe_arm(const ir_unit *u, const ir_arm *arm, ir_pause *pause)
{
    bool has_run = false, has_until = false, may_fail_early = false;
    bool const is_sure = arm->directives.count == 0 && !ir_has_text(arm->condition);
    IR_EACH (ir_event, event, u->events, arm->events) {
        if (event->kind == ARM_RUN) has_run = true;
        else may_fail_early |= arm_has(event->kind, CAN_FAIL);
        if (event->kind == ARM_UNTIL) has_until = true;
    }
    if (has_run) pause->may_lack_run = !is_sure && (!pause->has_run || pause->may_lack_run);
    if (has_until) pause->may_lack_until = !is_sure && (!pause->has_until || pause->may_lack_until);
    pause->has_conditions |= ir_has_text(arm->condition);
    pause->may_lack_arms &= !is_sure;
    pause->has_run |= has_run;
    pause->has_until |= has_until;
    pause->has_other |= !has_run || may_fail_early;
}

static bool may_fail(const ir_unit *u, const ir_arm *arm)
{
    for (uint32_t i = 0; i < arm->events.count; i++) {
        if (arm_has(u->events[arm->events.first + i].kind, CAN_FAIL)) return true;
    }
    return false;
}

static void lower_arm(body_context *c, const ast_arm *from, ir_pause *pause)
{
    lowering *const l = c->l;
    ir_arm arm = {.at = from->at,
                  .condition = lower_text(from->condition),
                  .all = from->event->kind == ARM_ALL,
                  .otherwise = IR_NONE,
                  .failure = IR_NONE};
    bool const is_conditional = ir_has_text(arm.condition);
    arm.directives = lower_directives(c, NULL, from->guard);
    arm.events.first = l->unit->event_count;
    uint32_t const first_edge = l->unit->edge_count;
    if (!arm.all) add_event(c, from->event, is_conditional, pause);
    for (const ast_event *event = from->event->all; event; event = event->next)
        add_event(c, event, is_conditional, pause);
    arm.events.count = l->unit->event_count - arm.events.first;
    arm.outcome = lower_outcome(c, from->outcome);
    if (from->otherwise) arm.otherwise = lower_outcome(c, from->otherwise);
    describe_arm(l->unit, &arm, pause);

    bool const is_timeout = arm_is_timeout(from->event->kind);
    const char *label = arm_label(c, &arm);
    if (is_conditional) label = arena_printf(l->arena, "%s %s", lower_if_label(c, from->condition), label);
    c->guard = from->guard;
    lower_outcome_edge(c, arm.outcome, is_timeout ? IR_BY_TIMEOUT : IR_BY_ARM, label);
    if (from->otherwise) {
        lower_outcome_edge(c, arm.otherwise, IR_BY_ELSE, "else");
        if (l->unit->outcomes[arm.otherwise].uses & BINDS_REASON) body_flow(c)->keeps_reason = true;
    } else if (may_fail(l->unit, &arm)) {
        ir_edge const handed_on = {
            .to = IR_NONE, .outcome = OUTCOME_FAIL, .trigger = IR_BY_ELSE, .label = "else", .is_handed_on = true};
        arm.failure = lower_edge(c, handed_on, from->event->at);
        body_flow(c)->keeps_reason = true;
    }
    c->guard = NULL;
    for (uint32_t i = first_edge; i < l->unit->edge_count; i++) l->unit->edges[i].events = arm.events;
    TABLE_ADD(l, arms, arm_count, arm);
}

static uint32_t add_pause(body_context *c, ir_pause pause)
{
    pause.number = ++c->pauses[pause.kind];
    pause.directives = lower_directives(c, c->branch, NULL);
    if (pause.slots > body_flow(c)->arm_count) body_flow(c)->arm_count = pause.slots;
    return TABLE_ADD(c->l, pauses, pause_count, pause);
}

uint32_t lower_await(body_context *c, const ast_statement *s)
{
    ir_pause pause = {.kind = IR_AWAIT,
                      .step = c->step_index,
                      .at = s->at,
                      .may_lack_arms = true,
                      .outcome = IR_NONE,
                      .more = {.text = ""},
                      .first_event = c->l->unit->event_count};
    pause.arms.first = c->l->unit->arm_count;
    for (const ast_arm *arm = s->arms; arm; arm = arm->next) lower_arm(c, arm, &pause);
    pause.arms.count = c->l->unit->arm_count - pause.arms.first;
    pause.may_lack_arms &= pause.has_conditions;
    if (pause.may_lack_arms) body_flow(c)->keeps_reason = true; /* "nothing to wait for" */
    if (pause.has_until) c->l->unit->steps[c->step_index].is_timed = true;
    return add_pause(c, pause);
}

/* -- stay ---------------------------------------------------------------------------------------------------------- */

ir_piece lower_stay(body_context *c, const ast_statement *s)
{
    ir_duration const every = lower_duration(&s->operands->every);
    bool const is_timed = ast_is_there(&s->operands->every);
    const char *const label = is_timed ? lower_timed_label(c, "stay every", &s->operands->every) : "stay";
    ir_edge const again = {.to = c->step_index, .outcome = OUTCOME_STEP, .trigger = IR_BY_STAY, .label = label};
    uint32_t const edge = lower_edge(c, again, s->at);
    c->l->unit->steps[c->step_index].is_timed = true;
    if (!s->outcome) {
        if (is_timed && body_flow(c)->arm_count == 0) body_flow(c)->arm_count = 1;
        return (ir_piece){.kind = IR_PIECE_STAY, .at = s->at, .edge = edge, .every = add_duration(c->l, every)};
    }
    ir_pause pause = {.kind = IR_STAY, .step = c->step_index, .at = s->at, .every = every, .again = edge};
    pause.slots = is_timed ? 2 : 1;
    pause.timeout = lower_duration(&s->operands->timeout);
    pause.outcome = lower_outcome(c, s->outcome);
    lower_outcome_edge(c, pause.outcome, IR_BY_TIMEOUT, lower_timed_label(c, "timeout", &s->operands->timeout));
    return (ir_piece){.kind = IR_PIECE_PAUSE, .at = s->at, .pause = add_pause(c, pause)};
}
