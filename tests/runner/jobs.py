#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests with `jobs` in `explore`: what is found, shrunk and replayed.

usage: jobs.py PROGRAM FILE"""
import re

import exploring
from exploring import line

TIME = re.compile(r"^at \d\.\d+ s, ")
ONLY_DISTURBED = "a job that only disturbed runs submit"


class Jobs(exploring.Case):
    def test_those_that_pass(self):
        for name in ("without the row a job ends in the next round", "quiet jobs", "past the timeout of the submit",
                     "what is left at the end is dropped"):
            self.one(name, status=0)

    def test_each_end_is_a_schedule(self):
        """Plain, failed, rejected, before and at the timeout, after D; with three jobs, and no deadline: 2 * 2 * 2."""
        self.assertEqual(self.count("each end of a job"), 6)
        self.assertEqual(self.count("a limit holds in each schedule"), 8)

    def test_bugs_are_found_and_repeated(self):
        at = line(ONLY_DISTURBED, "anytime")
        for name, schedule, text in (("a job that fails", "weigh@2", "job 2 of weigh fails"),
                                     ("a job that is rejected", "weigh@2", "job 2 of weigh is rejected"),
                                     ("a value that comes after the timeout", "lend@1=5",
                                      "job 1 of lend ends more than 60 ms later"),
                                     ("a value with the deadline", "weigh@1=2",
                                      "job 1 of weigh ends at a deadline, 20 ms later"),
                                     (ONLY_DISTURBED, f"{at}@1,weigh@1", "job 1 of weigh fails")):
            block, _ = self.one(name)
            self.assertEqual((block["schedule"], TIME.sub("", block["disturbances"][-1])), (schedule, text))
            self.assertEqual(self.one(name, "--replay", schedule)[0], block)


    def test_stubs(self):
        for name in ("a stub of this file, and one of another", "without the stub", "a stub that fails"):
            self.one(name, status=0)
        name = "a stub that chooses"
        schedule = f"{line(name, 'uf_choose')}@1=2"
        block, _ = self.one(name)
        self.assertEqual(block["schedule"], schedule)
        self.assertEqual(self.one(name, "--replay", schedule)[0], block)


if __name__ == "__main__":
    exploring.main()
