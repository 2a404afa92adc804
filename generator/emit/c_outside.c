/* SPDX-License-Identifier: MIT */
/* Interfaces to the outside of a flow: signals and checkpoints of the file, jobs, mailboxes, and their release. */
#include <ctype.h>

#include "c_parts.h"
#include "forms.h"
#include "fragment.h"

/* Writes a call for each element of an array, or for the only one, up to its first argument. */
void put_each_element(writer *w, const ir_point *point, const char *function)
{
    if (point->count) put(w, "    for (uf_u32 uf_i = 0; uf_i < ", point->count, "; uf_i++)\n    ");
    put(w, "    uf_", point_kind(point), function, "&flow->", point->name, point->count ? "[uf_i]" : "");
}

void put_value_check(writer *w, span value, const char *claim, const char *otherwise)
{
    if (!ir_has_text(value) || isdigit((unsigned char)value.in->text[value.begin])) return;
    put_at(w, value, "UF_STATIC_ASSERT(");
    put_user(w, value);
    put_line(w, claim, ", \"", otherwise, "\");");
}

/* The C compiler may choose another enumerator of this name, behind an #if. */
static void put_size_check(writer *w, const ir_point *point)
{
    put_value_check(w, point->size, arena_printf(w->names, " == %u", (unsigned)point->count),
                    ARENA_CONCAT(w->names, "the size of ", point->name, " is not that of ufc"));
}

void emit_points(writer *w)
{
    for (uint32_t i = 0; i < w->unit->point_count; i++) {
        if (i < w->unit->own_point_count || w->unit->points[i].in_flow) put_size_check(w, &w->unit->points[i]);
    }
    for (uint32_t i = 0; i < w->unit->own_point_count; i++) {
        const ir_point *const point = &w->unit->points[i];
        put_place(w, point->at);
        const char *const value =
            ARENA_CONCAT(w->names, point->is_checkpoint ? "UF_CHECKPOINT(\"" : "UF_SIGNAL(\"", point->name, "\")");
        put(w, "uf_", point_kind(point), " ", point->name, point_size(w, point), point->count ? " = { " : " = ", value);
        for (uint32_t e = 1; e < point->count; e++) put(w, e % 4 ? ", " : ",\n    ", value);
        put(w, point->count ? " };\n" : ";\n");
    }
    put_own(w, w->unit->own_point_count ? "\n" : "");
}

/* -- jobs ---------------------------------------------------------------------------------------------------------- */

static const char *jobs_place(writer *w, const ir_flow *flow, const ir_job *job)
{
    return arena_printf(w->names, "((%s *)0)->uf_task.%s.%s", flow->name, w->unit->tasks[job->task].name, job->name);
}

/* The number of elements may be an expression, which only the C compiler evaluates. */
void put_array_limit(writer *w, const char *indent, span at, const char *array, const char *what, const char *name)
{
    put_at(w, at, indent, "UF_STATIC_ASSERT(sizeof ", array, " / sizeof *", array,
           " - 1 < 0x7fffffff, "); /* 0 wraps round */
    put_line(w, "\"the ", what, " ", name, " is not 1 to 2^31 - 1\");");
    put_own_place(w);
}

static void put_job_row(writer *w, const ir_flow *flow, const ir_job *job)
{
    const ir_task *const task = &w->unit->tasks[job->task];
    bool const is_array = ir_has_text(job->count);
    put(w, "    { UF_OFFSET(", flow->name, ", uf_task.", task->name, ".", job->name, is_array ? "" : ".job", "), ",
        row_of_task(w, task), ", \"", job->name, "\", ");
    if (is_array) {
        const char *const array = jobs_place(w, flow, job);
        put(w, "sizeof ", array, " / sizeof *", array, ", sizeof *", array, " },\n");
    } else {
        put(w, "0, 0 },\n");
    }
}

static void put_job_table(writer *w, const ir_flow *flow)
{
    ir_range const jobs = {w->unit->tasks[flow->tasks.first].jobs.first, ir_count_jobs(w->unit, flow)};
    IR_EACH (ir_job, job, w->unit->jobs, jobs) {
        if (ir_has_text(job->count))
            put_array_limit(w, "", job->at, jobs_place(w, flow, job), "number of jobs", job->name);
    }
    put(w, "static const uf_job_info ", cname_hidden(w, flow, "jobs"),
        "[] = { /* where it lies in the flow, task, name; of an array: elements, bytes of one */\n");
    IR_EACH (ir_job, job, w->unit->jobs, jobs) put_job_row(w, flow, job);
    put(w, "};\n\n");
}

/* -- release ------------------------------------------------------------------------------------------------------- */

bool has_release(const writer *w, const ir_flow *flow)
{
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        if (m->kind == IR_MEMBER_POINT || m->kind == IR_MEMBER_MAILBOX || ir_is_pool(m)) return true;
    }
    return false;
}

static void emit_release(writer *w, const ir_flow *flow)
{
    put(w, "static void ", cname_hidden(w, flow, "release"), "(uf_flow *uf)\n{\n    ", flow->name, " *const flow = (",
        flow->name, " *)uf;\n\n");
    put_pool_releases(w, flow);
    for (uint32_t i = flow->members.count; i-- > 0;) {
        const ir_member *const m = &w->unit->members[flow->members.first + i];
        if (m->kind == IR_MEMBER_MAILBOX) {
            put(w, "    uf_mailbox_destroy(&flow->", w->unit->mailboxes[m->index].item.name, ");\n");
        } else if (m->kind == IR_MEMBER_POINT) {
            const ir_point *const point = &w->unit->points[m->index];
            put_each_element(w, point, "_destroy(");
            put(w, ");\n");
        }
    }
    put(w, "}\n\n");
}

void emit_outside(writer *w, const ir_flow *flow)
{
    if (flow->preempts.count) emit_preempt_table(w, flow);
    if (ir_count_jobs(w->unit, flow)) put_job_table(w, flow);
    if (has_release(w, flow)) emit_release(w, flow);
    emit_pool_tables(w, flow);
}

const char *preempting_of(const writer *w, const ir_flow *flow)
{
    if (!flow->preempts.count) return "0";
    return has_preempt(w, flow->preempts, IR_ON_SIGNAL) ? "&uf_preempting" : "&uf_preempting_without_signals";
}

void put_outside_descriptor(writer *w, const ir_flow *flow)
{
    uint32_t const preempts = flow->preempts.count;
    unsigned const jobs = ir_count_jobs(w->unit, flow);
    PUT_MEMBER_OF(w, "HANDLERS", "preempts", preempts ? cname_hidden(w, flow, "preempts") : "0");
    PUT_MEMBER_OF(w, "HANDLERS", "preempting", flow->is_durable ? "&uf_durable_preempting" : preempting_of(w, flow));
    if (preempts && has_elements(w, flow))
        PUT_MEMBER_OF(w, "HANDLERS", "number of preempts",
                      ARENA_CONCAT(w->names, "UF_LENGTH(", flow->name, ", uf_preempts)"));
    else PUT_MEMBER_OF(w, "HANDLERS", "number of preempts", preempts);
    PUT_MEMBER_OF(w, "HANDLERS", "offset of uf_preempts", offset_of(w, flow, preempts, "uf_preempts"));
    PUT_MEMBER_OF(w, "HANDLERS", "preempt", preempts ? cname_hidden(w, flow, "preempt") : "0");
    PUT_MEMBER_OF(w, "PARTS", "release", has_release(w, flow) ? cname_hidden(w, flow, "release") : "0");
    PUT_MEMBER_OF(w, "JOBS", "jobs", jobs ? cname_hidden(w, flow, "jobs") : "0");
    PUT_MEMBER_OF(w, "JOBS", "number of jobs", jobs);
    PUT_MEMBER_OF(w, "JOBS", "offset of uf_jobs", offset_of(w, flow, jobs, "uf_jobs"));
    put_pool_descriptor(w, flow);
}

/* -- mailboxes ----------------------------------------------------------------------------------------------------- */

void emit_mailbox(writer *w, const ir_flow *flow, const ir_mailbox *mailbox)
{
    put_form(w, &(subject){.flow = flow, .mailbox = mailbox},
             HEAD_SEND
             "\n{\n    return uf_mailbox_send((uf_mailbox *)UF_INSIDE($F, flow, $M), &uf_item);\n}\n\n" HEAD_SEND_WAIT
             "\n{\n    return uf_mailbox_send_wait((uf_mailbox *)UF_INSIDE($F, flow, $M), &uf_item, "
             "uf_timeout);\n}\n\n" HEAD_RECEIVE
             "\n{\n    return uf_mailbox_receive((uf_mailbox *)UF_INSIDE($F, flow, $M), uf_item);\n}\n\n");
}
