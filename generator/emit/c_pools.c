/* SPDX-License-Identifier: MIT */
/* Pools: the parts that a flow keeps from one use as a member to the next, and the pools of a flow. */
#include "c_parts.h"
#include "forms.h"
#include "fragment.h"

/* -- what a member keeps ------------------------------------------------------------------------------------------- */

static void put_kept(writer *w, const ir_flow *flow, const char *first, const char *last, const char *close)
{
    put_line(w, "    { UF_OFFSET(", flow->name, ", ", first, "), UF_OFFSET(", flow->name, ", ", last, ") + sizeof ((",
             flow->name, " *)0)->", last, ", ", close, " },");
}

static void put_kept_member(writer *w, const ir_flow *flow, const ir_member *m)
{
    switch (m->kind) {
    case IR_MEMBER_FIELD:
        if (m->field.first_record) put_kept(w, flow, m->field.first_record, m->field.last_record, "0");
        break;
    case IR_MEMBER_POINT: put_kept(w, flow, w->unit->points[m->index].name, w->unit->points[m->index].name, "0"); break;
    case IR_MEMBER_MAILBOX: {
        const char *const name = w->unit->mailboxes[m->index].item.name;
        put_kept(w, flow, name, cname_stored(w, "turns", name), "uf_mailbox_close");
        break;
    }
    case IR_MEMBER_SUBFLOW: {
        const char *const name = m->subflow.name;
        bool const is_array = ir_has_text(m->subflow.count);
        put_kept(w, flow, name, is_array ? cname_stored(w, "names", name) : name, "0");
        break;
    }
    }
}

bool has_shutdown_task(const writer *w, const ir_flow *flow)
{
    for (uint32_t i = 0; i < flow->tasks.count; i++) {
        if (w->unit->tasks[flow->tasks.first + i].shutdown) return true;
    }
    return false;
}

/* A test, and a flow with pools or shutdown tasks, cannot be a member. */
static bool may_be_member(const writer *w, const ir_flow *flow)
{
    return !flow->is_test && !flow->has_pools && !has_shutdown_task(w, flow);
}

static uint32_t count_kept(const writer *w, const ir_flow *flow)
{
    uint32_t count = 0;
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        count += m->kind != IR_MEMBER_FIELD || m->field.first_record;
    }
    return may_be_member(w, flow) ? count : 0;
}

static void put_kept_table(writer *w, const ir_flow *flow)
{
    put(w, "static const uf_kept ", cname_hidden(w, flow, "kept"),
        "[] UF_TABLE = { /* what a member of a pool keeps: from, to, how it closes */\n");
    IR_EACH (ir_member, m, w->unit->members, flow->members) put_kept_member(w, flow, m);
    put(w, "};\n\n");
}

/* -- the pools of a flow ------------------------------------------------------------------------------------------- */

/* The number of pools before that with this name; NULL: of all. */
static uint32_t count_pools(const writer *w, const ir_flow *flow, const char *name)
{
    uint32_t count = 0;
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        if (ir_is_pool(m) && m->subflow.name == name) break;
        count += ir_is_pool(m);
    }
    return count;
}

static const char *cname_member_init(const writer *w, const ir_flow *flow, const char *pool)
{
    return cname_hidden(w, flow, ARENA_JOIN(w->names, "init", pool));
}

/* The arguments of the declaration are evaluated for each member. */
static void emit_member_init(writer *w, const ir_flow *flow, const ir_init *init)
{
    const ir_flow *const type = &w->unit->flows[init->flow];
    put(w, "static uf_status ", cname_member_init(w, flow, init->variable.name),
        "(uf_flow *uf, uf_flow *uf_member_of, const char *uf_name, uf_u32 uf_index)\n{\n");
    put(w, "    ", flow->name, " *const flow = (", flow->name, " *)uf;\n");
    if (init->uses_index) put(w, "    int const index = (int)uf_index;\n");
    if (ir_has_text(init->value)) put_place(w, init->value);
    put(w, "    return ", cname_of_flow(w, type, "init"), "((", type->name,
        " *)uf_member_of, uf_pump_of(&flow->uf), uf_name");
    put_further(w, init->value);
    put(w, ");\n");
    put_own(w, "}\n\n");
}

static void put_pool_row(writer *w, const ir_flow *flow, const ir_subflow *pool)
{
    const char *const storage = cname_stored(w, "members", pool->name);
    const char *const array = arena_printf(w->names, "((%s *)0)->%s", flow->name, storage);
    put(w, "    { \"", pool->name, "\", &", cname_of_flow(w, &w->unit->flows[pool->flow], "type"),
        pool->has_ends ? ", &uf_pooling_with_ends, UF_OFFSET(" : ", &uf_pooling, UF_OFFSET(", flow->name, ", ",
        pool->name, "), UF_OFFSET(", flow->name, ", ", storage, "),\n");
    put_line(w, "      sizeof *", array, ", sizeof ", array, " / sizeof *", array, ", ",
             cname_member_init(w, flow, pool->name), " },");
}

static void put_pool_table(writer *w, const ir_flow *flow)
{
    IR_EACH (ir_init, init, w->unit->inits, flow->inits) {
        if (init->kind == IR_INIT_POOL) emit_member_init(w, flow, init);
    }
    put(w, "static const uf_members_info ", cname_hidden(w, flow, "pools"),
        "[] = { /* name, type, where it lies, where the members lie, their size, their number, init */\n");
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        if (ir_is_pool(m)) put_pool_row(w, flow, &m->subflow);
    }
    put(w, "};\n\n");
}

void emit_pool_tables(writer *w, const ir_flow *flow)
{
    if (count_kept(w, flow)) put_kept_table(w, flow);
    if (count_pools(w, flow, NULL)) put_pool_table(w, flow);
}

/* The first member of the struct that an init does not touch; NULL: none. */
static const char *first_of_tail(const writer *w, const ir_flow *flow)
{
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        if (ir_is_pool(m)) return cname_stored(w, "members", m->subflow.name);
        if (ir_is_subflow_with_pools(w->unit, m)) return m->subflow.name;
    }
    return NULL;
}

static void put_clear_call(writer *w, const ir_flow *type, const char *place)
{
    put(w, cname_hidden(w, type, "clear"), "(&", place, ");\n");
}

/* A member in the tail may be large. So this clears only what an init would clear. */
static void put_tail_clear(writer *w, const ir_subflow *subflow)
{
    const ir_flow *const type = &w->unit->flows[subflow->flow];
    const char *const place = ARENA_CONCAT(w->names, "flow->", subflow->name);
    if (!ir_has_text(subflow->count)) {
        put(w, "    ");
        put_clear_call(w, type, place);
        return;
    }
    const char *const names = ARENA_CONCAT(w->names, "flow->", cname_stored(w, "names", subflow->name));
    put(w, "    for (uf_u32 uf_index = 0; uf_index < sizeof ", place, " / sizeof *", place,
        "; uf_index++) {\n        ");
    put_clear_call(w, type, ARENA_CONCAT(w->names, place, "[uf_index]"));
    put(w, "        ", names, "[uf_index][0] = 0;\n    }\n");
}

void emit_clear(writer *w, const ir_flow *flow)
{
    if (!flow->has_pools) return;
    put(w, "UF_UNUSED static inline void ", cname_hidden(w, flow, "clear"), "(", flow->name,
        " *flow) /* not its pools' members */\n");
    put(w, "{\n    uf_clear(flow, UF_OFFSET(", flow->name, ", ", first_of_tail(w, flow), "));\n");
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        if (ir_is_subflow_with_pools(w->unit, m)) put_tail_clear(w, &m->subflow);
    }
    put(w, "}\n\n");
}

bool has_tail_subflows(const writer *w, const ir_flow *flow)
{
    for (uint32_t i = 0; i < flow->members.count; i++) {
        if (ir_is_subflow_with_pools(w->unit, &w->unit->members[flow->members.first + i])) return true;
    }
    return false;
}

void put_pool_descriptor(writer *w, const ir_flow *flow)
{
    uint32_t const kept = count_kept(w, flow), pools = count_pools(w, flow, NULL);
    const char *const tail = first_of_tail(w, flow);
    PUT_MEMBER_OF(w, "POOLS", "kept by a member of a pool", kept ? cname_hidden(w, flow, "kept") : "0");
    PUT_MEMBER_OF(w, "POOLS", "number of these", kept);
    PUT_MEMBER_OF(w, "POOLS", "members of pools", offset_of(w, flow, tail, tail));
    PUT_MEMBER_OF(w, "POOLS", "pools", pools ? cname_hidden(w, flow, "pools") : "0");
    PUT_MEMBER_OF(w, "POOLS", "number of pools", pools);
}

/* -- init and release ---------------------------------------------------------------------------------------------- */

void put_pool_init(writer *w, const ir_flow *flow, const ir_init *init)
{
    const char *const name = init->variable.name, *const storage = cname_stored(w, "members", name);
    put_array_limit(w, "    ", init->variable.at, ARENA_CONCAT(w->names, "flow->", storage), "size of pool", name);
    put(w, "    uf_begun = uf_members_init(&flow->", name, ", &flow->uf, &", cname_hidden(w, flow, "pools"), "[",
        count_pools(w, flow, name), "]);\n    if (uf_begun != UF_OK) return uf_begun;\n");
}

void put_pool_releases(writer *w, const ir_flow *flow)
{
    for (uint32_t i = flow->members.count; i-- > 0;) {
        const ir_member *const m = &w->unit->members[flow->members.first + i];
        if (ir_is_pool(m)) put(w, "    uf_members_release(&flow->", m->subflow.name, ");\n");
    }
}

/* -- functions ----------------------------------------------------------------------------------------------------- */

static void emit_ends(writer *w, const ir_flow *flow, const ir_subflow *pool)
{
    const ir_flow *const type = &w->unit->flows[pool->flow];
    subject of = {.flow = flow, .pool = pool};
    put_form(w, &of,
             HEAD_REAP "\n{\n    return uf_members_reap((uf_members *)UF_INSIDE($F, flow, $M), uf_end);\n}\n\n");
    for (uint32_t i = 0; i < type->tasks.count; i++) {
        of.task = &w->unit->tasks[type->tasks.first + i];
        if (!of.task->has_result) continue;
        put_form(w, &of,
                 HEAD_MEMBER_RESULT "\n{\n    return $C_result_$T((const $C *)uf_members_last((const uf_members "
                                    "*)UF_INSIDE($F, flow, $M), uf_index), uf_out);\n}\n\n");
    }
}

void emit_pool(writer *w, const ir_flow *flow, const ir_subflow *pool)
{
    const ir_flow *const type = &w->unit->flows[pool->flow];
    subject of = {.flow = flow, .pool = pool};
    for (uint32_t i = 0; i < type->tasks.count; i++) {
        of.task = &w->unit->tasks[type->tasks.first + i];
        put_form(w, &of, HEAD_SPAWN "$\n{\n    uf_flow *uf_reserved;\n    uf_status const uf_status_of = ");
        put(w, type->is_durable ? "uf_durable_reserve" : "uf_members_reserve");
        put_form(w, &of, "((uf_members *)UF_INSIDE($F, flow, $M), &uf_reserved);$\n    if (uf_status_of != UF_OK");
        put(w, type->is_durable ? " || !uf_reserved" : "");
        put_form(w, &of,
                 ") return uf_status_of;\n"
                 "    return $C_start_$T(($C *)uf_reserved$A);\n}\n\n");
    }
    if (pool->has_ends) emit_ends(w, flow, pool);
    put_form(
        w, &of,
        HEAD_BUSY
        "\n{\n    return uf_members_busy((const uf_members *)UF_INSIDE($F, flow, $M));\n}\n\n" HEAD_LIMIT
        "\n{\n    return uf_members_limit((uf_members *)UF_INSIDE($F, flow, $M), uf_most);\n}\n\n" HEAD_CANCEL_ALL
        "\n{\n    return uf_members_cancel_all((uf_members *)UF_INSIDE($F, flow, $M));\n}\n\n" HEAD_AT
        "\n{\n    return ($C *)uf_members_at((const uf_members *)UF_INSIDE($F, flow, $M), uf_index);\n}\n\n" HEAD_RUN
        "\n{\n    return uf_flow_this_run((uf_flow *)$F_$M_at(flow, uf_index));\n}\n\n");
}
