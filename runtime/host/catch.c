/* SPDX-License-Identifier: MIT */
/* catch.c - signals of the system that fire signals of flows.
 *
 * A handler interrupts its thread between any two instructions, so it takes no lock. It stores that its signal came,
 * and notifies a thread of the process. That thread sends a message to the runtime that has caught the signal, whose
 * thread fires. All that a handler touches is static, so nobody has to wait for one that still runs. */
#include "host.h"

#include <errno.h>

typedef struct caught {
    uf_message message; /* first */
    uf_runtime *runtime;
    uf_signal *signal;
    int number;
    /* In the critical section of `catches`. */
    bool under_way; /* `message` is being sent, or is in the inbox: its delivery frees what is over */
    bool is_over;
} caught;

static UFP_OF_PROCESS caught *catches[UFP_SIGNALS];  /* by number; in their critical section */
static UFP_OF_PROCESS uint32_t arrived[UFP_SIGNALS]; /* atomic: the dispatcher has not seen it */
/* atomic: in ms, never 0; 0: the runtime has fired for all that came */
static UFP_OF_PROCESS uint32_t came_at[UFP_SIGNALS];
static UFP_OF_PROCESS ufp_poller dispatcher; /* never closed: a handler may still notify it */
static UFP_OF_PROCESS ufp_thread dispatcher_thread;

enum { NO_DISPATCHER, STARTING, RUNNING };
static UFP_OF_PROCESS uint32_t dispatcher_state; /* atomic */

/* A second Ctrl-C of the user comes later than a copy of the first, as `timeout -s INT` sends it. */
#define COPIES_WITHIN_MS 100

static void note_arrival(int number)
{
    uint32_t const now = (uint32_t)(ufp_monotonic_now() / UF_MS(1)) | 1, first = ufp_load_seq_cst(&came_at[number]);

    if (first && ufp_is_interrupt(number) && now - first > COPIES_WITHIN_MS) ufp_end_by_signal(number);
    if (!ufp_compare_exchange_seq_cst(&came_at[number], 0, now)) return; /* it fires with the one before */
    ufp_store_seq_cst(&arrived[number], 1);
    ufp_notifier_notify(&dispatcher.notifier);
}

static void handle(int number)
{
    int kept;

    if (!ufp_handler_enter(number, &kept)) return;
    note_arrival(number);
    ufp_handler_leave(kept);
}

/* -- the dispatcher, a thread of the process --------------------------------------------------------------------- */

/* On the driving thread. What comes from here on fires again. */
static void fire(uf_pump *pump, uf_message *message)
{
    caught *const c = (caught *)(void *)message;
    (void)pump;

    ufp_critical_enter(catches);
    c->under_way = false;
    ufp_critical_leave(catches);
    if (c->is_over) {
        ufp_free(c);
        return;
    }
    ufp_store_seq_cst(&came_at[c->number], 0);
    (void)uf_signal_fire(c->signal);
}

/* A signal that comes before the message is delivered fires with it. */
static void dispatch(int number)
{
    ufp_critical_enter(catches);
    caught *const c = catches[number];
    bool const is_sent = c && !c->under_way;
    if (is_sent) c->under_way = true;
    if (is_sent) ufi_pump_pin(&c->runtime->pump);
    if (!c) ufp_store_seq_cst(&came_at[number], 0); /* its handler was interrupted by the end of the catch */
    ufp_critical_leave(catches);
    if (!is_sent) return;
    uf_pump *const pump = &c->runtime->pump;
    ufh_send(pump, &c->message, fire);
    ufi_pump_unpin(pump);
}

static void dispatch_arrivals(void *unused)
{
    ufp_event event;

    (void)unused;
    ufp_thread_name("uflow signals");
    for (;;) {
        ufp_poller_wait(&dispatcher, UF_FOREVER);
        while (ufp_poller_take(&dispatcher, &event)) {}
        for (int i = 0; i < UFP_SIGNALS; i++)
            if (ufp_exchange_seq_cst(&arrived[i], 0)) dispatch(i);
    }
}

/* Returns: an errno. */
static int start_dispatcher(void)
{
    int error = ufp_poller_open(&dispatcher);
    if (error) return error;
    error = ufp_thread_start(&dispatcher_thread, (ufp_thread_options){.stack_size = 0}, dispatch_arrivals, NULL);
    if (error) ufp_poller_close(&dispatcher);
    else ufp_thread_detach(&dispatcher_thread);
    return error;
}

static int ensure_dispatcher(void)
{
    while (!ufp_compare_exchange_seq_cst(&dispatcher_state, NO_DISPATCHER, STARTING)) {
        if (ufp_load_seq_cst(&dispatcher_state) == RUNNING) return 0;
        ufp_spin_pause(); /* another thread starts it */
    }
    int const error = start_dispatcher();
    ufp_store_seq_cst(&dispatcher_state, error ? NO_DISPATCHER : RUNNING);
    return error;
}

/* -- catching, on the driving thread: calls for one runtime follow each other -------------------------------------- */

typedef struct request {
    uf_runtime *runtime;
    uf_signal *signal;
    int number;
    uf_status status;
} request;

/* Returns: false if the signal is caught already. */
static bool claim(caught *c)
{
    ufp_critical_enter(catches);
    bool const is_free = !catches[c->number];
    if (is_free) catches[c->number] = c;
    ufp_critical_leave(catches);
    return is_free;
}

/* In the critical section that ends the catch: what comes later belongs to the next one. */
static void forget_arrivals(int number)
{
    ufp_store_seq_cst(&arrived[number], 0);
    ufp_store_seq_cst(&came_at[number], 0);
}

/* Returns: true if the runtime had caught the signal. */
static bool release(uf_runtime *runtime, int number)
{
    ufp_critical_enter(catches);
    caught *const c = catches[number] && catches[number]->runtime == runtime ? catches[number] : NULL;
    if (c) {
        catches[number] = NULL;
        c->is_over = true;
        forget_arrivals(number);
    }
    bool const under_way = c && c->under_way;
    ufp_critical_leave(catches);
    if (!under_way) ufp_free(c);
    return c != NULL;
}

static bool has_caught(const uf_runtime *runtime, int number)
{
    ufp_critical_enter(catches);
    bool const has = catches[number] && catches[number]->runtime == runtime;
    ufp_critical_leave(catches);
    return has;
}

static void uncatch(void *argument)
{
    request *const r = argument;

    r->status = has_caught(r->runtime, r->number) ? UF_OK : UF_INVALID;
    if (r->status != UF_OK) return;
    ufp_uncatch(r->number);
    (void)release(r->runtime, r->number);
}

static void uncatch_all(void *runtime)
{
    for (int i = 0; i < UFP_SIGNALS; i++) uncatch(&(request){.runtime = runtime, .number = i});
}

static void catch (void *argument)
{
    request *const r = argument;
    caught *const c = ufp_allocate(sizeof *c);

    r->status = c ? UF_BUSY : UF_NO_MEMORY;
    if (!c) return;
    *c = (caught){.runtime = r->runtime, .signal = r->signal, .number = r->number};
    if (!claim(c)) {
        ufp_free(c);
        return;
    }
    r->runtime->uncatch_all = uncatch_all;
    int const error = ensure_dispatcher(), refused = error ? 0 : ufp_catch(r->number, handle);
    r->status = UF_OK;
    if (error) r->status = ufh_system_error(error);
    if (refused) r->status = refused == ENOSYS ? UF_UNSUPPORTED : UF_INVALID;
    if (r->status != UF_OK) (void)release(r->runtime, r->number);
}

static uf_status run_request(void (*function)(void *argument), request r)
{
    if (!r.runtime || r.number <= 0 || r.number >= UFP_SIGNALS) return UF_INVALID;
    uf_status const status = ufh_run_on_driver(r.runtime, function, &r);
    return status == UF_OK ? r.status : status;
}

uf_status uf_runtime_catch(uf_runtime *runtime, int number, uf_signal *signal)
{
    if (!signal) return UF_INVALID;
    return run_request(catch, (request){.runtime = runtime, .signal = signal, .number = number});
}

uf_status uf_runtime_uncatch(uf_runtime *runtime, int number)
{
    return run_request(uncatch, (request){.runtime = runtime, .number = number});
}
