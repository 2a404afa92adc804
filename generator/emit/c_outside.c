/* Interfaces to the outside of a flow: signals and checkpoints of the file, `on SIGNAL`, jobs, mailboxes, and their
 * release. */
#include "c_parts.h"
#include "cname.h"
#include "fragment.h"
#include "prototypes.h"

void emit_points(writer *w)
{
    for (uint32_t i = 0; i < w->unit->own_point_count; i++) {
        const ir_point *const point = &w->unit->points[i];
        put_place(w, point->at);
        put(w, "uf_", point->is_checkpoint ? "checkpoint" : "signal", " ", point->name, " = UF_",
            point->is_checkpoint ? "CHECKPOINT" : "SIGNAL", "(\"", point->name, "\");\n");
    }
    put_own_place(w);
    put(w, w->unit->own_point_count ? "\n" : "");
}

/* -- preemption ---------------------------------------------------------------------------------------------------- */

/* If the task was not entered yet, a handler that leads to a step enters the task first. Any other target gets the
 * state that it reads. */
static void put_entering(writer *w, const ir_preempt *preempt, const ir_task *task)
{
    bool const goes_on = w->unit->outcomes[preempt->outcome].kind == OUTCOME_STEP;
    if (!goes_on && !task->fields.count && !task->jobs.count) return;
    put(w, "    if (uf_state(&flow->uf) == ", cname_for_task(w, task, "enter"), ") ");
    if (!goes_on) {
        put(w, cname_of_task_hidden(w, task, "fields"), "(flow, self);\n");
        return;
    }
    put(w, "{\n        uf_enter_task(&flow->uf);\n");
    if (has_enter(task)) put(w, "        (void)", cname_of_task(w, task, "enter"), "(flow, self);\n");
    if (has_enter(task)) put(w, "        if (uf_failing(&flow->uf)) return uf_stay();\n");
    put(w, "    }\n");
}

static void emit_preempt(writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    const ir_task *const task = preempt->task == IR_NONE ? NULL : &w->unit->tasks[preempt->task];
    const ir_outcome *const outcome = &w->unit->outcomes[preempt->outcome];
    put(w, "static uf_intent ", cname_preempt(w, flow, preempt), "(", flow->name, " *flow");
    if (task) put(w, ", ", cname_task(w, task), " *self");
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
    put(w, "static uf_intent ", cname_hidden(w, flow, "preempt"), "(uf_flow *uf, uf_u16 uf_which)\n{\n");
    put(w, "    ", flow->name, " *const flow = (", flow->name, " *)uf;\n\n    switch (uf_which) {\n");
    for (uint32_t i = 0; i < flow->preempts.count; i++) {
        const ir_preempt *const preempt = &w->unit->preempts[flow->preempts.first + i];
        put(w, "    case ", i, ": return ", cname_preempt(w, flow, preempt), "(flow");
        if (preempt->task != IR_NONE) put(w, ", &", task_place(w, &w->unit->tasks[preempt->task]));
        put(w, ");\n");
    }
    put(w, "    }\n    return uf_stay();\n}\n\n");
}

static void put_preempt_table(writer *w, const ir_flow *flow)
{
    put(w, "static const uf_preempt_info ", cname_hidden(w, flow, "preempts"),
        "[] = { /* signal, or where it lies in the flow; line, task */\n");
    for (uint32_t i = 0; i < flow->preempts.count; i++) {
        const ir_preempt *const preempt = &w->unit->preempts[flow->preempts.first + i];
        const ir_point *const point = &w->unit->points[preempt->point];
        if (point->in_flow) put(w, "    { 0, UF_OFFSET(", flow->name, ", ", point->name, "), ");
        else put(w, "    { &", point->name, ", 0, ");
        put(w, ir_line(preempt->at), ", ");
        if (preempt->task == IR_NONE) put(w, "UF_NO_TASK },\n");
        else put(w, preempt->task - flow->tasks.first, " },\n");
    }
    put(w, "};\n\n");
}

/* -- jobs ---------------------------------------------------------------------------------------------------------- */

static const char *jobs_place(writer *w, const ir_flow *flow, const ir_job *job)
{
    return arena_printf(w->names, "((%s *)0)->uf_task.%s.%s", flow->name, w->unit->tasks[job->task].name, job->name);
}

/* The number of elements may be an expression, which only the C compiler evaluates. */
static void put_array_limits(writer *w, const ir_flow *flow)
{
    uint32_t const first = w->unit->tasks[flow->tasks.first].jobs.first;
    for (uint32_t i = 0; i < ir_count_jobs(w->unit, flow); i++) {
        const ir_job *const job = &w->unit->jobs[first + i];
        if (!ir_has_text(job->count)) continue;
        const char *const array = jobs_place(w, flow, job);
        put_place(w, job->at);
        put(w, "_Static_assert(sizeof ", array, " / sizeof *", array, " - 1 < 0x7fffffff, "); /* 0 wraps round */
        put(w, "\"the number of jobs ", job->name, " is not 1 to 2^31 - 1\");\n");
        put_own_place(w);
    }
}

static void put_job_row(writer *w, const ir_flow *flow, uint32_t task, const ir_job *job)
{
    bool const is_array = ir_has_text(job->count);
    put(w, "    { UF_OFFSET(", flow->name, ", uf_task.", w->unit->tasks[job->task].name, ".", job->name,
        is_array ? "" : ".job", "), ", task, ", \"", job->name, "\", ");
    if (is_array) {
        const char *const array = jobs_place(w, flow, job);
        put(w, "sizeof ", array, " / sizeof *", array, ", sizeof *", array, " },\n");
    } else {
        put(w, "0, 0 },\n");
    }
}

static void put_job_table(writer *w, const ir_flow *flow)
{
    put_array_limits(w, flow);
    put(w, "static const uf_job_info ", cname_hidden(w, flow, "jobs"),
        "[] = { /* where it lies in the flow, task, name; of an array: elements, bytes of one */\n");
    for (uint32_t t = 0; t < flow->tasks.count; t++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + t];
        for (uint32_t i = 0; i < task->jobs.count; i++)
            put_job_row(w, flow, t, &w->unit->jobs[task->jobs.first + i]);
    }
    put(w, "};\n\n");
}

/* -- release ------------------------------------------------------------------------------------------------------- */

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
    put(w, "static void ", cname_hidden(w, flow, "release"), "(uf_flow *uf)\n{\n    ", flow->name, " *const flow = (",
        flow->name, " *)uf;\n\n");
    for (uint32_t i = flow->members.count; i-- > 0;) {
        const ir_member *const m = &w->unit->members[flow->members.first + i];
        if (m->kind == IR_MEMBER_MAILBOX) {
            put(w, "    uf_mailbox_destroy(&flow->", w->unit->mailboxes[m->index].item.name, ");\n");
        } else if (m->kind == IR_MEMBER_POINT) {
            const ir_point *const point = &w->unit->points[m->index];
            put(w, "    uf_", point->is_checkpoint ? "checkpoint" : "signal", "_destroy(&flow->", point->name, ");\n");
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
        put(w, "    ", cname_hidden(w, flow, "preempts"), ", &uf_preempting, ", flow->preempts.count, ", UF_OFFSET(",
            flow->name, ", uf_preempts),\n    ", cname_hidden(w, flow, "preempt"), ",\n");
    } else {
        put(w, "    0, 0, 0, 0, 0, /* on signals */\n");
    }
    put(w, "    ", has_release(w, flow) ? cname_hidden(w, flow, "release") : "0", ", /* release */\n");
    unsigned const jobs = ir_count_jobs(w->unit, flow);
    if (jobs) put(w, "    ", cname_hidden(w, flow, "jobs"), ", ", jobs, ", UF_OFFSET(", flow->name, ", uf_jobs),\n");
    else put(w, "    0, 0, 0, /* jobs */\n");
}

/* -- mailboxes ----------------------------------------------------------------------------------------------------- */

void emit_mailbox(writer *w, const ir_flow *flow, const ir_mailbox *mailbox)
{
    put_send_head(w, flow, mailbox);
    put(w, "\n{\n    return flow ? uf_mailbox_send(&flow->", mailbox->item.name, ", &uf_item) : UF_INVALID;\n}\n\n");
    put_receive_head(w, flow, mailbox);
    put(w, "\n{\n    return flow && uf_mailbox_receive(&flow->", mailbox->item.name, ", uf_item);\n}\n\n");
}
