/* SPDX-License-Identifier: MIT */
/* Declarations that code outside of steps can reach: signals, checkpoints, mailboxes, workers, jobs. */
#include "tables.h"
#include "words.h"

/* -- signals and checkpoints --------------------------------------------------------------------------------------- */

static uint32_t add_point(lowering *l, const ast_point *from, bool is_checkpoint)
{
    ir_point const point = {.name = from->name.name,
                            .at = from->name.at,
                            .count = from->size,
                            .size = lower_text(from->count),
                            .is_checkpoint = is_checkpoint,
                            .in_flow = from->flow != NULL};
    uint32_t const index = TABLE_ADD(l, points, point_count, point);
    place_set(l, from, index);
    return index;
}

uint32_t lower_point_index(lowering *l, const ast_point *point)
{
    uint32_t const known = place_of(l, point);
    return known != IR_NONE ? known : add_point(l, point, false); /* a point of another file: only its name is needed */
}

void lower_file_points(lowering *l, const ast_file *file)
{
    for (const ast_point *p = file->signals; p; p = p->next) add_point(l, p, false);
    for (const ast_point *p = file->checkpoints; p; p = p->next) add_point(l, p, true);
    l->unit->own_point_count = l->unit->point_count;
}

static void add_init(lowering *l, ir_init_kind kind, const ast_ident *name, uint32_t index)
{
    TABLE_ADD(l, inits, init_count,
              (ir_init){.kind = kind,
                        .variable = {.name = name->name, .before = "", .after = "", .at = name->at},
                        .flow = IR_NONE,
                        .index = index});
}

void lower_point_member(lowering *l, const ast_point *point, bool is_checkpoint)
{
    uint32_t const index = add_point(l, point, is_checkpoint);
    TABLE_ADD(l, members, member_count, (ir_member){.kind = IR_MEMBER_POINT, .index = index});
    add_init(l, IR_INIT_POINT, &point->name, index);
}

/* -- mailboxes ----------------------------------------------------------------------------------------------------- */

void lower_mailbox_member(lowering *l, const ast_mailbox *mailbox, uint32_t flow)
{
    uint32_t const index = TABLE_ADD(l, mailboxes, mailbox_count,
                                     (ir_mailbox){.item = lower_item(l, mailbox),
                                                  .flow = flow,
                                                  .capacity = range_span(mailbox->capacity),
                                                  .drop = mailbox->drop.name,
                                                  .drop_at = mailbox->drop.at});
    TABLE_ADD(l, members, member_count, (ir_member){.kind = IR_MEMBER_MAILBOX, .index = index});
    place_set(l, mailbox, index);
    add_init(l, IR_INIT_MAILBOX, &mailbox->item->name, index);
}

/* -- workers and jobs ---------------------------------------------------------------------------------------------- */

static void lower_stub(lowering *l, const ast_worker *from, ir_worker *stub)
{
    stub->stub_in = from->stub_in->name.name;
    stub->target_name = from->name.name;
    stub->target = from->target->name.at;
    stub->name = arena_printf(l->arena, "%s_%s", stub->stub_in, from->name.name);
}

void lower_workers(lowering *l, const ast_worker *list, bool with_stubs)
{
    for (const ast_worker *from = list; from; from = from->next) {
        ir_worker worker = {.name = from->name.name, .at = from->name.at};
        if (from->stub_in && !with_stubs) continue;
        if (from->stub_in) lower_stub(l, from, &worker);
        worker.params = lower_variables(l, from->params);
        bool const is_word = from->result.end == from->result.first + 1;
        worker.has_result = !(is_word && token_is(from->result.list, from->result.first, "void"));
        worker.result = lower_type(l, from->result);
        worker.drop = from->drop.name;
        worker.limit = lower_text(from->limit);
        uint32_t const index = TABLE_ADD(l, workers, worker_count, worker);
        place_set(l, from, index);
        ir_body const body = lower_worker_body(l, from, index);
        l->unit->workers[index].body = body;
    }
}

void lower_jobs(lowering *l, const ast_job *list, uint32_t task)
{
    uint32_t const first = l->unit->job_count;
    for (const ast_job *from = list; from; from = from->next) {
        ir_job const job = {.name = from->name.name,
                            .at = from->name.at,
                            .count = lower_text(from->count),
                            .task = task,
                            .worker = place_of(l, from->worker)};
        place_set(l, from, TABLE_ADD(l, jobs, job_count, job));
    }
    l->unit->tasks[task].jobs = (ir_range){first, l->unit->job_count - first};
}
