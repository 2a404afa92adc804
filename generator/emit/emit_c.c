/* SPDX-License-Identifier: MIT */
/* Writes the .c file, from top to bottom. */
#include "c_parts.h"
#include "mutants.h"
#include "uses.h"

static void emit_blocks(writer *w, block_kind kind)
{
    for (uint32_t i = 0; i < w->unit->block_count; i++) {
        const ir_block *const block = &w->unit->blocks[i];
        if (block->kind == kind) put_block(w, block->text);
    }
}

/* Sets the diagnostics of GCC and Clang for the generated functions, independent of the user's flags. It comes after
 * the blocks and their includes, which are the user's own C, so only the user's flags apply to them. Bodies come after
 * it, since their arguments go to generated functions. So each line makes the flags stricter, or concerns only
 * generated text: the user's functions stand above, and ufc itself reports unused parameters. */
static const struct {
    const char *severity, *option;
} diagnostics[] = {
    {"ignored", "-Wunused-parameter"},         /* all functions of a step have the same parameters */
    {"ignored", "-Wunused-function"},          /* the preprocessor may leave out the only `next` to a step */
    {"error", "-Wreturn-type"},                /* a body ends only by its intents, not by a bare `return` in a macro */
    {"error", "-Wint-conversion"},             /* ufc leaves the types of arguments to the C compiler */
    {"error", "-Wincompatible-pointer-types"}, /* likewise */
    {"error", "-Wimplicit-function-declaration"},
};

static void put_pragma(writer *w, const char *what)
{
    put(w, "#pragma GCC diagnostic ", what, "\n");
}

/* In C++ the errors need no option. GCC before 5 does not know all of the options. */
static void begin_pragmas(writer *w)
{
    put(w, "#if (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 5 && !defined(__TINYC__))) && "
           "!defined(__cplusplus)\n");
}

/* Where an `if` may be inverted, a local may be used that was not set. Clang does not know the option. */
static void emit_diagnostics_of_mutants(writer *w)
{
    if (!w->options->mutants) return;
    put(w, "#ifndef __clang__\n");
    put_pragma(w, "ignored \"-Wmaybe-uninitialized\"");
    put(w, "#endif\n");
}

static void emit_diagnostics(writer *w)
{
    begin_pragmas(w);
    put_pragma(w, "push");
    for (size_t i = 0; i < sizeof diagnostics / sizeof *diagnostics; i++)
        put_pragma(w, ARENA_CONCAT(w->names, diagnostics[i].severity, " \"", diagnostics[i].option, "\""));
    emit_diagnostics_of_mutants(w);
    put(w, "#endif\n\n");
}

/* Another .c file may follow in the same translation unit. */
static void emit_diagnostics_end(writer *w)
{
    begin_pragmas(w);
    put_pragma(w, "pop");
    put(w, "#endif\n/* NOLINTEND */\n");
}

static void emit_task(writer *w, const ir_task *task)
{
    put_heading(w, ARENA_CONCAT(w->names, "task ", w->unit->flows[task->flow].name, ".", task->name));
    emit_transitions(w, task);
    for (uint32_t i = 0; i < task->steps.count; i++) emit_step(w, &w->unit->steps[task->steps.first + i]);
}

static void emit_flow(writer *w, const ir_flow *flow)
{
    const char *const what = flow->is_test ? "test, as flow " : flow->is_durable ? "durable flow " : "flow ";
    w->has_restored = flow->is_durable;
    put_heading(w, ARENA_CONCAT(w->names, what, flow->name));
    emit_states(w, flow);
    IR_EACH (ir_task, task, w->unit->tasks, flow->tasks) {
        if (task->is_become) emit_become(w, task);
    }
    emit_preempts(w, flow, ir_preempts_of_flow(w->unit, flow));
    emit_groups(w, flow);
    emit_shared_waits(w, flow);
    for (uint32_t i = 0; i < flow->tasks.count; i++) emit_task(w, &w->unit->tasks[flow->tasks.first + i]);
    put_heading(w, ARENA_CONCAT(w->names, "flow ", flow->name, " as a whole"));
    emit_turn(w, flow);
    emit_life(w, flow);
    w->has_restored = false;
}

static bool is_wanted(const writer *w, const ir_flow *flow)
{
    const emit_skeleton *const of = w->options->skeleton;
    return !of || (flow->at.begin >= of->flow.begin && flow->at.begin < of->flow.end);
}

/* Tests are of no use to other files, so their structs are here. */
static void emit_tests(writer *w)
{
    const ir_unit *const unit = w->unit;
    if (!unit->test_count) return;
    for (uint32_t i = 0; i < unit->test_count; i++) {
        const ir_flow *const flow = &unit->flows[unit->tests[i].flow];
        emit_flow_types(w, flow);
        if (w->options->skeleton) put(w, "extern const uf_flow_type ", cname_of_flow(w, flow, "type"), ";\n");
    }
    emit_test_room(w);
    for (uint32_t i = 0; i < unit->test_count; i++) {
        if (!is_wanted(w, &unit->flows[unit->tests[i].flow])) continue;
        emit_flow(w, &unit->flows[unit->tests[i].flow]);
        emit_test(w, &unit->tests[i]);
    }
    if (!w->options->skeleton) emit_test_table(w);
}

/* A core without these features refuses to compile the file; see priv/features.h of the runtime. */
static void emit_needs(writer *w)
{
    static const char *const names[FEATURES] = {
#define FEATURE(name, text) #name,
        UF_FEATURES(FEATURE)
#undef FEATURE
    };
    uint32_t const uses = uses_of(w->unit);
    if (uses) put(w, "\n");
    for (uint32_t i = 0; i < FEATURES; i++) {
        if (uses & UINT32_C(1) << i) put(w, "UF_NEEDS(", names[i], ");\n");
    }
}

static void emit_headers(writer *w)
{
    const emit_options *const o = w->options;
    for (size_t i = 0; o->skeleton && i < o->unit_count; i++) emit_header(o->units[i], o, w->out);
    if (!o->skeleton) {
        put_include(w, o->header_name);
        return;
    }
    emit_header(w->unit, o, w->out);
    o->skeleton->declared = w->out->length;
}

void emit_c(const ir_unit *unit, const emit_options *options, buffer *out)
{
    writer w;
    writer_begin(&w, unit, options, out);
    w.shared_waits = ARENA_ARRAY(w.names, uint32_t, unit->pause_count);
    if (!options->skeleton) emit_drawing(&w);
    emit_blocks(&w, BLOCK_PROLOGUE);
    put(&w, "#include <string.h>\n\n"); /* libraries must not see macros of the header */
    if (covers(&w)) put_include(&w, "uflow/coverage.h");
    if (options->mutants) put_include(&w, "uflow/generated/mutants.h");
    if (unit->test_count) put_include(&w, "uflow/test.h");
    emit_headers(&w);
    emit_needs(&w);
    put(&w, "\n");
    if (unit->test_count) put(&w, "#define UF_TESTS 1\n\n");
    emit_blocks(&w, BLOCK_SOURCE);
    emit_diagnostics(&w);
    emit_counters(&w);
    emit_mutants(&w);
    emit_points(&w);
    if (!options->skeleton) emit_plains(&w);
    for (uint32_t i = 0; i < unit->worker_count; i++) emit_worker(&w, &unit->workers[i]);
    for (uint32_t i = 0; i < unit->own_count; i++) {
        if (is_wanted(&w, &unit->flows[i])) emit_flow(&w, &unit->flows[i]);
    }
    emit_tests(&w);
    emit_coverage(&w);
    emit_diagnostics_end(&w);
    writer_end(&w);
}
