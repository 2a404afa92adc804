#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Types in every position of the grammar that has one. ufc refuses each program with a code, or every C compiler
accepts its output. ufc accepts each type whose values C assigns.

usage: type_places.py --ufc UFC --root ROOT [--every N]     --every N: each N-th program
"""
import argparse
import itertools
import os
import re
import sys
import tempfile

from directives import QUIET, WARNINGS, run
from members import compilers

HEAD = """\
header {
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
typedef int three[3], (*pointer_to_three)[3], grid[2][3];
typedef three six[2], also_three;
typedef int function(int), (in_parentheses)(int), (*pointer_to_function)(int);
typedef function also_function;
typedef int *gives_pointer(void), *pointer;
typedef void nothing;
typedef nothing also_nothing;
typedef const int constant;
typedef constant also_constant;
typedef char *const constant_pointer;
typedef struct pair { int a, b; } pair;
typedef union either { int a; double b; } either;
typedef enum which { FIRST, SECOND } which;
typedef struct hidden hidden;
#if 0
typedef int skipped[3];
#endif
#include "skipped.h"
extern int table[3];
extern const int *const constant_table;
extern pair *of_pair(int);
extern pointer_to_function handlers[2];
}
"""
# `@` is the name; results have none, so they take the types that end in it.
TYPES = """
int @
unsigned long long @
_Bool @
long double @
const char *@
char *const *@
volatile int *@
_Atomic int @
void *@
void **@
void @
const void @
void (@)
int @[3]
int @[2][3]
int (@)[3]
int *@[3]
int (*@)[3]
int (*(@))[3]
int @(int)
int (@)(int)
int *@(int)
int (*@)(int)
int (*@[2])(int)
int (*(*@)(int))(int)
three @
three *@
three (@)
const three @
struct pair @
pair @
pair *@
pair @[2]
either @
which @
enum which @
hidden *@
struct unseen *@
six @
grid @
also_three @
also_three *@
pointer_to_three @
pointer @
function @
function *@
function (@)
function *(*@)
function **@
function @[2]
function *@[2]
in_parentheses @
also_function @
also_function *@
pointer_to_function @
pointer_to_function @[2]
gives_pointer @
gives_pointer *@
nothing @
nothing *@
also_nothing @
also_nothing @[2]
constant @
constant *@
also_constant @
constant_pointer @
constant_pointer *@
jmp_buf @
jmp_buf *@
va_list *@
ptrdiff_t @
Part @
Part *@
__typeof__(int) @
skipped @
""".strip().split("\n")
# Types and expressions in the parentheses of `__typeof__`.
INSIDE = """
int *
const int
const int *
int *const
int[3]
int (*)[3]
int(int)
int (*)(const int)
void
three
three *
const three
__typeof__(int[3])
table
&table
table[0]
*table
(table)[1]
of_pair(1)
*of_pair(1)
of_pair(1)->a
*handlers
constant_table
"text"
1 ? "one" : "two"
function
also_constant
""".strip().split("\n")
TYPES += [f"__typeof__({inside}) @" for inside in INSIDE] + ["__typeof__(int[3]) *@"]
TYPES += [f"{word} int @" for word in ("static", "constexpr", "_Noreturn", "__inline__", "__thread")]
TYPES += ["__auto_type @", "auto @"]
DIGRAPHS = ["int @<:3:>", "int (*@)<:3:>", "int (*@<:2:>)(int)", "pair @<:2:>", "__typeof__(int<:3:>) @"]
TYPES += DIGRAPHS

POSITIONS = {
    "parameter of a flow": "flow F(@) { task T { step S { done; } } }",
    "second parameter of a flow": "flow F(int n, @) { task T { step S { done; } } }",
    "parameter of a task": "flow F { task T(@) { step S { done; } } }",
    "parameter of a step": "flow F(int n) { task T { step S { stay; } step R(@) { done; } } }",
    "parameter of a worker": "worker int work(@) { return 1; } flow F { task T { step S { done; } } }",
    "field of a flow": "flow F { @; task T { step S { done; } } }",
    "second field of a flow": "flow F { @, *q; task T { step S { done; } } }",
    "field of a task": "flow F { task T { @; step S { done; } } }",
    "item": "flow F { mailbox @[4]; task T { step S { await many -> done; } } }",
    "result of a worker": "worker @ work(int n) { WORK; } "
                          "flow F { task T { job j: work; step S { submit j(1); await j -> done; } } }",
    "result of a task": "flow F { task T -> @ { step S { static RESULT value; done value; } } }",
}
# What is kept is written by name: fewer types, of which the C compiler refuses those that a typedef hides.
KEPT = {
    "member of a plain struct": "plain struct p { @; }; durable flow F { p q; task T { step S { done; } } }",
    "second member of a plain struct": "plain struct p { @, q; }; durable flow F { task T(p q) { step S { done; } } }",
    "parameter of a durable flow": "durable flow F(@) { task T { step S { done; } } }",
    "field of a durable flow": "durable flow F { @; task T { step S { done; } } }",
    "transient field of a durable flow": "durable flow F { transient @; task T { step S { done; } } }",
    "parameter of a durable task": "durable flow F { task T(@) { step S { done; } } }",
    "field of a durable task": "durable flow F { task T { @; step S { done; } } }",
    "parameter of a durable step": "durable flow F(int n) { task T { step S { stay; } step R(@) { done; } } }",
    "result of a durable task": "durable flow F { task T -> @ { step S { static RESULT value; done value; } } }",
}
NOT_KEPT = "has a type that cannot be kept"


def programs():
    for place, program in {**POSITIONS, **KEPT}.items():
        for text in TYPES:
            name = "many[4]" if place == "item" else "m"
            declared = text.replace("@", name)
            if place.startswith("result"):
                if not text.endswith("@"):
                    continue
                declared = text[:-1].rstrip()
            made = program.replace("@[4]" if place == "item" else "@", declared).replace("RESULT", declared)
            work = "(void)n" if declared == "void" else f"static {declared} value; if (n) return value; fail"
            yield (HEAD + "flow Part { task Work { step S { done; } } }\n" + made.replace("WORK", work) + "\n",
                   text, place, declared)


def is_value(text, cc, folder, cache={}):
    """Does C keep values of the type in a struct, and assign them?"""
    if text not in cache:
        with open(os.path.join(folder, "value.c"), "w", encoding="utf-8") as file:
            file.write(HEAD.replace("header {", "").replace("\n}\n", "\n") +
                       f"struct s {{ {text.replace('@', 'm')}; }};\n"
                       "void f(struct s *a, struct s *b) { a->m = b->m; }\n")
        cache[text] = not any(run([name, "-w", "-fsyntax-only", "value.c"], folder)[0] for name in cc)
    return cache[text]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    include = os.path.join(os.path.abspath(options.root), "runtime", "include")
    translate = [os.path.abspath(options.ufc), *("-Wno-" + name for name in QUIET), "a.uflow", "-o", "a.c"]
    cc = [name for name in compilers() if "++" not in name]
    accepted = refused = 0
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "skipped.h"), "w", encoding="utf-8") as file:
            file.write("typedef struct skipped { int a; } skipped;\n")
        for program, text, place, declared in itertools.islice(programs(), 0, None, options.every):
            with open(os.path.join(folder, "a.uflow"), "w", encoding="utf-8") as file:
                file.write(program)
            status, said = run(translate, folder)
            refused += status == 1
            if status == 1 and re.search(r"error: .*\[UF\d{4}\]$", said, re.M):
                # items and results are not shared
                if "_Atomic" not in text and place not in KEPT and is_value(text, cc, folder):
                    failures.append(f"-- refused: {place}: {declared}\n{said}")
                continue
            wrong = [] if status == 0 and not said else [f"ufc: status {status}\n{said}"]
            for name in cc if status == 0 else []:
                bad, complaint = run([name, *WARNINGS, "-I", include, "a.c"], folder)
                if bad and not (place in KEPT and NOT_KEPT in complaint):
                    wrong.append(f"{name}\n{complaint}")
            accepted += not wrong
            if wrong:
                failures.append(f"-- {place}: {declared}\n{wrong[0][:800]}")
    print(*failures, sep="\n")
    print(f"{accepted} accepted, {refused} refused, {len(failures)} failures; with {', '.join(cc)}")
    return 1 if failures or not accepted or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
