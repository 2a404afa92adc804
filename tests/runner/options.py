#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The options of a runner, its files, and what happens when it is interrupted.

usage: options.py PROGRAM FILE UFC [UFLOW_TRACE]"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import tap

PROGRAM, FILE, UFC = map(os.path.abspath, sys.argv[1:4])
GUIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/guides/testing.md")
TRACE = sys.argv[4] if len(sys.argv) > 4 else None
NAMES = ["blinks", "goes wrong & <more>", "counts", "hangs"]
QUICK = [word for name in NAMES[:3] for word in ("--only", name)]
HISTORY = """\
0.100 s lamp Blink On -> Off
0.300 s lamp Blink Off -> On
0.400 s lamp Blink On -> Off
0.400 s lamp Blink Off -> done
0.400 s test Begin -> done
"""


def processes():
    """The processes of this program, where the system shows them."""
    found = []
    for entry in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        try:
            if entry.isdigit() and os.readlink(f"/proc/{entry}/exe") == PROGRAM: found.append(int(entry))
        except OSError: pass
    return found


def wait_until(condition, what):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


class Options(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="uflow-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def path(self, name): return os.path.join(self.folder, name)

    def run_it(self, *options, status=0, error=""):
        done = subprocess.run([PROGRAM, *options], cwd=self.folder, capture_output=True, check=False, timeout=300)
        out, err = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(done.returncode, status, out + err)
        self.assertIn(error, err)
        if not error: self.assertEqual(err, "")
        return out

    def write_history(self, text=HISTORY, name="blinks.history"):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file: file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file: return file.read()

    def test_list(self):
        listed = self.run_it("--list")
        self.assertEqual([line.split(" ", 1)[1] for line in listed.splitlines()], NAMES)
        of_ufc = subprocess.run([UFC, "--list-tests", FILE], capture_output=True, check=True).stdout.decode()
        self.assertEqual(listed, of_ufc.replace(os.path.dirname(FILE) + "/", ""))
        self.assertEqual(self.run_it("--list", "--only", "counts"), listed.splitlines()[2] + "\n")

    def test_only(self):
        line = re.search(r":(\d+) counts", self.run_it("--list"))[1]
        base = os.path.basename(FILE)
        above = os.path.basename(os.path.dirname(FILE))
        for only in ("counts", f"{base}:{line}", f"{FILE}:{line}", f"{above}/{base}:{line}"):
            results, comments = tap.read(self.run_it("--only", only))
            self.assertEqual((results, comments), ({"counts": (True, {})}, ["# 1 passed"]))
            self.assertEqual(len(tap.read(self.run_it(f"--only={only}"))[0]), 1)

    def test_usage(self):
        line = int(re.search(r":(\d+) counts", self.run_it("--list"))[1])
        for only in ("count", "", f"{os.path.basename(FILE)}:{line + 1}", f"all.uflow:{line}", "small.uflow:"):
            self.assertEqual(self.run_it("--only", only, status=2, error="fits no test; see --list"), "")
        for options, error in ((["--nothing"], "unknown option: --nothing"), (["blinks"], "behind --only: blinks"),
                               (["--jobs"], "missing after --jobs"), (["--jobs", "0"], "--jobs 0: it is no number"),
                               (["--jobs", "x"], "--jobs x"), (["--quiet=1"], "takes no argument: --quiet"),
                               (["--step-limit", "10"], "--step-limit 10: it is no duration"),
                               (["--rounds-at-once", "99999999999"], "it is no number"),
                               (["--junit", "no/such/file"], "no/such/file: No such file or directory")):
            self.assertEqual(self.run_it(*options, status=2, error=error), "")

    def test_help(self):
        text = self.run_it("--help")
        options = re.findall(r"^  (--[a-z-]+)", text, re.M)
        with open(GUIDE, encoding="utf-8") as file: documented = re.findall(r"[|,] `(--[a-z-]+)", file.read())
        self.assertEqual(sorted(options), sorted(set(documented)))

    def test_quiet_and_verbose(self):
        self.write_history()
        self.assertEqual(self.run_it("--quiet", "--only", "counts", "--only", "blinks"), "")
        out = self.run_it("--quiet", *QUICK, status=1)
        self.assertTrue(out.startswith("not ok 2 - "), out)
        self.assertTrue(out.endswith("  ...\n# 2 passed, 1 failed\n"), out)
        results, _ = tap.read(self.run_it("--verbose", "--only", "blinks"))
        self.assertEqual(results["blinks"], (True, {"output": ["it blinks", "it blinks"]}))

    def test_junit(self):
        self.write_history()
        self.run_it("--junit", "r.xml", *QUICK, status=1)
        root = xml.etree.ElementTree.parse(self.path("r.xml")).getroot()
        self.assertEqual((root.tag, root.get("tests"), root.get("failures")), ("testsuites", "3", "1"))
        cases = root.findall("testsuite/testcase")
        self.assertEqual([case.get("name") for case in cases], NAMES[:3])
        self.assertEqual([case.find("failure") is not None for case in cases], [False, True, False])
        self.assertEqual(cases[1].find("failure").get("message"), 'it is "<dark>" & cold')
        self.assertIn("about to fail ?", cases[1].find("system-out").text)

    def test_trace(self):
        self.write_history()
        self.run_it("--trace", "failed.uftrace", *QUICK, status=1)
        self.run_it("--trace", "only.uftrace", "--only", "blinks")
        for name, text in (("failed", "Wrong"), ("only", "Blink")):
            if not TRACE: continue
            done = subprocess.run([TRACE, self.path(f"{name}.uftrace")], capture_output=True, check=True)
            self.assertIn(text, done.stdout.decode())
        self.run_it("--trace", "none.uftrace", "--only", "blinks", "--only", "counts")
        self.assertFalse(os.path.exists(self.path("none.uftrace")))

    def message(self, *options, status=1):
        return tap.read(self.run_it("--only", "blinks", *options, status=status))[0]["blinks"][1]["message"]

    def test_history(self):
        self.assertEqual(self.message(), "history: blinks.history cannot be read: No such file or directory; "
                                         "--update writes it")
        self.assertIn("# blinks.history is written", self.run_it("--update", "--only", "blinks"))
        self.assertEqual(self.read("blinks.history"), HISTORY)
        self.assertNotIn("is written", self.run_it("--update", "--only", "blinks"))
        self.run_it("--only", "blinks")
        self.write_history(HISTORY.replace("\n", "\r\n"))
        self.run_it("--only", "blinks")
        self.write_history(HISTORY.replace("0.300", "0.305"))
        self.assertEqual(self.message(), 'history: line 2 of blinks.history is "0.305 s lamp Blink Off -> On", '
                                         'now it is "0.300 s lamp Blink Off -> On"')
        self.write_history(HISTORY + "more\n")
        self.assertEqual(self.message(), "history: blinks.history goes on in line 6: more")
        self.write_history(HISTORY.replace("0.400 s test Begin -> done\n", ""))
        self.assertEqual(self.message(), "history: blinks.history ends before line 5: 0.400 s test Begin -> done")
        self.assertEqual(self.message("--update", "--directory", "no/such"),
                         "history: no/such/blinks.history cannot be written: No such file or directory")
        self.write_history(name="below/blinks.history")
        self.run_it("--only", "blinks", "--directory", "below")
        self.assertEqual(sorted(os.listdir(self.folder)), ["below", "blinks.history"])

    def test_update_needs_the_rest_to_pass(self):
        self.run_it("--update", *QUICK, status=1)
        self.assertEqual(self.read("blinks.history"), HISTORY)

    def test_rounds_at_once(self):
        results, _ = tap.read(self.run_it("--rounds-at-once", "400", "--only", "counts", status=1))
        self.assertEqual(results["counts"][1]["message"],
                         "time stands still: 400 rounds at 0.000 s, in the steps test Count")
        self.run_it("--rounds-at-once", "501", "--only", "counts")

    def test_in_process(self):
        self.write_history()
        out = self.run_it("--in-process", *QUICK, status=1)
        self.assertIn("it blinks\n", out)
        self.assertIn("not ok 2 - ", out)
        self.assertIn("ok 3 - counts", out)

    def test_two_at_once(self):
        both = [subprocess.Popen([PROGRAM, "--update", "--only", "blinks", "--only", "counts"], cwd=self.folder,
                                 stdout=subprocess.PIPE) for _ in range(8)]
        for one in both: self.assertIn(b"# 2 passed\n", one.communicate(timeout=60)[0])
        self.assertEqual([one.returncode for one in both], [0] * 8)
        self.assertEqual(os.listdir(self.folder), ["blinks.history"])

    def interrupt(self, number):
        """Ends a runner while a test hangs. Returns: its output."""
        command = [PROGRAM, "--jobs", "2", "--junit", "r.xml"]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE) as one:
            lines = []
            while not lines or not lines[-1].startswith(b"ok 3"): lines.append(one.stdout.readline())
            one.send_signal(number)
            lines += one.stdout.readlines()
            one.wait(60)
            self.assertEqual(one.returncode, -number)
        wait_until(lambda: not processes(), "a process of a test is left")
        return b"".join(lines).decode()

    def test_interrupted(self):
        self.write_history()
        for number in (signal.SIGINT, signal.SIGTERM):
            self.assertTrue(self.interrupt(number).endswith("Bail out! interrupted\n# 2 passed, 1 failed\n"))
            root = xml.etree.ElementTree.parse(self.path("r.xml")).getroot()
            self.assertEqual(len(root.findall("testsuite/testcase/skipped")), 1)
        self.assertEqual(sorted(os.listdir(self.folder)), ["blinks.history", "r.xml"])

    @unittest.skipUnless(sys.platform.startswith("linux"), "other systems do not end a process with its parent")
    def test_killed(self):
        self.write_history()
        self.assertNotIn("Bail out", self.interrupt(signal.SIGKILL))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
