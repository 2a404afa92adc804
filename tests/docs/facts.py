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


# The functions that an interrupt handler may call, and those that refuse it, are those whose comments say so.
GUIDE = "docs/guides/bare-metal.md"
REFUSED = ("start", "cancel", "pause", "spawn", "destroy", "stop")


def of_handlers(root):
    """What the table of the guide and the comments of the headers differ in."""
    table = re.search(r"\| \| Cortex-M0 \|.*?\n\n", read(root, GUIDE), re.S)[0]
    told = {name.replace("Flow_MAILBOX_", "uf_mailbox_") for row in table.splitlines() if "| yes | yes | yes |" in row
            for name in re.findall(r"`(\w+)\(\)`", row.split("|")[1])}
    folder = os.path.join(root, HEADER)
    headers = {name: read(root, HEADER + name) for name in sorted(os.listdir(folder)) if name.endswith(".h")}
    defined, refusing = set(), set()
    for text in headers.values():
        for comment, name in re.findall(r"/\*((?:(?!\*/).)*)\*/\s*[^/;{]*?\b(\w+)\(", text, re.S):
            comment = re.sub(r"\s*\*\s*", " ", comment)
            if "on bare metal also an interrupt handler" in comment: defined.add(name)
            if re.search(r"UF_UNSUPPORTED: called in an interrupt handler", comment): refusing.add(name)
    if told != defined:
        yield f"{GUIDE}: an interrupt handler may call {sorted(told)}, the headers say {sorted(defined)}"
    row = re.search(r"\| a start, .*", table)[0]
    unknown = [name for name in refusing if not any(word in name for word in (*REFUSED, "resume", "store", "attach"))]
    lost = [word for word in REFUSED if word not in row]
    if unknown or lost: yield f"{GUIDE}: what is refused in a handler lacks {unknown + lost}"


def main():
    root, failures = sys.argv[1], []
    failures += of_handlers(root)
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
