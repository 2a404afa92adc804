#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every reader names an arm by the same words: dumps, gdb on the process and on its core dump, uflow-trace, and
uflow-top on a runtime that answers and on one that never did. The page is compared with uflow-trace by tests/html, and
the tables of words by check.py.

The environment names ROOT, ARMS (stuck_arms), UFLOW_TRACE and UFLOW_TOP; the last one may be missing."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT, ARMS, TRACE = (os.environ[name] for name in ("ROOT", "ARMS", "UFLOW_TRACE"))
TOP = os.environ.get("UFLOW_TOP")
SCRIPT = os.path.join(ROOT, "tools", "gdb", "uflow.py")


def output(*command):
    environment = {**os.environ, "DEBUGINFOD_URLS": "", "LC_ALL": "C", "COLUMNS": "250"}
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          env=environment, timeout=300, check=False).stdout.decode()


class Process:
    """The program with these options, and a socket, as a context."""

    def __init__(self, *options):
        self.folder = tempfile.mkdtemp(prefix="uflow-readers-")
        self.options = options + ("--listen", self.path("socket"), "--trace", self.path("trace"), "--dump",
                                  self.path("dump"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def __enter__(self):
        self.process = subprocess.Popen([ARMS, *self.options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == b"stuck\n"
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait(60) == 0
        shutil.rmtree(self.folder)

    def dump(self):
        with open(self.path("dump"), encoding="utf-8") as file: return file.read()

    def gdb(self, *of):
        return output("gdb", "-nx", "-batch", *of, "-ex", f"source {SCRIPT}", "-ex", "uflow flows")

    def top(self):
        return output(TOP, "--once", self.path("socket"))


def waits(of):
    """The words of each wait, without times. A job and a checkpoint have more words behind them."""
    texts = re.split(r"[,;] (?:(?:task|group \w+): )?", re.sub(r" \([^()]*\)", "", of))
    return sorted(re.sub(r" (?:in (?:at most )?|overdue for )\d.*", " in TIME", text) for text in texts if text)


def waits_in_dump(text):
    flows = re.findall(r"(?m)^(\w+)  (?!idle).*\n((?:    (?:waits|task|group \w+): .*\n)*)", text)
    return {flow: waits("; ".join(re.findall(r": (.*)", arms))) for flow, arms in flows}


def waits_in_list(pattern, text):
    return {flow: waits(arms) for flow, arms in re.findall(rf"(?m){pattern}", text)}


class Readers(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        with Process() as process:
            cls.dump = waits_in_dump(process.dump())
            cls.trace = waits_in_list(r"^ +\S+  (\w+) .* waits  (.*)$", output(TRACE, process.path("trace")))
            cls.top = process.top() if TOP else None
            cls.live = process.gdb("-p", str(process.process.pid), "-ex", f"gcore {process.path('core')}")
            cls.dead = process.gdb(ARMS, process.path("core"))
        with Process("--hang") as process: cls.hung = process.top() if TOP else None

    def test_a_row_per_kind(self):
        """The program has a flow for each kind, and it waits by these words."""
        with open(os.path.join(ROOT, "runtime/include/uflow/arm_kinds.h"), encoding="utf-8") as file:
            kinds = re.findall(r'(?m)^    ARM\((\w+), +\d+, "\w*", +"(.+?)", (?!NOTHING)', file.read())
        self.assertGreater(len(kinds), 20)
        for name, words in kinds:
            flow = "signal" if name == "PREEMPT" else name.lower()  # each flow has one
            self.assertTrue(any(re.match(re.escape(words) + r"\b", wait) for wait in self.trace[flow]), (name, words))

    def test_dump(self):
        self.assertEqual(self.dump, self.trace)

    def test_gdb(self):
        if "ptrace: Operation not permitted" in self.live: self.skipTest("this user may not attach gdb")
        for said in self.live, self.dead:
            self.assertEqual(waits_in_list(r"^  (\w+) +\w+\.Wait .*?  waits: (.*)$", said), self.trace, said)

    @unittest.skipUnless(TOP, "uflow-top is not built")
    def test_top(self):
        for said in self.top, self.hung:
            rows = r"^(\w+) +\w+\.Wait:\d+ +\S+(?: \S+)?(?: +\d+)?  +(\S.*)$"
            self.assertEqual(waits_in_list(rows, said), self.trace, said)


if __name__ == "__main__":
    unittest.main()
