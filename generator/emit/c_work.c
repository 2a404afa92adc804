/* SPDX-License-Identifier: MIT */
/* Workers: the function of the body, and functions that pass its arguments and return its result. */
#include "c_parts.h"
#include "fragment.h"

/* Adds `uf_work *uf_self` before the user's parameters. */
#define WORK "uf_work *uf_self"

/* The arguments, and the handle with the layout of handles in the states of tasks. */
static void emit_structs(writer *w, const ir_worker *worker)
{
    if (!worker->params.count && !worker->has_result && !worker->keeps_reason) return;
    put_place(w, worker->at);
    if (worker->params.count) {
        put(w, "struct ", cname_of_worker(w, worker, "arguments"), " { ");
        put_variables(w, worker->params, "", "; ");
        put(w, "};\n");
        put_place(w, worker->at);
    }
    if (worker->has_result || worker->keeps_reason) {
        put(w, "struct ", cname_of_worker(w, worker, "job"), " {");
        put_handle_members(w, worker);
        put(w, " };\n");
    }
    put_own(w, "\n");
}

static void emit_function(writer *w, const ir_worker *worker)
{
    const char *const name = arena_printf(w->names, "%s(" WORK, cname_of_worker(w, worker, "body"));
    put_at(w, worker->at, "static ");
    if (worker->has_result) put_variable(w, &worker->result, name, false);
    else put(w, "void ", name);
    put_variables(w, worker->params, ", ", "");
    put(w, ")");
    emit_body(w, &worker->body);
    put(w, "\n");
}

/* The function that the pool calls. */
static void emit_run(writer *w, const ir_worker *worker)
{
    put(w, "static void ", cname_of_worker(w, worker, "run"),
        "(" WORK ", const void *uf_arguments, void *uf_value)\n{\n");
    if (worker->params.count) {
        const char *const type = cname_of_worker(w, worker, "arguments");
        /* Copies the arguments: the pool's memory may be less aligned than they need. */
        put(w, "    struct ", type, " uf_with;\n    uf_copy(&uf_with, uf_arguments, sizeof uf_with);\n");
    }
    put(w, "    ");
    if (worker->has_result) {
        put_variable(w, &worker->result, "uf_result", true);
        put(w, " = ");
    }
    put(w, cname_of_worker(w, worker, "body"), "(uf_self");
    put_arguments(w, worker->params, "uf_with.");
    put(w, ");\n");
    if (worker->has_result) put(w, "    uf_copy(uf_value, &uf_result, sizeof uf_result);\n");
    put(w, "}\n\n");
}

/* Copies the value: the pool's memory may be less aligned than it needs. */
static void emit_drop(writer *w, const ir_worker *worker)
{
    put(w, "static void ", cname_of_worker(w, worker, "drop"), "(void *uf_value)\n{\n    ");
    put_variable(w, &worker->result, "uf_dropped", false);
    put(w, ";\n    uf_copy(&uf_dropped, uf_value, sizeof uf_dropped);\n");
    put_at(w, worker->at, "    ", worker->drop, "(&uf_dropped);\n");
    put_own(w, "}\n\n");
}

static void emit_worker_descriptor(writer *w, const ir_worker *worker)
{
    const char *const handle = cname_of_worker(w, worker, "job");
    bool const is_stub = worker->stub_in != NULL;
    put(w, "static const uf_worker ", cname_of_worker(w, worker, "worker"), " = {\n    \"",
        is_stub ? worker->target_name : worker->name, "\", ", cname_of_worker(w, worker, "run"), ",\n    ");
    if (worker->params.count) put(w, "sizeof(struct ", cname_of_worker(w, worker, "arguments"), "),\n    ");
    else put(w, "0, /* arguments */\n    ");
    if (worker->has_result) {
        put(w, "sizeof ((struct ", handle, " *)0)->value, UF_OFFSET(struct ", handle, ", value),\n    ");
    } else {
        put(w, "0, 0, /* result */\n    ");
    }
    if (worker->keeps_reason) put(w, "UF_OFFSET(struct ", handle, ", reason),\n    ");
    else put(w, "0, /* reason */\n    ");
    if (worker->drop) put(w, cname_of_worker(w, worker, "drop"), ",\n    ");
    else put(w, "0, /* drop */\n    ");
    span const limit = worker->limit;
    if (ir_has_text(limit)) put(w, arena_copy(w->names, limit.in->text + limit.begin, limit.end - limit.begin));
    put(w, ir_has_text(limit) ? "" : "0", ", /* limit */\n    ");
    put(w, ir_line(is_stub ? worker->target : worker->at), ",\n");
    put_source_name(w, "    ", is_stub ? worker->target : worker->at, ",");
    put(w, "};\n\n");
}

/* Both are stored in the pool's memory during the job. Two types that differ make the compiler print both sizes, which
 * a static assertion does not. */
static void emit_size_limit(writer *w, const ir_worker *worker)
{
    if (!worker->params.count && !worker->has_result) return;
    bool const has_both = worker->params.count && worker->has_result;
    const char *const arguments = arena_printf(w->names, "sizeof(struct %s)", cname_of_worker(w, worker, "arguments"));
    const char *const value =
        arena_printf(w->names, "sizeof ((struct %s *)0)->value", cname_of_worker(w, worker, "job"));
    const char *const type = arena_printf(w->names, "typedef char uf_too_large_pass_a_pointer_worker_%s", worker->name);
    put_at(w, worker->at, type, "[UF_JOB_PAYLOAD];\n");
    put_at(w, worker->at, type, "[UF_AT_LEAST(UF_JOB_PAYLOAD, ", worker->params.count ? arguments : "",
           has_both ? " + " : "", worker->has_result ? value : "", ")];\n");
    put_own(w, "\n");
}

static void emit_submit(writer *w, const ir_worker *worker)
{
    put_at(w, worker->at, "static void ", cname_of_worker(w, worker, "submit"), "(uf_flow *uf_of, uf_job *uf_handle");
    put_hidden_parameters(w, worker->params);
    put(w, ", uf_time uf_timeout)\n");
    put_own(w, "{\n");
    if (worker->params.count) {
        put(w, "    struct ", cname_of_worker(w, worker, "arguments"), " uf_arguments;\n");
        put(w, "    uf_clear(&uf_arguments, sizeof uf_arguments);\n");
        put_stores(w, worker->params, "uf_arguments.", HIDDEN_PREFIX);
    }
    put(w, "    uf_submit(uf_of, uf_handle, &", cname_of_worker(w, worker, "worker"), ", ",
        worker->params.count ? "&uf_arguments" : "0", ", uf_timeout);\n}\n\n");
}

void emit_worker(writer *w, const ir_worker *worker)
{
    const char *const word = worker->stub_in ? "stub of worker" : "worker";
    put_heading(w, arena_printf(w->names, "%s %s", word, worker->stub_in ? worker->target_name : worker->name));
    emit_structs(w, worker);
    emit_size_limit(w, worker);
    put_value_check(w, worker->limit, " >= 1",
                    ARENA_CONCAT(w->names, "the limit of worker ", worker->name, " is not 1 at least"));
    put_own_place(w);
    emit_function(w, worker);
    emit_run(w, worker);
    if (worker->drop) emit_drop(w, worker);
    emit_worker_descriptor(w, worker);
    if (!worker->stub_in) emit_submit(w, worker);
}
