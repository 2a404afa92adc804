/* SPDX-License-Identifier: MIT */
/* Tests: what they claim, the functions that a runner calls, and the table that announces them. */
#include <ctype.h>
#include <string.h>

#include "c_parts.h"
#include "fragment.h"

/* -- claims -------------------------------------------------------------------------------------------------------- */

/* Declares a copy of a side, which is evaluated once. No #line may stand in the macro call. */
static void put_side(writer *w, const char *name, const char *text, span side)
{
    if (!text) return;
    put_reach(w, side);
    put(w, "UF_SIDE(", name, ", ");
    put_user(w, side);
    put(w, "); ");
}

static void put_side_use(writer *w, const char *name, const char *text, span side)
{
    if (text) put(w, name);
    else put_user(w, side);
}

static void put_seen(writer *w, const ir_claim *claim, const char *name, const char *text)
{
    if (!text) return;
    put(w, ", ");
    put_string(w, text);
    put(w, claim->is_time ? ", UF_SEEN_TIME(" : ", UF_SEEN(", name, ")");
}

/* A C compiler warns of the left operand of a comma if it has no effect. */
static void put_condition(writer *w, const ir_claim *claim)
{
    put(w, "if (!(");
    for (uint32_t i = 0; i < claim->values.count; i++) {
        bool const is_last = i + 1 == claim->values.count;
        put(w, is_last ? "" : "(void)(");
        put_user(w, w->unit->texts[claim->values.first + i]);
        put(w, is_last ? "" : "), ");
    }
    put(w, ")) ");
}

/* The statement that reports the claim if it is wrong, and then does `then`. */
static void put_claim(writer *w, const ir_claim *claim, const char *kind, const char *then)
{
    bool const compares = claim->operation != NULL;
    const char *const suffix = !compares ? "" : claim->left_text && claim->right_text ? "_sides" : "_side";
    put(w, "{ ");
    if (compares) {
        put_side(w, "uf_left", claim->left_text, claim->left);
        put_side(w, "uf_right", claim->right_text, claim->right);
        put(w, "UF_COMPARE_BEGIN if (!(");
        put_side_use(w, "uf_left", claim->left_text, claim->left);
        put(w, " ", claim->operation, " ");
        put_side_use(w, "uf_right", claim->right_text, claim->right);
        put(w, ")) ");
    } else {
        put_condition(w, claim);
    }
    put(w, "{ uf_test_failed", suffix, "(", kind, compares ? ", " : ", 0, ", ir_line(claim->at), ", ");
    put_string(w, claim->text);
    put_seen(w, claim, "uf_left", claim->left_text);
    put_seen(w, claim, "uf_right", claim->right_text);
    put(w, "); ", then, "}", compares ? " UF_COMPARE_END }" : " }");
}

/* In a step, a wrong claim fails the task, with the report as the reason. */
static const char *failure_of(const ir_piece *piece)
{
    return piece->step == IR_NONE
               ? ""
               : "return uf_test_ends(0) ? uf_fail_silent(&flow->uf) : uf_intent_of(UF_INTENT_PARK); ";
}

void put_expect(writer *w, const ir_piece *piece)
{
    bool const goes_on = piece->step == IR_NONE && piece->claims.count > 1; /* but not to the next operand of `&&` */
    put(w, goes_on ? "do { " : "");
    IR_EACH (ir_claim, claim, w->unit->claims, piece->claims)
        put_claim(w, claim, "UF_TEST_EXPECT", goes_on ? "break; " : failure_of(piece));
    put(w, goes_on ? " } while (0);" : "");
}

void put_expect_text(writer *w, const ir_piece *piece)
{
    bool const is_step = piece->step != IR_NONE;
    put(w, is_step ? "{ if (!uf_test_texts(" : "(void)uf_test_texts(", ir_line(piece->at), ", ");
    put_user(w, piece->texts);
    put(w, is_step ? ")) " : ");", failure_of(piece), is_step ? "}" : "");
}

static bool is_of_test(const writer *w, const ir_task *task)
{
    return task && w->unit->flows[task->flow].is_test;
}

void put_end(writer *w, const ir_task *task, const span *at)
{
    if (is_of_test(w, task)) put(w, "uf_test_ends(", at ? ir_line(*at) : 0, ") ? ");
}

void put_end_else(writer *w, const ir_task *task, const char *state)
{
    if (!is_of_test(w, task)) return;
    if (state) put(w, " : uf_park(&flow->uf, ", state, ")");
    else put(w, " : uf_intent_of(UF_INTENT_PARK)");
}

/* -- the parts that a runner calls --------------------------------------------------------------------------------- */

static const char *name_of(const writer *w, const ir_test *test, const char *what)
{
    return cname_of_flow(w, &w->unit->flows[test->flow], what);
}

static const char *hook_name(const writer *w, const ir_test *test, uint32_t hook)
{
    const ir_hook *const h = &w->unit->hooks[test->hooks.first + hook];
    char *const word = arena_printf(w->names, "%s", hook_infos[h->kind].word), *const blank = strchr(word, ' ');
    if (blank) *blank = '_';
    return arena_printf(w->names, "%s_%u", name_of(w, test, word), (unsigned)hook);
}

static void emit_always(writer *w, const ir_hook *hook)
{
    put(w, "{\n");
    IR_EACH (ir_claim, claim, w->unit->claims, hook->claims) {
        put_at(w, claim->at, "    ");
        put_claim(w, claim, "UF_TEST_ALWAYS", "return; ");
        put(w, "\n");
    }
    put_own(w, "}\n\n");
}

static void emit_sometimes(writer *w, const ir_hook *hook)
{
    put(w, "{\n");
    put_at(w, hook->condition, "    return (");
    put_user(w, hook->condition);
    put(w, ") ? 1 : 0;\n");
    put_own(w, "}\n\n");
}

static void emit_hook(writer *w, const ir_test *test, uint32_t index)
{
    const ir_hook *const hook = &w->unit->hooks[test->hooks.first + index];
    const char *const type = w->unit->flows[test->flow].name;
    bool const has_body = ir_has_body(&hook->body);
    if (hook_infos[hook->kind].form == HOOK_IS_NOTHING) return;
    if (has_body) put_place(w, hook->body.text);
    put(w, "static ", hook->kind == HOOK_SOMETIMES ? "bool " : "void ", hook_name(w, test, index), "(", type,
        " *flow)");
    if (has_body) emit_body(w, &hook->body);
    put(w, "\n");
    if (hook->kind == HOOK_ALWAYS) emit_always(w, hook);
    if (hook->kind == HOOK_SOMETIMES) emit_sometimes(w, hook);
}

/* The beginning of a function with a switch over the hooks. */
static void put_hook_switch(writer *w, const ir_test *test, const char *result, const char *name)
{
    const char *const type = w->unit->flows[test->flow].name;
    put(w, "static ", result, " ", name_of(w, test, name), "(uf_u32 uf_hook)\n{\n");
    put(w, "    ", type, " *const flow = &", cname_tests(w), "_room.", type, ";\n\n");
    put(w, "    (void)flow;\n    switch (uf_hook) {\n");
}

static void emit_times(writer *w, const ir_test *test)
{
    put_hook_switch(w, test, "uf_time", "time");
    for (uint32_t i = 0; i < test->hooks.count; i++) {
        const ir_hook *const hook = &w->unit->hooks[test->hooks.first + i];
        if (hook->duration.kind == IR_DURATION_NONE) continue;
        put(w, "    case ", i, ": return ");
        put_duration(w, &hook->duration);
        put(w, ";\n");
        put_own_place(w);
    }
    put(w, "    default: return ");
    if (test->within.kind == IR_DURATION_NONE) put(w, "24 * 3600 * UF_S(1)");
    else put_duration(w, &test->within);
    put(w, ";\n");
    put_own(w, "    }\n}\n\n");
}

static void emit_runs(writer *w, const ir_test *test)
{
    put_hook_switch(w, test, "bool", "run");
    for (uint32_t i = 0; i < test->hooks.count; i++) {
        hook_kind const kind = w->unit->hooks[test->hooks.first + i].kind;
        bool const has_result = kind == HOOK_SOMETIMES;
        if (hook_infos[kind].form == HOOK_IS_NOTHING) continue;
        put(w, "    case ", i, has_result ? ": return " : ": ", hook_name(w, test, i), "(flow);",
            has_result ? "\n" : " break;\n");
    }
    put(w, "    default: break;\n    }\n    return false;\n}\n\n");
}

static void emit_hook_table(writer *w, const ir_test *test)
{
    if (!test->hooks.count) return;
    put(w, "static const uf_test_hook ", name_of(w, test, "hooks"), "[] = { /* kind, line, condition */\n");
    IR_EACH (ir_hook, hook, w->unit->hooks, test->hooks) {
        put(w, "    { UF_TEST_HOOK_", hook_infos[hook->kind].name, ", ", ir_line(hook->at), ", ");
        put_string(w, hook->text);
        put(w, " },\n");
    }
    put(w, "};\n\n");
}

/* The stubs of a test. Returns: their number. */
static uint32_t emit_stubs(writer *w, const ir_test *test, bool only_counts)
{
    const char *const flow = w->unit->flows[test->flow].name;
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->unit->worker_count; i++) {
        const ir_worker *const worker = &w->unit->workers[i];
        if (!worker->stub_in || strcmp(worker->stub_in, flow) != 0) continue;
        if (!only_counts && count == 0) put(w, "static const uf_worker *const ", name_of(w, test, "stubs"), "[] = {");
        if (!only_counts) put(w, count ? ", &" : "&", cname_of_worker(w, worker, "worker"));
        count++;
    }
    if (!only_counts && count) put(w, "};\n\n");
    return count;
}

void emit_test(writer *w, const ir_test *test)
{
    const ir_flow *const flow = &w->unit->flows[test->flow];
    const char *const room = ARENA_CONCAT(w->names, cname_tests(w), "_room.", flow->name);
    for (uint32_t i = 0; i < test->hooks.count; i++) emit_hook(w, test, i);
    put(w, "static uf_status ", name_of(w, test, "setup"), "(uf_pump *uf_on_pump, const char *uf_name)\n{\n    return ",
        name_of(w, test, "init"), "(&", room, ", uf_on_pump, uf_name);\n}\n\n");
    put(w, "static uf_status ", name_of(w, test, "begin"), "(void)\n{\n    return ",
        cname_for_task(w, &w->unit->tasks[flow->tasks.first], "start"), "(&", room, ");\n}\n\n");
    emit_times(w, test);
    emit_runs(w, test);
    emit_hook_table(w, test);
    (void)emit_stubs(w, test, false);
}

/* -- the table ----------------------------------------------------------------------------------------------------- */

void emit_test_room(writer *w)
{
    put(w, "/* One test runs at a time. */\nstatic union {\n");
    for (uint32_t i = 0; i < w->unit->test_count; i++) {
        const char *const type = w->unit->flows[w->unit->tests[i].flow].name;
        put(w, "    struct ", type, " ", type, ";\n");
    }
    put(w, "} ", cname_tests(w), "_room;\n\n");
}

static void put_points(writer *w)
{
    if (!w->unit->seen_point_count) return;
    put(w, "static const uf_test_point ", cname_tests(w),
        "_points[] = { /* place, name, elements, is a checkpoint */\n");
    for (uint32_t i = 0; i < w->unit->seen_point_count; i++) {
        const ir_point *const point = &w->unit->points[w->unit->seen_points[i]];
        put(w, "    { ", point_place(w, point), ", \"", point->name, "\", ", point->count ? point->count : 1, ", ",
            point->is_checkpoint ? "true" : "false", " },\n");
    }
    put(w, "};\n\n");
}

static void put_test_row(writer *w, const ir_test *test)
{
    const ir_flow *const flow = &w->unit->flows[test->flow];
    put(w, "    { ");
    put_string(w, test->name);
    put(w, ", ", ir_line(test->at), ", &", name_of(w, test, "type"), ", &", cname_tests(w), "_room.", flow->name,
        ".uf, ", name_of(w, test, "setup"), ", ", name_of(w, test, "begin"), ", ");
    put(w, name_of(w, test, "time"), ", ", name_of(w, test, "run"), ", ",
        test->hooks.count ? name_of(w, test, "hooks") : "0", ", ", test->hooks.count, ", ");
    if (ir_has_text(test->history)) put(w, user_text(w, test->history));
    else put(w, "0");
    uint32_t const stubs = emit_stubs(w, test, true);
    put(w, ", ", test->schedules, ", ", stubs ? name_of(w, test, "stubs") : "0", ", ", stubs);
    put_line(w, " },");
}

void emit_test_table(writer *w)
{
    const char *const name = cname_tests(w);
    if (!w->unit->test_count) return;
    put_heading(w, "tests");
    put_points(w);
    put(w, "static const uf_test ", name,
        "_list[] = {\n    /* name, line, type, flow, init, start, time, run, hooks, their "
        "number, history, schedules, stubs, their number */\n");
    for (uint32_t i = 0; i < w->unit->test_count; i++) put_test_row(w, &w->unit->tests[i]);
    put(w, "};\n\nUF_TEST_TABLE(", name, ") = {\n");
    put_source_name(w, "    ", w->unit->tests[0].at, ",");
    put(w, "    ", name, "_list, ", w->unit->test_count, ", ");
    if (w->unit->seen_point_count) put(w, name, "_points, ", w->unit->seen_point_count);
    else put(w, "0, 0");
    put(w, ", 0\n};\nUF_TEST_REGISTER(", name, ")\n\n");
}
