#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program of tests with COVERAGE: after its summary it lists what no schedule has taken, as uflow-cov does.

usage: never.py PROGRAM UFLOW_COV"""
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM, COV = map(os.path.abspath, sys.argv[1:3])
HEAD = "# never taken:\n"


class Never(unittest.TestCase):
    def run_it(self, *options):
        """Returns: what it prints, and the list of uflow-cov."""
        with tempfile.TemporaryDirectory() as work:
            data = os.path.join(work, "data.cov")
            done = subprocess.run([PROGRAM, *options], capture_output=True, text=True, check=True, timeout=300,
                                  env={**os.environ, "UFLOW_COVERAGE_FILE": data})
            listed = subprocess.run([COV, data], capture_output=True, text=True, check=True).stdout
        return done.stdout, listed.partition("never taken:\n")[2].strip().split("\n")

    def listed(self, *options):
        out, by_cov = self.run_it(*options)
        self.assertIn(" passed\n" + HEAD, out)
        return [line[4:] for line in out.partition(HEAD)[2].strip().split("\n")], by_cov

    def test_the_list(self):
        for options in ((), ("--in-process",), ("--jobs", "2")):
            lines, by_cov = self.listed(*options)
            folder = os.path.commonprefix(by_cov).rpartition("/")[0] + "/"
            self.assertEqual(lines, [line.replace(folder, "", 1) for line in by_cov])
        text = "\n".join(lines)
        for missing in ("Motor.Move.Go: until (!flow->on_rails) -> fail", "Motor.Park.Only", "Gate.Rest.Sleep",
                        "Gate.Guard: on timeout 1h -> Close", "Gate.Guard.Again: become Rest"):
            self.assertIn(missing, text)
        for taken in ("on halt", "badge -> Open", "on exit", "on init", "run Motor.Move -> Close"):
            self.assertNotIn(taken, text)

    def test_only_after_all_tests(self):
        for options in (("--only", "nobody comes"), ("--quiet",)):
            self.assertNotIn("never taken", self.run_it(*options)[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
