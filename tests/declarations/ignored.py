#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ignored results of generated functions that can be refused: each function in each place of a statement. ufc must warn
in bodies, and compilers in C files, of the same calls.

usage: ignored.py --ufc UFC --root ROOT
"""
import argparse
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

FLOWS = """\
flow Part { task Work(int a) { step S { if (self->a) fail; done; } } }
flow Line { flow Part part; mailbox int box[2]; pool Part some[2]; task Idle { step S { await box -> done; } } }
"""
CALLS = {"start": "Part_start_Work(&line.part, 1)", "start_run": "Part_start_run_Work(&line.part, &run, 1)",
         "send": "Line_box_send(&line, 1)", "send_wait": "Line_box_send_wait(&line, 1, UF_S(1))",
         "spawn": "Line_some_spawn_Work(&line, (1))"}
# The place of a call, and whether its result is ignored there.
PLACES = [("@;", True), ("(void)@;", False), ("(void) @;", False), ("n = @ == UF_OK;", False),
          ("if (@ != UF_OK) n++;", False), ("if (n) @;", True), ("if (n) n++; else @;", True),
          ("if (n) (void)@; else n++;", False), ("{ { @; } }", True), ("for (@; n < 0; n++) n--;", True),
          ("for (n = 0; n < 0; @) n--;", True), ("for (n = 0; @ == UF_OK;) n--;", False),
          ("for ((void)@; n < 0; (void)@) n--;", False), ("for (; n < 0;) @;", True), ("while (n < 0) @;", True),
          ("while (@ == UF_OK) n--;", False), ("do @; while (n < 0);", True), ("switch (n) { case 1: @; }", True),
          ("switch (@) { default: break; }", False), ("@, n++;", True), ("n = (@);", False),
          ("n += @ ? 1 : 2;", False), ("take(0, @, 1);", False), ("again: @; if (n < 0) goto again;", True),
          ("uf_status const s = @; (void)s;", False), ("#if 1\n@;\n#endif", True), ("n++; /* text */ @; n++;", True)]
# Warnings without a flag: the standard's attribute, and clang's, which `(void)` silences.
COMPILERS = [("gcc", "-std=c2x", "c"), ("clang", "-std=c11", "c"), ("clang", "-std=c2x", "c"),
             ("g++", "-std=c++17", "c++"), ("clang++", "-std=c++11", "c++")]
SILENT = [("gcc", "-std=c11", "c"), ("g++", "-std=c++11", "c++"), ("clang", "-DUF_NODISCARD=", "c"),
          ("tcc", "-std=c11", "c")]


def programs():
    """The name of a function, the statements, and whether a result is ignored."""
    for (name, call), (place, ignored) in itertools.product(CALLS.items(), PLACES):
        yield name, place.replace("@", call), ignored


def warnings_of(command, folder, pattern):
    """The lines of the file that are named by warnings of that kind; anything else that is said is an error."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    said = done.stdout.decode("utf-8", "replace")
    found = re.findall(r"^\S*?:(\d+):.*warning: (.*)$", said, re.M)
    if done.returncode or not all(re.search(pattern, text) for _, text in found):
        raise SystemExit(f"{' '.join(command)}\n{said}")
    return {int(line) for line, _ in found}


def build(head, begin, end):
    """A file with each program in a function or worker, and the lines of those that ignore a result."""
    text, ignoring = head, set()
    for number, (_, statements, ignored) in enumerate(programs()):
        text += begin.replace("%", str(number)) + "\n"
        call = 1 + statements.split("Part_")[0].split("Line_")[0].count("\n")
        if ignored: ignoring.add(text.count("\n") + call)
        text += statements + "\n" + end + "\n"
    return text, ignoring


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    options = parser.parse_args()
    include = os.path.join(os.path.abspath(options.root), "runtime", "include")
    ufc = os.path.abspath(options.ufc)
    globals_of_c = "static Line line; static uf_run run; static int n;\nint take(int a, uf_status b, int c);\n"
    failures, compared = [], []

    def compare(command, folder, pattern, wanted, what):
        got = warnings_of(command, folder, pattern)
        compared.append(what)
        failures.extend(f"{what}: line {line} is {'not ' if line in wanted else ''}reported" for line in got ^ wanted)

    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file: file.write(text)
        write("flows.uflow", FLOWS)
        subprocess.run([ufc, "-Wno-unused-field", "flows.uflow"], cwd=folder, check=True)
        # send_wait is refused in a step, so the places are in workers; a step and a handler follow.
        text, ignoring = build(f'import "flows.uflow";\nsource {{\n{globals_of_c}}}\n', "worker void w%(void) {", "}")
        begin = text.count("\n") + 1
        text += f"flow F {{ on end {{ {CALLS['start']}; }}\n task T {{ on exit {{ {CALLS['send']}; }}\n"
        text += f" step S {{ if (n) {CALLS['spawn']}; done; }} }} }}\n"
        ignoring |= {begin, begin + 1, begin + 2}
        write("bodies.uflow", text)
        quiet = [ufc, "-Wno-unused-worker", "bodies.uflow", "--check"]
        compare(quiet, folder, "Wignored-result", ignoring, "ufc")
        compare([*quiet, "-Wno-ignored-result"], folder, "Wignored-result", set(), "ufc -Wno-ignored-result")
        text, ignoring = build(f'#include "flows.h"\n{globals_of_c}', "void f%(void); void f%(void) {", "}")
        for warns, ways in ((True, COMPILERS), (False, SILENT)):
            for cc, option, language in ways:
                if not shutil.which(cc): continue
                write("plain.c", text)
                way = [cc, option, *([] if cc == "tcc" else ["-x", language, "-Wall", "-Wno-switch"]), "-I", include]
                compare([*way, "-c", "plain.c", "-o", "plain.o"], folder, "nodiscard|warn_unused_result",
                        ignoring if warns else set(), f"{cc} {option}")
    print(*failures, sep="\n")
    print(f"{len(list(programs()))} programs, {len(failures)} failures; {', '.join(compared)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
