/* SPDX-License-Identifier: MIT */
/* watch.c - what a run did, as a number and as texts. */
#include "watch.h"

#include "run.h"
#include "texts.h"

#include "uflow/generated.h"
#include "uflow/priv/pump.h"

#include <stdio.h>
#include <string.h>

const char *uft_flow_name(const uf_flow *root, const uf_flow *flow, char *name, size_t size)
{
    static const char inside[] = "test.";

    (void)uf_flow_path(flow, name, size);
    if (flow != root && strncmp(name, inside, sizeof inside - 1) == 0)
        memmove(name, name + sizeof inside - 1, strlen(name) - sizeof inside + 2);
    return name;
}

/* A multiplication and a shift: each bit of a number changes many of the digest. */
static inline uint64_t mixed(uint64_t digest, uint64_t number)
{
    digest = (digest ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 29;
}

static void add(uft_watch *watch, uint64_t number)
{
    watch->transitions = mixed(watch->transitions, number);
}

/* The most flows whose states are read after each round. */
#define MOST_FLOWS 16

/* In a round in which no flow has advanced, no state has changed but that of a flow which was started and waits: the
 * next round counts that one. The list of flows is read without its lock, since the pump has one thread. */
void uft_watch_states(uft_watch *watch, const uf_pump *pump)
{
    if (!pump->advanced) return;
    uint64_t digest = mixed(watch->states, (uint64_t)pump->clock.logical);
    unsigned count = 0;

    for (uf_link const *link = pump->flows.next; link != &pump->flows; link = link->next) {
        uf_flow const *const flow = (const uf_flow *)((uintptr_t)link - offsetof(uf_flow, attached));
        if (++count > MOST_FLOWS) break;
        digest = mixed(digest, flow->state | (uint64_t)flow->ordinal << 32);
    }
    watch->states = digest;
    watch->is_partial |= count > MOST_FLOWS;
}

/* The line of an arm or `fail` that ends the run, if that step has just one; else that of the step. */
static uint32_t line_of_end(const uf_flow_type *type, uint32_t step)
{
    uint32_t line = 0;
    unsigned count = 0;

    for (unsigned i = 0; i < type->edge_count; i++) {
        if (type->edges[i].from != step || type->edges[i].kind != UF_EDGE_FAIL) continue;
        line = type->edges[i].line;
        count++;
    }
    return count == 1 ? line : type->steps[step].line;
}

/* Writes `FLOW TASK STEP -> `, and without the task for the flow of the test, which has one. */
static size_t put_from(const uft_watch *watch, const uf_flow *flow, const char *task, const char *from,
                       char text[TEST_LINE_SIZE])
{
    char name[TEST_LINE_SIZE / 2];
    bool const is_root = flow == watch->root;

    (void)uft_flow_name(watch->root, flow, name, sizeof name);
    int const length =
        snprintf(text, TEST_LINE_SIZE, "%s%s%s %s -> ", name, is_root ? "" : " ", is_root ? "" : task, from);
    return length < TEST_LINE_SIZE ? (size_t)length : TEST_LINE_SIZE - 1;
}

static void step_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    uft_watch *const watch = context;
    char text[TEST_LINE_SIZE];

    if (!*change->to) return; /* flow_ended follows */
    add(watch, (uint64_t)uf_pump_now(uf_flow_pump(flow)));
    add(watch, (uintptr_t)flow->type ^ flow->run);
    add(watch, (uintptr_t)change->to ^ change->ordinal);
    if (!watch->line) return;
    size_t const at = put_from(watch, flow, change->task, change->from, text);
    bool const becomes = strcmp(change->task, change->to_task) != 0;
    (void)snprintf(text + at, sizeof text - at, "%s%s%s", becomes ? change->to_task : "", becomes ? " " : "",
                   change->to);
    watch->line(watch->context, uf_pump_now(uf_flow_pump(flow)), text);
}

/* A cancelled run stays cancelled if its `on exit` fails, so nobody else learns of that. */
static void note_failed_exit(uft_watch *watch, const uf_flow *flow, const uf_flow_end *end)
{
    bool const is_own = flow == watch->root && uf_pump_stopping(uf_flow_pump(flow)); /* it does not count any more */

    if (is_own || end->outcome != UF_CANCELLED || !uf_failing(flow) || watch->failed_exit) return;
    watch->failed_exit = flow;
    if (flow->type->reason_offset)
        (void)snprintf(watch->failure, sizeof watch->failure, "%s", (const char *)flow + flow->type->reason_offset);
}

/* Does a run fail with this reason because another one has failed? Then its reason is that one's, behind its name. */
static bool is_passed_on(const char *reason, const char *inner)
{
    bool const is_cut = strlen(reason) >= UF_REASON_SIZE - 1;

    for (const char *at = reason; *inner && (at = strstr(at, ": ")) != NULL;) {
        at += 2;
        if (strcmp(at, inner) == 0 || (is_cut && *at && strncmp(at, inner, strlen(at)) == 0)) return true;
    }
    return false;
}

/* Notes the run that fails first, with what the others wait for: they may be cancelled soon. */
static void note_cause(uft_watch *watch, const uf_flow *flow, const uf_flow_end *end)
{
    uf_flow_type const *const type = flow->type;
    char name[TEST_LINE_SIZE / 2];
    const char *const reason = *end->reason ? end->reason : "failed";
    bool const is_caused = is_passed_on(reason, watch->reason);

    if (flow == watch->root) watch->is_caused = is_caused;
    if (!is_caused && flow != watch->root) {
        (void)uft_flow_name(watch->root, flow, name, sizeof name);
        (void)snprintf(watch->cause, sizeof watch->cause, "%s:%u, %s %s %s", uft_shown(type->source),
                       (unsigned)line_of_end(type, UF_LOAD_STATE(flow) & UF_STATE_STEP), name, end->task,
                       uf_flow_step(flow));
        uft_note_waits();
    }
    (void)snprintf(watch->reason, sizeof watch->reason, "%s", reason);
}

static void flow_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    uft_watch *const watch = context;
    char text[TEST_LINE_SIZE];

    add(watch, (uint64_t)uf_pump_now(uf_flow_pump(flow)));
    add(watch, (uintptr_t)flow->type ^ flow->run);
    add(watch, (uint64_t)end->outcome ^ (uint64_t)end->ordinal << 8);
    if (flow == watch->root) watch->left_line = line_of_end(flow->type, UF_LOAD_STATE(flow) & UF_STATE_STEP);
    note_failed_exit(watch, flow, end);
    if (watch->note && end->outcome == UF_FAILED) note_cause(watch, flow, end);
    if (!watch->line) return;
    size_t const at = put_from(watch, flow, end->task, uf_flow_step(flow), text);
    (void)snprintf(text + at, sizeof text - at, "%s%s%s", uf_outcome_text(end->outcome),
                   end->outcome == UF_FAILED && *end->reason ? ": " : "", end->outcome == UF_FAILED ? end->reason : "");
    watch->line(watch->context, uf_pump_now(uf_flow_pump(flow)), text);
}

static void note_event(const uft_watch *watch, const uf_flow *flow, const char *step, const char *event)
{
    char name[TEST_LINE_SIZE / 2], text[TEST_LINE_SIZE];
    bool const is_root = flow == watch->root;

    (void)uft_flow_name(watch->root, flow, name, sizeof name);
    (void)snprintf(text, sizeof text, "%s%s%s%s%s %s", name, is_root ? "" : " ", is_root ? "" : uf_flow_task(flow),
                   *step ? " " : "", step, event);
    watch->note(watch->context, uf_pump_now(uf_flow_pump(flow)), text);
}

static void flow_started(void *context, const uf_flow *flow)
{
    uft_watch const *const watch = context;
    if (flow != watch->root) note_event(watch, flow, "", "starts");
}

static void flow_paused(void *context, const uf_flow *flow)
{
    note_event(context, flow, uf_flow_step(flow), "is paused");
}

static void flow_resumed(void *context, const uf_flow *flow)
{
    note_event(context, flow, uf_flow_step(flow), "is resumed");
}

void uft_watch_begin(uft_watch *watch, uf_pump *pump, const uf_flow *root)
{
    watch->observer =
        (uf_observer){.context = watch, .step_changed = step_changed, .flow_ended = flow_ended, .untimed = true};
    if (watch->note) {
        watch->observer.flow_started = flow_started;
        watch->observer.flow_paused = flow_paused;
        watch->observer.flow_resumed = flow_resumed;
    }
    watch->root = root;
    watch->states = 0;
    watch->transitions = 0;
    watch->is_partial = false;
    watch->left_line = 0;
    watch->failed_exit = NULL;
    watch->is_caused = false;
    watch->reason[0] = watch->cause[0] = '\0';
    watch->failure[0] = '\0';
    if (watch->observes) (void)uf_pump_add_observer(pump, &watch->observer); /* the pump is new, so it takes it */
}
