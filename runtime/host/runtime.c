/* runtime.c - a runtime's life. */
#include "host.h"

#include "work.h"

static void note_left(uf_pump *pump)
{
    uf_runtime *const runtime = ufh_of(pump);
    ufp_mutex_lock(&runtime->nap);
    runtime->left = true;
    ufp_condition_signal(&runtime->wakeup);
    ufp_mutex_unlock(&runtime->nap);
}

/* A runtime that drives others is not freed while it does, which it is told in there as well. */
static bool is_own(const uf_pump *pump)
{
    uf_runtime const *const driver = ufp_load_pointer_seq_cst(&ufh_of(pump)->driver);
    return driver->config.embedded && ufp_load_pointer_seq_cst(&driver->home) == ufp_thread_self();
}

static const struct ufi_host host = {
    .wake = ufh_wake,
    .asleep = ufh_asleep,
    .ended = ufh_ended,
    .review = ufh_review,
    .cancel = ufh_cancel,
    .detach = ufh_detach,
    .call = ufh_call,
    .forget = ufh_forget,
    .watch = ufh_watch,
    .unwatch = ufh_unwatch,
    .error_text = ufp_error_text,
    .left = note_left,
    .now = ufh_now,
    .take_clock = ufh_begin_change,
    .give_clock = ufh_end_change,
    .own = is_own,
    .real = ufp_monotonic_now,
    .make_pool = ufh_make_pool,
};

static void run_thread(void *argument)
{
    uf_runtime *const runtime = argument;
    ufp_thread_name(runtime->name);
    ufp_mutex_lock(&runtime->nap);
    while (runtime->held || ufp_load_pointer_seq_cst(&runtime->driver) != runtime) {
        (void)ufp_condition_wait(&runtime->wakeup, &runtime->nap, UF_FOREVER);
    }
    ufp_mutex_unlock(&runtime->nap);
    ufh_loop(runtime, runtime);
}

int ufh_start_thread(uf_runtime *runtime)
{
    return ufp_thread_start(&runtime->thread, runtime->config.stack_size, run_thread, runtime);
}

static void copy_name(char to[16], const char *from)
{
    size_t length = 0;
    for (; from[length] && length < 15; length++) to[length] = from[length];
    to[length] = '\0';
}

static uint32_t next_index(void)
{
    static uint32_t count;
    return ufp_add_fetch_seq_cst(&count, 1) - 1;
}

static uf_time monotonic(void *runtime)
{
    (void)runtime;
    return ufp_monotonic_now();
}

static void add_observers(uf_runtime *runtime)
{
    for (uf_observer *observer = runtime->config.observers, *next; observer; observer = next) {
        next = observer->next;
        (void)uf_pump_add_observer(&runtime->pump, observer);
    }
}

/* Acquires in this order, and gives back what it has if one is not to be had: the errno. */
static int acquire(uf_runtime *runtime)
{
    int error = ufp_mutex_init(&runtime->mutex);
    if (error) return error;
    error = ufp_mutex_init(&runtime->nap);
    if (error) goto no_nap;
    error = ufp_mutex_init(&runtime->hands);
    if (error) goto no_hands;
    error = ufp_condition_init(&runtime->wakeup);
    if (error) goto no_wakeup;
    error = ufp_condition_init(&runtime->gone);
    if (error) goto no_gone;
    error = runtime->config.embedded ? ufp_poller_open(&runtime->poller) : ufh_start_thread(runtime);
    if (!error) return 0;

    ufp_condition_destroy(&runtime->gone);
no_gone:
    ufp_condition_destroy(&runtime->wakeup);
no_wakeup:
    ufp_mutex_destroy(&runtime->hands);
no_hands:
    ufp_mutex_destroy(&runtime->nap);
no_nap:
    ufp_mutex_destroy(&runtime->mutex);
    return error;
}

void ufh_release(uf_runtime *runtime)
{
    ufh_close_descriptors(runtime);
    ufp_condition_destroy(&runtime->gone);
    ufp_condition_destroy(&runtime->wakeup);
    ufp_mutex_destroy(&runtime->hands);
    ufp_mutex_destroy(&runtime->nap);
    ufp_mutex_destroy(&runtime->mutex);
    ufp_free(runtime);
}

uf_status uf_runtime_new(uf_runtime **to, const uf_runtime_config *config)
{
    if (!to) return UF_INVALID;
    *to = NULL;

    uf_runtime *const runtime = ufp_allocate(sizeof *runtime);
    if (!runtime) return UF_NO_MEMORY;
    if (config) runtime->config = *config;
    uf_runtime_config *const c = &runtime->config;
    if (c->job_grace < 0 || c->workers > UINT16_MAX) {
        ufp_free(runtime);
        return UF_INVALID;
    }
    copy_name(runtime->name, c->name ? c->name : "uflow");
    c->name = runtime->name;
    if (c->workers == 0) c->workers = 4;
    if (c->job_grace == 0) c->job_grace = UF_S(5);

    uf_pump_config const pump = {
        .start = ufp_monotonic_now(),
        .stay_interval = c->stay_interval,
        .step_interval = c->step_interval,
        .monotonic = c->time_bodies || c->slow_step || c->slow_round ? monotonic : NULL,
        .slow_step = c->slow_step,
        .slow_round = c->slow_round,
        .slow_job = c->slow_job,
        .pre_round = ufh_run_hook,
        .context = runtime,
        .pool = c->pool,
        .jobs_per_flow = c->jobs_per_flow,
    };
    if (uf_pump_init(&runtime->pump, &pump) != UF_OK) {
        ufp_free(runtime);
        return UF_INVALID;
    }
    c->stay_interval = runtime->pump.config.stay_interval;
    c->jobs_per_flow = runtime->pump.config.jobs_per_flow;
    add_observers(runtime);
    ufp_note_shared(&runtime->pump.host, sizeof runtime->pump - offsetof(uf_pump, host));
    ufp_note_shared(&runtime->pump.current, sizeof runtime->pump.current);
    ufp_note_shared(&runtime->pump.running, sizeof runtime->pump.running);
    ufp_note_shared(&runtime->asleep, offsetof(uf_runtime, review) - offsetof(uf_runtime, asleep));
    runtime->pump.host = &host;
    runtime->clock = runtime->pump.clock;
    runtime->index = next_index();
    runtime->driver = runtime;
    runtime->home = ufp_thread_self();
    runtime->polls = c->embedded;

    int const error = acquire(runtime);
    if (error) {
        ufi_close_pool(&runtime->pump);
        ufp_free(runtime);
        ufp_set_error(error);
        return UF_NO_THREAD;
    }
    ufi_pump_register(&runtime->pump);
    if (c->embedded) ufh_let_begin(runtime);
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

bool uf_runtime_is_own_thread(const uf_runtime *runtime)
{
    return runtime && ufi_on_pump_thread(&runtime->pump);
}

bool ufh_is_own(uf_runtime *runtime)
{
    if (ufi_on_pump_thread(&runtime->pump)) return true;
    ufp_mutex_lock(&runtime->mutex); /* so that its driver does not let go of it meanwhile */
    uf_runtime *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    bool const own = driver->config.embedded && ufp_load_pointer_seq_cst(&driver->home) == ufp_thread_self();
    ufp_mutex_unlock(&runtime->mutex);
    return own;
}
