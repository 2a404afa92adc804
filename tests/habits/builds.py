#!/usr/bin/env python3
"""CMake and Meson build the same files, and compile the same ones for speed.

usage: builds.py ROOT"""
import os
import re
import sys


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file: return file.read()


def sources_of_one(root):
    """Sources that only one of the two has. Only the main build makes the manual."""
    meson = set(re.findall(r"'((?:runtime|generator|tools)/[\w/]+\.c)'", read(root, "meson.build")))
    listed = set()
    for top in ("runtime", "generator", "tools"):
        for directory, _, files in os.walk(os.path.join(root, top)):
            if "CMakeLists.txt" in files and not directory.endswith(("/uv", "/manual")):
                place = os.path.relpath(directory, root)
                code = re.sub(r"#.*", "", read(directory, "CMakeLists.txt"))
                listed |= {os.path.normpath(os.path.join(place, file)) for file in re.findall(r"[\w./]+\.c\b", code)
                           if os.path.exists(os.path.join(directory, file))}
    return listed ^ meson


def fast_in_one(root):
    """Files that only one of the two does not compile for size."""
    cmake = re.search(r"set\(uflow_for_speed\s([^)]*)\)", read(root, "runtime/CMakeLists.txt"))[1].split()
    meson = re.search(r"^for_speed = files\((.*?)^\)", read(root, "meson.build"), re.M | re.S)[1]
    return set(cmake) ^ set(re.findall(r"/(\w+)\.c'", meson))


def main():
    root = sys.argv[1]
    failures = [f"only one of meson.build and the CMake lists has {path}" for path in sorted(sources_of_one(root))]
    failures += [f"meson.build and CMake compile {name} in different ways" for name in sorted(fast_in_one(root))]
    for failure in failures: print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
