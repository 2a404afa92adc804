#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutants of each kind, and uflow-mutate: strong tests kill them, with weak ones they survive. Its lists, exit status
and errors.

usage: check.py UFC UFLOW_MUTATE CC LIBRARIES [CFLAG...]"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import kinds

UFC, MUTATE, CC, LIBRARIES, CFLAGS = *sys.argv[1:5], sys.argv[5:]
INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime", "include")
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-I", INCLUDE]
DOOR = """\
flow Door {
    int pushes = 0;
    task Close {
        step Push { flow->pushes++; await 10ms -> Check; }
        step Check { if (flow->pushes < 3) next Push; done; }
    }
    task Open { step Pull { await 1s -> done; } }
}
test "closes" within 1s {
    flow Door door;
    step A { await run Door.Close(&flow->door) -> B; }
    step B { expect(flow->door.pushes == 3); done; }
}
"""
LINE = re.compile(r"^([\w.]+:\d+): (survived|not reached|killed(?: by the time limit)?): (.*?) \(mutant (\d+)\)"
                  r"(?:, by: (.*)|, with the same steps)?$")


class Mutants(unittest.TestCase):
    folder = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="uflow-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.make("door", DOOR)

    @classmethod
    def make(cls, name, text, *options, cflags=()):
        with open(os.path.join(cls.folder, name + ".uflow"), "w", encoding="utf-8") as file: file.write(text)
        options = options or ("--mutants",)
        for command in ([UFC, "--tests", "-Wno-unreachable-step", *options, name + ".uflow"],
                        [CC, *FLAGS, *CFLAGS, *cflags, name + ".c", *LIBRARIES.split("|"), "-pthread", "-o", name]):
            done = subprocess.run(command, cwd=cls.folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr

    def run_it(self, *command, status=0, error="", **variables):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=600,
                              env={**os.environ, **variables})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertIn(error, done.stderr)
        return done.stdout

    def mutate(self, *arguments, status=0, error=""):
        return self.run_it(MUTATE, *arguments, status=status, error=error)

    def results(self, *arguments, status):
        """By place and change: what has become of the mutant, and by which test."""
        lines = self.mutate("-v", *arguments, status=status).splitlines()
        found = [LINE.match(line) for line in lines[:-1]]
        self.assertTrue(all(found), lines)
        return {(m[1], m[3]): (m[2], m[5]) for m in found}, lines[-1]

    # -- each kind --------------------------------------------------------------------------------------------------

    def rows_of(self, name, expects, *options):
        self.make(name, kinds.program(expects), *options)
        self.run_it("./" + name)
        results, _ = self.results("./" + name, status=1)
        found = []
        for number, row in enumerate(kinds.ROWS):
            begin = 100 * (number + 1)
            mine = [(state, by) for (place, text), (state, by) in results.items()
                    if text == row[1] and begin <= int(place.split(":")[1]) < begin + 90]
            self.assertEqual(len(mine), 1, [row, *(key for key in results if f":{number + 1}0" in key[0])])
            found.append((row[0], *mine[0]))
        return found

    def test_strong_tests_kill_each_kind(self):
        for name, state, by in self.rows_of("strong", True):
            self.assertTrue(state.startswith("killed"), (name, state))
            if by: self.assertEqual(by, name + ", strong")

    def test_weak_tests_let_each_kind_survive(self):
        for name, state, _ in self.rows_of("weak", False, "--mutants", "--no-line"):
            self.assertEqual(state, "survived", name)

    # -- the environment --------------------------------------------------------------------------------------------

    def test_list_and_variable(self):
        listed = self.run_it("./door", "--list-mutants").splitlines()
        self.assertEqual(listed[0], "1 door.uflow:4 timeout `timeout 10ms -> Check` is never due")
        self.assertEqual([line.split()[0] for line in listed], [str(n + 1) for n in range(len(listed))])
        self.assertNotIn("mutant", self.run_it("./door"))
        self.assertIn("\n# mutants reached: 1 2 3 4 5\n", self.run_it("./door", UFLOW_MUTANT="0"))
        self.assertIn("\n# mutant 6 is not reached", self.run_it("./door", UFLOW_MUTANT="6"))
        self.assertIn("\n# mutant 3 is reached", self.run_it("./door", status=1, UFLOW_MUTANT="3"))
        self.assertIn("\n# mutant 3 is reached", self.run_it("./door", "--in-process", status=1, UFLOW_MUTANT="3"))
        self.assertNotIn("mutant", self.run_it("./door", UFLOW_MUTANT=""))
        for wrong in ("x", "-1", "1x", "99", "99999999999999999999"):
            self.run_it("./door", status=2, error="no number from 0 to", UFLOW_MUTANT=wrong)

    def test_program_without_mutants(self):
        self.make("plain", DOOR, "--no-line")
        self.assertEqual(self.run_it("./plain", "--list-mutants"), "")
        self.run_it("./plain", status=2, error="this program has no mutants", UFLOW_MUTANT="1")
        self.mutate("./plain", status=3, error="has no mutants")

    def test_file_without_flows(self):
        self.make("empty", 'test "t" { step A { done; } }\n')
        self.mutate("./empty", status=3, error="has no mutants")

    def test_coverage_counts_beside_mutants(self):
        self.make("counted", DOOR, "--mutants", "--coverage", cflags=['-DUF_COVERAGE_FILE=""'])
        self.assertIn("1 not reached", self.mutate("./counted", status=1))

    # -- the tool ---------------------------------------------------------------------------------------------------

    def test_reports(self):
        results, summary = self.results("./door", status=1)
        self.assertEqual(summary, "6 mutants: 5 killed, 0 survived, 1 not reached")
        self.assertEqual(results["door.uflow:5", "`next Push` leads to done"], ("killed", "closes"))
        self.assertEqual(results["door.uflow:7", "`timeout 1s -> done` is never due"], ("not reached", None))
        self.assertEqual(self.mutate("./door", status=1).splitlines(),
                         ["door.uflow:7: not reached: `timeout 1s -> done` is never due (mutant 6)", summary])

    def test_same_steps(self):
        """Of a survivor, it says whether the flows took the same steps as without the change."""
        self.make("steps", 'flow F { int n; signal go; task T { on exit { flow->n = 0; } '
                           'step A { await { go -> B; timeout 1s -> C; } } step B { done; } step C { done; } } }\n'
                           'test "t" { flow F f; step A { await run F.T(&flow->f) -> done; } }\n')
        lines = self.mutate("./steps", status=1).splitlines()
        same = {line.split(" survived: ")[-1].split(" (")[0]: line.endswith(", with the same steps") for line in lines}
        self.assertEqual(same["`on exit of T` is left out"], True, lines)
        self.assertEqual(same["`timeout 1s -> C` leads to B"], False, lines)

    def test_choice_and_exit_status(self):
        self.assertEqual(self.mutate("--only=condition", "./door"), "1 mutant: 1 killed, 0 survived, 0 not reached\n")
        self.assertIn("2 mutants: 2 killed", self.mutate("--only", "1", "--only=3", "-j1", "./door"))
        said = self.mutate("--only", "door.uflow:7", "--only=3", "-j8", "./door", status=1)
        self.assertIn("2 mutants: 1 killed, 0 survived, 1 not reached", said)
        self.mutate("--fail-under=83", "./door")
        self.mutate("--fail-under=84", "./door", status=1)
        self.assertEqual(self.mutate("--list", "--only=4", "./door"),
                         "4 door.uflow:5 target: `next Push` leads to done\n")
        for wrong in ("--only=9", "--jobs=0", "--time-limit=0", "--fail-under=101", "--fail-under=", "--what"):
            self.mutate(wrong, "./door", status=2)
        self.mutate(status=2, error="the runner of the tests is missing")
        self.mutate("./door", "--update", status=2, error="--update")

    def test_arguments_of_the_runner(self):
        self.assertIn("5 killed", self.mutate("./door", "--only", "closes", "--in-process", status=1))
        self.mutate("./door", "--only", "opens", status=3, error="exit status 2")
        self.mutate("./door", "--list", status=3, error="has run no tests")

    def test_a_runner_that_cannot_run(self):
        self.mutate("./absent", status=3, error="./absent: No such file")
        self.mutate("false", status=3, error="is it a runner of tests?")
        self.make("failing", DOOR.replace("pushes == 3", "pushes == 4"))
        self.mutate("./failing", status=3, error="the tests fail without a mutant: closes")

    def test_time_limit(self):
        """A mutant whose body never returns."""
        self.make("slow", 'flow F { volatile unsigned n; task T { step A { while (flow->n != 1) { '
                          'if (flow->n != 1) flow->n = 1; } done; } } }\n'
                          'test "ends" { flow F f; step A { await run F.T(&flow->f) -> done; } }\n')
        began = time.monotonic()
        self.assertIn("1 killed (1 by the time limit)", self.mutate("--time-limit=1", "--only=condition", "./slow"))
        self.assertLess(time.monotonic() - began, 60)

    def script(self, name, run):
        """A runner with one mutant, which does this with it."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\ncase "$*" in *--list-mutants*) echo "1 a.uflow:3 timeout it is never due"; exit;; '
                       f'esac\nif [ "$UFLOW_MUTANT" = 0 ]; then echo "# mutants reached: 1"; exit; fi\n{run}\n')
        os.chmod(path, 0o755)
        return "./" + name

    def test_a_script_that_starts_a_runner(self):
        """The time limit ends what it has started, too."""
        began = time.monotonic()
        self.assertIn("1 killed (1 by the time limit)", self.mutate(self.script("starts", "sleep 600; true")))
        self.assertIn("1 killed (1 by the time limit)", self.mutate(self.script("deaf", "trap '' TERM; sleep 600; :")))
        self.assertIn("1 killed, 0", self.mutate(self.script("silent", "exec >/dev/null; sleep 600; true")))
        self.assertLess(time.monotonic() - began, 60)

    def test_interrupted_by_a_runner_that_hears_nothing(self):
        """The signal may come before the tool waits. A terminal sends it to the tool alone: runs are other groups."""
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
            before = signal.signal(number, signal.SIG_DFL)  # a shell ignores some in the background
            self.addCleanup(signal.signal, number, before)
            name = self.script("hears_nothing", f"trap '' TERM; kill -{number:d} $PPID; while :; do sleep 600; done")
            began = time.monotonic()
            self.assertIn("1 not run", self.mutate("--time-limit=1000000", name, status=-number))
            self.assertLess(time.monotonic() - began, 60)

    def test_interrupt(self):
        self.make("hang", 'flow F { volatile unsigned n; task T { step A { while (flow->n != 1) { '
                          'if (flow->n != 1) flow->n = 1; } done; } } }\n'
                          'test "ends" { flow F f; step A { await run F.T(&flow->f) -> done; } }\n')
        with subprocess.Popen([MUTATE, "--time-limit=1000000", "./hang"], cwd=self.folder, stdout=subprocess.PIPE,
                              text=True) as tool:
            time.sleep(1)
            tool.send_signal(signal.SIGTERM)
            out, _ = tool.communicate(timeout=60)
        self.assertEqual(tool.returncode, -signal.SIGTERM)
        self.assertRegex(out, r", 0 survived, \d+ not reached, \d+ not run\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
