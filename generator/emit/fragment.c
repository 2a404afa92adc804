/* SPDX-License-Identifier: MIT */
#include "fragment.h"

#include <ctype.h>
#include <string.h>

#include "c_parts.h"
#include "mutants.h"
#include "times.h"

void put_variable(writer *w, const ir_variable *v, const char *name, bool is_const)
{
    size_t const length = strlen(v->before);
    bool const glued = length > 0 && v->before[length - 1] == '*';
    buffer_append(w->out, v->before, length);
    if (!glued && length > 0 && v->before[length - 1] != '(') put(w, " ");
    if (is_const) put(w, "const ");
    put(w, name ? name : v->name);
    if (*v->after) put(w, isalpha((unsigned char)*v->after) || *v->after == '_' ? " " : "", v->after); /* attributes */
}

void put_variables(writer *w, ir_range variables, const char *before, const char *after)
{
    IR_EACH (ir_variable, v, w->unit->variables, variables) {
        put(w, before);
        put_variable(w, v, NULL, false);
        put(w, after);
    }
}

void put_hidden_parameters(writer *w, ir_range variables)
{
    IR_EACH (ir_variable, v, w->unit->variables, variables) {
        put(w, ", ");
        put_variable(w, v, ARENA_CONCAT(w->names, HIDDEN_PREFIX, v->name), false);
    }
}

void put_arguments(writer *w, ir_range variables, const char *prefix)
{
    for (uint32_t i = 0; i < variables.count; i++) put(w, ", ", prefix, w->unit->variables[variables.first + i].name);
}

void put_stores(writer *w, ir_range variables, const char *place, const char *prefix)
{
    for (uint32_t i = 0; i < variables.count; i++) {
        const char *const name = w->unit->variables[variables.first + i].name;
        put(w, "    ", place, name, " = ", prefix, name, ";\n");
    }
}

const char *task_place(const writer *w, const ir_task *task)
{
    return ARENA_CONCAT(w->names, "flow->uf_task.", task->name);
}

const char *arguments_place(const writer *w, const ir_step *step)
{
    return ARENA_CONCAT(w->names, "flow->uf_task.", w->unit->tasks[step->task].name, ".uf_args.", step->name, ".");
}

const char *slot_place(const writer *w, uint32_t slot, const char *what)
{
    return arena_printf(w->names, "&flow->uf_arms[%u /* %s */]", (unsigned)slot, what);
}

const char *arm_place(const writer *w, const ir_event *event)
{
    const char *const name = ir_name_of(w->unit, event);
    const char *what = *name ? name : arm_infos[event->kind].word;
    if (event->kind == ARM_RUN) what = w->unit->tasks[event->task].name;
    return arena_printf(w->names, "&flow->uf_arms[%u%s /* %s */]", (unsigned)event->slot, event->more.text, what);
}

const char *operand_place(const writer *w, const ir_event *event)
{
    return arena_printf(w->names, "&flow->uf_arms[%u%s /* for */]", (unsigned)event->operand_slot, event->more.text);
}

bool has_elements(const writer *w, const ir_flow *flow)
{
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        if (m->kind == IR_MEMBER_SUBFLOW && m->subflow.in_waits + m->subflow.in_preempts) return true;
    }
    return false;
}

bool is_each_run(const ir_event *event)
{
    return event->each != IR_NONE && event->kind == ARM_RUN;
}

const char *each_name(const writer *w, const ir_event *event)
{
    return w->unit->members[event->each].subflow.name;
}

const char *each_count(const writer *w, const ir_event *event)
{
    return arena_printf(w->names, "UF_LENGTH(%s, %s)", w->unit->flows[w->unit->members[event->each].subflow.owner].name,
                        each_name(w, event));
}

const char *failed_arm(const writer *w, const ir_event *event)
{
    const char *const place = arm_place(w, event);
    if (!is_each_run(event)) return place;
    return ARENA_CONCAT(w->names, event->is_first ? "uf_last_failed(" : "uf_failed_one(", place, ", ",
                        each_count(w, event), ")");
}

const char *point_place(const writer *w, const ir_point *point)
{
    return ARENA_CONCAT(w->names, point->count ? "" : "&", point->in_flow ? "flow->" : "", point->name);
}

const char *point_kind(const ir_point *point)
{
    return point->is_checkpoint ? "checkpoint" : "signal";
}

const char *point_size(const writer *w, const ir_point *point)
{
    return point->count ? arena_printf(w->names, "[%u]", (unsigned)point->count) : "";
}

const char *job_place(const writer *w, const ir_job *job)
{
    return ARENA_CONCAT(w->names, "&self->", job->name, ".job");
}

static bool is_of_array(const writer *w, const ir_event *event)
{
    if (event->kind != ARM_JOB) return event->kind == ARM_JOBS || event->kind == ARM_ANY;
    return ir_has_text(w->unit->jobs[event->index].count);
}

void put_arm_failure(writer *w, const ir_event *event, const char *place, const ir_task *task, const char *state)
{
    const char *const name = ir_name_of(w->unit, event);
    put_end(w, task, NULL);
    if (event->kind == ARM_RUN)
        put(w, "uf_run_failure(&flow->uf, ", place, ", \"", w->unit->flows[event->flow].name, "\", \"",
            w->unit->tasks[event->task].name, "\")");
    else if (event->kind == ARM_ROOM) put(w, "uf_room_failure(&flow->uf, ", place, ")");
    else
        put(w, "uf_", is_of_array(w, event) ? "element" : "arm", "_failure(&flow->uf, ", place, ", \"",
            *name ? name : arm_infos[event->kind].word, "\")");
    put_end_else(w, task, state);
}

void put_handle_members(writer *w, const ir_worker *worker)
{
    put(w, " uf_job job;");
    if (worker->has_result) {
        put(w, " ");
        put_variable(w, &worker->result, "value", false);
        put(w, ";");
    }
    if (worker->keeps_reason) put(w, " char reason[UF_REASON_SIZE];");
}

bool is_noted(const writer *w, const ir_task *task)
{
    return w->unit->flows[task->flow].enters_groups && (ir_has_body(&task->handlers[ON_EXIT]) || covers(w));
}

uint32_t entered_group(const writer *w, uint32_t group)
{
    while (group != IR_NONE && !w->unit->groups[group].is_entered) group = w->unit->groups[group].outer;
    return group;
}

bool has_enter(const writer *w, const ir_task *task)
{
    if (is_noted(w, task) || entered_group(w, task->group) != IR_NONE) return true;
    if (has_preempt(w, task->preempts, IR_ON_TIMEOUT) || has_preempt(w, task->preempts, IR_WITH_RUN)) return true;
    return task->fields.count || task->jobs.count || ir_has_body(&task->handlers[ON_ENTER]);
}

guard put_guard(writer *w, ir_range directives)
{
    guard g = {.before = *w, .begin = w->out->length};
    IR_EACH (ir_directive, directive, w->unit->directives, directives) put_user_directive(w, directive->text);
    g.inside = w->out->length;
    return g;
}

void put_guard_end(writer *w, ir_range directives, const guard *g)
{
    if (directives.count == 0) return;
    if (w->out->length == g->inside) {
        *w = g->before;
        w->out->length = g->begin;
        return;
    }
    IR_EACH (ir_directive, directive, w->unit->directives, directives) {
        if (directive->opens) put(w, at_line_begin(w) ? "" : "\n", "#endif\n");
    }
    if (w->mapped) put_no_place(w);
}

bool shares_guard(const writer *w, const ir_pause *pause, uint32_t number)
{
    if (number == 0 || number >= pause->arms.count) return false;
    const ir_arm *const arm = &w->unit->arms[pause->arms.first + number];
    if (arm->directives.count != arm[-1].directives.count) return false;
    for (uint32_t i = 0; i < arm->directives.count; i++) {
        const ir_directive *const here = &w->unit->directives[arm->directives.first + i];
        const ir_directive *const there = &w->unit->directives[arm[-1].directives.first + i];
        if (here->text.begin != there->text.begin) return false;
    }
    return true;
}

/* Writes an expression of the user as an argument, in parentheses if it has a top-level comma. */
static void put_argument(writer *w, span expression)
{
    const bool falls_apart =
        memchr(expression.in->text + expression.begin, ',', expression.end - expression.begin) != NULL;
    put(w, falls_apart ? "(" : "");
    put_user(w, expression);
    put(w, falls_apart ? ")" : "");
}

void put_duration(writer *w, const ir_duration *d)
{
    if (d->kind == IR_DURATION_EXPRESSION) {
        put_reach(w, d->text);
        put(w, "UF_DURATION(");
        put_argument(w, d->text);
        put(w, ", ");
        int64_t const unit = time_of_unit(d->unit, strlen(d->unit));
        if (unit == 1) put(w, "1");
        else time_append(w->out, unit);
        put(w, ")");
    } else {
        time_append(w->out, d->ns);
    }
}

void put_stored_duration(writer *w, const ir_duration *d, const char *name)
{
    if (name && d->kind == IR_DURATION_EXPRESSION) put(w, name);
    else put_duration(w, d);
}

void put_index(writer *w, span index)
{
    put(w, "UF_INDEX(");
    put_argument(w, index);
    put(w, ")");
}

static void put_call(writer *w, const char *function, span value)
{
    put(w, function, "(flow");
    put_further(w, value);
    put(w, ")");
}

/* Is the reason empty? `fail "";` counts too: the C compiler would warn of an empty format. */
bool is_silent(span format)
{
    return !ir_has_text(format) ||
           (format.end - format.begin == 2 && memcmp(format.in->text + format.begin, "\"\"", 2) == 0);
}

/* Is the format one literal without conversions or escaped quotes? */
static bool is_plain(span format)
{
    if (!ir_has_text(format) || is_silent(format)) return false;
    const char *const text = format.in->text + format.begin;
    size_t const length = format.end - format.begin;
    return text[0] == '"' && text[length - 1] == '"' && !memchr(text, '%', length) &&
           !memchr(text + 1, '"', length - 2);
}

moment moment_of(span text)
{
    if (!ir_has_text(text) || is_plain(text)) return AT_ANY_TIME;
    const char *p = text.in->text + text.begin, *const end = text.in->text + text.end;
    moment of = *p == '&' || isdigit((unsigned char)*p) ? AT_ANY_TIME : READS;
    if (!isdigit((unsigned char)*p)) {
        p += *p == '&' ? 1 : strspn(p, "*");
        if (strncmp(p, "flow->", 6) != 0 && strncmp(p, "self->", 6) != 0) return ACTS;
        p += 6;
    }
    for (; p < end; p++) {
        if (p[0] == '-' && p[1] == '>') of = READS, p++;
        else if (!isalnum((unsigned char)*p) && *p != '_' && *p != '.') return ACTS;
    }
    return of;
}

moment later_of(moment a, moment b)
{
    return a > b ? a : b;
}

moment moment_of_all(const writer *w, ir_range texts)
{
    moment of = AT_ANY_TIME;
    for (uint32_t i = 0; i < texts.count; i++) of = later_of(of, moment_of(w->unit->texts[texts.first + i]));
    return of;
}

bool order_matters(moment a, moment b)
{
    return a != AT_ANY_TIME && b != AT_ANY_TIME && later_of(a, b) == ACTS;
}

/* After a `%`: flags, width, precision and length, then the letter of a floating-point conversion? */
static bool is_real_conversion(const char *at, const char *end)
{
    while (at < end && *at && strchr("-+ #0123456789.*l", *at)) at++;
    return at < end && *at && strchr("aAeEfFgG", *at);
}

/* The last character of a comment that begins here; `at` if there is none. */
static const char *comment_end(const char *at, const char *end)
{
    if (at[0] != '/' || (at[1] != '/' && at[1] != '*')) return at;
    const char *const last = strstr(at + 2, at[1] == '/' ? "\n" : "*/");
    return !last || last >= end ? end - 1 : at[1] == '/' ? last : last + 1;
}

/* Arguments follow the format, from a comma on. A macro in the format is one of <inttypes.h>, or counts as floating
 * point. */
static bool has_real(span format)
{
    const char *at = format.in->text + format.begin, *const end = format.in->text + format.end;

    for (bool quoted = false; at < end && (quoted || *at != ','); at++) {
        if (!quoted) at = comment_end(at, end);
        if (*at == '"') quoted = !quoted;
        else if (*at == '\\' || (*at == '%' && at[1] == '%')) at++;
        else if (*at == '%' && is_real_conversion(at + 1, end)) return true;
        else if (quoted || !isalpha((unsigned char)*at)) continue;
        else if (strncmp(at, "PRI", 3) != 0) return true;
        else
            while (isalnum((unsigned char)at[1])) at++;
    }
    return false;
}

/* Is the format of literals whose conversions are a % and one of these letters? An escape with digits may be a %. */
static bool is_simple(span format)
{
    const char *at = format.in->text + format.begin, *const end = format.in->text + format.end;

    while (at < end && *at == '"') {
        for (at++; at < end && *at != '"'; at++) {
            if (*at == '\\' && !strchr("abfnrtv\\'\"?", at[1])) return false;
            if (*at == '%' && (!at[1] || !strchr("diucs%", at[1]))) return false;
            if (*at == '\\' || *at == '%') at++;
        }
        for (at++; at < end && isspace((unsigned char)*at);) at++;
    }
    return at >= end || *at == ',';
}

const char *format_suffix(span format, bool has_text_form)
{
    if (has_text_form && is_plain(format)) return "_text";
    return is_simple(format) ? "_simple" : has_real(format) ? "_real" : "";
}

bool has_user_text(const ir_outcome *outcome)
{
    return ir_has_text(outcome->value) && !(outcome_takes(outcome->kind, TAKES_FORMAT) && is_silent(outcome->value));
}

void put_next_state(writer *w, const ir_step *step, const char *state)
{
    put(w, step->is_timed ? "uf_next_timed" : "uf_next", "(&flow->uf, ", state, ")");
}

static void put_next(writer *w, const ir_step *step, span arguments)
{
    if (step->params.count) put_call(w, cname_to_step(w, step), arguments);
    else put_next_state(w, step, cname_step_state(w, step));
}

static void put_transition(writer *w, const ir_outcome *outcome, const ir_task *task)
{
    bool const has_value = ir_has_text(outcome->value);
    if (outcome_takes(outcome->kind, TAKES_STEP)) {
        put_next(w, &w->unit->steps[outcome->target], outcome->value);
    } else if (outcome_takes(outcome->kind, TAKES_TASK)) {
        put_call(w, cname_for_task(w, &w->unit->tasks[outcome->target], "become"), outcome->value);
    } else if (outcome_takes(outcome->kind, TAKES_RESULT) && has_value) {
        put_call(w, cname_of_task(w, task, "done"), outcome->value);
    } else if (outcome_takes(outcome->kind, TAKES_FORMAT) && !is_silent(outcome->value)) {
        put(w, "uf_fail", format_suffix(outcome->value, true), "(&flow->uf, ");
        put_user(w, outcome->value);
        put(w, ")");
    } else {
        put(w, outcome_infos[outcome->kind].function, "(&flow->uf)");
    }
}

void put_outcome_in(writer *w, const ir_outcome *outcome, const ir_task *task, const char *state)
{
    const ir_outcome *const instead = mutant_target(w, outcome);
    put_count(w, COVER_EDGE, outcome->edge);
    if (outcome_ends(outcome->kind)) put_end(w, task, outcome->kind == OUTCOME_FAIL ? &outcome->at : NULL);
    if (instead) {
        put(w, mutant_reached(w, MUTANT_TARGET, outcome->at), " ? ");
        put_transition(w, instead, task);
        put(w, " : ");
    }
    put_transition(w, outcome, task);
    if (outcome_ends(outcome->kind)) put_end_else(w, task, state);
}

void put_outcome(writer *w, const ir_outcome *outcome, const ir_task *task)
{
    put_outcome_in(w, outcome, task, NULL);
}

static void put_step_head(writer *w, const ir_step *step, const char *name)
{
    const ir_task *const task = &w->unit->tasks[step->task];
    put(w, "static uf_intent ", name, "(", w->unit->flows[task->flow].name, " *flow, ", cname_task(w, task), " *self");
    IR_EACH (ir_variable, v, w->unit->variables, step->params) {
        put(w, ", ");
        put_variable(w, v, NULL, true);
    }
}

void put_pause_head(writer *w, const ir_pause *pause, const char *what)
{
    put_step_head(w, &w->unit->steps[pause->step], cname_pause(w, pause, what));
}

void put_body_head(writer *w, const ir_step *step)
{
    put_step_head(w, step, cname_step(w, step));
    for (uint32_t i = 0; i < step->sinces.count; i++) {
        const ir_point *const point = &w->unit->points[w->unit->sinces[step->sinces.first + i]];
        put(w, point->count ? ", const uf_u32 *const uf_since_" : ", uf_u32 const uf_since_", point->name);
    }
}

void put_pause_call(writer *w, const ir_pause *pause, const char *what)
{
    put(w, cname_pause(w, pause, what), "(flow, self");
    put_arguments(w, w->unit->steps[pause->step].params, "");
}

void put_pause_return(writer *w, const ir_pause *pause, const char *what)
{
    put(w, "return ");
    put_count_of(w, COVER_PAUSE, pauses, pause);
    put_pause_call(w, pause, what);
}

static void put_turn_call_open(writer *w, const ir_step *step, const char *name)
{
    put(w, name, "(flow, &", task_place(w, &w->unit->tasks[step->task]));
    if (step->params.count) put_arguments(w, step->params, arguments_place(w, step));
}

void put_pause_turn_call(writer *w, const ir_pause *pause, const char *what)
{
    put_turn_call_open(w, &w->unit->steps[pause->step], cname_pause(w, pause, what));
    put(w, ")");
}

/* The counts of an array are in an array of the turn. */
static void put_since(writer *w, const ir_point *point)
{
    if (!point->count) put(w, ", uf_since(", point_place(w, point), ")");
    else put(w, ", uf_sinces((uf_u32[", point->count, "]){0}, ", point_place(w, point), ", ", point->count, ")");
}

void put_body_turn_call(writer *w, const ir_step *step)
{
    put_turn_call_open(w, step, cname_step(w, step));
    for (uint32_t i = 0; i < step->sinces.count; i++)
        put_since(w, &w->unit->points[w->unit->sinces[step->sinces.first + i]]);
    put(w, ")");
}
