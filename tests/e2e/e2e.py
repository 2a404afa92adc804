# SPDX-License-Identifier: MIT
"""Common parts of the tests of the command: a separate directory for each test, and ufc run in it."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

# ctest sets these; otherwise they default to the output of ./dev build.
ROOT = os.environ.setdefault("UFLOW_ROOT", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
UFC = os.environ.setdefault("UFC", os.path.join(ROOT, "build/bin/ufc"))
FAULTY = os.environ.get("UFC_FAULTY", os.path.join(ROOT, "build/bin/ufc_faulty"))
CC = os.environ.get("CC", "cc")
EFFORT = os.environ.get("UFLOW_TEST_EFFORT", "quick")
CFLAGS = ["-std=c11", *os.environ.get("UFLOW_CFLAGS", "").split()]
INCLUDE = os.path.join(ROOT, "runtime", "include")
with open(os.path.join(ROOT, "generator/emit/emitters.def"), encoding="utf-8") as rows:
    KINDS = dict(re.findall(r'^EMITTER\(\w+, "(\w+)", "\.([\w.]+)"', rows.read(), re.M))  # word of --emit: extension
del KINDS["config"]  # it stands alone
EMIT_ALL = "--emit=" + ",".join(KINDS)
LIBRARY = os.environ.get("UFLOW_LIBRARY", os.path.join(ROOT, "build/lib/libuflow.a"))  # the archive of the runtime

GOOD = """\
flow Door {
    int pushes = 0;

    task Close -> int {
        step Push {
            flow->pushes++;
            await 10ms -> Check;
        }
        step Check {
            if (flow->pushes < 3) next Push;
            done flow->pushes;
        }
    }
}
"""
BAD = "flow Door {\n    task Close { step Push { next Nowhere; } }\n}\n"
OLD = "/* Made by ufc from another.uflow */\n"
WARNED = "flow Door {\n    int idle;\n    task Close { step Push { done; } }\n}\n"
AXIS = "flow Axis {\n    task Home { step Go { done; } }\n}\n"
USES_AXIS = """\
import "axis.uflow";
flow Cell {
    flow Axis x;
    task Run { step Go { await run Axis.Home(&flow->x) -> done; } }
}
"""


class Result:
    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    def __repr__(self):
        return f"status {self.status}\n--- out\n{self.out!r}\n--- err\n{self.err.decode(errors='replace')}"


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="uflow-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text=GOOD):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        """All files of the folder, including hidden ones."""
        walk = os.walk(self.folder)
        return sorted(os.path.relpath(os.path.join(d, name), self.folder) for d, _, names in walk for name in names)

    def run_in_folder(self, *command, **options):
        options.setdefault("timeout", 120)
        options.setdefault("cwd", self.folder)
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return Result(subprocess.run(command, **options))

    def ufc(self, *arguments, program=UFC, **options):
        return self.run_in_folder(program, *arguments, **options)

    def as_nobody(self, *arguments, **options):
        """Root may read and write everything. So tests of permissions run as another user, with a copy of ufc that this
        user can reach."""
        if os.geteuid() == 0:
            options.update(user=65534, group=65534, extra_groups=[])
            options.setdefault("program", shutil.copy(UFC, self.path("ufc of nobody")))
            os.chmod(self.folder, 0o777 if os.stat(self.folder).st_mode & 0o200 else 0o755)
        return self.ufc(*arguments, **options)

    def good(self, *arguments, **options):
        result = self.ufc(*arguments, **options)
        self.assertEqual(result.status, 0, result)
        return result

    def refused(self, status, *arguments, says=b"", run=None, **options):
        """Asserts the status, a message, and that nothing was written."""
        run = run or self.ufc
        before = self.files()
        result = run(*arguments, **options)
        self.assertEqual(result.status, status, result)
        self.assertTrue(result.err, "there is no message")
        self.assertIn(says if isinstance(says, bytes) else says.encode(), result.err, result)
        self.assertEqual(self.files(), before)
        return result

    def must(self, *command, **options):
        result = self.run_in_folder(*command, **options)
        self.assertEqual(result.status, 0, f"{' '.join(command)}\n{result.out.decode(errors='replace')}\n{result}")
        return result


def have(program):
    return shutil.which(program) is not None


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]], verbosity=1)
