# SPDX-License-Identifier: MIT
"""Checks the lengths of files and lines: sources have at most 600 lines, tests 700, and a line has at most 120 columns.
The line that names the licence does not count. The compiler and the runtime have limits as a whole.

usage: sizes.py ROOT"""
import os
import sys

from sources import sources

SOURCE, TEST, COLUMNS = 600, 700, 120
PARTS = {("generator/", "grammar/"): 35200, ("generator/syntax/",): 4500, ("runtime/",): 46000}
WHAT_TO_DO = "delete what the change makes unnecessary, or raise the limit and say in the commit what the lines are for"
OF_PARTS = (".c", ".h", ".def", ".re", ".y")
LARGE_INPUTS = ("tests/corpus/", "tests/golden/")  # programs that are large, or have long lines, on purpose


def problems(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    limit = TEST if path.startswith("tests/") else SOURCE
    count = sum("SPDX-License-Identifier" not in line for line in lines)
    if count > limit:
        yield f"{path}: {count} lines; at most {limit}: split the file by subject"
    yield from (f"{path}:{at}: {len(line)} columns; at most {COLUMNS}" for at, line in enumerate(lines, 1)
                if len(line) > COLUMNS)


def length(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return sum(1 for _ in file)


def large_parts(root):
    of_parts = [path for path in sources(root) if path.endswith(OF_PARTS)]
    for folders, limit in PARTS.items():
        count = sum(length(root, path) for path in of_parts if path.startswith(folders))
        if count > limit:
            yield f"{' and '.join(folders)}: {count} lines; at most {limit}: {WHAT_TO_DO}"


def main():
    root = sys.argv[1]
    paths = [path for path in sources(root) if not (path.startswith(LARGE_INPUTS) and path.endswith(".uflow"))]
    found = [problem for path in paths for problem in problems(root, path)] + list(large_parts(root))
    print("\n".join(found[:100]) or f"{len(paths)} files")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
