#include "ir_dump.h"

static void dump_text(buffer *out, const char *what, span text)
{
    if (!ir_has_text(text)) return;
    position const at = source_position(text.in, text.begin);
    buffer_printf(out, " %s %u:%u `", what, (unsigned)at.line, (unsigned)at.column);
    for (uint32_t i = text.begin; i < text.end; i++) {
        char const c = text.in->text[i];
        if (c == '\n') buffer_puts(out, "\\n");
        else if (c != '\r') buffer_putc(out, c);
    }
    buffer_putc(out, '`');
}

static void dump_duration(buffer *out, const char *what, const ir_duration *d)
{
    if (d->kind == IR_DURATION_LITERAL) buffer_printf(out, " %s %lldns", what, (long long)d->ns);
    if (d->kind == IR_DURATION_EXPRESSION) dump_text(out, what, d->text);
    if (d->kind == IR_DURATION_EXPRESSION) buffer_printf(out, " %s", d->unit);
}

static void dump_variables(const ir_unit *u, ir_range range, const char *what, buffer *out)
{
    for (uint32_t i = 0; i < range.count; i++) {
        const ir_variable *const v = &u->variables[range.first + i];
        buffer_printf(out, " %s(%s: `%s%s%s`)", what, v->name, v->before, *v->after ? " @ " : "", v->after);
    }
}

static void dump_outcome(const ir_unit *u, uint32_t index, buffer *out)
{
    const ir_outcome *const o = &u->outcomes[index];
    buffer_printf(out, " -> %s", outcome_infos[o->kind].name);
    if (o->kind == OUTCOME_STEP) buffer_printf(out, " %u %s", (unsigned)o->target, u->steps[o->target].name);
    if (o->kind == OUTCOME_BECOME) buffer_printf(out, " task %u %s", (unsigned)o->target, u->tasks[o->target].name);
    dump_text(out, "with", o->value);
    for (unsigned i = 0; i < BINDING_COUNT; i++) {
        if (o->uses & (1U << i)) buffer_printf(out, " (%s)", binding_names[i]);
    }
}

static void dump_event(const ir_unit *u, const ir_event *e, buffer *out)
{
    const char *const name = ir_name_of(u, e);
    buffer_printf(out, "        %s", arm_infos[e->kind].word);
    if (e->kind == ARM_RUN) buffer_printf(out, " %s.%s", u->flows[e->flow].name, u->tasks[e->task].name);
    if (*name) buffer_printf(out, " %u %s", (unsigned)e->index, name);
    if (e->slot != IR_NONE) buffer_printf(out, " slot %u", (unsigned)e->slot);
    if (e->operand_slot != IR_NONE) buffer_printf(out, " operand slot %u", (unsigned)e->operand_slot);
    dump_text(out, "condition", e->condition);
    dump_text(out, "target", e->target);
    dump_text(out, "args", e->args);
    dump_duration(out, "for", &e->duration);
    buffer_putc(out, '\n');
}

static void dump_directives(const ir_unit *u, ir_range directives, buffer *out)
{
    for (uint32_t i = 0; i < directives.count; i++) dump_text(out, "in", u->directives[directives.first + i].text);
}

static void dump_pause(const ir_unit *u, const ir_pause *p, buffer *out)
{
    buffer_printf(out, "    %s %u, line %u, slots %u", p->kind == IR_AWAIT ? "await" : "stay", (unsigned)p->number,
                  (unsigned)ir_line(p->at), (unsigned)p->slots);
    dump_duration(out, "every", &p->every);
    dump_duration(out, "timeout", &p->timeout);
    if (p->outcome != IR_NONE) dump_outcome(u, p->outcome, out);
    dump_directives(u, p->directives, out);
    buffer_putc(out, '\n');
    for (uint32_t i = 0; i < p->arms.count; i++) {
        const ir_arm *const arm = &u->arms[p->arms.first + i];
        buffer_printf(out, "      %s", arm->all ? "all" : "arm");
        dump_directives(u, arm->directives, out);
        dump_text(out, "if", arm->condition);
        dump_outcome(u, arm->outcome, out);
        if (arm->otherwise != IR_NONE) buffer_puts(out, " else");
        if (arm->otherwise != IR_NONE) dump_outcome(u, arm->otherwise, out);
        buffer_putc(out, '\n');
        for (uint32_t e = 0; e < arm->events.count; e++) dump_event(u, &u->events[arm->events.first + e], out);
    }
}

static void dump_body(const ir_unit *u, const char *what, const ir_body *body, buffer *out)
{
    if (!ir_has_body(body)) return;
    buffer_printf(out, "    %s\n", what);
    for (uint32_t i = 0; i < body->pieces.count; i++) {
        const ir_piece *const piece = &u->pieces[body->pieces.first + i];
        buffer_puts(out, "     ");
        switch (piece->kind) {
        case IR_TEXT: dump_text(out, "text", piece->at); break;
        case IR_INTENT: dump_outcome(u, piece->outcome, out); break;
        case IR_PIECE_STAY:
            buffer_puts(out, " stay");
            dump_duration(out, "every", &u->durations[piece->every]);
            break;
        case IR_PIECE_PAUSE: buffer_printf(out, " pause %u", (unsigned)piece->pause); break;
        case IR_DESCRIBE: dump_text(out, "describe", piece->format); break;
        case IR_SUBMIT:
            buffer_printf(out, " submit %u %s", (unsigned)piece->job, u->jobs[piece->job].name);
            dump_text(out, "index", piece->index);
            dump_text(out, "args", piece->args);
            dump_duration(out, "timeout", &u->durations[piece->timeout]);
            break;
        case IR_SPAWN:
            buffer_printf(out, " spawn %s.%s", u->members[piece->pool].subflow.name, u->tasks[piece->task].name);
            dump_text(out, "args", piece->spawn_args);
            if (piece->otherwise != IR_NONE) buffer_puts(out, " else");
            if (piece->otherwise != IR_NONE) dump_outcome(u, piece->otherwise, out);
            break;
        case IR_WORK_FAIL:
            buffer_puts(out, " fail");
            dump_text(out, "with", piece->format);
            break;
        }
        buffer_putc(out, '\n');
    }
}

static void dump_edge(const ir_unit *u, const ir_edge *edge, buffer *out)
{
    buffer_printf(out, "    edge %s, %s", ir_trigger_infos[edge->trigger].name, outcome_infos[edge->outcome].name);
    if (edge->to != IR_NONE) buffer_printf(out, " %u %s", (unsigned)edge->to, u->steps[edge->to].name);
    buffer_printf(out, ", \"%s\", line %u\n", edge->label, (unsigned)ir_line(edge->at));
}

static void dump_inits(const ir_unit *u, ir_range inits, buffer *out)
{
    static const char *const kinds[] = {"assign", "copy", "flow", "pool", "signal", "checkpoint", "mailbox"};
    for (uint32_t i = 0; i < inits.count; i++) {
        const ir_init *const init = &u->inits[inits.first + i];
        buffer_printf(out, "    init %s %s", init->variable.name, kinds[init->kind]);
        dump_text(out, "value", init->value);
        buffer_putc(out, '\n');
    }
}

static void dump_step(const ir_unit *u, uint32_t index, buffer *out)
{
    const ir_step *const step = &u->steps[index];
    buffer_printf(out, "  step %u %s, line %u%s%s", (unsigned)index, step->name, (unsigned)ir_line(step->at),
                  step->is_target ? ", target" : "", step->ends_pause ? ", ends a pause" : "");
    dump_variables(u, step->params, "param", out);
    for (uint32_t i = 0; i < step->sinces.count; i++)
        buffer_printf(out, ", since %s", u->points[u->sinces[step->sinces.first + i]].name);
    buffer_putc(out, '\n');
    dump_body(u, "body", &step->body, out);
    for (uint32_t i = 0; i < step->pauses.count; i++) dump_pause(u, &u->pauses[step->pauses.first + i], out);
    for (uint32_t i = 0; i < step->edges.count; i++) dump_edge(u, &u->edges[step->edges.first + i], out);
}

static void dump_task(const ir_unit *u, uint32_t index, buffer *out)
{
    const ir_task *const task = &u->tasks[index];
    buffer_printf(out, "  task %u %s, line %u%s", (unsigned)index, task->name, (unsigned)ir_line(task->at),
                  task->forever    ? ", forever"
                  : task->shutdown ? ", shutdown"
                                   : "");
    if (task->has_result) {
        buffer_printf(out, ", result `%s%s%s` class %u", task->result.before, *task->result.after ? " @ " : "",
                      task->result.after, (unsigned)task->result_class);
    }
    dump_variables(u, task->params, "param", out);
    buffer_putc(out, '\n');
    for (uint32_t i = 0; i < task->fields.count; i++) {
        buffer_printf(out, "    field `%s`\n", u->fields[task->fields.first + i].text);
    }
    for (uint32_t i = 0; i < task->jobs.count; i++) {
        const ir_job *const job = &u->jobs[task->jobs.first + i];
        buffer_printf(out, "    job %u %s of worker %u %s", (unsigned)(task->jobs.first + i), job->name,
                      (unsigned)job->worker, u->workers[job->worker].name);
        dump_text(out, "count", job->count);
        buffer_putc(out, '\n');
    }
    dump_inits(u, task->inits, out);
    dump_body(u, "on enter", &task->on_enter, out);
    dump_body(u, "on exit", &task->on_exit, out);
    for (uint32_t i = 0; i < task->steps.count; i++) dump_step(u, task->steps.first + i, out);
}

static void dump_point(const ir_point *point, buffer *out)
{
    buffer_printf(out, "%s %s, line %u\n", point->is_checkpoint ? "checkpoint" : "signal", point->name,
                  (unsigned)ir_line(point->at));
}

static void dump_member(const ir_unit *u, const ir_member *m, buffer *out)
{
    buffer_puts(out, "  ");
    switch (m->kind) {
    case IR_MEMBER_FIELD: buffer_printf(out, "field `%s`\n", m->field.text); break;
    case IR_MEMBER_SUBFLOW:
        buffer_printf(out, "%s %s `%s`", m->subflow.is_pool ? "pool" : "flow", u->flows[m->subflow.flow].name,
                      m->subflow.name);
        dump_text(out, "count", m->subflow.count);
        buffer_putc(out, '\n');
        break;
    case IR_MEMBER_POINT: dump_point(&u->points[m->index], out); break;
    case IR_MEMBER_MAILBOX:
        buffer_printf(out, "mailbox %s: `%s%s%s`", u->mailboxes[m->index].item.name, u->mailboxes[m->index].item.before,
                      *u->mailboxes[m->index].item.after ? " @ " : "", u->mailboxes[m->index].item.after);
        dump_text(out, "of", u->mailboxes[m->index].capacity);
        if (u->mailboxes[m->index].drop) buffer_printf(out, " drop %s", u->mailboxes[m->index].drop);
        buffer_putc(out, '\n');
        break;
    }
}

static void dump_preempt(const ir_unit *u, const ir_preempt *p, buffer *out)
{
    buffer_printf(out, "  %s", p->label);
    if (p->task != IR_NONE) buffer_printf(out, " in task %u %s", (unsigned)p->task, u->tasks[p->task].name);
    if (p->is_handed_on) buffer_puts(out, " handed on");
    else dump_outcome(u, p->outcome, out);
    buffer_putc(out, '\n');
    if (p->kind == IR_WITH_RUN) dump_event(u, &u->events[p->event], out);
}

static void dump_worker(const ir_unit *u, uint32_t index, buffer *out)
{
    const ir_worker *const worker = &u->workers[index];
    buffer_printf(out, "worker %u %s, line %u%s", (unsigned)index, worker->name, (unsigned)ir_line(worker->at),
                  worker->keeps_reason ? ", keeps a reason"
                  : worker->fails      ? ", fails"
                                       : "");
    if (worker->has_result) {
        buffer_printf(out, ", result `%s%s%s`", worker->result.before, *worker->result.after ? " @ " : "",
                      worker->result.after);
    }
    dump_variables(u, worker->params, "param", out);
    buffer_putc(out, '\n');
    dump_body(u, "body", &worker->body, out);
}

static void dump_flow(const ir_unit *u, uint32_t index, buffer *out)
{
    const ir_flow *const flow = &u->flows[index];
    buffer_printf(out, "%sflow %u %s", flow->imported ? "imported " : "", (unsigned)index, flow->name);
    if (!flow->imported) {
        buffer_printf(out, ", line %u, arms %u%s%s", (unsigned)ir_line(flow->at), (unsigned)flow->arm_count,
                      flow->keeps_reason ? ", keeps a reason" : "", flow->describes ? ", describes" : "");
    }
    dump_variables(u, flow->params, "param", out);
    buffer_putc(out, '\n');
    for (uint32_t i = 0; i < flow->members.count; i++) {
        dump_member(u, &u->members[flow->members.first + i], out);
    }
    dump_inits(u, flow->inits, out);
    dump_body(u, "on init", &flow->on_init, out);
    dump_body(u, "on end", &flow->on_end, out);
    for (uint32_t i = 0; i < flow->tasks.count; i++) dump_task(u, flow->tasks.first + i, out);
    for (uint32_t i = 0; i < flow->preempts.count; i++) dump_preempt(u, &u->preempts[flow->preempts.first + i], out);
}

void ir_dump(const ir_unit *unit, buffer *out)
{
    for (uint32_t i = 0; i < unit->block_count; i++) {
        buffer_puts(out, block_word(unit->blocks[i].kind));
        dump_text(out, "text", unit->blocks[i].text);
        buffer_putc(out, '\n');
    }
    for (uint32_t i = 0; i < unit->import_count; i++) buffer_printf(out, "import %s\n", unit->imports[i]);
    for (uint32_t i = 0; i < unit->own_point_count; i++) dump_point(&unit->points[i], out);
    for (uint32_t i = 0; i < unit->worker_count; i++) dump_worker(unit, i, out);
    for (uint32_t i = 0; i < unit->flow_count; i++) dump_flow(unit, i, out);
}
