/* SPDX-License-Identifier: MIT */
/* leaving.c - a step that does not return to its pump, and one that runs a round of its own: both end the process, with
 * a text. Each case has a process of its own. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cases.h"

#include "leaving.h"
#include "uflow/runtime.h"

static jmp_buf back;
static void (*leave_by)(Leaver *flow);

void leave(Leaver *flow)
{
    leave_by(flow);
}

static void jump(Leaver *flow)
{
    (void)flow;
    longjmp(back, 1);
}

static void run_a_round(Leaver *flow)
{
    (void)uf_pump_round(flow->uf.pump, 0);
}

static void end_the_thread(Leaver *flow)
{
    pthread_exit(flow);
}

/* A main loop, which goes on after what left the step. */
static void drive_by_hand(void)
{
    static uf_pump pump;
    static Leaver leaver;

    (void)uf_pump_init(&pump, NULL);
    (void)Leaver_init(&leaver, &pump, "leaver");
    (void)Leaver_start_Work(&leaver);
    (void)setjmp(back);
    for (int i = 0; i < 100; i++) (void)uf_pump_round(&pump, 0);
}

static void drive_by_a_thread(void)
{
    uf_runtime *runtime;
    static Leaver leaver;

    (void)uf_runtime_new(&runtime, NULL);
    (void)Leaver_init(&leaver, uf_runtime_pump(runtime), "leaver");
    (void)Leaver_call_Work(&leaver, UF_S(20), NULL);
}

/* A loop that does not nest, and looks before it waits, as the guide says. */
static void drive_in_a_loop(void)
{
    uf_runtime *runtime;
    static Leaver leaver;

    (void)uf_runtime_new(&runtime, &(uf_runtime_config){.embedded = true});
    (void)Leaver_init(&leaver, uf_runtime_pump(runtime), "leaver");
    (void)Leaver_start_Work(&leaver);
    (void)setjmp(back);
    for (int i = 0; i < 100 && !uf_runtime_is_own_thread(runtime); i++) (void)uf_runtime_poll(runtime);
    if (!uf_runtime_is_own_thread(runtime)) return;
    fputs(uf_status_text(uf_runtime_poll(runtime)), stderr);
    abort();
}

/* The text that the process writes to stderr until it aborts. */
static void aborts_with(const char *expected, void (*drive)(void), void (*by)(Leaver *flow))
{
    char text[256];
    size_t length = 0;
    ssize_t count;
    int ends[2], status;

    assert_int_equal(pipe(ends), 0);
    pid_t const child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        leave_by = by;
        (void)dup2(ends[1], STDERR_FILENO);
        drive();
        _exit(0);
    }
    close(ends[1]);
    while ((count = read(ends[0], text + length, sizeof text - 1 - length)) > 0) length += (size_t)count;
    text[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    text[strlen(expected)] = '\0'; /* an emulator of another CPU may say more */
    assert_string_equal(text, expected);
    assert_true(WIFSIGNALED(status));
}

#define IN_ROUND "uf_pump_round() was called in its step, or the step was left by an exception or longjmp()"

CASE(no_step_is_left_by_longjmp)
{
    aborts_with("uflow: flow 'leaver' failed: " IN_ROUND "\n", drive_by_hand, jump);
}

CASE(a_loop_can_tell_that_a_step_was_left)
{
    aborts_with("deadlock", drive_in_a_loop, jump);
}

CASE(no_step_runs_a_round)
{
    aborts_with("uflow: flow 'leaver' failed: " IN_ROUND "\n", drive_by_hand, run_a_round);
}

CASE(no_step_ends_the_thread_of_its_runtime)
{
    aborts_with("uflow: flow 'leaver' failed: its step, or a callback, has ended the thread of the runtime\n",
                drive_by_a_thread, end_the_thread);
}
