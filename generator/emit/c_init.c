/* SPDX-License-Identifier: MIT */
/* Initialisers of fields and sub-flows, in source order. */
#include "c_parts.h"
#include "fragment.h"

/* The runtime passes a pointer to any item. The C compiler reports a function of another type at the user's line. */
void emit_drops(writer *w, ir_range inits)
{
    IR_EACH (ir_init, init, w->unit->inits, inits) {
        if (init->kind != IR_INIT_MAILBOX) continue;
        const ir_mailbox *const mailbox = &w->unit->mailboxes[init->index];
        if (!mailbox->drop) continue;
        put(w, "static void ", cname_of_drop(w, mailbox), "(void *uf_unread)\n{\n    ");
        put_variable(w, &mailbox->item, "*uf_item", false);
        put(w, " = (");
        put_variable(w, &mailbox->item, "*", false);
        put(w, ")uf_unread;\n");
        put_at(w, mailbox->drop_at, "    ", mailbox->drop, "(uf_item);\n");
        put_own(w, "}\n\n");
    }
}

/* The mailbox's items are in members beside it. The capacity may be an expression, which only the C compiler
 * evaluates. */
static void put_mailbox_init(writer *w, const ir_init *init)
{
    const ir_mailbox *const mailbox = &w->unit->mailboxes[init->index];
    const char *const name = init->variable.name;
    const char *const turns = ARENA_CONCAT(w->names, "flow->", cname_stored(w, "turns", name));
    const char *const items = ARENA_CONCAT(w->names, "flow->", cname_stored(w, "items", name));
    put_at(w, init->variable.at, "    UF_STATIC_ASSERT(sizeof ", turns, " / sizeof *", turns,
           " - 1 < 1u << 30, "); /* 0 wraps round */
    put(w, "\"the capacity of mailbox ", name, " is not 1 to 2^30\");");
    put(w, " UF_STATIC_ASSERT(sizeof("); /* no function returns an array, and no item is one */
    put_variable(w, &mailbox->item, "(*)(void)", false);
    put_line(w, ") > 0, \"an item of mailbox ", name, " is an array: put it into a struct\");");
    put_own_place(w);
    put_line(w, "    uf_mailbox_ready(&flow->", name, ", &flow->uf, \"", name, "\", ", items, ", ", turns, ", sizeof ",
             turns, " / sizeof *", turns, ", sizeof *", items, ");");
    if (!mailbox->drop) return;
    put_line(w, "    uf_mailbox_set_drop(&flow->", name, ", ", cname_of_drop(w, mailbox), ");");
}

static void put_point_init(writer *w, const ir_init *init)
{
    const ir_point *const point = &w->unit->points[init->index];
    put_own_place(w);
    put_each_element(w, point, "_ready(");
    put(w, point->is_checkpoint ? ", &flow->uf" : "", ", \"", point->name, "\");\n");
}

static void put_one_subflow(writer *w, const ir_init *init)
{
    const char *const name = init->variable.name;
    put_at(w, ir_has_text(init->value) ? init->value : init->variable.at, "    uf_begun = uf_part(&flow->uf, &flow->",
           name, ".uf, ", cname_of_flow(w, &w->unit->flows[init->flow], "init"), "(&flow->", name,
           ", uf_pump_of(&flow->uf), \"", name, "\"");
    put_further(w, init->value);
    put(w, "));\n");
    put_own(w, "    if (uf_begun != UF_OK) return uf_begun;\n");
}

/* The name of an element is kept beside the array. Only the arguments are on the user's line. */
static void put_subflow_array(writer *w, const ir_init *init)
{
    const char *const name = init->variable.name;
    const char *const array = ARENA_CONCAT(w->names, "flow->", name);
    const char *const names = ARENA_CONCAT(w->names, "flow->", cname_stored(w, "names", name), "[uf_index]");
    put_array_limit(w, "    ", init->variable.at, array, "number of flows", name);
    put(w, "    for (uf_u32 uf_index = 0; uf_index < sizeof ", array, " / sizeof *", array, "; uf_index++) {\n");
    put_line(w, "        const char *const uf_name = uf_element_name(", names, ", sizeof ", names, ", \"", name,
             "\", uf_index);");
    if (init->uses_index) put(w, "        int const index = (int)uf_index;\n");
    if (ir_has_text(init->value)) put_place(w, init->value);
    put(w, "        uf_begun = ", cname_of_flow(w, &w->unit->flows[init->flow], "init"), "(&", array,
        "[uf_index], uf_pump_of(&flow->uf), uf_name");
    put_further(w, init->value);
    put(w, ");\n");
    put_own(w, "        uf_begun = uf_part(&flow->uf, &", array, "[uf_index].uf, uf_begun);\n");
    put(w, "        if (uf_begun != UF_OK) return uf_begun;\n    }\n");
}

static void put_assignment(writer *w, const ir_init *init, const char *owner)
{
    put_at(w, init->value, "    ", owner, "->", init->variable.name, " = ");
    put_user(w, init->value);
    put(w, ";\n");
}

static void put_copy(writer *w, const ir_init *init, const char *owner)
{
    const char *const name = init->variable.name;
    put_at(w, init->value, "    { ");
    if (init->has_constants) put(w, "__typeof__(", owner, "->", name, ") " HIDDEN_PREFIX, name);
    else put_variable(w, &init->variable, ARENA_CONCAT(w->names, HIDDEN_PREFIX, name), false);
    put(w, " = ");
    put_user(w, init->value);
    put(w, "; uf_copy", init->is_volatile ? "_volatile" : "", "(&", owner, "->", name, ", &" HIDDEN_PREFIX, name,
        ", sizeof ", owner, "->", name, "); }\n");
}

/* Only fields are initialised in tasks, too. */
static void put_init(writer *w, const ir_flow *flow, const ir_init *init, const char *owner)
{
    switch (init->kind) {
    case IR_INIT_ASSIGN: put_assignment(w, init, owner); break;
    case IR_INIT_COPY: put_copy(w, init, owner); break;
    case IR_INIT_SUBFLOW:
        if (init->is_array) put_subflow_array(w, init);
        else put_one_subflow(w, init);
        break;
    case IR_INIT_POOL: put_pool_init(w, flow, init); break;
    case IR_INIT_POINT: put_point_init(w, init); break;
    case IR_INIT_MAILBOX: put_mailbox_init(w, init); break;
    }
}

void emit_inits(writer *w, const ir_flow *flow, ir_range inits, const char *owner)
{
    for (uint32_t i = 0; i < inits.count; i++) put_init(w, flow, &w->unit->inits[inits.first + i], owner);
}
