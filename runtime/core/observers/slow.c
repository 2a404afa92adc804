/* SPDX-License-Identifier: MIT */
/* slow.c - durations of steps and rounds, and the events for slow ones. Slow jobs are in job.c.
 *
 * Nothing here is called without observers, so other programs do not read the clock. */
#include "observers/observers.h"
#include "runs/runs.h"

/* -- rounds ------------------------------------------------------------------------------------------------------- */

static bool is_time_needed(const uf_pump *pump)
{
    if (UFI_SETTING(OBSERVERS, pump->config, slow_round)) return true;
    for (const uf_observer *observer = pump->observers; observer; observer = observer->next) {
        if (observer->round_ran) return true;
    }
    return false;
}

void ufi_measure_round(uf_pump *pump)
{
    if (!is_time_needed(pump)) return;
    pump->measured = true;
    pump->slow = (uf_slow_round){.task = "", .step = "", .file = "", .caller = ""};
    pump->round_began = uf_pump_real_now(pump);
}

void ufi_round_measured(uf_pump *pump)
{
    pump->measured = false;
    pump->slow.number = pump->round;
    pump->slow.took = ufi_time_sub(uf_pump_real_now(pump), pump->round_began);
    /* Did it do anything? A turn sets `task`, unless a post took longer. A cancel runs no body, but sets `advanced`. */
    if (pump->slow.task[0] || pump->slow.posts || pump->advanced) pump->notify->round_ran(pump);
    if (UFI_SETTING(OBSERVERS, pump->config, slow_round) &&
        pump->slow.took > UFI_SETTING(OBSERVERS, pump->config, slow_round))
        pump->notify->slow_round(pump);
}

void ufi_measure_post(uf_pump *pump, const uf_post_event *post, uf_time took)
{
    uf_slow_round *const slow = &pump->slow;

    slow->posts++;
    if (took <= slow->longest) return;
    slow->longest = took;
    slow->flow = NULL;
    slow->task = slow->step = "";
    slow->file = post->file;
    slow->line = post->line;
    slow->caller = post->caller;
}

static void add_turn(uf_slow_round *slow, const uf_flow *flow, const uf_slow_step *step)
{
    slow->steps = uf_time_add(slow->steps, step->took);
    if (step->took <= slow->longest && slow->longest > 0) return;
    slow->longest = step->took;
    slow->flow = flow;
    slow->task = step->task;
    slow->step = step->step;
    slow->file = slow->caller = "";
    slow->line = 0;
}

/* -- steps -------------------------------------------------------------------------------------------------------- */

uf_intent ufi_timed_turn(uf_pump *pump, uf_flow *flow, uint32_t state)
{
    uf_time const began = uf_pump_real_now(pump), limit = UFI_SETTING(OBSERVERS, pump->config, slow_step);

    ufp_store(&pump->body_began, (uint32_t)(began / UF_MS(1)) | 1); /* one word for other threads; never 0 */
    uf_intent const intent = ufi_run(flow, state);
    ufp_store(&pump->body_began, 0);

    uf_step_info const *const step = ufi_step_of(flow, state);
    uf_slow_step const ran = {
        .task = ufi_task_of_step(flow, step),
        .step = ufi_name_of_step(step),
        .line = ufi_line_of_step(step),
        .took = ufi_time_sub(uf_pump_real_now(pump), began),
    };
    bool const whole = !ufi_is_wait(state);
    if (whole) pump->notify->body_ran(flow, state, ran.took);
    if (limit && ran.took > limit && !(flow->flags & UFI_FAILING)) pump->notify->slow_step(flow, &ran);
    if (pump->measured) {
        pump->slow.turns += whole;
        add_turn(&pump->slow, flow, &ran);
    }
    return intent;
}
