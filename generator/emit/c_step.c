/* SPDX-License-Identifier: MIT */
/* A step: the function of its body, in which intents are calls. */
#include <string.h>

#include "c_parts.h"
#include "fragment.h"
#include "mutants.h"

static void put_duration_argument(writer *w, const ir_duration *d, const char *constant)
{
    if (d->kind != IR_DURATION_EXPRESSION) return;
    put(w, ", ");
    put_stored_duration(w, d, constant);
}

/* If the order of evaluation is visible, the interval is a constant of a block. */
static void put_timed_stay(writer *w, const ir_pause *pause)
{
    const ir_duration *const every = &pause->every, *const timeout = &pause->timeout;
    bool const has_order = order_matters(moment_of(every->text), moment_of(timeout->text));
    if (has_order) {
        put(w, "{ uf_time const uf_every = ");
        put_duration(w, every);
        put(w, "; ");
    }
    put_pause_return(w, pause, "stay");
    put_duration_argument(w, every, has_order ? "uf_every" : NULL);
    put_duration_argument(w, timeout, NULL);
    put(w, has_order ? "); }" : ");");
}

static void put_pause(writer *w, const ir_pause *pause)
{
    if (pause->kind == IR_AWAIT) put_await_statement(w, pause);
    else put_timed_stay(w, pause);
}

static const ir_step *step_of(const writer *w, const ir_piece *piece)
{
    return &w->unit->steps[piece->step];
}

static void put_stay(writer *w, const ir_piece *piece)
{
    const ir_duration *const every = &w->unit->durations[piece->every];
    put_count(w, COVER_EDGE, piece->edge);
    if (every->kind == IR_DURATION_NONE) {
        put(w, "uf_stay()");
        return;
    }
    const char *const ignored = mutant_reached(w, MUTANT_EVERY, piece->at);
    put(w, ignored, *ignored ? " ? uf_stay() : " : "", "uf_stay_every(&flow->uf, ", slot_place(w, 0, "every"), ", ");
    put_duration(w, every);
    put(w, ", ", cname_step_state(w, step_of(w, piece)), ")");
}

static void put_describe(writer *w, const ir_piece *piece)
{
    bool const empty = piece->format.end - piece->format.begin == 2;
    put(w, "uf_describe", empty ? "_text" : format_suffix(piece->format, true), "(&flow->uf, ");
    put_user(w, piece->format);
    put(w, ");");
}

static void put_handle(writer *w, const ir_piece *piece)
{
    if (!ir_has_text(piece->index)) {
        put(w, job_place(w, &w->unit->jobs[piece->job]));
        return;
    }
    put(w, "uf_element(&flow->uf, ", ir_job_number(w->unit, piece->job), ", ");
    put_index(w, piece->index);
    put(w, ")");
}

static void put_constant_arguments(writer *w, const ir_piece *piece, ir_range params)
{
    for (uint32_t i = 0; i < params.count; i++) {
        const ir_variable *const v = &w->unit->variables[params.first + i];
        put_variable(w, v, ARENA_CONCAT(w->names, HIDDEN_PREFIX, v->name), true);
        put(w, " = ");
        put_user(w, w->unit->texts[piece->values.first + i]);
        put(w, "; ");
    }
}

/* Index, arguments, timeout: operands that are evaluated before the rest are constants of a block. */
static void put_submit(writer *w, const ir_piece *piece)
{
    const ir_worker *const worker = &w->unit->workers[w->unit->jobs[piece->job].worker];
    const ir_duration *const timeout = &w->unit->durations[piece->timeout];
    moment const index = moment_of(piece->index), arguments = moment_of_all(w, piece->values);
    bool const arguments_first = order_matters(arguments, moment_of(timeout->text));
    bool const index_first = order_matters(index, later_of(arguments, moment_of(timeout->text)));
    put(w, arguments_first || index_first ? "{ " : "");
    if (index_first) {
        put(w, "uf_job *const uf_handle = ");
        put_handle(w, piece);
        put(w, "; ");
    }
    if (arguments_first) put_constant_arguments(w, piece, worker->params);
    put(w, cname_of_worker(w, worker, "submit"), "(&flow->uf, ", index_first ? "uf_handle" : "");
    if (!index_first) put_handle(w, piece);
    if (arguments_first) put_arguments(w, worker->params, HIDDEN_PREFIX);
    else if (ir_has_text(piece->args)) put(w, ", ");
    if (!arguments_first) put_user(w, piece->args);
    put(w, ", ");
    if (timeout->kind == IR_DURATION_NONE) put(w, "UF_FOREVER");
    else put_duration(w, timeout);
    put(w, arguments_first || index_first ? "); }" : ");");
}

static void put_spawn_failure(writer *w, const ir_piece *piece)
{
    put(w, "uf_spawn_failure(&flow->uf, \"", w->unit->members[piece->pool].subflow.name, "\", uf_spawned);");
}

static void put_refusal(writer *w, const ir_piece *piece)
{
    if (piece->otherwise == IR_NONE) {
        put(w, "return ");
        put_count(w, COVER_EDGE, piece->edge);
        put_spawn_failure(w, piece);
        return;
    }
    const ir_outcome *const outcome = &w->unit->outcomes[piece->otherwise];
    const char *const dropped = mutant_reached(w, MUTANT_ELSE, outcome->at);
    if (*dropped) {
        put(w, "if (", dropped, ") return ");
        put_spawn_failure(w, piece);
        put(w, " ");
    }
    if (outcome->uses & BINDS_REASON) put(w, "const char *const reason = uf_status_text(uf_spawned); ");
    put(w, "return ");
    put_outcome(w, outcome, &w->unit->tasks[step_of(w, piece)->task]);
    put(w, ";");
}

static void put_spawn(writer *w, const ir_piece *piece)
{
    const ir_flow *const flow = &w->unit->flows[w->unit->tasks[step_of(w, piece)->task].flow];
    const ir_subflow *const pool = &w->unit->members[piece->pool].subflow;
    put(w, "{ uf_status const uf_spawned = ", cname_of_spawn(w, flow, pool, &w->unit->tasks[piece->task]), "(flow");
    put_further(w, piece->spawn_args);
    put(w, "); if (uf_spawned != UF_OK) { ");
    put_refusal(w, piece);
    put(w, " } }");
}

/* Ends the body with a value that is never used. */
static void put_work_failure(writer *w, const ir_piece *piece)
{
    const ir_worker *const worker = &w->unit->workers[piece->worker];
    bool const silent = is_silent(piece->format);
    put(w, worker->has_result ? "return (void)" : "{ ", "uf_work_fail",
        silent ? "_silent" : format_suffix(piece->format, false), "(uf_self");
    if (!silent) put_further(w, piece->format);
    if (worker->has_result) {
        put(w, "), (", worker->result.before, worker->result.after, "){ 0 };");
    } else {
        put(w, "); return; }");
    }
}

static void put_piece(writer *w, const ir_piece *piece)
{
    switch (piece->kind) {
    case IR_INTENT:
        put(w, "return ");
        put_outcome(w, &w->unit->outcomes[piece->outcome], &w->unit->tasks[step_of(w, piece)->task]);
        put(w, ";");
        break;
    case IR_PIECE_STAY:
        put(w, "return ");
        put_stay(w, piece);
        put(w, ";");
        break;
    case IR_PIECE_PAUSE: put_pause(w, &w->unit->pauses[piece->pause]); break;
    case IR_DESCRIBE: put_describe(w, piece); break;
    case IR_SUBMIT: put_submit(w, piece); break;
    case IR_SPAWN: put_spawn(w, piece); break;
    case IR_WORK_FAIL: put_work_failure(w, piece); break;
    case IR_CONDITION: put_condition_of(w, piece->at); break;
    case IR_EXPECT: put_expect(w, piece); break;
    case IR_EXPECT_TEXT: put_expect_text(w, piece); break;
    case IR_TEXT: break;
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Does code follow the brace on its line? */
static bool brace_shares_its_line(span text)
{
    const char *p = text.in->text + text.begin + 1;
    while (is_blank(*p)) p++;
    return *p != '\n' && !(p[0] == '/' && p[1] == '/');
}

/* Is the text of bodies kept as it is, with the braces? */
static bool is_exact(const writer *w)
{
    return w->options->line_directives || w->options->skeleton;
}

/* With #line, each byte keeps its line. Each byte that does not follow an intent also keeps its column. */
static void put_exact_body(writer *w, const ir_body *body)
{
    emit_skeleton *const skeleton = w->options->skeleton;
    if (skeleton) skeleton->body = ++skeleton->bodies;
    bool const fits = is_on_line_of(w, body->text) && !brace_shares_its_line(body->text);
    put(w, at_line_begin(w) ? "" : fits ? " " : "\n");
    if (!fits) put_place(w, body->text);
    for (uint32_t i = 0; i < body->pieces.count; i++) {
        const ir_piece *const piece = &w->unit->pieces[body->pieces.first + i];
        if (piece->kind != IR_TEXT) {
            if (at_line_begin(w)) put_user(w, (span){piece->at.in, piece->at.begin, piece->at.begin});
            put_piece(w, piece);
        } else if (i == 0 && fits) {
            put(w, "{");
            put_user_rest(w, (span){piece->at.in, piece->at.begin + 1, piece->at.end});
        } else {
            put_user_rest(w, piece->at);
        }
    }
    put(w, "\n");
    if (skeleton) skeleton->body = 0;
}

/* -- --no-line: the text moved to the left margin ------------------------------------------------------------------ */

/* The common indentation of all lines of a body. */
static uint32_t common_indent(span text)
{
    const char *const end = text.in->text + text.end - 1; /* without the brace */
    uint32_t common = UINT32_MAX;
    for (const char *p = text.in->text + text.begin; p < end; p++) {
        p = memchr(p, '\n', (size_t)(end - p));
        if (!p) break;
        if (p[-1] == '\\') continue;
        const char *first = p + 1;
        while (first < end && is_blank(*first)) first++;
        if (first == end || *first == '\n' || *first == '#') continue;
        uint32_t const indent = (uint32_t)(first - p - 1);
        if (indent < common) common = indent;
    }
    return common == UINT32_MAX ? 0 : common;
}

/* Puts several statements of a line on separate lines. Otherwise compilers could warn that an `if` seems to guard the
 * later ones. */
static void break_line(writer *w, span rest)
{
    const char *p = rest.in->text + rest.begin, *const end = rest.in->text + rest.end;
    while (p < end && is_blank(*p)) p++;
    if (p < end && *p != '\n' && *p != '/') put(w, "\n");
}

/* Returns the text between the braces, without blanks and empty lines at its ends. */
static span inside(span text)
{
    span in = {text.in, text.begin + 1, text.end - 1};
    uint32_t content = in.begin;
    while (content < in.end && (is_blank(in.in->text[content]) || in.in->text[content] == '\n')) {
        if (in.in->text[content++] == '\n') in.begin = content;
    }
    if (ir_line((span){in.in, content, content}) == ir_line((span){text.in, text.begin, text.begin}))
        in.begin = content;
    while (in.end > in.begin && (is_blank(in.in->text[in.end - 1]) || in.in->text[in.end - 1] == '\n')) in.end--;
    return in;
}

static void put_moved_inside(writer *w, const ir_body *body)
{
    span const whole = inside(body->text);
    w->moves = true;
    w->cut = common_indent(body->text);
    IR_EACH (ir_piece, piece, w->unit->pieces, body->pieces) {
        span text = piece->at;
        if (text.begin < whole.begin) text.begin = whole.begin;
        if (text.end > whole.end) text.end = whole.end;
        if (piece->kind != IR_TEXT) {
            if (at_line_begin(w)) put(w, "    ");
            put_piece(w, piece);
        } else if (text.begin < text.end) {
            put_user(w, text);
        }
        if (piece->ends_statement) break_line(w, (span){text.in, text.end, whole.end});
    }
    w->moves = false;
    put(w, at_line_begin(w) ? "" : "\n");
}

static void emit_block(writer *w, const ir_body *body)
{
    if (is_exact(w)) put_exact_body(w, body);
    else put_moved_inside(w, body);
    put_own_place(w);
}

/* A block among the statements of a function. Bodies of a durable flow have a constant. */
static void emit_inner_block(writer *w, const ir_body *body)
{
    if (w->has_restored) put(w, "    uf_u32 const restored = uf_restored(&flow->uf);\n    (void)restored;\n");
    put(w, is_exact(w) ? "" : "    {\n");
    emit_block(w, body);
    put(w, is_exact(w) ? "" : "    }\n");
}

static void emit_block_with_restored(writer *w, const ir_body *body)
{
    if (w->has_restored) emit_inner_block(w, body);
    else emit_block(w, body);
}

void emit_body(writer *w, const ir_body *body)
{
    bool const has_own_braces = is_exact(w) && !w->has_restored;
    put(w, has_own_braces ? "" : "\n{\n");
    if (w->has_restored) put_own_place(w);
    emit_block_with_restored(w, body);
    put(w, has_own_braces ? "" : "}\n");
}

void put_on_enter(writer *w, const ir_body *body, cover_kind count, uint32_t index)
{
    if (!ir_has_body(body)) return;
    put_count_statement(w, count, index);
    put(w, w->has_restored ? "    {\n" : "");
    emit_block_with_restored(w, body);
    put(w, w->has_restored ? "    }\n" : "");
}

static void emit_end_body(writer *w, const ir_body *body)
{
    put(w, "\n{\n    const char *const reason = uf_end_reason(&flow->uf, outcome);\n");
    emit_inner_block(w, body);
    put(w, "}\n");
}

void emit_handler(writer *w, const part *of, handler_kind on)
{
    const ir_body *const body = body_of_handler(of, on);
    bool const is_at_end = on == ON_EXIT || on == ON_END, has_reason = is_at_end && body->uses_reason;
    bool const has_paused = (on == ON_PAUSE || on == ON_RESUME) && body->uses_paused;
    if (!ir_has_body(body)) return;
    if (!has_reason) put_place(w, body->text);
    put(w, "static void ", cname_handler(w, of, on), "(", of->flow->name, " *flow");
    if (of->task) put(w, ", ", cname_task(w, of->task), " *self");
    put(w, is_at_end ? ", uf_outcome const outcome" : has_paused ? ", uf_time const paused" : "", ")");
    if (has_reason) emit_end_body(w, body);
    else emit_body(w, body);
    put(w, "\n");
}

void emit_step(writer *w, const ir_step *step)
{
    for (uint32_t i = 0; i < step->pauses.count; i++) emit_pause(w, &w->unit->pauses[step->pauses.first + i]);
    /* The head of a one-line body belongs to this file, unless it contains types of the user. */
    if (step->params.count || !brace_shares_its_line(step->body.text)) put_place(w, step->at);
    put(w, "UF_NOINLINE ");
    put_body_head(w, step);
    put(w, ")");
    put_wrapped(w);
    emit_body(w, &step->body);
    put(w, "\n");
}
