#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The entry of fuzzers: bytes are answers, and a failure aborts with the schedule that repeats it.

usage: fuzz.py PROGRAM FILE FUZZED"""
import re
import subprocess
import sys

FUZZED = sys.argv.pop(3)

import exploring
from exploring import BASE, line


class Fuzz(exploring.Case):
    def run_inputs(self, *inputs):
        return subprocess.run([FUZZED, *inputs], capture_output=True, text=True, check=False, timeout=60)

    def test_what_ends_early_is_undisturbed(self):
        done = self.run_inputs("", "00", "01", "0000", "010000")
        self.assertEqual((done.returncode, done.stdout), (0, "5 inputs\n"), done.stderr)

    def test_a_failure_aborts_and_is_repeated(self):
        """The first byte is the test: each answers with its bytes, one a question; a `sometime` has three of them."""
        for name, data in (("each fire toggles", "0001"), ("each fire toggles", "00000101"),
                           ("some time", "010003010000")):
            done = self.run_inputs(data)
            self.assertLess(done.returncode, 0, done.stdout)
            at, message, schedule = re.match(r"(\S+): (.*)\nat .* --only \S+ --replay (\S+)\n$", done.stderr).groups()
            self.assertEqual(at, f"{BASE}:{line(name, 'expect')}")
            block, _ = self.one(name, "--replay", schedule)
            self.assertEqual((block["at"], block["message"]), (at, message))


if __name__ == "__main__":
    exploring.main()
