#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the amalgamations, of core and of core and host: C11 without warnings, with each compiler that is found, and
as part of a program in C and of one in C++, each with a flow. The texts in them are those of the files.

compilers.py UFC WORK_DIRECTORY [--few]    with --few, only the first compiler of each list"""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "runtime"))
import amalgamate  # noqa: E402

WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Werror".split()
ARM = ["-mthumb", "-Os"]
MINGW = ["x86_64-w64-mingw32-gcc", "-O2"]
COMPILERS = {
    "core": [["gcc", "-O0"], ["gcc", "-O2"], ["gcc", "-Os", "-ffreestanding"], ["clang", "-O2"], ["clang", "-O0"],
             MINGW, ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-ffreestanding", *ARM],
             ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-DUFP_BARE", "-DUF_WHEEL_BITS=0", "-DUF_NO_FLOAT", *ARM]],
    "host": [["gcc", "-O0"], ["gcc", "-O2"], ["gcc", "-Os"], ["clang", "-O2"], MINGW],
}
TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"')
FLOW = "flow Two { task Run { step First { await 5ms -> Second; } step Second { done; } } }\n"
PROGRAM = """#include "two.h"

int main(void)
{
    static uf_pump pump;
    static Two two;
    if (uf_pump_init(&pump, NULL) != UF_OK || Two_init(&two, &pump, "two") != UF_OK) return 1;
    (void)Two_start_Run(&two);
    if (uf_simulate_until_idle(&pump, UF_FOREVER) != UF_OK) return 2;
    return uf_flow_outcome(&two.uf) == UF_DONE && uf_pump_now(&pump) == UF_MS(5) ? 0 : 3;
}
"""


def run(command, work):
    done = subprocess.run(command, cwd=work, capture_output=True, text=True)
    if done.returncode == 0: return True
    print(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return False


def has_texts_of_files(work):
    """Names become others, texts do not."""
    parts = [path for name in ("include", *amalgamate.INTERNAL) for end in (".c", ".h")
             for path in amalgamate.files(name, end)]
    known = "".join(map(amalgamate.read, (*parts, f"{ROOT}/LICENSE", f"{ROOT}/runtime/amalgamate.py")))
    changed = [text for text in TEXT.findall(amalgamate.read(f"{work}/uflow.c")) if text not in known]
    for text in changed: print(f"no file has the text {text}")
    return not changed


def check(kind, ufc, work, few):
    os.makedirs(work, exist_ok=True)
    options = ["--core"] if kind == "core" else []
    good = run([sys.executable, "-EsB", f"{ROOT}/runtime/amalgamate.py", ".", *options], work)
    good = good and has_texts_of_files(work)
    for compiler in COMPILERS[kind][:1] if few else COMPILERS[kind]:
        if shutil.which(compiler[0]):
            good &= run([*compiler, "-std=c11", *WARNINGS, "-I.", "-c", "uflow.c", "-o", "uflow.o"], work)
    for name, text in (("two.uflow", FLOW), ("main.c", PROGRAM), ("main.cc", PROGRAM)):
        with open(os.path.join(work, name), "w", encoding="utf-8") as file: file.write(text)
    good = good and run([ufc, "two.uflow", "-o", "two.c"], work)
    sources = ["main.c", "two.c", "uflow.c"]
    good = good and run(["gcc", "-std=c11", *WARNINGS, "-I.", *sources, "-pthread", "-o", "in_c"], work)
    good = good and run(["./in_c"], work)
    if shutil.which("g++"):
        good = good and run(["gcc", "-std=c11", "-I.", "-c", "two.c", "uflow.c"], work)
        good = good and run(["g++", *WARNINGS, "-I.", "main.cc", "two.o", "uflow.o", "-pthread", "-o", "in_cc"], work)
        good = good and run(["./in_cc"], work)
    return good


def main():
    ufc, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    few = "--few" in sys.argv
    results = [check(kind, ufc, os.path.join(work, kind), few) for kind in COMPILERS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
