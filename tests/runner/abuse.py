#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a test should not do: each gets a clear report, no process is left, and no file.

usage: abuse.py PROGRAM FILE"""
import os
import subprocess
import tempfile
import time
import unittest

import exploring
import tap
from exploring import BASE, PROGRAM, head, line

SLEEPS = "a step has not returned for 1 s of real time, in test Begin"


def left():
    """The processes of the program."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    return [one for one in listed.split("\n") if PROGRAM in one and "abuse.py" not in one]


class Abuse(exploring.Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def block(self, name, *options, limit="1s"):
        """Runs a test that fails. Returns: its block."""
        done = subprocess.run([PROGRAM, "--only", name, "--step-limit", limit, *options], capture_output=True,
                              check=False, timeout=120, cwd=self.folder.name)
        self.assertEqual((done.returncode, done.stderr, os.listdir(self.folder.name)), (1, b"", []))
        return tap.read(done.stdout.decode())[0][name][1]

    def test_reports(self):
        for name, at, message in (
                ("it sleeps", "step Begin", SLEEPS), ("it writes without end", "step Begin", SLEEPS),
                ("it becomes another program", None, "the test has called exit(0)"),
                ("it closes its output", "step Fails", "with its output closed"),
                ("it takes more memory than there is", "fail", "no memory is left")):
            block = self.block(name)
            place = line(name, at) if at else head(name)
            self.assertEqual((block["message"], block["at"]), (message, f"{BASE}:{place}"))

    def test_much_output(self):
        block = self.block("it writes ten megabytes")
        self.assertEqual(block["message"], "told enough")
        self.assertLess(sum(map(len, block["output"])), 40000)
        self.assertRegex("\n".join(block["output"]), r"\n\.\.\. \d+ more lines \.\.\.\n")

    def test_out_of_memory(self):
        """The runner has little of it: enough to say so."""
        name = "a crash that needs two of four"
        limited = ["sh", "-c", 'ulimit -v 5500 && exec "$0" "$@"', PROGRAM, "--only"]
        done = subprocess.run([*limited, name], capture_output=True, check=False, timeout=60)
        self.assertEqual(tap.read(done.stdout.decode())[0][name][1]["message"], "out of memory")
        trace = os.path.join(self.folder.name, "out.uftrace")
        done = subprocess.run([*limited, "it reads what a person types", "--trace", trace], capture_output=True,
                              check=False, timeout=60)
        self.assertIn("out of memory", done.stderr.decode())
        self.assertFalse(os.path.exists(trace))

    def test_no_input(self):
        self.run_it("--only", "it reads what a person types")

    @unittest.skipUnless(os.path.exists(f"/proc/self/task/{os.getpid()}/children"), "the system does not tell")
    def test_no_process_is_left(self):
        for jobs in ("1", "3"):
            self.run_it("--jobs", jobs, "--only", "it leaves a child in another session",
                        "--only", "it leaves a grandchild", "--only", "it reads what a person types")
            self.assertEqual(left(), [])

    def test_children_of_the_program_are_not_its_own(self):
        """A shell starts one, and becomes the runner."""
        script = 'sleep 60 & echo $!; exec "$0" --quiet --only "it leaves a grandchild"'
        done = subprocess.Popen(["sh", "-c", script, PROGRAM], stdout=subprocess.PIPE, text=True)
        sleeper = int(done.stdout.readline())
        self.assertEqual(done.wait(60), 0)
        done.stdout.close()
        os.kill(sleeper, 9)

    def test_crashes_and_hangs_are_shrunk(self):
        for name, message in (("a crash that needs two of four", "crash: SIGSEGV, in test Look"),
                              ("a hang that needs two of four", "of real time, in test Look")):
            began = time.monotonic()
            block = self.block(name)
            self.assertLess(time.monotonic() - began, 60)
            self.assertTrue(block["message"].endswith(message), block["message"])
            sites = [choice.split("@")[0] for choice in block["schedule"].split(",")]
            self.assertEqual(sites, [str(line(name, "anytime") + more) for more in (0, 1)])
            self.assertEqual(block["at"], f"{BASE}:{line(name, 'step Look')}")


if __name__ == "__main__":
    exploring.main()
