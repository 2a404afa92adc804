#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests with `explore`: what is found, shrunk and replayed, and how many schedules are run.

usage: explore.py PROGRAM FILE"""
import os
import subprocess
import sys
import tempfile
import time
import unittest

import exploring
import tap
from exploring import BASE, PROGRAM, head, line

TRACE = os.environ.get("UFLOW_TRACE")
PART, PAIRS, CRASH = "a part that comes while it works", "two pairs on one line", "a crash"


def resident_after(program, seconds):
    """Pages in memory once the process has used so much CPU time."""
    while True:
        with open(f"/proc/{program.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        if int(fields[11]) + int(fields[12]) >= seconds * os.sysconf("SC_CLK_TCK"): return int(fields[21])
        if program.poll() is not None: raise AssertionError("it has ended early")
        time.sleep(0.01)


class Explore(exploring.Case):
    def test_a_bug_is_found_and_shrunk(self):
        block, comments = self.one(PART)
        schedule = f"{line(PART, 'anytime')}@1"
        self.assertEqual((block["at"], block["schedule"]), (f"{BASE}:{line(PART, 'expect')}", schedule))
        self.assertEqual(block["disturbances"], [f"after round 1 (0.000 s): anytime, line {line(PART, 'anytime')}"])
        self.assertEqual(block["message"], "expected flow->worker.done_parts == flow->parts: "
                         "flow->worker.done_parts is 0, flow->parts is 1")
        self.assertEqual(block["replay"], f"{os.path.basename(PROGRAM)} --only {BASE}:{head(PART)} --replay {schedule}")
        self.assertRegex(comments[0], r"^# explored \d+ schedules?, seed 1$")

    def test_an_at_that_never_comes_is_told(self):
        name = "a timeline that goes on behind the end"
        _, comments = self.one(name, status=0)
        self.assertEqual(comments[0], f"# {BASE}:{line(name, 'at 2s')}: this `at` has never come: "
                         "the test was over before")

    def test_the_history_keeps_what_is_around_a_disturbance(self):
        name = "a fault that is seen much later"
        at = line(name, "anytime")
        block, _ = self.one(name, "--replay", f"{at}@8")
        history = block["history"]
        self.assertEqual(history[:9], ["... 1 more line ...", "0.010 s steps Run A -> B", "0.020 s steps Run B -> A",
                                       "0.030 s steps Run A -> B", f"0.030 s anytime, line {at}",
                                       f"0.035 s at, line {at + 2}", "0.040 s steps Run B -> A",
                                       "0.050 s steps Run A -> B", "... 15 more lines ..."])
        self.assertEqual((history[-1], len(history)), ("0.400 s test Begin -> Look", 29))

    def test_a_replay_repeats_it(self):
        for name in (PART, PAIRS, CRASH):
            block, _ = self.one(name)
            words = block["replay"].split(" ")
            self.assertEqual(tap.read(self.run_it(*words[1:], status=1))[0][name][1], block)

    def test_tests_do_not_disturb_each_other(self):
        for jobs in ("1", "4"):
            results, _ = tap.read(self.run_it("--jobs", jobs, "--no-shrink", status=1))
            for name in (PART, PAIRS, CRASH, "found last"):
                self.assertEqual(results[name][1], self.one(name, "--no-shrink")[0])

    def test_two_rows_of_a_line(self):
        at = line(PAIRS, "anytime")
        block, _ = self.one(PAIRS)
        self.assertEqual(block["schedule"], f"{at}@1,{at}.2@5")
        self.assertEqual(block["disturbances"][1], f"after round 5 (0.020 s): anytime, line {at}.2")

    def test_a_failure_of_an_arm_is_shrunk(self):
        name = "a run that fails without an else"
        many = 0
        for seed in map(str, range(1, 6)):
            block, _ = self.one(name, "--seed", seed)
            self.assertEqual((block["at"], block["message"]), (f"{BASE}:{line(name, 'step Begin')}", "fuse.Watch: hot"))
            self.assertEqual(block["schedule"], f"{line(name, 'anytime')}@1")
            many += len(self.one(name, "--no-shrink", "--seed", seed)[0]["disturbances"]) > 1
        self.assertGreater(many, 0)

    def test_the_words_of_a_reason_may_change(self):
        name = "a reason in other words"
        for seed in map(str, range(1, 9)):
            block, _ = self.one(name, "--seed", seed)
            self.assertEqual(block["at"], f"{BASE}:{line(name, 'fail ')}")
            self.assertEqual(len(block["disturbances"]), 1)

    def test_no_shrink(self):
        block, _ = self.one(PART, "--no-shrink")
        self.assertGreaterEqual(len(block["disturbances"]), 1)
        self.assertEqual(self.one(PART, "--no-shrink")[0], block)
        again, _ = self.one(PART, "--no-shrink", "--seed", "1")
        self.assertEqual(again, block)
        others = {self.one(PART, "--no-shrink", "--seed", str(seed))[0]["schedule"] for seed in range(2, 8)}
        self.assertGreater(len(others | {block["schedule"]}), 2)

    def test_all(self):
        explored = self.count("all of three")
        self.assertIn(f"# explored {explored} schedules, all\n", self.run_it("--only", "all of three"))
        self.assertEqual(self.count("nothing asks"), 1)
        self.assertIn("# explored 1 schedule, all\n", self.run_it("--only", "nothing asks"))
        out = self.run_it("--only", "all of three", "--limit", "300")
        self.assertIn(", 300 schedules\n# explored 300 schedules, stopped at 300\n", out)
        self.assertIn(", all\n", self.run_it("--only", "all of three", "--limit", str(explored + 1)))

    def test_all_of_two_blocks_over_60_moments(self):
        self.assertEqual(self.count("two blocks over 60 moments"), 4 * 60 * 60 + 8 * 60 + 1)

    @unittest.skipIf(len(sys.argv) > 3 or not os.path.exists("/proc/self/stat"),
                     "a sanitizer keeps what was freed; other systems have no /proc")
    def test_schedules_leave_nothing_behind(self):
        command = [PROGRAM, "--only", "sometime at random", "--in-process", "--schedules", "1000000000"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as program:
            early, late = resident_after(program, 0.2), resident_after(program, 0.8)
            program.kill()
        self.assertLess(late - early, 50)

    def test_numbers(self):
        self.assertEqual(self.count("sometime at random"), 200)
        self.assertEqual(self.count("sometime at random", "--schedules", "7"), 7)
        self.assertEqual(self.count("without a number"), 100)
        self.assertEqual(self.count("no explore"), 1)
        self.assertNotIn("explored", self.run_it("--only", "no explore"))

    def test_sometimes_counts_all_schedules(self):
        block, _ = self.one("never seen")
        explored = self.count("all of three")
        self.assertEqual(block["message"], f"sometimes: flow->a == 4: never in {explored} schedules")
        self.assertNotIn("schedule", block)

    def test_sometime(self):
        for name in ("sometime happens once, also at last", "sometime at random"): self.one(name, status=0)

    def test_quiet(self):
        self.one("quiet at the end", status=0)
        block, _ = self.one("not quiet")
        self.assertEqual((block["time"], len(block["disturbances"])), ("0.040 s", 1))

    def test_quiet_in_each_rerun(self):
        name = "quiet in each rerun"
        at = line(name, "anytime")
        for seed in map(str, range(10, 20)):
            self.assertEqual(self.one(name, "--seed", seed)[0]["schedule"], f"{at}@1")
            block, _ = self.one(name, "--seed", seed, "--no-shrink")
            again, _ = self.one(name, "--replay", block["schedule"])
            self.assertEqual(again, block)
        for option in ("--verbose", "--in-process"):
            block, _ = self.one(name, "--replay", f"{at}@10,{at + 1}@70", option)
            self.assertEqual((block["schedule"], block["message"]), (f"{at}@10", "expected !flow->is_broken"))

    def test_late_moves_the_test_along(self):
        name = "late moves what the test waits for"
        _, comments = self.one(name, status=0)
        self.assertRegex(comments[0], r"^# explored \d\d+ schedules, all$")

    @unittest.skipIf(len(sys.argv) > 3, "a sanitizer says it otherwise")
    def test_a_crash_is_shrunk(self):
        block, _ = self.one(CRASH)
        self.assertEqual(block["message"], "crash: SIGABRT, in test Look")
        self.assertEqual(block["schedule"], f"{line(CRASH, 'anytime')}@1")

    def test_an_exit_is_shrunk(self):
        at = line("an exit", "anytime")
        block, _ = self.one("an exit")
        self.assertEqual((block["at"], block["message"]), (f"{BASE}:{at + 1}", "the test has called exit(3)"))
        self.assertEqual(block["schedule"], f"{at}@1,{at + 1}@1")

    @unittest.skipIf(not TRACE, "uflow-trace is not built")
    def test_a_recording_has_the_disturbances(self):
        with tempfile.TemporaryDirectory() as work:
            path = os.path.join(work, "failed.uftrace")
            block, _ = self.one(PART, "--trace", path)
            lines = subprocess.run([TRACE, path], capture_output=True, check=True, text=True).stdout.split("\n")
            self.assertEqual([line.split("note: ")[1] for line in lines if "note: " in line], block["disturbances"])
            note = next(line for line in lines if "note: " in line)
            self.assertRegex(note, r"^ +0\.000000000  -  ")
            for form in ("chrome", "replay"):
                done = subprocess.run([TRACE, f"--format={form}", path], capture_output=True, check=True, text=True)
                self.assertIn(block["disturbances"][0], done.stdout)

    def test_a_replay_that_passes(self):
        at = line(PART, "anytime")
        self.assertIn(", 1 schedule\n", self.run_it("--only", PART, "--replay", f"{at}@9999"))
        self.assertNotIn("explored", self.run_it("--only", PART, "--replay", f"{at}@9999"))

    def test_usage_of_replay(self):
        at = line(PART, "anytime")
        for options, error in ((["--replay", f"{at}@1"], "it needs --only, and one test"),
                               (["--only", "no explore", "--replay", "3@1"], "the test has no `explore`"),
                               (["--only", PART, "--replay", "25"], "it is no schedule such as 25@12+,late@30=2"),
                               (["--only", PART, "--replay", "25@0"], "it is no schedule"),
                               (["--only", PART, "--replay", f"{at}@1,"], "it is no schedule"),
                               (["--only", PART, "--replay", ""], "it is empty"),
                               (["--seed", "x"], "--seed x: it is no number"), (["--limit", "0"], "--limit 0")):
            self.assertEqual(self.run_it(*options, status=2, error=error), "")

    def test_a_replay_of_what_the_test_does_not_ask(self):
        at = line(PART, "anytime") + 100
        block, _ = self.one(PART, "--replay", f"{at}@1")
        self.assertEqual(block["message"], f"--replay: the test does not ask at {at}")

    def test_choose(self):
        for name in ("a number that is chosen", "a number that is chosen at random"):
            at = line(name, "uf_choose(")
            block, _ = self.one(name)
            self.assertEqual(block["schedule"], f"{at}@1,{at}.2@1=2" if "random" in name else f"{at}@3=2")
            self.assertRegex(block["disturbances"][-1],
                             rf"^at 0.0\d\d s, uf_choose, line {at}(.2)?: the number of call [13] is 2$")
            again, _ = self.one(name, "--replay", block["schedule"])
            self.assertEqual(again, block)
        self.assertEqual(self.count("all numbers of a range"), 9)

    def test_in_process(self):
        for name in (PART, PAIRS):
            block, _ = self.one(name)
            inside, _ = self.one(name, "--in-process")
            self.assertEqual(inside, block)


if __name__ == "__main__":
    exploring.main()
