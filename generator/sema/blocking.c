/* SPDX-License-Identifier: MIT */
/* Calls by name of functions that block the pump, and with it every flow. */
#include "checks.h"
#include "walk.h"
#include "words.h"

/* Functions that block, or do in most uses. poll() is missing because its name is common. */
static const char *const known[] = {
    "sleep", "usleep", "nanosleep", "clock_nanosleep", "Sleep", "thrd_sleep", "thrd_join", "cnd_wait", "cnd_timedwait",
    "pthread_join", "pthread_cond_wait", "pthread_cond_timedwait", "pthread_barrier_wait", "sem_wait", "sem_timedwait",
    "waitpid", "waitid", "wait3", "wait4", "sigwait", "sigwaitinfo", "sigtimedwait", "sigsuspend", "select", "pselect",
    "epoll_wait", "system", "pclose", "getchar", "getch", "gets", "fgetc", "scanf", "vscanf", "getpass", "HAL_Delay",
    "vTaskDelay", "osDelay", "k_sleep", "k_msleep", "wait", "pause",
    /* resolvers */
    "getaddrinfo", "getnameinfo", "gethostbyname", "gethostbyname2", "gethostbyname_r", "gethostbyaddr", "res_query",
    "res_search",
    /* functions that drive the pump, which is running already */
    "uf_pump_round", "uf_simulate_until", "uf_simulate_until_idle", "uf_simulate_until_end", "uf_simulate_stop",
    "uf_runtime_poll",
    /* functions in which threads wait; flows use arms instead */
    "uf_signal_wait", "uf_signal_wait_since", "uf_checkpoint_arm", "uf_flow_wait", "uf_run_wait", "uf_run_wait_kept",
    "uf_mailbox_send_wait", "uf_runtime_wait", "uf_post_wait", "uf_post_wait_at",
    /* functions that wait for the thread which runs the step */
    "uf_runtime_free", "uf_inspect_close"};

static const char help[] = "wait with an intent, such as `await 50ms -> Step`, or let a thread of the pool make the "
                           "call: in a `worker`, run by `submit` of its job";

static void add_all(sema *s, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) add_call(s, list[i], NULL, help);
}

void collect_blocking(sema *s)
{
    add_all(s, known, sizeof known / sizeof known[0]);
    add_all(s, s->options->blocking, s->options->blocking_count);
}

/* Is it a name that programs also give to functions of their own? */
static bool may_be_of_program(sema *s, const token_list *list, uint32_t name)
{
    if (!token_is_one_of(list, name, "wait pause")) return false;
    return find_global(s, token_intern(s->arena, list, name))->kind != GLOBAL_ABSENT || includes_unknown_headers(s);
}

/* Finds the next call that blocks, like next_name(). Returns: NULL at the end. */
static const call *next_blocking(sema *s, token_range text, uint32_t *index)
{
    while (next_name(text, index)) {
        if (!range_is(text, *index, "(")) continue;
        size_t length;
        const char *const word = token_text(text.list, *index - 1, &length);
        const call *const called = scope_find_text(&s->calls, word, length);
        if (called && called->instead && !may_be_of_program(s, text.list, *index - 1)) return called;
    }
    return NULL;
}

static void check_text(token_range text, void *context)
{
    sema *s = context;
    const call *called;
    for (uint32_t i = text.first; (called = next_blocking(s, text, &i)) != NULL;) {
        size_t length;
        const char *const word = token_text(text.list, i - 1, &length);
        /* `nxet Sleep(1);`, with a step of that name */
        if (diag_error_within(s->diagnostics,
                              span_join(token_span(text.list, text.first), token_span(text.list, i - 1))))
            continue;
        diag_report *r = report_at(s, UF0509, token_span(text.list, i - 1),
                                   "`%.*s` blocks the pump: every other flow would stand still", (int)length, word);
        diag_help(r, "%s", called->instead);
    }
}

void check_blocking(sema *s, const body_site *site)
{
    uint32_t i = site->body->text.first;
    if (next_blocking(s, site->body->text, &i)) walk_texts(site->body->first, check_text, s);
}
