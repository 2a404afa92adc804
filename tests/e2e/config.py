#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--emit=config: which features of core the flows of a program use."""
import itertools
import re

from e2e import AXIS, USES_AXIS, Case, main

STAYS = "flow Pulse { task Run { step Beat { stay every 1s; } } }\n"
BROKEN = "flow Broken {\n"


class Config(Case):
    def used(self, *files, **options):
        text = self.good("--emit=config", *files, **options).out.decode()
        return set(re.findall(r"^#define UF_USES_(\w+) 1\b", text.split("/* The flows do not use")[0], re.M))

    def test_what_one_flow_uses(self):
        self.write("pulse.uflow", STAYS)
        self.assertEqual(self.used("pulse.uflow"), {"STAYS", "TIMES"})
        self.assertEqual(self.used("-", input=STAYS.encode()), {"STAYS", "TIMES"})

    def test_each_feature_is_implied_by_something(self):
        for text, feature in (("signal go;", "SIGNALS"), ("checkpoint gate;", "CHECKPOINTS"),
                              ("mailbox int mail[2];", "MAILBOXES")):
            self.write("one.uflow", f"flow One {{ {text} task T {{ step S {{ done; }} }} }}\n")
            self.assertIn(feature, self.used("-Wno-unawaited-signal", "one.uflow"))
            self.assertEqual("PUMPS" in self.used("one.uflow"), feature != "SIGNALS")
            self.assertEqual("MESSAGES" in self.used("one.uflow"), feature != "SIGNALS")
        for text, feature in (("stay;", "POLLS"), ('describe "it"; done;', "DESCRIPTIONS"),
                              ("await { timeout real 1s -> done; }", "REAL_TIME"),
                              ("await { stopping -> done; }", "CANCEL"),
                              ("await { readable(1) -> done; }", "DESCRIPTORS")):
            self.write("one.uflow", f"flow One {{ task T {{ step S {{ {text} }} }} }}\n")
            self.assertIn(feature, self.used("one.uflow"))

    def test_several_files_in_any_order(self):
        self.write("pulse.uflow", STAYS)
        self.write("axis.uflow", AXIS)
        self.write("cell.uflow", USES_AXIS)
        texts = {self.good("--emit=config", *files).out
                 for files in itertools.permutations(("pulse.uflow", "axis.uflow", "cell.uflow"))}
        self.assertEqual(len(texts), 1)
        self.assertEqual(self.used("pulse.uflow", "cell.uflow", "pulse.uflow"),
                         {"STAYS", "RUNS", "TASKS", "TIMES", "PARTS"})

    def test_imports_count(self):
        self.write("axis.uflow", "signal ready;\n" + AXIS)
        self.write("cell.uflow", USES_AXIS)
        self.assertEqual(self.used("cell.uflow"), {"RUNS", "SIGNALS", "TASKS", "PARTS"})

    def test_a_file_and_its_dependencies(self):
        self.write("axis.uflow", AXIS)
        self.write("cell.uflow", USES_AXIS)
        self.good("--emit=config", "cell.uflow", "-MD", "-o", "uf_config.h")
        self.assertTrue(self.read("uf_config.h").startswith(b"/* Made by ufc "))
        self.assertEqual(self.read("uf_config.d").split(), [b"uf_config.h:", b"cell.uflow", b"\\", b"axis.uflow"])
        self.write("mine.h", "int mine;\n")
        self.refused(3, "--emit=config", "cell.uflow", "-o", "mine.h", says="not made by ufc")

    def test_an_error_writes_nothing(self):
        self.write("pulse.uflow", STAYS)
        self.write("broken.uflow", BROKEN)
        self.refused(1, "--emit=config", "pulse.uflow", "broken.uflow", "-o", "uf_config.h", says="broken.uflow")
        self.assertNotIn("uf_config.h", self.files())

    def test_it_stands_alone(self):
        self.write("pulse.uflow", STAYS)
        self.refused(2, "--emit=config,c", "pulse.uflow", says="stands alone")


if __name__ == "__main__":
    main()
