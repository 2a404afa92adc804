#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that each source names its licence in its first line, or in the second one below `#!`, and that the texts of
the licence agree. `.reuse/dep5` covers all other files.

usage: spdx.py ROOT [--write]     --write adds the missing lines"""
import os
import re
import sys

from sources import sources

MARK = "SPDX-License-" "Identifier:"  # in two parts, since `reuse` takes the whole one for a mark
TAG = f"{MARK} MIT"
# Bytes of these are tested, shown by line number in documents, or copied into what ufc writes.
OTHERS = ("tests/golden/", "tests/corpus/", "tests/fuzz/", "docs/", "examples/", "tools/page/")
SUFFIXES = (".c", ".h", ".cpp", ".hpp", ".py", ".re", ".y", ".def", ".cmake", ".sh", ".js")
COPIES = ("LICENSE", "LICENSES/MIT.txt")


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", newline="") as file: return file.read()


def places(root):
    return [path for path in sources(root, SUFFIXES) if not path.startswith(OTHERS)]


def line_of(path):
    if path.endswith((".c", ".h", ".re", ".y", ".def")): return f"/* {TAG} */\n"
    return f"// {TAG}\n" if path.endswith((".cpp", ".hpp", ".js")) else f"# {TAG}\n"


def split(text):
    """The line of the interpreter, or nothing; and the rest."""
    end = text.index("\n") + 1 if text.startswith("#!") else 0
    return text[:end], text[end:]


def main():
    root, found = sys.argv[1], []
    if read(root, COPIES[0]) != read(root, COPIES[1]): found.append(f"{COPIES[0]} and {COPIES[1]} differ")
    paths = places(root)
    missing = [path for path in paths if not split(read(root, path))[1].startswith(line_of(path))]
    if "--write" in sys.argv:
        for path in missing:
            interpreter, rest = split(read(root, path))
            with open(os.path.join(root, path), "w", encoding="utf-8", newline="") as file:
                file.write(interpreter + line_of(path) + rest)
        print(f"{len(missing)} lines")
        return 0
    found += [f"{path}: no line `{line_of(path).strip()}`; spdx.py . --write adds it" for path in missing]
    found += [f"{path}: the licence is {name}" for path in paths
              for name in re.findall(MARK + r" (\S+)", read(root, path)[:200])
              if name != "MIT"]
    print("\n".join(found) or f"{len(paths)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
