/* SPDX-License-Identifier: MIT */
/* Awaits that may never end, that may have no arm, and runs that cannot start: warnings. */
#include <string.h>

#include "checks.h"
#include "walk.h"
#include "words.h"

bool may_lack_every_arm(const ast_statement *await)
{
    for (const ast_arm *arm = await->arms; arm; arm = arm->next) {
        if (range_empty(arm->condition)) return false;
    }
    return await->arms != NULL;
}

static void check_arms_left(sema *s, const ast_statement *await)
{
    if (await->may_lack_arms) {
        diag_report *report = report_at(s, UF0811, await->at, "every arm of this await may be compiled out");
        diag_help(report, "add one outside of `#if`, or an `#else` with one; without an arm the flow waits for ever");
    } else if (may_lack_every_arm(await)) {
        diag_report *report = report_at(s, UF0820, await->arms->at,
                                        "every arm of this await has a condition: if none is true, the task fails");
        diag_help(report, "add an arm without `if`, such as `timeout 10s -> fail \"…\";`");
    }
}

/* Does the task itself, or a group around it, end every wait after some time? */
static bool has_time_limit(const ast_task *task)
{
    const ast_preempt *list = task->preempts;
    for (const ast_group *group = task->group;; group = group->outer) {
        for (const ast_preempt *p = list; p; p = p->next) {
            if (p->kind == PREEMPT_TIMEOUT) return true;
        }
        if (!group) return false;
        list = group->preempts;
    }
}

static void check_polls(sema *s, const ast_statement *await, const ast_task *task)
{
    if (has_time_limit(task)) return;
    for (const ast_arm *arm = await->arms; arm; arm = arm->next) {
        if (!arm_has(arm->event->kind, POLLS)) return;
    }
    diag_report *report =
        report_at(s, UF0804, await->arms->event->at, "nothing ends this await if the condition never holds");
    diag_help(report, "add an arm: `timeout 10s -> fail \"…\";`");
}

/* -- descriptors --------------------------------------------------------------------------------------------------- */

static void check_descriptors(sema *s, const ast_statement *await, const ast_task *task)
{
    const ast_event *descriptor = NULL;
    for (const ast_arm *arm = await->arms; arm; arm = arm->next) {
        arm_kind const kind = arm->event->kind;
        bool const is_descriptor = kind == ARM_READABLE || kind == ARM_WRITABLE;
        if (arm_is_timeout(kind) || kind == ARM_DEADLINE || kind == ARM_STOPPING) return;
        if (is_descriptor && !descriptor && range_empty(arm->condition)) descriptor = arm->event;
    }
    if (!descriptor || has_time_limit(task)) return;
    diag_report *report = report_at(s, UF0821, descriptor->at,
                                    "this wait has no limit: a peer that falls silent holds the task for ever");
    diag_help(
        report,
        "add an arm: `timeout 30s -> …;`, `deadline(time) -> …;` or `stopping -> …;`; or limit the task: `on timeout`");
}

/* -- places of pools ----------------------------------------------------------------------------------------------- */

/* Does the body before this await take ends by `Flow_pool_reap()`? */
static bool reaps(sema *s, const ast_flow *flow, const ast_subflow *pool, const ast_step *step)
{
    uint32_t at;
    return find_name(step->body.text, ARENA_JOIN(s->arena, flow->name.name, pool->name.name, "reap"), &at);
}

static bool waits_for_places_alone(const ast_statement *await)
{
    for (const ast_arm *arm = await->arms; arm; arm = arm->next) {
        if (arm->event->kind != ARM_VACANT && arm->event->kind != ARM_STOPPING) return false;
    }
    return true;
}

/* A member that has ended keeps its place until its end is taken: a flow that waits for a place must take ends, too. */
static void check_kept_places(sema *s, const ast_statement *await, const ast_step *step)
{
    for (const ast_arm *arm = waits_for_places_alone(await) ? await->arms : NULL; arm; arm = arm->next) {
        const ast_subflow *const pool = arm->event->kind == ARM_VACANT ? arm->event->pool : NULL;
        if (!pool || !pool->has_ends || reaps(s, s->names->flow, pool, step)) continue;
        diag_report *report =
            report_at(s, UF0831, arm->event->at,
                      "a member of `%s` that has ended keeps its place until its end is taken", pool->name.name);
        diag_help(report, "take ends here, too: add the arm `ended(%s) -> …;`", pool->name.name);
    }
}

/* -- shutdowns ----------------------------------------------------------------------------------------------------- */

/* Does what follows this statement run next in any case? */
static bool is_straight(const ast_statement *s)
{
    return s->kind == STATEMENT_TEXT || s->kind == STATEMENT_DECLARATION || s->kind == STATEMENT_DESCRIBE;
}

/* Does the step come to this await whatever has happened? */
static bool is_on_every_path(const ast_step *step, const ast_statement *await)
{
    for (const ast_statement *s = step->body.first; s; s = s->next) {
        if (s == await) return true;
        if (!is_straight(s)) return false;
    }
    return false;
}

/* The step that the outcome begins; NULL: none. */
static const ast_step *begun_by(const ast_outcome *outcome)
{
    if (outcome->kind == OUTCOME_STEP) return outcome->step;
    return outcome->kind == OUTCOME_BECOME && outcome->task ? outcome->task->steps : NULL;
}

/* Returns the outcome with which the step ends at once whatever has happened, or NULL. */
static const ast_outcome *passes_on(const ast_step *step)
{
    for (const ast_statement *s = step->body.first; s; s = s->next) {
        if (s->kind == STATEMENT_OUTCOME) return s->outcome;
        if (!is_straight(s)) return NULL;
    }
    return NULL;
}

/* Does the outcome lead to this step again, without a pause? Long detours are not followed: there may be a cycle. */
static bool leads_to(const ast_outcome *outcome, const ast_step *wanted)
{
    for (unsigned detour = 0; outcome && detour < 16; detour++) {
        const ast_step *const step = begun_by(outcome);
        if (step == wanted) return true;
        outcome = step ? passes_on(step) : NULL;
    }
    return false;
}

/* Some arms are ready, or have failed, from the beginning of a shutdown to its end. */
static void check_stopping(sema *s, const ast_statement *await, const ast_step *step)
{
    if (!is_on_every_path(step, await)) return;
    for (const ast_arm *arm = await->arms; arm; arm = arm->next) {
        bool const waits_for_it = arm_has(arm->event->kind, AWAITS_STOP);
        const ast_outcome *const outcome = waits_for_it ? arm->outcome : arm->otherwise;

        if (!waits_for_it && !arm_has(arm->event->kind, FAILS_IN_STOP)) continue;
        if (!range_empty(arm->condition) || arm->guard) continue;
        if (!outcome || !leads_to(outcome, step)) return; /* the arm decides before the arms after it */
        diag_report *report = report_at(
            s, UF0825, outcome->at, "during a shutdown, step %s runs again and again without a pause", step->name.name);
        diag_note(report, arm->event->at,
                  waits_for_it ? "`%s` stays ready once the shutdown has begun"
                               : "`%s` fails at once when the shutdown has begun",
                  arm_infos[arm->event->kind].word);
        if (waits_for_it) diag_help(report, "go to a step that ends the task, or that waits without `stopping`");
        else diag_help(report, "go to a step that ends the task, or put an arm `stopping -> …;` before this one");
        return;
    }
}

/* -- runs ---------------------------------------------------------------------------------------------------------- */

/* Does it name the same object each time it is evaluated? */
static bool is_constant_place(token_range text)
{
    for (uint32_t i = text.first; i < text.end; i++) {
        if (token_is_one_of(text.list, i, "( = ++ --")) return false;
    }
    return !range_empty(text);
}

static const char *text_of(sema *s, token_range target)
{
    const char *text = "";
    for (uint32_t i = target.first; i < target.end; i++) {
        span const at = token_span(target.list, i);
        text = arena_printf(s->arena, "%s%.*s", text, (int)(at.end - at.begin), at.in->text + at.begin);
    }
    return text;
}

/* `text`: operand of the run's flow. */
static void report_second_run(sema *s, const ast_event *run, const char *text, const ast_event *other,
                              const char *where)
{
    diag_report *report = report_at(s, UF0822, range_span(run->target),
                                    "`%s` runs a task of this %s already: this run fails with \"busy\"", text, where);
    diag_note(report, other->at, "the other run is here");
    diag_help(report, "a flow runs one task at a time: run one after the other, or use another flow");
}

/* The companion that occupies the flow with this text for as long as the task lasts, if one does; otherwise NULL. */
static const ast_event *companion_in(sema *s, const ast_preempt *list, const char *text)
{
    for (const ast_preempt *p = list; p; p = p->next) {
        if (!p->run || !p->is_handed_on || !p->run->run_task || !p->run->run_task->forever) continue;
        if (is_constant_place(p->run->target) && strcmp(text_of(s, p->run->target), text) == 0) return p->run;
    }
    return NULL;
}

static const ast_event *companion_on(sema *s, const ast_task *task, const char *text)
{
    const ast_event *found = companion_in(s, task->preempts, text);
    for (const ast_group *group = task->group; group && !found; group = group->outer)
        found = companion_in(s, group->preempts, text);
    return found;
}

/* `task`: NULL for a companion itself. */
static void check_run(sema *s, const ast_event *run, scope *runs, const ast_task *task)
{
    token_range const target = run->target;
    if (run->kind != ARM_RUN || !is_constant_place(target)) return;
    if (target.end - target.first == 1 && token_is(target.list, target.first, "flow") &&
        run->run_flow == s->names->flow) {
        diag_report *report =
            report_at(s, UF0822, range_span(target), "the flow runs already: this run of itself fails with \"busy\"");
        diag_help(report, "continue with `next` or `become %s`, or run the task in a sub-flow", run->task.name);
        return;
    }
    const char *const text = text_of(s, target);
    const ast_event *const companion = task ? companion_on(s, task, text) : NULL;
    const ast_event *const other = scope_add(s->arena, runs, text, (void *)run);
    if (companion) report_second_run(s, run, text, companion, "task");
    else if (other) report_second_run(s, run, text, other, task ? "await" : "task");
}

/* If arms have a condition or are in branches of `#if`, perhaps the await has one of them only: nothing is compared. */
static void check_runs(sema *s, const ast_statement *await, const ast_task *task)
{
    scope runs = {0};
    for (const ast_arm *arm = await->arms; arm; arm = arm->next) {
        bool const is_sure = !arm->guard && range_empty(arm->condition);
        scope own = {0};
        check_run(s, arm->event, is_sure ? &runs : &own, task);
        for (const ast_event *event = arm->event->all; event; event = event->next)
            check_run(s, event, is_sure ? &runs : &own, task);
    }
}

static void check_companions(sema *s, const ast_preempt *list)
{
    scope runs = {0};
    for (const ast_preempt *p = list; p; p = p->next) {
        if (p->run) check_run(s, p->run, &runs, NULL);
    }
}

/* ------------------------------------------------------------------------------------------------------------------ */

typedef struct stuck {
    sema *sema;
    const ast_step *step;
} stuck;

static void check_await(ast_statement *statement, void *context)
{
    const stuck *const c = context;
    const ast_task *const task = c->step->task;
    if (statement->kind != STATEMENT_AWAIT || !statement->arms) return;
    check_arms_left(c->sema, statement);
    if (!may_lack_every_arm(statement)) check_polls(c->sema, statement, task);
    check_descriptors(c->sema, statement, task);
    check_kept_places(c->sema, statement, c->step);
    check_stopping(c->sema, statement, c->step);
    check_runs(c->sema, statement, task);
}

void check_stuck(sema *s, ast_flow *flow)
{
    for (const ast_group *group = flow->groups; group; group = group->next) check_companions(s, group->preempts);
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        check_companions(s, task->preempts);
        for (const ast_step *step = task->steps; step; step = step->next)
            walk_statements(step->body.first, check_await, &(stuck){s, step});
    }
}
