/* What the outside reaches: signals and checkpoints of the file, what pre-empts, mailboxes, what has to be released. */
#include "c_parts.h"
#include "cname.h"
#include "fragment.h"
#include "prototypes.h"

void emit_points(writer *w)
{
    for (uint32_t i = 0; i < w->unit->own_point_count; i++) {
        const ir_point *const point = &w->unit->points[i];
        put_place(w, point->at);
        put(w, "uf_%s %s = UF_%s(\"%s\");\n", point->is_checkpoint ? "checkpoint" : "signal", point->name,
            point->is_checkpoint ? "CHECKPOINT" : "SIGNAL", point->name);
    }
    put_own_place(w);
    put(w, "%s", w->unit->own_point_count ? "\n" : "");
}

/* -- pre-emption --------------------------------------------------------------------------------------------------------- */

/* Of a task that was not entered yet: it is entered first if it goes on to a step; else what the outcome reads is set. */
static void put_entering(writer *w, const ir_preempt *preempt, const ir_task *task)
{
    bool const goes_on = w->unit->outcomes[preempt->outcome].kind == IR_STEP;
    if (!goes_on && !task->fields.count && !task->jobs.count) return;
    put(w, "    if (uf_state(&flow->uf) == %s) ", cname_for_task(w, task, "enter"));
    if (!goes_on) {
        put(w, "%s(flow, self);\n", cname_of_task_hidden(w, task, "fields"));
        return;
    }
    put(w, "{\n        uf_enter_task(&flow->uf);\n");
    if (has_enter(task)) put(w, "        %s(flow, self);\n", cname_of_task(w, task, "enter"));
    put(w, "        uf_enter(&flow->uf, %s);\n", cname_step_state(w, &w->unit->steps[task->steps.first]));
    if (has_enter(task)) put(w, "        if (uf_failing(&flow->uf)) return uf_stay();\n");
    put(w, "    }\n");
}

static void emit_preempt(writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    const ir_task *const task = preempt->task == IR_NONE ? NULL : &w->unit->tasks[preempt->task];
    const ir_outcome *const outcome = &w->unit->outcomes[preempt->outcome];
    put(w, "static uf_intent %s(%s *flow", cname_preempt(w, flow, preempt), flow->name);
    if (task) put(w, ", %s *self", cname_task(w, task));
    put(w, ")\n{\n");
    if (task) put_entering(w, preempt, task);
    put_place(w, outcome->at);
    put(w, "    return ");
    put_outcome(w, outcome, task);
    put(w, ";\n");
    put_own_place(w);
    put(w, "}\n\n");
}

void emit_preempts(writer *w, const ir_flow *flow, ir_range preempts)
{
    for (uint32_t i = 0; i < preempts.count; i++) emit_preempt(w, flow, &w->unit->preempts[preempts.first + i]);
}

static void emit_preempt_switch(writer *w, const ir_flow *flow)
{
    put(w, "static uf_intent %s(uf_flow *uf, uint16_t uf_which)\n{\n", cname_hidden(w, flow, "preempt"));
    put(w, "    %s *const flow = (%s *)uf;\n\n    switch (uf_which) {\n", flow->name, flow->name);
    for (uint32_t i = 0; i < flow->preempts.count; i++) {
        const ir_preempt *const preempt = &w->unit->preempts[flow->preempts.first + i];
        put(w, "    case %u: return %s(flow", (unsigned)i, cname_preempt(w, flow, preempt));
        if (preempt->task != IR_NONE) put(w, ", &%s", task_place(w, &w->unit->tasks[preempt->task]));
        put(w, ");\n");
    }
    put(w, "    }\n    return uf_stay();\n}\n\n");
}

static void put_preempt_table(writer *w, const ir_flow *flow)
{
    put(w, "static const uf_preempt_info %s[] = { /* signal, or where it lies in the flow; line, task */\n",
        cname_hidden(w, flow, "preempts"));
    for (uint32_t i = 0; i < flow->preempts.count; i++) {
        const ir_preempt *const preempt = &w->unit->preempts[flow->preempts.first + i];
        const ir_point *const point = &w->unit->points[preempt->point];
        if (point->in_flow) put(w, "    { NULL, offsetof(%s, %s), ", flow->name, point->name);
        else put(w, "    { &%s, 0, ", point->name);
        put(w, "%u, ", (unsigned)ir_line(preempt->at));
        if (preempt->task == IR_NONE) put(w, "UF_NO_TASK },\n");
        else put(w, "%u },\n", (unsigned)(preempt->task - flow->tasks.first));
    }
    put(w, "};\n\n");
}

/* -- jobs ------------------------------------------------------------------------------------------------------------------ */

static void put_job_table(writer *w, const ir_flow *flow)
{
    put(w, "static const uf_job_info %s[] = { /* where it lies in the flow, task, name */\n",
        cname_hidden(w, flow, "jobs"));
    for (uint32_t t = 0; t < flow->tasks.count; t++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + t];
        for (uint32_t i = 0; i < task->jobs.count; i++) {
            const char *const name = w->unit->jobs[task->jobs.first + i].name;
            put(w, "    { offsetof(%s, uf_task.%s.%s.job), %u, \"%s\" },\n", flow->name, task->name, name, (unsigned)t,
                name);
        }
    }
    put(w, "};\n\n");
}

/* -- release --------------------------------------------------------------------------------------------------------------- */

static bool has_release(const writer *w, const ir_flow *flow)
{
    for (uint32_t i = 0; i < flow->members.count; i++) {
        const ir_member *const m = &w->unit->members[flow->members.first + i];
        if (m->kind == IR_MEMBER_POINT || m->kind == IR_MEMBER_MAILBOX) return true;
    }
    return false;
}

static void emit_release(writer *w, const ir_flow *flow)
{
    put(w, "static void %s(uf_flow *uf)\n{\n    %s *const flow = (%s *)uf;\n\n", cname_hidden(w, flow, "release"),
        flow->name, flow->name);
    for (uint32_t i = flow->members.count; i-- > 0;) {
        const ir_member *const m = &w->unit->members[flow->members.first + i];
        if (m->kind == IR_MEMBER_MAILBOX) {
            put(w, "    uf_mailbox_destroy(&flow->%s);\n", w->unit->mailboxes[m->index].item.name);
        } else if (m->kind == IR_MEMBER_POINT) {
            const ir_point *const point = &w->unit->points[m->index];
            put(w, "    uf_%s_destroy(&flow->%s);\n", point->is_checkpoint ? "checkpoint" : "signal", point->name);
        }
    }
    put(w, "}\n\n");
}

void emit_outside(writer *w, const ir_flow *flow)
{
    if (flow->preempts.count) {
        put_preempt_table(w, flow);
        emit_preempt_switch(w, flow);
    }
    if (ir_count_jobs(w->unit, flow)) put_job_table(w, flow);
    if (has_release(w, flow)) emit_release(w, flow);
}

void put_outside_descriptor(writer *w, const ir_flow *flow)
{
    if (flow->preempts.count) {
        put(w, "    .preempts = %s,\n    .preempting = &uf_preempting,\n    .preempt = %s,\n    .preempt_count = %u,\n", cname_hidden(w, flow, "preempts"),
            cname_hidden(w, flow, "preempt"), (unsigned)flow->preempts.count);
        put(w, "    .preempts_offset = offsetof(%s, uf_preempts),\n", flow->name);
    }
    if (ir_count_jobs(w->unit, flow)) {
        put(w, "    .jobs = %s,\n    .job_count = %u,\n    .jobs_offset = offsetof(%s, uf_jobs),\n",
            cname_hidden(w, flow, "jobs"), (unsigned)ir_count_jobs(w->unit, flow), flow->name);
    }
    if (has_release(w, flow)) put(w, "    .release = %s,\n", cname_hidden(w, flow, "release"));
}

/* -- mailboxes ----------------------------------------------------------------------------------------------------------- */

void emit_mailbox(writer *w, const ir_flow *flow, const ir_mailbox *mailbox)
{
    put_send_head(w, flow, mailbox);
    put(w, "\n{\n    return uf_mailbox_send(&flow->%s, &uf_item);\n}\n\n", mailbox->item.name);
    put_receive_head(w, flow, mailbox);
    put(w, "\n{\n    return uf_mailbox_receive(&flow->%s, uf_item);\n}\n\n", mailbox->item.name);
}
