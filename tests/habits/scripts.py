# SPDX-License-Identifier: MIT
"""Checks that no script has the name of a module of Python's standard library: scripts beside it, and the library
itself, would import the script instead. Also checks that ./dev, CI and CMake run all scripts with the system's Python.

usage: scripts.py ROOT"""
import os
import re
import sys

from sources import sources

OTHER_PYTHON = re.compile(r"(?m)^[^#\n]*(?:\$\{Python3_EXECUTABLE\}|Python3::Interpreter|"
                          r"(?<![/\w:])python3? .*\.py\b).*")
CHOOSES = "cmake/Python.cmake"


def problems(root):
    for path in sources(root, (".py",), ()):
        if os.path.basename(path).removesuffix(".py") in sys.stdlib_module_names:
            yield f"{path} hides a standard module: rename it"
    for path in sources(root, (".cmake",)):
        if path == CHOOSES: continue
        with open(os.path.join(root, path), encoding="utf-8") as file: text = file.read()
        for found in OTHER_PYTHON.finditer(text):
            yield f"{path}: `{found[0].strip()}`: use ${{UFLOW_PYTHON}} of {CHOOSES}, or \"${{python[@]}}\" of ./dev"


def main():
    found = list(problems(sys.argv[1]))
    for problem in found: print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    if not hasattr(sys, "stdlib_module_names"):
        print("needs Python 3.10")
        sys.exit(77)
    sys.exit(main())
