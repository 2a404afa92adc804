#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests beside flows: what --tests and --list-tests write, and what remains as it is without them.

usage: beside.py [TEST...]"""
import os
import sys

from e2e import CC, CFLAGS, GOOD, INCLUDE, KINDS, ROOT, Case

sys.path.insert(0, os.path.join(ROOT, "tests"))
from chosen import run_tests  # noqa: E402

TESTS = """\
test "it closes" within 1min {
    flow Door door;
    always (flow->door.pushes <= 3);
    step Close { await run Door.Close(&flow->door) -> Closed(result); }
    step Closed(int pushes) { expect(pushes == 3); done; }
}

test "two at once" { step Go { done; } }
"""
OTHERS = [kind for kind in KINDS if kind != "c"]


class Beside(Case):
    def setUp(self):
        super().setUp()
        self.write("door.uflow", GOOD)
        self.write("both/door.uflow", GOOD + TESTS)
        self.write("door_test.uflow", 'import "door.uflow";\n' + TESTS)

    def output(self, name, *options):
        return self.good(*options, "--no-line", "--file-prefix-map=both/=", "-o", "-", name).out

    def test_without_the_option_nothing_is_emitted(self):
        self.assertEqual(self.output("both/door.uflow", "--emit=c"), self.output("door.uflow", "--emit=c"))

    def test_other_outputs_leave_tests_out(self):
        for kind in OTHERS:
            with self.subTest(kind=kind):
                made = self.good("--emit=" + kind, "-o", "-", "both/door.uflow").out
                self.assertFalse(b"uf_test" in made, "there are tests in it") # the page shows their text
        self.assertNotIn(b"uf_test", self.good("--sizes", "both/door.uflow").out)

    def test_header_is_the_same(self):
        os.mkdir(self.path("tested"))
        self.good("--tests", "--no-line", "-o", "tested/door.c", "both/door.uflow")
        self.good("--no-line", "-o", "door.c", "both/door.uflow")
        self.assertEqual(self.read("tested/door.h"), self.read("door.h"))

    def test_blocks_see_the_macro(self):
        text = "source {\n#if defined(UF_TESTS)\n#error tests\n#endif\n}\n" + GOOD + TESTS
        self.write("seen.uflow", text)
        for options, status in ((["--tests"], 1), ([], 0)):
            self.good(*options, "-o", "seen.c", "seen.uflow")
            done = self.run_in_folder(CC, *CFLAGS, "-I" + INCLUDE, "-fsyntax-only", "seen.c")
            self.assertEqual(done.status != 0, bool(status), done)

    def test_list(self):
        self.assertEqual(self.good("--list-tests", "door_test.uflow").out.decode(),
                         "door_test.uflow:2 it closes\ndoor_test.uflow:9 two at once\n")
        self.assertEqual(self.good("--list-tests", "door.uflow").out, b"")
        self.write("wrong.uflow", TESTS + "flow Door {")
        self.assertEqual(self.ufc("--list-tests", "wrong.uflow").status, 1)

    def test_imports_do_not_bring_tests(self):
        self.write("user.uflow", 'import "both/door.uflow";\n' + TESTS)
        self.good("--tests", "-o", "user.c", "user.uflow")
        self.write("thief.uflow", 'flow A { task T { step S { await run uf_test_thief_1.Test(0) -> done; } } }\n' +
                   'test "x" { step S { done; } }\n')
        self.assertIn(b"UF0306", self.ufc("thief.uflow").err)

    def test_uses_in_tests_count(self):
        worker = "worker int twice(int n) { return 2 * n; }\n"
        test = 'test "x" { job two: twice; step S { submit two(1); await { two -> done; timeout 1s -> fail; } } }\n'
        self.write("used.uflow", worker + GOOD + test)
        self.assertEqual(self.good("--check", "used.uflow").err, b"")
        self.write("unused.uflow", worker + GOOD)
        self.assertIn(b"UF0809", self.ufc("--check", "unused.uflow").err)

    def test_mutants_leave_the_header(self):
        self.good("--no-line", "-o", "plain.c", "--header=door.h", "door.uflow")
        plain = self.read("door.h")
        self.good("--no-line", "--mutants", "-o", "changed.c", "--header=door.h", "door.uflow")
        self.assertEqual(self.read("door.h"), plain)
        self.assertNotIn(b"mutant", self.read("plain.c"))
        self.assertIn(b"uf_mutant", self.read("changed.c"))

    def test_every_way_to_compile(self):
        for options in ([], ["--no-line"], ["--no-names"], ["--coverage"], ["--mutants"]):
            with self.subTest(options=options):
                self.good("door.uflow")
                self.good("--tests", *options, "door_test.uflow")
                flags = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-I" + INCLUDE]
                done = self.run_in_folder(CC, *CFLAGS, *flags, "-c", "door_test.c", "-o", "door_test.o")
                self.assertEqual(done.status, 0, done)


if __name__ == "__main__":
    run_tests()
