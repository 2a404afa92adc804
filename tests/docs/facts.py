#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the numbers that documents repeat with the sources that define them.

usage: facts.py ROOT
"""
import os
import re
import sys

HEADER = "runtime/include/uflow/"
BUILD = "CMakeLists.txt"
# A document, its pattern, the source, its pattern. The group of each pattern is the number; the document must have it.
FACTS = [
    ("docs/guides/building.md", r"libuflow(\d+)", HEADER + "version.h", r"#define UF_ABI (\d+)"),
    ("README.md", r"compiler, CMake (\d\.\d+)", BUILD, r"cmake_minimum_required\(VERSION (\d\.\d+)"),
    ("docs/guides/building.md", r"CMake (\d\.\d+) \(", BUILD, r"cmake_minimum_required\(VERSION (\d\.\d+)"),
    ("README.md", r"needs CMake 3\.(\d+)", "CMakePresets.json", r'"minor": (\d+)'),
    ("docs/guides/building.md", r"`\./dev` needs 3\.(\d+)", "CMakePresets.json", r'"minor": (\d+)'),
    ("docs/guides/jobs.md", r"(\d+) bytes together", HEADER + "priv/settings.h", r"#define UF_USUAL_JOB_PAYLOAD (\d+)"),
    ("docs/language.md", r"most (\d+) bytes together", HEADER + "priv/settings.h", r"UF_USUAL_JOB_PAYLOAD (\d+)"),
]


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def main():
    root, failures = sys.argv[1], []
    for document, there, source, here in FACTS:
        defined = re.search(here, read(root, source))
        told = re.findall(there, read(root, document))
        if not defined:
            failures.append(f"{source}: no {here}")
        elif not told or set(told) != {defined[1]}:
            failures.append(f"{document}: {there} is {told}, but {source} says {defined[1]}")
    needs = re.search(r'build_needs="(.*?)"', read(root, "dev"))[1]
    packages = ", ".join(pair.rpartition(":")[2] for pair in needs.split())
    if f"needs these packages: {packages}." not in read(root, "docs/guides/building.md"):
        failures.append(f"docs/guides/building.md: the packages of `./dev demo` are {packages}")
    print("\n".join(failures) if failures else f"{len(FACTS)} facts")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
