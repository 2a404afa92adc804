# SPDX-License-Identifier: MIT
"""Runs tests that explore, and reads their results: for explore.py and its neighbours.

usage: NAME.py PROGRAM FILE"""
import os
import re
import subprocess
import sys
import unittest

import tap

PROGRAM, FILE = map(os.path.abspath, sys.argv[1:3])
BASE = os.path.basename(FILE)
with open(FILE, encoding="utf-8") as uflow: LINES = uflow.read().split("\n")


def head(name):
    """The line of a test."""
    return next(i + 1 for i, line in enumerate(LINES) if line.startswith(f'test "{name}"'))


def line(name, text):
    """The first line of a test that holds a text."""
    at = head(name)
    return next(i + 1 for i, one in enumerate(LINES) if i >= at and text in one)


class Case(unittest.TestCase):
    def run_it(self, *options, status=0, error=""):
        done = subprocess.run([PROGRAM, *options], capture_output=True, check=False, timeout=300)
        out, err = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(done.returncode, status, out + err)
        self.assertIn(error, err)
        if not error: self.assertEqual(err, "")
        return out

    def one(self, name, *options, status=1):
        """Runs one test. Returns: its block, and the comments."""
        results, comments = tap.read(self.run_it("--only", name, *options, status=status))
        self.assertEqual(results[name][0], status == 0)
        return results[name][1], comments

    def count(self, name, *options):
        """How many schedules a test that passes has run."""
        return int(re.search(r", (\d+) schedules?\n", self.run_it("--only", name, *options))[1])


def main():
    unittest.main(argv=sys.argv[:1])
