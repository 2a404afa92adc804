#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Operands are evaluated in source order: those of the arms of an await, of `all`, of `stay` and of `submit`, with and
without conditions. Pairs and triples of all kinds; each operand logs the number that `flow->n++` gives it.

gcc and clang with and without optimisation must log the same, and report no `++` whose order C leaves open.

usage: order.py --ufc UFC --root ROOT --library LIBRARY --every N
"""
import argparse
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

HEAD = """\
source {
#include <stdio.h>
static void note(int n) { printf(" %d", n); }
static int number(int n) { note(n); return n < 3 ? n : 2; }
static int nothing(int n) { note(n); return -1; }
static uf_time later(int n) { note(n); return UF_S(3); }
}
worker int weigh(int what) { return what; }
flow Sub(int sub) {
    signal bell; checkpoint gate; mailbox int box[2];
    task Go(int id) { step A { if (self->id < 0) fail; done; } }
}
"""
FLOW = """\
flow F%d {
    int n;
    flow Sub subs[3](1);
    task T {
        job fetch[3]: weigh;
        step S { if (flow->n == 0) note(100 + %d); %s }
        step Z { submit fetch[0](1); await all(fetch) -> done else done; }
    }
}
"""
# `@` stands for one evaluation.
ARMS = {"run": "run Sub.Go(&flow->subs[number(@)], 1)", "run with arguments": "run Sub.Go(&flow->subs[1], number(@))",
        "idle": "idle(&flow->subs[number(@)])", "fired": "fired(&flow->subs[number(@)].bell)",
        "arrived": "arrived(&flow->subs[number(@)].gate)", "room": "room(&flow->subs[number(@)].box)",
        "deadline": "deadline(later(@))", "readable": "readable(nothing(@))", "writable": "writable(nothing(@))",
        "job": "fetch[number(@)]", "until": "until (flow->n < 0) for (number(@)) ms"}
IN_ALL = ("run", "run with arguments", "idle", "fired", "arrived", "room", "deadline")
TIMEOUT = "timeout (number(@)) ms"


def awaits():
    for kinds in itertools.product(ARMS, repeat=2):
        arms = [f"{ARMS[kind]} -> Z;" for kind in kinds]
        for conditions in itertools.product(("", "if (number(@) >= 0) "), repeat=2):
            yield f"await {{ {conditions[0]}{arms[0]} {conditions[1]}{arms[1]} timeout 1ms -> Z; }}"
    for kind in ARMS: yield f"await {{ {ARMS[kind]} -> Z; {TIMEOUT} -> Z; }}"
    for kinds in itertools.product(IN_ALL, repeat=3):
        yield f"await {{ all({', '.join(ARMS[kind] for kind in kinds)}) -> Z; {TIMEOUT} -> Z; }}"


def others():
    for every, timeout in itertools.product(("1", "number(@)", "@"), repeat=2):
        yield f"if (flow->n) next Z; stay every ({every}) ms timeout ({timeout}) ms -> Z;"
    limits = ("", "1s", "(number(@)) ms")
    for index, argument, limit in itertools.product(("0", "number(@)"), ("1", "number(@)", "@"), limits):
        yield f"submit fetch[{index}]({argument}){' timeout ' + limit if limit else ''}; next Z;"


def wanted(text):
    """The numbers that are logged: `@` alone counts, too."""
    return [n for n, call in enumerate(re.findall(r"(\w+\()?@", text)) if call]


def program(cases):
    flows, main = [HEAD], ['#include <stdio.h>\n#include "x.h"\nint main(void)\n{\n    static uf_pump pump;\n',
                           "    if (uf_pump_init(&pump, NULL)) return 1;\n"]
    for i, case in enumerate(cases):
        flows.append(FLOW % (i, i, case.replace("@", "flow->n++")))
        main.append(f'    static F{i} f{i};\n    if (F{i}_init(&f{i}, &pump, "f") || F{i}_start_T(&f{i})) return 1;\n'
                    '    uf_simulate_until_idle(&pump, UF_S(9));\n    printf("\\n");\n')
    return "".join(flows), "".join(main) + "    return 0;\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("ufc", "root", "library"): parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    cases = [*list(awaits())[::options.every], *others()]
    compilers = [(path, level) for path in map(shutil.which, ("gcc", "clang")) if path for level in ("-O0", "-O2")]
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        def run(*command):
            done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            return done.returncode, done.stdout

        for name, text in zip(("x.uflow", "main.c"), program(cases)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file: file.write(text)
        for flags in ([], ["--no-line"]):
            status, said = run(options.ufc, *flags, "x.uflow")
            if status: sys.exit(said)
            for compiler, level in compilers:
                warning = "-Wunsequenced" if "clang" in compiler else "-Wsequence-point"
                sanitize = ["-fsanitize=undefined", "-fno-sanitize-recover"] if level == "-O0" else []
                status, said = run(compiler, "-std=c11", level, *sanitize, "-Werror", warning, "-I",
                                   os.path.join(options.root, "runtime/include"), "x.c", "main.c", options.library,
                                   "-pthread", "-lm", "-o", "x")
                if status:
                    failures.append(f"{compiler} {level}:\n{said}")
                    continue
                status, said = run("./x")
                lines = said.splitlines()
                if status or len(lines) != len(cases): failures.append(f"{compiler} {level}: {status}\n{said[-2000:]}")
                for i, (case, line) in enumerate(zip(cases, lines)):
                    logged = [int(n) for n in line.split()]
                    if logged != [100 + i, *wanted(case)]:
                        failures.append(f"{compiler} {level}: {case}\n  logs {line}")
    for failure in failures[:20]: print(failure)
    print(f"{len(cases)} statements, {len(compilers)} compilers: {len(failures)} failures")
    return 1 if failures or len(compilers) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
