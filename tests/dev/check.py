#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs ./dev in a small project, on a pseudo-terminal and in a pipe. It must show its progress, print failures first,
and end with all of its children when it is interrupted."""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEPS, TESTS = 4, 6
LIMIT = 60  # seconds for what takes a few
ENDINGS = ((b"\x03", 130), (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129))

PROJECT = f"""\
cmake_minimum_required(VERSION 3.20)
project(small LANGUAGES NONE)
option(UFLOW_BUILD_TESTS "" ON)
set(UFLOW_TEST_EFFORT quick CACHE STRING "")
enable_testing()
foreach(i RANGE 1 {STEPS})
    add_custom_command(OUTPUT step$ENV{{DEV_TEST}}${{i}} COMMAND ${{CMAKE_SOURCE_DIR}}/work "$ENV{{DEV_TEST_BUILD}}"
        COMMAND ${{CMAKE_COMMAND}} -E touch step$ENV{{DEV_TEST}}${{i}} VERBATIM)
    list(APPEND steps step$ENV{{DEV_TEST}}${{i}})
endforeach()
add_custom_target(steps ALL DEPENDS ${{steps}})
foreach(i RANGE 1 {TESTS - 1})
    add_test(NAME good${{i}} COMMAND ${{CMAKE_SOURCE_DIR}}/work "$ENV{{DEV_TEST_TESTS}}")
endforeach()
add_test(NAME bad COMMAND sh -c "echo reason of the failure; exit 3")
"""
# With an argument, a process in a session of its own that ignores what a terminal sends, and its parent.
# The output of dpkg-buildpackage, without most lines.
PACKAGING = """#!/bin/sh
echo '[2/4] Building C object'; sleep 0.5
echo '[0/1] Install the project...'; echo '   dh_strip'; sleep 0.5
echo "dpkg-deb: building package 'ufc'"; sleep 0.5
mkdir build/package
"""
WORK = """#!/bin/sh
[ -z "$1" ] && exec sleep 0.4
setsid sh -c 'trap "" INT HUP; sleep 600; true' &
sleep 600
"""


class Dev(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="uflow-dev-")
        shutil.copy(os.path.join(ROOT, "dev"), cls.folder)
        shutil.copy(os.path.join(ROOT, "CMakePresets.json"), cls.folder)
        os.mkdir(os.path.join(cls.folder, "packaging"))
        good = "#!/bin/sh\n"
        for name, text in (("CMakeLists.txt", PROJECT), ("work", WORK), ("apt-get", "#!/bin/sh\nexit 1\n"),
                           ("packaging/make.sh", PACKAGING), ("dh", good), ("dpkg-buildpackage", good),
                           ("lintian", good), ("git", good)):
            with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as file: file.write(text)
            os.chmod(os.path.join(cls.folder, name), 0o755)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, True)

    def setUp(self):
        self.mark = uuid.uuid4().hex  # in the environment of all children
        self.environment = {**os.environ, "DEV_TEST": self.mark, "TERM": "xterm", "LC_ALL": "C.UTF-8",
                            "PATH": self.folder + ":" + os.environ["PATH"]}
        self.addCleanup(self.end_all)

    def children(self):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if self.mark.encode() in file.read(): found.append(int(pid))
            except OSError:
                pass
        return found

    def end_all(self):
        for pid in self.children(): os.kill(pid, signal.SIGKILL)

    def on_terminal(self, *arguments, until=None, send=None, **environment):
        """Returns the exit status and the output. When the output has `until`, sends keys or a signal."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execve("./dev", ["./dev", *arguments], {**self.environment, **environment})
        out, end = b"", time.monotonic() + LIMIT
        while time.monotonic() < end:
            if not select.select([terminal], [], [], 1)[0]: continue
            try:
                out += os.read(terminal, 65536)
            except OSError:  # the other end is closed
                break
            if until and re.search(until, out):
                until = None
                if isinstance(send, bytes): os.write(terminal, send)
                else: os.kill(child, send)
        os.close(terminal)
        self.assertIsNone(until, out)
        self.assertLess(time.monotonic(), end, out)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), out.decode(errors="replace")

    def counts(self, text, what, total):
        """Asserts that the numbers rise to the total."""
        found = [int(number) for number in re.findall(rf"{what} (\d+) of {total}\b", text)]
        self.assertEqual(found, sorted(found), text)
        self.assertEqual(found[-1:], [total], text)

    def check_failures(self, status, out):
        self.assertNotEqual(status, 0)
        self.assertIn("reason of the failure", out)
        self.assertLess(out.index("reason of the failure"), out.index("tests passed"), "failures come first")

    def test_terminal(self):
        status, out = self.on_terminal("test")
        self.check_failures(status, out)
        lines = out.split("\r\x1b[K")
        self.counts(out, "step", STEPS)
        self.counts(out, "test", TESTS)
        self.assertTrue(any(re.match(r"configuring build/, \d+:\d\d", line) for line in lines), out)
        self.assertTrue(any(re.match(r"testing build/: test \d+ of \d+(, 1 failed)?; running: good", line)
                            for line in lines), out)
        self.assertTrue(all(len(line) < 80 for line in lines[:-1] if "\n" not in line), "wider than the terminal")

    def test_pipe(self):
        for interval, least in (("1", 2), ("1000", 1)):
            started = time.monotonic()
            done = subprocess.run(["./dev", "test", "-j1"], cwd=self.folder, stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.PIPE, env={**self.environment, "DEV_INTERVAL": interval},
                                  timeout=LIMIT)
            self.check_failures(done.returncode, done.stdout)
            lines = done.stderr.splitlines()
            self.assertNotIn("\r", done.stderr)
            self.assertGreaterEqual(sum("testing" in line for line in lines), least, lines)
            # at most two lines of a phase at its begin and end, and one per interval
            self.assertLessEqual(len(lines), 6 + (time.monotonic() - started) / int(interval), lines)
            self.assertRegex(lines[-1], rf"^testing build/: test {TESTS} of {TESTS}, 1 failed, \d+:\d\d$")
            if interval == "1": self.counts(done.stderr, "step", STEPS)

    def test_packaging(self):
        """The text after the last count of Ninja is named."""
        status, out = self.on_terminal("package")
        self.assertEqual(status, 0, out)
        lines = re.findall(r"\x1b\[Kpackaging(.*?), \d+:\d\d", out)
        parts = [line for i, line in enumerate(lines) if line not in lines[:i]]
        self.assertEqual([part for part in parts if part], [": step 2 of 4", ": dh_strip", ": dpkg-deb"], out)

    def test_usage(self):
        for arguments, status in ((("-h",), 0), (("build", "-h"), 0), (("demo", "--help"), 0), (("test", "-h"), 0),
                                  (("build", "realease"), 2), (("biuld",), 2)):
            with self.subTest(arguments=arguments):
                done = subprocess.run(["./dev", *arguments], cwd=self.folder, stdout=subprocess.PIPE, text=True,
                                      stderr=subprocess.PIPE, env=self.environment, timeout=LIMIT)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn("./dev build [PRESET]", done.stderr if status else done.stdout)
                what = "preset " if len(arguments) > 1 else ""
                if status: self.assertIn(f"there is no {what}`{arguments[-1]}`", done.stderr)
                self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("build-")], [])

    def test_interrupted(self):
        for where, until, busy in (("build", rb"step 0|building", "DEV_TEST_BUILD"),
                                   ("test", rb"; running: good", "DEV_TEST_TESTS")):
            for send, wanted in ENDINGS if where == "test" else ENDINGS[:1]:
                with self.subTest(where=where, send=send):
                    self.mark = self.environment["DEV_TEST"] = uuid.uuid4().hex
                    shutil.rmtree(os.path.join(self.folder, "build"), True)
                    status, out = self.on_terminal("test", "-j2", until=until, send=send, **{busy: "busy"})
                    self.assertEqual(status, wanted, out)
                    self.assertRegex(out, r"\x1b\[Kdev: interrupted after \d+:\d\d\r\n$")
                    self.assertEqual(self.children(), [], out)


if __name__ == "__main__":
    if not os.path.isdir("/proc/self") or not shutil.which("ninja"): sys.exit(77)
    unittest.main()
