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

void uf_work_fail_simple(uf_work *work, const char *format, ...)
{
    va_list arguments;

    if (work->failed) return;
    work->failed = UFI_FAILED_BY_ITSELF;
    va_start(arguments, format);
    ufi_format(work->reason, sizeof work->reason, UFI_SIMPLE, format, arguments);
    va_end(arguments);
}

void uf_work_fail(uf_work *work, const char *format, ...)
{
    va_list arguments;

    if (work->failed) return;
    work->failed = UFI_FAILED_BY_ITSELF;
    va_start(arguments, format);
    ufi_format(work->reason, sizeof work->reason, UFI_INTEGERS, format, arguments);
    va_end(arguments);
}

#if !defined(UF_NO_FLOAT)
void uf_work_fail_real(uf_work *work, const char *format, ...)
{
    va_list arguments;

    if (work->failed) return;
    work->failed = UFI_FAILED_BY_ITSELF;
    va_start(arguments, format);
    ufi_format(work->reason, sizeof work->reason, UFI_ALL, format, arguments);
    va_end(arguments);
}
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
