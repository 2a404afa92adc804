/* look.c - what a flow is asked: how it stands, by its own pump and by any other thread.
 *
 * Texts that change are read and written between ufp_enter() and ufp_leave(); everything else is words. */
#include "core.h"

static char *description_buffer(const uf_flow *flow)
{
    return flow->type->description_offset ? (char *)(uintptr_t)flow + flow->type->description_offset : NULL;
}

static void copy_text(char *to, const char *from)
{
    while ((*to++ = *from++) != '\0') {}
}

void uf_describe(uf_flow *flow, const char *format, ...)
{
    char *const buffer = description_buffer(flow);
    char text[UF_DESCRIPTION_SIZE];
    va_list arguments;

    if (!buffer || !uf_flow_running(flow)) return;
    va_start(arguments, format);
    size_t const length = ufi_format(text, sizeof text, format, arguments);
    va_end(arguments);
    ufp_enter();
    memcpy(buffer, text, length + 1);
    ufp_leave();
    ufi_flag_set(flow, UFI_DESCRIBED);
}

const char *ufi_keep_description(const uf_flow *flow, char *buffer)
{
    copy_text(buffer, uf_flow_description(flow));
    return buffer;
}

void ufi_clear_description(uf_flow *flow)
{
    ufp_enter();
    *description_buffer(flow) = '\0';
    ufp_leave();
    ufi_flag_clear(flow, UFI_DESCRIBED);
}

/* -- introspection ------------------------------------------------------------------------------------------------- */

bool uf_flow_running(const uf_flow *flow)
{
    return !(ufp_load_acquire(&flow->state) & UF_STATE_IDLE);
}

uf_outcome uf_flow_outcome(const uf_flow *flow)
{
    return uf_flow_running(flow) ? UF_RUNNING : (uf_outcome)ufp_load_byte(&flow->outcome);
}

/* While a flow is claimed and no more, its last run is over and the next one is not there yet. */
uf_outcome uf_run_outcome(uf_run run)
{
    if (!run.flow) return UF_NEVER_RAN;
    uint32_t const state = ufp_load_acquire(&run.flow->state);
    bool const over = state & UF_STATE_IDLE || state == UFI_CLAIMED_ONLY;
    uf_outcome const outcome = over ? (uf_outcome)ufp_load_byte(&run.flow->outcome) : UF_RUNNING;
    return ufp_load(&run.flow->run) == run.number ? outcome : UF_NEVER_RAN;
}

static const char *reason_of(const uf_flow *flow, uf_outcome outcome)
{
    char const *const buffer = ufi_reason_buffer(flow);

    if (outcome == UF_CANCELLED) return "cancelled";
    return outcome == UF_FAILED && buffer ? buffer : "";
}

const char *uf_flow_reason(const uf_flow *flow)
{
    return reason_of(flow, uf_flow_outcome(flow));
}

void ufi_copy_reason(const uf_flow *flow, uf_outcome outcome, char *reason)
{
    ufp_enter();
    copy_text(reason, reason_of(flow, outcome));
    ufp_leave();
}

bool uf_done_in(const uf_flow *flow, uint16_t task)
{
    uint32_t const state = ufp_load_acquire(&flow->state);
    return state & UF_STATE_IDLE && ufp_load_byte(&flow->outcome) == UF_DONE &&
           ufi_step_of(flow, ufi_plain(state))->task == task;
}

const char *uf_flow_name(const uf_flow *flow)
{
    return flow->name;
}

static const uf_flow *parent_of(const uf_flow *flow)
{
    return flow->parent_offset ? (const uf_flow *)((uintptr_t)flow - flow->parent_offset) : NULL;
}

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

size_t uf_flow_path(const uf_flow *flow, char *buffer, size_t size)
{
    size_t length = length_of(flow->name);
    for (const uf_flow *at = parent_of(flow); at; at = parent_of(at)) length += length_of(at->name) + 1;

    size_t end = length; /* written from the back: the way up is the only one there is */
    for (const uf_flow *at = flow; at; at = parent_of(at)) {
        size_t const own = length_of(at->name);
        for (size_t i = 0; i < own; i++) {
            if (end - own + i + 1 < size) buffer[end - own + i] = at->name[i];
        }
        end -= own;
        if (end > 0 && --end + 1 < size) buffer[end] = '.';
    }
    if (size) buffer[length < size ? length : size - 1] = '\0';
    return length;
}

/* The state in which a flow that runs has a step; false: it has none. */
static bool step_state(const uf_flow *flow, uint32_t *state)
{
    uint32_t const now = ufp_load_acquire(&flow->state);

    if (now & UF_STATE_IDLE || now == UFI_CLAIMED_ONLY) return false;
    *state = ufi_plain(now);
    return true;
}

const char *uf_flow_task(const uf_flow *flow)
{
    uint32_t state;
    return step_state(flow, &state) ? ufi_task_name(flow, state) : "";
}

const char *uf_flow_step(const uf_flow *flow)
{
    uint32_t state;
    return step_state(flow, &state) ? ufi_step_of(flow, state)->name : "";
}

uint32_t uf_flow_line(const uf_flow *flow)
{
    uint32_t state;
    return step_state(flow, &state) ? ufi_step_of(flow, state)->line : 0;
}

int64_t uf_flow_ordinal(const uf_flow *flow)
{
    return uf_flow_running(flow) ? (int64_t)(ufp_load(&flow->ordinal) & ~UFI_CHANGING) : -1;
}

const char *uf_flow_description(const uf_flow *flow)
{
    return uf_flow_running(flow) && flow->flags & UFI_DESCRIBED ? description_buffer(flow) : "";
}

uf_time uf_flow_step_elapsed(const uf_flow *flow)
{
    uf_pump const *const pump = flow->pump;

    if (!uf_flow_running(flow)) return 0;
    if (ufi_here(pump)) return ufi_time_sub(ufi_now(flow), flow->entered);
    uf_flow_view view;
    uf_flow_look(flow, &view);
    return view.elapsed;
}

uf_run uf_flow_this_run(uf_flow *flow)
{
    return (uf_run){.flow = flow, .number = ufp_load(&flow->run)};
}

/* -- all of it at one moment --------------------------------------------------------------------------------------- */

/* The words are read one by one; what was read counts if the flow had the same ordinal, run and state before and after,
 * and was not changing its step. */
static bool look(const uf_flow *flow, uf_flow_view *view, uf_time *entered)
{
    uint32_t const ordinal = ufp_load_acquire(&flow->ordinal);
    uint32_t const state = ufp_load_acquire(&flow->state);
    char const *const description = description_buffer(flow);

    view->run = ufp_load_acquire(&flow->run);
    *entered = ufp_load_time(&flow->entered);
    view->running = !(state & UF_STATE_IDLE);
    view->outcome = view->running ? UF_RUNNING : (uf_outcome)ufp_load_byte(&flow->outcome);
    view->task = view->step = "";
    view->line = 0;
    view->ordinal = -1;
    if (view->running && state != UFI_CLAIMED_ONLY) {
        view->ordinal = (int64_t)ordinal;
        uf_step_info const *const step = ufi_step_of(flow, ufi_plain(state));
        view->task = flow->type->tasks[step->task].name;
        view->step = step->name;
        view->line = step->line;
    }
    if (state & (UF_STATE_IDLE | UF_STATE_CLAIMED)) *entered = UF_FOREVER;
    ufp_enter();
    copy_text(view->description, view->running && description ? description : "");
    copy_text(view->reason, reason_of(flow, view->outcome));
    ufp_leave();
    return !(ordinal & UFI_CHANGING) && ordinal == ufp_load_acquire(&flow->ordinal) &&
           state == ufp_load_acquire(&flow->state) && view->run == ufp_load(&flow->run);
}

void uf_flow_look(const uf_flow *flow, uf_flow_view *view)
{
    uf_pump const *const pump = flow->pump;
    uf_time entered;

    while (!look(flow, view, &entered)) ufp_relax();
    uf_time const now = !pump ? entered : ufi_here(pump) ? pump->clock.logical : pump->host->now(pump);
    view->elapsed = now > entered ? ufi_time_sub(now, entered) : 0;
}
