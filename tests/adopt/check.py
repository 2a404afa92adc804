#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the projects of examples/adopt from nothing, by the commands of their READMEs, and counts the lines of uflow.

The ```sh block of a README runs in a copy of its directory; the output ends with the ```text block. The commands
see PREFIX, where uflow is installed, UFLOW, the source tree, and UFC. A line of a build file that ends with `# uflow`
counts.

check.py BUILD [PROJECT...]
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from chosen import chosen  # noqa: E402
PROJECTS = os.path.join(ROOT, "examples", "adopt")
LIMITS = {"CMakeLists.txt": 3, "meson.build": 4, "Makefile": 3}
AUTOTOOLS = ["autoreconf", "pkg-config"]
ARM = ["arm-none-eabi-gcc", "qemu-system-arm"]
NEEDS = {"meson": ["meson"], "cortex_m": ARM, "cortex_m_meson": ["meson", *ARM],
         "generated_in_git": AUTOTOOLS, "automake": AUTOTOOLS,
         **{name: ["make", "pkg-config"] for name in ("make", "tests", "network", "mutants")},
         "pkgconfig": ["pkg-config"], "cmake_executable": ["ninja"]}
FOREIGN = ("CC", "CXX", "CFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS", "MAKELEVEL", "UFC")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def block(text, language):
    return re.search(rf"```{language}\n(.*?)```", text, re.S)[1]


def build(name, environment, folder):
    """The failure, or nothing."""
    site = os.path.join(folder, name)
    shutil.copytree(os.path.join(PROJECTS, name), site)
    readme = read(site, "README.md")
    done = subprocess.run(["sh", "-e", "-c", block(readme, "sh")], cwd=site, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=600)
    if done.returncode:
        return f"exit status {done.returncode}\n{done.stdout}"
    if not done.stdout.endswith(block(readme, "text")):
        return f"prints at the end:\n{done.stdout[-1000:]}"
    return ""


def added_lines(name):
    """By kind of build file."""
    counts = {}
    for directory, _, files in os.walk(os.path.join(PROJECTS, name)):
        for file in set(files) & set(LIMITS):
            counts[file] = counts.get(file, 0) + len(re.findall(r"# uflow$", read(directory, file), re.M))
    return counts


def main():
    directory = sys.argv[1]
    names = chosen(sys.argv[2:], sorted(name for name in os.listdir(PROJECTS) if name != "README.md"))
    failures = []
    table = read(PROJECTS, "README.md")
    with tempfile.TemporaryDirectory(prefix="uflow-") as folder:
        prefix = os.path.join(folder, "prefix")
        subprocess.run(["cmake", "--install", directory, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        environment |= {"PREFIX": prefix, "UFLOW": ROOT, "UFC": os.path.join(prefix, "bin", "ufc")}
        for name in names:
            counts = added_lines(name)
            for file, count in counts.items():
                if count > LIMITS[file]:
                    failures.append(f"{name}: {count} lines in {file}; at most {LIMITS[file]}")
            number = sum(counts.values()) if counts else None
            row = re.search(rf"\[{name}\]\({name}/README.md\).*\| (\d*) ?\|", table)
            if not row or row[1] != str(number or ""):
                failures.append(f"{name}: examples/adopt/README.md does not have it with {number} lines")
            missing = [program for program in NEEDS.get(name, []) if not shutil.which(program)]
            if missing:
                print(f"{name}: left out, needs {', '.join(missing)}")
                continue
            begin = time.monotonic()
            failure = build(name, environment, folder)
            print(f"{name}: {counts or 'no build file'}, {time.monotonic() - begin:.1f} s", flush=True)
            if failure:
                failures.append(f"{name}: {failure}")
    print("\n".join(failures))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
