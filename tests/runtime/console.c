/* SPDX-License-Identifier: MIT */
/* console.c - the exact lines of the console, in virtual time. */
#include "harness.h"

#include "uflow/console.h"

#include "console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EXPECTED
#error "EXPECTED is the file with the expected lines"
#endif

/* Replaces each path that ends in console.uflow by FILE, so that the source directory does not matter. */
static void mask_path(char *line)
{
    char *const end = strstr(line, "console.uflow");
    if (!end) return;
    char *begin = end;
    while (begin > line && begin[-1] != ' ' && begin[-1] != '=') begin--;
    memcpy(begin, "FILE", 4);
    memmove(begin + 4, end + strlen("console.uflow"), strlen(end + strlen("console.uflow")) + 1);
}

TEST(test_G14_console_lines)
{
    static uf_console console;
    char line[512], expected[512];
    FILE *const out = tmpfile(), *const golden = fopen(EXPECTED, "r");
    Robot robot;
    int number = 0;

    assert_non_null(out);
    assert_non_null(golden);
    assert_int_equal(uf_console_attach(&console, &pump, NULL), UF_INVALID);
    assert_int_equal(uf_console_attach(&console, &pump, out), UF_OK);
    assert_int_equal(uf_console_attach(&console, &pump, out), UF_BUSY);
    Robot_init(&robot, &pump, "robot");
    Robot_start_Work(&robot, 1);
    run_until_idle();
    Robot_start_Work(&robot, 3);
    run_until_idle();
    Robot_start_Work(&robot, 1);
    assert_int_equal(uf_simulate_until(&pump, uf_pump_now(&pump) + UF_MS(5)), UF_OK);
    uf_flow_cancel(&robot.uf);
    run_until_idle();
    assert_int_equal(uf_console_detach(&console, &pump), UF_OK);
    assert_int_equal(uf_console_detach(&console, &pump), UF_INVALID);
    Robot_start_Work(&robot, 1);
    run_until_idle(); /* no further calls */

    rewind(out);
    for (; fgets(line, sizeof line, out); number++) {
        mask_path(line);
        if (!fgets(expected, sizeof expected, golden)) expected[0] = '\0';
        assert_string_equal(line, expected);
    }
    assert_null(fgets(expected, sizeof expected, golden));
    assert_true(number > 0);
    fclose(out);
    fclose(golden);
}

static const char *text_of(FILE *file, char text[8192])
{
    rewind(file);
    text[fread(text, 1, 8191, file)] = '\0';
    fclose(file);
    return text;
}

/* A console for the terminal, and one for a log. */
TEST(G15_the_log_equals_the_terminal)
{
    static uf_console on_terminal, in_log;
    static char shown[8192], logged[8192];
    FILE *const terminal = tmpfile(), *const log = tmpfile();
    Robot robot;

    assert_non_null(terminal);
    assert_non_null(log);
    assert_int_equal(setvbuf(log, NULL, _IOLBF, BUFSIZ), 0);
    assert_int_equal(uf_console_attach(&on_terminal, &pump, terminal), UF_OK);
    assert_int_equal(uf_console_attach(&in_log, &pump, log), UF_OK);
    Robot_init(&robot, &pump, "robot");
    for (int force = 1; force <= 3; force++) {
        Robot_start_Work(&robot, force);
        run_until_idle();
    }
    assert_string_equal(text_of(log, logged), text_of(terminal, shown));
    assert_non_null(strstr(shown, "FLOW END  Fail"));
}

/* Each of two consoles appends, and its lines are there before it is closed. */
TEST(a_console_has_a_file_of_its_own)
{
    static char const path[] = "console_of_its_own.log";
    static uf_console console;
    static char text[8192];
    size_t first = 0;
    Robot robot;

    (void)remove(path);
    Robot_init(&robot, &pump, "robot");
    for (int run = 1; run <= 2; run++) {
        assert_int_equal(uf_console_open(&console, path), UF_OK);
        assert_int_equal(uf_pump_add_observer(&pump, &console.observer), UF_OK);
        Robot_start_Work(&robot, 1);
        run_until_idle();
        FILE *const log = fopen(path, "r");
        assert_non_null(log);
        (void)text_of(log, text);
        size_t ends = 0;
        for (const char *at = text; (at = strstr(at, "FLOW END")) != NULL; at++) ends++;
        if (run == 1) first = ends;
        assert_true(first > 0);
        assert_int_equal(ends, (size_t)run * first);
        assert_int_equal(uf_console_detach(&console, &pump), UF_OK);
        assert_true(uf_console_close(&console));
    }
    assert_int_equal(remove(path), 0);
    assert_int_equal(uf_console_open(&console, "none/log"), UF_NO_THREAD);
    assert_int_equal(uf_console_open(&console, NULL), UF_INVALID);
    assert_int_equal(uf_console_open(NULL, path), UF_INVALID);
}

TEST(a_console_tells_that_its_file_is_full)
{
    static uf_console console;
    Robot robot;

    if (uf_console_open(&console, "/dev/full") != UF_OK) skip();
    assert_int_equal(uf_pump_add_observer(&pump, &console.observer), UF_OK);
    Robot_init(&robot, &pump, "robot");
    Robot_start_Work(&robot, 1);
    run_until_idle();
    assert_int_equal(uf_console_detach(&console, &pump), UF_OK);
    assert_false(uf_console_close(&console));
}
