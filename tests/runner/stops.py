#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests with `stops` in `explore`: what is found, shrunk and replayed.

usage: stops.py PROGRAM FILE"""
import exploring
from exploring import BASE, line


class Stops(exploring.Case):
    def test_those_that_pass(self):
        for name in ("it is closed after each stop", "the test itself is not waited for",
                     "the test ends before the stop", "a companion ends by itself",
                     "a timeout of the test ends nothing", "a failure of the test ends nothing"):
            self.one(name, status=0)
            self.assertGreater(self.count(name), 2)

    def test_reports(self):
        """A shutdown that is cut off, one that fails, a job that is left: at the line of the row."""
        for name, message in (("no time to close", "stops 2 s: valve: Close: cut off"),
                              ("a shutdown that fails", "stops 2 s: clumsy: Close: it sticks")):
            block, _ = self.one(name)
            at = line(name, "stops")
            self.assertEqual((block["at"], block["message"]), (f"{BASE}:{at}", message))
            self.assertEqual(block["schedule"], "stops@1")
            self.assertEqual(block["disturbances"], [f"after round 1 (0.000 s): stops, line {at}"])
            self.assertEqual(self.one(name, "--replay", "stops@1")[0], block)
        block, _ = self.one("a job is left behind")
        self.assertEqual(block["message"], "stops 1 s: test: weigh: its worker has not returned")
        self.assertEqual(block["schedule"], "stops@1,weigh@1")

    def test_always_counts(self):
        name = "it stays open"
        block, _ = self.one(name)
        self.assertEqual(block["at"], f"{BASE}:{line(name, 'always')}")
        self.assertEqual(block["schedule"], "stops@2")

    def test_with_the_next_round(self):
        block, _ = self.one("no time to close", "--replay", "stops@1+")
        at = line("no time to close", "stops")
        self.assertEqual(block["disturbances"], [f"with round 2 (0.000 s), before its timers: stops, line {at}"])


if __name__ == "__main__":
    exploring.main()
