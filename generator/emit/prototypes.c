#include "prototypes.h"

#include "cname.h"
#include "fragment.h"

void put_init_head(writer *w, const ir_flow *flow)
{
    put(w, "uf_status %s(%s *flow, uf_pump *pump, const char *uf_name", cname_of_flow(w, flow, "init"), flow->name);
    put_parameters(w, flow->params, false);
    put(w, ")");
}

void put_destroy_head(writer *w, const ir_flow *flow)
{
    put(w, "uf_status %s(%s *flow)", cname_of_flow(w, flow, "destroy"), flow->name);
}

static void put_any_start_head(writer *w, const ir_task *task, const char *what, const char *handle)
{
    put(w, "uf_status %s(%s *flow%s", cname_for_task(w, task, what), w->unit->flows[task->flow].name, handle);
    put_parameters(w, task->params, false);
    put(w, ")");
}

void put_start_head(writer *w, const ir_task *task)
{
    put_any_start_head(w, task, "start", "");
}

void put_start_run_head(writer *w, const ir_task *task)
{
    put_any_start_head(w, task, "start_run", ", uf_run *uf_handle");
}

void put_result_head(writer *w, const ir_task *task)
{
    put(w, "bool %s(const %s *flow, ", cname_for_task(w, task, "result"), w->unit->flows[task->flow].name);
    put_variable(w, &task->result, "*uf_out", false);
    put(w, ")");
}
