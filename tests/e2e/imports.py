#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Imports: their search path, their errors, cycles; and dependency files."""
import os
import unittest

from e2e import AXIS, UFC, USES_AXIS, Case, have, main

EMPTY = "flow {} {{ task T {{ step S {{ done; }} }} }}\n"


class Imports(Case):
    def test_beside_the_importing_file(self):
        self.write("sub/axis.uflow", AXIS)
        self.write("sub/cell.uflow", USES_AXIS)
        self.good("sub/cell.uflow", "-o", "cell.c")
        self.assertIn(b'#include "axis.h"', self.read("cell.h"))

    def test_in_the_directories_of_I_in_order(self):
        self.write("one/axis.uflow", "flow Other { task T { step S { done; } } }\n")
        self.write("two/axis.uflow", AXIS)
        self.write("cell.uflow", USES_AXIS)
        self.good("cell.uflow", "-I", "nowhere", "-Itwo", "-I", "one")
        self.refused(1, "cell.uflow", "-I", "one", "-I", "two", "-o", "x.c", says="Axis")
        self.write("axis.uflow", AXIS)
        self.good("cell.uflow", "-I", "one")

    def test_below_a_directory(self):
        self.write("parts/axis.uflow", AXIS)
        self.write("cell.uflow", USES_AXIS.replace('"axis.uflow"', '"parts/axis.uflow"'))
        self.good("cell.uflow")
        self.assertIn(b'#include "parts/axis.h"', self.read("cell.h"))

    def test_through_a_link(self):
        self.write("real/axis.uflow", AXIS)
        os.symlink("real/axis.uflow", self.path("axis.uflow"))
        self.write("cell.uflow", USES_AXIS)
        self.good("cell.uflow")

    def test_what_leads_out_is_refused(self):
        self.write("axis.uflow", AXIS)
        for path in ("../axis.uflow", "x/../axis.uflow", "..", "x/..", self.path("axis.uflow"), "/etc/passwd", "/"):
            with self.subTest(path=path):
                self.write("sub/cell.uflow", USES_AXIS.replace("axis.uflow", path))
                self.refused(1, "sub/cell.uflow", says="[UF0901]")
        for path in ("..axis.uflow", "a..b/axis.uflow", "./axis.uflow"):
            with self.subTest(path=path):
                self.write("sub/" + path, AXIS)
                self.write("sub/cell.uflow", USES_AXIS.replace("axis.uflow", path))
                self.good("sub/cell.uflow")

    def test_what_is_no_file_is_refused_at_once(self):
        self.write("cell.uflow", USES_AXIS)
        os.mkfifo(self.path("axis.uflow"))
        self.refused(1, "cell.uflow", says="pipe", timeout=10)
        os.remove(self.path("axis.uflow"))
        os.mkdir(self.path("axis.uflow"))
        self.refused(1, "cell.uflow", says="directory")
        os.rmdir(self.path("axis.uflow"))
        os.symlink("/dev/zero", self.path("axis.uflow"))
        self.refused(1, "cell.uflow", says="device", timeout=10)
        os.remove(self.path("axis.uflow"))
        os.symlink("axis.uflow", self.path("axis.uflow"))
        self.refused(1, "cell.uflow", says="[UF0901]")

    def test_missing_is_one_error_at_the_import(self):
        self.write("cell.uflow", USES_AXIS)
        result = self.refused(1, "cell.uflow", says="cell.uflow:1:8: error")
        self.assertEqual(result.err.count(b"error:"), 1, result)

    def test_circles_name_the_chain(self):
        self.write("a.uflow", 'import "b.uflow";\n' + EMPTY.format("A"))
        self.write("b.uflow", 'import "c.uflow";\n' + EMPTY.format("B"))
        self.write("c.uflow", 'import "b.uflow";\n' + EMPTY.format("C"))
        self.write("d.uflow", 'import "d.uflow";\n' + EMPTY.format("D"))
        result = self.refused(1, "a.uflow", says="b.uflow -> c.uflow -> b.uflow")
        self.assertEqual(result.err.count(b"error:"), 1, result)
        self.assertIn(b"[UF0902]", result.err)
        self.refused(1, "d.uflow", says="d.uflow -> d.uflow")

    def test_circle_through_links_and_other_spellings(self):
        self.write("a.uflow", 'import "./b.uflow";\n' + EMPTY.format("A"))
        os.symlink("a.uflow", self.path("b.uflow"))
        self.refused(1, "a.uflow", says="[UF0902]")

    def test_once_by_two_ways(self):
        self.write("top.uflow", 'import "left.uflow";\nimport "right.uflow";\n' + EMPTY.format("Top"))
        for side in ("left", "right"):
            self.write(side + ".uflow", 'import "base.uflow";\n' + EMPTY.format(side.capitalize()))
        self.write("base.uflow", EMPTY.format("Base"))
        self.good("top.uflow", "-MD")
        self.assertEqual(self.read("top.d").count(b"base.uflow"), 1)

    def test_long_chain(self):
        count = 3000
        for i in range(count):
            self.write(f"f{i}.uflow", f'import "f{i + 1}.uflow";\n' + EMPTY.format(f"F{i}"))
        self.write(f"f{count}.uflow", EMPTY.format("Last"))
        self.good("f0.uflow", timeout=60)
        self.write(f"f{count}.uflow", 'import "f0.uflow";\n' + EMPTY.format("Last"))
        self.refused(1, "f0.uflow", says="[UF0902]", timeout=60)

    def test_errors_of_an_import_are_reported_there(self):
        self.write("cell.uflow", USES_AXIS)
        self.write("axis.uflow", AXIS + "nonsense\n")
        result = self.refused(1, "cell.uflow", says="axis.uflow:")
        self.assertEqual(result.err.count(b"error:"), 1, result)


class Depfile(Case):
    def rule(self, name):
        """Targets and inputs as make understands them, and the other rules."""
        text = self.read(name).decode().replace("\\\n", " ")
        first, *rest = text.splitlines()
        targets, inputs = first.split(": ", 1)
        return targets, inputs.split(), rest

    def setUp(self):
        super().setUp()
        self.write("axis.uflow", AXIS)
        self.write("cell.uflow", USES_AXIS)

    def test_defaults(self):
        self.good("cell.uflow", "-MD")
        self.assertEqual(self.rule("cell.d"), ("cell.c cell.h", ["cell.uflow", "axis.uflow"], []))

    def test_names_and_targets(self):
        self.write("out/keep", "")
        self.good("cell.uflow", "-o", "out/x.c", "-MD", "-MF", "out/y.dep", "-MT", "one", "-MT", "two", "-MP")
        self.assertEqual(self.rule("out/y.dep"), ("one two", ["cell.uflow", "axis.uflow"], ["axis.uflow:"]))
        self.good("cell.uflow", "-o", "-", "-MD", "-MF", "z.d", "-MT", "zoo")
        self.assertEqual(self.rule("z.d")[0], "zoo")

    def test_not_written_if_there_are_errors(self):
        self.write("axis.uflow", "nonsense")
        self.refused(1, "cell.uflow", "-MD")

    @unittest.skipUnless(have("make"), "needs make")
    def test_make_reads_odd_names(self):
        folder = "a b#c$d"
        self.write(folder + "/axis.uflow", AXIS)
        self.write(folder + "/cell x.uflow", USES_AXIS)
        self.good(folder + "/cell x.uflow", "-o", "out.c", "-MD", "-MF", "out.d")
        self.write("Makefile", "all: out.c\ninclude out.d\nout.c:\n\t@echo ran\n")
        self.assertNotIn(b"ran", self.must("make").out)
        future = os.stat(self.path("out.c")).st_mtime + 100
        os.utime(self.path(folder + "/axis.uflow"), (future, future))
        self.assertIn(b"ran", self.must("make").out)

    @unittest.skipUnless(have("ninja"), "needs ninja")
    def test_ninja_reads_odd_names(self):
        folder = "a b#c$d"
        self.write(folder + "/axis.uflow", AXIS)
        self.write(folder + "/cell x.uflow", USES_AXIS)
        self.write("build.ninja", "rule ufc\n command = $ufc \"$in_name\" -o out.c -MD -MF out.d && echo ran\n"
                                  " depfile = out.d\n"
                                  f"build out.c out.h: ufc\n ufc = {UFC}\n in_name = a b#c\\$$d/cell x.uflow\n")
        self.assertIn(b"ran", self.must("ninja").out)
        self.assertNotIn(b"ran", self.must("ninja").out)
        future = os.stat(self.path("out.c")).st_mtime + 100
        os.utime(self.path(folder + "/axis.uflow"), (future, future))
        self.assertIn(b"ran", self.must("ninja").out)


if __name__ == "__main__":
    main()
