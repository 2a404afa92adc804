#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes every allocation and every system call of ufc fail once. ufc must return the documented status, print a
message, keep the old output, and leave no temporary files. All allocations of ufc must go through functions that
check."""
import errno
import os
import shutil
import signal
import tempfile

from e2e import AXIS, BAD, EMIT_ALL, FAULTY, OLD, USES_AXIS, WARNED, Case, main

EVERYTHING = ["cell.uflow", EMIT_ALL, "-MD", "-I", "parts"]


class Faults(Case):
    def setUp(self):
        super().setUp()
        self.write("parts/axis.uflow", AXIS)
        self.write("cell.uflow", USES_AXIS)

    def outputs(self):
        return {name: self.read(name) for name in self.files() if not name.endswith(".uflow")}

    def faulty(self, fault, *arguments):
        result = self.ufc(*arguments, program=FAULTY, env={**os.environ, "UFC_FAULT": fault})
        reached = b"fault\n" in result.err
        result.err = result.err.replace(b"fault\n", b"")
        return result, reached

    def each(self, call, arguments, suffix="", limit=5000):
        """Makes the first, second, … call fail, until no call is left. Yields the results."""
        for k in range(1, limit):
            result, reached = self.faulty(f"{call}:{k}{suffix}", *arguments)
            if not reached:
                self.assertEqual(result.status, self.usual, result)
                return
            yield k, result
        self.fail(f"more than {limit} calls of {call}")

    def memory(self, arguments, usual):
        self.usual = usual
        for call in ("malloc", "calloc", "realloc"):
            for suffix in ("", "+"):
                for k, result in self.each(call, arguments, suffix):
                    with self.subTest(call=call, k=k, suffix=suffix):
                        self.assertEqual((result.status, result.err), (3, b"ufc: out of memory\n"), result)
                        self.assertEqual(self.outputs(), self.before)
                for name in self.files():  # the last run, which had no fault, wrote them
                    if not name.endswith(".uflow") and name not in self.before:
                        os.remove(self.path(name))
                for name, text in self.before.items():
                    self.write(name, text)

    def test_memory(self):
        self.before = {}
        self.memory(EVERYTHING, 0)

    def test_memory_with_old_output(self):
        self.write("cell.c", OLD)
        self.before = self.outputs()
        self.memory(["cell.uflow", "-I", "parts"], 0)

    def test_memory_with_diagnostics(self):
        self.before = {}
        self.write("bad.uflow", BAD + WARNED.replace("Door", "Gate"))
        for form in ("text", "json", "sarif"):
            self.memory(["bad.uflow", "--diagnostics", form], 1)

    def test_memory_with_dumps(self):
        self.before = {}
        self.memory(["cell.uflow", "--dump=tokens,ast"], 0)
        self.memory(["cell.uflow", "-I", "parts", "--sizes"], 0)

    def test_files(self):
        """With an old output in place, so that ufc compares it and keeps its mode."""
        self.usual = 0
        for call in ("open", "read", "write", "close", "rename", "fchmod", "fstat", "lstat"):
            for name in self.outputs():
                os.remove(self.path(name))
            self.write("cell.c", OLD)
            old = self.outputs()
            for k, result in self.each(call, ["cell.uflow", "-I", "parts"]):
                with self.subTest(call=call, k=k):
                    now = self.outputs()
                    for name in old:
                        self.assertIn(now[name], (old[name], self.whole(name)))
                    self.assertFalse([name for name in now if name not in ("cell.c", "cell.h")], "left behind")
                    if result.status == 0:  # does not affect the result, which is complete
                        self.assertIn(call, ("open", "read", "close", "fstat"))
                        self.assertEqual(now, {"cell.c": self.whole("cell.c"), "cell.h": self.whole("cell.h")})
                    else:
                        self.assertIn(result.status, (1, 3), result)
                        self.assertIn(b"cannot ", result.err)
                        self.assertEqual(now["cell.c"], OLD.encode())
                    for name in now:
                        os.remove(self.path(name))
                    self.write("cell.c", OLD)

    def whole(self, name):
        if not hasattr(self, "texts"):
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(self.path("parts"), os.path.join(folder, "parts"))
                shutil.copy(self.path("cell.uflow"), folder)
                self.good("cell.uflow", "-I", "parts", cwd=folder)
                self.texts = {n: open(os.path.join(folder, n), "rb").read() for n in ("cell.c", "cell.h")}
        return self.texts[name]

    def test_interrupted_calls_are_repeated(self):
        self.usual = 0
        for call in ("read", "write"):
            for k, result in self.each(call, ["cell.uflow", "-I", "parts", "-o", "-"], f":{errno.EINTR}"):
                with self.subTest(call=call, k=k):
                    self.assertEqual(result.status, 0, result)
                    self.assertIn(b"Cell_init", result.out)

    def test_killed_before_each_call(self):
        self.usual = 0
        for call in ("open", "write", "close", "rename"):
            self.write("cell.c", OLD)
            for k, result in self.each(call, ["cell.uflow", "-I", "parts"], ":kill"):
                with self.subTest(call=call, k=k):
                    self.assertEqual(result.status, -signal.SIGKILL)
                    self.assertIn(self.read("cell.c"), (OLD.encode(), self.whole("cell.c")))
                    if os.path.exists(self.path("cell.h")):
                        self.assertEqual(self.read("cell.h"), self.whole("cell.h"))
                        os.remove(self.path("cell.h"))
                    self.write("cell.c", OLD)
            os.remove(self.path("cell.h"))


if __name__ == "__main__":
    main()
