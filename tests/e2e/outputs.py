#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Outputs are complete or absent: unchanged files, links, devices, full disks, signals, kills, and parallel runs."""
import os
import random
import shutil
import signal
import stat
import subprocess
import time
import unittest

from e2e import BAD, GOOD, KINDS, OLD, UFC, Case, main


def many_steps(count, word):
    steps = "".join(f"        step S{i} {{ {word}_{i % 7}(); next S{i + 1}; }}\n" for i in range(count))
    declare = "".join(f"void {word}_{i}(void); " for i in range(7))
    last = f"        step S{count} {{ done; }}\n"
    return f"source {{ {declare} }}\nflow Long {{\n    task Go {{\n{steps}{last}    }}\n}}\n"


class Unchanged(Case):
    OLD = 1_000_000_000

    def make_old(self, *names):
        for name in names:
            os.utime(self.path(name), (self.OLD, self.OLD))

    def age(self, name):
        return os.stat(self.path(name)).st_mtime == self.OLD

    def test_is_not_touched(self):
        self.write("a.uflow")
        self.good("a.uflow", "-MD")
        self.make_old("a.c", "a.h", "a.d")
        inodes = [os.stat(self.path(name)).st_ino for name in ("a.c", "a.h", "a.d")]
        self.good("a.uflow", "-MD")
        self.assertTrue(self.age("a.c") and self.age("a.h") and self.age("a.d"))
        self.assertEqual(inodes, [os.stat(self.path(name)).st_ino for name in ("a.c", "a.h", "a.d")])

    def test_is_touched_if_asked(self):
        self.write("a.uflow")
        self.good("a.uflow")
        self.make_old("a.c", "a.h")
        self.good("a.uflow", "--touch")
        self.assertFalse(self.age("a.c") or self.age("a.h"))

    def test_only_what_changes_is_written(self):
        self.write("a.uflow")
        self.good("a.uflow")
        self.make_old("a.c", "a.h")
        self.write("a.uflow", GOOD.replace("< 3", "< 4"))
        self.good("a.uflow")
        self.assertFalse(self.age("a.c"))
        self.assertTrue(self.age("a.h"))

    def test_same_size_is_not_same_text(self):
        self.write("a.uflow")
        self.good("a.uflow")
        text = self.read("a.c")
        self.write("a.c", text[:-2] + b"?\n")
        self.good("a.uflow")
        self.assertEqual(self.read("a.c"), text)


    def test_long_ones_are_compared_in_parts(self):
        self.write("a.uflow", many_steps(2000, "work"))
        self.good("a.uflow")
        text = self.read("a.c")
        self.assertGreater(len(text), 400000)
        self.make_old("a.c", "a.h")
        self.good("a.uflow")
        self.assertTrue(self.age("a.c") and self.age("a.h"))
        for at in (30, 64 * 1024, 200000, len(text) - 1):
            for other in (text[:at] + b"?" + text[at + 1:], text[:at], text[:at] + b"?" + text[at:]):
                self.write("a.c", other)
                self.good("a.uflow")
                self.assertEqual(self.read("a.c"), text)
        self.write("a.c", text + b"?")
        self.good("a.uflow")
        self.assertEqual(self.read("a.c"), text)
        self.assertEqual(self.files(), ["a.c", "a.h", "a.uflow"])


class Places(Case):
    def setUp(self):
        super().setUp()
        self.write("a.uflow")

    def test_link_is_refused_and_stays(self):
        self.write("precious", "mine")
        for target in ("precious", "nowhere"):
            os.symlink(target, self.path("a.c"))
            self.refused(3, "a.uflow", says="symbolic link")
            self.assertEqual(os.readlink(self.path("a.c")), target)
            os.remove(self.path("a.c"))
        self.assertEqual(self.read("precious"), b"mine")

    def test_link_in_place_of_the_header_or_the_depfile(self):
        self.write("precious", "mine")
        for name in ("a.h", "a.d"):
            os.symlink("precious", self.path(name))
            self.refused(3, "a.uflow", "-MD", says="symbolic link")
            os.remove(self.path(name))
        self.assertEqual(self.read("precious"), b"mine")

    def test_input_is_not_overwritten(self):
        self.write("axis.uflow", "flow Axis { task Home { step Go { done; } } }\n")
        self.write("b.uflow", 'import "axis.uflow";\nflow Cell { task T { step S { done; } } }\n')
        os.link(self.path("a.uflow"), self.path("hard.c"))
        for arguments in (["a.uflow", "-o", "a.uflow"], ["a.uflow", "-o", "./a.uflow"], ["a.uflow", "-o", "hard.c"],
                          ["a.uflow", "-o", "a.c", "--header", "a.uflow"], ["a.uflow", "-MD", "-MF", "a.uflow"],
                          ["b.uflow", "-o", "axis.uflow"]):
            with self.subTest(arguments=arguments):
                self.refused(2, *arguments, says="is an input")
        self.assertEqual(self.read("a.uflow").decode(), GOOD)

    def test_directory_pipe_and_missing_directory(self):
        os.mkdir(self.path("a.c"))
        self.refused(3, "a.uflow", says="directory")
        os.rmdir(self.path("a.c"))
        os.mkfifo(self.path("a.c"))
        self.refused(3, "a.uflow", says="regular file", timeout=10)
        os.remove(self.path("a.c"))
        self.refused(3, "a.uflow", "-o", "nowhere/a.c", says="No such file")
        self.refused(3, "a.uflow", "-o", "y" * 256 + ".c", says="too long")

    def test_longest_name(self):
        self.good("a.uflow", "-o", "y" * 253 + ".c")

    def test_devices(self):
        self.good("a.uflow", "-o", "/dev/null", "--header", "a.h")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.ufc("a.uflow", "-o", "a.c")
        self.refused(3, "a.uflow", "--emit=c", "-o", "/dev/full", says="No space left")
        with open("/dev/full", "wb") as full:
            self.refused(3, "a.uflow", "-o", "-", stdout=full, says="No space left")

    def test_a_failing_device_stops_all(self):
        """Each kind of output on a device that is full, beside each other kind in a file."""
        ways = {"c": ["-o", "{}"], "h": ["--header={}"], "d": ["-MD", "-MT", "x", "-MF", "{}"]}
        for on_device, device in ways.items():
            for in_file, file in ways.items():
                if on_device == in_file:
                    continue
                for path in ("/dev/full", "-"):
                    if path == "-" and on_device == "d":
                        continue  # -MF has no name for standard output
                    arguments = [word.format(path) for word in device] + [word.format("kept") for word in file]
                    arguments += [] if "c" in (on_device, in_file) else ["--emit=h"]
                    with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                        self.refused(3, "a.uflow", *arguments, stdout=full, says="No space left")

    def test_beside_a_device_is_nothing(self):
        self.good("a.uflow", "-o", "/dev/null")
        self.assertEqual(self.files(), ["a.uflow"])
        self.assertFalse(os.path.exists("/dev/null.h"))
        self.good("a.uflow", "-o", "/dev/null", "--header=b.h")
        self.assertEqual(self.files(), ["a.uflow", "b.h"])
        self.refused(2, "a.uflow", "-o", "/dev/null", "--emit=c,h", says="takes one file")
        self.refused(2, "a.uflow", "-o", "/dev/null", "-MD", says="-MT")
        self.good("a.uflow", "-o", "/dev/null", "-MD", "-MT", "b")
        self.assertEqual(self.files(), ["a.d", "a.uflow", "b.h"])

    def test_a_failing_file_stops_all(self):
        for failing in (["--header", "nowhere/a.h"], ["-MD", "-MF", "nowhere/a.d"]):
            self.refused(3, "a.uflow", "-o", "a.c", *failing, says="nowhere")

    def test_size_limit(self):
        self.write("a.c", OLD)
        self.refused(3, "-c", 'ulimit -f 1; exec "$0" a.uflow', UFC, program="/bin/sh", says="File too large")
        self.assertEqual(self.read("a.c"), OLD.encode())

    def test_mode(self):
        os.umask(0o022)
        self.good("a.uflow")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("a.c")).st_mode), 0o644)
        os.chmod(self.path("a.c"), 0o640)
        self.write("a.uflow", GOOD.replace("< 3", "< 4"))
        self.good("a.uflow")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("a.c")).st_mode), 0o640)

    def test_without_permission(self):
        self.assertEqual(self.as_nobody("a.uflow", "-o", "mine.c").status, 0)
        os.chmod(self.write("a.c", OLD), 0o444)
        self.refused(3, "a.uflow", says="Permission denied", run=self.as_nobody)
        os.remove(self.path("a.c"))
        os.chmod(self.folder, 0o555)
        self.refused(3, "a.uflow", says="Permission denied", run=self.as_nobody)
        os.chmod(self.folder, 0o755)

    def test_written_by_hand(self):
        self.write("a.uflow")
        for name in ("a.c", "a.h"):
            self.write(name, "int main(void) { return 0; }\n")
            self.refused(3, "a.uflow", says="it was not made by ufc")
            self.write(name, "")  # nothing is lost
            self.good("a.uflow")
        for name in ("a.c", "a.h", "b.uflow"):  # the name of a source, and each kind of output
            self.write(name, GOOD)
            for kind in KINDS:
                self.refused(3, "a.uflow", f"--emit={kind}", "-o", name, says="it was not made by ufc")
            self.refused(3, "a.uflow", "-o", "d.c", "-MD", "-MF", name, says="it was not made by ufc")
            self.assertEqual(self.read(name), GOOD.encode())
        self.write("b.c", OLD[:10])
        self.refused(3, "a.uflow", "-o", "b.c", says="it was not made by ufc")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("mount"), "needs root, to mount a small file system")
    def test_full_disk(self):
        os.mkdir(self.path("disk"))
        mount = ["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", self.path("disk")]
        if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
            self.skipTest("may not mount")
        self.addCleanup(subprocess.run, ["umount", self.path("disk")])
        self.write("disk/a.c", OLD)
        self.write("long.uflow", many_steps(300, "work"))
        self.refused(3, "long.uflow", "-o", "disk/a.c", says="No space left")
        self.assertEqual(self.read("disk/a.c"), OLD.encode())


class Interrupted(Case):
    """However ufc ends, the file has its complete old or its complete new text."""

    def versions(self):
        """Two inputs, and their outputs."""
        texts = []
        for word in ("first", "second"):
            self.write("long.uflow", many_steps(2000, word))
            self.good("long.uflow")
            texts.append((self.read("long.uflow"), self.read("long.c"), self.read("long.h")))
        return texts

    def interrupt(self, number, rounds):
        versions = self.versions()
        generator = random.Random(7)
        self.good("long.uflow")
        begin = time.monotonic()
        self.good("long.uflow", "-o", "other.c")
        length = time.monotonic() - begin
        os.remove(self.path("other.c"))
        os.remove(self.path("other.h"))
        hit = 0
        for i in range(rounds):
            self.write("long.uflow", versions[i % 2][0])
            process = subprocess.Popen([UFC, "long.uflow"], cwd=self.folder, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=generator.uniform(0, 1.1 * length))
            except subprocess.TimeoutExpired:
                process.send_signal(number)
            hit += process.wait() == -number
            self.assertIn(self.read("long.c"), [v[1] for v in versions])
            self.assertIn(self.read("long.h"), [v[2] for v in versions])
        self.assertGreater(hit, rounds // 20, "too few were hit to tell")
        return [name for name in self.files() if name.endswith(".tmp")]

    def test_kill(self):
        self.interrupt(signal.SIGKILL, 100)

    def test_terminate_leaves_nothing_behind(self):
        self.assertEqual(self.interrupt(signal.SIGTERM, 60), [])

    def test_reader_gone(self):
        self.write("long.uflow", many_steps(5000, "work"))
        result = self.ufc("-c", '"$0" long.uflow -o - | head -c 1 >/dev/null', UFC, program="/bin/sh", timeout=20)
        self.assertEqual(result.err, b"")

    def test_at_once(self):
        self.write("a.uflow")
        self.good("a.uflow", "-o", "want.c", "--header", "a.h")
        wanted = self.read("want.c").replace(b"want.c", b"a.c")
        for _ in range(5):
            running = [subprocess.Popen([UFC, "a.uflow", "--touch"], cwd=self.folder) for _ in range(10)]
            self.assertEqual([process.wait() for process in running], [0] * 10)
            self.assertEqual(self.read("a.c"), wanted)
        self.assertEqual(self.files(), ["a.c", "a.h", "a.uflow", "want.c"])

    def test_errors_leave_the_old_output(self):
        self.write("a.uflow")
        self.good("a.uflow")
        old = self.read("a.c"), self.read("a.h")
        self.write("a.uflow", BAD)
        self.refused(1, "a.uflow")
        self.assertEqual((self.read("a.c"), self.read("a.h")), old)


if __name__ == "__main__":
    main()
