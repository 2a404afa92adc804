/* SPDX-License-Identifier: MIT */
/* restore.c - the two stages of a restart: what was kept is given to the flows, which are held; then they go on.
 *
 * The records are read twice. First all are checked, so that nothing is changed if one does not fit. */
#include "durable/store.h"

#include "basics/clocks.h"
#include "basics/format.h"

typedef struct restoring {
    uf_store *store;
    uf_restore_report *report;
    uf_status status; /* of the first record that does not fit */
    int64_t wall;     /* now */
    uf_time time;     /* the latest one of all records, with the time that has passed since */
    bool has_wall;
    uint32_t rows;
    ufi_pool_place place;
    uf_link lost; /* runs whose owners do not go on */
} restoring;

/* The first one counts. */
static void refuse(restoring *r, uf_status status, const char *path, const char *const parts[])
{
    if (r->status != UF_OK) return;
    r->status = status;
    (void)ufi_join(r->report->path, sizeof r->report->path, UFI_PARTS(path));
    (void)ufi_join(r->report->text, sizeof r->report->text, parts);
}

/* -- the first pass ------------------------------------------------------------------------------------------------ */

#define CHANGED_HELP ": let the old program finish, or forget this flow"

static void refuse_misfit(restoring *r, const char *path, const ufi_misfit *misfit)
{
    char name[64];
    size_t const length = misfit->length < sizeof name - 1 ? misfit->length : sizeof name - 1;

    (void)memcpy(name, misfit->name, length);
    name[length] = '\0';
    if (misfit->what)
        refuse(r, UF_CHANGED, path, UFI_PARTS(path, ": ", misfit->what, " `", name, "` is gone", CHANGED_HELP));
    else if (misfit->kept)
        refuse(r, UF_CHANGED, path,
               UFI_PARTS(path, ": the ", misfit->kept, " of `", name, "` does not fit into the ", misfit->declared,
                         " that it is now", CHANGED_HELP));
    else refuse(r, UF_STORE, path, UFI_PARTS(path, ": the record is damaged: forget this flow"));
}

/* Logical time goes on from the latest record, and by what has passed since that. */
static void note_time(restoring *r, const ufi_kept *kept, const char *path)
{
    uf_time passed = r->has_wall && kept->has_wall && r->wall > kept->wall ? ufi_time_sub(r->wall, kept->wall) : 0;

    if (passed > r->store->config.max_downtime)
        refuse(r, UF_STORE, path,
               UFI_PARTS(path, ": it was kept too long ago: look at the clock, or forget this flow"));
    if (passed > r->report->downtime) r->report->downtime = passed;
    uf_time const time = uf_time_add(kept->time, passed);
    if (time > r->time) r->time = time;
}

static void check_time(restoring *r, const void *bytes, size_t size)
{
    uf_time time;

    if (!ufi_keep_read_time(bytes, size, &time))
        refuse(r, UF_STORE, "", UFI_PARTS("the record of the time is damaged: forget it, with the path \"\""));
    else if (time > r->time) r->time = time;
}

/* Where the flow is, and to whom its run is owed: each row is read before the first one is restored. */
static void note_place(restoring *r, uf_flow *flow, const ufi_kept *kept)
{
    uf_durable *const durable = ufi_durable(flow);

    durable->run = (uint32_t)kept->run;
    durable->ordinal = (uint32_t)kept->ordinal;
    durable->is_restoring = kept->runs;
    durable->is_untaken = kept->owned || *kept->owner;
    durable->owner = *kept->owner ? ufi_index_find(r->store, kept->owner) : NULL;
    durable->owner_run = (uint32_t)kept->owner_run;
    durable->owner_ordinal = (uint32_t)kept->owner_ordinal;
    durable->owner_arm = (int32_t)kept->owner_arm;
    durable->untaken = (uint32_t)kept->untaken;
    durable->taken = (uint32_t)kept->taken;
    r->rows++;
}

static const ufi_misfit damaged = {.name = ""};

static void refuse_path(restoring *r, const char *path)
{
    refuse(r, UF_CHANGED, path,
           UFI_PARTS(path, ": no durable flow has this path: initialise it, or forget it with uf_store_forget()"));
}

/* Of a member that has ended, or could not be initialised; of a part of one that has ended. */
static void check_place(restoring *r, const char *path, const void *bytes, size_t size)
{
    ufi_kept kept;

    if (!ufi_keep_read_head(&kept, bytes, size)) refuse_misfit(r, path, &damaged);
    else if (r->place.is_inside && ufi_pools_is_gone(&r->place, &kept)) refuse_path(r, path);
    else if (r->place.is_inside) return;
    else if (kept.runs) refuse(r, UF_CHANGED, path, UFI_PARTS(path, ": this member of the pool cannot be initialised"));
    else note_time(r, &kept, path);
}

/* Was the flow kept inside a member whose run has ended? */
static bool is_past(const uf_flow *flow, const void *bytes, size_t size)
{
    ufi_kept kept;

    if (!UF_USES_POOLS || !(flow->rare_flags & UFI_IN_MEMBER)) return false;
    return ufi_keep_read_head(&kept, bytes, size) && ufi_pools_is_past(flow, &kept);
}

static void check_row(void *context, const char *path, const void *bytes, size_t size)
{
    restoring *const r = context;
    uf_flow *const flow = ufi_index_find(r->store, path);
    ufi_kept kept;
    ufi_misfit misfit;

    if (!*path) {
        check_time(r, bytes, size);
    } else if (!flow && ufi_starts_are(path)) {
        if (!ufi_starts_check(bytes, size)) refuse_misfit(r, path, &damaged);
    } else if (!flow && ufi_pools_find(r->store, path, &r->place)) {
        check_place(r, path, bytes, size);
    } else if (!flow) {
        refuse_path(r, path);
    } else if (ufi_durable(flow)->is_open || is_past(flow, bytes, size)) {
        return; /* it was not suspended */
    } else if (!ufi_keep_check(&kept, flow, bytes, size, &misfit)) {
        refuse_misfit(r, path, &misfit);
    } else {
        note_time(r, &kept, path);
        note_place(r, flow, &kept);
    }
}

static void prepare_row(void *context, const char *path, const void *bytes, size_t size)
{
    restoring *const r = context;
    ufi_pools_prepare(r->store, &r->place, path, bytes, size);
}

/* -- the second pass ----------------------------------------------------------------------------------------------- */

static void enter_places(uf_flow *flow, const ufi_kept *kept)
{
    const uf_durable_type *const type = ufi_durable(flow)->type;
    uint16_t const task = flow->type->steps[kept->step].task;

    if (!type->inside_offset) return;
    uf_inside *const inside = (uf_inside *)((uintptr_t)flow + type->inside_offset);
    inside->place = kept->entered ? (uint16_t)(task + 1) : kept->group;
}

/* The words that begin_run() sets for a run that starts. */
static void begin_run(uf_flow *flow, const ufi_kept *kept)
{
    uf_pump *const pump = flow->pump;

    flow->flags = (uint16_t)(kept->entered ? UFI_ENTERED : UFI_ENTERING);
    if (!kept->entered && kept->group) ufi_flag_set(flow, UFI_ENTERED); /* the groups are left after a cancel */
    ufi_begin_change(flow);
    ufp_store_time_release(&flow->entered, kept->since);
    ufp_store_release(&flow->state, kept->step);
    ufp_store_release(&flow->ordinal, (uint32_t)kept->ordinal);
    ufp_store_release(&flow->ticks, 0);
    ufp_store(&pump->running, pump->running + 1);
}

static void restore_run(uf_flow *flow, const ufi_kept *kept)
{
    uf_durable *const durable = ufi_durable(flow);
    const struct uf_preempting *const own = durable->type->preempting;
    uint16_t const task = flow->type->steps[kept->step].task;

    durable->run = flow->run;
    durable->ordinal = (uint32_t)kept->ordinal;
    durable->restored = (uint32_t)kept->restored + 1;
    durable->is_held = durable->is_restoring = durable->must_put = true;
    begin_run(flow, kept);
    if (kept->entered) durable->type->prepare(flow);
    ufi_keep_read_task(kept, flow);
    enter_places(flow, kept);
    if (!ufi_preempt_count(flow)) return;
    own->note_epochs(flow);
    own->arm(flow, task);
    ufi_keep_read_timeouts(kept, flow);
    ufi_rare_flag_put(flow, UFI_GUARDED, true);
}

static void tell(uf_flow *flow)
{
    uf_pump *const pump = flow->pump;
    if (ufi_is_observed(pump)) pump->notify->restored(flow, ufi_durable(flow)->restored);
}

/* Is the flow at the step to which it owes the run of a child? A companion lasts as long as its task. */
static bool owes(const uf_flow *owner, const uf_durable *child)
{
    const uf_durable *const durable = ufi_durable(owner);
    return durable->is_restoring && durable->run == child->owner_run &&
           (child->owner_arm < 0 || durable->ordinal == child->owner_ordinal);
}

/* Will an arm of its owner take the run, or its end? Not if the owner's own run is lost. */
static bool is_awaited(const restoring *r, const uf_flow *flow)
{
    uint32_t steps = 0;

    if (!ufi_durable(flow)->is_untaken) return false;
    while (ufi_durable(flow)->is_untaken) { /* damaged records may form a cycle */
        const uf_durable *const child = ufi_durable(flow);
        if (!child->owner || !owes(child->owner, child) || steps++ > r->rows) return false;
        flow = child->owner;
    }
    return true;
}

/* The words that tell it were set by note_place(). */
static void restore_debt(uf_flow *flow, bool is_owed, bool runs)
{
    uf_durable *const durable = ufi_durable(flow);

    durable->is_awaited = is_owed;
    ufp_store(&durable->is_owed, is_owed && !runs);
}

static void add_lost(restoring *r, uf_durable *durable)
{
    durable->is_released = true; /* it is on a list */
    ufi_list_insert(&r->lost, &durable->waiting);
}

static uf_durable *lost_of(const uf_link *link)
{
    return (uf_durable *)((uintptr_t)link - offsetof(uf_durable, waiting));
}

/* Moves the owners of each lost run behind it. Damaged records may form a cycle. */
static void put_owners_last(restoring *r)
{
    uf_link *link = r->lost.next;

    for (uint32_t passed = 0; link != &r->lost && passed < r->rows; passed++, link = link->next) {
        const uf_flow *owner = lost_of(link)->owner;
        for (uint32_t steps = 0; owner && steps < r->rows; steps++) {
            uf_durable *const durable = ufi_durable(owner);
            if (!durable->is_released || &durable->waiting == link) break;
            ufi_list_remove(&durable->waiting);
            ufi_list_insert(&r->lost, &durable->waiting);
            owner = durable->owner;
        }
    }
}

/* The end of each takes it off the list. */
static void cancel_lost(restoring *r)
{
    while (!ufi_list_empty(&r->lost)) ufi_owed_lose(ufi_flow_of_durable(lost_of(r->lost.next)));
}

static void restore_row(void *context, const char *path, const void *bytes, size_t size)
{
    restoring *const r = context;
    uf_flow *const flow = ufi_index_find(r->store, path);
    ufi_kept kept;
    ufi_misfit misfit;

    if (!flow && ufi_starts_are(path)) {
        ufi_starts_read(r->store, path, bytes, size);
        return;
    }
    if (!flow && *path) r->report->idle++;
    if (!flow || ufi_durable(flow)->is_open || is_past(flow, bytes, size)) return;
    if (!ufi_keep_check(&kept, flow, bytes, size, &misfit)) return;
    bool const is_owed = is_awaited(r, flow), goes_on = kept.runs && (is_owed || !ufi_durable(flow)->is_untaken);
    bool const is_lost = kept.runs && !goes_on;
    ufi_durable(flow)->is_suspended = false;
    ufi_keeping_note(flow);
    ufi_keep_read_fields(&kept, flow);
    ufp_store(&flow->run, (uint32_t)kept.run);
    ufi_durable(flow)->kept_run = (uint32_t)kept.run;
    ufp_store_byte_release(&flow->outcome, (uint8_t)kept.outcome);
    ufp_store(&flow->state, UF_STATE_IDLE | kept.step);
    restore_debt(flow, is_owed, goes_on);
    if (kept.runs) restore_run(flow, &kept);
    else if (kept.untaken) ufp_store_time_release(&flow->entered, kept.time); /* the order of the ends */
    if (is_lost) add_lost(r, ufi_durable(flow));
    if (goes_on) r->report->restored++;
    else if (is_lost) r->report->lost++;
    else r->report->idle++;
}

/* -- the stages ---------------------------------------------------------------------------------------------------- */

static void move_clock(uf_pump *pump, uf_time time)
{
    uf_clock *const clock = ufi_host(pump) ? ufi_host(pump)->take_clock(pump) : &pump->clock;

    if (clock->logical < time) clock->logical = time;
    if (ufi_host(pump)) ufi_host(pump)->give_clock(pump, true);
    if (pump->clock.logical < time) pump->clock.logical = time;
}

static uf_status load_all(restoring *r, void (*row)(void *context, const char *path, const void *bytes, size_t size))
{
    uf_store *const store = r->store;
    uf_status const status = store->is_failed ? UF_STORE : store->kind->load(store, row, r);

    if (status != UF_OK)
        refuse(r, UF_STORE, "", UFI_PARTS(store->is_failed ? store->failure : "store: cannot be read"));
    return r->status;
}

/* The last step: the words that others are judged by change. */
static void link_debts(uf_store *store)
{
    for (uf_flow *flow = NULL; (flow = ufi_index_next(store, flow)) != NULL;) {
        uf_durable *const durable = ufi_durable(flow);
        uf_flow *const owner = durable->owner;
        durable->owner = NULL;
        durable->is_untaken = durable->is_awaited;
        if (durable->is_awaited) ufi_owed_link(flow, owner);
        durable->is_awaited = false;
        durable->is_restoring &= durable->is_held;
    }
}

/* What restore_run() has begun. */
static void take_back(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);
    size_t const inside = durable->type->inside_offset;

    ufi_store_leave(flow); /* those that are lost */
    durable->is_held = durable->must_put = false;
    if (ufi_preempt_count(flow)) durable->type->preempting->disarm(flow);
    if (inside) ((uf_inside *)((uintptr_t)flow + inside))->place = 0;
    flow->flags = 0;
    ufp_store_byte_release(&flow->outcome, UF_NEVER_RAN);
    ufp_store_release(&flow->state, UF_STATE_IDLE);
    ufp_store(&flow->pump->running, flow->pump->running - 1);
}

/* An attempt has failed: no flow runs, and another attempt may follow. */
static uf_status give_up(const restoring *r)
{
    for (uf_flow *flow = NULL; (flow = ufi_index_next(r->store, flow)) != NULL;) {
        uf_durable *const durable = ufi_durable(flow);
        if (durable->is_held) take_back(flow);
        durable->owner = NULL;
        durable->run = durable->ordinal = 0;
        durable->is_untaken = durable->is_awaited = durable->is_restoring = false;
    }
    ufi_pools_free(r->store, true);
    return r->status;
}

static uf_status restore(restoring *r)
{
    uf_store *const store = r->store;

    if (store->is_restored) refuse(r, UF_BUSY, "", UFI_PARTS("the store was restored before"));
    else if (store->is_restoring) refuse(r, UF_BUSY, "", UFI_PARTS("the store is being restored"));
    if (r->status == UF_OK && store->config.wall) {
        r->has_wall = store->config.wall(store->config.context, &r->wall);
        if (!r->has_wall) refuse(r, UF_BUSY, "", UFI_PARTS("the time of day is not known yet: try again later"));
    }
    if (r->status != UF_OK) return r->status;
    store->is_restoring = true;
    if (load_all(r, prepare_row) == UF_OK) (void)load_all(r, check_row);
    store->is_restoring = false;
    if (r->status != UF_OK) return give_up(r);
    ufi_pools_free(store, false);
    move_clock(store->pump, r->time);
    if (load_all(r, restore_row) != UF_OK) return give_up(r);
    put_owners_last(r);
    link_debts(store);
    ufi_pools_restore_ends(store);
    store->is_restored = true;
    ufp_store(&store->is_open, 1);
    ufi_store_begin_tick(store);
    for (uf_flow *flow = NULL; (flow = ufi_index_next(store, flow)) != NULL;) ufp_store(&ufi_durable(flow)->is_open, 1);
    for (uf_flow *flow = NULL; (flow = ufi_index_next(store, flow)) != NULL;) {
        if (!ufi_durable(flow)->is_restoring) continue; /* observers may release those that are still held */
        tell(flow);
        if (ufi_durable(flow)->is_held) ufi_keeping_tell(flow, UF_KEEPING_HELD);
    }
    cancel_lost(r);
    (void)ufi_format_args(r->report->text, sizeof r->report->text, "%u restored, %u idle, %u lost their owners",
                          (unsigned)r->report->restored, (unsigned)r->report->idle, (unsigned)r->report->lost);
    return UF_OK;
}

static void restore_there(void *argument)
{
    restoring *const r = argument;
    r->status = restore(r);
}

/* On the pump's thread: here, if the caller drives the pump. */
static uf_status run_there(uf_store *store, void (*function)(void *argument), void *argument)
{
    uf_pump *const pump = store->pump;

    if (ufi_on_pump_thread(pump)) function(argument);
    else if (ufi_host(pump)) return ufi_host(pump)->run(pump, function, argument);
    else return UF_UNSUPPORTED;
    return UF_OK;
}

uf_status uf_store_restore(uf_store *store, uf_restore_report *report)
{
    uf_restore_report own;
    restoring r = {.store = store, .report = report ? report : &own, .time = INT64_MIN};

    *r.report = (uf_restore_report){.text = ""};
    ufi_list_init(&r.lost);
    if (!store || !store->pump) return UF_INVALID;
    uf_status const status = run_there(store, restore_there, &r);
    return status == UF_OK ? r.status : status;
}

typedef struct request {
    uf_store *store;
    const char *path;
    uf_status status;
    uint64_t put; /* the number of its put */
} request;

/* Returns: false if it is not held, or was released before. */
static bool release_flow(uf_flow *flow)
{
    uf_durable const *const durable = ufi_durable(flow);

    if (!durable->is_held || durable->is_released) return false;
    ufi_store_release(flow);
    return true;
}

static void release(void *argument)
{
    request *const r = argument;
    uf_store *const store = r->store;

    r->status = UF_BUSY;
    if (!store->is_restored) return;
    r->status = UF_OK;
    if (r->path) {
        uf_flow *const flow = ufi_index_find(store, r->path);
        if (!flow || !release_flow(flow)) r->status = UF_STALE;
        return;
    }
    for (uf_flow *flow = NULL; (flow = ufi_index_next(store, flow)) != NULL;) (void)release_flow(flow);
}

uf_status uf_store_release(uf_store *store, const char *path)
{
    request r = {.store = store, .path = path};
    if (!store || !store->pump) return UF_INVALID;
    uf_status const status = run_there(store, release, &r);
    return status == UF_OK ? r.status : status;
}

/* UF_TIMED_OUT: it is not committed yet. */
static void look(void *argument)
{
    request *const r = argument;

    ufi_store_look(r->store);
    r->status = r->store->is_failed ? UF_STORE : r->store->kept < r->put ? UF_TIMED_OUT : UF_OK;
}

/* While observers are notified of an event, some records of a transaction may have been put, and others not yet. */
static void forget(void *argument)
{
    request *const r = argument;
    uf_store *const store = r->store;
    uf_flow const *const flow = ufi_index_find(store, r->path);

    bool const is_busy = ufi_is_telling(store->pump) || (flow && uf_flow_running(flow));
    r->status = store->is_failed ? UF_STORE : is_busy ? UF_BUSY : UF_OK;
    if (r->status == UF_OK) r->status = store->kind->put(store, r->path, "", 0);
    if (r->status != UF_OK) return;
    ufi_store_note_put(store);
    ufi_starts_forget(store, r->path);
    r->put = store->puts;
    look(r);
}

/* The store commits on a thread of its own: this one waits, and has the pump look again. */
uf_status uf_store_forget(uf_store *store, const char *path)
{
    request r = {.store = store, .path = path};
    if (!store || !store->pump || !path) return UF_INVALID;
    uf_status status = run_there(store, forget, &r);
    while (status == UF_OK && r.status == UF_TIMED_OUT && store->kind->wait) {
        if (store->kind->wait(store) != UF_OK) break;
        status = run_there(store, look, &r);
    }
    return status == UF_OK ? r.status : status;
}
