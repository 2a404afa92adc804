/* SPDX-License-Identifier: MIT */
/* Durable flows: tables of what is kept, and the functions of a restart. */
#include "c_parts.h"
#include "fragment.h"

const char *durable_prefix(const writer *w, const ir_event *run)
{
    return w->unit->flows[run->flow].is_durable ? "uf_durable_" : "uf_";
}

/* -- tables -------------------------------------------------------------------------------------------------------- */

/* Where it lies in its struct. */
static const char *member_of(const writer *w, const ir_flow *flow, const ir_kept *kept)
{
    const ir_unit *const unit = w->unit;
    switch (kept->kind) {
    case IR_KEPT_OF_FLOW:
    case IR_KEPT_MEMBER: break;
    case IR_KEPT_OF_TASK:
        return ARENA_CONCAT(w->names, "uf_task.", unit->tasks[flow->tasks.first + kept->place].name, ".", kept->name);
    case IR_KEPT_RESULT: return ARENA_CONCAT(w->names, "uf_result.", kept->name);
    case IR_KEPT_ARGUMENT: {
        const ir_step *const step = &unit->steps[flow->steps.first + kept->place];
        return ARENA_CONCAT(w->names, "uf_task.", unit->tasks[step->task].name, ".uf_args.", step->name, ".",
                            kept->name);
    }
    }
    return kept->name;
}

static const char *element_of(const writer *w, const char *member, uint32_t dimensions)
{
    for (; dimensions > 0; dimensions--) member = ARENA_CONCAT(w->names, member, "[0]");
    return member;
}

static void put_row(writer *w, const char *type, const char *member, const ir_kept *kept)
{
    const char *const element = element_of(w, member, kept->dimensions);
    put(w, "    UF_KEPT_ROW", kept->plain ? "_OF_PLAIN" : "", "(\"", kept->name, "\", ", type, ", ", member, ", ",
        element, kept->dimensions ? ", 1, " : ", 0, ", kept->place);
    if (kept->plain) put(w, ", uf_plain_", kept->plain);
    put(w, "),\n");
}

/* The C compiler knows what a typedef stands for. */
static void put_assertion(writer *w, const char *type, const char *member, const ir_kept *kept)
{
    if (kept->plain) return;
    put_at(w, kept->at, "UF_STATIC_ASSERT(UF_KEPT_KIND_OF(((", type, " *)0)->", element_of(w, member, kept->dimensions),
           ") != UF_KEPT_NOTHING, \"`", kept->name,
           "` has a type that cannot be kept: write `transient`, or make it a ",
           "number, an enum, a uf_text, a plain struct or an array of these\");\n");
    put_own_place(w);
}

static uint32_t count_of(const writer *w, const ir_flow *flow, unsigned kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < flow->kept.count; i++) count += (unsigned)w->unit->kept[flow->kept.first + i].kind == kind;
    return count;
}

static const struct {
    unsigned kind;
    const char *name;
} tables[] = {{IR_KEPT_OF_FLOW, "kept_fields"},
              {IR_KEPT_OF_TASK, "kept_task"},
              {IR_KEPT_ARGUMENT, "kept_arguments"},
              {IR_KEPT_RESULT, "kept_results"}};

static void put_tables(writer *w, const ir_flow *flow)
{
    IR_EACH (ir_kept, kept, w->unit->kept, flow->kept) {
        put_assertion(w, flow->name, member_of(w, flow, kept), kept);
    }
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        if (!count_of(w, flow, tables[t].kind)) continue;
        put(w, "static const uf_kept_row ", cname_hidden(w, flow, tables[t].name),
            "[] = { /* name, struct, where it lies, an element, is it an array, task or step */\n");
        IR_EACH (ir_kept, kept, w->unit->kept, flow->kept) {
            if ((unsigned)kept->kind == tables[t].kind) put_row(w, flow->name, member_of(w, flow, kept), kept);
        }
        put(w, "};\n\n");
    }
}

void emit_plains(writer *w)
{
    for (uint32_t i = 0; i < w->unit->plain_count; i++) {
        const ir_plain *const plain = &w->unit->plains[i];
        IR_EACH (ir_kept, kept, w->unit->kept, plain->kept) {
            put_assertion(w, plain->name, kept->name, kept);
        }
        put(w, "static const uf_kept_row uf_", plain->name, "_rows[] = {\n");
        IR_EACH (ir_kept, kept, w->unit->kept, plain->kept) {
            put_row(w, plain->name, kept->name, kept);
        }
        put(w, "};\nconst uf_plain uf_plain_", plain->name, " = { \"", plain->name, "\", uf_", plain->name, "_rows, ",
            plain->kept.count, " };\n\n");
    }
}

void emit_plain_struct(writer *w, const ir_plain *plain)
{
    put_at(w, plain->at, "struct ", plain->name, " {\n");
    for (uint32_t i = 0; i < plain->fields.count; i++) put_field_line(w, &w->unit->fields[plain->fields.first + i]);
    put_own(w, "};\nextern const uf_plain uf_plain_", plain->name, ";\n\n");
}

/* -- handlers ------------------------------------------------------------------------------------------------------ */

static void emit_handlers_of(writer *w, const part *of)
{
    emit_handler(w, of, ON_SUSPEND);
    emit_handler(w, of, ON_RESTORE);
}

static void emit_handlers(writer *w, const ir_flow *flow)
{
    emit_handlers_of(w, &(part){flow, NULL, NULL});
    IR_EACH (ir_group, group, w->unit->groups, flow->groups) emit_handlers_of(w, &(part){flow, NULL, group});
    IR_EACH (ir_task, task, w->unit->tasks, flow->tasks) emit_handlers_of(w, &(part){flow, task, NULL});
}

static void put_flow_head(writer *w, const ir_flow *flow, const char *name, const char *parameter)
{
    put(w, "static void ", cname_hidden(w, flow, name), "(uf_flow *uf", parameter, ")\n{\n    ", flow->name,
        " *const flow = (", flow->name, " *)uf;\n\n    (void)flow;\n");
}

/* A switch over the current task. */
static void begin_switch(writer *w, const ir_flow *flow)
{
    put(w, "    switch (uf_task_in(", cname_hidden(w, flow, "steps"), ", uf)) {\n");
}

static void end_switch(writer *w)
{
    put(w, "    default: break;\n    }\n");
}

static void put_case(writer *w, const ir_task *task, const char *function)
{
    put(w, "    case ", row_of_task(w, task), ": ", function, "(flow, &", task_place(w, task), "); break;\n");
}

static void emit_prepare(writer *w, const ir_flow *flow)
{
    put_flow_head(w, flow, "prepare", "");
    begin_switch(w, flow);
    IR_EACH (ir_task, task, w->unit->tasks, flow->tasks) {
        if (task->fields.count || task->jobs.count) put_case(w, task, cname_of_task_hidden(w, task, "fields"));
    }
    end_switch(w);
    put(w, "}\n\n");
}

static void put_companions_of_groups(writer *w, const ir_flow *flow)
{
    IR_EACH (ir_group, group, w->unit->groups, flow->groups) {
        if (!has_preempt(w, group->preempts, IR_WITH_RUN)) continue;
        put(w, "    if (uf_is_inside(uf, &flow->uf_inside, ", row_of_group(w, group), ")) {\n");
        put_companions(w, group->preempts);
        put(w, "    }\n");
    }
}

static void put_group_call(writer *w, const ir_group *group, handler_kind on)
{
    if (!ir_has_body(&group->handlers[on])) return;
    put(w, "    if (uf_is_inside(uf, &flow->uf_inside, ", row_of_group(w, group), ")) ",
        cname_handler(w, &(part){.group = group}, on), "(flow);\n");
}

static void put_task_cases(writer *w, const ir_flow *flow, handler_kind on)
{
    begin_switch(w, flow);
    IR_EACH (ir_task, task, w->unit->tasks, flow->tasks) {
        if (ir_has_body(&task->handlers[on])) put_case(w, task, cname_handler(w, &(part){.task = task}, on));
    }
    end_switch(w);
}

static void emit_restore(writer *w, const ir_flow *flow)
{
    put_flow_head(w, flow, "restore", ", uf_bool uf_entered_it");
    put_companions_of_groups(w, flow);
    put(w, "    if (uf_entered_it) {\n");
    begin_switch(w, flow);
    IR_EACH (ir_task, task, w->unit->tasks, flow->tasks) {
        if (has_preempt(w, task->preempts, IR_WITH_RUN)) put_case(w, task, cname_of_task_hidden(w, task, "with"));
    }
    end_switch(w);
    put(w, "    }\n");
    if (ir_has_body(&flow->handlers[ON_RESTORE])) put(w, "    ", cname_of_flow(w, flow, "restore"), "(flow);\n");
    IR_EACH (ir_group, group, w->unit->groups, flow->groups) put_group_call(w, group, ON_RESTORE);
    put(w, "    if (!uf_entered_it) return;\n");
    put_task_cases(w, flow, ON_RESTORE);
    put(w, "}\n\n");
}

static void emit_suspend(writer *w, const ir_flow *flow)
{
    put_flow_head(w, flow, "suspend", "");
    put_task_cases(w, flow, ON_SUSPEND);
    for (uint32_t i = flow->groups.first + flow->groups.count; i-- > flow->groups.first;)
        put_group_call(w, &w->unit->groups[i], ON_SUSPEND);
    if (ir_has_body(&flow->handlers[ON_SUSPEND])) put(w, "    ", cname_of_flow(w, flow, "suspend"), "(flow);\n");
    put(w, "}\n\n");
}

/* -- the descriptor ------------------------------------------------------------------------------------------------ */

void emit_durable(writer *w, const ir_flow *flow)
{
    if (!flow->is_durable) return;
    emit_handlers(w, flow);
    if (w->options->skeleton) return;
    put_tables(w, flow);
    emit_prepare(w, flow);
    emit_restore(w, flow);
    emit_suspend(w, flow);
    put(w, "static const uf_durable_type ", cname_hidden(w, flow, "durable"), " = {\n");
    PUT_MEMBER(w, "turn", cname_of_flow(w, flow, "turn"));
    PUT_MEMBER(w, "on end", ir_has_body(&flow->handlers[ON_END]) ? cname_hidden(w, flow, "end") : "0");
    PUT_MEMBER(w, "on exit", has_on_exit(w, flow) ? cname_of_flow(w, flow, "on_exit") : "0");
    PUT_MEMBER(w, "preempting", preempting_of(w, flow));
    PUT_MEMBER(w, "prepare", cname_hidden(w, flow, "prepare"));
    PUT_MEMBER(w, "restore", cname_hidden(w, flow, "restore"));
    PUT_MEMBER(w, "suspend", cname_hidden(w, flow, "suspend"));
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        bool const has_rows = count_of(w, flow, tables[i].kind) > 0;
        PUT_MEMBER(w, tables[i].name, has_rows ? cname_hidden(w, flow, tables[i].name) : "0");
    }
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        PUT_MEMBER(w, "number of these", count_of(w, flow, tables[i].kind));
    PUT_MEMBER(w, "offset of uf_inside", offset_of(w, flow, flow->enters_groups, "uf_inside"));
    put(w, "};\n\n");
}
