/* What is reached from outside of a step: signals, checkpoints, mailboxes, workers and the handles on their jobs. */
#include "tables.h"
#include "words.h"

/* -- signals and checkpoints ------------------------------------------------------------------------------------------- */

static uint32_t add_point(lowering *l, const ast_point *from, bool is_checkpoint)
{
    l->points = table_grow(l->arena, l->points, l->unit->point_count, sizeof *l->points);
    uint32_t const index = TABLE_ADD(l, points, point_count);
    l->points[index] = from;
    l->unit->points[index] = (ir_point){.name = from->name.name,
                                        .at = from->name.at,
                                        .is_checkpoint = is_checkpoint,
                                        .in_flow = from->flow != NULL};
    return index;
}

uint32_t lower_point_index(lowering *l, const ast_point *point)
{
    for (uint32_t i = 0; i < l->unit->point_count; i++) {
        if (l->points[i] == point) return i;
    }
    return add_point(l, point, false); /* another file's, of which only the name is needed */
}

void lower_file_points(lowering *l, const ast_file *file)
{
    for (const ast_point *p = file->signals; p; p = p->next) add_point(l, p, false);
    for (const ast_point *p = file->checkpoints; p; p = p->next) add_point(l, p, true);
    l->unit->own_point_count = l->unit->point_count;
}

static void add_init(lowering *l, ir_init_kind kind, const ast_ident *name)
{
    uint32_t const index = TABLE_ADD(l, inits, init_count);
    l->unit->inits[index] = (ir_init){
        .kind = kind, .variable = {.name = name->name, .before = "", .after = "", .at = name->at}, .flow = IR_NONE};
}

void lower_point_member(lowering *l, const ast_point *point, bool is_checkpoint)
{
    uint32_t const index = add_point(l, point, is_checkpoint);
    uint32_t const member = TABLE_ADD(l, members, member_count);
    l->unit->members[member] = (ir_member){.kind = IR_MEMBER_POINT, .index = index};
    add_init(l, is_checkpoint ? IR_INIT_CHECKPOINT : IR_INIT_SIGNAL, &point->name);
}

/* -- mailboxes ----------------------------------------------------------------------------------------------------------- */

void lower_mailbox_member(lowering *l, const ast_mailbox *mailbox)
{
    uint32_t const index = TABLE_ADD(l, mailboxes, mailbox_count);
    l->unit->mailboxes[index] =
        (ir_mailbox){.item = lower_item(l, mailbox), .capacity = range_span(mailbox->capacity)};
    uint32_t const member = TABLE_ADD(l, members, member_count);
    l->unit->members[member] = (ir_member){.kind = IR_MEMBER_MAILBOX, .index = index};
    add_init(l, IR_INIT_MAILBOX, &mailbox->item->name);
}

uint32_t lower_mailbox_index(lowering *l, uint32_t flow, const ast_mailbox *mailbox)
{
    ir_range const members = l->unit->flows[flow].members;
    for (uint32_t i = members.first; i < members.first + members.count; i++) {
        const ir_member *const m = &l->unit->members[i];
        const bool is_it =
            m->kind == IR_MEMBER_MAILBOX && l->unit->mailboxes[m->index].item.name == mailbox->item->name.name;
        if (is_it) return m->index;
    }
    return IR_NONE;
}

/* -- workers and jobs ---------------------------------------------------------------------------------------------------- */

void lower_workers(lowering *l, const ast_worker *list)
{
    for (const ast_worker *from = list; from; from = from->next) {
        ir_worker worker = {.name = from->name.name, .at = from->name.at};
        worker.params = lower_variables(l, from->params);
        bool const is_word = from->result.end == from->result.first + 1;
        worker.has_result = !(is_word && token_is(from->result.list, from->result.first, "void"));
        worker.result = lower_type(l, from->result);
        l->workers = table_grow(l->arena, l->workers, l->unit->worker_count, sizeof *l->workers);
        uint32_t const index = TABLE_ADD(l, workers, worker_count);
        l->workers[index] = from;
        l->unit->workers[index] = worker;
        ir_body const body = lower_worker_body(l, from, index);
        l->unit->workers[index].body = body;
    }
}

static uint32_t worker_index(const lowering *l, const ast_worker *worker)
{
    for (uint32_t i = 0; i < l->unit->worker_count; i++) {
        if (l->workers[i] == worker) return i;
    }
    return IR_NONE;
}

void lower_jobs(lowering *l, const ast_job *list, uint32_t task)
{
    uint32_t const first = l->unit->job_count;
    for (const ast_job *from = list; from; from = from->next) {
        uint32_t const index = TABLE_ADD(l, jobs, job_count);
        l->unit->jobs[index] =
            (ir_job){.name = from->name.name, .at = from->name.at, .worker = worker_index(l, from->worker)};
    }
    l->unit->tasks[task].jobs = (ir_range){first, l->unit->job_count - first};
}

uint32_t lower_job_index(lowering *l, uint32_t task, const ast_job *job)
{
    ir_range const jobs = l->unit->tasks[task].jobs;
    for (uint32_t i = jobs.first; i < jobs.first + jobs.count; i++) {
        if (l->unit->jobs[i].name == job->name.name) return i;
    }
    return IR_NONE;
}
