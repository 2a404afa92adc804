#include "prototypes.h"

#include "cname.h"
#include "fragment.h"

void put_named_parameters(writer *w, ir_range variables)
{
    put_parameters(w, variables, false);
}

void put_init_head(writer *w, const ir_flow *flow, parameter_writer *parameters)
{
    put(w, "uf_status ", cname_of_flow(w, flow, "init"), "(", flow->name,
        " *flow, uf_pump *uf_on_pump, const char *uf_name");
    parameters(w, flow->params);
    put(w, ")");
}

void put_destroy_head(writer *w, const ir_flow *flow)
{
    put(w, "uf_status ", cname_of_flow(w, flow, "destroy"), "(", flow->name, " *flow)");
}

static void put_any_start_head(writer *w, const ir_task *task, const char *what, const char *handle,
                               parameter_writer *parameters)
{
    put(w, "uf_status ", cname_for_task(w, task, what), "(", w->unit->flows[task->flow].name, " *flow", handle);
    parameters(w, task->params);
    put(w, ")");
}

void put_start_head(writer *w, const ir_task *task, parameter_writer *parameters)
{
    put_any_start_head(w, task, "start", "", parameters);
}

void put_start_run_head(writer *w, const ir_task *task, parameter_writer *parameters)
{
    put_any_start_head(w, task, "start_run", ", uf_run *uf_handle", parameters);
}

void put_spawn_head(writer *w, const ir_flow *flow, const ir_subflow *pool, const ir_task *task,
                    parameter_writer *parameters)
{
    put(w, "uf_status ", cname_of_spawn(w, flow, pool, task), "(", flow->name, " *flow");
    parameters(w, task->params);
    put(w, ")");
}

void put_busy_head(writer *w, const ir_flow *flow, const ir_subflow *pool)
{
    put(w, "unsigned ", cname_of_pool(w, flow, pool, "busy"), "(const ", flow->name, " *flow)");
}

void put_limit_head(writer *w, const ir_flow *flow, const ir_subflow *pool)
{
    put(w, "uf_status ", cname_of_pool(w, flow, pool, "limit"), "(", flow->name, " *flow, uf_u32 uf_most)");
}

void put_cancel_all_head(writer *w, const ir_flow *flow, const ir_subflow *pool)
{
    put(w, "uf_status ", cname_of_pool(w, flow, pool, "cancel_all"), "(", flow->name, " *flow)");
}

void put_at_head(writer *w, const ir_flow *flow, const ir_subflow *pool)
{
    put(w, w->unit->flows[pool->flow].name, " *", cname_of_pool(w, flow, pool, "at"), "(const ", flow->name,
        " *flow, uf_u32 uf_index)");
}

void put_run_head(writer *w, const ir_flow *flow, const ir_subflow *pool)
{
    put(w, "uf_run ", cname_of_pool(w, flow, pool, "run"), "(const ", flow->name, " *flow, uf_u32 uf_index)");
}

void put_call_head(writer *w, const ir_task *task, parameter_writer *parameters)
{
    put(w, "uf_status ", cname_for_task(w, task, "call"), "(", w->unit->flows[task->flow].name, " *flow");
    parameters(w, task->params);
    put(w, ", uf_time uf_timeout");
    if (task->has_result) {
        put(w, ", ");
        put_variable(w, &task->result, "*uf_out", false);
    }
    put(w, ", uf_call_info *uf_info)");
}

void put_result_head(writer *w, const ir_task *task)
{
    put(w, "uf_bool ", cname_for_task(w, task, "result"), "(const ", w->unit->flows[task->flow].name, " *flow, ");
    put_variable(w, &task->result, "*uf_out", false);
    put(w, ")");
}

void put_send_head(writer *w, const ir_flow *flow, const ir_mailbox *mailbox)
{
    put(w, "uf_status ", cname_of_mailbox(w, flow, mailbox, "send"), "(", flow->name, " *flow, ");
    put_variable(w, &mailbox->item, "uf_item", false);
    put(w, ")");
}

void put_send_wait_head(writer *w, const ir_flow *flow, const ir_mailbox *mailbox)
{
    put(w, "uf_status ", cname_of_mailbox(w, flow, mailbox, "send_wait"), "(", flow->name, " *flow, ");
    put_variable(w, &mailbox->item, "uf_item", false);
    put(w, ", uf_time uf_timeout)");
}

void put_receive_head(writer *w, const ir_flow *flow, const ir_mailbox *mailbox)
{
    put(w, "uf_bool ", cname_of_mailbox(w, flow, mailbox, "receive"), "(", flow->name, " *flow, ");
    put_variable(w, &mailbox->item, "*uf_item", false);
    put(w, ")");
}
