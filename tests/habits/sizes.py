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


def lines_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def large_file(path, lines):
    limit = TEST if path.startswith("tests/") else SOURCE
    count = sum("SPDX-License-Identifier" not in line for line in lines)
    if count > limit:
        yield f"{path}: {count} lines; at most {limit}: split the file by subject"
    yield from (f"{path}:{at}: {len(line)} columns; at most {COLUMNS}" for at, line in enumerate(lines, 1)
                if len(line) > COLUMNS)


def large_parts(files):
    for folders, limit in PARTS.items():
        count = sum(len(lines) for path, lines in files.items() if path.startswith(folders) and path.endswith(OF_PARTS))
        if count > limit:
            yield f"{' and '.join(folders)}: {count} lines; at most {limit}: {WHAT_TO_DO}"


def main():
    root = sys.argv[1]
    files = {path: lines_of(root, path) for path in sources(root)
             if not (path.startswith(LARGE_INPUTS) and path.endswith(".uflow"))}
    found = [problem for path, lines in files.items() for problem in large_file(path, lines)]
    found += large_parts(files)
    print("\n".join(found[:100]) or f"{len(files)} files")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
