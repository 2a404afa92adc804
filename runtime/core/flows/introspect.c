/* SPDX-License-Identifier: MIT */
/* introspect.c - queries of a flow, by its own pump and by any other thread.
 *
 * Each flow publishes its words under a seqlock, and each pump the texts of all its flows under another one. So the
 * pump's thread never waits for a reader. */
#include "basics/clocks.h"
#include "basics/format.h"
#include "flows/flows.h"

#include "uflow/pause.h"
#include "uflow/store.h"

static char *description_buffer(const uf_flow *flow)
{
    return UF_USES_DESCRIPTIONS && flow->type->description_offset
               ? (char *)(uintptr_t)flow + flow->type->description_offset
               : NULL;
}

static void copy_text(char *to, const char *from)
{
    while ((*to++ = *from++) != '\0') {}
}

/* Each store has release order: a reader that sees a byte of this text also sees that `texts` was odd. */
void ufi_publish_text(uf_pump *pump, char *buffer, const char *text)
{
    uint32_t const before = UF_USES_NAMES ? ufp_load(&pump->texts) : 0;

    if (UF_USES_NAMES) ufp_store(&pump->texts, before + 1);
    do ufp_store_byte_release((uint8_t *)buffer++, (uint8_t)*text);
    while (*text++);
    if (UF_USES_NAMES) ufp_store_release(&pump->texts, before + 2);
}

/* A text that is being written may have no end. Each load has acquire order. */
static void read_text(char *to, const char *from, size_t size)
{
    size_t length = 0;

    ufp_note_shared(from, size);
    while (length + 1 < size && (to[length] = (char)ufp_load_byte_acquire((const uint8_t *)from + length)) != '\0') {
        length++;
    }
    to[length] = '\0';
}

static bool may_describe(const uf_flow *flow)
{
    return description_buffer(flow) && !(ufp_load(&flow->state) & UF_STATE_IDLE);
}

static void describe(uf_flow *flow, const char *text)
{
    ufi_publish_text(flow->pump, description_buffer(flow), text);
    ufi_flag_set(flow, UFI_DESCRIBED);
}

/* Each of these functions links the conversions that it knows. */
#define DESCRIBE_BY(name, conversions)                                                                                 \
    void name(uf_flow *flow, const char *format, ...)                                                                  \
    {                                                                                                                  \
        char text[UF_DESCRIPTION_SIZE];                                                                                \
        va_list arguments;                                                                                             \
                                                                                                                       \
        if (!may_describe(flow)) return;                                                                               \
        va_start(arguments, format);                                                                                   \
        ufi_format(text, sizeof text, conversions, format, arguments);                                                 \
        va_end(arguments);                                                                                             \
        describe(flow, text);                                                                                          \
    }
DESCRIBE_BY(uf_describe_simple, UFI_SIMPLE)
DESCRIBE_BY(uf_describe, UFI_INTEGERS)
#if !defined(UF_NO_FLOAT)
DESCRIBE_BY(uf_describe_real, UFI_ALL)
#endif

uf_status uf_flow_describe(uf_flow *flow, const char *format, ...)
{
    uf_pump *const pump = uf_flow_pump(flow);
    char text[UF_DESCRIPTION_SIZE];
    va_list arguments;

    if (!pump || !ufi_on_pump_thread(pump) || !description_buffer(flow)) return UF_INVALID;
    if (!may_describe(flow)) return UF_STALE;
    va_start(arguments, format);
    (void)ufi_format(text, sizeof text, UFI_ALL, format, arguments);
    va_end(arguments);
    describe(flow, text);
    return UF_OK;
}

void uf_describe_text(uf_flow *flow, const char *description)
{
    char text[UF_DESCRIPTION_SIZE];

    if (!may_describe(flow)) return;
    (void)ufi_join(text, sizeof text, UFI_PARTS(description));
    describe(flow, text);
}

const char *ufi_copy_description(const uf_flow *flow, char *buffer)
{
    copy_text(buffer, uf_flow_description(flow));
    return buffer;
}

void ufi_clear_description(uf_flow *flow)
{
    char *const buffer = description_buffer(flow);

    if (UFI_MANY_THREADS) ufi_publish_text(flow->pump, buffer, "");
    else *buffer = '\0';
    ufi_flag_clear(flow, UFI_DESCRIBED);
}

/* -- introspection ------------------------------------------------------------------------------------------------- */

/* The words of a flow at one moment. */
typedef struct snapshot {
    uint32_t ordinal, state, run;
    uf_outcome outcome; /* of the last run */
    uf_time entered;
} snapshot;

/* The reader of the seqlock. The mark UFI_CHANGING is set while the writer changes the words. There is no separate
 * sequence number: `run` and `ordinal` together never repeat. Each load is an acquire, so the loads keep this order.
 *
 * load_snapshot() loads the run before the mark. If the mark is clear, that run has begun. So the ordinal, loaded
 * later, is not one of an earlier run, which could repeat in this one.
 *
 * is_consistent() tests the mark first. If it is clear, all values loaded before are older than any change, or the
 * change is complete and shows in another value. The time of entry is compared too, since a 64-bit load may be torn.
 * The outcome is not: it changes only in a later run.
 *
 * Returns: false if the words are changing. */
static bool load_snapshot(const uf_flow *flow, snapshot *now)
{
    if (UF_USES_TIMES) now->run = ufp_load_acquire(&flow->run);
    if (UF_USES_TIMES && ufp_load_acquire(&flow->ticks) & UFI_CHANGING) return false;
    if (UF_USES_TIMES) now->ordinal = ufp_load_acquire(&flow->ordinal);
    now->state = ufp_load_acquire(&flow->state);
    now->outcome = (uf_outcome)ufp_load_byte_acquire(&flow->outcome);
    if (UF_USES_TIMES) now->entered = ufp_load_time_acquire(&flow->entered);
    return true;
}

/* Do the snapshot, and all values that were read after it, belong to one moment? */
static bool is_consistent(const uf_flow *flow, const snapshot *now)
{
    if (!UFI_MANY_THREADS) return true;
    if (!UF_USES_TIMES) return true; /* nothing but the outcome is asked */
    return !(ufp_load_acquire(&flow->ticks) & UFI_CHANGING) && now->ordinal == ufp_load_acquire(&flow->ordinal) &&
           now->state == ufp_load_acquire(&flow->state) && now->run == ufp_load_acquire(&flow->run) &&
           now->entered == ufp_load_time_acquire(&flow->entered);
}

/* NULL and zeroed storage count as an idle flow. */
static inline bool is_none(const uf_flow *flow)
{
    return !flow || !flow->type;
}

static snapshot snapshot_of(const uf_flow *flow)
{
    snapshot now = {.state = UF_STATE_IDLE};
    if (is_none(flow)) return now;
    while (!load_snapshot(flow, &now) || !is_consistent(flow, &now)) ufp_spin_pause();
    return now;
}

static bool is_running(const snapshot *now)
{
    return !(now->state & UF_STATE_IDLE);
}

static bool has_step(const snapshot *now)
{
    return is_running(now) && !ufi_claimed_only(now->state);
}

/* The number of the current run, whose start may still be in the inbox, or of the last run. */
static uint32_t number_of(const snapshot *now)
{
    return now->state & UF_STATE_CLAIMED ? now->run + 1 : now->run;
}

static int64_t ordinal_of(const snapshot *now)
{
    if (!has_step(now)) return -1;
    return now->state & UF_STATE_CLAIMED ? 0 : (int64_t)now->ordinal;
}

static uf_time elapsed_of(const snapshot *now, uf_time logical)
{
    bool const began = !(now->state & (UF_STATE_IDLE | UF_STATE_CLAIMED));
    if (ufi_is_paused(now->state)) return now->entered; /* see pause.c */
    return began && logical > now->entered ? ufi_time_sub(logical, now->entered) : 0;
}

bool uf_flow_running(const uf_flow *flow)
{
    return !is_none(flow) && !(ufp_load_acquire(&flow->state) & UF_STATE_IDLE);
}

uf_outcome uf_flow_outcome(const uf_flow *flow)
{
    snapshot const now = snapshot_of(flow);
    return is_running(&now) ? UF_RUNNING : now.outcome;
}

/* The last outcome remains until the next run begins, so also while the flow is claimed. */
uf_outcome uf_run_outcome(uf_run run)
{
    if (!run.flow) return UF_NEVER_RAN;
    snapshot const now = snapshot_of(run.flow);
    if (is_running(&now) && run.number == number_of(&now)) return UF_RUNNING;
    return run.number == now.run ? now.outcome : UF_NEVER_RAN;
}

static const char *why_cancelled(const uf_flow *flow)
{
    const struct ufi_store_hooks *const hooks = flow->pump ? ufi_store_hooks(flow->pump) : NULL;
    return hooks && hooks->is_lost(flow) ? UFI_OWNER_LOST : "cancelled";
}

const char *ufi_reason_of(const uf_flow *flow, uf_outcome outcome)
{
    if (outcome == UF_CANCELLED) return why_cancelled(flow);
    if (outcome != UF_FAILED) return "";
    char const *const buffer = ufi_reason_buffer(flow);
    return buffer ? buffer : "";
}

const char *uf_flow_reason(const uf_flow *flow)
{
    return ufi_reason_of(flow, uf_flow_outcome(flow));
}

void ufi_copy_reason(const uf_flow *flow, uf_outcome outcome, char *reason)
{
    copy_text(reason, ufi_reason_of(flow, outcome));
}

bool uf_done_in(const uf_flow *flow, uint16_t task)
{
    if (is_none(flow)) return false;
    uint32_t const state = ufp_load_acquire(&flow->state);
    return state & UF_STATE_IDLE && ufp_load_byte_acquire(&flow->outcome) == UF_DONE &&
           ufi_step_of(flow, ufi_step_state(state))->task == task;
}

const char *uf_flow_name(const uf_flow *flow)
{
    return is_none(flow) ? "" : ufi_name_of(flow);
}

const uf_flow *uf_flow_row(const uf_flow *flow)
{
    if (is_none(flow)) return NULL;
    uf_flow const *const around = ufi_member_around(flow);
    if (!around) return flow;
    uf_member const *const member = ufi_member_of(around);
    return (const uf_flow *)((uintptr_t)flow - member->index * member->pool->info->stride);
}

UFI_COLD size_t uf_flow_path(const uf_flow *flow, char *buffer, size_t size)
{
    if (!buffer) size = 0;
    if (is_none(flow)) {
        if (size) *buffer = '\0';
        return 0;
    }
    size_t length = ufi_length(ufi_name_of(flow));
    for (const uf_flow *at = ufi_container(flow); at; at = ufi_container(at)) length += ufi_length(ufi_name_of(at)) + 1;

    size_t end = length; /* written backwards, since a flow knows only its parent */
    for (const uf_flow *at = flow; at; at = ufi_container(at)) {
        size_t const own = ufi_length(ufi_name_of(at));
        for (size_t i = 0; i < own; i++) {
            if (end - own + i + 1 < size) buffer[end - own + i] = ufi_name_of(at)[i];
        }
        end -= own;
        if (end > 0 && --end + 1 < size) buffer[end] = '.';
    }
    if (size) buffer[length < size ? length : size - 1] = '\0';
    return length;
}

/* The step of a running flow; NULL: it has none. */
static const uf_step_info *step_in(const uf_flow *flow)
{
    if (is_none(flow)) return NULL;
    uint32_t const now = ufp_load_acquire(&flow->state);
    return now & UF_STATE_IDLE || ufi_claimed_only(now) ? NULL : ufi_step_of(flow, ufi_step_state(now));
}

const char *uf_flow_task(const uf_flow *flow)
{
    uf_step_info const *const step = step_in(flow);
    return step ? ufi_task_of_step(flow, step) : "";
}

const char *uf_flow_step(const uf_flow *flow)
{
    uf_step_info const *const step = step_in(flow);
    return step ? ufi_name_of_step(step) : "";
}

uint32_t uf_flow_line(const uf_flow *flow)
{
    uf_step_info const *const step = step_in(flow);
    return step ? ufi_line_of_step(step) : 0;
}

int64_t uf_flow_ordinal(const uf_flow *flow)
{
    snapshot const now = snapshot_of(flow);
    return ordinal_of(&now);
}

const char *uf_flow_description(const uf_flow *flow)
{
    return uf_flow_running(flow) && flow->flags & UFI_DESCRIBED ? description_buffer(flow) : "";
}

uf_time uf_flow_step_elapsed(const uf_flow *flow)
{
    snapshot const now = snapshot_of(flow);
    return is_running(&now) ? elapsed_of(&now, ufi_read_time(flow->pump)) : 0;
}

uf_time uf_flow_paused_for(const uf_flow *flow)
{
    return !is_none(flow) && ufi_is_paused(ufp_load(&flow->state)) ? flow->pump->pauses->lasted(flow) : -1;
}

uf_keeping uf_flow_keeping(const uf_flow *flow, uf_time *lasts)
{
    bool const is_attached = !is_none(flow) && flow->pump;
    const struct ufi_store_hooks *const hooks = is_attached ? ufi_store_hooks(flow->pump) : NULL;
    uf_time since = -1;
    uf_keeping const keeping = hooks ? hooks->keeping(flow, &since) : UF_KEEPING_NOTHING;

    if (lasts) *lasts = since < 0 ? -1 : ufi_time_sub(ufi_real_time(flow->pump), since);
    return keeping;
}

uf_pump *uf_flow_pump(const uf_flow *flow)
{
    return flow ? flow->pump : NULL;
}

uf_run uf_flow_this_run(uf_flow *flow)
{
    if (is_none(flow)) return (uf_run){.flow = NULL};
    snapshot const now = snapshot_of(flow);
    return (uf_run){.flow = flow, .number = number_of(&now)};
}

/* -- the whole view ------------------------------------------------------------------------------------------------ */

/* Returns: false if a text of the pump has changed meanwhile. */
static bool read_texts(const uf_flow *flow, uf_flow_view *view)
{
    char const *const description = description_buffer(flow), *const reason = ufi_reason_of(flow, view->outcome);
    uf_pump const *const pump = flow->pump;
    uint32_t const texts = pump ? ufp_load_acquire(&pump->texts) : 0;

    if (texts & 1) return false;
    if (view->running && description) read_text(view->description, description, sizeof view->description);
    read_text(view->reason, reason, sizeof view->reason);
    return !pump || texts == ufp_load(&pump->texts);
}

/* Returns: false if the flow has changed meanwhile. */
static bool try_view(const uf_flow *flow, uf_flow_view *view, snapshot *now)
{
    if (!load_snapshot(flow, now)) return false;
    *view = (uf_flow_view){.task = "", .step = ""};
    view->running = is_running(now);
    view->outcome = view->running ? UF_RUNNING : now->outcome;
    view->run = number_of(now);
    view->ordinal = ordinal_of(now);
    if (has_step(now)) {
        uf_step_info const *const step = ufi_step_of(flow, ufi_step_state(now->state));
        view->task = ufi_task_of_step(flow, step);
        view->step = ufi_name_of_step(step);
        view->line = ufi_line_of_step(step);
    }
    if (!read_texts(flow, view)) return false;
    return is_consistent(flow, now);
}

void uf_flow_view_of(const uf_flow *flow, uf_flow_view *view)
{
    snapshot now = {.state = UF_STATE_IDLE};

    if (!view) return;
    if (is_none(flow)) {
        *view = (uf_flow_view){.task = "", .step = "", .ordinal = -1};
        return;
    }
    while (!try_view(flow, view, &now)) ufp_spin_pause();
    view->elapsed = view->running ? elapsed_of(&now, ufi_read_time(flow->pump)) : 0;
}
