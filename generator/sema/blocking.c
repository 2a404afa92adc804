/* Calls that block the pump, and with it every flow, by name. */
#include "checks.h"
#include "walk.h"
#include "words.h"

/* What only ever blocks; select, poll and the like need not, and go by names that others use. */
static const char *const known[] = {"sleep", "usleep", "nanosleep", "clock_nanosleep", "Sleep", "thrd_sleep",
                                    "thrd_join", "cnd_wait", "cnd_timedwait", "pthread_join", "pthread_cond_wait",
                                    "pthread_cond_timedwait", "pthread_barrier_wait", "sem_wait", "sem_timedwait",
                                    "waitpid", "waitid", "sigwait", "sigwaitinfo", "sigtimedwait", "sigsuspend",
                                    "pselect", "epoll_wait", "system", "pclose", "getchar", "getch", "gets", "scanf",
                                    "vscanf", "getpass", "HAL_Delay", "vTaskDelay", "osDelay", "k_sleep", "k_msleep",
                                    /* The pump's own drivers, from inside of a step. */
                                    "uf_pump_round", "uf_simulate_until", "uf_simulate_until_idle",
                                    /* What threads wait with, and flows have arms for. */
                                    "uf_signal_wait", "uf_signal_wait_since", "uf_checkpoint_arm",
                                    "uf_flow_wait", "uf_run_wait", "uf_runtime_wait", "uf_post_wait", "uf_post_wait_at"};

static void add_all(sema *s, scope *names, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) scope_add(s->arena, names, list[i], (void *)list[i]);
}

/* `Flow_call_Task()` starts and waits, from another thread. */
static void add_calls(sema *s, scope *names, const ast_file *file)
{
    for (const ast_flow *flow = file->flows; flow; flow = flow->next) {
        for (const ast_task *task = flow->tasks; flow->name.name && task; task = task->next) {
            if (!task->name.name) continue;
            const char *const name = arena_printf(s->arena, "%s_call_%s", flow->name.name, task->name.name);
            scope_add(s->arena, names, name, (void *)name);
        }
    }
}

typedef struct search {
    sema *sema;
    const scope *names;
} search;

static void check_text(token_range text, void *context)
{
    const search *c = context;
    for (uint32_t i = text.first; next_name(text, &i);) {
        if (i >= text.end || !token_is(text.list, i, "(")) continue;
        size_t length;
        const char *word = token_text(text.list, i - 1, &length);
        const char *name = scope_find_text(c->names, word, length);
        if (!name) continue;
        diag_report *r = diag_at(c->sema->diagnostics, UF0509, token_span(text.list, i - 1),
                                 "`%s` blocks the pump: every other flow would stand still", name);
        diag_help(r, "wait with an intent, such as `await 50ms -> Step`, or leave the call to a thread of its own");
    }
}

void check_blocking(sema *s)
{
    scope names = {0};
    add_all(s, &names, known, sizeof known / sizeof known[0]);
    add_all(s, &names, s->options->blocking, s->options->blocking_count);
    add_calls(s, &names, s->file);
    for (const ast_import *import = s->file->imports; import; import = import->next) {
        if (import->file) add_calls(s, &names, import->file);
    }
    search c = {s, &names};
    for (ast_flow *flow = s->file->flows; flow; flow = flow->next) {
        if (flow->on_init) walk_texts(flow->on_init->first, check_text, &c);
        for (ast_task *task = flow->tasks; task; task = task->next) {
            if (task->on_enter) walk_texts(task->on_enter->first, check_text, &c);
            if (task->on_exit) walk_texts(task->on_exit->first, check_text, &c);
            for (ast_step *step = task->steps; step; step = step->next) walk_texts(step->body.first, check_text, &c);
        }
    }
}
