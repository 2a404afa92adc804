#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Attributes, macros and labels before intents, in every place of a body. The C compilers judge each program like the
same C function with `return` for the intents, or ufc refuses it with a code.

usage: attributes.py --ufc UFC --root ROOT [--every N]     --every N: each N-th program
"""
import argparse
import itertools
import os
import re
import sys
import tempfile

from directives import QUIET, run
from members import compilers

MACROS = """\
#define LIKELY [[likely]]
#define COLD __attribute__((cold))
#define UNUSED __attribute__((unused))
#define NOTHING
"""
PREFIXES = ["", "[[likely]]", "[[gnu::hot]] [[likely]]", "__attribute__((cold))", "__attribute__((unused))",
            "__attribute__((cold)) __attribute__((__unused__))", "LIKELY", "COLD", "UNUSED", "NOTHING",
            "[[likely]] NOTHING", "NOTHING\n"]
# `@`: the intent. An intent in IN_EXPRESSIONS is refused.
PLACES = ["if (n) @ done;", "if (n) done; else @", "if (n) { @ } done;", "@", "if (n) goto out; done; out: @",
          "switch (n) { case 1: @ default: done; }", "switch (n) { default: @ }",
          "switch (n) { case 1: n++; @ case 2: done; } done;", "for (;;) @", "if (n) { { n--; @ } } done;"]
IN_EXPRESSIONS = ["n = ({ switch (n) { case 1: @ } 1; }); done;", "n = ({ goto out; out: @ 1; }); done;",
                  "n = ({ switch (n) { case 1: n++; default: @ } 1; }); done;", "n = ({ if (n) @ 1; }); done;",
                  "keep(({ while (n) @ n; })); done;", "n = 1 + ({ switch (n) { case 'a' ... 'z': @ } 1; }); done;"]
INTENTS = ["next Other;", "done;", "fail;", "stay;", 'fail "why";', "stay every 1s;", "await 1s -> done;",
           "await { 1s -> done; }", "become More(1);"]
FLAGS = ["-std=gnu2x", "-Wno-attributes", "-w", "-fsyntax-only"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    include = os.path.join(os.path.abspath(options.root), "runtime", "include")
    translate = [os.path.abspath(options.ufc), *("-Wno-" + name for name in QUIET), "-Wno-endless-task", "a.uflow",
                 "-o", "a.c"]
    cc = [name for name in compilers() if "++" not in name and "tcc" not in name]
    programs = itertools.product(PREFIXES, PLACES + IN_EXPRESSIONS, INTENTS)
    accepted, refused, failures, plain = 0, 0, [], {}
    with tempfile.TemporaryDirectory() as folder:
        def judge(name, text, file):
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out: out.write(text)
            return run([name, *FLAGS, "-I", include, file], folder)

        for prefix, place, intent in itertools.islice(programs, 0, None, options.every):
            # `BOOL done;` is a declaration of C, if one may stand there.
            is_word = re.search(r"[A-Z]\s*$", prefix) and re.match(r"\w+;", intent)
            if is_word and not re.search(r"(\)|:|else) @", place): continue
            body = place.replace("@", f"{prefix} {intent}")
            text = (f"header {{\n{MACROS}void keep(int n);\n}}\nflow F {{ int m; task T {{ step S {{ int n = flow->m; "
                    f"{body} }} step Other {{ done; }} }} "
                    "task More(int a) { step S { if (self->a) fail; done; } } }\n")
            with open(os.path.join(folder, "a.uflow"), "w", encoding="utf-8") as file: file.write(text)
            status, said = run(translate, folder)
            refused += status == 1
            if status == 1 and re.search(r"error: .*\[UF\d{4}\]$", said, re.M):
                if place not in IN_EXPRESSIONS: failures.append(f"-- refused: {body}\n{said}")
                continue
            if place in IN_EXPRESSIONS or status: failures.append(f"-- accepted with {status}: {body}\n{said}")
            accepted += 1
            for name in cc:
                key = name, prefix, place
                if key not in plain:
                    made = place.replace("@", f"{prefix} return;").replace("done;", "return;")
                    plain[key] = judge(name, f"{MACROS}void keep(int n);\nvoid f(int n) {{ {made} }}\n", "plain.c")
                with open(os.path.join(folder, "a.c"), encoding="utf-8") as file: made = file.read()
                said = judge(name, made, "a.c")
                if bool(said[0]) != bool(plain[key][0]):
                    failures.append(f"-- {name}: {body}\n{said[1][:600]}\nplain C: {plain[key][1][:600]}")
    print(*failures[:20], sep="\n")
    print(f"{accepted} accepted, {refused} refused, {len(failures)} failures; with {', '.join(cc)}")
    return 1 if failures or not accepted or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
