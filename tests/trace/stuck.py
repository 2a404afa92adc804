#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A machine that stands still: its trace names the step that never returns, deadlines that are overdue, a failure that
is older than the ring, and when the trace ends.

stuck.py UFLOW_TRACE STUCK_LINE WORK_DIRECTORY"""
import os
import re
import subprocess
import sys
import unittest

TOOL, PROGRAM, WORK = sys.argv[1:4]


def show(*arguments):
    done = subprocess.run([TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    return done.stdout.decode()


def record(*options):
    trace, image = (os.path.join(WORK, "stuck." + end) for end in ("uftrace", "img"))
    done = subprocess.run([PROGRAM, *options, "--trace", trace, "--image", image], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, check=True)
    assert done.stdout == b"stuck\n"
    return trace, image


UNKNOWN_END = "durations end at the last event: the trace does not tell how long after it it was written"
WHEN = r"[\d.]+ \([\d:]+\)"


class Hangs(unittest.TestCase):
    """A step never returns; for 100 ms when the trace is written."""

    @classmethod
    def setUpClass(cls):
        cls.trace, cls.image = record("--hang")

    def test_the_step_comes_first(self):
        summary = show("-f", "summary", self.trace)
        block = summary.split("\n\n")[1]
        self.assertRegex(block, r"\Ain a step: .* \(1\)\n +(\d{3,}\.\d\dms|\d+\.\d\ds|\d.*min.*)  "
                                rf"from {WHEN}  station\.bus  Poll\.Read\Z")
        self.assertNotIn(UNKNOWN_END, summary)

    def test_deadlines_are_overdue(self):
        summary = show("-f", "summary", self.trace)
        overdue = re.findall(r"station\.axes\[\d\]  Turn\.\w+  timeout overdue for (\S+)", summary)
        self.assertEqual(len(overdue), 4)
        for flow in overdue: self.assertRegex(flow, r"^\d\d+\.\d\dms|s$|^\d+min")

    def test_the_end(self):
        lines = show(self.trace).splitlines()
        last = lines[-1].split(None, 2)
        self.assertRegex(last[2], r"^the trace ends  after \S.*  \([\d:]+\)$")
        self.assertGreater(float(last[0]) - float(lines[-2].split()[0]), 0.09)
        self.assertIn("-> Read", lines[-2])
        for options in (self.image,), ("--to=1000000000", self.trace):
            self.assertNotIn("the trace ends", show(*options))

    def test_a_cut_trace_has_no_end(self):
        """Also if it is cut after a cell: its last one has the time of its end."""
        with open(self.trace, "rb") as file:
            data = file.read()
        cut = os.path.join(WORK, "cut.uftrace")
        for length in range(64 + 64 * 16, len(data), 37 * 16):
            with open(cut, "wb") as file:
                file.write(data[:length])
            done = subprocess.run([TOOL, cut], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
            self.assertNotIn(b"the trace ends", done.stdout)
            self.assertIn(UNKNOWN_END, show("-f", "summary", cut))

    def test_a_dump_does_not_tell_its_time(self):
        self.assertEqual(show("-f", "summary", self.image).splitlines()[1], UNKNOWN_END)


class Fails(unittest.TestCase):
    """The flow that fires a signal has failed, before all events of the ring."""

    @classmethod
    def setUpClass(cls):
        cls.trace, cls.image = record()

    def test_the_failure(self):
        self.assertRegex(show("-f", "summary", self.trace),
                         r"\nfailed before the first event, for a reason that is not known \(1\)\n"
                         rf" +\S.* ago, at {WHEN}  line\.mixer  Mix\.Ready\n\n")
        for path, step in (self.trace, r"Mix\.Ready:\d+"), (self.image, r"\?\.\?"):
            self.assertRegex(show(path), rf"(?m)^ +[\d.]+  line\.mixer +{step} +has ended failed")
        self.assertRegex(show("-f", "summary", self.trace), r"  line\.filler  Fill\.Wait  signal poured, ")


if __name__ == "__main__":
    os.makedirs(WORK, exist_ok=True)
    unittest.main(argv=sys.argv[:1])
