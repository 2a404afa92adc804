/* SPDX-License-Identifier: MIT */
/* failure.c - reports runs that fail while nobody waits for them. */
#include "host.h"

bool ufh_run_awaited(const uf_flow *flow)
{
    uf_runtime *const runtime = ufh_runtime_of(flow->pump);
    ufh_waiter *waiter = NULL;

    if (!ufp_load(&runtime->pump.watched)) return false;
    ufp_mutex_lock(&runtime->mutex);
    do waiter = ufh_waiters_next(&runtime->waiters, flow, waiter);
    while (waiter && waiter->entry.run != flow->run);
    ufp_mutex_unlock(&runtime->mutex);
    return waiter != NULL;
}

void ufh_run_failed(uf_flow *flow)
{
    uf_runtime_config const *const config = &ufh_runtime_of(flow->pump)->config;
    uint32_t const state = ufp_load(&flow->state);

    if (ufh_run_awaited(flow)) return;
    uf_failure const failure = {.task = ufi_task_name(flow, state),
                                .step = ufi_step_of(flow, state)->name,
                                .line = ufi_step_of(flow, state)->line,
                                .reason = uf_end_reason(flow, UF_FAILED)};
    config->on_failure(config->failure_context, flow, &failure);
}

/* Writes the whole line at once, so that lines of several threads do not mix. */
void ufh_print_failure(void *context, const uf_flow *flow, const uf_failure *failure)
{
    char path[UF_STOP_NAME_SIZE], line[2 * UF_STOP_NAME_SIZE + UF_REASON_SIZE];

    (void)context;
    uf_flow_path(flow, path, sizeof path);
    size_t const length = ufi_join(line, sizeof line - 1,
                                   UFI_PARTS("uflow: ", path, " ", failure->task, " failed in ", failure->step,
                                             *failure->reason ? ": " : "", failure->reason));
    line[length] = '\n';
    ufp_print_error(line, length + 1);
}
