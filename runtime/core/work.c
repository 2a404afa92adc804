/* work.c - jobs, on the worker's side, and the pool that needs neither threads nor records: it runs them at once. */
#include "work.h"

void uf_work_run(uf_work *work)
{
    if (work && work->worker) ufi_run_work(work, ufp_thread_slot());
}

/* A pump that is driven by hand, and whose driver need not be woken, may be gone once it has the record. */
static void send(uf_work *work)
{
    uf_pump *const pump = work->pump;
    bool const wakes = pump->config.wake != NULL;

    if (wakes) ufi_go_inside(pump);
    ufi_send(pump, &work->message.link);
    if (!wakes) return;
    ufi_wake_driver(pump);
    ufi_leave(pump);
}

void uf_work_over(uf_work *work, uf_time took)
{
    if (!work || !work->worker) return;
    work->took = took;
    if (ufp_compare_exchange_seq_cst(&work->progress, UFI_WORK_IN_POOL, UFI_WORK_OVER)) send(work);
    else work->pool->kind->put(work->pool, work);
}

void uf_work_fail(uf_work *work, const char *format, ...)
{
    va_list arguments;

    if (work->failed) return;
    work->failed = true;
    va_start(arguments, format);
    ufi_format(work->reason, sizeof work->reason, format, arguments);
    va_end(arguments);
}

void uf_work_fail_silent(uf_work *work)
{
    work->failed = true;
}

bool uf_job_cancelled(void)
{
    uf_work const *const work = *ufp_thread_slot();
    return work && ufp_load(&work->cancelled);
}

uf_pool *uf_pool_inline(void)
{
    static const uf_pool_kind at_once;
    static uf_pool pool = {.kind = &at_once};
    return &pool;
}
