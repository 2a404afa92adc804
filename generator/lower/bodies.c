/* A body as pieces: the text as it is, and what stands in the place of intents. */
#include "tables.h"
#include "words.h"

/* The branch of `#if` that is being lowered. */
typedef struct open_branch {
    const struct open_branch *outer;
    const ast_statement *directives;
    const ast_branch *branch;
} open_branch;

typedef struct body_context {
    lowering *l;
    uint32_t flow_index, task_index, step_index; /* IR_NONE where it is in none; all of them in a worker */
    uint32_t worker_index;
    const open_branch *branch;
    const ast_statement *ahead; /* directly in the body, not passed yet */
    span whole;
    uint32_t from; /* up to where the text was taken */
} body_context;

span lower_args(const ast_args *args)
{
    if (args->count == 0) return (span){0};
    return span_join(range_span(args->items[0]), range_span(args->items[args->count - 1]));
}

static span span_of(token_range range)
{
    return range_empty(range) ? (span){0} : range_span(range);
}

static span format_span(token_range format, const ast_args *args)
{
    if (range_empty(format)) return (span){0};
    return args->count ? span_join(range_span(format), lower_args(args)) : range_span(format);
}

static ir_duration lower_duration(const ast_duration *d, bool there)
{
    if (!there) return (ir_duration){0};
    if (d->literal) return (ir_duration){.kind = IR_DURATION_LITERAL, .ns = d->ns, .text = range_span(d->text)};
    return (ir_duration){.kind = IR_DURATION_EXPRESSION, .text = range_span(d->text), .unit = d->unit};
}

static bool mentions(const ast_outcome *outcome, const char *name)
{
    uint32_t index;
    if (!range_empty(outcome->value) && find_name(outcome->value, name, &index)) return true;
    for (uint32_t i = 0; i < outcome->args.count; i++) {
        if (find_name(outcome->args.items[i], name, &index)) return true;
    }
    return false;
}

static ir_flow *own_flow(const body_context *c)
{
    return &c->l->unit->flows[c->flow_index];
}

static uint32_t lower_outcome(body_context *c, const ast_outcome *from, bool ends_pause)
{
    lowering *const l = c->l;
    ir_outcome outcome = {.at = from->at, .target = IR_NONE};
    outcome.uses_result = mentions(from, "result");
    outcome.uses_reason = mentions(from, "reason");
    switch (from->kind) {
    case OUTCOME_STEP:
        outcome.kind = IR_STEP;
        outcome.target = lower_step_index(l, from->step);
        outcome.value = lower_args(&from->args);
        l->unit->steps[outcome.target].is_target = true;
        l->unit->steps[outcome.target].ends_pause |= ends_pause;
        break;
    case OUTCOME_BECOME:
        outcome.kind = IR_BECOME;
        outcome.target = lower_task_index(l, from->task);
        outcome.value = lower_args(&from->args);
        l->unit->tasks[outcome.target].is_become = true;
        break;
    case OUTCOME_DONE:
        outcome.kind = IR_DONE;
        outcome.value = span_of(from->value);
        if (ir_has_text(outcome.value)) l->unit->tasks[c->task_index].is_done = true;
        break;
    case OUTCOME_FAIL:
        outcome.kind = IR_FAIL;
        outcome.value = format_span(from->value, &from->args);
        if (ir_has_text(outcome.value)) own_flow(c)->keeps_reason = true;
        break;
    }
    uint32_t const index = TABLE_ADD(l, outcomes, outcome_count);
    l->unit->outcomes[index] = outcome;
    return index;
}

/* -- edges ----------------------------------------------------------------------------------------------------------------- */

static void add_edge(body_context *c, ir_edge edge, span at)
{
    edge.from = c->step_index;
    edge.at = at;
    uint32_t const index = TABLE_ADD(c->l, edges, edge_count);
    c->l->unit->edges[index] = edge;
}

static void add_outcome_edge(body_context *c, uint32_t outcome, ir_trigger trigger, const char *label)
{
    const ir_unit *const u = c->l->unit;
    const ir_outcome *const o = &u->outcomes[outcome];
    ir_edge edge = {.to = IR_NONE, .outcome = o->kind, .trigger = trigger, .label = label};
    if (o->kind == IR_STEP) edge.to = o->target;
    if (o->kind == IR_BECOME) edge.to = u->tasks[o->target].steps.first;
    add_edge(c, edge, o->at);
}

/* "timeout 2s"; of an expression the word and `unknown`. */
static const char *timed_label(body_context *c, const char *word, const ir_duration *d, const char *unknown)
{
    if (d->kind != IR_DURATION_LITERAL) return arena_printf(c->l->arena, "%s%s", word, unknown);
    span const text = d->text;
    return arena_printf(c->l->arena, "%s %.*s", word, (int)(text.end - text.begin), text.in->text + text.begin);
}

static const char *event_label(body_context *c, const ir_arm *arm)
{
    const ir_unit *const u = c->l->unit;
    const ir_event *const event = &u->events[arm->events.first];
    if (arm->all) return "all";
    switch (event->kind) {
    case IR_UNTIL:
        if (event->duration.kind == IR_DURATION_NONE) return "until";
        return timed_label(c, "until, for", &event->duration, " a time");
    case IR_TIMEOUT: return timed_label(c, "timeout", &event->duration, "");
    case IR_RUN: return arena_printf(c->l->arena, "run %s.%s", u->flows[event->flow].name, u->tasks[event->task].name);
    case IR_IDLE: return "idle";
    case IR_FIRED: return "fired";
    case IR_SIGNAL:
    case IR_CHECKPOINT: return u->points[event->index].name;
    case IR_ARRIVED: return arena_printf(c->l->arena, "arrived %s", u->points[event->index].name);
    case IR_MAILBOX: return u->mailboxes[event->index].item.name;
    case IR_JOB: return u->jobs[event->index].name;
    }
    return "";
}

/* -- awaits ---------------------------------------------------------------------------------------------------------------- */

/* A step takes note of how often a signal has fired before its body begins: once of each. */
static void note_since(body_context *c, uint32_t point)
{
    ir_unit *const u = c->l->unit;
    ir_step *const step = &u->steps[c->step_index];
    for (uint32_t i = step->sinces.first; i < u->since_count; i++) {
        if (u->sinces[i] == point) return;
    }
    uint32_t const index = TABLE_ADD(c->l, sinces, since_count);
    u->sinces[index] = point;
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
        own_flow(c)->keeps_reason = true; /* there may be none, or it may be destroyed: the task fails */
        event.target = range_span(from->target);
        event.slot = (*slots)++;
        break;
    case EVENT_CHECKPOINT:
    case EVENT_ARRIVED:
        event.kind = from->kind == EVENT_ARRIVED ? IR_ARRIVED : IR_CHECKPOINT;
        event.index = lower_point_index(c->l, from->point);
        event.slot = (*slots)++;
        break;
    case EVENT_MAILBOX:
        event.kind = IR_MAILBOX;
        event.index = lower_mailbox_index(c->l, c->flow_index, from->mailbox);
        event.slot = (*slots)++;
        break;
    case EVENT_JOB:
        event.kind = IR_JOB;
        event.index = lower_job_index(c->l, c->task_index, from->job);
        event.slot = (*slots)++;
        break;
    case EVENT_ALL: /* not within another, see sema */
    case EVENT_NAME: /* it has become one of the others */
    case EVENT_READABLE: /* refused by sema */
    case EVENT_WRITABLE:
    case EVENT_STOPPING: break;
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
    add_outcome_edge(c, arm.outcome, is_timeout ? IR_BY_TIMEOUT : IR_BY_ARM, event_label(c, &arm));
    if (from->otherwise) {
        add_outcome_edge(c, arm.otherwise, IR_BY_ELSE, "else");
        if (l->unit->outcomes[arm.otherwise].uses_reason) own_flow(c)->keeps_reason = true;
    } else if (may_fail(l->unit, &arm)) {
        ir_edge const handed_on = {.to = IR_NONE, .outcome = IR_FAIL, .trigger = IR_BY_ELSE, .label = "else"};
        add_edge(c, handed_on, from->event->at);
        own_flow(c)->keeps_reason = true;
    }
    uint32_t const index = TABLE_ADD(l, arms, arm_count);
    l->unit->arms[index] = arm;
}

static uint32_t add_pause(body_context *c, ir_pause pause)
{
    ir_unit *const u = c->l->unit;
    const ir_step *const step = &u->steps[c->step_index];
    pause.number = 1;
    for (uint32_t i = step->pauses.first; i < u->pause_count; i++) pause.number += u->pauses[i].kind == pause.kind;
    pause.directives.first = u->directive_count;
    lower_branch(c->l, c->branch);
    pause.directives.count = u->directive_count - pause.directives.first;
    if (pause.slots > own_flow(c)->arm_count) own_flow(c)->arm_count = pause.slots;
    uint32_t const index = TABLE_ADD(c->l, pauses, pause_count);
    u->pauses[index] = pause;
    return index;
}

static uint32_t lower_await(body_context *c, const ast_statement *s)
{
    ir_pause pause = {.kind = IR_AWAIT, .step = c->step_index, .at = s->at, .outcome = IR_NONE};
    pause.arms.first = c->l->unit->arm_count;
    for (const ast_arm *arm = s->arms; arm; arm = arm->next) lower_arm(c, arm, &pause);
    pause.arms.count = c->l->unit->arm_count - pause.arms.first;
    return add_pause(c, pause);
}

/* -- stay ------------------------------------------------------------------------------------------------------------------ */

static ir_piece lower_stay(body_context *c, const ast_statement *s)
{
    ir_duration const every = lower_duration(&s->every, s->has_every);
    const char *const label = s->has_every ? timed_label(c, "stay every", &every, "") : "stay";
    ir_edge const again = {.to = c->step_index, .outcome = IR_STEP, .trigger = IR_BY_STAY, .label = label};
    add_edge(c, again, s->at);
    if (!s->has_timeout) {
        if (s->has_every && own_flow(c)->arm_count == 0) own_flow(c)->arm_count = 1;
        return (ir_piece){.kind = IR_PIECE_STAY, .at = s->at, .every = every};
    }
    ir_pause pause = {.kind = IR_STAY, .step = c->step_index, .at = s->at, .every = every};
    pause.slots = s->has_every ? 2 : 1;
    pause.timeout = lower_duration(&s->timeout, true);
    pause.outcome = lower_outcome(c, s->outcome, true);
    add_outcome_edge(c, pause.outcome, IR_BY_TIMEOUT, timed_label(c, "timeout", &pause.timeout, ""));
    return (ir_piece){.kind = IR_PIECE_PAUSE, .at = s->at, .pause = add_pause(c, pause)};
}

/* -- pieces ---------------------------------------------------------------------------------------------------------------- */

static void add_piece(body_context *c, ir_piece piece)
{
    uint32_t const index = TABLE_ADD(c->l, pieces, piece_count);
    c->l->unit->pieces[index] = piece;
}

/* The text up to `end`, cut where statements end. */
static void add_text(body_context *c, uint32_t end)
{
    while (c->from < end) {
        uint32_t stop = end;
        bool const ends = c->ahead && c->ahead->at.end <= end;
        if (ends) stop = c->ahead->at.end;
        if (ends) c->ahead = c->ahead->next;
        if (stop <= c->from) continue;
        add_piece(c, (ir_piece){.kind = IR_TEXT, .at = {c->whole.in, c->from, stop}, .ends_statement = ends});
        c->from = stop;
    }
}

/* `fail` in a worker, which is not a flow's. */
static ir_piece lower_work_failure(body_context *c, const ast_statement *s)
{
    ir_worker *const worker = &c->l->unit->workers[c->worker_index];
    ir_piece const piece = {
        .kind = IR_WORK_FAIL,
        .at = s->at,
        .worker = c->worker_index,
        .format = format_span(s->outcome->value, &s->outcome->args)};
    worker->fails = true;
    worker->keeps_reason |= ir_has_text(piece.format);
    return piece;
}

static void lower_statement(body_context *c, const ast_statement *s)
{
    ir_piece piece = {.at = s->at};
    switch (s->kind) {
    case STATEMENT_NEXT:
    case STATEMENT_DONE:
    case STATEMENT_FAIL:
    case STATEMENT_BECOME:
        if (c->worker_index != IR_NONE) {
            piece = lower_work_failure(c, s);
            break;
        }
        piece.kind = IR_INTENT;
        piece.outcome = lower_outcome(c, s->outcome, false);
        add_outcome_edge(c, piece.outcome, IR_BY_NEXT, "");
        break;
    case STATEMENT_STAY: piece = lower_stay(c, s); break;
    case STATEMENT_AWAIT:
        piece.kind = IR_PIECE_PAUSE;
        piece.pause = lower_await(c, s);
        break;
    case STATEMENT_DESCRIBE:
        piece.kind = IR_DESCRIBE;
        piece.format = format_span(s->format, &s->args);
        break;
    case STATEMENT_SUBMIT:
        piece.kind = IR_SUBMIT;
        piece.job = lower_job_index(c->l, c->task_index, s->job);
        piece.args = lower_args(&s->args);
        piece.timeout = lower_duration(&s->timeout, s->has_timeout);
        break;
    case STATEMENT_TEXT:
    case STATEMENT_DECLARATION:
    case STATEMENT_BLOCK:
    case STATEMENT_IF:
    case STATEMENT_WHILE:
    case STATEMENT_DO:
    case STATEMENT_FOR:
    case STATEMENT_SWITCH:
    case STATEMENT_CASE:
    case STATEMENT_LABEL:
    case STATEMENT_GOTO:
    case STATEMENT_BREAK:
    case STATEMENT_CONTINUE:
    case STATEMENT_RETURN:
    case STATEMENT_MACRO_BLOCK:
    case STATEMENT_DIRECTIVES:
    case STATEMENT_DIRECTIVE: return;
    }
    add_text(c, s->at.begin);
    for (; c->ahead && c->ahead->at.end <= s->at.end; c->ahead = c->ahead->next) piece.ends_statement = true;
    add_piece(c, piece);
    c->from = s->at.end;
}

static void lower_statements(body_context *c, const ast_statement *list)
{
    const open_branch *const outer = c->branch;
    for (const ast_statement *s = list; s; s = s->next) {
        lower_statement(c, s);
        lower_statements(c, s->body);
        lower_statements(c, s->otherwise);
        for (const ast_branch *branch = s->branches; branch; branch = branch->next) {
            open_branch const open = {outer, s, branch};
            c->branch = &open;
            if (!branch->skipped) lower_statements(c, branch->body);
        }
        c->branch = outer;
    }
}

static ir_body lower_pieces(body_context *c, const ast_body *body)
{
    if (!body) return (ir_body){0};
    c->whole = range_span(body->text);
    c->ahead = body->first;
    c->from = c->whole.begin;
    uint32_t const first = c->l->unit->piece_count;
    lower_statements(c, body->first);
    add_text(c, c->whole.end);
    return (ir_body){c->whole, {first, c->l->unit->piece_count - first}};
}

static body_context nowhere(lowering *l)
{
    return (body_context){
        .l = l, .flow_index = IR_NONE, .task_index = IR_NONE, .step_index = IR_NONE, .worker_index = IR_NONE};
}

ir_body lower_handler(lowering *l, const ast_body *body)
{
    body_context c = nowhere(l);
    return lower_pieces(&c, body);
}

ir_body lower_step_body(lowering *l, const ast_step *step)
{
    body_context c = nowhere(l);
    c.step_index = lower_step_index(l, step);
    c.task_index = l->unit->steps[c.step_index].task;
    c.flow_index = l->unit->tasks[c.task_index].flow;
    return lower_pieces(&c, &step->body);
}

ir_body lower_worker_body(lowering *l, const ast_worker *worker, uint32_t index)
{
    body_context c = nowhere(l);
    c.worker_index = index;
    return lower_pieces(&c, &worker->body);
}

void lower_preempts(lowering *l, const ast_preempt *list, uint32_t flow, uint32_t task)
{
    body_context c = nowhere(l);
    c.flow_index = flow;
    c.task_index = task;
    uint32_t const first = l->unit->preempt_count;
    for (const ast_preempt *from = list; from; from = from->next) {
        ir_preempt preempt = {.at = from->at, .task = task, .number = 1};
        preempt.point = lower_point_index(l, from->point);
        preempt.outcome = lower_outcome(&c, from->outcome, true);
        for (uint32_t i = first; i < l->unit->preempt_count; i++)
            preempt.number += l->unit->preempts[i].point == preempt.point;
        uint32_t const index = TABLE_ADD(l, preempts, preempt_count);
        l->unit->preempts[index] = preempt;
    }
}
