#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests with `from_thread` in `explore`: what is found, shrunk and replayed.

usage: callers.py PROGRAM FILE"""
import exploring
from exploring import BASE, line


class Callers(exploring.Case):
    def test_those_that_pass(self):
        for name in ("a start arrives with the next round", "a fire, two messages and a cancel",
                     "what would wait is refused", "a start that comes with the end"):
            self.one(name, status=0)

    def test_a_bug_is_found_and_repeated(self):
        name = "too early"
        at = line(name, "from_thread")
        block, _ = self.one(name)
        self.assertEqual(block["at"], f"{BASE}:{line(name, 'always')}")
        self.assertEqual(block["schedule"], f"{at}@1")
        self.assertEqual(block["disturbances"], [f"after round 1 (0.000 s): from_thread, line {at}"])
        self.assertEqual(self.one(name, "--replay", f"{at}@1")[0], block)


if __name__ == "__main__":
    exploring.main()
