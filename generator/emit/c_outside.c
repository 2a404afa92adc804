/* Interfaces to the outside of a flow: signals and checkpoints of the file, jobs, mailboxes, and their release. */
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

/* -- jobs ---------------------------------------------------------------------------------------------------------- */

static void put_job_table(writer *w, const ir_flow *flow)
{
    put(w, "static const uf_job_info ", cname_hidden(w, flow, "jobs"),
        "[] = { /* where it lies in the flow, task, name */\n");
    for (uint32_t t = 0; t < flow->tasks.count; t++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + t];
        for (uint32_t i = 0; i < task->jobs.count; i++) {
            const char *const name = w->unit->jobs[task->jobs.first + i].name;
            put(w, "    { UF_OFFSET(", flow->name, ", uf_task.", task->name, ".", name, ".job), ", t, ", \"", name,
                "\" },\n");
        }
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
    if (flow->preempts.count) emit_preempt_table(w, flow);
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
    put_send_wait_head(w, flow, mailbox);
    put(w, "\n{\n    return flow ? uf_mailbox_send_wait(&flow->", mailbox->item.name,
        ", &uf_item, uf_timeout) : UF_INVALID;\n}\n\n");
    put_receive_head(w, flow, mailbox);
    put(w, "\n{\n    return flow && uf_mailbox_receive(&flow->", mailbox->item.name, ", uf_item);\n}\n\n");
}
