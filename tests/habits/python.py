# SPDX-License-Identifier: MIT
"""Runs pyflakes over the Python files. It finds undefined names in code that no test has run yet, and unused imports
and variables.

usage: python.py ROOT"""
import shutil
import subprocess
import sys

from sources import sources


def main():
    root = sys.argv[1]
    if not shutil.which("pyflakes3"):
        sys.exit(77)
    paths = list(sources(root, (".py",), ()))
    done = subprocess.run(["pyflakes3", *paths], cwd=root)
    if done.returncode:
        sys.exit(1)
    print(f"{len(paths)} files")


if __name__ == "__main__":
    main()
