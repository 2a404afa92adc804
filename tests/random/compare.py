#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the traces of random programs: of two builds with each other, or of one build with the recorded hashes.

    compare.py BEFORE AFTER [--count 10000]    each a source directory with a build in build/, or SOURCE:BUILD
    compare.py AFTER [--update]                against expected.txt, which has a hash for each batch of programs
    compare.py AFTER --guards                  each program with the same program with conditions before its arms

A difference is shown as a diff, and the program is written to --keep. Traces of BEFORE are remembered as hashes in
--cache."""
import argparse
import concurrent.futures
import difflib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from programs import FIFTH_PART, FOURTH_PART, SECOND_PART, THIRD_PART, Batch

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = os.path.join(HERE, "expected.txt")
BATCH = 50  # programs in an executable; expected.txt has a line for each such batch


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def content(path):
    with open(path, "rb") as file: return file.read()


class Build:
    """A compiler, a runtime and its headers."""

    def __init__(self, text, options, guards=False):
        self.guards = guards
        source, _, build = text.partition(":")
        source = os.path.abspath(source)
        build = os.path.abspath(build) if build else os.path.join(source, "build")
        self.ufc, self.library = os.path.join(build, "bin/ufc"), os.path.join(build, "lib/libuflow.a")
        self.include = os.path.join(source, "runtime/include")
        self.cc = [options.cc, "-std=c11", "-w", *options.cflags.split()]
        made_by = [os.path.join(HERE, name) for name in ("programs.py", "driver.c", "driver.h")]
        self.key = digest(*map(content, [self.ufc, self.library, *made_by]))

    def run(self, first, folder, only=()):
        """The output of a batch of programs, or of one of them."""
        if not os.path.exists(os.path.join(folder, "batch")):
            batch = Batch(first, BATCH, self.guards)
            for name, text in (("batch.uflow", batch.uflow), ("table.c", batch.c)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file: file.write(text)
            self.call([self.ufc, "batch.uflow", "-o", "batch.c"], folder)
            self.call([*self.cc, "-I.", "-I" + HERE, "-I" + self.include, "batch.c", "table.c",
                       os.path.join(HERE, "driver.c"),
                       self.library, "-pthread", "-o", "batch"], folder)
        return self.call(["./batch", *only], folder)

    def call(self, command, folder):
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300)
        except subprocess.TimeoutExpired:
            kept = shutil.copytree(folder, folder + "-kept")
            sys.exit(f"{' '.join(command)}: still running after 5 minutes (in {kept})")
        if done.returncode:
            kept = shutil.copytree(folder, folder + "-kept")
            sys.exit(f"{' '.join(command)}: status {done.returncode} (in {kept})\n"
                     f"{done.stderr.decode(errors='replace')[-3000:]}{done.stdout.decode(errors='replace')[-1000:]}")
        return done.stdout


def trace(build, first):
    with tempfile.TemporaryDirectory(prefix="uflow-random-") as folder: return build.run(first, folder)


def split(output):
    """The trace of each program."""
    traces = {}
    for part in re.split(r"(?m)^(?=== )", output.decode()): # one per drive
        if part: traces[part[3:part.index(",")]] = traces.get(part[3:part.index(",")], "") + part
    return traces


def show(first, before, after, keep):
    """The first program of the batch whose traces differ."""
    for name, expected in before.items():
        if after.get(name) == expected: continue
        lines = list(difflib.unified_diff(expected.splitlines(), after.get(name, "").splitlines(), "before", "after",
                                          lineterm="", n=12))
        os.makedirs(keep, exist_ok=True)
        batch = Batch(int(name[1:]), 1)
        path = os.path.join(keep, name + ".uflow")
        with open(path, "w", encoding="utf-8") as file: file.write(batch.uflow)
        for suffix, text in (("before", expected), ("after", after.get(name, ""))):
            with open(os.path.join(keep, f"{name}.{suffix}"), "w", encoding="utf-8") as file: file.write(text)
        print("\n".join(lines[:60]) + f"\n{name} differs ({path}, its traces beside it)")
        return


def compare(before, after, firsts, pool, options):
    """The batches that differ."""
    os.makedirs(options.cache, exist_ok=True)
    cache = os.path.join(options.cache, before.key + ".json")
    known = json.loads(content(cache)) if os.path.exists(cache) else {}
    def both(first):
        new = trace(after, first)
        old = None if known.get(str(first)) == digest(new) else trace(before, first)
        return new, old
    wrong = 0
    for first, (new, old) in zip(firsts, pool.map(both, firsts)):
        known[str(first)] = digest(new if old is None else old)
        if old is None or old == new: continue
        wrong += 1
        if wrong <= 3: show(first, split(old), split(new), options.keep)
    with open(cache, "w", encoding="utf-8") as file: json.dump(known, file)
    return wrong


def check(build, firsts, pool, options):
    """The batches whose hash is not the recorded one."""
    with open(EXPECTED, encoding="utf-8") as file: expected = dict(line.split() for line in file)
    got = {str(first): digest(output) for first, output in zip(firsts, pool.map(lambda first: trace(build, first),
                                                                                firsts))}
    wrong = [first for first in got if got[first] != expected.get(first)]
    if options.update:
        expected.update(got)
        with open(EXPECTED, "w", encoding="utf-8") as file:
            file.writelines(f"{first} {expected[first]}\n" for first in sorted(expected, key=int))
        print(f"{len(wrong)} hashes written")
        return 0
    for first in wrong[:5]:
        print(f"the traces of programs {first} to {int(first) + BATCH - 1} are not the recorded ones")
    if wrong: print("To see how they differ, build the commit before the change and run: compare.py BEFORE AFTER")
    return len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first program, a multiple of %d" % BATCH)
    parser.add_argument("--cc", default=shutil.which("clang") or "cc")
    parser.add_argument("--cflags", default="-O0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--guards", action="store_true")
    parser.add_argument("--cache", default=os.path.join(tempfile.gettempdir(), "uflow-random-cache"))
    parser.add_argument("--keep", default=os.path.join(tempfile.gettempdir(), "uflow-random-differences"))
    options = parser.parse_args()
    if len(options.builds) > 2: parser.error("one build, or two")
    builds = [Build(text, options) for text in options.builds]
    if options.guards: builds = [builds[0], Build(options.builds[0], options, guards=True)]
    firsts = list(range(options.first, options.first + options.count, BATCH))
    if options.first == 0:
        for part, share in ((SECOND_PART, 5), (THIRD_PART, 5), (FOURTH_PART, 20), (FIFTH_PART, 20)):
            firsts += range(part, part + max(options.count // share, 1), BATCH)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        wrong = (compare if len(builds) == 2 else check)(*builds, firsts, pool, options)
    print(f"{len(firsts) * BATCH} programs, " + ("all with equal traces" if not wrong
                                                 else f"{wrong} batches of {BATCH} differ"))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
