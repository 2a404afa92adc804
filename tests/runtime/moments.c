/* SPDX-License-Identifier: MIT */
/* Each function that a program may call on the pump's thread, at each moment in which C code of the program runs there:
 * a table of functions, a table of moments, and a scene with flows of all kinds. A scene has two processes. The first
 * one ends with a shutdown or a crash, the second one goes on. Once, at a moment, one of the functions is called.
 *
 * Whatever it is, the runtime says what the header says. Each run that begins ends once, and each cancel ends its run.
 * In the end, nothing is busy, and all flows can be destroyed. A call that only reads, keeps or is refused changes
 * nothing that flows do, with and without a crash.
 *
 * `test_runtime_moments all SEED COUNT` and `pairs SEED COUNT` make more scenes, `FUNCTION TARGET MOMENT` those of one
 * row. The words before the colon of a fault, as arguments, repeat its scene. */
#include "moments_world.h"

#define NAME(name) #name
static const char *const moment_names[] = {MOMENTS(NAME)};
static const char *const target_names[] = {TARGETS(NAME)};

unsigned faults;
bool is_verbose;

static const char *scene_text(void)
{
    static char text[256];
    const event *const first = &now.scene.first, *const second = &now.scene.second;
    int const length = snprintf(text, sizeof text, "%s %s %s %u %u %d", first->call ? first->call->name : "nothing",
                                target_names[first->target], moment_names[first->at], first->which, now.scene.variant,
                                now.scene.crash);
    if (second->call)
        (void)snprintf(text + length, sizeof text - (size_t)length, " %s %s %s %u", second->call->name,
                       target_names[second->target], moment_names[second->at], second->which);
    return text;
}

void fault(const char *format, ...)
{
    va_list arguments;

    if (faults++ < 400) {
        fprintf(stderr, "%s: ", scene_text());
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fputc('\n', stderr);
    }
}

/* -- scenes -------------------------------------------------------------------------------------------------------- */

static uint32_t drawn = 1;

static unsigned draw(unsigned below)
{
    drawn = drawn * 1664525u + 1013904223u;
    return (drawn >> 8) % below;
}

typedef struct plain_run {
    unsigned seen[MOMENT_COUNT];
    char story[sizeof story];
    const char *results; /* its last line */
} plain_run;

static plain_run plain[VARIANTS];

static void play_plain(void)
{
    for (unsigned variant = 0; variant < VARIANTS; variant++) {
        (void)play_scene(&(scene){.variant = variant, .crash = NO_CRASH});
        memcpy(plain[variant].seen, now.seen, sizeof now.seen);
        memcpy(plain[variant].story, story, sizeof story);
        plain[variant].results = strstr(plain[variant].story, "results:");
        assert_non_null(plain[variant].results);
    }
}

/* A call may change the order of what happens at one time, so that of lines does not count. */
static uint64_t sum_of_lines(const char *text)
{
    uint64_t sum = 0, hash = 0;

    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
        if (*text != '\n') continue;
        sum += hash;
        hash = 0;
    }
    return sum;
}

static void compare(void)
{
    const plain_run *const without = &plain[now.scene.variant];
    const char *const results = strstr(story, "results:");
    bool const commits = now.scene.first.call->call == call_forget_nothing; /* what follows comes earlier */
    if (now.scene.crash == NO_CRASH && !commits) {
        if (sum_of_lines(story) == sum_of_lines(without->story)) return;
        fault("it changes what happens");
        if (is_verbose) printf("---- without:\n%s---- with:\n", without->story);
    } else if (!results || strncmp(results, without->results, strcspn(without->results, "\n")) != 0) {
        fault("its %s", results ? results : "nothing");
    }
}

static void play_and_compare(const scene *of)
{
    bool const is_neutral = of->first.call->is_neutral && (!of->second.call || of->second.call->is_neutral);
    if (play_scene(of) && is_neutral && !now.has_kept_fields) compare();
}

/* A scene with one call. */
static void call_once(const row *call, target of, moment at, unsigned which, unsigned variant, int crash)
{
    play_and_compare(&(scene){.first = {call, of, at, which}, .variant = variant, .crash = crash});
}

/* `many` scenes of a function at a moment. */
static void at_moment(const row *call, target of, moment at, unsigned many)
{
    for (unsigned i = 0; i < many; i++) {
        unsigned const variant = draw(VARIANTS), steady = variant & ~(unsigned)BUMPED;
        if (!plain[variant].seen[at]) continue;
        call_once(call, of, at, draw(plain[variant].seen[at]), variant, NO_CRASH);
        if (!plain[steady].seen[at] || (!call->is_neutral && draw(4))) continue;
        unsigned const which = draw(plain[steady].seen[at] / 2 + 1);
        call_once(call, of, at, which, steady, (int)draw(90));
    }
}

/* A function at each occurrence of a moment. */
static void at_all(const row *call, target of, moment at)
{
    unsigned const variant = draw(VARIANTS) & ~(unsigned)BUMPED;

    call_once(call, of, at, EACH, variant, draw(2) ? NO_CRASH : (int)draw(90));
}

/* Then each round would bring the next one. */
static bool is_of_rounds(moment at)
{
    return at == AT_CONDITION || at == AT_PRE_ROUND || at == AT_ROUND_RAN || at == AT_OUTSIDE;
}

static void each(unsigned many, unsigned share)
{
    for (const row *call = rows; call < rows + row_count; call++) {
        for (int at = 0; at < MOMENT_COUNT; at++) {
            for (int of = 0; of < (call->has_target ? TARGET_COUNT : 1); of++) {
                if (call->has_target && draw(share)) continue;
                at_moment(call, (target)of, (moment)at, many);
                if (call->is_neutral && !is_of_rounds((moment)at)) at_all(call, (target)of, (moment)at);
            }
        }
    }
}

static event draw_event(unsigned variant)
{
    event drawn_one = {&rows[draw(row_count)], (target)draw(TARGET_COUNT), (moment)draw(MOMENT_COUNT), 0};
    drawn_one.which = draw(plain[variant].seen[drawn_one.at] + 1);
    return drawn_one;
}

static void pairs(unsigned many)
{
    while (many-- > 0) {
        unsigned const variant = draw(VARIANTS);
        event const first = draw_event(variant), second = draw_event(variant);
        bool const crashes = !(variant & BUMPED) && draw(4) == 0;
        play_and_compare(&(scene){first, second, variant, crashes ? (int)draw(90) : NO_CRASH});
    }
}

CASE(each_function_at_each_moment)
{
    play_plain();
    assert_int_equal(faults, 0);
    each(1, 12);
    assert_true(calls > 1000);
    assert_int_equal(faults, 0);
}

/* Each of these was a fault: at each occurrence of the moment. */
static const struct {
    const char *call;
    target target;
    moment at;
    bool crashes;
} found[] = {
    {"release", OF_SELF, AT_RESTORED, false},      {"restart", OF_SELF, AT_STOPPING, false},
    {"stop", OF_SELF, AT_CHANGED, false},          {"pause", OF_KEPT, AT_WAIT_BEGAN, false},
    {"pause", OF_SELF, AT_ON_END, false},          {"pause", OF_SELF, AT_ENDED, false},
    {"pause", OF_SELF, AT_REQUESTED, false},       {"pause", OF_KEPT, AT_HELD, true},
    {"cancel_all", OF_SELF, AT_REQUESTED, false},  {"cancel", OF_SELF, AT_KEEPING, false},
    {"cancel", OF_KEPT, AT_KEEPING, true},         {"start", OF_SPARE_ITEM, AT_OVER, false},
    {"start", OF_SPARE_ITEM, AT_ENDED, false},     {"keep", OF_SELF, AT_ON_INIT, false},
    {"token", OF_SELF, AT_ON_INIT, false},         {"keep", OF_SELF, AT_KEEPING, true},
    {"forget_nothing", OF_SELF, AT_KEEPING, true}, {"start", OF_SPARE_ITEM, AT_ON_SUSPEND, false},
    {"restore", OF_SELF, AT_ON_INIT, false},
};

/* `crashing`: so many occurrences also with crashes. */
static void at_each(const row *call, target of, moment at, unsigned crashing)
{
    static const unsigned variants[] = {0, RATED};

    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        for (unsigned which = 0; which < plain[variants[i]].seen[at]; which++)
            call_once(call, of, at, which, variants[i], NO_CRASH);
    }
    for (int crash = 1; crashing && crash < 90; crash += 2) {
        for (unsigned which = 0; which < crashing && which < plain[RATED].seen[at]; which++)
            call_once(call, of, at, which, RATED, crash);
    }
    /* The first process goes on for long. */
    for (unsigned which = 0; crashing && which < plain[0].seen[at]; which++) call_once(call, of, at, which, 0, 1000);
}

static const row *row_of(const char *name)
{
    for (const row *call = rows; call < rows + row_count; call++) {
        if (strcmp(call->name, name) == 0) return call;
    }
    exit(2);
}

CASE(what_was_found_before)
{
    play_plain();
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        at_each(row_of(found[i].call), found[i].target, found[i].at, found[i].crashes ? 2 : 0);
    at_all(row_of("keep"), OF_SELF, AT_KEEPING);
    assert_int_equal(faults, 0);
}

CASE(pairs_of_calls)
{
    play_plain();
    drawn = 5;
    pairs(400);
    assert_int_equal(faults, 0);
}

/* -- by hand ------------------------------------------------------------------------------------------------------- */

static int index_of(const char *name, const char *const names[], int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) return i;
    }
    exit(2);
}

/* `words`: those of scene_text(). NULL after the moment: each occurrence. */
static event event_of(char **words)
{
    return (event){.call = row_of(words[0]),
                   .target = (target)index_of(words[1], target_names, TARGET_COUNT),
                   .at = (moment)index_of(words[2], moment_names, MOMENT_COUNT),
                   .which = words[3] ? (unsigned)strtoul(words[3], NULL, 10) : EACH};
}

int main(int count, char **arguments)
{
    if (count < 2) return cases_run();
    play_plain();
    unsigned const many = count > 3 ? (unsigned)atoi(arguments[3]) : 1;
    if (count == 3 || count == 4) drawn = (uint32_t)atoi(arguments[2]);
    if (strcmp(arguments[1], "plain") == 0) {
        for (unsigned variant = 0; variant < VARIANTS; variant++) {
            printf("variant %u\n", variant);
            for (int i = 0; i < MOMENT_COUNT; i++) printf("%s %u, ", moment_names[i], plain[variant].seen[i]);
            printf("\n%s\n", plain[variant].story);
        }
    } else if (strcmp(arguments[1], "all") == 0) {
        each(many, 1);
    } else if (strcmp(arguments[1], "pairs") == 0) {
        pairs(many);
    } else if (count == 4) {
        event const of = event_of(arguments + 1);
        at_each(of.call, of.target, of.at, UINT_MAX);
    } else if (count > 6) {
        scene of = {.first = event_of(arguments + 1), .variant = (unsigned)atoi(arguments[5])};
        of.crash = atoi(arguments[6]);
        if (count > 10) of.second = event_of(arguments + 7);
        is_verbose = true;
        play_and_compare(&of);
        printf("%s", story);
    }
    printf("%u scenes, %u calls, %u faults\n", scenes, calls, faults);
    return faults != 0;
}
