#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Members of all kinds, made by a seeded generator: fields of flows and tasks, parameters, results, items of mailboxes.
ufc must never crash. If ufc accepts valid C, every installed compiler must accept the output, with the header also as
C++. The test counts the members that only ufc refuses.

usage: members.py --ufc UFC --root ROOT [--seed N] [--count N]
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wswitch-enum", "-Wundef", "-Werror"]
OF_C = ["-std=c11", "-Wpedantic", "-Wstrict-prototypes", "-Wmissing-prototypes"]
OF_CXX = ["-std=c++17", "-Wno-parentheses"] # g++ warns about every `int (x)`

HEADER = """\
#include <stdbool.h>
#include <stdint.h>
typedef struct point { int a, b; } point;
typedef union either { int a; float b; } either;
typedef enum level { LOW, HIGH } level;
typedef int (*callback)(int);
typedef int row[3];
#define UNUSED __attribute__((unused))
#define ALIGNED(n) __attribute__((aligned(n)))
"""
WHOLE = ["int", "unsigned", "unsigned long long", "long int", "uint8_t", "int64_t", "short unsigned int"]
NUMBERS = WHOLE + ["double", "float", "_Bool", "bool", "char", "signed char"]
STRUCTS = ["point", "struct point", "either", "union either"]
OTHERS = ["level", "enum level", "callback", "__typeof__(int)", "__typeof__(point *)", "int *", "const char *",
          "Other *", "row"]
INLINE = ["struct { int a; }", "union { int a; char b[4]; }", "struct here%d { int a; struct { int b; } c; }",
          "enum { FIRST%d, SECOND%d }", "struct { unsigned a : 3, : 2, b : 1; }", "struct { enum { IN%d } a; }"]
BEFORE = ["volatile", "_Atomic", "_Alignas(16)", "__attribute__((aligned(16)))", "UNUSED", "ALIGNED(8)", "const",
          "static",
          "_Alignas(double)", "__extension__"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.number = 0

    def name(self):
        self.number += 1
        return f"m{self.number}"

    def one_of(self, *choices):
        return self.random.choice(choices)

    def type(self, role):
        r = self.random.random()
        if r < 0.5:
            return self.one_of(*NUMBERS)
        if r < 0.7:
            return self.one_of(*STRUCTS)
        if r < 0.9 or role != "field":
            return self.one_of(*OTHERS[: None if role == "field" else -1])
        self.number += 1
        return self.one_of(*INLINE).replace("%d", str(self.number))

    def specifiers(self, role):
        made = self.type(role)
        if self.random.random() < 0.3:
            before = self.one_of(*BEFORE if role == "field"
                                 else ("volatile", "_Atomic", "const", "static", "UNUSED", "_Alignas(16)"))
            # C has no atomic arrays, and permits each qualifier once.
            if not (before == "_Atomic" and re.search("row|__typeof|void", made)) and before not in made.split():
                is_first = self.random.random() < 0.8 or re.search(r"[{*]", made) or before in ("__extension__",
                                                                                                "_Atomic")
                made = f"{before} {made}" if is_first else f"{made} {before}"
        if self.random.random() < 0.03:
            made = self.one_of("_Atomic(int)", "_Atomic(unsigned long)", "_Atomic(point *)", "_Atomic(point)")
        return made

    def shape(self, role):
        plain = ["N", "N", "N", "*N", "**N", "(N)", "(*N)", "*const *N", "*volatile N", "*restrict N", "*const N",
                 "*_Atomic N"]
        functions = ["(*N)(int)", "(*N)(int a, char (*b)(void))", "(*(*N)(int))(char)", "(*N)[3]", "*(*N)(void)"]
        arrays = ["N[3]", "N[2][3]", "*N[3]", "(N)[3]", "(*N[2])(int)", "(*N[2])[3]"]
        r = self.random.random()
        if role == "field" and r < 0.3:
            return self.one_of(*arrays)
        return self.one_of(*plain) if r < 0.8 else self.one_of(*functions)

    def attribute(self, role):
        choices = (" __attribute__((unused))", " UNUSED", " ALIGNED(16)")
        return self.one_of(*choices[: 3 if role == "field" else 2]) if self.random.random() < 0.08 else ""

    def initialiser(self, specifiers, shape):
        """An initialiser that C accepts without a warning; none where that depends on the compiler."""
        is_pointer = "*" in specifiers or "callback" in specifiers
        is_struct = not is_pointer and "typeof" not in specifiers and re.search(r"point|either|struct|union",
                                                                                specifiers)
        is_array = "[" in shape and "(*N)" not in shape
        if "_Atomic" in specifiers and (is_struct or is_array):
            return ""
        if "*" in shape:
            # Clang reads a 0 that is assigned to an atomic pointer as an int.
            return " = { 0 }" if is_array else " = (void *)0" if "_Atomic" in shape else " = 0"
        if "row" in specifiers.split():
            return "" if is_array else " = { 1, 2, 3 }"
        if is_array:
            return " = { 0 }" if not is_struct else " = { { 0 } }" if shape.count("[") == 1 else ""
        if is_struct:
            return "" if "{" in specifiers else " = { 0 }"
        if is_pointer or "_Atomic" in specifiers:
            return " = 0"
        return self.one_of(" = 0", " = { 0 }") if re.search("enum|level", specifiers) else self.one_of(" = 0", " = 1",
                                                                                                       " = { 1 }")

    def field(self):
        if self.random.random() < 0.15:
            return self.bits()
        if self.random.random() < 0.05:
            self.number += 2
            a, b = f"m{self.number}", f"m{self.number - 1}"
            return self.one_of(f"struct {{ int {a}, {b}; }}", f"union {{ int {a}; struct {{ char {b}; }}; }}",
                               f'_Static_assert(sizeof(int) > 1, "{a}")',
                               f"enum tag{a} {{ E{a} = 3, E{b} }} {b} = E{a}")
        specifiers = self.specifiers("field")
        made = []
        for _ in range(1 if "*" in specifiers else self.one_of(1, 1, 1, 2, 3)):
            shape = self.shape("field")
            # not valid as a return type in C++, or at all
            if ")(" in shape and re.search(r"\{|const|volatile|_Atomic|row", specifiers):
                shape = "*N"
            if "_Atomic" in specifiers and "row" not in specifiers and shape == "(N)[3]":
                shape = "N"
            value = self.initialiser(specifiers, shape) if self.random.random() < 0.4 else ""
            made.append(shape.replace("N", self.name()) + self.attribute("field") + value)
        return f"{specifiers} {', '.join(made)}"

    def bits(self):
        kind = self.one_of("unsigned", "int", "unsigned int", "signed", "_Bool", "UNUSED int")
        made = []
        for _ in range(self.one_of(1, 1, 2, 3)):
            width = 1 if kind == "_Bool" else self.one_of(1, 2, 3, 7)
            named = self.random.random() < 0.7
            value = self.one_of(" = 0", " = -0 + 0") if self.random.random() < (0.4 if named else 0.1) else ""
            made.append((self.name() + " " if named else "") +
                        f": {width if named or self.random.random() < 0.7 else 0}" + value)
        return f"{kind} {', '.join(made)}"

    def parameter(self):
        specifiers, shape = self.specifiers("parameter"), self.shape("parameter")
        if ")(" in shape and re.search(r"\{|const|volatile|_Atomic|row", specifiers):
            shape = "*N"
        return f"{specifiers} {shape.replace('N', self.name())}{self.attribute('parameter')}"

    def result(self):
        made = self.one_of(*NUMBERS, *STRUCTS, "level", "callback", "void *", "const char *", "int (*)(int)",
                           "point *const",
                           "volatile int", "volatile point", "const int", "int *volatile", "_Atomic int", "point *",
                           "int (*)[3]",
                           "_Atomic(int)", "_Atomic(point *)", "static int", "typedef int", "int [3]", "int",
                           "int (void)", "int *(void)",
                           "Other", "Other *", "int (*[2])(int)", "int (*(*)(int))(char)", "int (*(*)[2])(int)",
                           "int *(*(*)(void))[3]",
                           "const point", "__typeof__(*(int *)0)", "unsigned long const")
        return made

    def mailbox(self):
        specifiers = self.type("parameter")
        name, size = self.name(), self.one_of("1", "4", "2 * 3", "sizeof(int)")
        shape = self.one_of("N[S]", "N[S]", "*N[S]", "**N[S]", "(*N[S])(int)", "(N)[S]", "(*N)[S]", "N[S] : 3", ": 3",
                            "N", "N[S], *P[3]")
        return f"{specifiers} {shape.replace('N', name).replace('S', size).replace('P', self.name())}"

    def noise(self):
        words = ["int", "T", "*", ":", "3", "=", "0", "(", ")", "[", "]", ",", "x", "y", "struct", "union", "enum", "{",
                 "}", "const", "volatile",
                 "_Alignas(8)", "_Atomic", "__attribute__((unused))", "[[unused]]", "\"s\"", "'c'", "->", ".", "flow",
                 "on", "task", "step", "1ms",
                 "signal", "mailbox", "job", "worker", "typeof(x)", "static", "_Static_assert(1, \"\")", "#", "&",
                 "...", "auto", "left", "\n"]
        return " ".join(self.one_of(*words) for _ in range(self.random.randrange(1, 9)))


PLACES = ("flow field", "task field", "flow parameter", "task parameter", "step parameter", "worker parameter",
          "task result",
          "worker result", "mailbox")


def make(maker, place):
    if place.endswith("field"):
        return maker.field()
    if place.endswith("parameter"):
        return maker.parameter()
    return maker.mailbox() if place == "mailbox" else maker.result()


def program(items):
    """Puts each item on its own line. Returns the text, and the item of each line."""
    lines, where = ["header {", *HEADER.rstrip("\n").split("\n"), "}", "flow Other { task T { step S { done; } } }"], {}

    def put(item, before, after):
        lines.append(before)
        where[len(lines) + 1] = item
        lines.extend((item[1], after))
    for number, item in enumerate(items):
        place = item[0]
        rest = "task T { step S { done; } } }"
        if place == "flow field":
            put(item, f"flow F{number} {{", f"; {rest}")
        elif place == "mailbox":
            put(item, f"flow F{number} {{ mailbox", f"; {rest}")
        elif place == "task field":
            put(item, f"flow F{number} {{ task T {{", "; step S { done; } } }")
        elif place == "flow parameter":
            put(item, f"flow F{number}(", f") {{ {rest}")
        elif place == "task parameter":
            put(item, f"flow F{number} {{ task T(", ") { step S { done; } } }")
        elif place == "step parameter":
            put(item, f"flow F{number} {{ task T {{ step S {{ await 1s -> done; }} step Z(", ") { done; } } }")
        elif place == "worker parameter":
            put(item, f"worker void w{number}(", ") { }")
        elif place == "worker result":
            put(item, "worker", f"w{number}(void) {{ fail; }}")
        elif place == "task result":
            put(item, f"flow F{number} {{ task T ->", "{ step S { fail; } } }")
    return "\n".join(lines) + "\n", where


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def translate(options, folder, items):
    text, where = program(items)
    with open(os.path.join(folder, "m.uflow"), "w", encoding="utf-8") as file:
        file.write(text)
    quiet = ["unused-field", "unused-parameter", "unused-worker", "unreachable-step"]
    status, said = run([options.ufc, *("-Wno-" + name for name in quiet), "m.uflow", "-o", "m.c"], folder)
    return status, said, where


def accepted(options, folder, items, failures):
    """The items that ufc accepts. Its errors name the lines of the other items."""
    while True:
        status, said, where = translate(options, folder, items)
        if status not in (0, 1) or (status == 0 and said):
            failures.append(f"ufc ends with status {status}:\n{said[:2000]}")
            return []
        if status == 0:
            return items
        wrong = {int(n) for n in re.findall(r"^m\.uflow:(\d+):\d+: error:", said, re.M)}
        refused = [where[n] for n in wrong if n in where]
        if len(refused) < len(wrong) or not refused:
            # ufc reports an error in a worker's result at the word `worker`.
            refused += [where[n + 1] for n in wrong if n not in where and n + 1 in where]
            if not refused:
                failures.append(f"ufc refuses what is in no member:\n{said[:2000]}")
                return []
        items = [item for item in items if item not in refused]


def compilers():
    """Each once, under whichever name."""
    found = {}
    for name in ("gcc", "clang", "clang-14", "g++", "clang++", "clang++-14"):
        path = shutil.which(name)
        if path:
            found.setdefault((os.path.realpath(path), "++" in name), name)
    return list(found.values())


def compile_all(options, folder, items, failures):
    _, where = program(items)
    include = ["-I", os.path.join(options.root, "runtime", "include")]
    with open(os.path.join(folder, "m.cpp"), "w", encoding="utf-8") as file:
        file.write('#include "m.h"\n')
    for compiler in options.compilers:
        flags = [*OF_CXX, *WARNINGS, "m.cpp"] if "++" in compiler else [*OF_C, *WARNINGS, "m.c"]
        status, said = run([compiler, *include, "-fsyntax-only", *flags], folder)
        if status == 0:
            continue
        lines = {int(n) for n in re.findall(r"^m\.uflow:(\d+):", said, re.M)}
        guilty = [f"{where[n][0]}: {where[n][1]}" for n in sorted(lines) if n in where]
        first = re.search(r"^.*(error|warning):.*$", said, re.M)
        failures.append(f"{compiler}: " + ("\n    ".join(guilty) or "somewhere") +
                        f"\n{(first[0] if first else said)[:600]}\n"
                        + (said[:3000] if options.verbose else ""))


def check_noise(options, folder, maker, failures):
    for _ in range(options.count):
        place = maker.one_of(*PLACES)
        item = (place, maker.noise())
        status, said, _ = translate(options, folder, [item])
        if status not in (0, 1):
            failures.append(f"{place}: {item[1]!r}: ufc ends with status {status}:\n{said[:500]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.ufc, options.root = os.path.abspath(options.ufc), os.path.abspath(options.root)
    options.compilers = compilers()

    failures, taken, made = [], 0, 0
    maker = Maker(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        while made < options.count:
            items = [(place, make(maker, place)) for place in (maker.one_of(*PLACES) for _ in range(100))]
            items = accepted(options, folder, items, failures)
            made += 100
            taken += len(items)
            if items:
                compile_all(options, folder, items, failures)
        check_noise(options, folder, maker, failures)
    for failure in failures:
        print(failure)
    print(f"{made} members, {made - taken} refused by ufc; {', '.join(options.compilers)}: {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
