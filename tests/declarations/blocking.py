#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Public functions that a step must not call: ufc refuses each of them (UF0509).

The comments in the public headers determine these functions: on the pump's thread they return UF_DEADLOCK, or they are
never called inside a round or a poll. ALLOWED has the exceptions with their reasons.

usage: blocking.py --ufc UFC --root ROOT
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

DOCUMENTED = re.compile(r"/\*((?:(?!\*/).)*?)\*/\n((?:[\w ]+?)[ *](uf_\w+)\([^;{]*[;{])", re.S)
REFUSED = re.compile(r"UF_DEADLOCK|inside a (?:round|poll)")
ALLOWED = {
    "uf_runtime_dump": "a step may dump its own runtime; it must not dump another one",
    "uf_runtime_link": "a step may link another runtime to its own",
    "uf_runtime_unlink": "a step may unlink what another thread drives",
    "uf_pool_free": "UF_DEADLOCK is for its jobs; a pool without jobs is freed at once",
    "uf_call_make": "generated code calls it; ufc refuses Flow_call_Task()",
}
MACROS = {"uf_post_wait": "uf_post_wait_at"}  # a macro, and the function that it calls
PROGRAM = "flow F {{ task T {{ step S {{ (void){0}(0); done; }} }} }}\n"


def functions(root):
    """The documented functions of the public headers, each with its comment."""
    for path in sorted(glob.glob(os.path.join(root, "runtime", "include", "uflow", "*.h"))):
        with open(path, encoding="utf-8") as file:
            for comment, _, name in DOCUMENTED.findall(file.read()):
                yield name, " ".join(comment.replace("\n *", " ").split())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    options = parser.parse_args()
    ufc = os.path.abspath(options.ufc)
    documented = dict(functions(options.root))
    names = {name for name, comment in documented.items() if REFUSED.search(comment)}
    failures = [f"{name} is allowed, and its comment does not say why it would not be" for name in set(ALLOWED) - names]
    names |= {macro for macro, name in MACROS.items() if name in names}
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(names):
            with open(os.path.join(folder, "x.uflow"), "w", encoding="utf-8") as file:
                file.write(PROGRAM.format(name))
            done = subprocess.run([ufc, "--check", "x.uflow"], cwd=folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            is_refused = f"`{name}` blocks the pump" in done.stdout and "UF0509" in done.stdout
            if is_refused == (name in ALLOWED):
                failures.append(f"a step that calls {name}: {done.stdout or 'no report'}")
    for failure in failures:
        print(failure)
    print(f"{len(names)} of {len(documented)} functions: {len(failures)} failures")
    return 1 if failures or len(names) < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
