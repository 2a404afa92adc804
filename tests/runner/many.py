#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A file with many tests: compiled, and run in processes, several at a time, and in one process.

usage: many.py UFC CC LIBRARIES COUNT WORK [CFLAG...]"""
import os
import resource
import shutil
import subprocess
import sys

import tap

UFC, CC, LIBRARIES, COUNT, WORK = *sys.argv[1:4], int(sys.argv[4]), sys.argv[5]
INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime", "include")
TEST = '''test "number {0}" {{
    int n = {0};
    step A {{ await {0}ms -> B; }}
    step B {{ expect(flow->n % 100 != 99); done; }}
}}
'''


def must(*command):
    subprocess.run(command, cwd=WORK, check=True, stdout=subprocess.DEVNULL)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    with open(os.path.join(WORK, "many.uflow"), "w", encoding="utf-8") as file:
        file.writelines(TEST.format(number) for number in range(COUNT))
    must(UFC, "--tests", "many.uflow")
    must(CC, "-O0", "-I", INCLUDE, *sys.argv[6:], "many.c", *LIBRARIES.split("|"), "-pthread", "-o", "many")
    for options in (["--jobs", "4"], ["--in-process"]):
        done = subprocess.run(["./many", *options], cwd=WORK, capture_output=True, check=False)
        results, comments = tap.read(done.stdout.decode())
        assert done.returncode == 1 and not done.stderr, done.stderr
        assert [name for name, result in results.items() if not result[0]] == [
            f"number {number}" for number in range(99, COUNT, 100)], comments
        assert list(results) == [f"number {number}" for number in range(COUNT)]
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"{COUNT} tests, {memory // 1024} MB")


if __name__ == "__main__":
    main()
