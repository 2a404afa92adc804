/* SPDX-License-Identifier: MIT */
/* The life of an instance: init, destroy, starts, calls, results. */
#include "c_parts.h"
#include "forms.h"
#include "fragment.h"

/* Only the initialisation of a sub-flow or a pool can fail. */
static bool inits_can_fail(const writer *w, const ir_flow *flow)
{
    for (uint32_t i = 0; i < flow->inits.count; i++) {
        ir_init_kind const kind = w->unit->inits[flow->inits.first + i].kind;
        if (kind == IR_INIT_SUBFLOW || kind == IR_INIT_POOL) return true;
    }
    return false;
}

/* Fields and sub-flows have a function of their own, since the user's initialisers see only `flow`. */
static void emit_fields(writer *w, const ir_flow *flow)
{
    bool const can_fail = inits_can_fail(w, flow);
    emit_drops(w, flow->inits);
    put(w, "static ", can_fail ? "uf_status" : "void", " ", cname_hidden(w, flow, "fields"), "(", flow->name,
        " *flow)\n{\n");
    if (can_fail) put(w, "    uf_status uf_begun;\n");
    emit_inits(w, flow, flow->inits, "flow");
    put_own(w, can_fail ? "    return UF_OK;\n" : "", "}\n\n");
}

static void put_fields_call(writer *w, const ir_flow *flow)
{
    const char *const fields = cname_hidden(w, flow, "fields");
    if (!inits_can_fail(w, flow)) {
        put(w, "    ", fields, "(flow);\n");
        return;
    }
    put(w, "    uf_begun = ", fields, "(flow);\n");
    put(w, "    if (uf_begun != UF_OK) {\n        (void)uf_flow_detach(&flow->uf);\n        return uf_begun;\n    }\n");
}

static void emit_init(writer *w, const ir_flow *flow)
{
    subject const of = {.flow = flow};
    bool const has_shutdown = has_shutdown_task(w, flow);
    if (flow->inits.count) emit_fields(w, flow);
    emit_handler(w, &(part){flow, NULL, NULL}, ON_INIT);
    put_form(w, &of, "$L" HEAD_INIT "$\n{\n");
    if (has_tail_subflows(w, flow)) put(w, "    if (flow) ", cname_hidden(w, flow, "clear"), "(flow);\n");
    put(w, "    uf_status ", inits_can_fail(w, flow) ? "" : "const ", "uf_begun = ");
    if (flow->is_durable && !w->options->skeleton) /* which has no tables */
        put(w, "uf_durable_init((uf_flow *)flow, &", cname_of_flow(w, flow, "type"), ", &",
            cname_hidden(w, flow, "durable"), ", uf_on_pump, uf_name);\n");
    else
        put(w, "uf_flow_init", has_shutdown ? "_begin" : "", "((uf_flow *)flow, &", cname_of_flow(w, flow, "type"),
            ", uf_on_pump, uf_name);\n");
    put(w, "    if (uf_begun != UF_OK) return uf_begun;\n");
    put_count_statement(w, COVER_INITS, (uint32_t)(flow - w->unit->flows));
    put_dropped_handlers(w, flow);
    put_stores(w, flow->params, "flow->", HIDDEN_PREFIX);
    if (flow->inits.count) put_fields_call(w, flow);
    if (ir_has_body(&flow->handlers[ON_INIT])) put_count_statement(w, COVER_ON_INIT, (uint32_t)(flow - w->unit->flows));
    if (ir_has_body(&flow->handlers[ON_INIT])) put(w, "    ", cname_of_flow(w, flow, "on_init"), "(flow);\n");
    if (has_shutdown) put(w, "    uf_flow_init_end(&flow->uf);\n");
    put(w, "    return UF_OK;\n}\n\n");
    if (flow->is_test) return;
    put_form(w, &of, HEAD_DESTROY "\n{\n    return uf_flow_detach");
    if (has_release(w, flow)) put(w, "_and((uf_flow *)flow, ", cname_hidden(w, flow, "release"), ");\n}\n\n");
    else put(w, "((uf_flow *)flow);\n}\n\n");
}

static void emit_start(writer *w, const subject *of)
{
    put_form(w, of, "$L" HEAD_START_RUN "$\n{\n");
    if (of->flow->is_durable) put(w, "    if (uf_durable_is_started((uf_flow *)flow, uf_handle)) return UF_OK;\n");
    put(w, "    uf_status const uf_claimed = ");
    put(w, of->flow->is_durable ? "uf_durable_claim" : "uf_start_claim");
    put_form(w, of,
             "((uf_flow *)flow);\n"
             "    if (uf_claimed != UF_OK) return uf_claimed;\n"
             "$S    uf_start_commit(&flow->uf, $F_enter_$T, uf_handle);\n    return UF_OK;\n}\n\n$L" HEAD_START
             "$\n{\n    return $F_start_run_$T(flow, 0$A);\n}\n\n");
}

/* The arguments have the layout of the beginning of the task's state. The runtime copies them there when the call's
 * turn has come. */
static void put_call_arguments(writer *w, const ir_task *task)
{
    put(w, "    struct {");
    put_variables(w, task->params, " ", ";");
    put(w, " } uf_arguments;\n");
    put_stores(w, task->params, "uf_arguments.", HIDDEN_PREFIX);
}

static void emit_call(writer *w, const subject *of)
{
    const ir_task *const task = of->task;
    const char *const make = of->flow->is_durable ? "uf_durable_call" : "uf_call_make";
    put_form(w, of, HEAD_CALL "$\n{\n    uf_call uf_made;\n");
    if (task->params.count) put_call_arguments(w, task);
    put_form(w, of, "    uf_call_init(&uf_made, (uf_flow *)flow, $F_enter_$T, ");
    put(w, task->result_class, ", uf_timeout, uf_info);\n");
    if (task->params.count || task->has_result) /* a variable outside of flows has no address */
        put(w, "    if (!flow) return ", make, "(&uf_made);\n");
    if (task->params.count)
        put_form(w, of, "    uf_call_arguments(&uf_made, &flow->uf_task.$T, &uf_arguments, sizeof uf_arguments);\n");
    if (task->has_result)
        put_form(w, of, "    uf_call_result(&uf_made, uf_out, &flow->uf_result.$T, sizeof flow->uf_result.$T);\n");
    put(w, "    return ", make, "(&uf_made);\n}\n\n");
}

static void emit_result(writer *w, const subject *of)
{
    put_form(w, of, HEAD_RESULT "\n{\n    if (!uf_out || !uf_done_in((const uf_flow *)flow, ");
    put(w, row_of_task(w, of->task), ")) return 0;\n");
    put_form(w, of, "    *uf_out = flow->uf_result.$T;\n    return 1;\n}\n\n");
}

void emit_life(writer *w, const ir_flow *flow)
{
    emit_init(w, flow);
    for (uint32_t i = 0; i < flow->tasks.count; i++) {
        subject const of = subject_of(w, &w->unit->tasks[flow->tasks.first + i]);
        emit_start(w, &of);
        if (flow->is_test) continue;
        emit_call(w, &of);
        if (of.task->has_result) emit_result(w, &of);
    }
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        if (m->kind == IR_MEMBER_MAILBOX) emit_mailbox(w, flow, &w->unit->mailboxes[m->index]);
        if (ir_is_pool(m)) emit_pool(w, flow, &m->subflow);
    }
}
