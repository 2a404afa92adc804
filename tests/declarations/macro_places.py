#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of the user that are macros of a header, which a `header` block includes. The first error of the C compiler
must be at a line of the .uflow file that has the name, not in a generated file. Each name of the program is made such
a macro in turn.

usage: macro_places.py --ufc UFC --root ROOT --cc CC
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = """\
header {
#include "macros.h"
}
worker int fetch(int key) { return key; }
signal bell;
checkpoint gate;
flow Sub(int sub_argument) {
    int sub_field = 0;
    task Serve(int wanted) -> int {
        step Go { flow->sub_field++; done self->wanted + flow->sub_argument; }
    }
}
flow Outer(int limit) {
    flow Sub kid(3);
    int field = 0;
    mailbox int box[4];
    pool Sub members[3](4);
    signal own_bell;
    task Work(int times) {
        int state = 0;
        job load: fetch;
        step First { self->state += flow->field + flow->limit + self->times; next Second(3); }
        step Second(int key_of) {
            submit load(key_of);
            await {
                load                      -> Third;
                bell                      -> First;
                own_bell                  -> First;
                run Sub.Serve(&flow->kid, 2) -> done;
                box                       -> Fourth(item);
                timeout 5s                -> fail "late";
            }
        }
        step Third { spawn members.Serve(2) else First; await gate -> done; }
        step Fourth(int got) { if (got) fail; done; }
    }
    task Rest -> int { step Nap { done 7; } }
}
"""
NAMES = """fetch key bell gate Sub sub_argument sub_field Serve wanted Go Outer limit kid field box members own_bell
    Work times state load First Second key_of Third Fourth got Rest Nap""".split()


def check(options, folder, name):
    def write(file, text):
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
            out.write(text)

    def run(*command):
        return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    write("x.uflow", PROGRAM)
    write("macros.h", f"#define {name} 7 ~\n")
    made = run(options.ufc, "x.uflow")
    if made.returncode:
        return f"ufc:\n{made.stdout}"
    done = run(options.cc, "-std=c11", "-fsyntax-only", "-I.", "-I", os.path.join(options.root, "runtime", "include"),
               "x.c")
    if done.returncode == 0:
        return ""  # the generated code never has the name alone
    # The first place that is not the macro's own.
    places = re.findall(r"^(\w+\.\w+):(\d+):\d+: (?:error|note|warning)", done.stdout, re.M)
    first = next(((file, int(line)) for file, line in places if file != "macros.h"), ("nowhere", 0))
    lines = PROGRAM.splitlines()
    if first[0] == "x.uflow" and re.search(rf"\b{name}\b", lines[first[1] - 1]):
        return ""
    return f"is told at {first[0]}:{first[1]}\n{done.stdout[:1500]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("ufc", "root", "cc"):
        parser.add_argument(f"--{option}", required=True)
    options = parser.parse_args()
    options.ufc, options.root = os.path.abspath(options.ufc), os.path.abspath(options.root)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            failure = check(options, folder, name)
            if failure:
                failures += 1
                print(f"{name}: {failure}")
    print(f"{len(NAMES)} macros, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
