/* SPDX-License-Identifier: MIT */
/* misuse.c - calls every public and every generated function with NULL, zeroed storage and a destroyed pump, and every
 * configuration with a negative time. Each call has its own process, so that a crash names it. misuse.py determines the
 * expected results. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uflow/console.h"
#include "uflow/counters.h"
#include "uflow/dump.h"
#include "uflow/inspect.h"
#include "uflow/recorder_file.h"
#include "uflow/runtime.h"
#include "uflow/simulate.h"
#include "uflow/trace.h"
#if defined(MISUSE_SQLITE)
#include "uflow/sqlite.h"
#endif
#if defined(MISUSE_UV)
#include "uflow/uv.h"
#endif

#include "misuse.h"

typedef struct misuse {
    const char *what;
    bool (*is_answered)(void);
} misuse;

/* -- valid arguments ----------------------------------------------------------------------------------------------- */

static int number;
static char text_buffer[4];
static char token_buffer[UF_TOKEN_SIZE];
static uint8_t bytes[4];
static uf_call_info call_info;
static uf_checkpoint checkpoint;
static uf_console console;
static uf_flow_counts counts;
static uf_flow_view view;
static uf_inspect *inspect;
static uf_inspect_config inspect_config;
static uf_observer observer;
static uf_pool *pool;
static uf_restore_report restore_report;
static uf_store other_store;
static uf_store_config store_config;
static uf_store_kind store_kind;
static uf_store_slots slots;
static uint8_t slots_memory[256], slots_image[128];

static bool read_slots(void *context, uint32_t offset, void *to, uint32_t size)
{
    memcpy(to, (uint8_t *)context + offset, size);
    return true;
}

static bool write_slots(void *context, uint32_t offset, const void *from, uint32_t size)
{
    memcpy((uint8_t *)context + offset, from, size);
    return true;
}

static uf_store_slots_config slots_config = {.read = read_slots,
                                             .write = write_slots,
                                             .context = slots_memory,
                                             .size = sizeof slots_memory,
                                             .image = slots_image,
                                             .image_size = sizeof slots_image};
static uf_pool_config pool_config;
static uf_pump_config pump_config;
static uf_round_counts round_counts;
static uf_run handle;
static uf_runtime *runtime;
static uf_post_counts post_counts;
static uf_run_times run_times;
static uf_runtime_config runtime_config;
static uf_seeded_pool seeded;
static uf_signal signal_of_all;
static uf_signal_callback callback;
static uf_stop stop;
static uf_stop_report stop_report;
static uf_trace_entry entries[4];
static uf_turn turn;
static uf_work work;
static uf_pump other_pump;
static Unit other_unit;
static Part other_part;
#if defined(MISUSE_SQLITE)
static uf_sqlite_config sqlite_config;
#endif
#if defined(MISUSE_UV)
static uf_uv adapter;

static void on_closed(uf_uv *closed)
{
    (void)closed;
}
#endif

static void on_call(void *argument)
{
    (void)argument;
}

static void on_fire(void *argument, uf_status status)
{
    (void)argument;
    (void)status;
}

static void on_descriptor(void *context, int fd, int event)
{
    (void)context;
    (void)fd;
    (void)event;
}

static uf_time monotonic(void *context)
{
    (void)context;
    return 0;
}

static void must(bool is_so)
{
    if (!is_so) abort();
}

/* Allocates exactly this size, so that a sanitizer detects accesses beyond it. The memory lasts until the process
 * ends. */
static void *zeroed(size_t size)
{
    void *const storage = calloc(1, size);
    must(storage != NULL);
    return storage;
}

/* A NULL that the compiler cannot see. */
static void *none(void)
{
    static void *volatile nothing;
    return nothing;
}

static uf_pump *a_pump(void)
{
    static uf_pump pump;
    static bool made;
    if (!made) must(uf_pump_init(&pump, &(uf_pump_config){.pool = uf_pool_inline()}) == UF_OK);
    made = true;
    return &pump;
}

static Unit *a_unit(void)
{
    static Unit unit;
    static bool made;
    if (!made) must(Unit_init(&unit, a_pump(), "unit", 1) == UF_OK);
    made = true;
    return &unit;
}

static uf_pump *a_destroyed_pump(void)
{
    static uf_pump pump;
    must(uf_pump_init(&pump, &(uf_pump_config){.pool = uf_pool_inline()}) == UF_OK);
    must(uf_pump_destroy(&pump) == UF_OK);
    return &pump;
}

static Unit *a_filled_unit(void)
{
    must(Unit_box_send(a_unit(), 1) == UF_OK);
    return a_unit();
}

static Unit *a_weighed_unit(void)
{
    must(Unit_start_Weigh(a_unit(), 1) == UF_OK);
    must(uf_simulate_until_idle(a_pump(), UF_S(1)) == UF_OK);
    must(Unit_result_Weigh(a_unit(), &number));
    return a_unit();
}

static uf_runtime *a_runtime(bool embedded)
{
    static uf_runtime *made;
    if (!made) must(uf_runtime_new(&made, &(uf_runtime_config){.embedded = embedded}) == UF_OK);
    return made;
}

static uf_runtime *another_runtime(void)
{
    uf_runtime *made;
    must(uf_runtime_new(&made, NULL) == UF_OK);
    return made;
}

static Unit *a_hosted_unit(void)
{
    static Unit unit;
    static bool made;
    if (!made) must(Unit_init(&unit, uf_runtime_pump(a_runtime(false)), "unit", 1) == UF_OK);
    made = true;
    return &unit;
}

static uf_counters *a_counter(void)
{
    static uf_counters counters;
    must(uf_counters_init(&counters, &counts, 1) == UF_OK);
    return &counters;
}

static uf_store *a_store(void)
{
    static uf_store *store;
    must(store || uf_store_memory_open(&store, NULL) == UF_OK);
    return store;
}

/* For the store that a call opens. */
static uf_store **store_place(void)
{
    static uf_store *store;
    if (store) must(uf_store_close(store) == UF_OK);
    store = NULL;
    return &store;
}

static uf_timer *a_timer(void)
{
    static uf_timer timer;
    uf_timer_start(&timer, &a_unit()->uf);
    return &timer;
}

static uf_trace *a_trace(void)
{
    static uf_trace trace;
    must(uf_trace_init(&trace, a_pump(), NULL, entries, 4) == UF_OK);
    return &trace;
}

static unsigned char memory[8192];
static uf_trace_cell cells[1];
static uf_recorder_cursor cursor;

static uf_recorder *a_recorder(void)
{
    static uf_recorder recorder;
    must(uf_recorder_init(&recorder, a_pump(), memory, sizeof memory, 4) == UF_OK);
    return &recorder;
}

#include "misuse_cases.h"

/* -- the calls ----------------------------------------------------------------------------------------------------- */

#define AS_IT_HAS_TO 0
#define OTHERWISE    3
#define TIME_LIMIT   60 /* seconds, for a call that does not return */

static int make(const misuse *one)
{
    pid_t const child = fork();
    int status = 0;

    must(child >= 0);
    if (child == 0) {
        alarm(TIME_LIMIT);
        _exit(one->is_answered() ? AS_IT_HAS_TO : OTHERWISE);
    }
    must(waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == AS_IT_HAS_TO) return 0;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) printf("%s: does not return\n", one->what);
    else if (WIFSIGNALED(status)) printf("%s: crashes with signal %d\n", one->what, WTERMSIG(status));
    else if (WEXITSTATUS(status) == OTHERWISE) printf("%s: is not refused\n", one->what);
    else printf("%s: ends the process\n", one->what); /* reported by a sanitizer */
    return 1;
}

int main(void)
{
    size_t const count = sizeof cases / sizeof *cases;
    int wrong = 0;

    setvbuf(stdout, NULL, _IOLBF, 0); /* otherwise each child would print the buffered text again */
    for (const char *const *problem = problems; *problem; problem++) {
        printf("%s\n", *problem);
        wrong++;
    }
    for (size_t i = 0; i < count; i++) wrong += make(&cases[i]);
    printf("%zu calls, %d wrong\n", count, wrong);
    return wrong || count < 300;
}
