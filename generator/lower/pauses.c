/* Awaits and stays: their arms, events and slots. */
#include "body.h"

static const char *event_label(body_context *c, const ir_arm *arm)
{
    const ir_unit *const u = c->l->unit;
    const ir_event *const event = &u->events[arm->events.first];
    if (arm->all) return "all";
    switch (event->kind) {
    case IR_UNTIL:
        if (event->duration.kind == IR_DURATION_NONE) return "until";
        return lower_timed_label(c, "until, for", &event->duration, " a time");
    case IR_TIMEOUT: return lower_timed_label(c, "timeout", &event->duration, "");
    case IR_RUN: return arena_printf(c->l->arena, "run %s.%s", u->flows[event->flow].name, u->tasks[event->task].name);
    case IR_IDLE: return "idle";
    case IR_FIRED: return "fired";
    case IR_SIGNAL:
    case IR_CHECKPOINT: return u->points[event->index].name;
    case IR_ARRIVED:
        if (ir_has_text(event->target)) return "arrived";
        return arena_printf(c->l->arena, "arrived %s", u->points[event->index].name);
    case IR_MAILBOX: return u->mailboxes[event->index].item.name;
    case IR_JOB: return u->jobs[event->index].name;
    case IR_READABLE: return "readable";
    case IR_WRITABLE: return "writable";
    case IR_STOPPING: return "stopping";
    }
    return "";
}

/* -- awaits ---------------------------------------------------------------------------------------------------------------- */

/* A step takes note of how often a signal has fired before its body begins: once of each. */
static void note_since(body_context *c, uint32_t point)
{
    lowering *const l = c->l;
    while (l->noted_room <= point) l->noted = table_grow(l->arena, l->noted, &l->noted_room, sizeof *l->noted);
    if (l->noted[point] == c->step_index + 1) return;
    l->noted[point] = c->step_index + 1;
    uint32_t const index = TABLE_ADD(l, sinces, since_count);
    l->unit->sinces[index] = point;
}

static ir_event lower_event(body_context *c, const ast_event *from, uint32_t *slots)
{
    ir_event event = {.at = from->at, .slot = IR_NONE, .operand_slot = IR_NONE};
    switch (from->kind) {
    case EVENT_UNTIL:
        event.kind = IR_UNTIL;
        event.condition = range_span(from->condition);
        event.duration = lower_duration(&from->duration, from->has_duration);
        if (from->has_duration) event.slot = (*slots)++;
        if (event.duration.kind == IR_DURATION_EXPRESSION) event.operand_slot = (*slots)++;
        break;
    case EVENT_TIMEOUT:
        event.kind = IR_TIMEOUT;
        event.duration = lower_duration(&from->duration, true);
        event.slot = (*slots)++;
        break;
    case EVENT_RUN:
        event.kind = IR_RUN;
        event.flow = lower_flow_index(c->l, from->run_flow);
        event.task = lower_task_index(c->l, from->run_task);
        event.target = range_span(from->target);
        event.args = lower_args(&from->args);
        event.slot = (*slots)++;
        break;
    case EVENT_IDLE:
        event.kind = IR_IDLE;
        event.target = range_span(from->target);
        event.slot = (*slots)++;
        break;
    case EVENT_SIGNAL:
        event.kind = IR_SIGNAL;
        event.index = lower_point_index(c->l, from->point);
        event.slot = (*slots)++;
        note_since(c, event.index);
        break;
    case EVENT_FIRED:
        event.kind = IR_FIRED;
        body_flow(c)->keeps_reason = true; /* there may be none, or it may be destroyed: the task fails */
        event.target = range_span(from->target);
        event.slot = (*slots)++;
        break;
    case EVENT_ARRIVED:
        event.kind = IR_ARRIVED;
        if (from->point) {
            event.index = lower_point_index(c->l, from->point);
        } else {
            body_flow(c)->keeps_reason = true; /* as for `fired` */
            event.target = range_span(from->target);
        }
        event.slot = (*slots)++;
        break;
    case EVENT_CHECKPOINT:
        event.kind = IR_CHECKPOINT;
        event.index = lower_point_index(c->l, from->point);
        event.slot = (*slots)++;
        break;
    case EVENT_MAILBOX:
        event.kind = IR_MAILBOX;
        event.index = place_of(c->l, from->mailbox);
        event.slot = (*slots)++;
        break;
    case EVENT_JOB:
        event.kind = IR_JOB;
        event.index = place_of(c->l, from->job);
        event.slot = (*slots)++;
        break;
    case EVENT_READABLE:
    case EVENT_WRITABLE:
        event.kind = from->kind == EVENT_READABLE ? IR_READABLE : IR_WRITABLE;
        event.target = range_span(from->target);
        event.slot = (*slots)++;
        break;
    case EVENT_STOPPING:
        event.kind = IR_STOPPING;
        event.slot = (*slots)++;
        c->l->unit->tasks[c->l->unit->steps[c->step_index].task].awaits_stop = true;
        break;
    case EVENT_ALL:         /* not within another, see sema */
    case EVENT_NAME: break; /* it has become one of the others */
    }
    return event;
}

static void add_event(body_context *c, const ast_event *from, ir_pause *pause)
{
    ir_event const event = lower_event(c, from, &pause->slots);
    uint32_t const index = TABLE_ADD(c->l, events, event_count);
    c->l->unit->events[index] = event;
}

static void add_directive(lowering *l, span text, bool opens)
{
    uint32_t const index = TABLE_ADD(l, directives, directive_count);
    l->unit->directives[index] = (ir_directive){.text = text, .opens = opens};
}

/* Outer branches first; of each all directives up to the one that opens it. */
static void lower_guard(lowering *l, const ast_guard *guard)
{
    if (!guard) return;
    lower_guard(l, guard->outer);
    for (uint32_t i = 0; i < guard->count; i++) {
        add_directive(l, range_span((token_range){guard->list, guard->directives[i], guard->directives[i] + 1}),
                      i == 0);
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

/* What kinds of arms there are, and whether there are in any case. */
static void describe_arm(const ir_unit *u, const ir_arm *arm, ir_pause *pause)
{
    bool has_run = false, has_until = false;
    bool const is_sure = arm->directives.count == 0;
    for (uint32_t i = 0; i < arm->events.count; i++) {
        const ir_event *const event = &u->events[arm->events.first + i];
        if (event->kind == IR_RUN) has_run = true;
        if (event->kind == IR_UNTIL) has_until = true;
    }
    if (has_run) pause->may_lack_run = !is_sure && (!pause->has_run || pause->may_lack_run);
    if (has_until) pause->may_lack_until = !is_sure && (!pause->has_until || pause->may_lack_until);
    pause->has_run |= has_run;
    pause->has_until |= has_until;
    pause->has_other |= !has_run;
}

static bool may_fail(const ir_unit *u, const ir_arm *arm)
{
    for (uint32_t i = 0; i < arm->events.count; i++) {
        if (ir_can_fail(&u->events[arm->events.first + i])) return true;
    }
    return false;
}

static void lower_arm(body_context *c, const ast_arm *from, ir_pause *pause)
{
    lowering *const l = c->l;
    ir_arm arm = {.at = from->at, .all = from->event->kind == EVENT_ALL, .otherwise = IR_NONE};
    arm.directives.first = l->unit->directive_count;
    lower_guard(l, from->guard);
    arm.directives.count = l->unit->directive_count - arm.directives.first;
    arm.events.first = l->unit->event_count;
    if (!arm.all) add_event(c, from->event, pause);
    for (const ast_event *event = from->event->all; event; event = event->next) add_event(c, event, pause);
    arm.events.count = l->unit->event_count - arm.events.first;
    arm.outcome = lower_outcome(c, from->outcome, true);
    if (from->otherwise) arm.otherwise = lower_outcome(c, from->otherwise, true);
    describe_arm(l->unit, &arm, pause);

    bool const is_timeout = from->event->kind == EVENT_TIMEOUT;
    lower_outcome_edge(c, arm.outcome, is_timeout ? IR_BY_TIMEOUT : IR_BY_ARM, event_label(c, &arm));
    if (from->otherwise) {
        lower_outcome_edge(c, arm.otherwise, IR_BY_ELSE, "else");
        if (l->unit->outcomes[arm.otherwise].uses_reason) body_flow(c)->keeps_reason = true;
    } else if (may_fail(l->unit, &arm)) {
        ir_edge const handed_on = {.to = IR_NONE, .outcome = IR_FAIL, .trigger = IR_BY_ELSE, .label = "else"};
        lower_edge(c, handed_on, from->event->at);
        body_flow(c)->keeps_reason = true;
    }
    uint32_t const index = TABLE_ADD(l, arms, arm_count);
    l->unit->arms[index] = arm;
}

static uint32_t add_pause(body_context *c, ir_pause pause)
{
    ir_unit *const u = c->l->unit;
    pause.number = ++c->pauses[pause.kind];
    pause.directives.first = u->directive_count;
    lower_branch(c->l, c->branch);
    pause.directives.count = u->directive_count - pause.directives.first;
    if (pause.slots > body_flow(c)->arm_count) body_flow(c)->arm_count = pause.slots;
    uint32_t const index = TABLE_ADD(c->l, pauses, pause_count);
    u->pauses[index] = pause;
    return index;
}

uint32_t lower_await(body_context *c, const ast_statement *s)
{
    ir_pause pause = {.kind = IR_AWAIT, .step = c->step_index, .at = s->at, .outcome = IR_NONE};
    pause.arms.first = c->l->unit->arm_count;
    for (const ast_arm *arm = s->arms; arm; arm = arm->next) lower_arm(c, arm, &pause);
    pause.arms.count = c->l->unit->arm_count - pause.arms.first;
    if (pause.has_until) c->l->unit->steps[c->step_index].is_timed = true;
    return add_pause(c, pause);
}

/* -- stay ------------------------------------------------------------------------------------------------------------------ */

ir_piece lower_stay(body_context *c, const ast_statement *s)
{
    ir_duration const every = lower_duration(&s->operands->every, s->operands->has_every);
    const char *const label = s->operands->has_every ? lower_timed_label(c, "stay every", &every, "") : "stay";
    ir_edge const again = {.to = c->step_index, .outcome = IR_STEP, .trigger = IR_BY_STAY, .label = label};
    lower_edge(c, again, s->at);
    c->l->unit->steps[c->step_index].is_timed = true;
    if (!s->operands->has_timeout) {
        if (s->operands->has_every && body_flow(c)->arm_count == 0) body_flow(c)->arm_count = 1;
        return (ir_piece){.kind = IR_PIECE_STAY, .at = s->at, .every = add_duration(c->l, every)};
    }
    ir_pause pause = {.kind = IR_STAY, .step = c->step_index, .at = s->at, .every = every};
    pause.slots = s->operands->has_every ? 2 : 1;
    pause.timeout = lower_duration(&s->operands->timeout, true);
    pause.outcome = lower_outcome(c, s->outcome, true);
    lower_outcome_edge(c, pause.outcome, IR_BY_TIMEOUT, lower_timed_label(c, "timeout", &pause.timeout, ""));
    return (ir_piece){.kind = IR_PIECE_PAUSE, .at = s->at, .pause = add_pause(c, pause)};
}
