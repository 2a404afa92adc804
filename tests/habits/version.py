#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The version is the same in all files that state it, and so is UF_ABI.

usage: version.py ROOT"""
import os
import re
import sys

HEADER = "runtime/include/uflow/version.h"
PLACES = {
    "version": [
        ("CMakeLists.txt", r"^project\(uflow VERSION ([\d.]+)"),
        ("meson.build", r"^project\('uflow', 'c', version: '([\d.]+)'"),
        (HEADER, r'^#define UF_VERSION +"([\d.]+)"'),
        (HEADER, r"^#define UF_VERSION_MAJOR (\d+)\n#define UF_VERSION_MINOR (\d+)\n#define UF_VERSION_PATCH (\d+)"),
        ("editors/vscode/package.json", r'^    "version": "([\d.]+)"'),
        ("editors/vscode/package-lock.json", r'^    "version": "([\d.]+)"'),
        ("packaging/esp-idf/uflow/idf_component.yml", r'^version: "([\d.]+)"'),
        ("CHANGELOG.md", r"^## ([\d.]+)"),  # the newest one
    ],
    "UF_ABI": [
        (HEADER, r"^#define UF_ABI (\d+)"),
        ("generator/emit/emit.h", r"^#define EMIT_ABI (\d+)u"),
        ("tools/gdb/uflow_gdb/flows.py", r"^ABI = (\d+)"),
        ("CHANGELOG.md", r"^## .* ABI (\d+)"),
    ],
}


def stated(root, path, pattern):
    with open(os.path.join(root, path), encoding="utf-8") as file: found = re.search(pattern, file.read(), re.M)
    return ".".join(found.groups()) if found else "not found"


def main():
    failures = 0
    for what, places in PLACES.items():
        values = [stated(sys.argv[1], *place) for place in places]
        if len(set(values)) > 1:
            failures += 1
            for place, value in zip(places, values): print(f"{what} in {place[0]}: {value}")
    return failures


if __name__ == "__main__":
    sys.exit(main())
