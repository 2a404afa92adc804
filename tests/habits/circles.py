#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files of a directory call each other in one direction: no two of them need each other, directly or by others.

usage: circles.py NM OBJECT..."""
import os
import subprocess
import sys

NM, OBJECTS = sys.argv[1], sys.argv[2:]


def symbols_of(path):
    """What an object defines for others, and what it uses of them."""
    defined, used = set(), set()
    for line in subprocess.run([NM, path], capture_output=True, text=True, check=True).stdout.splitlines():
        kind, name = line.split()[-2:]
        if kind == "U": used.add(name)
        elif kind.isupper(): defined.add(name)
    return defined, used


def circle_from(file, calls, path, done):
    """The files of a circle that can be reached; None: there is none."""
    if file in path: return [*path[path.index(file):], file]
    if file in done: return None
    done.add(file)
    return next(filter(None, (circle_from(other, calls, [*path, file], done) for other in calls[file])), None)


def main():
    symbols = {os.path.basename(path).split(".")[0]: symbols_of(path) for path in OBJECTS}
    homes = {name: file for file, (defined, _) in symbols.items() for name in defined}
    calls = {file: sorted({homes[name] for name in used & homes.keys()} - {file})
             for file, (_, used) in symbols.items()}
    done = set()
    circles = list(filter(None, (circle_from(file, calls, [], done) for file in sorted(calls))))
    for circle in circles: print("these files need each other: " + " -> ".join(circle))
    return bool(circles) or not homes


if __name__ == "__main__":
    sys.exit(main())
