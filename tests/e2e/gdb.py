#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gdb knows the .uflow file: breakpoints on a line and on a step's function, and backtraces, at -O0 and -Og."""
import os
import re
import unittest

from e2e import CC, CFLAGS, GOOD, INCLUDE, LIBRARY, Case, have, main

STEPS = """\
flow Door {
    int pushes = 0;

    task Close -> int {
        int force = 7;

        step Push { next Check(flow->pushes + 40); }
        step Check(int timeout) {
            int const more = timeout + self->force;
            flow->pushes += more - timeout - 6;
            if (flow->pushes < 3) next Push;
            done flow->pushes;
        }
    }
}
"""

MAIN = """\
#include "door.h"
#include <stdio.h>
int main(void)
{
    uf_pump pump;
    Door door;
    int pushes = 0;
    if (uf_pump_init(&pump, NULL) != UF_OK || Door_init(&door, &pump, "door") != UF_OK) return 1;
    if (Door_start_Close(&door) != UF_OK) return 1;
    if (uf_simulate_until_idle(&pump, UF_S(10)) != UF_OK) return 2;
    if (!Door_result_Close(&door, &pushes)) return 3;
    printf("%d pushes\\n", pushes);
    return 0;
}
"""


@unittest.skipUnless(have("gdb"), "needs gdb")
class Gdb(Case):
    def build(self, level, *options, flow=GOOD):
        self.write("door.uflow", flow)
        self.write("main.c", MAIN)
        self.good("door.uflow", *options)
        self.must(CC, *CFLAGS, "-g", level, "-I", INCLUDE, "main.c", "door.c", LIBRARY, "-o", "door")
        self.assertEqual(self.must("./door").out, b"3 pushes\n")

    def gdb(self, *commands):
        arguments = [word for command in commands for word in ("-ex", command)]
        environment = {**os.environ, "DEBUGINFOD_URLS": "", "ASAN_OPTIONS": "detect_leaks=0"}
        result = self.must("gdb", "-nx", "-batch", *arguments, "./door", env=environment)
        return result.out.decode() + result.err.decode()

    def test_breakpoints(self):
        line = 1 + GOOD.splitlines().index("            flow->pushes++;")
        is_clang = b"clang" in self.must(CC, "--version").out  # its -Og is -O1, which also drops lines of plain C files
        for level in ("-O0",) if is_clang else ("-O0", "-Og"):
            self.build(level)
            with self.subTest(level=level):
                said = self.gdb(f"break door.uflow:{line}", "run", "print flow->pushes", "backtrace", "continue")
                self.assertRegex(said, rf"Breakpoint 1, Door_Close_Push \(.*door\.uflow:{line}\b")
                self.assertRegex(said, rf"(?m)^{line}\s+flow->pushes\+\+;")
                self.assertIn("$1 = 0", said)
                self.assertRegex(said, rf"(?m)^#0 +Door_Close_Push .* at .*door\.uflow:{line}$")
                self.assertEqual(len(re.findall(r"(?m)^(?:Thread .* hit )?Breakpoint 1, ", said)), 2, said)

                said = self.gdb("break Door_Close_Check", "run", "print *flow", "next", "info source")
                self.assertRegex(said, r"Breakpoint 1, Door_Close_Check \(.*door\.uflow:\d+")
                self.assertRegex(said, r"Current source file is .*door\.uflow")

    def test_stepping(self):
        """Line by line through the .uflow file, then to the next run of the step. Names are those of the file."""
        self.build("-O0", flow=STEPS)
        first = 1 + STEPS.splitlines().index("            int const more = timeout + self->force;")
        said = self.gdb(f"break door.uflow:{first}", "run", "next", "print more", "print timeout", "print self->force",
                        "next", "next", "print flow->pushes", "tbreak Door_Close_Check", "continue", "print timeout")
        lines = [int(line) for line in re.findall(r"(?m)^(\d+)\t", said)]
        self.assertEqual(lines[:3] + lines[-1:], [first, first + 1, first + 2, first], said)
        self.assertEqual(re.findall(r"(?m)^\$\d+ = (.*)", said), ["47", "40", "7", "1", "41"], said)

    def test_errors_of_the_compiler_speak_of_the_uflow_file(self):
        self.write("door.uflow", GOOD.replace("flow->pushes++;", "flow->nothing++;"))
        self.good("door.uflow", "-Wno-unused-field")
        result = self.run_in_folder(CC, "-std=c11", "-fsyntax-only", "-I", INCLUDE, "door.c")
        self.assertNotEqual(result.status, 0)
        self.assertRegex(result.err.decode(), r"(?m)^door\.uflow:6:\d+: error: .*nothing")

    def test_without_line_directives(self):
        self.build("-O0", "--no-line")
        self.assertRegex(self.gdb("break Door_Close_Push", "run"), r"Breakpoint 1, Door_Close_Push \(.*door\.c:\d+")


if __name__ == "__main__":
    main()
