/* SPDX-License-Identifier: MIT */
/* test.h - the runner of tests in the library `uflow_test`, and checks for C that a test calls.
 *
 *   static void check_frame(const struct frame *frame)
 *   {
 *       UF_EXPECT(frame->length <= 64);
 *   }
 *
 * `ufc --tests` writes the tests of a .uflow file into its C file. The library has main(). */
#ifndef UFLOW_TEST_H
#define UFLOW_TEST_H

#include "uflow/generated/test.h"

UF_C_BEGIN

/* Fails the test that runs now unless the condition holds, and goes on. The report has the place of this line. */
#define UF_EXPECT(...)                                                                                                 \
    ((__VA_ARGS__) ? (void)0 : uf_test_failed(UF_TEST_EXPECT, __FILE__, (uint32_t)__LINE__, #__VA_ARGS__))

/* A number from 0 to `n` - 1 that the test's `explore` chooses, in C of the test. 0 is the normal case: it is the
 * number of the undisturbed run. Each other number is a disturbance, at the line of the call.
 * Thread: that of the test.
 * Returns: the number; 0 if `n` is below 2, in a test without `explore`, and outside of tests. */
#define uf_choose(n) uf_test_choose((n), __FILE__, (uint32_t)__LINE__)

/* A number from `a` to `b`. That of the undisturbed run is 0, or the one that is closest to 0. At most 65535 numbers
 * that are closest to it are chosen.
 * Thread: that of the test.
 * Returns: the number; in a test without `explore` that of the undisturbed run; outside of tests 0. */
#define uf_choose_between(a, b) uf_test_choose_between((a), (b), __FILE__, (uint32_t)__LINE__)

/* The main() of a runner, with the arguments of its command. A program that has its own main() calls it; on a machine
 * without arguments `argc` is 0.
 * Thread: one at a time.
 * Returns: 0: all tests passed; 1: some failed; 2: the arguments are wrong. */
int uf_test_main(int argc, char **argv);

/* On bare metal, where the runner has no stdout: the program defines this function, which gets the report.
 * Thread: the pump's. */
void uf_test_write(const char *text, size_t size);

/* Announces the tests of a file, behind those that were announced before; a second time, it does nothing. The
 * constructors of generated files do it. A system that runs no constructors is built with UF_TEST_NO_CONSTRUCTORS:
 * then `uf_tests_NAME` is the table of NAME.uflow.
 * Thread: one at a time.
 * Lifetime: the table must stay. */
void uf_test_register(uf_test_file *file);

UF_C_END
#endif
