#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests of the runtime that need only core on the amalgamation of core, with the trace as an observer.

core.py UFC WORK_DIRECTORY. A test needs only core if neither it nor a header of its own includes a header of the host
or of another observer, or names the store in memory, which is the host's."""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS, HEADERS = os.path.join(ROOT, "tests", "runtime"), os.path.join(ROOT, "runtime", "include", "uflow")
sys.path.insert(0, os.path.join(ROOT, "runtime"))
import amalgamate  # noqa: E402

LEFT_OUT = {"example", "job_matrix", "parked", "pool_million"}  # need other files or definitions, or much memory
FEWEST = 19
OF_HOST = re.compile(r'#include ["<]uflow/(%s)[">]' % "|".join(set(amalgamate.PUBLIC_OF_HOST) - {"trace.h"} | {"uv.h"})
                     + r"|\buf_store_memory_")


def of_host(path):
    text = amalgamate.read(path)
    own = [os.path.join(TESTS, name) for name in re.findall(r'#include "(\w+\.h)"', text)]
    return OF_HOST.search(text) or any(map(of_host, filter(os.path.exists, own)))


def tests_of_core():
    for name in sorted(file[:-len(".uflow")] for file in os.listdir(TESTS) if file.endswith(".uflow")):
        files = [os.path.join(TESTS, name + end) for end in (".c", ".uflow")]
        if name not in LEFT_OUT and all(os.path.exists(file) and not of_host(file) for file in files): yield name


def headers(work):
    """The headers of core are one header now. The trace keeps its own."""
    for name in sorted(os.listdir(HEADERS)):
        path = os.path.join(work, "uflow", name)
        if name == "trace.h": shutil.copy(os.path.join(HEADERS, name), path)
        elif name.endswith(".h") and name not in (*amalgamate.PUBLIC_OF_HOST, "uflow.h", "uv.h"):
            with open(path, "w", encoding="utf-8") as file: file.write('#include "uflow/uflow.h"\n')


def run(command, work):
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=300)
    if done.returncode:
        print(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 0


def main():
    ufc, work = map(os.path.abspath, sys.argv[1:])
    os.makedirs(work, exist_ok=True)
    cc = ["gcc", "-std=c11", "-O1", "-D_POSIX_C_SOURCE=200809L", "-I.", f"-I{TESTS}"]
    good = run([sys.executable, "-EsB", f"{ROOT}/runtime/amalgamate.py", ".", "--core"], work)
    headers(work)
    good = good and run([*cc, "-c", "uflow.c", f"{ROOT}/runtime/observe/trace.c", f"{TESTS}/log.c"], work)
    names = list(tests_of_core())
    for name in names if good else []:
        good &= (run([ufc, f"{TESTS}/{name}.uflow", "-o", f"{name}.c"], work)
                 and run([*cc, f"{TESTS}/{name}.c", f"{name}.c", "uflow.o", "trace.o", "log.o", "-lcmocka", "-o", name],
                         work)
                 and run([f"./{name}"], work))
    print(f"{len(names)} tests: {' '.join(names)}")
    return 0 if good and len(names) >= FEWEST else 1


if __name__ == "__main__":
    sys.exit(main())
