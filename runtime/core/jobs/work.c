/* SPDX-License-Identifier: MIT */
/* work.c - jobs, on the worker's side, and the inline pool, which needs neither threads nor records. */
#include "jobs/work.h"
#include "basics/format.h"

void uf_work_run(uf_work *work)
{
    if (work && work->worker) ufi_run_work(work, ufp_thread_slot());
}

/* A caller-driven pump without the hook `wake` may be gone once it has the record. */
static void send_record(uf_work *work)
{
    uf_pump *const pump = work->pump;
    bool const wakes = pump->config.wake != NULL;

    if (wakes) ufi_pump_pin(pump);
    ufi_inbox_send(pump, &work->message);
    if (!wakes) return;
    ufi_wake_driver(pump);
    ufi_pump_unpin(pump);
}

void uf_work_over(uf_work *work, uf_time took)
{
    if (!work || !work->worker) return;
    work->took = took;
    if (ufp_compare_exchange_seq_cst(&work->progress, UFI_WORK_IN_POOL, UFI_WORK_OVER)) {
        send_record(work);
        return;
    }
    ufi_drop_result(work);
    work->pool->kind->put(work->pool, work);
}

/* Each of these functions links the conversions that it knows. */
#define WORK_FAIL_BY(name, conversions)                                                                                \
    void name(uf_work *work, const char *format, ...)                                                                  \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
                                                                                                                       \
        if (work->failed) return;                                                                                      \
        work->failed = UFI_FAILED_BY_ITSELF;                                                                           \
        va_start(arguments, format);                                                                                   \
        ufi_format(work->reason, sizeof work->reason, conversions, format, arguments);                                 \
        va_end(arguments);                                                                                             \
    }
WORK_FAIL_BY(uf_work_fail_simple, UFI_SIMPLE)
WORK_FAIL_BY(uf_work_fail, UFI_INTEGERS)
#if !defined(UF_NO_FLOAT)
WORK_FAIL_BY(uf_work_fail_real, UFI_ALL)
#endif

void uf_work_fail_silent(uf_work *work)
{
    work->failed = UFI_FAILED_BY_ITSELF;
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
