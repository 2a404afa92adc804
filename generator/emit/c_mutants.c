/* SPDX-License-Identifier: MIT */
/* Small changes of the flows for `--mutants`: their list, and the parts of C that choose between the right way and the
 * changed one. */
#include "mutants.h"

#include <stdlib.h>
#include <string.h>

#include "cname.h"
#include "fragment.h"

typedef struct mutant {
    mutant_kind kind;
    span at;
    const char *text;          /* what is changed, and how */
    const ir_outcome *instead; /* TARGET */
    ir_range directives;       /* the branches of `#if` that it is in */
} mutant;

struct mutant_list {
    mutant *items; /* in source order; later by number - 1 */
    size_t capacity;
    uint32_t count;
};

static const struct {
    const char *word, *change;
} kinds[] = {
#define MUTANT(kind, word, change) {word, change},
#include "mutants.def"
};

/* -- texts --------------------------------------------------------------------------------------------------------- */

/* Text of the user on one line; the end of a long one is cut. */
static const char *on_one_line(const writer *w, span text)
{
    enum { MOST = 60 };
    char *const line = ARENA_ARRAY(w->names, char, (size_t)(text.end - text.begin) + sizeof "...");
    size_t length = 0;
    for (uint32_t i = text.begin; i < text.end; i++) {
        char const c = text.in->text[i];
        bool const is_blank = strchr(" \t\r\n", c) != NULL;
        if (length >= MOST && ((unsigned char)c & 0xc0) != 0x80) { /* not within a character */
            memcpy(line + length, "...", sizeof "...");
            return line;
        }
        if (!is_blank) line[length++] = c;
        else if (length && line[length - 1] != ' ') line[length++] = ' ';
    }
    return line;
}

static bool ends_with_else(const char *label)
{
    size_t const length = strlen(label);
    return length > 5 && strcmp(label + length - 5, " else") == 0;
}

/* "go -> Work", "run Axis.Home else Work", or without a label "next Work". */
static const char *arrow_text(const writer *w, const char *label, const ir_outcome *outcome)
{
    const char *const target = target_of_outcome(w, outcome);
    if (ends_with_else(label)) return ARENA_CONCAT(w->names, label, " ", target);
    if (*label) return ARENA_CONCAT(w->names, label, " -> ", target);
    return outcome->kind == OUTCOME_STEP ? ARENA_CONCAT(w->names, "next ", target) : target;
}

/* -- the list ------------------------------------------------------------------------------------------------------ */

typedef struct choice {
    const ir_outcome *outcome;
    const char *label;
} choice;

typedef struct listing {
    writer *w;
    struct mutant_list *list;
    choice *choices; /* of a step, or of the handlers of a place, in source order */
    uint32_t count;
    size_t room;
} listing;

static mutant *add(listing *l, mutant_kind kind, span at, const char *what, ir_range directives)
{
    struct mutant_list *const list = l->list;
    list->items = arena_reserve(l->w->names, list->items, &list->capacity, list->count + 1, sizeof *list->items);
    mutant *const m = &list->items[list->count++];
    *m = (mutant){.kind = kind, .at = at, .directives = directives};
    m->text = arena_printf(l->w->names, "`%s` %s", what, kinds[kind].change);
    return m;
}

/* The branches of `#if` that it is in. */
static ir_range branches_of(const listing *l, const ir_outcome *outcome)
{
    return outcome->edge == IR_NONE ? (ir_range){0, 0} : l->w->unit->edges[outcome->edge].directives;
}

static void add_outcome(listing *l, const ir_outcome *outcome, const char *label)
{
    l->choices = arena_reserve(l->w->names, l->choices, &l->room, l->count + 1, sizeof *l->choices);
    l->choices[l->count++] = (choice){outcome, label};
}

/* Can the outcome stand for another one of its step? It needs no values. */
static bool is_plain(const writer *w, const ir_outcome *outcome)
{
    if (ir_has_text(outcome->value)) return false;
    if (outcome->kind == OUTCOME_STEP) return w->unit->steps[outcome->target].params.count == 0;
    if (outcome->kind == OUTCOME_BECOME) return w->unit->tasks[outcome->target].params.count == 0;
    return true;
}

/* A step without parameters beside this one: the next of the task, or the one before it. */
static const ir_outcome *neighbouring_step(const writer *w, uint32_t step)
{
    const ir_task *const task = &w->unit->tasks[w->unit->steps[step].task];
    uint32_t const end = task->steps.first + task->steps.count;
    ir_outcome *const instead = ARENA_NEW(w->names, ir_outcome);
    *instead = (ir_outcome){.kind = OUTCOME_STEP, .target = step + 1, .edge = IR_NONE};
    if (step + 1 < end && is_plain(w, instead)) return instead;
    instead->target = step - 1;
    return step > task->steps.first && is_plain(w, instead) ? instead : NULL;
}

static bool leads_to_same(const ir_outcome *a, const ir_outcome *b)
{
    return a->kind == b->kind && a->target == b->target;
}

/* For each outcome of the step, the next one that leads elsewhere, around the end too; or NULL. */
static const ir_outcome **next_others(const listing *l)
{
    const ir_outcome **const others = ARENA_ARRAY(l->w->names, const ir_outcome *, l->count);
    const ir_outcome *near = NULL, *far = NULL; /* the next plain one, and the next that leads elsewhere than that */
    for (uint32_t i = 2 * l->count; i-- > 0;) {
        const ir_outcome *const one = l->choices[i % l->count].outcome;
        if (i < l->count) others[i] = near && leads_to_same(near, one) ? far : near;
        if (!is_plain(l->w, one)) continue;
        if (near && !leads_to_same(near, one)) far = near;
        near = one;
    }
    return others;
}

/* Where no other outcome of the step can stand, a step beside the target does. */
static void list_targets(listing *l)
{
    const ir_outcome **const others = next_others(l);
    for (uint32_t i = 0; i < l->count; i++) {
        const ir_outcome *const outcome = l->choices[i].outcome, *instead = others[i];
        if (!instead && outcome->kind == OUTCOME_STEP) instead = neighbouring_step(l->w, outcome->target);
        if (!instead) continue;
        mutant *const m = add(l, MUTANT_TARGET, outcome->at, "", branches_of(l, outcome));
        m->instead = instead;
        m->text = arena_printf(l->w->names, "`%s` %s %s", arrow_text(l->w, l->choices[i].label, outcome),
                               kinds[MUTANT_TARGET].change, target_of_outcome(l->w, instead));
    }
    l->count = 0;
}

static void list_condition(listing *l, span condition, const char *word, ir_range directives)
{
    const char *const text = on_one_line(l->w, condition);
    (void)add(l, MUTANT_CONDITION, condition, ARENA_CONCAT(l->w->names, word, " (", text, ")"), directives);
}

/* A `fail` without a reason is nearly what happens without the `else`. */
static void list_else(listing *l, const ir_outcome *otherwise, const char *label)
{
    const char *const text = ARENA_CONCAT(l->w->names, label, " else ", target_of_outcome(l->w, otherwise));
    if (otherwise->kind == OUTCOME_FAIL && is_silent(otherwise->value)) return;
    (void)add(l, MUTANT_ELSE, otherwise->at, text, branches_of(l, otherwise));
}

static void list_arm(listing *l, const ir_arm *arm)
{
    const ir_unit *const u = l->w->unit;
    const ir_outcome *const outcome = &u->outcomes[arm->outcome];
    const ir_event *const event = &u->events[arm->events.first];
    const ir_edge *const edge = &u->edges[outcome->edge];
    const char *const text = arrow_text(l->w, edge->label, outcome);
    bool const is_timeout = !arm->all && arm_is_timeout(event->kind);
    if (is_timeout) (void)add(l, MUTANT_TIMEOUT, event->at, text, edge->directives);
    else (void)add(l, MUTANT_ARM, arm->at, text, edge->directives);
    if (ir_has_text(arm->condition)) list_condition(l, arm->condition, "if", edge->directives);
    if (event->kind == ARM_UNTIL) list_condition(l, event->condition, "until", edge->directives);
    add_outcome(l, outcome, edge->label);
    if (arm->otherwise == IR_NONE) return;
    const ir_outcome *const otherwise = &u->outcomes[arm->otherwise];
    list_else(l, otherwise, text);
    add_outcome(l, otherwise, ARENA_CONCAT(l->w->names, edge->label, " else"));
}

static void list_pause(listing *l, const ir_pause *pause)
{
    const ir_unit *const u = l->w->unit;
    for (uint32_t i = 0; i < pause->arms.count; i++) list_arm(l, &u->arms[pause->arms.first + i]);
    if (pause->kind != IR_STAY) return;
    const ir_outcome *const outcome = &u->outcomes[pause->outcome];
    const char *const label = u->edges[outcome->edge].label;
    if (pause->every.kind != IR_DURATION_NONE)
        (void)add(l, MUTANT_EVERY, pause->at, u->edges[pause->again].label, pause->directives);
    (void)add(l, MUTANT_TIMEOUT, pause->at, arrow_text(l->w, label, outcome), pause->directives);
    add_outcome(l, outcome, label);
}

static void list_piece(listing *l, const ir_piece *piece)
{
    const ir_unit *const u = l->w->unit;
    if (piece->kind == IR_INTENT) {
        add_outcome(l, &u->outcomes[piece->outcome], "");
    } else if (piece->kind == IR_PIECE_PAUSE) {
        list_pause(l, &u->pauses[piece->pause]);
    } else if (piece->kind == IR_CONDITION) {
        list_condition(l, piece->at, "if", piece->directives);
    } else if (piece->kind == IR_PIECE_STAY && u->durations[piece->every].kind != IR_DURATION_NONE) {
        (void)add(l, MUTANT_EVERY, piece->at, u->edges[piece->edge].label, u->edges[piece->edge].directives);
    } else if (piece->kind == IR_SPAWN && piece->otherwise != IR_NONE) {
        const ir_outcome *const otherwise = &u->outcomes[piece->otherwise];
        const char *const pool = ARENA_CONCAT(l->w->names, "spawn ", u->members[piece->pool].subflow.name);
        list_else(l, otherwise, pool);
        add_outcome(l, otherwise, ARENA_CONCAT(l->w->names, pool, " else"));
    }
}

static void list_body(listing *l, const ir_body *body)
{
    for (uint32_t i = 0; i < body->pieces.count; i++) list_piece(l, &l->w->unit->pieces[body->pieces.first + i]);
    list_targets(l);
}

/* Handlers and companions of a task, a group or the flow. */
static void list_preempts(listing *l, ir_range preempts)
{
    IR_EACH (ir_preempt, preempt, l->w->unit->preempts, preempts) {
        const ir_outcome *const outcome = &l->w->unit->outcomes[preempt->outcome];
        bool const is_companion = preempt->kind == IR_WITH_RUN;
        const char *const text = is_companion ? preempt->label : arrow_text(l->w, preempt->label, outcome);
        mutant_kind const kind = preempt->kind == IR_ON_TIMEOUT ? MUTANT_TIMEOUT : MUTANT_ARM;
        (void)add(l, kind, preempt->at, text, (ir_range){0, 0});
        if (preempt->is_handed_on) continue;
        if (is_companion) list_else(l, outcome, preempt->label);
        add_outcome(l, outcome, is_companion ? ARENA_CONCAT(l->w->names, preempt->label, " else") : preempt->label);
    }
    list_targets(l);
}

/* A flow, a group or a task; the steps of a task are listed apart. */
static void list_part(listing *l, const char *name, const ir_body *handlers, ir_range preempts)
{
    const ir_body *const exit = &handlers[ON_EXIT];
    if (ir_has_body(exit))
        (void)add(l, MUTANT_EXIT, exit->text, ARENA_CONCAT(l->w->names, "on exit of ", name), (ir_range){0, 0});
    for (size_t on = 0; on < ON_SUSPEND; on++) list_body(l, &handlers[on]);
    list_preempts(l, preempts);
}

static void list_flow(listing *l, const ir_flow *flow)
{
    const ir_unit *const u = l->w->unit;
    list_part(l, flow->name, flow->handlers, ir_preempts_of_flow(u, flow));
    IR_EACH (ir_group, group, u->groups, flow->groups) list_part(l, group->name, group->handlers, group->preempts);
    IR_EACH (ir_task, task, u->tasks, flow->tasks) list_part(l, task->name, task->handlers, task->preempts);
    IR_EACH (ir_step, step, u->steps, flow->steps) list_body(l, &step->body);
}

static int compare(const void *left, const void *right)
{
    const mutant *const a = left, *const b = right;
    if (a->at.begin != b->at.begin) return a->at.begin < b->at.begin ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

bool mutates(const writer *w)
{
    return w->mutants && w->mutants->count > 0;
}

/* The number of a change, from 1 on; 0: there is none. */
static uint32_t number_of(const writer *w, mutant_kind kind, span at)
{
    if (!mutates(w)) return 0;
    const mutant key = {.kind = kind, .at = at};
    const mutant *const found = bsearch(&key, w->mutants->items, w->mutants->count, sizeof key, compare);
    return found ? (uint32_t)(found - w->mutants->items) + 1 : 0;
}

/* -- the table ----------------------------------------------------------------------------------------------------- */

/* What the preprocessor leaves out has an empty row. */
static void put_row(writer *w, uint32_t index)
{
    const mutant *const m = &w->mutants->items[index];
    guard const around = put_guard(w, m->directives);
    put(w, "    [", index, "] = { ", ir_line(m->at), ", \"", kinds[m->kind].word, "\", ");
    put_string(w, m->text);
    put(w, " },\n");
    put_guard_end(w, m->directives, &around);
}

void emit_mutants(writer *w)
{
    if (!w->options->mutants || w->options->skeleton || !w->unit->own_count) return;
    struct mutant_list *const list = ARENA_NEW(w->names, struct mutant_list);
    listing l = {.w = w, .list = list};
    for (uint32_t i = 0; i < w->unit->own_count; i++) list_flow(&l, &w->unit->flows[i]);
    if (list->count) qsort(list->items, list->count, sizeof *list->items, compare);
    w->mutants = list;
    if (!list->count) return;
    const char *const rows = cname_of_file(w, "mutant_list"), *const reached = cname_of_file(w, "mutants_reached");
    put_heading(w, "mutants");
    put(w, "static const uf_mutant ", rows, "[", list->count, "] = { /* line, kind, what is changed */\n");
    for (uint32_t i = 0; i < list->count; i++) put_row(w, i);
    put(w, "};\n\nstatic unsigned char ", reached, "[", list->count, "];\n\n");
    put(w, "static uf_mutant_file ", cname_of_file(w, "mutants"),
        " = { /* source, mutants, their number, reached */\n    ", w->in_name, ", ", rows, ", ", list->count, ", ",
        reached, ", 0, 0\n};\n");
    put(w, "UF_MUTANTS_REGISTER(", cname_of_file(w, "mutants"), ")\n\n");
}

/* -- parts of C ---------------------------------------------------------------------------------------------------- */

static const char *call_of(const writer *w, const char *function, mutant_kind kind, span at)
{
    uint32_t const number = number_of(w, kind, at);
    if (!number) return "";
    return arena_printf(w->names, "%s(&%s, %u", function, cname_of_file(w, "mutants"), (unsigned)number);
}

static const char *closed(const writer *w, const char *call)
{
    return *call ? ARENA_CONCAT(w->names, call, ")") : "";
}

const char *mutant_is(const writer *w, mutant_kind kind, span at)
{
    return closed(w, call_of(w, "uf_is_mutant", kind, at));
}

const char *mutant_reached(const writer *w, mutant_kind kind, span at)
{
    return closed(w, call_of(w, "uf_reach_mutant", kind, at));
}

void put_mutant_mark(writer *w, mutant_kind kind, span at)
{
    const char *const call = mutant_reached(w, kind, at);
    if (*call) put(w, "(void)", call, ", ");
}

const ir_outcome *mutant_target(const writer *w, const ir_outcome *outcome)
{
    uint32_t const number = number_of(w, MUTANT_TARGET, outcome->at);
    return number ? w->mutants->items[number - 1].instead : NULL;
}

void put_timeout(writer *w, const ir_duration *d, const char *parameter, span at)
{
    const char *const call = call_of(w, "uf_mutant_time", MUTANT_TIMEOUT, at);
    put(w, call, *call ? ", " : "");
    put_stored_duration(w, d, parameter);
    put(w, *call ? ")" : "");
}

const char *mutant_condition_lead(const writer *w, const char *lead, span condition)
{
    const char *const call = call_of(w, "uf_mutant_condition", MUTANT_CONDITION, condition);
    return *call ? ARENA_CONCAT(w->names, lead, call, ", (") : lead;
}

const char *mutant_condition_end(const writer *w, span condition)
{
    return number_of(w, MUTANT_CONDITION, condition) ? ") ? 1 : 0)" : "";
}

void put_condition_of(writer *w, span condition)
{
    put(w, mutant_condition_lead(w, "", condition));
    put_user(w, condition);
    put(w, mutant_condition_end(w, condition));
}
