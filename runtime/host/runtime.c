/* SPDX-License-Identifier: MIT */
/* runtime.c - creating a runtime, its own pool, and releasing its resources. */
#include "host.h"

#include "jobs/work.h"

static void signal_all_left(uf_pump *pump)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);
    ufh_set_and_signal(&runtime->all_left, &runtime->sleep_mutex, &runtime->wakeup);
}

char const ufh_links = 0;

static const struct ufi_host host = {
    .wake = ufh_wake,
    .asleep = ufh_needs_wake,
    .ended = ufh_run_ended,
    .kept = ufh_run_kept,
    .failed = ufh_run_failed,
    .awaited = ufh_run_awaited,
    .review = ufh_request_round,
    .cancel = ufh_cancel,
    .detach = ufh_detach,
    .run = ufh_run,
    .call = ufh_call,
    .forget = ufh_forget,
    .watch = ufh_descriptor_arm_add,
    .unwatch = ufh_descriptor_arm_remove,
    .look = ufh_descriptor_look,
    .error_text = ufp_error_text,
    .left = signal_all_left,
    .now = ufh_now,
    .take_clock = ufh_begin_clock_change,
    .give_clock = ufh_end_clock_change,
    .process_own_fired = ufh_process_own_fired,
    .real = ufp_monotonic_now,
};

static void runtime_main(void *argument)
{
    uf_runtime *const runtime = argument;
    ufp_thread_name(runtime->name);
    ufp_mutex_lock(&runtime->sleep_mutex);
    while (runtime->start_held || ufp_load_pointer_seq_cst(&runtime->driver) != runtime) {
        (void)ufp_condition_wait(&runtime->wakeup, &runtime->sleep_mutex, UF_FOREVER);
    }
    ufp_mutex_unlock(&runtime->sleep_mutex);
    ufh_drive(runtime, runtime);
}

/* Without its thread the runtime would do nothing any more, and nobody would learn why. */
static void abort_without_thread(void *argument)
{
    uf_flow const *const flow = ((uf_runtime *)argument)->pump.current;
    ufp_abort(flow ? flow->name : "none", "its step, or a callback, has ended the thread of the runtime");
}

int ufh_start_thread(uf_runtime *runtime)
{
    ufp_thread_options const options = {
        .stack_size = runtime->config.stack_size, .cpu = runtime->config.cpu, .ended_early = abort_without_thread};
    return ufp_thread_start(&runtime->thread, options, runtime_main, runtime);
}

void ufh_copy_name(char to[16], const char *from)
{
    size_t length = 0;
    for (; from[length] && length < 15; length++) to[length] = from[length];
    to[length] = '\0';
}

static uf_time read_monotonic(void *context)
{
    (void)context;
    return ufp_monotonic_now();
}

typedef uf_status add_observer(uf_pump *pump, uf_observer *observer);

static void add_observers(uf_runtime *runtime, add_observer *add)
{
    for (uf_observer *observer = add ? runtime->config.observers : NULL, *next; observer; observer = next) {
        next = observer->next;
        (void)add(&runtime->pump, observer);
    }
}

/* Returns an errno, and then has released what it had acquired. */
static int acquire(uf_runtime *runtime)
{
    int error = ufh_lock_init(&runtime->mutex, &runtime->changed);
    if (error) return error;
    error = ufh_lock_init(&runtime->sleep_mutex, &runtime->wakeup);
    if (error) goto no_sleep_mutex;
    error = ufp_mutex_init(&runtime->takeover);
    if (error) goto no_takeover;
    runtime->poller.keeps_watches = runtime->config.keep_watches;
    runtime->poller.keeps_fd = runtime->config.embedded;
    error = runtime->config.embedded ? ufp_poller_open(&runtime->poller) : ufh_start_thread(runtime);
    if (!error) return 0;

    ufp_mutex_destroy(&runtime->takeover);
no_takeover:
    ufh_lock_destroy(&runtime->sleep_mutex, &runtime->wakeup);
no_sleep_mutex:
    ufh_lock_destroy(&runtime->mutex, &runtime->changed);
    return error;
}

void ufh_release(uf_runtime *runtime)
{
    ufi_detach_store(&runtime->pump);
    ufh_close_descriptors(runtime);
    ufh_waiters_free(&runtime->waiters);
    ufp_mutex_destroy(&runtime->takeover);
    ufh_lock_destroy(&runtime->sleep_mutex, &runtime->wakeup);
    ufh_lock_destroy(&runtime->mutex, &runtime->changed);
    ufp_free(runtime->spare_post);
    ufp_free(runtime);
}

/* Copies the configuration and fills in the defaults. Returns false for a value that is out of range. */
static bool configure(uf_runtime *runtime, const uf_runtime_config *config)
{
    uf_runtime_config *const c = &runtime->config;

    if (config) *c = *config;
    if (c->job_grace < 0 || c->workers > UINT16_MAX) return false;
    ufh_copy_name(runtime->name, c->name ? c->name : "uflow");
    c->name = runtime->name;
    if (c->workers == 0) c->workers = 4;
    if (c->job_grace == 0) c->job_grace = UF_S(5);
    if (c->spin == 0) c->spin = UFH_DEFAULT_SPIN;
    if (!c->on_failure) c->on_failure = ufh_print_failure;

    uf_pump_config const pump = {
        .start = ufp_monotonic_now(),
        .stay_interval = c->stay_interval,
        .step_interval = c->step_interval,
        .monotonic = c->time_bodies || c->slow_step || c->slow_round ? read_monotonic : NULL,
        .slow_step = c->slow_step,
        .slow_round = c->slow_round,
        .slow_job = c->slow_job,
        .pre_round = ufh_run_hook,
        .context = runtime,
        .pool = c->pool,
        .jobs_per_flow = c->jobs_per_flow,
    };
    if (uf_pump_init(&runtime->pump, &pump) != UF_OK) return false;
    c->stay_interval = runtime->pump.config.stay_interval;
    c->jobs_per_flow = runtime->pump.config.jobs_per_flow;
    return true;
}

/* The members that a running runtime can change, each from the driving thread. */
static void take_changes(uf_runtime *runtime, const uf_runtime_config *from)
{
    uf_runtime_config *const c = &runtime->config;
    uf_pump_config *const p = &runtime->pump.config;

    p->stay_interval = c->stay_interval = from->stay_interval ? from->stay_interval : UFI_DEFAULT_STAY_INTERVAL;
    p->step_interval = c->step_interval = from->step_interval;
    p->slow_step = c->slow_step = from->slow_step;
    p->slow_round = c->slow_round = from->slow_round;
    p->slow_job = c->slow_job = from->slow_job;
    c->time_bodies = from->time_bodies;
    p->monotonic = c->time_bodies || c->slow_step || c->slow_round ? read_monotonic : NULL;
    c->jobs_per_flow = from->jobs_per_flow ? from->jobs_per_flow : UFI_DEFAULT_JOBS_PER_FLOW;
    ufp_store(&p->jobs_per_flow, c->jobs_per_flow); /* other threads ask whether it is 0 */
}

typedef struct changes {
    uf_runtime *runtime;
    const uf_runtime_config *config;
} changes;

static void configure_again(void *argument)
{
    changes const *const all = argument;
    take_changes(all->runtime, all->config);
}

uf_status uf_runtime_configure(uf_runtime *runtime, const uf_runtime_config *config)
{
    uf_runtime_config const defaults = {.name = NULL};
    uf_runtime_config const *const c = config ? config : &defaults;
    changes all = {.runtime = runtime, .config = c};

    if (!runtime || (c->stay_interval | c->step_interval | c->slow_step | c->slow_round | c->slow_job) < 0)
        return UF_INVALID;
    return ufh_run_on_driver(runtime, configure_again, &all);
}

/* Annotates the atomic members; see port_words.h. */
static void note_shared(const uf_runtime *runtime)
{
    ufp_note_shared(&runtime->pump.host, sizeof runtime->pump - offsetof(uf_pump, host));
    ufp_note_shared(&runtime->pump.observers, sizeof runtime->pump.observers);
    ufp_note_shared(&runtime->pump.current, sizeof runtime->pump.current);
    ufp_note_shared(&runtime->pump.running, sizeof runtime->pump.running);
    ufp_note_shared(&runtime->sleep, offsetof(uf_runtime, round_request) - offsetof(uf_runtime, sleep));
}

static uint32_t runtimes; /* atomic */

uf_status uf_runtime_new_observed(uf_runtime **to, const uf_runtime_config *config, add_observer *add)
{
    if (!to) return UF_INVALID;
    *to = NULL;

    uf_runtime *const runtime = ufp_allocate(sizeof *runtime);
    if (!runtime) return UF_NO_MEMORY;
    if (!configure(runtime, config)) {
        ufp_free(runtime);
        return UF_INVALID;
    }
    add_observers(runtime, add);
    note_shared(runtime);
    runtime->pump.host = &host;
    runtime->clock = runtime->pump.clock;
    ufh_waiters_init(&runtime->waiters);
    runtime->index = ufp_add_fetch_seq_cst(&runtimes, 1) - 1;
    runtime->driver = runtime;
    runtime->loop_thread = ufp_thread_self();
    runtime->has_poller = runtime->config.embedded;

    int const error = acquire(runtime);
    if (error) {
        ufi_close_pool(&runtime->pump);
        ufp_free(runtime);
        return ufh_system_error(error);
    }
    if (runtime->config.embedded) {
        ufh_add_loop(runtime);
        ufh_release_start(runtime);
    }
    if (runtime->config.environment) runtime->shown = runtime->config.environment->begin(runtime);
    *to = runtime;
    return UF_OK;
}

uf_pump *uf_runtime_pump(uf_runtime *runtime)
{
    return runtime ? &runtime->pump : NULL;
}

const uf_runtime_config *uf_runtime_configuration(const uf_runtime *runtime)
{
    return runtime ? &runtime->config : NULL;
}

uint32_t uf_runtime_index(const uf_runtime *runtime)
{
    return runtime ? runtime->index : 0;
}

uint32_t uf_runtime_driver_index(uf_runtime *runtime)
{
    if (!runtime) return 0;
    ufp_mutex_lock(&runtime->mutex); /* which keeps the driver from being freed */
    uf_runtime const *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    uint32_t const index = driver->index;
    ufp_mutex_unlock(&runtime->mutex);
    return index;
}

bool uf_runtime_is_own_thread(const uf_runtime *runtime)
{
    return runtime && ufi_on_pump_thread(&runtime->pump);
}

uf_status ufh_system_error(int error)
{
    ufp_set_error(error);
    return UF_NO_THREAD;
}

bool ufh_on_driver_thread(uf_runtime *runtime)
{
    if (ufi_on_pump_thread(&runtime->pump)) return true;
    ufp_mutex_lock(&runtime->mutex); /* which keeps the driver from being freed */
    uf_runtime const *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    bool const own = driver->config.embedded && ufp_load_pointer_seq_cst(&driver->loop_thread) == ufp_thread_self();
    ufp_mutex_unlock(&runtime->mutex);
    return own;
}

/* -- the pool of a runtime --------------------------------------------------------------------------------------- */

const char *ufp_make_pool(uf_pump *pump)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);
    uf_pool_config const config = {
        .name = runtime->name,
        .workers = runtime->config.workers,
        .stack_size = runtime->config.stack_size,
        .spin = runtime->config.spin,
    };
    uf_pool *pool;

    uf_status const status = uf_pool_new(&pool, &config);
    if (status == UF_NO_MEMORY) return UFI_REJECTED_AS "no memory"; /* the next submit tries again */
    if (status == UF_NO_THREAD) return UFI_REJECTED_AS "no thread";
    if (status != UF_OK) return UFI_REJECTED_AS "invalid";
    runtime->free_pool = uf_pool_free;
    ufp_store_pointer_seq_cst(&runtime->own_pool, pool);
    ufi_open_pool(pump, pool);
    return NULL;
}

void ufh_free_own_pool(uf_runtime *runtime, uf_time grace)
{
    if (runtime->own_pool) (void)runtime->free_pool(runtime->own_pool, grace);
    ufp_store_pointer_seq_cst(&runtime->own_pool, NULL);
}

bool ufh_in_own_pool(uf_runtime *runtime)
{
    uf_work const *const work = *ufp_thread_slot();
    return work && work->pool == ufp_load_pointer_seq_cst(&runtime->own_pool);
}

bool ufh_in_job_of(const uf_runtime *runtime)
{
    uf_work const *const work = *ufp_thread_slot();
    return work && work->pump == &runtime->pump;
}
