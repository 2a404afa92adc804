/* The life of an instance: init, destroy, starts, results. */
#include "c_parts.h"
#include "cname.h"
#include "fragment.h"
#include "prototypes.h"

/* Fields and sub-flows: a function of its own, since the user's initialisers see `flow` only. */
static void emit_fields(writer *w, const ir_flow *flow)
{
    bool subflows = false;
    for (uint32_t i = 0; i < flow->inits.count; i++) subflows |= w->unit->inits[flow->inits.first + i].kind == IR_INIT_SUBFLOW;
    put(w, "static uf_status %s(%s *flow)\n{\n", cname_hidden(w, flow, "fields"), flow->name);
    if (subflows) put(w, "    uf_status uf_ready;\n");
    emit_inits(w, flow->inits, "flow");
    put(w, "    return UF_OK;\n}\n\n");
}

static void emit_init(writer *w, const ir_flow *flow)
{
    if (flow->inits.count) emit_fields(w, flow);
    if (ir_has_body(&flow->on_init)) {
        put_place(w, flow->on_init.text);
        put(w, "static void %s(%s *flow)", cname_of_flow(w, flow, "on_init"), flow->name);
        emit_handler(w, &flow->on_init);
        put(w, "\n");
    }
    put_init_head(w, flow);
    put(w, "\n{\n    if (!flow) return UF_INVALID;\n    memset(flow, 0, sizeof *flow);\n");
    put(w, "    uf_status uf_ready = uf_flow_init(&flow->uf, &%s, pump, uf_name);\n", cname_of_flow(w, flow, "type"));
    put(w, "    if (uf_ready != UF_OK) return uf_ready;\n");
    put_stores(w, flow->params, "flow->");
    if (flow->inits.count) {
        put(w, "    uf_ready = %s(flow);\n", cname_hidden(w, flow, "fields"));
        put(w, "    if (uf_ready != UF_OK) {\n        uf_flow_detach(&flow->uf);\n        return uf_ready;\n    }\n");
    }
    if (ir_has_body(&flow->on_init)) put(w, "    %s(flow);\n", cname_of_flow(w, flow, "on_init"));
    put(w, "    return UF_OK;\n}\n\n");
    put_destroy_head(w, flow);
    put(w, "\n{\n    return flow ? uf_flow_detach(&flow->uf) : UF_INVALID;\n}\n\n");
}

static void emit_start(writer *w, const ir_task *task)
{
    put_start_run_head(w, task);
    put(w, "\n{\n    uf_status const uf_claimed = uf_start_claim(&flow->uf);\n    if (uf_claimed != UF_OK) return uf_claimed;\n");
    put_stores(w, task->params, arena_printf(w->names, "%s.", task_place(w, task)));
    put(w, "    uf_start_commit(&flow->uf, %s, uf_handle);\n    return UF_OK;\n}\n\n", cname_for_task(w, task, "enter"));
    put_start_head(w, task);
    put(w, "\n{\n    return %s(flow, NULL", cname_for_task(w, task, "start_run"));
    put_arguments(w, task->params, "");
    put(w, ");\n}\n\n");
}

static void emit_result(writer *w, const ir_task *task)
{
    const ir_flow *const flow = &w->unit->flows[task->flow];
    put_result_head(w, task);
    put(w, "\n{\n    if (!uf_done_in(&flow->uf, %u)) return false;\n", (unsigned)(task - &w->unit->tasks[flow->tasks.first]));
    put(w, "    *uf_out = flow->uf_result.%s;\n    return true;\n}\n\n", task->name);
}

void emit_life(writer *w, const ir_flow *flow)
{
    emit_init(w, flow);
    for (uint32_t i = 0; i < flow->tasks.count; i++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + i];
        emit_start(w, task);
        if (task->has_result) emit_result(w, task);
    }
}
