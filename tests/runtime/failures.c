/* SPDX-License-Identifier: MIT */
/* failures.c - a runtime reports failures that nobody waits for; companions whose jobs run on other threads. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../cases.h"

#include "uflow/runtime.h"
#include "uflow/uflow.h"

#include "failures.h"

#define LIMIT UF_S(60)

static uf_runtime *runtime;
static Machine machine;

static struct {
    int count, ends;
    bool own_thread, running;
    char path[64], task[16], step[16], reason[UF_REASON_SIZE];
} told;

static void note(void *context, const uf_flow *flow, const uf_failure *failure)
{
    assert_ptr_equal(context, &told);
    told.count++;
    told.ends = atomic_load(&ended);
    told.own_thread = uf_runtime_is_own_thread(runtime);
    told.running = uf_flow_running(flow);
    uf_flow_path(flow, told.path, sizeof told.path);
    snprintf(told.task, sizeof told.task, "%s", failure->task);
    snprintf(told.step, sizeof told.step, "%s", failure->step);
    snprintf(told.reason, sizeof told.reason, "%s", failure->reason);
}

static void begin(const uf_runtime_config *config)
{
    memset(&told, 0, sizeof told);
    atomic_store(&ended, 0);
    assert_int_equal(uf_runtime_new(&runtime, config), UF_OK);
    assert_int_equal(Machine_init(&machine, uf_runtime_pump(runtime), "machine"), UF_OK);
}

static void begin_noting(void)
{
    uf_runtime_config const config = {.on_failure = note, .failure_context = &told};
    begin(&config);
}

/* Afterwards this thread may read what the runtime's thread wrote. */
static void end(void)
{
    assert_int_equal(uf_runtime_wait(runtime, LIMIT), UF_OK);
    assert_int_equal(Machine_destroy(&machine), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

CASE(a_failure_that_nobody_sees_is_reported)
{
    begin_noting();
    assert_int_equal(Machine_start_Break(&machine, 7), UF_OK);
    end();
    assert_int_equal(told.count, 1);
    assert_int_equal(told.ends, 1); /* after `on end` */
    assert_true(told.own_thread && told.running);
    assert_string_equal(told.path, "machine");
    assert_string_equal(told.task, "Break");
    assert_string_equal(told.step, "Grip");
    assert_string_equal(told.reason, "code 7");
}

CASE(no_other_end_is_reported)
{
    begin_noting();
    assert_int_equal(Machine_start_Seen(&machine), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LIMIT), UF_OK);
    assert_int_equal(Machine_start_Accompanied(&machine), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LIMIT), UF_OK);
    assert_int_equal(Machine_start_Cancelled(&machine), UF_OK);
    assert_int_equal(uf_flow_cancel(&machine.uf), UF_OK);
    end();
    assert_int_equal(told.count, 0);
    assert_int_equal(told.ends, 0);
}

CASE(only_the_last_of_a_chain_is_reported)
{
    begin_noting();
    assert_int_equal(Machine_start_Handed_on(&machine), UF_OK);
    end();
    assert_int_equal(told.count, 1);
    assert_string_equal(told.path, "machine");
    assert_string_equal(told.reason, "part.Break: code 4");
}

CASE(who_only_waits_for_an_idle_flow_does_not_see_it)
{
    begin_noting();
    assert_int_equal(Part_start_Break(&machine.part, 0), UF_OK);
    assert_int_equal(Machine_start_Looked_at(&machine), UF_OK);
    end();
    assert_int_equal(told.count, 1);
    assert_string_equal(told.path, "machine.part");
    assert_string_equal(told.reason, "");
}

CASE(texts_have_floating_point)
{
    Scale scale;

    begin_noting();
    assert_int_equal(Scale_init(&scale, uf_runtime_pump(runtime), "scale"), UF_OK);
    assert_int_equal(Scale_start_Weigh(&scale, 2.5), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LIMIT), UF_OK);
    assert_int_equal(Scale_destroy(&scale), UF_OK);
    end();
    assert_int_equal(told.count, 1);
    assert_string_equal(scale.text, "2.5 kg");
    assert_string_equal(told.reason, "2.50 kg, 25.0%");
}

CASE(a_failure_that_something_else_outruns_is_reported)
{
    static uf_status (*const starts[])(Deaf *) = {Deaf_start_By_arm,     Deaf_start_By_one_of_all,
                                                  Deaf_start_By_handler, Deaf_start_By_handler_with_companion,
                                                  Deaf_start_By_cancel,  Deaf_start_By_cancel_with_companion};
    static Deaf deaf;
    static Attentive attentive;

    begin_noting();
    assert_int_equal(Deaf_init(&deaf, uf_runtime_pump(runtime), "deaf"), UF_OK);
    assert_int_equal(Attentive_init(&attentive, uf_runtime_pump(runtime), "attentive"), UF_OK);
    for (int i = 0; i < (int)(sizeof starts / sizeof *starts); i++) {
        assert_int_equal(starts[i](&deaf), UF_OK);
        assert_int_equal(uf_runtime_wait(runtime, LIMIT), UF_OK);
        if (told.count != i + 1) print_error("case %d\n", i);
        assert_int_equal(told.count, i + 1);
        assert_string_equal(told.path, "deaf.noisy");
        assert_string_equal(told.task, "Break");
        assert_string_equal(told.step, "Fire");
        assert_string_equal(told.reason, "out of order");
    }
    told.count = 0;
    assert_int_equal(Attentive_start_By_else(&attentive), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LIMIT), UF_OK);
    assert_int_equal(Attentive_start_By_all(&attentive), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LIMIT), UF_OK);
    assert_int_equal(Attentive_start_By_companion(&attentive), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LIMIT), UF_OK);
    assert_int_equal(told.count, 0);
    assert_int_equal(Deaf_destroy(&deaf), UF_OK);
    assert_int_equal(Attentive_destroy(&attentive), UF_OK);
    end();
}

CASE(a_call_sees_it)
{
    uf_call_info info;

    begin_noting();
    assert_int_equal(Machine_call_Break(&machine, 8, LIMIT, &info), UF_NOT_DONE);
    assert_string_equal(info.reason, "code 8");
    end();
    assert_int_equal(told.count, 0);
}

/* This thread has 20 ms to begin its wait. A loaded machine may need several attempts. */
CASE(a_thread_that_waits_sees_it)
{
    uf_call_info info;
    uf_run run;
    bool seen = false;

    begin_noting();
    for (int i = 0; i < 100 && !seen; i++) {
        int const before = told.count; /* the runtime is idle */
        assert_int_equal(Machine_start_run_Later(&machine, &run), UF_OK);
        assert_int_equal(uf_run_wait(run, LIMIT, &info), UF_OK);
        assert_string_equal(info.reason, "later");
        assert_int_equal(uf_runtime_wait(runtime, LIMIT), UF_OK);
        seen = told.count == before;
    }
    end();
    assert_true(seen);
}

/* Returns what the runtime prints to stderr. */
static const char *printed(void)
{
    static char text[512];
    int const saved = dup(STDERR_FILENO);
    int ends[2];

    assert_true(saved >= 0);
    assert_int_equal(pipe(ends), 0);
    assert_true(dup2(ends[1], STDERR_FILENO) >= 0);
    begin(NULL);
    assert_int_equal(Part_start_Break(&machine.part, 0), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LIMIT), UF_OK);
    assert_int_equal(Machine_start_Break(&machine, 7), UF_OK);
    end();
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    close(saved);
    close(ends[1]);
    ssize_t const length = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    assert_true(length >= 0);
    text[length] = '\0';
    return text;
}

CASE(it_is_a_line_on_stderr_by_default)
{
    assert_string_equal(printed(), "uflow: machine.part Break failed in Try\n"
                                   "uflow: machine Break failed in Grip: code 7\n");
}

CASE(a_companion_with_jobs)
{
    static Owner owner;
    uf_call_info info;
    uf_runtime_config const config = {.on_failure = note, .failure_context = &told};

    begin(&config);
    assert_int_equal(Owner_init(&owner, uf_runtime_pump(runtime), "owner"), UF_OK);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(Owner_call_Run(&owner, LIMIT, &info), UF_NOT_DONE);
        assert_string_equal(info.reason, "rooter.Root: no root of -7");
        uf_status const status = Owner_call_Leave(&owner, LIMIT, &info); /* the companion may fail within 1 ms */
        assert_int_equal(status, info.outcome == UF_DONE ? UF_OK : UF_NOT_DONE);
    }
    assert_int_equal(uf_runtime_wait(runtime, LIMIT), UF_OK);
    assert_int_equal(told.count, 0); /* the companion's failure was taken notice of */
    assert_int_equal(Owner_destroy(&owner), UF_OK);
    end();
}
