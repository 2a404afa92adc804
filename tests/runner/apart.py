#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests whose schedules disturb each other: after a failure that a fresh process does not repeat, each has its own.

usage: apart.py PROGRAM FILE"""
import exploring
from exploring import line

COMMENT = "# each schedule in a process of its own: one failed only after others, not in a fresh process"


class Apart(exploring.Case):
    def test_it_goes_on_and_says_so(self):
        _, comments = self.one("left by others", status=0)
        self.assertEqual(comments[0], COMMENT)
        self.assertEqual(comments[1], "# explored 7 schedules, all")

    def test_failures_of_single_schedules(self):
        for name, message in (("left by others, and a bug", "expected !flow->late"),
                              ("left by others, and a crash", "crash: SIGABRT, in test Late"),
                              ("left by others, and an exit", "the test has called exit(3), in test Late")):
            block, comments = self.one(name)
            schedule = f"{line(name, 'anytime')}@3+"
            self.assertEqual((block["message"], block["schedule"]), (message, schedule))
            self.assertEqual(comments[0], COMMENT)
            self.assertEqual(self.one(name, "--replay", schedule)[0], block)

    def test_a_step_that_does_not_return(self):
        block, _ = self.one("left by others, and a loop", "--step-limit", "200ms", "--no-shrink")
        self.assertEqual(block["message"], "a step has not returned for 200 ms of real time, in test Late")

    def test_sometimes_counts_all(self):
        block, _ = self.one("left by others, and never seen")
        self.assertEqual(block["message"], "sometimes: flow->happened && runs > 100: never in 7 schedules")


if __name__ == "__main__":
    exploring.main()
