#ifndef FLOWS_IN_EV_H
#define FLOWS_IN_EV_H

#include <ev.h>
#include <stdio.h>

#include "uflow/runtime.h"

typedef struct flows_in_ev {
    ev_io bell;
    ev_timer timer;
    ev_prepare prepare;
    uf_runtime *runtime;
} flows_in_ev;

/* The program polls wrongly if this fails: in a step, or a runtime that is not for an external loop. */
static inline void flows_in_ev_poll(struct ev_loop *loop, uf_runtime *runtime)
{
    uf_status const status = uf_runtime_poll(runtime);
    if (status == UF_OK) return;
    fprintf(stderr, "uf_runtime_poll: %s\n", uf_status_text(status));
    ev_break(loop, EVBREAK_ALL);
}

static inline void flows_in_ev_on_bell(struct ev_loop *loop, ev_io *bell, int events)
{
    (void)events;
    flows_in_ev_poll(loop, bell->data);
}

static inline void flows_in_ev_on_timer(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)events;
    flows_in_ev_poll(loop, timer->data);
}

static inline void flows_in_ev_before_wait(struct ev_loop *loop, ev_prepare *prepare, int events)
{
    flows_in_ev *const flows = prepare->data;
    int const ms = uf_runtime_poll_timeout(flows->runtime);
    (void)events;
    ev_timer_stop(loop, &flows->timer);
    ev_timer_set(&flows->timer, ms / 1e3, 0.);
    if (ms >= 0) ev_timer_start(loop, &flows->timer);
}

static inline void flows_in_ev_start(struct ev_loop *loop, flows_in_ev *flows)
{
    ev_io_init(&flows->bell, flows_in_ev_on_bell, uf_runtime_fd(flows->runtime), EV_READ);
    ev_timer_init(&flows->timer, flows_in_ev_on_timer, 0., 0.);
    ev_prepare_init(&flows->prepare, flows_in_ev_before_wait);
    flows->bell.data = flows->timer.data = flows->runtime;
    flows->prepare.data = flows;
    ev_io_start(loop, &flows->bell);
    ev_prepare_start(loop, &flows->prepare);
}

/* Call it before uf_runtime_free(): the watchers use the runtime. */
static inline void flows_in_ev_stop(struct ev_loop *loop, flows_in_ev *flows)
{
    ev_io_stop(loop, &flows->bell);
    ev_timer_stop(loop, &flows->timer);
    ev_prepare_stop(loop, &flows->prepare);
}

#endif
