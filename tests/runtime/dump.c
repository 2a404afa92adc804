/* SPDX-License-Identifier: MIT */
/* dump.c - the steps and waits of all flows: for a pump, and for a runtime from any thread, also when it hangs. */
#include "harness.h"

#include "uflow/checkpoint.h"
#include "uflow/dump.h"
#include "uflow/pool.h"
#include "uflow/runtime.h"

#include "dump.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LONG UF_S(60)

static atomic_bool hangs, hung;
static char shown[4096];

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

bool dump_hang(void)
{
    if (!atomic_load(&hangs)) return false;
    atomic_store(&hung, true);
    while (atomic_load(&hangs)) nap();
    return true;
}

static const char *text_of(FILE *out)
{
    rewind(out);
    shown[fread(shown, 1, sizeof shown - 1, out)] = '\0';
    fclose(out);
    return shown;
}

CASE(test_every_kind_of_arm)
{
    static uf_seeded_pool pool;
    uf_work works[2];
    Cell cell, other;
    FILE *out = tmpfile();
    assert_int_equal(uf_pool_seeded(&pool, works, 2, 3, UF_S(100)), UF_OK);
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.pool = &pool.pool}), UF_OK);
    assert_int_equal(uf_pump_dump(NULL, out), UF_INVALID);
    assert_int_equal(uf_pump_dump(&pump, NULL), UF_INVALID);
    assert_int_equal(Cell_init(&cell, &pump, "cell"), UF_OK);
    assert_int_equal(Cell_init(&other, &pump, "other"), UF_OK);
    assert_int_equal(uf_checkpoint_try_arm(&gate), UF_OK);
    assert_int_equal(Cell_start_Serve(&cell), UF_OK);
    rounds(3);
    uf_pump_round(&pump, UF_MS(10));
    assert_int_equal(uf_pump_dump(&pump, out), UF_OK);
    assert_string_equal(text_of(out), "cell  Serve.Take:19  #00  for 10.00ms  item 7\n"
                                      "    waits: run cell.lamp\n"
                                      "    waits: job scale (weigh, in the queue for 10.00ms)\n"
                                      "    waits: mailbox box\n"
                                      "    waits: arrived gate\n"
                                      "    waits: stopping\n"
                                      "    waits: until a condition has held\n"
                                      "    waits: timeout in 20.00ms\n"
                                      "cell.lamp  Burn.On:11  #00  for 10.00ms\n"
                                      "    waits: signal estop\n"
                                      "other  idle, never ran\n"
                                      "other.lamp  idle, never ran\n");

    uf_pump_round(&pump, UF_MS(30));
    uf_checkpoint_resume(&gate);
    assert_int_equal(uf_checkpoint_try_arm(&gate), UF_OK);
    assert_int_equal(uf_signal_fire(&estop), 0); /* nobody waits */
    assert_int_equal(Lamp_start_Burn(&other.lamp), UF_OK);
    assert_int_equal(Cell_start_Pause(&other), UF_OK);
    uf_pump_round(&pump, UF_MS(31));
    out = tmpfile();
    assert_int_equal(uf_pump_dump(&pump, out), UF_OK);
    assert_string_equal(text_of(out), "cell  idle, failed: late\n"
                                      "cell.lamp  idle, cancelled\n"
                                      "other  Pause.Wait:33  #00  for 0ns\n"
                                      "    waits: checkpoint gate (1 stopped; who resumes it is not known)\n"
                                      "    waits: idle other.lamp\n"
                                      "other.lamp  Burn.On:11  #00  for 0ns\n"
                                      "    waits: signal estop (fires so far: 1)\n");
    uf_pump_cancel_all(&pump);
    rounds(2);
    uf_checkpoint_resume(&gate);
    assert_int_equal(Cell_destroy(&cell), UF_OK);
    assert_int_equal(Cell_destroy(&other), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

static uf_runtime *runtime;

static void dump_on_the_own_thread(void *out)
{
    assert_int_equal(uf_runtime_dump(runtime, 0, out), UF_OK);
}

/* Its arm stays set until the next round. */
CASE(test_a_mailbox_that_is_gone)
{
    Box *const box = malloc(sizeof *box);
    FILE *const before = tmpfile(), *const after = tmpfile();
    Sender sender;

    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(Box_init(box, &pump, "box"), UF_OK);
    assert_int_equal(Box_letters_send(box, 1), UF_OK);
    assert_int_equal(Sender_init(&sender, &pump, "sender", box), UF_OK);
    assert_int_equal(Sender_start_Send(&sender), UF_OK);
    rounds(2);
    assert_int_equal(uf_pump_dump(&pump, before), UF_OK);
    assert_non_null(strstr(text_of(before), "room in letters of box"));
    assert_int_equal(Box_destroy(box), UF_OK);
    memset(box, 0xa5, sizeof *box);
    free(box);
    assert_int_equal(uf_pump_dump(&pump, after), UF_OK);
    assert_non_null(strstr(text_of(after), "room in letters\n"));
    rounds(2);
    assert_int_equal(uf_flow_outcome(&sender.uf), UF_FAILED);
    assert_int_equal(Sender_destroy(&sender), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

CASE(test_a_runtime_from_any_thread)
{
    Cell cell;
    FILE *out = tmpfile();
    assert_int_equal(uf_runtime_new(&runtime, NULL), UF_OK);
    assert_int_equal(uf_runtime_dump(NULL, LONG, out), UF_INVALID);
    assert_int_equal(uf_runtime_dump(runtime, LONG, NULL), UF_INVALID);
    assert_int_equal(Cell_init(&cell, uf_runtime_pump(runtime), "cell"), UF_OK);
    assert_int_equal(uf_runtime_dump(runtime, LONG, out), UF_OK);
    assert_int_equal(uf_post_wait(runtime, dump_on_the_own_thread, out), UF_OK);
    assert_string_equal(text_of(out), "cell  idle, never ran\ncell.lamp  idle, never ran\n"
                                      "cell  idle, never ran\ncell.lamp  idle, never ran\n");

    /* The dump names a step that does not return. */
    atomic_store(&hangs, true);
    assert_int_equal(Cell_start_Hang(&cell), UF_OK);
    while (!atomic_load(&hung)) nap();
    out = tmpfile();
    assert_int_equal(uf_runtime_dump(runtime, UF_MS(20), out), UF_TIMED_OUT);
    assert_string_equal(text_of(out), "cell  Hang.Turn:34  has not returned\n");
    atomic_store(&hangs, false);
    assert_int_equal(uf_flow_wait(&cell.uf, LONG, NULL), UF_OK); /* a dump requested earlier must not write to freed
                                                                  * memory */
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);

    assert_int_equal(uf_runtime_stop(runtime, LONG, NULL), UF_OK);
    out = tmpfile();
    assert_int_equal(uf_runtime_dump(runtime, LONG, out), UF_CLOSED);
    fclose(out);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}
