#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The output depends only on the input and the options. A small change of the input changes the output only a
little."""
import difflib
import os
import re

from e2e import AXIS, EMIT_ALL, GOOD, KINDS, USES_AXIS, Case, main


class Determinism(Case):
    def compile(self, folder, **options):
        self.write(folder + "/cell.uflow", USES_AXIS + GOOD)
        self.write(folder + "/axis.uflow", AXIS)
        self.good("cell.uflow", EMIT_ALL, "-MD", cwd=self.path(folder), **options)
        return {name: self.read(f"{folder}/cell.{name}") for name in (*KINDS.values(), "d")}

    def test_same_from_everywhere_and_at_any_time(self):
        first = self.compile("one")
        self.assertEqual(first, self.compile("a/deeper one"))
        environment = {"PATH": os.environ["PATH"], "TZ": "Asia/Tokyo", "LC_ALL": "tr_TR.UTF-8", "HOME": "/nowhere",
                       "SOURCE_DATE_EPOCH": "1"}
        self.assertEqual(first, self.compile("three", env=environment))
        for text in first.values():
            self.assertNotIn(self.folder.encode(), text)

    def test_named_from_somewhere_else(self):
        first = self.compile("one")
        place = self.path("one/")
        self.good(place + "cell.uflow", EMIT_ALL, "-o", "cell.c", "--file-prefix-map=" + place + "=",
                  "--file-prefix-map=" + place + "no=never=", "--file-prefix-map==", cwd=self.path("one"))
        mapped = {name: self.read(f"one/cell.{name}") for name in first}
        self.assertNotEqual(first, mapped)  # the last one fits every name, and changes nothing
        self.good(place + "cell.uflow", EMIT_ALL, "-o", "cell.c", "--file-prefix-map==",
                  "--file-prefix-map=" + place + "=",
                  cwd=self.path("one"))
        self.assertEqual(first, {name: self.read(f"one/cell.{name}") for name in first})
        self.refused(2, "cell.uflow", "--file-prefix-map=" + place, says="there is no `=`", cwd=self.path("one"))

    def test_no_dates(self):
        for text in self.compile("one").values():
            self.assertIsNone(re.search(rb"20\d\d-\d\d|\b\d\d:\d\d:\d\d\b", text))

    def test_an_edited_step_changes_one_function(self):
        self.write("a.uflow")
        self.good("a.uflow", "--no-line")
        before = self.read("a.c").decode().splitlines()
        self.write("a.uflow", GOOD.replace("flow->pushes++;", "flow->pushes += 1;"))
        self.good("a.uflow", "--no-line")
        after = self.read("a.c").decode().splitlines()
        changed = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
        self.assertEqual([line[1:].strip() for line in changed], ["flow->pushes++;", "flow->pushes += 1;"])


if __name__ == "__main__":
    main()
