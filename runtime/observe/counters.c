/* SPDX-License-Identifier: MIT */
/* counters.c - counts that any thread may read while the pump runs.
 *
 * A seqlock protects them. The one writer is the pump's thread: it makes the sequence odd, stores, and makes it even.
 * Every store has release order, so a reader that has seen one of them also sees that the sequence has changed, and
 * reads again. */
#include "uflow/counters.h"

#include "port.h"

/* -- writing ----------------------------------------------------------------------------------------------------- */

static void begin_write(uf_counters *counters)
{
    ufp_store(&counters->sequence, counters->sequence + 1);
}

static void end_write(uf_counters *counters)
{
    ufp_store_release(&counters->sequence, counters->sequence + 1);
}

static void add_to(int64_t *count, int64_t more)
{
    ufp_store_time_release(count, *count + more);
}

static void raise_to(int64_t *most, int64_t value)
{
    if (value > *most) ufp_store_time_release(most, value);
}

/* A hash table with chains inside (coalesced hashing). A flow whose own row is taken has another one, and the chain
 * that begins at its own row leads there. So the search for a flow without a row is short, even in a full table.
 * Returns: the row of the flow, or the last one of its chain; NULL: the table has no rows. */
static uf_flow_counts *find_counts(const uf_counters *counters, const uf_flow *flow)
{
    if (counters->capacity == 0) return NULL;
    uint32_t const hash = (uint32_t)((uintptr_t)flow >> 4) * UINT32_C(2654435769);
    uf_flow_counts *row = counters->flows + ((uint64_t)hash * counters->capacity >> 32);
    uint32_t next;
    while (ufp_load_pointer_seq_cst(&row->flow) != (const void *)flow && (next = ufp_load_acquire(&row->next)) != 0) {
        row = &counters->flows[next - 1];
    }
    return row;
}

/* A row for a flow that has none. `last`: the end of its chain. Returns: NULL if the table is full. */
static uf_flow_counts *add_row(uf_counters *counters, uf_flow_counts *last, const uf_flow *flow)
{
    uf_flow_counts *row = last;

    if (last->flow) {
        while (counters->unfilled > 0 && counters->flows[counters->unfilled - 1].flow) counters->unfilled--;
        if (counters->unfilled == 0) return NULL;
        row = &counters->flows[counters->unfilled - 1];
    }
    ufp_store_pointer_seq_cst(&row->flow, (void *)(uintptr_t)flow);
    if (row != last) ufp_store_release(&last->next, (uint32_t)counters->unfilled);
    return row;
}

typedef void counting(uf_flow_counts *counts, const void *event);

/* Counts an event for all flows, and for this one if the table has room. */
static inline void count(void *context, const uf_flow *flow, counting *one, const void *event)
{
    uf_counters *const counters = context;
    uf_flow const *const row = ufp_load(&flow->parent_offset) ? uf_flow_row(flow) : flow;
    uf_flow_counts *own = find_counts(counters, row);

    begin_write(counters);
    one(&counters->all, event);
    if (own && own->flow != (const void *)row) own = add_row(counters, own, row);
    if (own) one(own, event);
    end_write(counters);
}

/* Counts one more; the event is the offset of the count. */
static inline void one_more(uf_flow_counts *counts, const void *event)
{
    add_to((int64_t *)((uintptr_t)counts + *(const size_t *)event), 1);
}
#define OF(count) (&(size_t){offsetof(uf_flow_counts, count)})

static void flow_started(void *context, const uf_flow *flow)
{
    count(context, flow, one_more, OF(started));
}

static void step_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)change;
    count(context, flow, one_more, OF(transitions));
}

static void one_end(uf_flow_counts *counts, const void *event)
{
    uf_flow_end const *const end = event;
    int64_t const length = (int64_t)end->ordinal + 1;

    if (end->outcome == UF_DONE) {
        add_to(&counts->done, 1);
        ufp_store_time_release(&counts->last_length, length);
        raise_to(&counts->max_length, length);
    } else {
        add_to(end->outcome == UF_FAILED ? &counts->failed : &counts->cancelled, 1);
    }
}

static void flow_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    count(context, flow, one_end, end);
}

static void one_body(uf_flow_counts *counts, const void *event)
{
    uf_time const took = *(const uf_time *)event;

    add_to(&counts->busy, took);
    raise_to(&counts->longest, took);
}

static void body_ran(void *context, const uf_flow *flow, const char *step, uf_time took)
{
    (void)step;
    count(context, flow, one_body, &took);
}

static void job_submitted(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)event;
    count(context, flow, one_more, OF(jobs));
}

static void job_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    count(context, flow, one_more, event->status == UF_JOB_DONE ? OF(jobs_done) : OF(jobs_failed));
}

static void one_rejection(uf_flow_counts *counts, const void *event)
{
    (void)event;
    add_to(&counts->jobs, 1);
    add_to(&counts->jobs_failed, 1);
}

static void job_rejected(void *context, const uf_flow *flow, const uf_job_event *event)
{
    count(context, flow, one_rejection, event);
}

static void posted(void *context, const uf_post_event *post)
{
    uf_counters *const counters = context;
    uf_post_counts *const posts = &counters->posts;

    begin_write(counters);
    add_to(&posts->count, 1);
    if (post->blocking) add_to(&posts->blocking, 1);
    add_to(&posts->waited, post->waited);
    raise_to(&posts->longest_wait, post->waited);
    add_to(&posts->took, post->took);
    raise_to(&posts->longest, post->took);
    end_write(counters);
}

static void reset_rounds(uf_counters *counters)
{
    ufp_store_time_release(&counters->rounds, 0);
    ufp_store_time_release(&counters->rounds_took, 0);
    ufp_store_time_release(&counters->min, UF_FOREVER);
    ufp_store_time_release(&counters->max, 0);
}

static void round_ran(void *context, uf_time took)
{
    uf_counters *const counters = context;

    begin_write(counters);
    if (ufp_load(&counters->reset) && ufp_exchange_seq_cst(&counters->reset, 0)) reset_rounds(counters);
    add_to(&counters->rounds, 1);
    add_to(&counters->rounds_took, took);
    if (took < counters->min) ufp_store_time_release(&counters->min, took);
    raise_to(&counters->max, took);
    ufp_store_time_release(&counters->last, took);
    end_write(counters);
}

/* -- reading ----------------------------------------------------------------------------------------------------- */

/* Returns an even sequence: no write is under way. */
static uint32_t begin_read(const uf_counters *counters)
{
    for (;;) {
        uint32_t const sequence = ufp_load_acquire(&counters->sequence);
        if (!(sequence & 1)) return sequence;
        ufp_spin_pause();
    }
}

/* Returns false if a write has changed the counts since begin_read(). */
static bool end_read(const uf_counters *counters, uint32_t sequence)
{
    return ufp_load_acquire(&counters->sequence) == sequence;
}

static uf_flow_counts copy_of(const uf_flow_counts *counts)
{
    return (uf_flow_counts){
        .flow = ufp_load_pointer_seq_cst(&counts->flow),
        .started = ufp_load_time_acquire(&counts->started),
        .done = ufp_load_time_acquire(&counts->done),
        .failed = ufp_load_time_acquire(&counts->failed),
        .cancelled = ufp_load_time_acquire(&counts->cancelled),
        .last_length = ufp_load_time_acquire(&counts->last_length),
        .max_length = ufp_load_time_acquire(&counts->max_length),
        .transitions = ufp_load_time_acquire(&counts->transitions),
        .jobs = ufp_load_time_acquire(&counts->jobs),
        .jobs_done = ufp_load_time_acquire(&counts->jobs_done),
        .jobs_failed = ufp_load_time_acquire(&counts->jobs_failed),
        .busy = ufp_load_time_acquire(&counts->busy),
        .longest = ufp_load_time_acquire(&counts->longest),
    };
}

bool uf_counters_flow(const uf_counters *counters, const uf_flow *flow, uf_flow_counts *counts)
{
    uint32_t sequence;

    if (!counters || !counts) return false;
    do {
        sequence = begin_read(counters);
        uf_flow_counts const *const place = flow ? find_counts(counters, flow) : &counters->all;
        *counts = place ? copy_of(place) : (uf_flow_counts){0};
    } while (!end_read(counters, sequence));
    bool const found = counts->flow == (const void *)flow;
    if (!found) *counts = (uf_flow_counts){0};
    return found;
}

void uf_counters_rounds(const uf_counters *counters, uf_round_counts *rounds)
{
    uf_time took;
    uint32_t sequence;

    if (!counters || !rounds) return;
    do {
        sequence = begin_read(counters);
        bool const none = ufp_load_acquire(&counters->reset) || ufp_load_time_acquire(&counters->rounds) == 0;
        took = ufp_load_time_acquire(&counters->rounds_took);
        *rounds = none ? (uf_round_counts){0}
                       : (uf_round_counts){
                             .count = ufp_load_time_acquire(&counters->rounds),
                             .min = ufp_load_time_acquire(&counters->min),
                             .max = ufp_load_time_acquire(&counters->max),
                             .last = ufp_load_time_acquire(&counters->last),
                         };
    } while (!end_read(counters, sequence));
    if (rounds->count) rounds->mean = took / rounds->count;
}

void uf_counters_posts(const uf_counters *counters, uf_post_counts *posts)
{
    uint32_t sequence;

    if (!counters || !posts) return;
    uf_post_counts const *const from = &counters->posts;
    do {
        sequence = begin_read(counters);
        *posts = (uf_post_counts){
            .count = ufp_load_time_acquire(&from->count),
            .blocking = ufp_load_time_acquire(&from->blocking),
            .waited = ufp_load_time_acquire(&from->waited),
            .longest_wait = ufp_load_time_acquire(&from->longest_wait),
            .took = ufp_load_time_acquire(&from->took),
            .longest = ufp_load_time_acquire(&from->longest),
        };
    } while (!end_read(counters, sequence));
}

void uf_counters_reset_rounds(uf_counters *counters)
{
    if (!counters) return;
    (void)ufp_exchange_seq_cst(&counters->reset, 1);
}

/* -- life -------------------------------------------------------------------------------------------------------- */

uf_status uf_counters_init(uf_counters *counters, uf_flow_counts *flows, size_t capacity)
{
    if (!counters || (!flows && capacity > 0)) return UF_INVALID;
    *counters = (uf_counters){
        .observer =
            {
                .context = counters,
                .untimed = true,
                .flow_started = flow_started,
                .step_changed = step_changed,
                .flow_ended = flow_ended,
                .body_ran = body_ran,
                .job_submitted = job_submitted,
                .job_completed = job_completed,
                .job_rejected = job_rejected,
                .round_ran = round_ran,
                .posted = posted,
            },
        .flows = flows,
        .capacity = capacity,
        .unfilled = capacity < UINT32_MAX ? capacity : UINT32_MAX,
        .min = UF_FOREVER,
    };
    for (size_t i = 0; i < capacity; i++) flows[i] = (uf_flow_counts){0};
    ufp_note_shared(&counters->sequence, sizeof *counters - offsetof(uf_counters, sequence));
    ufp_note_shared(flows, capacity * sizeof *flows);
    return UF_OK;
}

/* Initialises after adding, so that counters that are attached already are not overwritten; see uf_console_attach(). */
uf_status uf_counters_attach(uf_counters *counters, uf_pump *pump, uf_flow_counts *flows, size_t capacity)
{
    if (!counters || !pump || (!flows && capacity > 0)) return UF_INVALID;
    uf_status const added = uf_pump_add_observer(pump, &counters->observer);
    return added == UF_OK ? uf_counters_init(counters, flows, capacity) : added;
}

uf_status uf_counters_detach(uf_counters *counters, uf_pump *pump)
{
    return counters ? uf_pump_remove_observer(pump, &counters->observer) : UF_INVALID;
}
