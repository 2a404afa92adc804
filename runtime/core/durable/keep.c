/* SPDX-License-Identifier: MIT */
/* keep.c - see keep.h. */
#include "durable/store.h"

#include "basics/format.h"
#include "basics/wheel.h"
#include "waits/arms.h"

/* -- a record ------------------------------------------------------------------------------------------------------ */

uint16_t ufi_keep_group(const uf_flow *flow)
{
    const uf_durable_type *const type = ufi_durable(flow)->type;
    if (!type->inside_offset) return 0;
    uint16_t place = ((const uf_inside *)((uintptr_t)flow + type->inside_offset))->place;

    while (place && place <= flow->type->task_count) place = flow->type->tasks[place - 1].group;
    return place;
}

/* The deadline of a handler `on timeout` that is armed; false: it is none. A real one: what is left of it. */
static bool timeout_of(const uf_flow *flow, unsigned which, uf_time *time)
{
    const uf_arm *const arm = ufi_preempts(flow) + which;

    if (arm->kind != UF_ARM_ON_TIMEOUT && arm->kind != UF_ARM_ON_TIMEOUT_REAL) return false;
    *time = arm->on.deadline;
    if (arm->kind == UF_ARM_ON_TIMEOUT_REAL && *time != UF_FOREVER) *time -= ufi_real_time(flow->pump);
    return true;
}

/* Its number among the handlers of its place that are for no signal. */
static unsigned number_of(const uf_flow_type *type, unsigned which)
{
    unsigned number = 0;

    for (unsigned i = 0; i < which; i++) {
        const uf_preempt_info *const info = &type->preempts[i];
        number += info->task == type->preempts[which].task && !info->signal && !info->offset;
    }
    return number;
}

/* A list of rows: the place of a handler, its number there, whether it is real, its time. */
static void write_timeouts(ufi_cbor_out *out, const uf_flow *flow)
{
    const uf_flow_type *const type = flow->type;
    unsigned count = 0;
    uf_time time;

    for (unsigned i = 0; i < ufi_preempt_count(flow); i++) count += timeout_of(flow, i, &time);
    ufi_cbor_put_array(out, count);
    for (unsigned i = 0; i < ufi_preempt_count(flow); i++) {
        if (!timeout_of(flow, i, &time)) continue;
        ufi_cbor_put_array(out, 4);
        ufi_cbor_put_name(out, ufi_name_of_task(&type->tasks[type->preempts[i].task]));
        ufi_cbor_put_uint(out, number_of(type, i));
        ufi_cbor_put_bool(out, ufi_preempts(flow)[i].kind == UF_ARM_ON_TIMEOUT_REAL);
        ufi_cbor_put_int(out, time);
    }
}

/* A record has dozens of keys: the compiler counts their characters. */
#define KEY(text) (text), sizeof(text) - 1

static void put_pair_uint(ufi_cbor_out *out, const char *key, size_t length, uint64_t value)
{
    ufi_cbor_put_key(out, key, length);
    ufi_cbor_put_uint(out, value);
}

static void put_pair_int(ufi_cbor_out *out, const char *key, size_t length, int64_t value)
{
    ufi_cbor_put_key(out, key, length);
    ufi_cbor_put_int(out, value);
}

static void put_pair_text(ufi_cbor_out *out, const char *key, size_t length, const char *value)
{
    ufi_cbor_put_key(out, key, length);
    ufi_cbor_put_text(out, value, ufi_length(value));
}

static void put_pair_bool(ufi_cbor_out *out, const char *key, size_t length, bool value)
{
    ufi_cbor_put_key(out, key, length);
    ufi_cbor_put_bool(out, value);
}

static void write_run(ufi_cbor_out *out, const uf_flow *flow, bool entered)
{
    const uf_durable *const durable = ufi_durable(flow);
    uint16_t const group = ufi_keep_group(flow);

    put_pair_uint(out, KEY("ordinal"), flow->ordinal);
    put_pair_int(out, KEY("since"), flow->entered);
    put_pair_bool(out, KEY("entered"), entered);
    put_pair_uint(out, KEY("restored"), durable->restored);
    put_pair_bool(out, KEY("owned"), UF_USES_RUNS && ufi_is_run_by_another(flow));
    put_pair_text(out, KEY("group"), group ? ufi_name_of_task(&flow->type->tasks[group - 1]) : "");
    ufi_cbor_put_key(out, KEY("timeouts"));
    write_timeouts(out, flow);
}

/* What may be long comes last, so that a search for another key does not pass over it. */
static void write_values(ufi_cbor_out *out, const uf_flow *flow, uint32_t state, uf_outcome outcome, bool runs)
{
    const uf_durable_type *const type = ufi_durable(flow)->type;
    uint16_t const task = ufi_step_of(flow, state)->task;
    const uint8_t *const from = (const uint8_t *)flow;

    ufi_cbor_put_key(out, KEY("fields"));
    ufi_values_write(out, type->fields, type->field_count, from);
    ufi_cbor_put_key(out, KEY("results"));
    ufi_values_write_of(out, type->results, outcome == UF_DONE ? type->result_count : 0, task, from);
    if (!runs) return;
    ufi_cbor_put_key(out, KEY("self"));
    ufi_values_write_of(out, type->task, type->task_count, task, from);
    ufi_cbor_put_key(out, KEY("arguments"));
    ufi_values_write_of(out, type->arguments, type->argument_count, state & UF_STATE_STEP, from);
}

/* To whom the end of the run is owed. Not of a run that its owner has cancelled: it is put with the owner's record. */
static void write_owner(ufi_cbor_out *out, const uf_durable *durable)
{
    char path[UF_STORE_PATH_SIZE] = "";

    if (durable->owner && !durable->is_deferred) (void)uf_flow_path(durable->owner, path, sizeof path);
    put_pair_text(out, KEY("owner"), path);
    put_pair_uint(out, KEY("owner run"), durable->owner_run);
    put_pair_uint(out, KEY("owner ordinal"), durable->owner_ordinal);
    put_pair_int(out, KEY("owner arm"), durable->owner_arm);
}

#define PAIRS_ALWAYS 14
#define PAIRS_OF_RUN 9
#define PAIRS_OF_END 2

void ufi_keep_write(ufi_cbor_out *out, const uf_flow *flow, uint32_t state, bool runs, bool entered)
{
    const uf_durable *const durable = ufi_durable(flow);
    uf_outcome const outcome = durable->outcome != UF_RUNNING ? (uf_outcome)durable->outcome
                               : runs                         ? UF_RUNNING
                                                              : (uf_outcome)flow->outcome;
    const uf_step_info *const step = ufi_step_of(flow, state);
    bool const is_lost = outcome == UF_CANCELLED && ufi_owed_is_lost(flow);
    char const *const reason = outcome == UF_FAILED ? ufi_reason_buffer(flow) : is_lost ? UFI_OWNER_LOST : NULL;
    const uf_store_config *const config = &durable->store->config;
    int64_t wall = 0;
    bool const has_wall = config->wall && config->wall(config->context, &wall);
    uint32_t const taker = runs ? 0 : ufi_ends_taker(flow), within = ufi_keep_within(flow);

    ufi_cbor_put_map(out, PAIRS_ALWAYS + (has_wall ? 1u : 0u) + (within ? 1u : 0u) + (runs ? PAIRS_OF_RUN : 0u) +
                              (taker ? PAIRS_OF_END : 0u));
    put_pair_text(out, KEY("type"), flow->type->name);
    put_pair_uint(out, KEY("run"), flow->run);
    put_pair_text(out, KEY("task"), ufi_name_of_task(&flow->type->tasks[step->task]));
    put_pair_text(out, KEY("step"), ufi_name_of_step(step));
    put_pair_uint(out, KEY("outcome"), outcome);
    put_pair_text(out, KEY("reason"), reason ? reason : "");
    put_pair_int(out, KEY("time"), flow->pump->clock.logical);
    if (has_wall) put_pair_int(out, KEY("wall"), wall);
    if (within) put_pair_uint(out, KEY("within"), within);
    write_owner(out, durable);
    put_pair_bool(out, KEY("runs"), runs);
    if (runs) write_run(out, flow, entered);
    if (taker) put_pair_uint(out, KEY("untaken"), taker);
    if (taker) put_pair_uint(out, KEY("taken"), durable->taken);
    write_values(out, flow, state, outcome, runs);
}

void ufi_keep_write_time(ufi_cbor_out *out, uf_time time)
{
    ufi_cbor_put_map(out, 1);
    put_pair_int(out, KEY("time"), time);
}

/* -- reading a record ---------------------------------------------------------------------------------------------- */

static ufi_cbor_item find(const ufi_kept *kept, const char *key)
{
    ufi_cbor_in at;
    return ufi_cbor_find(&kept->map, kept->pairs, key, &at) ? ufi_cbor_take(&at)
                                                            : (ufi_cbor_item){UFI_CBOR_NONE, 0, NULL};
}

static bool find_uint(const ufi_kept *kept, const char *key, uint64_t most, uint64_t *value)
{
    ufi_cbor_item const item = find(kept, key);
    *value = item.number;
    return item.kind == UFI_CBOR_UINT && item.number <= most;
}

static bool find_int(const ufi_kept *kept, const char *key, int64_t *value)
{
    ufi_cbor_item const item = find(kept, key);
    *value = (int64_t)(item.kind == UFI_CBOR_NEGATIVE ? ~item.number : item.number);
    return (item.kind == UFI_CBOR_UINT || item.kind == UFI_CBOR_NEGATIVE) && item.number <= INT64_MAX;
}

static bool find_bool(const ufi_kept *kept, const char *key, bool *value)
{
    ufi_cbor_item const item = find(kept, key);
    *value = item.number != 0;
    return item.kind == UFI_CBOR_BOOL;
}

static bool misfits(ufi_misfit *misfit, const char *what, const ufi_cbor_item *name)
{
    bool const has_name = name && ufi_values_is_text(name);
    *misfit = (ufi_misfit){
        .what = what, .name = has_name ? (const char *)name->at : "", .length = has_name ? (size_t)name->number : 0};
    return false;
}

static bool check_step(ufi_kept *kept, const uf_flow_type *type, ufi_misfit *misfit)
{
    ufi_cbor_item const task = find(kept, "task"), step = find(kept, "step");
    bool has_task = false;

    for (unsigned i = 0; i < type->step_count; i++) {
        bool const is_task = ufi_cbor_is_name(&task, ufi_name_of_task(&type->tasks[type->steps[i].task]));
        has_task |= is_task;
        if (!is_task || !ufi_cbor_is_name(&step, ufi_name_of_step(&type->steps[i]))) continue;
        kept->step = (uint16_t)i;
        return true;
    }
    if (!kept->runs) return true; /* where a run has ended needs no place */
    return misfits(misfit, has_task ? "the step" : "the task", has_task ? &step : &task);
}

static bool check_group(ufi_kept *kept, const uf_flow_type *type, ufi_misfit *misfit)
{
    ufi_cbor_item const name = find(kept, "group");
    uint16_t place = type->tasks[type->steps[kept->step].task].group;

    if (name.kind == UFI_CBOR_TEXT && name.number == 0) return true;
    while (place && !ufi_cbor_is_name(&name, ufi_name_of_task(&type->tasks[place - 1])))
        place = type->tasks[place - 1].group;
    kept->group = place;
    return place != 0 || misfits(misfit, "the group", &name);
}

static bool read_owner(ufi_kept *kept)
{
    ufi_cbor_item const path = find(kept, "owner");

    if (path.kind != UFI_CBOR_TEXT || path.number >= sizeof kept->owner) return false;
    (void)memcpy(kept->owner, path.at, (size_t)path.number);
    return find_uint(kept, "owner run", UINT32_MAX, &kept->owner_run) &&
           find_uint(kept, "owner ordinal", UINT32_MAX, &kept->owner_ordinal) &&
           find_int(kept, "owner arm", &kept->owner_arm) && kept->owner_arm >= INT32_MIN &&
           kept->owner_arm <= INT32_MAX;
}

/* Reads or checks the map of this key. */
static bool read_part(const ufi_kept *kept, const char *key, const uf_kept_row *rows, unsigned count, int place,
                      uint8_t *to, ufi_misfit *misfit)
{
    ufi_cbor_in at;
    return ufi_cbor_find(&kept->map, kept->pairs, key, &at) && ufi_values_read(&at, rows, count, place, to, misfit);
}

static bool read_results(const ufi_kept *kept, const uf_durable_type *type, int task, uint8_t *to, ufi_misfit *misfit)
{
    return read_part(kept, "results", type->results, type->result_count, task, to, misfit);
}

static bool read_run(const ufi_kept *kept, const uf_durable_type *type, int task, uint8_t *to, ufi_misfit *misfit)
{
    return read_part(kept, "self", type->task, type->task_count, task, to, misfit) &&
           read_part(kept, "arguments", type->arguments, type->argument_count, kept->step, to, misfit);
}

/* A row of write_timeouts(). Returns: false if it is none. */
typedef struct timeout {
    ufi_cbor_item place;
    uint64_t number;
    bool is_real;
    uf_time time;
} timeout;

static bool read_timeout(ufi_cbor_in *in, timeout *one)
{
    ufi_cbor_item const row = ufi_cbor_take(in), place = ufi_cbor_take(in), number = ufi_cbor_take(in);
    ufi_cbor_item const is_real = ufi_cbor_take(in), time = ufi_cbor_take(in);
    bool const is_negative = time.kind == UFI_CBOR_NEGATIVE;

    one->place = place;
    one->number = number.number;
    one->is_real = is_real.number != 0;
    one->time = (uf_time)(is_negative ? ~time.number : time.number);
    return row.kind == UFI_CBOR_ARRAY && row.number == 4 && place.kind == UFI_CBOR_TEXT &&
           number.kind == UFI_CBOR_UINT && is_real.kind == UFI_CBOR_BOOL &&
           (is_negative || time.kind == UFI_CBOR_UINT) && time.number <= INT64_MAX;
}

static bool check_times(const ufi_kept *kept)
{
    ufi_cbor_in at;
    timeout one;

    if (!ufi_cbor_find(&kept->map, kept->pairs, "timeouts", &at)) return false;
    ufi_cbor_item const list = ufi_cbor_take(&at);
    for (uint64_t i = 0; i < list.number && list.kind == UFI_CBOR_ARRAY; i++) {
        if (!read_timeout(&at, &one)) return false;
    }
    return list.kind == UFI_CBOR_ARRAY;
}

static bool check_run(ufi_kept *kept, const uf_durable_type *type, const uf_flow_type *flow, ufi_misfit *misfit)
{
    bool const is_whole = find_uint(kept, "ordinal", UINT32_MAX, &kept->ordinal) &&
                          find_uint(kept, "restored", UINT32_MAX, &kept->restored) &&
                          find_int(kept, "since", &kept->since) && find_bool(kept, "entered", &kept->entered) &&
                          find_bool(kept, "owned", &kept->owned) && check_times(kept);

    if (!is_whole) return misfits(misfit, NULL, NULL);
    return check_group(kept, flow, misfit) && read_run(kept, type, flow->steps[kept->step].task, NULL, misfit);
}

/* The map of a record. Returns: false if the bytes are none. */
static bool open_record(ufi_kept *kept, const void *bytes, size_t size)
{
    ufi_cbor_in in = {bytes, (const uint8_t *)bytes + size}, all = in;

    *kept = (ufi_kept){.runs = false};
    if (!ufi_cbor_skip(&all) || all.at != all.end) return false;
    ufi_cbor_item const map = ufi_cbor_take(&in);
    kept->map = in;
    kept->pairs = map.number;
    return map.kind == UFI_CBOR_MAP;
}

bool ufi_keep_read_time(const void *bytes, size_t size, uf_time *time)
{
    ufi_kept kept;
    return open_record(&kept, bytes, size) && find_int(&kept, "time", time);
}

bool ufi_keep_read_head(ufi_kept *kept, const void *bytes, size_t size)
{
    if (!open_record(kept, bytes, size)) return false;
    kept->has_wall = find_int(kept, "wall", &kept->wall);
    if (!find_uint(kept, "untaken", UINT32_MAX, &kept->untaken)) kept->untaken = 0;
    if (!find_uint(kept, "taken", UINT32_MAX, &kept->taken)) kept->taken = 0;
    if (!find_uint(kept, "within", UINT32_MAX, &kept->within)) kept->within = 0;
    return find_uint(kept, "run", UINT32_MAX, &kept->run) && find_int(kept, "time", &kept->time) &&
           find_uint(kept, "outcome", UF_CANCELLED, &kept->outcome) && find_bool(kept, "runs", &kept->runs) &&
           (kept->outcome == UF_RUNNING) == kept->runs;
}

bool ufi_keep_check(ufi_kept *kept, const uf_flow *flow, const void *bytes, size_t size, ufi_misfit *misfit)
{
    const uf_durable_type *const type = ufi_durable(flow)->type;

    (void)misfits(misfit, NULL, NULL);
    if (!open_record(kept, bytes, size)) return false;
    ufi_cbor_item const name = find(kept, "type");
    if (!ufi_cbor_is_name(&name, flow->type->name)) return misfits(misfit, "the flow", &name);
    if (!ufi_keep_read_head(kept, bytes, size) || !read_owner(kept)) return false;
    if (!check_step(kept, flow->type, misfit)) return false;
    if (!read_part(kept, "fields", type->fields, type->field_count, -1, NULL, misfit)) return false;
    if (!read_results(kept, type, flow->type->steps[kept->step].task, NULL, misfit)) return false;
    return !kept->runs || check_run(kept, type, flow->type, misfit);
}

void ufi_keep_read_fields(const ufi_kept *kept, uf_flow *flow)
{
    const uf_durable_type *const type = ufi_durable(flow)->type;
    ufi_cbor_item const reason = find(kept, "reason");
    char *const buffer = ufi_reason_buffer(flow);
    ufi_misfit misfit = {.name = ""};

    (void)read_part(kept, "fields", type->fields, type->field_count, -1, (uint8_t *)flow, &misfit);
    (void)read_results(kept, type, flow->type->steps[kept->step].task, (uint8_t *)flow, &misfit);
    ufp_store(&ufi_durable(flow)->is_lost, kept->outcome == UF_CANCELLED && ufi_cbor_is_name(&reason, UFI_OWNER_LOST));
    if (buffer) (void)ufi_values_read_text(&reason, (uint8_t *)buffer, UF_REASON_SIZE - 1);
}

void ufi_keep_read_task(const ufi_kept *kept, uf_flow *flow)
{
    ufi_misfit misfit = {.name = ""};
    (void)read_run(kept, ufi_durable(flow)->type, flow->type->steps[kept->step].task, (uint8_t *)flow, &misfit);
}

/* The handler of that number in that place; preempt_count: the program has none. */
static unsigned handler_of(const uf_flow_type *type, const ufi_cbor_item *place, uint64_t number)
{
    unsigned which = 0;

    for (; which < type->preempt_count; which++) {
        const uf_preempt_info *const info = &type->preempts[which];
        bool const is_timeout = !info->signal && !info->offset && info->task != UF_NO_TASK;
        if (is_timeout && number_of(type, which) == number &&
            ufi_cbor_is_name(place, ufi_name_of_task(&type->tasks[info->task])))
            break;
    }
    return which;
}

/* Is the flow inside the place of a handler, which is not armed yet? A damaged record may name any of them. */
static bool may_be_armed(const ufi_kept *kept, const uf_flow *flow, unsigned which)
{
    const uf_flow_type *const type = flow->type;
    uint16_t place = kept->entered ? (uint16_t)(type->steps[kept->step].task + 1) : kept->group;

    if (which == type->preempt_count || ufi_preempts(flow)[which].on_list) return false;
    while (place && place != type->preempts[which].task + 1) place = type->tasks[place - 1].group;
    return place != 0;
}

void ufi_keep_read_timeouts(const ufi_kept *kept, uf_flow *flow)
{
    ufi_cbor_in at;
    timeout one;

    if (!ufi_cbor_find(&kept->map, kept->pairs, "timeouts", &at)) return;
    ufi_cbor_item const list = ufi_cbor_take(&at);
    for (uint64_t i = 0; i < list.number; i++) {
        if (!read_timeout(&at, &one)) return;
        unsigned const which = handler_of(flow->type, &one.place, one.number);
        uf_arm *const arm = ufi_preempts(flow) + which;
        if (!may_be_armed(kept, flow, which)) continue;
        if (one.is_real) {
            uf_on_timeout_real(flow, arm, one.time);
            continue;
        }
        *arm = (uf_arm){.owner = flow, .kind = UF_ARM_ON_TIMEOUT};
        arm->on.deadline = one.time;
        if (one.time != UF_FOREVER && one.time > flow->pump->clock.logical) ufi_wheel_set(&flow->pump->wheel, arm);
    }
}
