/* SPDX-License-Identifier: MIT */
/* keep.c - see keep.h. */
#include "durable/keep.h"

#include "basics/format.h"
#include "basics/wheel.h"
#include "waits/arms.h"

/* -- values -------------------------------------------------------------------------------------------------------- */

static int64_t load_int(const void *from, size_t size)
{
    int8_t one;
    int16_t two;
    int32_t four;
    int64_t eight;

    switch (size) {
    case sizeof one: memcpy(&one, from, sizeof one); return one;
    case sizeof two: memcpy(&two, from, sizeof two); return two;
    case sizeof four: memcpy(&four, from, sizeof four); return four;
    default: memcpy(&eight, from, sizeof eight); return eight;
    }
}

/* The same bits, whatever the sign of the type is. */
static void store_int(void *to, size_t size, uint64_t value)
{
    uint8_t const one = (uint8_t)value;
    uint16_t const two = (uint16_t)value;
    uint32_t const four = (uint32_t)value;

    switch (size) {
    case sizeof one: memcpy(to, &one, sizeof one); break;
    case sizeof two: memcpy(to, &two, sizeof two); break;
    case sizeof four: memcpy(to, &four, sizeof four); break;
    default: memcpy(to, &value, sizeof value); break;
    }
}

static uint64_t mask_of(size_t size)
{
    return size >= sizeof(uint64_t) ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
}

/* `char` may have a sign or not; one byte has no other meaning. */
static bool fits(const uf_kept_row *row, const ufi_cbor_item *item)
{
    bool const is_negative = item->kind == UFI_CBOR_NEGATIVE;
    uint64_t const most =
        row->kind == UF_KEPT_UINT || row->kind == UF_KEPT_CHAR ? mask_of(row->size) : mask_of(row->size) >> 1;

    if (row->kind == UF_KEPT_UINT && is_negative) return false;
    return (item->kind == UFI_CBOR_UINT || is_negative) &&
           item->number <= (is_negative ? mask_of(row->size) >> 1 : most);
}

static void write_rows(ufi_cbor_out *out, const uf_kept_row *rows, unsigned count, const uint8_t *base);

static void write_value(ufi_cbor_out *out, const uf_kept_row *row, const uint8_t *from)
{
    size_t length = 0;
#if !defined(UF_NO_FLOAT)
    float small;
    double real;
#endif

    switch ((uf_kept_kind)row->kind) {
    case UF_KEPT_BOOL: ufi_cbor_put_bool(out, *from != 0); break;
    case UF_KEPT_CHAR:
    case UF_KEPT_INT: ufi_cbor_put_int(out, load_int(from, row->size)); break;
    case UF_KEPT_UINT: ufi_cbor_put_uint(out, (uint64_t)load_int(from, row->size) & mask_of(row->size)); break;
#if !defined(UF_NO_FLOAT)
    case UF_KEPT_FLOAT:
        memcpy(&small, from, sizeof small);
        ufi_cbor_put_float(out, small);
        break;
    case UF_KEPT_DOUBLE:
        memcpy(&real, from, sizeof real);
        ufi_cbor_put_double(out, real);
        break;
#else
    case UF_KEPT_FLOAT:
    case UF_KEPT_DOUBLE:
#endif
    case UF_KEPT_NOTHING: break;
    case UF_KEPT_TEXT:
        while (length < UF_TEXT_SIZE && from[length]) length++;
        ufi_cbor_put_text(out, (const char *)from, length);
        break;
    case UF_KEPT_PLAIN: write_rows(out, row->plain->rows, row->plain->count, from); break;
    }
}

/* An array of characters is one string, without the zeros at its end. */
static void write_row(ufi_cbor_out *out, const uf_kept_row *row, const uint8_t *base)
{
    const uint8_t *const from = base + row->offset;
    size_t length = row->count;

    ufi_cbor_put_name(out, row->name);
    if (row->kind == UF_KEPT_CHAR && row->is_array) {
        while (length > 0 && !from[length - 1]) length--;
        ufi_cbor_put_bytes(out, from, length);
        return;
    }
    if (row->is_array) ufi_cbor_put_array(out, row->count);
    for (size_t i = 0; i < row->count; i++) write_value(out, row, from + i * row->size);
}

static void write_rows(ufi_cbor_out *out, const uf_kept_row *rows, unsigned count, const uint8_t *base)
{
    ufi_cbor_put_map(out, count);
    for (unsigned i = 0; i < count; i++) write_row(out, &rows[i], base);
}

/* The rows of one task or step. */
static void write_place(ufi_cbor_out *out, const uf_kept_row *rows, unsigned count, unsigned place, const uint8_t *base)
{
    unsigned here = 0;

    for (unsigned i = 0; i < count; i++) here += rows[i].place == place;
    ufi_cbor_put_map(out, here);
    for (unsigned i = 0; i < count; i++) {
        if (rows[i].place == place) write_row(out, &rows[i], base);
    }
}

/* -- reading values: `to` is NULL in the first pass, which only checks --------------------------------------------- */

static bool read_map(ufi_cbor_in *in, const uf_kept_row *rows, unsigned count, int place, uint8_t *to,
                     ufi_misfit *misfit);

#if !defined(UF_NO_FLOAT)
static bool read_real(const uf_kept_row *row, const ufi_cbor_item *item, uint8_t *to)
{
    uint32_t const half = (uint32_t)item->number;

    if (item->kind != (row->kind == UF_KEPT_FLOAT ? UFI_CBOR_FLOAT : UFI_CBOR_DOUBLE)) return false;
    if (to && row->kind == UF_KEPT_FLOAT) memcpy(to, &half, sizeof half);
    else if (to) memcpy(to, &item->number, sizeof item->number);
    return true;
}
#endif

static bool is_string(const ufi_cbor_item *item)
{
    return item->kind == UFI_CBOR_BYTES || item->kind == UFI_CBOR_TEXT;
}

static bool read_string(const ufi_cbor_item *item, uint8_t *to, size_t size)
{
    if (!is_string(item) || item->number > size) return false;
    if (!to) return true;
    memset(to, 0, size);
    memcpy(to, item->at, (size_t)item->number);
    return true;
}

static bool read_value(ufi_cbor_in *in, const uf_kept_row *row, uint8_t *to, ufi_misfit *misfit)
{
    if (row->kind == UF_KEPT_PLAIN) return read_map(in, row->plain->rows, row->plain->count, -1, to, misfit);
    ufi_cbor_item const item = ufi_cbor_take(in);
    bool const value = item.number != 0;

    switch ((uf_kept_kind)row->kind) {
    case UF_KEPT_BOOL:
        if (item.kind != UFI_CBOR_BOOL) return false;
        if (to) memcpy(to, &value, sizeof value);
        return true;
    case UF_KEPT_CHAR:
    case UF_KEPT_INT:
    case UF_KEPT_UINT:
        if (!fits(row, &item)) return false;
        if (to) store_int(to, row->size, item.kind == UFI_CBOR_NEGATIVE ? ~item.number : item.number);
        return true;
#if !defined(UF_NO_FLOAT)
    case UF_KEPT_FLOAT:
    case UF_KEPT_DOUBLE: return read_real(row, &item, to);
#else
    case UF_KEPT_FLOAT:
    case UF_KEPT_DOUBLE:
#endif
    case UF_KEPT_NOTHING:
    case UF_KEPT_PLAIN: break;
    case UF_KEPT_TEXT: return item.number < UF_TEXT_SIZE && read_string(&item, to, UF_TEXT_SIZE);
    }
    return false;
}

static bool read_row(ufi_cbor_in *in, const uf_kept_row *row, uint8_t *to, ufi_misfit *misfit)
{
    bool const is_bytes = row->kind == UF_KEPT_CHAR && row->is_array;
    ufi_cbor_item const head = row->is_array ? ufi_cbor_take(in) : (ufi_cbor_item){UFI_CBOR_NONE, 0, NULL};

    if (is_bytes) return read_string(&head, to, row->count);
    if (row->is_array && (head.kind != UFI_CBOR_ARRAY || head.number != row->count)) return false;
    for (size_t i = 0; i < row->count; i++) {
        if (!read_value(in, row, to ? to + i * row->size : NULL, misfit)) return false;
    }
    return true;
}

static const uf_kept_row *row_of(const uf_kept_row *rows, unsigned count, int place, const ufi_cbor_item *key)
{
    for (unsigned i = 0; i < count; i++) {
        if ((place < 0 || rows[i].place == place) && ufi_cbor_is_name(key, rows[i].name)) return &rows[i];
    }
    return NULL;
}

/* A field that is new keeps the value that it has, and one that is gone is passed over. */
static bool read_map(ufi_cbor_in *in, const uf_kept_row *rows, unsigned count, int place, uint8_t *to,
                     ufi_misfit *misfit)
{
    ufi_cbor_item const map = ufi_cbor_take(in);

    if (map.kind != UFI_CBOR_MAP) return false;
    for (uint64_t i = 0; i < map.number; i++) {
        ufi_cbor_item const key = ufi_cbor_take(in);
        const uf_kept_row *const row = row_of(rows, count, place, &key);
        bool const is_read = row ? read_row(in, row, to ? to + row->offset : NULL, misfit) : ufi_cbor_skip(in);
        if (is_read) continue;
        if (!misfit->what) *misfit = (ufi_misfit){"the type of", (const char *)key.at, (size_t)key.number};
        return false;
    }
    return true;
}

/* -- a record ------------------------------------------------------------------------------------------------------ */

static uint16_t group_of(const uf_flow *flow)
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
    if (arm->kind == UF_ARM_ON_TIMEOUT_REAL && *time != UF_FOREVER) *time -= flow->pump->clock.real;
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
        ufi_cbor_put_name(out, type->tasks[type->preempts[i].task].name);
        ufi_cbor_put_uint(out, number_of(type, i));
        ufi_cbor_put_bool(out, ufi_preempts(flow)[i].kind == UF_ARM_ON_TIMEOUT_REAL);
        ufi_cbor_put_int(out, time);
    }
}

static void put_pair_uint(ufi_cbor_out *out, const char *key, uint64_t value)
{
    ufi_cbor_put_name(out, key);
    ufi_cbor_put_uint(out, value);
}

static void put_pair_int(ufi_cbor_out *out, const char *key, int64_t value)
{
    ufi_cbor_put_name(out, key);
    ufi_cbor_put_int(out, value);
}

static void put_pair_text(ufi_cbor_out *out, const char *key, const char *value)
{
    ufi_cbor_put_name(out, key);
    ufi_cbor_put_text(out, value, ufi_length(value));
}

static void put_pair_bool(ufi_cbor_out *out, const char *key, bool value)
{
    ufi_cbor_put_name(out, key);
    ufi_cbor_put_bool(out, value);
}

static void write_run(ufi_cbor_out *out, const uf_flow *flow, bool entered)
{
    const uf_durable *const durable = ufi_durable(flow);
    const uf_durable_type *const type = durable->type;
    uint32_t const state = ufp_load(&flow->state);
    uint16_t const group = group_of(flow);

    put_pair_uint(out, "ordinal", flow->ordinal);
    put_pair_int(out, "since", flow->entered);
    put_pair_bool(out, "entered", entered);
    put_pair_uint(out, "restored", durable->restored);
    put_pair_bool(out, "owned", UF_USES_RUNS && ufi_is_run_by_another(flow));
    put_pair_text(out, "group", group ? flow->type->tasks[group - 1].name : "");
    ufi_cbor_put_name(out, "timeouts");
    write_timeouts(out, flow);
    ufi_cbor_put_name(out, "self");
    write_place(out, type->task, type->task_count, ufi_step_of(flow, state)->task, (const uint8_t *)flow);
    ufi_cbor_put_name(out, "arguments");
    write_place(out, type->arguments, type->argument_count, state & UF_STATE_STEP, (const uint8_t *)flow);
}

#define PAIRS_ALWAYS 10
#define PAIRS_OF_RUN 9

void ufi_keep_write(ufi_cbor_out *out, const uf_flow *flow, bool runs, bool entered)
{
    const uf_durable *const durable = ufi_durable(flow);
    const uf_durable_type *const type = durable->type;
    uf_outcome const outcome = durable->outcome != UF_RUNNING ? (uf_outcome)durable->outcome
                               : runs                         ? UF_RUNNING
                                                              : (uf_outcome)flow->outcome;
    const uf_step_info *const step = ufi_step_of(flow, ufp_load(&flow->state));
    char const *const reason = outcome == UF_FAILED ? ufi_reason_buffer(flow) : NULL;
    const uf_store_config *const config = &durable->store->config;
    int64_t wall = 0;
    bool const has_wall = config->wall && config->wall(config->context, &wall);

    ufi_cbor_put_map(out, PAIRS_ALWAYS + (has_wall ? 1u : 0u) + (runs ? PAIRS_OF_RUN : 0u));
    put_pair_text(out, "type", flow->type->name);
    put_pair_uint(out, "run", flow->run);
    put_pair_text(out, "task", flow->type->tasks[step->task].name);
    put_pair_text(out, "step", step->name);
    put_pair_uint(out, "outcome", outcome);
    put_pair_text(out, "reason", reason ? reason : "");
    put_pair_int(out, "time", flow->pump->clock.logical);
    if (has_wall) put_pair_int(out, "wall", wall);
    ufi_cbor_put_name(out, "fields");
    write_rows(out, type->fields, type->field_count, (const uint8_t *)flow);
    ufi_cbor_put_name(out, "results");
    write_place(out, type->results, outcome == UF_DONE ? type->result_count : 0, step->task, (const uint8_t *)flow);
    put_pair_bool(out, "runs", runs);
    if (runs) write_run(out, flow, entered);
}

void ufi_keep_write_time(ufi_cbor_out *out, uf_time time)
{
    ufi_cbor_put_map(out, 1);
    put_pair_int(out, "time", time);
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
    bool const has_name = name && is_string(name);
    *misfit = (ufi_misfit){what, has_name ? (const char *)name->at : "", has_name ? (size_t)name->number : 0};
    return false;
}

static bool check_step(ufi_kept *kept, const uf_flow_type *type, ufi_misfit *misfit)
{
    ufi_cbor_item const task = find(kept, "task"), step = find(kept, "step");
    bool has_task = false;

    for (unsigned i = 0; i < type->step_count; i++) {
        bool const is_task = ufi_cbor_is_name(&task, type->tasks[type->steps[i].task].name);
        has_task |= is_task;
        if (!is_task || !ufi_cbor_is_name(&step, type->steps[i].name)) continue;
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
    while (place && !ufi_cbor_is_name(&name, type->tasks[place - 1].name)) place = type->tasks[place - 1].group;
    kept->group = place;
    return place != 0 || misfits(misfit, "the group", &name);
}

/* Reads or checks the map of this key. */
static bool read_part(const ufi_kept *kept, const char *key, const uf_kept_row *rows, unsigned count, int place,
                      uint8_t *to, ufi_misfit *misfit)
{
    ufi_cbor_in at;
    return ufi_cbor_find(&kept->map, kept->pairs, key, &at) && read_map(&at, rows, count, place, to, misfit);
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

bool ufi_keep_check(ufi_kept *kept, const uf_flow *flow, const void *bytes, size_t size, ufi_misfit *misfit)
{
    const uf_durable_type *const type = ufi_durable(flow)->type;

    *misfit = (ufi_misfit){NULL, "", 0};
    if (!open_record(kept, bytes, size)) return false;
    ufi_cbor_item const name = find(kept, "type");
    if (!ufi_cbor_is_name(&name, flow->type->name)) return misfits(misfit, "the flow", &name);
    kept->has_wall = find_int(kept, "wall", &kept->wall);
    bool const is_whole = find_uint(kept, "run", UINT32_MAX, &kept->run) && find_int(kept, "time", &kept->time) &&
                          find_uint(kept, "outcome", UF_CANCELLED, &kept->outcome) &&
                          find_bool(kept, "runs", &kept->runs);
    if (!is_whole || !check_step(kept, flow->type, misfit)) return false;
    if (!read_part(kept, "fields", type->fields, type->field_count, -1, NULL, misfit)) return false;
    if (!read_results(kept, type, flow->type->steps[kept->step].task, NULL, misfit)) return false;
    return !kept->runs || check_run(kept, type, flow->type, misfit);
}

void ufi_keep_read_fields(const ufi_kept *kept, uf_flow *flow)
{
    const uf_durable_type *const type = ufi_durable(flow)->type;
    ufi_cbor_item const reason = find(kept, "reason");
    char *const buffer = ufi_reason_buffer(flow);
    ufi_misfit misfit = {NULL, "", 0};

    (void)read_part(kept, "fields", type->fields, type->field_count, -1, (uint8_t *)flow, &misfit);
    (void)read_results(kept, type, flow->type->steps[kept->step].task, (uint8_t *)flow, &misfit);
    if (buffer) (void)read_string(&reason, (uint8_t *)buffer, UF_REASON_SIZE - 1);
}

void ufi_keep_read_task(const ufi_kept *kept, uf_flow *flow)
{
    ufi_misfit misfit = {NULL, "", 0};
    (void)read_run(kept, ufi_durable(flow)->type, flow->type->steps[kept->step].task, (uint8_t *)flow, &misfit);
}

/* The handler of that number in that place; preempt_count: the program has none. */
static unsigned handler_of(const uf_flow_type *type, const ufi_cbor_item *place, uint64_t number)
{
    unsigned which = 0;

    for (; which < type->preempt_count; which++) {
        const uf_preempt_info *const info = &type->preempts[which];
        bool const is_timeout = !info->signal && !info->offset && info->task != UF_NO_TASK;
        if (is_timeout && number_of(type, which) == number && ufi_cbor_is_name(place, type->tasks[info->task].name))
            break;
    }
    return which;
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
        if (which == flow->type->preempt_count) continue;
        uf_arm *const arm = ufi_preempts(flow) + which;
        if (one.is_real) {
            uf_on_timeout_real(flow, arm, one.time);
            continue;
        }
        *arm = (uf_arm){.owner = flow, .kind = UF_ARM_ON_TIMEOUT};
        arm->on.deadline = one.time;
        if (one.time != UF_FOREVER && one.time > flow->pump->clock.logical) ufi_wheel_set(&flow->pump->wheel, arm);
    }
}
