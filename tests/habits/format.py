# SPDX-License-Identifier: MIT
"""Checks that the C files are formatted with .clang-format, and shows the first that is not. ./dev fmt formats them.

usage: format.py ROOT [--write]"""
import re
import subprocess
import sys

from sources import sources

VERSION = 14  # others have other layouts


def formatter():
    """The name of the program, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        try:
            said = subprocess.run([name, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        if re.search(rf"version {VERSION}\.", said): return name
    return None


def main():
    root = sys.argv[1]
    clang_format = formatter()
    if not clang_format:
        print(f"there is no clang-format {VERSION}")
        sys.exit(77)
    # Samples of the documents are narrower.
    paths = [path for path in sources(root, (".c", ".h"), ()) if not path.startswith("docs/")]
    if "--write" in sys.argv:
        sys.exit(subprocess.run([clang_format, "-i", *paths], cwd=root).returncode)
    done = subprocess.run([clang_format, "--dry-run", "--Werror", "--ferror-limit=1", *paths], cwd=root,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        first = done.stderr.split(":", 1)[0]
        formatted = subprocess.run([clang_format, first], cwd=root, stdout=subprocess.PIPE, text=True).stdout
        print(f"{first} is not formatted; ./dev fmt formats all files:", flush=True)
        subprocess.run(["diff", "-u", first, "-"], cwd=root, input=formatted, text=True)
        sys.exit(1)
    print(f"{len(paths)} files")


if __name__ == "__main__":
    main()
