/* SPDX-License-Identifier: MIT */
/* test_wheel.c - the wheel against a model: a plain array that is searched in full. */
#include "unit.h"

enum { ARMS = 300, OPERATIONS = 60000 };

typedef struct model {
    uf_wheel wheel;
    uf_arm arm[ARMS];
    uf_time now; /* all timers due before have fired */
    bool set[ARMS];
    uf_time due[ARMS];
    uint64_t order[ARMS]; /* the number of the setting */
    uint64_t next_order;
    uint64_t seed;
} model;

#if UF_WHEEL_BITS == 0
static uf_time origin(const uf_wheel *wheel)
{
    (void)wheel;
    return INT64_MIN;
}
static bool is_empty(const uf_wheel *wheel)
{
    return !wheel->timers;
}
#else
static uf_time origin(const uf_wheel *wheel)
{
    return wheel->now;
}
static bool is_empty(const uf_wheel *wheel)
{
    return wheel->levels_in_use == 0;
}
#endif

static void setup(model *m, uf_time start, uint64_t seed)
{
    *m = (model){.now = start, .seed = seed};
    ufi_wheel_init(&m->wheel, start);
}

static void set_arm(model *m, int i, uf_time deadline)
{
    m->arm[i] = (uf_arm){.kind = UF_ARM_TIMEOUT, .on.deadline = deadline};
    ufi_wheel_set(&m->wheel, &m->arm[i]);
    m->set[i] = true;
    m->due[i] = deadline;
    m->order[i] = m->next_order++;
}

static void cancel_arm(model *m, int i)
{
    ufi_wheel_cancel(&m->wheel, &m->arm[i]);
    m->set[i] = false;
}

/* The arm that must fire first, or -1. */
static int first_of(const model *m)
{
    int first = -1;
    for (int i = 0; i < ARMS; i++) {
        if (!m->set[i]) continue;
        if (first < 0 || m->due[i] < m->due[first] || (m->due[i] == m->due[first] && m->order[i] < m->order[first]))
            first = i;
    }
    return first;
}

static void check_next(model *m)
{
    int const first = first_of(m);
    /* Computed before the search, which makes the bound exact. The bound is never after the earliest. */
    uf_time const bound = ufi_wheel_bound(&m->wheel, m->now);
    assert_true(first < 0 ? bound == UF_FOREVER : bound <= m->due[first]);
    assert_int_equal(ufi_wheel_next(&m->wheel), first < 0 ? UF_FOREVER : m->due[first]);
}

/* Fires all timers up to `now`, one by one, against the model. */
static void advance(model *m, uf_time now)
{
    m->now = now;
    for (;;) {
        int const expected = first_of(m);
        uf_arm *const arm = ufi_wheel_pop(&m->wheel, now);
        if (expected < 0 || m->due[expected] > now) {
            assert_null(arm);
            break;
        }
        assert_ptr_equal(arm, &m->arm[expected]);
        assert_int_equal(arm->on_list, 0);
        assert_true(origin(&m->wheel) <= now);
        m->set[expected] = false;
    }
    assert_true(ufi_wheel_bound(&m->wheel, m->now) > now ||
                first_of(m) < 0); /* otherwise a sleep until then would end again and again */
}

/* Distances of every magnitude, so that all levels are used. Some deadlines repeat. */
static uf_time random_deadline(model *m)
{
    uint64_t const r = unit_random(&m->seed);
    unsigned const magnitude = (unsigned)(r >> 32 & 31 ? 20 + r % 44 : 1 + r % 63); /* mostly within a day */
    uf_time const distance = (uf_time)(unit_random(&m->seed) >> magnitude);

    if (r >> 60 == 1 && first_of(m) >= 0) return m->due[first_of(m)];
    return uf_time_add(m->now, distance + 1);
}

static void random_operations(uf_time start, uint64_t seed)
{
    static model m;
    setup(&m, start, seed);
    for (int n = 0; n < OPERATIONS; n++) {
        int const i = (int)(unit_random(&m.seed) % ARMS);
        switch (unit_random(&m.seed) % 8) {
        case 0:
            if (first_of(&m) >= 0) advance(&m, m.due[first_of(&m)]); /* as virtual time does */
            break;
        case 1:
            advance(&m, uf_time_add(m.now, (uf_time)(unit_random(&m.seed) >> (24 + unit_random(&m.seed) % 40))));
            break;
        case 2: check_next(&m); break;
        default:
            if (m.set[i]) cancel_arm(&m, i);
            else set_arm(&m, i, random_deadline(&m));
        }
        if (m.now > INT64_MAX / 2) setup(&m, start, m.seed); /* the numbers were used up */
    }
    while (first_of(&m) >= 0) {
        check_next(&m);
        advance(&m, m.due[first_of(&m)]);
    }
    assert_true(is_empty(&m.wheel));
    assert_int_equal(ufi_wheel_next(&m.wheel), UF_FOREVER);
}

CASE(test_random_operations_from_zero)
{
    random_operations(0, 1);
}

CASE(test_random_operations_across_powers_of_two)
{
    random_operations((INT64_C(1) << 32) - UF_S(1), 2);
    random_operations((INT64_C(1) << 62) - UF_S(1), 3);
}

CASE(test_random_operations_from_before_zero)
{
    random_operations(-UF_S(1), 4);
    random_operations(INT64_MIN, 5);
}

CASE(test_ties_fire_as_they_were_set)
{
    static model m;
    setup(&m, 0, 1);
    for (int i = 0; i < 10; i++) set_arm(&m, i, UF_S(1));
    advance(&m, UF_S(1) - 5); /* they have moved down */
    for (int i = 10; i < 20; i++) set_arm(&m, i, UF_S(1));
    cancel_arm(&m, 0);
    set_arm(&m, 0, UF_S(1));
    advance(&m, UF_S(1));
}

CASE(test_ends_of_the_scale)
{
    static model m;
    setup(&m, INT64_MIN, 1);
    set_arm(&m, 0, INT64_MAX - 1);
    set_arm(&m, 1, INT64_MAX - 1);
    set_arm(&m, 2, INT64_MIN + 1);
    set_arm(&m, 3, 0);
    set_arm(&m, 4, -1);
    check_next(&m);
    advance(&m, INT64_MIN);
    check_next(&m);
    advance(&m, INT64_MAX - 2);
    assert_true(m.set[0]);
    advance(&m, INT64_MAX);
    assert_int_equal(ufi_wheel_next(&m.wheel), UF_FOREVER);
}

CASE(test_cancelling_the_earliest_of_a_slot)
{
    static model m;
    setup(&m, 0, 1);
    for (int i = 0; i < 20; i++) set_arm(&m, i, UF_S(3600) + UF_MS(20 - i));
    for (int i = 19; i >= 0; i--) { /* always the earliest: the cached result of the slot is useless */
        check_next(&m);
        cancel_arm(&m, i);
        set_arm(&m, 30, UF_MS(1)); /* an earlier slot is filled and emptied */
        check_next(&m);
        cancel_arm(&m, 30);
    }
    check_next(&m);
}
