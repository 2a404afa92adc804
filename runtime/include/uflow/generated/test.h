/* SPDX-License-Identifier: MIT */
/* test.h - what `ufc --tests` generates for the runner in the library `uflow_test`.
 *
 * The functions belong to the test that runs now. They are called on the thread of its pump. */
#ifndef UFLOW_GENERATED_TEST_H
#define UFLOW_GENERATED_TEST_H

#include "uflow/generated.h"

UF_C_BEGIN

/* -- tables of generated files ------------------------------------------------------------------------------------- */

/* Parts of a test that the runner calls. Those of one kind are called in source order. */
typedef enum uf_test_hook_kind {
    UF_TEST_HOOK_ALWAYS,     /* `always (C);` after each round; reports by itself that it does not hold */
    UF_TEST_HOOK_SOMETIMES,  /* `sometimes (C);` after each round; returns true if it holds */
    UF_TEST_HOOK_AT,         /* `at D { }` once, in the round that begins at the logical time D, before its timers */
    UF_TEST_HOOK_EVERY,      /* `every D { }` at D, 2 D, …: each makes a round */
    UF_TEST_HOOK_EACH_ROUND, /* `each round { }` before each round */
    /* Rows of `explore`. */
    UF_TEST_HOOK_ANYTIME,     /* `anytime { }` */
    UF_TEST_HOOK_SOMETIME,    /* `sometime { }` */
    UF_TEST_HOOK_FROM_THREAD, /* `from_thread { }` */
    UF_TEST_HOOK_STOPS,       /* `stops D;` */
    UF_TEST_HOOK_LATE,        /* `late D;` */
    UF_TEST_HOOK_ORDER,       /* `order;` */
    UF_TEST_HOOK_QUIET,       /* `quiet D;` */
    /* `jobs fail, late D, reject;` */
    UF_TEST_HOOK_JOBS_FAIL,
    UF_TEST_HOOK_JOBS_LATE,
    UF_TEST_HOOK_JOBS_REJECT
} uf_test_hook_kind;

typedef struct uf_test_hook {
    uint8_t kind; /* a uf_test_hook_kind */
    uint32_t line;
    const char *text; /* ALWAYS, SOMETIMES: the condition, as written, on one line; others: "" */
} uf_test_hook;

/* A test. Its flow is an object of the generated file, which tests of one file may share: one test runs at a time.
 * Before each `init`, the runner clears `type->size` bytes of it. */
typedef struct uf_test {
    const char *name;
    uint32_t line;
    const uf_flow_type *type; /* one task, whose first step is the entry */
    uf_flow *flow;
    uf_status (*init)(uf_pump *pump, const char *name);
    uf_status (*start)(void); /* of the task, after `init` */
    /* The duration D of a hook, or of `within` for the number `hook_count`; 24 hours without `within`. After `init`. */
    uf_time (*time)(uint32_t hook);
    /* Runs a hook: its number in `hooks`. Only the result of SOMETIMES means something. */
    bool (*run)(uint32_t hook);
    const uf_test_hook *hooks; /* in source order; NULL: none */
    uint32_t hook_count;
    const char *history; /* the file; NULL: none */
    uint32_t schedules;  /* `explore N`: how many at random; or one of those below */
    /* Each replaces the worker function of its name and file. NULL: none. */
    const uf_worker *const *stubs;
    uint32_t stub_count;
} uf_test;

#define UF_TEST_PLAIN    0                /* without `explore`: the plain schedule only */
#define UF_TEST_SOME     (UINT32_MAX - 1) /* `explore` without a number: the runner has one */
#define UF_TEST_EXPLORES UINT32_MAX       /* `explore all` */

/* A signal or checkpoint at file scope, also of imported files, or an array of them. The runner initialises it again
 * between two runs. */
typedef struct uf_test_point {
    void *first; /* a uf_signal or uf_checkpoint */
    const char *name;
    uint32_t count; /* of elements; at least 1 */
    bool is_checkpoint;
} uf_test_point;

/* The tests of one generated file, in source order. */
typedef struct uf_test_file {
    const char *file; /* the .uflow file, as named to ufc */
    const uf_test *tests;
    uint32_t count;
    const uf_test_point *points; /* NULL: none */
    uint32_t point_count;
    struct uf_test_file *next; /* for uf_test_register() */
} uf_test_file;

/* Generated files announce themselves before main(), by a constructor of GCC or Clang. A system that does not run
 * constructors is built with UF_TEST_NO_CONSTRUCTORS: then the table is a global, uf_tests_NAME for NAME.uflow, and the
 * program calls uf_test_register(&uf_tests_NAME) and then uf_test_main(). */
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(UF_TEST_NO_CONSTRUCTORS)
#define UF_TEST_TABLE(table) static uf_test_file table
#define UF_TEST_REGISTER(table)                                                                                        \
    __attribute__((__constructor__)) static void table##_register(void)                                                \
    {                                                                                                                  \
        uf_test_register(&table);                                                                                      \
    }
#else
#define UF_TEST_TABLE(table)                                                                                           \
    extern uf_test_file table;                                                                                         \
    uf_test_file table
#define UF_TEST_REGISTER(table)
#endif

/* -- what a test checks -------------------------------------------------------------------------------------------- */

typedef enum uf_test_claim { UF_TEST_EXPECT, UF_TEST_ALWAYS } uf_test_claim;

/* Report that a claim is wrong. The first report of a run counts. `file` is NULL for the file of the test. Messages:
 *   uf_test_failed        expected TEXT                          always: TEXT
 *   uf_test_failed_side   expected TEXT: LEFT is 4               always: TEXT: it is 4
 *   uf_test_failed_sides  expected TEXT: LEFT is 3, RIGHT is 4   always: TEXT: LEFT is 3, RIGHT is 4 */
void uf_test_failed(uf_test_claim claim, const char *file, uint32_t line, const char *text);
void uf_test_failed_side(uf_test_claim claim, uint32_t line, const char *text, const char *left,
                         const volatile void *left_at, size_t left_size, int left_kind);
void uf_test_failed_sides(uf_test_claim claim, uint32_t line, const char *text, const char *left,
                          const volatile void *left_at, size_t left_size, int left_kind, const char *right,
                          const volatile void *right_at, size_t right_size, int right_kind);

/* `expect_text(a, b);`: are the texts equal, or both NULL? If not, it is reported:
 * `expect_text: "abX" and "abY" differ at byte 2`, NULL as `NULL`. */
bool uf_test_texts(uint32_t line, const char *a, const char *b);

/* What uf_choose() and uf_choose_between() of uflow/test.h call. */
int uf_test_choose(int n, const char *file, uint32_t line);
int uf_test_choose_between(int a, int b, const char *file, uint32_t line);

/* Does an end of the test's task count? Not if the runner has begun a stop: then the task stands where it is. `line`:
 * of a `fail`, or 0. Called just before the end. */
bool uf_test_ends(uint32_t line);

/* `in(Flow.Task.Step, &flow)`: is the flow in that step? `step`: UF_NO_STEP for any step of the task. `place`: a row of
 * `type->tasks`, of a task or group. `flow`: any pointer to a flow of that type; false if it does not run. */
bool uf_test_in(const uf_flow *flow, uint32_t place, uint32_t step);

/* The third argument makes the C compiler check the type of the pointer. */
#define UF_TEST_IN(type, place, step, ...) uf_test_in(&(1 ? (__VA_ARGS__) : (const type *)0)->uf, place, step)

/* How the bytes of a side are read. With any other size than that of the kind, it is shown as `?`. */
#define UF_SIDE_POINTER  0
#define UF_SIDE_SIGNED   1 /* any integer; `bool` is one that is 0 or 1 */
#define UF_SIDE_UNSIGNED 2
#define UF_SIDE_REAL     3 /* float, double, long double */
#define UF_SIDE_TIME     4 /* a signed integer that is compared with a duration */

/* UF_SIDE(name, TEXT) declares a copy of a number or pointer, and UF_SEEN(name) shows it. The conditional expression
 * has the type that a bit-field, an array or a function has as a value; it is not evaluated. */
#if defined(__cplusplus)
extern "C++" {
#define UF_SIDE(name, ...) auto const name = (__VA_ARGS__)
template <typename T> struct uf_side_of {
    typedef decltype(T() + 0) promoted; /* an enum has no negative numbers of its own */
    enum { kind = promoted(-1) < promoted(0) ? UF_SIDE_SIGNED : UF_SIDE_UNSIGNED };
};
template <typename T> struct uf_side_of<T *> {
    enum { kind = UF_SIDE_POINTER };
};
template <> struct uf_side_of<float> {
    enum { kind = UF_SIDE_REAL };
};
template <> struct uf_side_of<double> {
    enum { kind = UF_SIDE_REAL };
};
template <> struct uf_side_of<long double> {
    enum { kind = UF_SIDE_REAL };
};
template <typename T> constexpr int uf_side_kind(const T &)
{
    return uf_side_of<T>::kind;
}
}
#define UF_SIDE_KIND(x) uf_side_kind(x)
#else
#define UF_SIDE(name, ...) __typeof__(0 ? 0 : (__VA_ARGS__)) name = (__VA_ARGS__)
#define UF_SIDE_KIND(x)                                                                                                \
    _Generic((x), _Bool                                                                                                \
             : UF_SIDE_UNSIGNED, char                                                                                  \
             : UF_SIDE_SIGNED, signed char                                                                             \
             : UF_SIDE_SIGNED, short                                                                                   \
             : UF_SIDE_SIGNED, int                                                                                     \
             : UF_SIDE_SIGNED, long                                                                                    \
             : UF_SIDE_SIGNED, long long                                                                               \
             : UF_SIDE_SIGNED, unsigned char                                                                           \
             : UF_SIDE_UNSIGNED, unsigned short                                                                        \
             : UF_SIDE_UNSIGNED, unsigned                                                                              \
             : UF_SIDE_UNSIGNED, unsigned long                                                                         \
             : UF_SIDE_UNSIGNED, unsigned long long                                                                    \
             : UF_SIDE_UNSIGNED, float                                                                                 \
             : UF_SIDE_REAL, double                                                                                    \
             : UF_SIDE_REAL, long double                                                                               \
             : UF_SIDE_REAL, default                                                                                   \
             : UF_SIDE_POINTER)
#endif
#define UF_SEEN(x)      &(x), sizeof(x), UF_SIDE_KIND(x)
#define UF_SEEN_TIME(x) &(x), sizeof(x), UF_SIDE_KIND(x) == UF_SIDE_SIGNED ? UF_SIDE_TIME : UF_SIDE_KIND(x)

/* A comparison of copies: a constant that is copied has lost what kept the C compiler from a warning. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define UF_COMPARE_BEGIN                                                                                               \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wsign-compare\"")                                \
        _Pragma("GCC diagnostic ignored \"-Waddress\"")
#define UF_COMPARE_END _Pragma("GCC diagnostic pop")
#else
#define UF_COMPARE_BEGIN
#define UF_COMPARE_END
#endif

UF_C_END
#endif
