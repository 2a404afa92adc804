/* Awaits that may never end, that may have no arm, and runs that cannot start: warnings. */
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
        diag_report *report = diag_at(s->diagnostics, UF0811, await->at, "every arm of this await may be compiled out");
        diag_help(report, "add one outside of `#if`, or an `#else` with one; without an arm the flow waits for ever");
    } else if (may_lack_every_arm(await)) {
        diag_report *report = diag_at(s->diagnostics, UF0820, await->arms->at,
                                      "every arm of this await has a condition: if none is true, the task fails");
        diag_help(report, "add an arm without `if`, such as `timeout 10s -> fail \"…\";`");
    }
}

/* Does the task itself end every wait after some time? */
static bool has_time_limit(const ast_task *task)
{
    for (const ast_preempt *p = task->preempts; p; p = p->next) {
        if (p->kind == PREEMPT_TIMEOUT) return true;
    }
    return false;
}

static void check_polls(sema *s, const ast_statement *await, const ast_task *task)
{
    if (has_time_limit(task)) return;
    for (const ast_arm *arm = await->arms; arm; arm = arm->next) {
        if (!arm_has(arm->event->kind, POLLS)) return;
    }
    diag_report *report =
        diag_at(s->diagnostics, UF0804, await->arms->event->at, "nothing ends this await if the condition never holds");
    diag_help(report, "add an arm: `timeout 10s -> fail \"…\";`");
}

/* -- descriptors --------------------------------------------------------------------------------------------------- */

static void check_descriptors(sema *s, const ast_statement *await, const ast_task *task)
{
    const ast_event *descriptor = NULL;
    for (const ast_arm *arm = await->arms; arm; arm = arm->next) {
        arm_kind const kind = arm->event->kind;
        bool const is_descriptor = kind == ARM_READABLE || kind == ARM_WRITABLE;
        if (kind == ARM_TIMEOUT || kind == ARM_DEADLINE || kind == ARM_STOPPING) return;
        if (is_descriptor && !descriptor && range_empty(arm->condition)) descriptor = arm->event;
    }
    if (!descriptor || has_time_limit(task)) return;
    diag_report *report = diag_at(s->diagnostics, UF0821, descriptor->at,
                                  "this wait has no limit: a peer that falls silent holds the task for ever");
    diag_help(
        report,
        "add an arm: `timeout 30s -> …;`, `deadline(time) -> …;` or `stopping -> …;`; or limit the task: `on timeout`");
}

/* -- shutdowns ----------------------------------------------------------------------------------------------------- */

/* Does the step come to this await whatever has happened? */
static bool is_on_every_path(const ast_step *step, const ast_statement *await)
{
    for (const ast_statement *s = step->body.first; s; s = s->next) {
        if (s == await) return true;
        if (s->kind != STATEMENT_TEXT && s->kind != STATEMENT_DECLARATION && s->kind != STATEMENT_DESCRIBE)
            return false;
    }
    return false;
}

static bool leads_to(const ast_outcome *outcome, const body_site *site)
{
    if (outcome->kind == OUTCOME_STEP) return outcome->step == site->step;
    return outcome->kind == OUTCOME_BECOME && outcome->task == site->task && site->step == site->task->steps;
}

/* Once a shutdown has begun, `stopping` is ready at once. */
static void check_stopping(sema *s, const ast_statement *await, const body_site *site)
{
    for (const ast_arm *arm = await->arms; arm; arm = arm->next) {
        if (arm->event->kind != ARM_STOPPING || !range_empty(arm->condition)) continue;
        if (!arm->outcome || !leads_to(arm->outcome, site) || !is_on_every_path(site->step, await)) continue;
        diag_report *report =
            diag_at(s->diagnostics, UF0825, arm->outcome->at,
                    "during a shutdown, step %s runs again and again without a pause", site->step->name.name);
        diag_note(report, arm->event->at, "`stopping` stays ready once the shutdown has begun");
        diag_help(report, "go to a step that ends the task, or that waits without `stopping`");
    }
}

/* -- runs ---------------------------------------------------------------------------------------------------------- */

/* Does it name the same object each time it is evaluated? */
static bool is_constant_place(token_range text)
{
    for (uint32_t i = text.first; i < text.end; i++) {
        if (token_is(text.list, i, "(") || token_is(text.list, i, "=")) return false;
        if (token_is(text.list, i, "++") || token_is(text.list, i, "--")) return false;
    }
    return !range_empty(text);
}

/* `where`: "await" or "task". */
static void check_run(sema *s, const ast_event *run, const ast_flow *flow, scope *runs, const char *where)
{
    token_range const target = run->target;
    if (run->kind != ARM_RUN || !is_constant_place(target)) return;
    if (target.end - target.first == 1 && token_is(target.list, target.first, "flow") && run->run_flow == flow) {
        diag_report *report = diag_at(s->diagnostics, UF0822, range_span(target),
                                      "the flow runs already: this run of itself fails with \"busy\"");
        diag_help(report, "continue with `next` or `become %s`, or run the task in a sub-flow", run->task.name);
        return;
    }
    const char *text = "";
    for (uint32_t i = target.first; i < target.end; i++) {
        span const at = token_span(target.list, i);
        text = arena_printf(s->arena, "%s%.*s", text, (int)(at.end - at.begin), at.in->text + at.begin);
    }
    const ast_event *const other = scope_add(s->arena, runs, text, (void *)run);
    if (!other) return;
    diag_report *report = diag_at(s->diagnostics, UF0822, range_span(target),
                                  "`%s` runs a task of this %s already: this run fails with \"busy\"", text, where);
    diag_note(report, other->at, "the other run is here");
    diag_help(report, "a flow runs one task at a time: run one after the other, or use another flow");
}

/* Of arms with a condition or in branches of `#if`, perhaps only one is there: they are compared with nothing else. */
static void check_runs(sema *s, const ast_statement *await, const ast_flow *flow)
{
    scope runs = {0};
    for (const ast_arm *arm = await->arms; arm; arm = arm->next) {
        bool const is_sure = !arm->guard && range_empty(arm->condition);
        scope own = {0};
        if (arm->event->kind == ARM_RUN) check_run(s, arm->event, flow, is_sure ? &runs : &own, "await");
        for (const ast_event *event = arm->event->all; event; event = event->next)
            check_run(s, event, flow, is_sure ? &runs : &own, "await");
    }
}

static void check_companions(sema *s, const ast_task *task, const ast_flow *flow)
{
    scope runs = {0};
    for (const ast_preempt *p = task->preempts; p; p = p->next) {
        if (p->run) check_run(s, p->run, flow, &runs, "task");
    }
}

/* ------------------------------------------------------------------------------------------------------------------ */

typedef struct stuck {
    sema *sema;
    const body_site *site;
} stuck;

static void check_await(ast_statement *statement, void *context)
{
    const stuck *const c = context;
    if (statement->kind != STATEMENT_AWAIT || !statement->arms) return;
    for (const ast_arm *arm = statement->arms; arm; arm = arm->next) {
        if (!arm->event) return;
    }
    check_arms_left(c->sema, statement);
    if (!may_lack_every_arm(statement)) check_polls(c->sema, statement, c->site->task);
    check_descriptors(c->sema, statement, c->site->task);
    check_stopping(c->sema, statement, c->site);
    check_runs(c->sema, statement, c->site->flow);
}

static void check_body(sema *s, const body_site *site)
{
    if (!site->step || is_damaged(s, site->step->at)) return;
    walk_statements(site->body->first, check_await, &(stuck){s, site});
}

void check_stuck(sema *s, ast_flow *flow)
{
    for_each_body(s, flow, check_body);
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        if (!is_damaged(s, task->at)) check_companions(s, task, flow);
    }
}
